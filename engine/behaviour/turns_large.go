package behaviour

import (
	"context"
	"errors"
	"slices"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/product"
	"github.com/redlinehq/redline/engine/verify"
)

// On diagrams one norm is asked after the other: an event that changes its places is another label than the same event where it does not. A use that changes none,
// of a power that is there for good, is not seen.

// turn sets by which steps of one version norms turn, if the gate asks for it, and behaviour may differ so.
func (w *vast) turn(ctx context.Context, d *finding.Difference) {
	b := d.Full()
	if !w.Budget.Owed || b.Owed == nil || slices.Contains([]delta.Relation{delta.Same, delta.Otherwise}, b.Relation) {
		return
	}
	for i, n := range w.norms {
		if n.of[0] == nil || n.of[1] == nil || n.isEnd() {
			continue
		}
		for _, o := range []Observer{nil, w.shared()}[:1+verify.ZeroOrOne(w.unshared() && b.Relation != delta.Less)] {
			list, reason := w.turnsOf(ctx, i, o)
			d.Turns = finding.WithTurns(d.Turns, list)
			if reason != "" {
				d.Unturned = reason
				return
			}
		}
	}
	slices.SortStableFunc(d.Turns, func(a, b finding.Turn) int { return int(a.Side) - int(b.Side) })
}

// turnsOf returns the turns of one norm by steps that an observer sees, and why they are not all known, if they are not.
func (w *vast) turnsOf(ctx context.Context, norm int, o Observer) (list []finding.Turn, reason string) {
	seen := w.observer(o, stepsAlone)
	turned := len(w.Actions) // labels from here on are of events that turn it
	seen.Wait = product.Hidden
	for side, s := range w.norms[norm].of {
		seen.Turned[side] = slices.Concat([]int{s.on}, s.left)
		if s.suspended >= 0 {
			seen.Turned[side] = append(seen.Turned[side], s.suspended)
		}
		for _, t := range s.tenures[1:] {
			seen.Turned[side] = append(seen.Turned[side], t.while...)
		}
	}
	seen.Turn = func(label int) int {
		if label < 0 || w.Actions[label].Kind != EventAction {
			return label
		}
		return turned + label
	}
	seen.Group = func(label int) int { return max(0, label-turned+1) }
	answer, err := w.Compare(ctx, seen, w.Of, 2*turned, w.bounds(len(w.norms), 1))
	if err != nil {
		return nil, w.vastReason(err)
	}
	if answer.Relation == delta.Unknown {
		return nil, answer.Reason
	}
	for side, words := range [2][]product.Word{answer.Impossible, answer.Possible} {
		postures := w.postures(side)
		for _, word := range words {
			run, err := w.followers(seen)[side].walk(word.Run)
			if err != nil {
				return list, doesNotReplay + err.Error()
			}
			last := len(run.steps) - 1
			from, to := postures.of(run.markings[last]), postures.of(run.markings[last+1])
			for _, t := range w.turnsBy(side, Observation{word.Refused - turned}, from, to) {
				if t.norm != norm || o != nil && (side == 0 || t.how != finding.TurnEnds || !w.owedThere(norm, o, run)) {
					continue
				}
				switch one, err := w.shownTurn(side, t, o, run); {
				case errors.Is(err, errNotRefused): // it turns the norm there as well, or does not: then what is owed differs, which is told
				case err != nil:
					return list, err.Error()
				default:
					list = append(list, one)
				}
			}
		}
	}
	return list, ""
}

// owedThere reports whether base can owe a norm after the steps of a run of head but for its last.
func (w *vast) owedThere(norm int, o Observer, run walk) bool {
	follow := w.followers(w.observer(o, stepsAlone))
	last := len(run.steps) - 1
	seen, err := follow[1].replayed(walk{run.markings[:last+1], run.steps[:last]})
	if err != nil {
		return false
	}
	end, refused, err := follow[0].Along(seen)
	if err != nil || refused < len(seen) {
		return false
	}
	postures := w.postures(0)
	return slices.ContainsFunc(end, func(m int) bool { return live(postures.of(follow[0].marks[m])[norm]) })
}
