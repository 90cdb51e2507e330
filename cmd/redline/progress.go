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

// progress shows the progress of long work on a terminal, from the reports of a budget; in a pipe it writes nothing. It returns the function
// to call at the end, which clears the line.
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

// latest is the progress so far.
type latest struct {
	mu        sync.Mutex
	path      string // of the contract that began last
	begun, of int
	states    int // of the state model that reported last
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

// line returns the progress in one line: which contract of how many, if there are several, and how many states so far.
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

// rewrite rewrites the line twice a second until done. It writes nothing in the first half second.
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
