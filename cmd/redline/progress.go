package main

import (
	"cmp"
	"fmt"
	"io"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/escape"
)

// progress shows the progress of long work on a terminal, from the reports of a budget; in a pipe, and where that is unwanted, it writes
// nothing. It returns the function to call at the end, which clears the line.
func progress(w io.Writer, b *finding.Budget) (stop func()) {
	f := terminalOf(w)
	if f == nil || hushed(w) {
		return func() {}
	}
	l := &latest{width: 80}
	if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
		l.width = width
	}
	b.Progress, b.Phase, b.Turn = l.explored, l.entered, l.turn
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
	phase     finding.Phase // of the work that reported last
	states    int           // of the state model that reported last
	width     int           // of the terminal
}

func (l *latest) explored(states, _ int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.states = states
}

func (l *latest) entered(p finding.Phase) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.phase = p
}

func (l *latest) turn(path string, begun, of int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if begun > l.begun {
		l.path, l.begun, l.of, l.states, l.phase = path, begun, of, 0, finding.Phase{}
	}
}

// line returns the progress in one line: for how long, in which contract of how many, if there are several, which part of the work, and what is
// known so far.
func (l *latest) line(elapsed time.Duration) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	said := fmt.Sprintf("redline: %s", elapsed.Round(time.Second))
	if l.of > 1 {
		said += fmt.Sprintf(", contract %d of %d", l.begun, l.of)
	}
	said += ": " + cmp.Or(l.phase.Name, "reading")
	switch {
	case l.phase.Of > 0:
		said += fmt.Sprintf(", %d of %d", l.phase.Decided, l.phase.Of)
		if l.phase.Violated > 0 {
			said += fmt.Sprintf(", %d violated", l.phase.Violated)
		}
	case l.states > 0:
		said += fmt.Sprintf(", %s states", finding.Grouped(fmt.Sprint(l.states)))
	}
	if l.of > 1 {
		said += " (" + escape.TerminalText(l.path) + ")"
	}
	if short := []rune(said); len(short) >= l.width {
		return string(short[:l.width-1])
	}
	return said
}

// rewrite rewrites the line twice a second until done. It writes nothing in the first half second.
func rewrite(w io.Writer, l *latest, done <-chan struct{}) {
	begun := time.Now()
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			fmt.Fprintf(w, "\r\x1b[K%s", l.line(time.Since(begun)))
		case <-done:
			fmt.Fprint(w, "\r\x1b[K")
			return
		}
	}
}
