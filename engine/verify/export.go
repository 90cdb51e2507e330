package verify

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// fewWays and mostWays bound the transitions of a net written out: with all combinations of places, and with those that are reachable.
const (
	fewWays  = 2_000
	mostWays = 100_000
)

// Plain returns the composed net with ordinary transitions, fired one at a time, as other tools know them. Notes are remarks for readers.
// The first places are those of the composed net without history places. The error gives the reason if there is no such net.
func Plain(ctx context.Context, d *compile.Draft, b finding.Budget) (n *petri.Net, notes []string, err error) {
	switch {
	case d.Failure != "":
		return nil, nil, errors.New(d.Failure)
	case d.Rule == petri.All:
		return nil, nil, errors.New("the contract fires all that it can at once, and a place/transition net fires one transition at a time: with --firing one it is written as it is then, which has other states")
	case len(d.Urgent()) > 0:
		e := d.Urgent()[0]
		return nil, nil, fmt.Errorf("%s:%d:%d: event %q happens by itself when its time is over (after), before anything else does, and a place/transition net has nothing that does: PNML can't say it; --format smv can",
			e.Range.Filename, e.Range.Start.Line, e.Range.Start.Column, e.Name)
	}
	d = d.WithoutHistory()
	n, err = d.Net.Plain(complement, fewWays, nil)
	var many *petri.TooManyError
	if !errors.As(err, &many) {
		return n, nil, err
	}
	g, err := Explore(ctx, d, b)
	if err != nil {
		return nil, nil, fmt.Errorf("%w; and which of them are needed is not known: %w", many, err)
	}
	n, err = d.Net.Plain(complement, mostWays, reached(g))
	return n, []string{"what happens to obligations and deadlines is written out in the ways that are reachable, since all ways there are would be too many"}, err
}

// complement names the complement of a history place.
func complement(p petri.Place) petri.Place { return petri.Place{Net: p.Net, Name: "not " + p.Name} }

// reached yields the markings of all states.
func reached(g *space.Graph) iter.Seq[petri.Marking] {
	return func(yield func(petri.Marking) bool) {
		for s := 0; s < g.Len() && yield(g.Marking(s)); s++ {
		}
	}
}
