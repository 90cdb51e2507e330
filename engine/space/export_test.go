package space

import (
	"context"

	"github.com/redlinehq/redline/engine/petri"
)

// ExploreSoon explores as Explore does, but expands states together even when that is slow, and
// tells how many it did. Batches take at most so many arcs per job.
func ExploreSoon(ctx context.Context, net *petri.Net, rule petri.Rule, lim Limits, most int) (*Graph, int, error) {
	e := newExplorer(net, rule, lim, scale{frontier: 1, least: 1, most: most, share: 1})
	g, err := e.explore(ctx)
	return g, e.helped, err
}
