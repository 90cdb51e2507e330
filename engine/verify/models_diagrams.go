package verify

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/big"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/halt"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/symbolic"
)

// A diagramModel is a state model of decision diagrams. It is not safe for concurrent use, and every operation ends with its context.
type diagramModel struct {
	x    *symbolic.Model
	ctx  context.Context
	net  *petri.Net
	seen int // number of places before the history places
}

// A Drawn is a draft with its states as decision diagrams.
type Drawn = Checked[dd.Node]

// DrawLike computes the decision diagrams of a draft that differs little from one that has some. It and everything that is asked of the diagrams may take a few times as
// many steps as those took. It returns nil if that is not enough, or if the draft has none. A failed exploration is recorded in the result.
func DrawLike(ctx context.Context, d *compile.Draft, b finding.Budget, other *finding.Stats, r *finding.Result) *Drawn {
	b.Engine, b.Patience = finding.Auto, int64(min(Patience, briefPatience+stepsPerLookup*other.Lookups))
	if d.Failure != "" {
		return nil
	}
	x, err := exploreSymbolic(ctx, d, b)
	if lost(d, err, b, r) != "" {
		return nil
	}
	return diagrams(ctx, d, x)
}

// stepsPerLookup is how many steps DrawLike allows for each lookup that the other diagrams took: some four times as many as a lookup takes.
const stepsPerLookup = 16

// diagrams combines a draft and its decision diagrams, without a memo: contracts share only explicit states.
func diagrams(ctx context.Context, d *compile.Draft, x *symbolic.Model) *Checked[dd.Node] {
	own := *d
	own.Memo = nil
	return &Checked[dd.Node]{Draft: &own, Model: diagramModel{x, ctx, d.Net, len(d.AllPlaces)}}
}

func (m diagramModel) id() uint64 { return m.x.ID }

func (m diagramModel) size(ctx context.Context) (symbolic.Size, error) {
	return m.x.SizeOf(ctx, m.seen, m.x.Sets(m.ctx).All())
}

func (m diagramModel) stored() int {
	n, _ := m.x.Cardinality(m.ctx, m.x.Sets(m.ctx).All()) // nil where a limit ends it
	return CapInt(n, math.MaxInt32)
}

// CapInt returns n, but at most the given bound, and 0 for nil.
func CapInt(n *big.Int, most int) int {
	switch {
	case n == nil:
		return 0
	case n.Cmp(big.NewInt(int64(most))) > 0:
		return most
	}
	return int(n.Int64())
}

func (m diagramModel) sets() ctl.Algebra[dd.Node] { return m.x.Sets(m.ctx) }

func (m diagramModel) count(ctx context.Context, set dd.Node) (*big.Int, error) {
	return m.x.CountSeen(ctx, m.seen, set)
}

// Labels has no limit of its own: the kernel limits nodes.
func (m diagramModel) Labels(acts [][]int, _ finding.Bytes) *ctl.Checker[dd.Node] {
	if len(acts) == 0 {
		return ctl.New[dd.Node](m.x.Sets(m.ctx))
	}
	fair := m.x.Fair(m.ctx, acts)
	return ctl.NewFair[dd.Node](fair, fair.Endless)
}

func (m diagramModel) Stopping(on explain.Runs, _ finding.Bytes) *ctl.Checker[dd.Node] {
	fair := m.x.Fair(m.ctx, on.Acts).Stopping(on.Barred)
	return ctl.NewFair[dd.Node](fair, fair.Endless)
}

func (m diagramModel) survey(ctx context.Context) (survey, error) {
	sets := m.x.Sets(m.ctx)
	marked, err := sets.EverMarked(ctx)
	if err != nil {
		return survey{}, err
	}
	fired, err := sets.EverFireable(ctx)
	return survey{marked, fired}, err
}

func (m diagramModel) firing(_ context.Context, groups [][]int) []dd.Node {
	sets := m.x.Sets(m.ctx)
	all := make([]dd.Node, len(groups))
	for i, group := range groups {
		for _, t := range group {
			all[i] = sets.Union(all[i], sets.Fireable(t))
		}
	}
	return all
}

func (m diagramModel) still(ctx context.Context, list []int, moved func(t int) dd.Node) []dd.Node {
	return withoutMoved(ctx, m, list, moved)
}

func (m diagramModel) back(ctx context.Context, by func([]int) bool, within, to dd.Node) dd.Node {
	return halt.Must(m.x.Sets(m.ctx).Back(ctx, func(t int) bool { return by([]int{t}) }, within, to))
}

// nearest searches from the initial state, layer by layer.
func (m diagramModel) nearest(ctx context.Context, set dd.Node) petri.Marking {
	markings, _, err := m.x.Sets(m.ctx).RunTo(ctx, set)
	return halt.Must(markings, err)[len(markings)-1]
}

// Between returns the first transition from one marking to another. It panics if there is none.
func (m diagramModel) Between(from, to petri.Marking) []int {
	return []int{m.net.MustFindTransition(from, to)}
}

// exploreSymbolic computes the reachable states as decision diagrams. A contact is an error with a run, as in space.Explore. If the engine is
// chosen automatically, the work is bounded by Patience.
func exploreSymbolic(ctx context.Context, d *compile.Draft, b finding.Budget) (*symbolic.Model, error) {
	if d.Rule != petri.One {
		return nil, errSteps
	}
	limits := space.Limits{Bytes: int64(b.Memory)}
	if b.Engine == finding.Auto {
		limits.Work, limits.Reach = cmp.Or(b.Patience, Patience), b.Reach
	}
	x, err := symbolic.Reach(ctx, d.Net, limits)
	if err != nil {
		return nil, err
	}
	t, in, err := x.Contact(ctx)
	if err == nil && t >= 0 {
		err = inContact(ctx, d, x, t, in)
	}
	return x, err
}

// Patience bounds the work on decision diagrams and on everything that is asked of them, in steps, where another method could decide, too.
// It takes about ten seconds. The bound is counted, not timed, so the result is the same on every machine.
const Patience = 1_000_000_000

// errSteps is the reason why a contract has no decision diagrams.
var errSteps = errors.New("decision diagrams are made for one firing at a time, and the contract says firing = all")

// inContact returns the error for a transition that puts a second token on a place in some states, with a shortest run to one of them.
func inContact(ctx context.Context, d *compile.Draft, x *symbolic.Model, t int, in dd.Node) error {
	markings, steps, err := x.Sets(ctx).RunTo(ctx, in)
	if err != nil {
		return err
	}
	_, place := d.Net.Fire(markings[len(markings)-1], []int{t})
	return &space.ContactError{Markings: markings, Steps: append(steps, []int{t}), Place: place, Name: d.Net.Places[place]}
}

// statsOf returns the statistics of a model so far, or nil if the context has ended.
func statsOf(ctx context.Context, x *symbolic.Model) *finding.Stats {
	s, err := x.Stats(ctx)
	if err != nil {
		return nil
	}
	return &finding.Stats{Variables: s.Variables, Values: s.Values, Nodes: s.Nodes, Peak: s.Peak, Lookups: s.Lookups, Hits: s.Hits, Iterations: s.Iterations}
}
