package reduce

import (
	"context"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
)

// A Reduced is a net in whose initial marking Formula holds if and only if the original formula holds in that of the original net.
type Reduced struct {
	Net     *petri.Net
	Formula *ctl.Formula // over places of Net; True or False if it is decided
	Needs   needSet      // of Formula
	Applied []ruleCount  // the rules applied, in their order

	original *petri.Net
	does     []*firing // by transition of Net
	prefix   []*firing // fired before all others
	rests    [][]*firing
}

// Reduce returns a smaller net and formula. The atoms of f must be resolved, and it must have no quantifiers. The net must be one-safe, which
// Reduce does not check, and fire one transition at a time. The reduced net is one-safe too. Reduce changes neither n nor f. If nothing can be
// reduced, Net is equal to n. The error is the context's cause, or says that f has quantifiers.
func Reduce(ctx context.Context, n *petri.Net, f *ctl.Formula) (*Reduced, error) {
	f, err := plain(f)
	if err != nil {
		return nil, err
	}
	r := &reduction{net: newNet(n), formula: f, meanings: make([]meaning, len(n.Places))}
	for p := range n.Places {
		r.meanings[p].place = p
	}
	if err := r.run(ctx); err != nil {
		return nil, err
	}
	return r.result(n), nil
}

// A reduction is the state of reducing a net.
type reduction struct {
	net      *net
	formula  *ctl.Formula // over the original places that are left
	needs    needSet
	meanings []meaning // by original place
	counts   [rules]int
	prefix   []*firing
	rests    [][]*firing
}

func (r *reduction) count(rule ruleID) { r.counts[rule]++ }

// may reports whether the formula allows a rule.
func (r *reduction) may(rule ruleID) bool { return about[rule].breaks&r.needs == 0 }

// run applies the rules until none applies, cheap ones first. Each application removes a place, a transition or an arc. None adds places, or
// more transitions than it removes, so run ends.
func (r *reduction) run(ctx context.Context) error {
	cheap := []func(context.Context) error{r.relevance, r.transitions, r.places}
	for range mostRounds {
		if err := r.repeat(ctx, cheap); err != nil {
			return err
		}
		before := r.counts
		if err := r.apply(ctx, r.known); err != nil || before == r.counts {
			return err
		}
	}
	return r.repeat(ctx, cheap)
}

// mostRounds bounds the use of implications, which costs the square of the number of places.
const mostRounds = 10

func (r *reduction) repeat(ctx context.Context, passes []func(context.Context) error) error {
	for before := [rules]int{-1}; before != r.counts; {
		before = r.counts
		for _, pass := range passes {
			if err := r.apply(ctx, pass); err != nil {
				return err
			}
		}
	}
	return nil
}

// apply makes one pass over the net, for the current formula.
func (r *reduction) apply(ctx context.Context, pass func(context.Context) error) error {
	r.formula = r.rewrite(r.formula)
	r.needs = needs(r.formula)
	r.net.look(r.formula)
	return pass(ctx)
}

func (r *reduction) result(n *petri.Net) *Reduced {
	x := &Reduced{Needs: r.needs, original: n, prefix: r.prefix, rests: r.rests}
	var number []int
	x.Net, number, x.does = r.net.built()
	x.Formula = numbered(r.formula, number)
	for rule, times := range r.counts {
		if times > 0 {
			x.Applied = append(x.Applied, ruleCount{ruleID(rule), times})
		}
	}
	return x
}

// Size returns the number of places and transitions together that are left, and that of the original.
func (x *Reduced) Size() (left, of int) {
	return len(x.Net.Places) + len(x.Net.Transitions), len(x.original.Places) + len(x.original.Transitions)
}
