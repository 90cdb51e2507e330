package behaviour

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/product"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/symbolic"
	"github.com/redlinehq/redline/engine/verify"
)

// This file compares drafts with too many states for an explicit model, on decision diagrams. Results are replayed on the nets before they
// are shown, as for small models.

// A vast is a comparison without explicit state models.
type vast struct {
	*comparison
	*product.Versions
}

// vast fills a difference as far as diagrams allow. It returns false if diagrams do not apply: the reason is then that there is no explicit
// state model.
func (v *Versions) vast(ctx context.Context, d *finding.Difference, x *Observables, all Observer) bool {
	if v.Budget.Engine == finding.Explicit {
		return false
	}
	drafts := [2]*compile.Draft{v.Base.Draft, v.Head.Draft}
	c := &comparison{Versions: v, lexicon: &lexicon{Observables: x}}
	for side, draft := range drafts {
		if draft.Failure != "" || draft.Rule != petri.One {
			return false
		}
		c.sides[side] = &modelled{Listed: &verify.Listed{Checked: &verify.Checked[space.Set]{Draft: draft}}}
	}
	w := &vast{comparison: c}
	var states *product.States
	var err error
	if w.Versions, err = product.New(ctx, drafts[0].Net, drafts[1].Net, x.Of); err == nil {
		states, err = w.CompareStates(ctx, w.senses(), maxSituations, w.bounds(1, 1))
	}
	apart := err
	if w.Versions != nil && errors.Is(err, symbolic.ErrNotSymbolic) { // meanings of states cannot be compared; behaviour may be
		states, err = w.CompareStates(ctx, w.senseless(), 0, w.bounds(1, 1))
	}
	var contact *product.ContactError
	switch {
	case errors.As(err, &contact), errors.Is(err, symbolic.ErrNotSymbolic):
		return false
	case states == nil:
		x.unknown(d, all, v.vastReason(err))
		return true
	}
	if d.States = w.novelties(states, err); errors.Is(apart, symbolic.ErrNotSymbolic) {
		d.States = finding.States{Unknown: apart.Error()}
	}
	d.Acts = x.acts(drafts, v.Names, w.calls(), states.Fires)
	w.behaviour(ctx, d, all)
	return true
}

// bounds returns the limits of each of several comparisons, some of them concurrent. Their total work is bounded, so a contract of many
// parties is reported in time.
func (w *vast) bounds(all, sideBySide int) product.Limits {
	return product.Limits{Bytes: int64(w.Budget.Memory.Part(finding.Bytes(max(sideBySide, 1)))), Work: verify.Patience / int64(max(all, 1))}
}

// vastReason returns an explanation, in a reader's words, of which limit was reached.
func (v *Versions) vastReason(err error) string {
	var limit *dd.LimitError
	if errors.As(err, &limit) && !limit.Work {
		return fmt.Sprintf("comparing both versions on decision diagrams needs more than the limit of %s of memory (--max-memory)", v.Budget.Memory)
	}
	return v.Budget.Reason(err)
}

// behaviour compares what all parties and what each party observes. If an observer of everything cannot tell the drafts apart, neither can
// a party that observes each action always or never.
func (w *vast) behaviour(ctx context.Context, d *finding.Difference, all Observer) {
	w.behave(ctx, &d.All, all, sequencesOfAll, w.bounds(1, 1))
	if all != nil {
		d.Whole = &finding.Behaviour{}
		w.behave(ctx, d.Whole, nil, sequencesOfAll, w.bounds(1, 1))
	}
	b := d.Full()
	if _, some := w.byItself(b); some || w.parts(b, w.sharedEvents()) {
		b.Owed.UntimedReason = "the states are not listed one by one"
	}
	w.ownOwed(d, all)
	w.turn(ctx, d)
	w.foresee(ctx, d)
	alike := all == nil && d.All.Same()
	var group errgroup.Group
	jobs := max(w.Budget.Jobs, 1)
	group.SetLimit(jobs)
	like, found := w.alikeViews(d.Views), make([]askedOf, len(d.Views))
	for i := range d.Views {
		view := &d.Views[i]
		o := w.party(view.Party)
		switch {
		case alike && w.byName(o):
			w.indistinct(&view.Behaviour, o)
		case like[i].by == nil:
			group.Go(func() error {
				found[i] = w.behave(ctx, &view.Behaviour, o, sequencesOfView, w.bounds(len(d.Views), jobs))
				return nil
			})
		}
	}
	_ = group.Wait() // each comparison has its own reason
	w.exchanged(d.Views, like, found, w.vastReason)
	if d.Full().Same() {
		w.heldApart(ctx, &d.States)
	}
}

// behave compares what one observer sees. Norms come first: if these are the same, the steps are. It returns what it found of steps.
func (w *vast) behave(ctx context.Context, b *finding.Behaviour, o Observer, k int, limits product.Limits) (found askedOf) {
	if w.concerned(o) {
		b.Owed = w.owing(func(as aspect) askedOf { return w.ask(ctx, o, as, len(w.terms)+1, limits) }, w.vastReason)
		if b.Owed.Relation == delta.Same {
			b.Relation = delta.Same
			return found
		}
	}
	found = w.ask(ctx, o, stepsAlone, k, limits)
	w.conclude(b, found, w.vastReason)
	return found
}

// ask compares both drafts for an observer.
func (w *vast) ask(ctx context.Context, o Observer, as aspect, k int, limits product.Limits) askedOf {
	seen := w.observer(o, as)
	answer, err := w.Compare(ctx, seen, w.Of, k, limits)
	return askedOf{answer.Relation, answer.Reason, w.confirm(answer, seen, o, as), err}
}

// confirm replays an answer. It leaves out what takes too long to confirm, and counts it.
func (w *vast) confirm(answer *product.Answer, seen product.Observer, o Observer, as aspect) *confirmation {
	follow := w.followers(seen)
	for side, f := range follow {
		if as != stepsAlone {
			f.look(w.Observables, side, o, as)
		}
	}
	c := &confirmation{leftOut: answer.LeftOut}
	for side, words := range [2][]product.Word{answer.Impossible, answer.Possible} {
		for _, word := range words {
			if as != stepsAlone {
				if c.err = w.replayNorm(c, follow, side, word); c.err != nil {
					return c
				}
				continue
			}
			run, err := confirmed(follow[side], follow[1-side], word)
			switch {
			case errors.Is(err, errTooFar):
				c.leftOut++
			case err != nil:
				c.err = err
				return c
			default:
				c.refusals[side] = append(c.refusals[side], run)
			}
		}
	}
	return c
}

// replayNorm replays a word that ends with a difference in the state of a norm.
func (w *vast) replayNorm(c *confirmation, follow [2]*follower, side int, word product.Word) error {
	other := follow[1-side]
	if word.Crowd.Cmp(big.NewInt(int64(other.left/max(len(other.Net.Transitions), 1)))) > 0 {
		c.leftOut++
		return nil
	}
	if word.Refused > w.shifted() { // a glance fires nothing
		word.Run = word.Run[:len(word.Run)-1]
	}
	run, err := follow[side].walk(word.Run)
	if err != nil {
		return err
	}
	return c.replayNorm(w.Observables, follow, side, run, Observation{word.Refused})
}

// confirmed replays a word on its own draft, and checks that the other draft refuses its last step.
func confirmed(own, other *follower, word product.Word) (refusedRun, error) {
	if word.Crowd.Cmp(big.NewInt(int64(other.left/max(len(other.Net.Transitions), 1)))) > 0 {
		return refusedRun{}, errTooFar
	}
	run, err := own.walk(word.Run)
	if err != nil {
		return refusedRun{}, err
	}
	s, err := refusal(own, other, run)
	switch {
	case err != nil:
		return refusedRun{}, err
	case !slices.Equal(s.refused, Observation{word.Refused}):
		return refusedRun{}, errors.New("its last step is another one")
	case !slices.EqualFunc(s.next, word.Instead, func(o Observation, label int) bool { return slices.Equal(o, Observation{label}) }):
		return refusedRun{}, errors.New("the other draft can do something else instead")
	}
	return s, nil
}

// walk fires transitions one after the other; -1 lets time pass where no clock runs.
func (f *follower) walk(run []int) (walk, error) {
	w := walk{markings: []petri.Marking{slices.Clone(f.Net.Initial)}}
	for i, t := range run {
		m, step := w.markings[i], []int{t}
		if t < 0 {
			step = nil
		} else if !f.Net.IsStep(m, petri.One, step) {
			return walk{}, fmt.Errorf("step %d %w", i+1, errNoStep)
		}
		after, contact := f.Net.Fire(m, step)
		if contact >= 0 {
			return walk{}, fmt.Errorf("step %d %w", i+1, errNoStep)
		}
		w.steps, w.markings = append(w.steps, step), append(w.markings, after)
	}
	return w, nil
}

// senses returns the meanings of the places of both drafts, as numbers.
func (w *vast) senses() (numbers [2][]int) {
	x := senses(w.sides[0].Draft, w.sides[1].Draft, w.Names)
	for side, m := range w.sides {
		numbers[side] = slices.Repeat([]int{-1}, len(m.Net.Places))
		for p, said := range x[side] {
			numbers[side][p] = int(said)
		}
	}
	return numbers
}

// senseless returns meanings in which no place means anything.
func (w *vast) senseless() (numbers [2][]int) {
	for side, m := range w.sides {
		numbers[side] = slices.Repeat([]int{-1}, len(m.Net.Places))
	}
	return numbers
}

// novelties describes how the states differ. The error says why runs, or counts, are missing.
func (w *vast) novelties(found *product.States, err error) finding.States {
	for _, n := range []*big.Int{found.Alone[0].Count, found.Alone[1].Count, found.Dead[0].Count, found.Dead[1].Count} {
		if n == nil {
			return finding.States{Unknown: w.vastReason(err)}
		}
	}
	s := states((&finding.StateCounts{Appeared: found.Alone[1].Count, Vanished: found.Alone[0].Count, NewDead: found.Dead[1].Count, LostDead: found.Dead[0].Count}))
	for side, to := range [2][2]*[]finding.Situation{{&s.VanishedShown, &s.LostDeadEnds}, {&s.AppearedShown, &s.NewDeadEnds}} {
		w.sides[side].fired = found.Fires[side]
		if *to[0], err = w.situations(side, found.Alone[side].Runs, false); err == nil {
			*to[1], err = w.situations(side, found.Dead[side].Runs, true)
		}
		if err != nil {
			return finding.States{Unknown: "a run to a state does not replay, which is a defect of redline: " + err.Error()}
		}
	}
	s.Died, s.Alive = w.clauses(w.Names)
	return s
}

// states returns counts as ints, with the exact ones if they do not fit.
func states(n *finding.StateCounts) (s finding.States) {
	for _, c := range []struct {
		from *big.Int
		to   *int
	}{{n.Appeared, &s.Appeared}, {n.Vanished, &s.Vanished}, {n.NewDead, &s.NewDead}, {n.LostDead, &s.LostDead}} {
		if *c.to = math.MaxInt; c.from.Cmp(big.NewInt(math.MaxInt)) <= 0 {
			*c.to = int(c.from.Int64())
		} else {
			s.Exact = n
		}
	}
	return s
}

// situations describes states by replayed runs to them.
func (w *vast) situations(side int, runs [][]int, dead bool) ([]finding.Situation, error) {
	var list []finding.Situation
	m := w.sides[side]
	f := NewFollower(m.Draft, w.idle, 0)
	for _, run := range runs {
		way, err := f.walk(run)
		if err != nil {
			return nil, err
		}
		end := way.markings[len(way.markings)-1]
		if dead && f.able(end) {
			return nil, errors.New("it does not end in a dead end")
		}
		list = append(list, finding.Situation{Run: w.renderRun(side, way), End: explain.PartiesAt(m.Listed.Checked.Draft, end), Differs: w.beside(side, way)})
	}
	return list, nil
}
