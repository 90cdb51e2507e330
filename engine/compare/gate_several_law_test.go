package compare_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/naive"
	"github.com/redlinehq/redline/engine/internal/testkit"
)

// severalPromises speak of every one of several, or of some, in each polarity.
var severalPromises = []string{"all x in b: AF x.s1", "AG (some x in b: x.s0)", "AF (some x in b: x.s1)", "AG !(some x in b: x.s2)", "AG !(all x in b: x.s1)", "EF (all x in b: x.s1)",
	"(some x in b: EF x.s2) -> (all x in b: EF x.s1)", "(all x in b: EF x.s1) <-> (some x in b: EF x.s1)", "all x in b: AG (x.s1 -> (some y in b: EF y.s2))"}

// A several is a contract of some parties that go from s0 to s1 and s2, each step only for those before or from one of them on.
type several struct {
	count int
	from  [2]int // step i is for those from this number on
	less  [2]bool
}

func (c several) can(step, one int) bool { return (one >= c.from[step]) != c.less[step] }

func (c several) text(promise string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "contract \"c\" {}\nparty \"b\" {\n  count = %d\n  state \"s0\" {}\n  state \"s1\" {}\n  state \"s2\" {}\n", c.count)
	for i, from := range c.from {
		fmt.Fprintf(&b, "  flag \"f%d\" { initial = count.index %s %d }\n  transition \"t%[1]d\" {\n    from = s%[1]d\n    to   = s%[4]d\n    when = { f%[1]d = true }\n  }\n", i, map[bool]string{true: "<", false: ">="}[c.less[i]], from, i+1)
	}
	fmt.Fprintf(&b, "}\nrequirement \"r\" { ctl = %q }\n", promise)
	return b.String()
}

// meaning returns a promise about so many, without quantifiers. The place of b[i].sN is 3i+N.
func meaning(promise string, count int) *ctl.Formula {
	f, err := ctl.Parse(promise)
	if err == nil {
		f, err = ctl.Expand(f, func(string) (names []string, known bool) {
			for i := range count {
				names = append(names, fmt.Sprintf("b[%d]", i))
			}
			return names, true
		})
	}
	if err != nil {
		panic(err)
	}
	for atom := range f.Atoms() {
		atom.Place = 3*int(atom.Name[len("b[")]-'0') + int(atom.Name[len("b[0].s")]-'0')
	}
	return f
}

// keeps decides a promise on all states of the parties together: of each, how far it is.
func (c several) keeps(f *ctl.Formula) bool {
	g := naive.Graph{Succ: make([][]int, 27), Holds: func(s, p int) bool { return []int{s % 3, s / 3 % 3, s / 9}[p/3] == p%3 }}
	for s := range g.Succ {
		for i, unit := range []int{1, 3, 9}[:c.count] {
			if at := s / unit % 3; at < 2 && c.can(at, i) {
				g.Succ[s] = append(g.Succ[s], s+unit)
			}
		}
	}
	return naive.Sat(g, f)[0]
}

// impliesAny looks for a graph with any labels in which one formula holds and the other does not.
func impliesAny(r *rand.Rand, f, g *ctl.Formula) bool {
	for range 400 {
		m, labels := naive.Graph{Succ: make([][]int, 1+r.IntN(3))}, make([]int, 3)
		for s := range m.Succ {
			labels[s] = r.IntN(1 << 9)
			for to := range m.Succ {
				if r.IntN(3) == 0 {
					m.Succ[s] = append(m.Succ[s], to)
				}
			}
		}
		m.Holds = func(s, p int) bool { return labels[s]>>p&1 == 1 }
		was, now := naive.Sat(m, f), naive.Sat(m, g)
		for s := range m.Succ {
			if was[s] && !now[s] {
				return false
			}
		}
	}
	return true
}

// TestOfSeveralNothingGetsPast: where there are more or fewer of several, a promise of base passes only if head keeps what base promised of its
// own, and what head promises implies it; and then it passes. REDLINE_HEAVY tries 1,500.
func TestOfSeveralNothingGetsPast(t *testing.T) {
	draws.SkipForRaces(t)
	each := 8
	if draws.All() {
		each = 160
	}
	lost, passed := 0, 0
	for k, promise := range severalPromises {
		for n := range each {
			r := rand.New(rand.NewPCG(uint64(k), uint64(n)))
			draw := func() several {
				return several{1 + r.IntN(3), [2]int{r.IntN(3), r.IntN(3)}, [2]bool{r.IntN(2) == 0, r.IntN(2) == 0}}
			}
			base, head := draw(), draw()
			if r.IntN(3) == 0 {
				head.from, head.less = base.from, base.less
			}
			was, now := meaning(promise, base.count), meaning(promise, head.count)
			if !base.keeps(was) {
				continue
			}
			keeps, implied := head.keeps(now), base.count == head.count || impliesAny(r, now, was)
			engine := []finding.Engine{finding.Auto, finding.Symbolic}[n%2]
			c := blame.Compare(t.Context(), testkit.DraftOf(t, base.text(promise)), testkit.DraftOf(t, head.text(promise)), finding.Budget{Jobs: 1, Engine: engine})
			status := (&finding.Review{Contracts: []finding.ContractReview{c}}).Gate(finding.FailNew)
			switch pass := status == finding.Clean; {
			case pass != (keeps && implied):
				t.Errorf("%s, %+v and %+v, %s: exit status %d; kept %t, implied %t", promise, base, head, engine, status, keeps, implied)
			case pass:
				passed++
			default:
				lost++
			}
		}
	}
	if all := each * len(severalPromises); lost*5 < all || passed*5 < all {
		t.Errorf("of %d amendments %d lose a promise, and %d pass", all, lost, passed)
	}
	t.Logf("%d lose a promise, %d pass", lost, passed)
}
