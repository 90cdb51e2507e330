package simulate_test

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/play"
	"github.com/redlinehq/redline/report/simulate"
)

func desk(t *testing.T, example string) *simulate.Desk {
	t.Helper()
	drafts, err := engine.Tree{FS: os.DirFS("../../hclspec/examples"), Root: example}.Drafts(t.Context(), nil, 1)
	if err != nil || len(drafts) != 1 {
		t.Fatal(err, len(drafts))
	}
	g, err := play.New(drafts[0])
	if err != nil {
		t.Fatal(err)
	}
	return &simulate.Desk{Game: g, Rand: rand.New(rand.NewPCG(1, 0)), Save: func(string, string) error { return nil }}
}

// TestScreenEveryKey plays on a screen of each size, down to one that has no room for anything.
func TestScreenEveryKey(t *testing.T) {
	for _, size := range [][2]int{{120, 30}, {60, 20}, {20, 6}, {1, 1}} {
		s := tcell.NewSimulationScreen("UTF-8")
		if err := s.Init(); err != nil {
			t.Fatal(err)
		}
		s.SetSize(size[0], size[1])
		d := desk(t, "gas-supply")
		var saved string
		d.Save = func(name, text string) error { saved = name + ":" + text; return nil }
		done := make(chan error, 1)
		go func() { done <- d.Screen(t.Context(), s) }()
		for _, r := range "\r\x00rrrrt\x01tusxab\bc\rlu" {
			switch r {
			case '\x00':
				s.InjectKey(tcell.KeyDown, 0, 0)
			case '\x01':
				s.InjectKey(tcell.KeyUp, 0, 0)
			case '\r':
				s.InjectKey(tcell.KeyEnter, 0, 0)
			case '\b':
				s.InjectKey(tcell.KeyBackspace, 0, 0)
			default:
				s.InjectKey(tcell.KeyRune, r, 0)
			}
		}
		s.InjectKey(tcell.KeyRune, 'q', 0)
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		if name, text, _ := strings.Cut(saved, ":"); name != "xac" || strings.Count(text, "\n") != 4 {
			t.Errorf("%v: saved %q", size, saved)
		}
		if d.Game.Steps() != 3 {
			t.Errorf("%v: %d steps", size, d.Game.Steps())
		}
		if shown := contents(s); size[0] == 120 {
			for _, want := range []string{"gas-supply — Gas supply", "After step 3", "What can happen", "What has happened", "q quit"} {
				if !strings.Contains(shown, want) {
					t.Errorf("%q is not on the screen:\n%s", want, shown)
				}
			}
		}
		s.Fini()
	}
}

func contents(s tcell.SimulationScreen) string {
	cells, width, _ := s.GetContents()
	var b strings.Builder
	for i, c := range cells {
		if i > 0 && i%width == 0 {
			b.WriteByte('\n')
		}
		b.WriteString(string(c.Runes))
	}
	return b.String()
}

// TestScreenEndsWithItsContext: an interrupt gives the terminal back.
func TestScreenEndsWithItsContext(t *testing.T) {
	s := tcell.NewSimulationScreen("UTF-8")
	if err := s.Init(); err != nil {
		t.Fatal(err)
	}
	defer s.Fini()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- desk(t, "sale").Screen(ctx, s) }()
	cancel()
	select {
	case err := <-done:
		if err == nil {
			t.Error("it ended as if it had been left")
		}
	case <-time.After(30 * time.Second):
		t.Fatal("it goes on")
	}
}

// TestLinesEndWithTheirContext: an interrupt is heard while nobody types.
func TestLinesEndWithTheirContext(t *testing.T) {
	in, typing := io.Pipe()
	defer typing.Close()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := desk(t, "sale").Lines(ctx, in, io.Discard, func(error) {})
		done <- err
	}()
	cancel()
	select {
	case err := <-done:
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("it goes on")
	}
}

// TestLongCommand is refused, and ends the reading.
func TestLongCommand(t *testing.T) {
	_, err := desk(t, "sale").Lines(t.Context(), strings.NewReader(strings.Repeat("a", 1<<20)), io.Discard, func(error) {})
	if err == nil || !strings.Contains(err.Error(), "a command has at most 65536 bytes") {
		t.Error(err)
	}
}
