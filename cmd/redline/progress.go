package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/escape"
)

// progress tells somebody at a terminal that long work goes on, by what a budget reports; in a pipe it is quiet. It
// returns what to call at the end, which wipes the line.
func progress(w io.Writer, b *finding.Budget) (stop func()) {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return func() {}
	}
	l := &latest{width: 80}
	if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
		l.width = width
	}
	b.Progress, b.Turn = l.explored, l.turn
	done, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		rewrite(f, l, done)
	}()
	return func() { close(done); <-gone }
}

// latest is how far the work has come.
type latest struct {
	mu        sync.Mutex
	path      string // of the contract that had its turn last
	begun, of int
	states    int // of the state model that was heard of last
	width     int // of the terminal
}

func (l *latest) explored(states, _ int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.states = states
}

func (l *latest) turn(path string, begun, of int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if begun > l.begun {
		l.path, l.begun, l.of, l.states = path, begun, of, 0
	}
}

// line says it in one line: which contract of how many, if there are several, and how many states so far.
func (l *latest) line() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	said := fmt.Sprintf("redline: %d states so far", l.states)
	if l.of > 1 {
		said = fmt.Sprintf("redline: contract %d of %d, %d states so far: %s", l.begun, l.of, l.states, escape.TerminalText(l.path))
	}
	if short := []rune(said); len(short) >= l.width {
		return string(short[:l.width-1])
	}
	return said
}

// rewrite writes one line twice a second, and nothing before half a second has passed.
func rewrite(w io.Writer, l *latest, done <-chan struct{}) {
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			fmt.Fprintf(w, "\r\x1b[K%s", l.line())
		case <-done:
			fmt.Fprint(w, "\r\x1b[K")
			return
		}
	}
}
