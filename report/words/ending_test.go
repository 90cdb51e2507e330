package words_test

import (
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/words"
)

// TestBecause: a run within a run says in which state of that it begins.
func TestBecause(t *testing.T) {
	steps := func(from, to int) (run []finding.Firing) {
		for n := from; n <= to; n++ {
			run = append(run, finding.Firing{Step: n, Event: "e"})
		}
		return run
	}
	for _, c := range []struct {
		prefix, loop []finding.Firing
		after        int
		want         string
	}{
		{nil, nil, 0, "That is because in that state:"},
		{steps(1, 2), nil, 2, "That is because in that state:"},
		{steps(1, 2), nil, 1, "That is because after step 1:"},
		{steps(1, 2), steps(3, 4), 0, "That is because at the start:"},
		{steps(1, 2), steps(3, 4), 3, "That is because after step 3:"},
		{steps(1, 2), steps(3, 4), 4, "That is because in that state:"},
		{nil, steps(5, 7), 0, "That is because in that state:"},
		{nil, steps(5, 7), 1, "That is because after step 5:"},
		{steps(5, 6), nil, 0, "That is because after step 4:"},
	} {
		if said := words.Because(&finding.Trace{Prefix: c.prefix, Loop: c.loop}, &finding.Trace{After: c.after}); said != c.want {
			t.Errorf("%d and %d steps, after %d: %s", len(c.prefix), len(c.loop), c.after, said)
		}
	}
}

// TestWhoStandsAtTheEnd: the end of a run names whom its steps moved or its claim speaks of. It names all where nothing can happen any more, where nobody is
// left, and where the run continues another one.
func TestWhoStandsAtTheEnd(t *testing.T) {
	moved := func(step int, parties ...string) []finding.Firing {
		f := finding.Firing{Step: step}
		for _, p := range parties {
			f.Changed = append(f.Changed, finding.Change{Party: p, Before: []string{"idle"}, After: []string{"busy"}})
		}
		return []finding.Firing{f}
	}
	all := []finding.PartyState{{Party: "p[1]", Called: "Purchaser 1", Places: []string{"busy"}}, {Party: "p[2]", Called: "Purchaser 2", Places: []string{"idle"}},
		{Party: "seller", Places: []string{"idle"}}, {Party: "bank", Places: []string{"not begun"}}}
	for _, c := range []struct {
		of   string
		run  finding.Trace
		want string
	}{
		{"one moved", finding.Trace{Prefix: moved(1, "p[1]")}, "At the end: Purchaser 1: busy."},
		{"the claim names another", finding.Trace{Prefix: moved(1, "p[1]"), Claim: "“Purchaser 2: busy” is false"}, "At the end: Purchaser 1: busy; Purchaser 2: idle."},
		{"and by its name", finding.Trace{Prefix: moved(1, "p[1]"), Claim: "EF seller.out is false"}, "At the end: Purchaser 1: busy; seller: idle."},
		{"another moves over and over", finding.Trace{Prefix: moved(1, "p[1]"), Loop: moved(2, "seller")}, "After step 1: Purchaser 1: busy; seller: idle."},
		{"another moves in a run below", finding.Trace{Prefix: moved(1, "p[1]"), Then: []*finding.Trace{{Prefix: moved(2, "seller")}}}, "At the end: Purchaser 1: busy; seller: idle."},
		{"nobody", finding.Trace{Prefix: moved(1)}, "At the end: Purchaser 1: busy; Purchaser 2: idle; seller: idle."},
		{"nothing can happen", finding.Trace{Prefix: moved(1, "p[1]"), DeadEnd: true}, "At the end: Purchaser 1: busy; Purchaser 2: idle; seller: idle."},
		{"it continues a run", finding.Trace{Prefix: moved(3, "p[1]")}, "At the end: Purchaser 1: busy; Purchaser 2: idle; seller: idle."},
	} {
		c.run.End = all
		if said := words.Endings(&c.run, words.Terminal); len(said) != 1 || said[0][0]+" "+said[0][1] != c.want {
			t.Errorf("%s: %q, not %q", c.of, said, c.want)
		}
	}
}
