package main

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"golang.org/x/term"
)

// progress tells somebody at a terminal that long work goes on; in a pipe it is quiet. It returns
// the function to report to and the one to call at the end, which wipes the line.
func progress(w io.Writer) (tell func(states, arcs int), stop func()) {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil, func() {}
	}
	var latest atomic.Int64
	done, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		draw(f, &latest, done)
	}()
	return func(states, _ int) { latest.Store(int64(states)) }, func() { close(done); <-gone }
}

// draw rewrites one line twice a second, and nothing before half a second has passed.
func draw(w io.Writer, latest *atomic.Int64, done <-chan struct{}) {
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			fmt.Fprintf(w, "\r\x1b[Kredline: %d states so far", latest.Load())
		case <-done:
			fmt.Fprint(w, "\r\x1b[K")
			return
		}
	}
}
