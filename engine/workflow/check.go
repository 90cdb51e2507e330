package workflow

import (
	"context"
	"fmt"
	"math/big"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/halt"
	"github.com/redlinehq/redline/engine/petri"
)

// Kind is the kind of a finding.
type Kind uint8

const (
	Contact  Kind = iota // a transition is enabled and would put a second token on a place
	DeadEnd              // nothing is enabled; in a workflow net, and the marking is not final
	Improper             // the only sink is marked, and so is another place
	NoOption             // no final marking can be reached, and no other kind applies
)

// A Finding is a kind of bad marking, with a nearest one.
type Finding struct {
	Kind   Kind
	Run    ctl.Run  // leads to the marking from the initial one; for a Contact it has one more step, which cannot be fired
	States *big.Int // number of reachable markings of the kind; nil for a Contact
	Place  int      // of a Contact: the place that would hold two tokens
}

// A Report is the result of checking a net. If there was an error, it has the results so far. The net is a sound workflow net if it is
// Safe, Surveyed and Completed without Findings and Unfired.
type Report struct {
	States, Arcs, DeadEnds *big.Int // of the state model; nil if it is incomplete or has a Contact
	Safe                   bool     // the net is known to be one-safe
	Surveyed               bool     // Unfired and Unmarked are known
	Completed              bool     // all kinds of Findings were searched
	Unfired, Unmarked      []int    // transitions that never fire, places never marked; ascending
	Findings               []Finding
}

// A model is a state model of a net that is one-safe as far as the model goes. Errors end what is asked of it.
type model[S any] struct {
	net     *petri.Net
	algebra ctl.Algebra[S]
	count   func(context.Context, S) (*big.Int, error)
	final   func(ctx context.Context, sinks []int) S // the states in which some sinks are marked and nothing else
	report  *Report
}

// completion finds markings in which the process is stuck, ends improperly, or can no longer end. ends is nil for a net that
// is not a workflow net; then it finds all dead ends.
func (m *model[S]) completion(ctx context.Context, ends *Ends) {
	dead := m.algebra.Dead()
	m.report.DeadEnds = halt.Must(m.count(ctx, dead))
	if ends == nil {
		m.add(ctx, DeadEnd, dead)
	} else {
		m.ending(ctx, dead, m.final(ctx, ends.Sinks), ends.Sinks)
	}
	m.report.Completed = true
}

// ending finds bad markings, given the dead ends and the final markings.
func (m *model[S]) ending(ctx context.Context, dead, final S, sinks []int) {
	a := m.algebra
	bad := a.Minus(dead, final)
	m.add(ctx, DeadEnd, bad)
	if len(sinks) == 1 {
		improper := a.Minus(a.Where(sinks[0]), final)
		m.add(ctx, Improper, improper)
		bad = a.Union(bad, improper)
	}
	m.add(ctx, NoOption, a.Minus(a.Minus(a.All(), halt.Must(a.Until(ctx, a.All(), final))), bad))
}

func last(r ctl.Run) petri.Marking { return r.Markings[len(r.Markings)-1] }

// add appends a finding of a kind, if there are states of it.
func (m *model[S]) add(ctx context.Context, kind Kind, states S) {
	n := halt.Must(m.count(ctx, states))
	if n.Sign() == 0 {
		return
	}
	f := Finding{Kind: kind, Run: m.nearest(ctx, states), States: n}
	if kind == Contact {
		f.States = nil
		f.Place = clash(m.net, &f.Run)
	}
	if err := replay(m.net, &f); err != nil {
		halt.End(fmt.Errorf("the run found does not replay, which is a defect of redline: %w", err))
	}
	m.report.Findings = append(m.report.Findings, f)
}

// nearest returns a shortest run to one of some states.
func (m *model[S]) nearest(ctx context.Context, states S) ctl.Run {
	goal := &ctl.Formula{Op: ctl.Atom, Place: len(m.net.Places)}
	reached := &ctl.Formula{Op: ctl.EF, Left: goal}
	checker := ctl.New[S](known[S]{m.algebra, len(m.net.Places), states})
	return halt.Must(checker.Explain(ctx, reached, m.step)).Run
}

// known is an algebra with a set of states that an atom can refer to, as if there were one more place.
type known[S any] struct {
	ctl.Algebra[S]
	place  int
	states S
}

// Where returns the states in which a place is marked, or the known set.
func (k known[S]) Where(place int) S {
	if place == k.place {
		return k.states
	}
	return k.Algebra.Where(place)
}

// step returns the first transition that leads from one marking to another.
func (m *model[S]) step(from, to petri.Marking) []int {
	return []int{m.net.MustFindTransition(from, to)}
}

// clash adds the first transition in contact at the end of a run to the run, and returns the place of contact.
func clash(n *petri.Net, run *ctl.Run) int {
	at := last(*run)
	for t := range n.Transitions {
		if !n.Fireable(at, t) {
			continue
		}
		if _, place := n.Fire(at, []int{t}); place >= 0 {
			run.Steps = append(run.Steps, []int{t})
			return place
		}
	}
	panic("workflow: no contact where one was found")
}
