package behaviour

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/product"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec"
)

// After the same steps the same may be owed, and yet more or less can come to be: one version has a step there by which a norm begins, is used or ends, and the other
// refuses it. Such a step turns the norm. Both versions are followed side by side, breadth first: a state of one with the set of states in which the other can be after the
// same steps. All steps are observed, so that set has mostly one state, and there are about as many pairs as states. An amendment can put a new step before one by which a
// norm ends. So of head it is asked again with the steps hidden that one version alone has: by which norms end that base can owe there.

// A turnBy is an event by which a norm turns.
type turnBy struct {
	norm, action int
	how          finding.TurnKind
}

// turnsBy returns the norms that both sides have and that an observed step of one side turns, between two states of the norms.
func (x *Observables) turnsBy(side int, seen Observation, from, to []int16) (list []turnBy) {
	for i, n := range x.norms {
		if n.of[0] == nil || n.of[1] == nil || n.isEnd() {
			continue
		}
		for _, a := range seen {
			if x.Actions[a].Kind != EventAction {
				continue
			}
			for _, how := range n.of[side].turns(x.Actions[a].Name, from[i], to[i]) {
				list = append(list, turnBy{i, a, how})
			}
		}
	}
	return list
}

// turns returns how an event turns a norm between two codes of its state.
func (s *normSide) turns(event string, from, to int16) (list []finding.TurnKind) {
	use := slices.Contains(s.acts, event) && (s.kind == hclspec.Power.String() || s.kind == hclspec.Permission.String())
	if !live(from) && live(to) && slices.Contains(s.begins, event) {
		list = append(list, finding.TurnBegins)
	}
	suspended := func(code int16) bool { return code >= codeSuspended }
	if suspended(from) && live(to) && !suspended(to) {
		return []finding.TurnKind{finding.TurnResumes}
	}
	switch {
	case !live(from):
	case use:
		list = append(list, finding.TurnUsed)
	case to == 0 || live(to) && (to%codeTenure > from%codeTenure || to/codeTenure != from/codeTenure): // over, with more time, for others or suspended, which is a number of tenures of its own
		list = append(list, finding.TurnEnds)
	}
	return list
}

// live reports whether a norm binds, or is suspended, in a state of that code.
func live(code int16) bool { return code%codeTenure >= codeLive }

// A pairing is a state of one side with states of the other after the same steps, and the arc that led to it.
type pairing struct {
	own    uint32
	others []uint32 // sorted
	parent int      // -1 for the first
	arc    uint32
}

// turn sets by which steps of one version norms turn, if the gate asks for it, and behaviour may differ so.
func (c *comparison) turn(ctx context.Context, d *finding.Difference) {
	b := d.Full()
	if !c.Budget.Owed || b.Owed == nil || slices.Contains([]delta.Relation{delta.Same, delta.Otherwise}, b.Relation) {
		return
	}
	for _, ask := range []struct {
		side   int
		o      Observer
		needed bool
	}{{0, nil, b.Relation != delta.More}, {1, nil, b.Relation != delta.Less}, {1, c.shared(), b.Relation != delta.Less && c.unshared()}} {
		if !ask.needed {
			continue
		}
		list, err := c.turnsOf(ctx, ask.side, ask.o)
		if err != nil {
			d.Unturned = c.Budget.Reason(err)
		}
		d.Turns = finding.WithTurns(d.Turns, list)
	}
}

// shared returns the observer of what both versions have, and of time.
func (x *Observables) shared() Observer {
	both := x.sharedEvents()
	return func(s Sight) bool { return both(s) || s.Action == x.Time && x.Time >= 0 }
}

// unshared reports whether one version has a step that the other has not.
func (x *Observables) unshared() bool {
	both := x.shared()
	return slices.ContainsFunc(x.All[:x.plain], func(s Sight) bool { return !both(s) })
}

// turnsOf returns a shortest run of one side for each way in which a norm turns by a step that an observer sees and the other side refuses, replayed by other code.
func (c *comparison) turnsOf(ctx context.Context, side int, o Observer) (list []finding.Turn, err error) {
	g, postures := c.language(o, stepsAlone), [2]*postures{c.postures(0), c.postures(1)}
	own, other := c.sides[side].system, c.sides[1-side].system
	codes := func(side int, s uint32) []int16 { return postures[side].of(c.sides[side].Graph.Marking(int(s))) }
	all := []pairing{{others: closed(other, g.relabel, []uint32{0}), parent: -1}}
	met, sets, found := map[[2]int]bool{}, map[string]int{}, map[turnBy]bool{}
	steps, bytes := 0, 0
	for at := 0; at < len(all); at++ {
		p := all[at]
		if at%1024 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		for arc := own.First[p.own]; arc < own.First[p.own+1]; arc++ {
			word := g.relabel[own.Label[arc]]
			if word == delta.Dropped {
				continue
			}
			next := pairing{own.Target[arc], p.others, at, arc}
			if word != delta.Silent {
				next.others = closed(other, g.relabel, follows(other, g.relabel, p.others, word))
			}
			if steps += 1 + len(p.others); steps > comparingSteps {
				return nil, &delta.LimitError{Steps: comparingSteps}
			}
			if len(next.others) > 0 {
				if key := [2]int{int(next.own), setNumber(sets, next.others)}; !met[key] {
					met[key] = true
					all = append(all, next)
					bytes += bytesPerPairing + 4*len(next.others)
				}
				if limit := int(c.Budget.Memory); limit > 0 && bytes > limit {
					return nil, &delta.LimitError{Bytes: int64(limit)}
				}
				continue
			}
			for _, t := range c.turnsBy(side, g.words[word], codes(side, p.own), codes(side, next.own)) {
				owed := slices.ContainsFunc(p.others, func(s uint32) bool { return live(codes(1-side, s)[t.norm]) })
				if found[t] || o != nil && t.how != finding.TurnEnds || t.how == finding.TurnEnds && !owed || c.over(side, p) {
					continue
				}
				found[t] = true
				one, err := c.shownTurn(side, t, o, c.sides[side].walk(c.lexicon, arcsTo(all, next)))
				if err != nil {
					return nil, err
				}
				list = append(list, one)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b finding.Turn) int { return a.Compare(&b) })
	return list, nil
}

// bytesPerPairing is about what a pairing takes, besides its other states.
const bytesPerPairing = 120

// setNumber numbers sets of states: one state by itself, several by numbers below 0.
func setNumber(known map[string]int, states []uint32) int {
	if len(states) == 1 {
		return int(states[0])
	}
	key := fmt.Sprint(states)
	if known[key] == 0 {
		known[key] = -1 - len(known)
	}
	return known[key]
}

// over reports whether the contract is over on the other side and not on this one: then that is told, and not what follows from it.
func (c *comparison) over(side int, p pairing) bool {
	i := slices.IndexFunc(c.norms, func(n norm) bool { return n.isEnd() })
	if i < 0 {
		return false
	}
	ended := func(side int, state uint32) bool {
		s := c.norms[i].of[side]
		return s != nil && c.sides[side].Graph.Marking(int(state)).Has(s.on)
	}
	return !ended(side, p.own) && !slices.ContainsFunc(p.others, func(state uint32) bool { return !ended(1-side, state) })
}

// follows returns the states to which a word leads from some states.
func follows(s *delta.System, relabel, from []uint32, word uint32) (to []uint32) {
	for _, state := range from {
		for arc := s.First[state]; arc < s.First[state+1]; arc++ {
			if relabel[s.Label[arc]] == word {
				to = append(to, s.Target[arc])
			}
		}
	}
	slices.Sort(to)
	return slices.Compact(to)
}

// closed adds to some states those to which silent steps lead, and sorts them.
func closed(s *delta.System, relabel, states []uint32) []uint32 {
	for i := 0; i < len(states); i++ {
		for _, to := range follows(s, relabel, states[i:i+1], delta.Silent) {
			if !slices.Contains(states, to) {
				states = append(states, to)
			}
		}
	}
	slices.Sort(states)
	return states
}

// arcsTo returns the arcs to a pairing.
func arcsTo(all []pairing, last pairing) (arcs []uint32) {
	for ; last.parent >= 0; last = all[last.parent] {
		arcs = append(arcs, last.arc)
	}
	slices.Reverse(arcs)
	return arcs
}

// shownTurn replays a run whose last step turns a norm and is refused, and describes it.
func (c *comparison) shownTurn(side int, t turnBy, o Observer, run walk) (finding.Turn, error) {
	follow := c.followers(c.observer(o, stepsAlone))
	if _, err := refusal(follow[side], follow[1-side], run); err != nil {
		return finding.Turn{}, fmt.Errorf("%s%w", doesNotReplay, err)
	}
	d := c.normDifference(t.norm)
	return finding.Turn{Norm: d.Norm, Kind: d.Kind, Event: c.Actions[t.action].Name, Called: "“" + c.titles[t.action] + "”", How: t.how, Side: onlyIn(side), Run: c.renderRun(side, run)}, nil
}

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
				if t.norm != norm || o != nil && t.how != finding.TurnEnds || t.how == finding.TurnEnds && (side == 0 || !w.owedThere(norm, o, run)) {
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
