package symbolic

import (
	"context"

	"github.com/redlinehq/redline/engine/dd"
)

// stats are the sizes and costs of a symbolic state model.
type stats struct {
	Variables, Values int // of the encoding
	Nodes             int // of the diagram of the reachable markings
	dd.Stats
}

// stats returns the sizes and costs of the model. The errors are those of dd.Forest.Nodes.
func (x *Model) Stats(ctx context.Context) (stats, error) {
	s := stats{Variables: len(x.vars), Stats: x.forest.Stats}
	for i := range x.vars {
		s.Values += x.vars[i].size()
	}
	var err error
	s.Nodes, err = x.forest.Nodes(ctx, x.reach)
	return s, err
}
