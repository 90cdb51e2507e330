package reduce

import (
	"context"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
)

// A Reduced is a net in whose initial marking Formula holds if and only if, in that of the original, the original formula does.
type Reduced struct {
	Net     *petri.Net
	Formula *ctl.Formula // its places are those of Net; True or False where nothing is left to ask
	Needs   Needs        // of Formula
	Applied []Count      // in the order of rules, those that were applied

	original *petri.Net
	does     []*firing // by transition of Net
	prefix   []*firing // fired before all others
	rests    [][]*firing
}

// Reduce reduces a net for a formula, whose atoms must be resolved and which must have no quantifiers. The net must be one-safe,
// which nobody checks here, and is understood to fire one transition at a time; the reduced net is one-safe too. Neither n nor f is
// changed. Where nothing can be reduced, Net is equal to n. An error is the context's cause, or that f has quantifiers.
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

// A reduction under way.
type reduction struct {
	net      *net
	formula  *ctl.Formula // its places are the original's, those still there
	needs    Needs
	meanings []meaning // by original place
	counts   [rules]int
	prefix   []*firing
	rests    [][]*firing
}

func (r *reduction) count(rule Rule) { r.counts[rule]++ }

// may reports whether the formula allows a rule.
func (r *reduction) may(rule Rule) bool { return about[rule].breaks&r.needs == 0 }

// run applies the rules until none applies, what is cheap before what is not. Each application takes away a place, a transition or an
// arc, and none adds places or more transitions than it takes, so that this ends.
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

// mostRounds is how often pairs of places are looked at, which costs the square of their number.
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

// apply makes one pass over the net, for the formula as it is by now.
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
			x.Applied = append(x.Applied, Count{Rule(rule), times})
		}
	}
	return x
}

// Size is how many places and transitions together are left, and of how many.
func (x *Reduced) Size() (left, of int) {
	return len(x.Net.Places) + len(x.Net.Transitions), len(x.original.Places) + len(x.original.Transitions)
}
