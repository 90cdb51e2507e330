package workflow

import (
	"context"
	"fmt"
	"math/big"
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
)

// Kind of what is wrong with a reachable marking.
type Kind uint8

const (
	Contact  Kind = iota // a transition is fireable and would put a second token on a place
	DeadEnd              // nothing is fireable; in a workflow net: and the marking is not final
	Improper             // the only sink is marked, and something else is too
	NoOption             // no final marking can be reached, and nothing above is wrong with it
)

// A Finding is the nearest marking with which something is wrong.
type Finding struct {
	Kind   Kind
	Run    ctl.Run  // leads there from the initial marking; that of a Contact has one step more, which can't be fired
	States *big.Int // how many reachable markings are like that; nil for a Contact
	Place  int      // of a Contact: which would hold two tokens
}

// A Report is what was found out about a net; after an error, as far as it was. The net is sound as a workflow net if it is
// Safe, Surveyed and Completed with nothing found and nothing unfired.
type Report struct {
	States, Arcs, DeadEnds *big.Int // of the state model; nil when it was not completed, or has a Contact
	Safe                   bool     // that the net is one-safe is known
	Surveyed               bool     // Unfired and Unmarked are known
	Completed              bool     // all kinds of Findings were looked for
	Unfired, Unmarked      []int    // transitions that never fire, places never marked; ascending
	Findings               []Finding
}

// A model is a state model of a net that is one-safe as far as it was reached.
type model[S any] struct {
	net     *petri.Net
	algebra ctl.Algebra[S]
	count   func(context.Context, S) (*big.Int, error)
	final   func(ctx context.Context, sinks []int) (S, error) // the states in which only sinks are marked, and some
	report  *Report
}

// completion looks for markings in which the process is stuck, ends improperly, or can't end any more; ends is nil for a net that
// is no workflow net, in which every dead end is told.
func (m *model[S]) completion(ctx context.Context, ends *Ends) error {
	dead := m.algebra.Dead()
	if err := m.algebra.Err(); err != nil {
		return err
	}
	n, err := m.count(ctx, dead)
	if err != nil {
		return err
	}
	m.report.DeadEnds = n
	if ends == nil {
		return m.add(ctx, DeadEnd, dead)
	}
	final, err := m.final(ctx, ends.Sinks)
	if err != nil {
		return err
	}
	return m.ending(ctx, dead, final, ends.Sinks)
}

// ending looks for what should not be, given the dead ends and the final markings.
func (m *model[S]) ending(ctx context.Context, dead, final S, sinks []int) error {
	a := m.algebra
	bad := a.Minus(dead, final)
	if err := m.add(ctx, DeadEnd, bad); err != nil {
		return err
	}
	if len(sinks) == 1 {
		improper := a.Minus(a.Where(sinks[0]), final)
		if err := m.add(ctx, Improper, improper); err != nil {
			return err
		}
		bad = a.Union(bad, improper)
	}
	return m.options(ctx, final, bad)
}

// options looks for markings from which no final one can be reached, besides those that are bad in another way.
func (m *model[S]) options(ctx context.Context, final, bad S) error {
	a := m.algebra
	can, err := a.Until(ctx, a.All(), final)
	if err != nil {
		return err
	}
	return m.add(ctx, NoOption, a.Minus(a.Minus(a.All(), can), bad))
}

func last(r ctl.Run) petri.Marking { return r.Markings[len(r.Markings)-1] }

// add appends a finding of a kind, if there are states of it.
func (m *model[S]) add(ctx context.Context, kind Kind, states S) error {
	if err := m.algebra.Err(); err != nil {
		return err
	}
	n, err := m.count(ctx, states)
	if err != nil {
		return err
	}
	if n.Sign() == 0 {
		return nil
	}
	run, err := m.nearest(ctx, states)
	if err != nil {
		return err
	}
	f := Finding{Kind: kind, Run: run, States: n}
	if kind == Contact {
		f.States = nil
		f.Place = clash(m.net, &f.Run)
	}
	if err := replay(m.net, &f); err != nil {
		return fmt.Errorf("the run found does not replay, which is a defect of redline: %w", err)
	}
	m.report.Findings = append(m.report.Findings, f)
	return nil
}

// nearest is a shortest run to one of some states.
func (m *model[S]) nearest(ctx context.Context, states S) (ctl.Run, error) {
	goal := &ctl.Formula{Op: ctl.Atom, Place: len(m.net.Places)}
	reached := &ctl.Formula{Op: ctl.EF, Left: goal}
	checker := ctl.New[S](known[S]{m.algebra, len(m.net.Places), states})
	evidence, err := checker.Explain(ctx, reached, m.step)
	if err != nil {
		return ctl.Run{}, err
	}
	return evidence.Run, nil
}

// known is an algebra with a set of states that is told like that of one more place.
type known[S any] struct {
	ctl.Algebra[S]
	place  int
	states S
}

// Where the place is marked, or the known set.
func (k known[S]) Where(place int) S {
	if place == k.place {
		return k.states
	}
	return k.Algebra.Where(place)
}

// step is the first transition that leads from one marking to another.
func (m *model[S]) step(from, to petri.Marking) []int {
	for t := range m.net.Transitions {
		if !m.net.Fireable(from, t) {
			continue
		}
		if after, contact := m.net.Fire(from, []int{t}); contact < 0 && slices.Equal(after, to) {
			return []int{t}
		}
	}
	panic("workflow: no transition between consecutive markings of a run")
}

// clash adds to a run the first transition that is in contact at its end, and returns the place.
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
