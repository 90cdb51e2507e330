package explain

import (
	"errors"
	"fmt"
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
)

// Replay executes evidence on the composed net and checks its claims. It returns an error for a run that cannot be fired or does not show
// what its formula needs. It shares no code with the engine that found the run: it fires with package petri, and checks the formula by
// itself. Propositional parts are decided outright. A temporal part is taken to have the value that the evidence below gives it, which is
// replayed in turn.
func Replay(net *petri.Net, rule petri.Rule, on Runs, e *ctl.Evidence) error {
	if !slices.Equal(e.Run.Markings[0], net.Initial) {
		return errors.New("the run does not start in the initial marking")
	}
	return (&Replayer{net, rule, on}).evidence(e)
}

// Runs says which runs of a net count. The zero value stands for all maximal runs.
type Runs struct {
	Acts   [][]int // transitions of each party, or of each event, that is assumed to make progress
	Stops  bool    // they may stop for good where none of the acts can happen
	Barred [][]int // if they may stop, by transition, places: a firing that moves a token there is no act; nil: none
}

// A Replayer checks runs of a net.
type Replayer struct {
	Net  *petri.Net
	Rule petri.Rule
	on   Runs
}

// evidence checks a run, its claim, and the evidence below it.
func (r *Replayer) evidence(e *ctl.Evidence) error {
	if err := r.run(e.Run); err != nil {
		return err
	}
	if err := r.claim(e); err != nil {
		return fmt.Errorf("%s: %w", e.Formula.CTL(), err)
	}
	for _, b := range e.Next {
		if !slices.Equal(e.Run.Markings[b.At], b.Run.Markings[0]) {
			return errors.New("an explanation starts elsewhere than where it is needed")
		}
		if err := r.evidence(b.Evidence); err != nil {
			return err
		}
	}
	return nil
}

// run fires every step, compares every marking, and checks how the run ends.
func (r *Replayer) run(run ctl.Run) error {
	targets := run.Markings[1:]
	if run.Loop >= 0 {
		targets = append(slices.Clone(targets), run.Markings[run.Loop])
	}
	if len(run.Steps) != len(targets) {
		return errors.New("the run has another number of steps than of markings")
	}
	for i, step := range run.Steps {
		if !r.Net.IsStep(run.Markings[i], r.Rule, step) {
			return fmt.Errorf("step %d cannot be taken", i+1)
		}
		after, contact := r.Net.Fire(run.Markings[i], step)
		if contact >= 0 || !slices.Equal(after, targets[i]) {
			return fmt.Errorf("step %d leads elsewhere", i+1)
		}
	}
	if run.Dead && r.on.Stops {
		return r.idle(run.Markings[len(run.Markings)-1])
	}
	if run.Dead {
		return r.dead(run.Markings[len(run.Markings)-1])
	}
	if run.Loop >= 0 && r.progressing(run) >= 0 {
		return errors.New("a party waits for ever that is assumed not to")
	}
	return nil
}

// idle checks that no actor assumed to make progress can act.
func (r *Replayer) idle(m petri.Marking) error {
	for _, acts := range r.on.Acts {
		if slices.ContainsFunc(acts, func(t int) bool { return r.Net.Fireable(m, t) && r.acts(m, t) }) {
			return errors.New("somebody stops who is assumed not to")
		}
	}
	return nil
}

// dead checks that no transition can fire.
func (r *Replayer) dead(m petri.Marking) error {
	for t := range r.Net.Transitions {
		if r.Net.Fireable(m, t) {
			return errors.New("the run does not end in a dead end")
		}
	}
	return nil
}

// claim checks that the run has the form its formula needs, and that no marking on it contradicts the formula.
func (r *Replayer) claim(e *ctl.Evidence) error {
	run, f := e.Run, e.Formula
	last := len(run.Markings) - 1
	endless := run.Loop >= 0 || run.Dead
	if last == 0 && !endless {
		return r.expect(run.Markings[0], f, e.Holds)
	}
	before, end, ok := obligation(f, e.Holds, endless)
	if !ok {
		return errors.New("this formula is not explained by a run")
	}
	if (f.Op == ctl.EX || f.Op == ctl.AX) && last != 1 {
		return errors.New("a next state is one step away")
	}
	for i, m := range run.Markings {
		want := before
		if i == last && !endless {
			want = end
		}
		for _, w := range want {
			if err := r.expect(m, w.f, w.holds); err != nil {
				return fmt.Errorf("after %d steps: %w", i, err)
			}
		}
	}
	return nil
}

// A want is a formula and the value it must have.
type want struct {
	f     *ctl.Formula
	holds bool
}

// obligation returns the values that formulas must have along a run that explains f, and in its last marking. An endless run has no condition
// on its end.
func obligation(f *ctl.Formula, holds, endless bool) (along, end []want, ok bool) {
	l, r := want{f.Left, holds}, want{f.Right, holds}
	switch {
	case f.Op == ctl.EX && holds, f.Op == ctl.AX && !holds, f.Op == ctl.EF && holds, f.Op == ctl.AG && !holds:
		return nil, []want{l}, !endless
	case f.Op == ctl.EG && holds, f.Op == ctl.AF && !holds:
		return []want{l}, nil, endless
	case f.Op == ctl.EU && holds, f.Op == ctl.EW && holds && !endless:
		return []want{l}, []want{r}, !endless
	case f.Op == ctl.EW && holds:
		return []want{l}, nil, true
	case (f.Op == ctl.AU || f.Op == ctl.AW) && !holds && !endless:
		return []want{r}, []want{l, r}, true
	case f.Op == ctl.AU && !holds:
		return []want{r}, nil, true
	}
	return nil, nil, false
}

// expect returns an error if a formula certainly has another value in a marking.
func (r *Replayer) expect(m petri.Marking, f *ctl.Formula, holds bool) error {
	value, known := r.Value(m, f)
	if known && value != holds {
		return fmt.Errorf("%s is %t", f.CTL(), value)
	}
	return nil
}

// Value returns the value of a formula in a marking. Known is false if that marking alone does not decide it.
func (r *Replayer) Value(m petri.Marking, f *ctl.Formula) (value, known bool) {
	switch f.Op {
	case ctl.True, ctl.False:
		return f.Op == ctl.True, true
	case ctl.Atom:
		if f.Means != nil {
			return r.Value(m, f.Means)
		}
		if f.Sum != nil {
			return f.Sum.Holds(func(place int) bool { return slices.Contains(m, place) }), true
		}
		return slices.Contains(m, f.Place), true
	case ctl.Not:
		v, known := r.Value(m, f.Left)
		return !v, known
	case ctl.And, ctl.Or, ctl.Implies, ctl.Iff:
		return r.combine(m, f)
	}
	return false, false
}

// combine applies Kleene's strong three-valued logic (1952, Introduction to Metamathematics, section 64).
func (r *Replayer) combine(m petri.Marking, f *ctl.Formula) (value, known bool) {
	a, ka := r.Value(m, f.Left)
	b, kb := r.Value(m, f.Right)
	if f.Op == ctl.Iff {
		return a == b, ka && kb
	}
	if f.Op == ctl.Implies {
		a = !a
	}
	settles := f.Op != ctl.And // the value that one operand alone can decide
	if ka && a == settles || kb && b == settles {
		return settles, true
	}
	return !settles, ka && kb
}

// progressing returns the index of an actor that waits for ever on a loop, or -1 if there is none. It applies the definition directly to
// markings and steps.
func (r *Replayer) progressing(run ctl.Run) int {
	loop := run.Markings[run.Loop:]
	for k, acts := range r.on.Acts {
		well := false
		for i, m := range loop {
			acting := slices.ContainsFunc(run.Steps[run.Loop+i], func(t int) bool { return slices.Contains(acts, t) && r.acts(m, t) })
			able := slices.ContainsFunc(acts, func(t int) bool { return r.Net.Fireable(m, t) && r.acts(m, t) })
			well = well || acting || !able
		}
		if !well {
			return k
		}
	}
	return -1
}

// acts reports whether firing a transition leads to another marking, without regard to history, and marks no barred place.
func (r *Replayer) acts(m petri.Marking, t int) bool {
	of := r.Net.Transitions[t]
	of.Marks = nil
	alone := petri.Net{Places: r.Net.Places, Transitions: []petri.Transition{of}}
	after, _ := alone.Fire(m, []int{0})
	bars := func(p int) bool { return !m.Has(p) && after.Has(p) }
	return !slices.Equal(after, m) && !(r.on.Barred != nil && slices.ContainsFunc(r.on.Barred[t], bars))
}
