package review

import (
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// A gate lets requests of several runs through one at a time, in an order that does not depend on the machine: it waits until
// every run stands before it or has left.
type gate struct {
	mu      sync.Mutex
	turn    *sync.Cond
	draw    *rand.Rand
	inside  []string // runs that have not left
	waiting []string
	go_     string
	count   int
	at      int
	do      func()
}

func newGate() *gate {
	g := &gate{}
	g.turn = sync.NewCond(&g.mu)
	return g
}

func (g *gate) open(names []string, draw *rand.Rand) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.inside, g.waiting, g.go_, g.draw, g.count = slices.Clone(names), nil, "", draw, 0
}

func (g *gate) leave(name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.inside = slices.DeleteFunc(g.inside, func(n string) bool { return n == name })
	g.choose()
}

// meanwhile has something happen before the nth request.
func (g *gate) meanwhile(n int, do func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.at, g.do = n, do
}

// choose lets one through when all are there.
func (g *gate) choose() {
	if g.go_ == "" && len(g.waiting) > 0 && len(g.waiting) == len(g.inside) {
		slices.Sort(g.waiting)
		g.go_ = g.waiting[g.draw.IntN(len(g.waiting))]
		g.turn.Broadcast()
	}
}

func (g *gate) before(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, name, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		g.mu.Lock()
		g.waiting = append(g.waiting, name)
		g.choose()
		for g.go_ != name {
			g.turn.Wait()
		}
		g.waiting = slices.DeleteFunc(g.waiting, func(n string) bool { return n == name })
		g.go_ = ""
		g.count++
		if g.do != nil && g.count == g.at {
			g.do()
		}
		g.mu.Unlock()
		h.ServeHTTP(w, r)
	})
}
