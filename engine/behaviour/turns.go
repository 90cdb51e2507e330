package behaviour

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
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

// stays reports whether both sides have a norm, which is not the end of the contract.
func (n *norm) stays() bool { return n.of[0] != nil && n.of[1] != nil && !n.isEnd() }

// turnsBy returns the norms that both sides have and that an observed step of one side turns, between two states of the norms.
// Where a norm ends in fewer cases nothing is lost: that is left out.
func (x *Observables) turnsBy(side int, seen Observation, from, to []int16) (list []turnBy) {
	for i, n := range x.norms {
		for _, a := range seen {
			if !n.stays() || x.Actions[a].Kind != EventAction {
				continue
			}
			for _, how := range n.of[side].turns(x.Actions[a].Name, from[i], to[i]) {
				if side == 1 || how != finding.TurnEnds {
					list = append(list, turnBy{i, a, how})
				}
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

// asksOfNorms reports whether the gate asks what becomes of norms, and there are some.
func (c *comparison) asksOfNorms(b *finding.Behaviour) bool { return c.Budget.Owed && b.Owed != nil }

// mayTurn reports whether the gate asks for turns, and behaviour may differ so that there are some.
func (c *comparison) mayTurn(b *finding.Behaviour) bool {
	return c.asksOfNorms(b) && b.Relation != delta.Same && b.Relation != delta.Otherwise
}

// turn sets by which steps of one version norms turn.
func (c *comparison) turn(ctx context.Context, d *finding.Difference) {
	b := d.Full()
	if !c.mayTurn(b) {
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
		s := c.sideBySide(ctx, ask.side, ask.o)
		s.each = s.refused
		if err := s.run(); err != nil {
			d.Unturned = c.Budget.Reason(err)
		}
		d.Turns = finding.WithTurns(d.Turns, s.turns)
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

// A pairing is a state of one side with states of the other after the same steps, and the arc that led to it.
type pairing struct {
	own    uint32
	others []uint32 // sorted
	parent int      // -1 for the first
	arc    uint32
}

// bytesPerPairing is about what a pairing takes, besides its other states.
const bytesPerPairing = 120

// A pairSearch follows both versions side by side: one side by all its steps, the other by those of them that an observer sees.
type pairSearch struct {
	*comparison
	language
	ctx      context.Context
	side     int
	o        Observer
	replay   [2]*follower                             // by which what is found is confirmed
	each     func(p, next pairing, word uint32) error // called of each step; no other states are next if the other side refuses it
	postures [2]*postures
	all      []pairing
	met      map[[2]int]bool // pairings, by their state and the number of their other states
	sets     map[string]int  // numbers of sets of several states
	steps    int             // arcs that were followed
	bytes    int
	found    map[turnBy]bool
	turns    []finding.Turn
}

func (c *comparison) sideBySide(ctx context.Context, side int, o Observer) *pairSearch {
	return &pairSearch{comparison: c, ctx: ctx, side: side, o: o, replay: c.followers(c.observer(o, stepsAlone)), language: c.language(o, stepsAlone), postures: [2]*postures{c.postures(0), c.postures(1)},
		met: map[[2]int]bool{}, sets: map[string]int{}, found: map[turnBy]bool{}}
}

// run visits all pairings, breadth first.
func (s *pairSearch) run() error {
	start, err := s.closed([]uint32{0})
	if err != nil {
		return err
	}
	s.all = []pairing{{others: start, parent: -1}}
	for at := 0; at < len(s.all) && err == nil; at++ {
		err = s.visit(at)
	}
	return err
}

// visit follows all steps from a pairing.
func (s *pairSearch) visit(at int) error {
	p, own := s.all[at], s.sides[s.side].system
	for arc := own.First[p.own]; arc < own.First[p.own+1]; arc++ {
		word, next := s.relabel[own.Label[arc]], pairing{own.Target[arc], p.others, at, arc}
		if s.steps++; word == delta.Dropped {
			continue
		}
		if word != delta.Silent {
			var err error
			if next.others, err = s.after(p.others, word); err != nil {
				return err
			}
		}
		if err := s.each(p, next, word); err != nil {
			return err
		}
		if len(next.others) > 0 {
			if err := s.meet(next); err != nil {
				return err
			}
		}
	}
	return nil
}

// meet adds a pairing that was not met yet.
func (s *pairSearch) meet(p pairing) error {
	key := [2]int{int(p.own), setNumber(s.sets, p.others)}
	if s.met[key] {
		return nil
	}
	s.met[key], s.all = true, append(s.all, p)
	s.bytes += bytesPerPairing + 4*len(p.others)
	if limit := int(s.Budget.Memory); limit > 0 && s.bytes > limit {
		return &delta.LimitError{Bytes: int64(limit)}
	}
	return nil
}

// refused adds the norms that a step turns, if the other side refuses it.
func (s *pairSearch) refused(p, next pairing, word uint32) error {
	if len(next.others) > 0 {
		return nil
	}
	own := s.marking(s.side, p.own)
	for _, t := range s.turnsBy(s.side, s.words[word], s.postures[s.side].of(own), s.postures[s.side].of(s.marking(s.side, next.own))) {
		others := s.markings(1-s.side, p.others)
		if s.found[t] || !s.told(s.side, t, s.o, own, others) {
			continue
		}
		if late, err := s.comesThen(s.replay[1-s.side], 1-s.side, t, s.words[word], others); err != nil || late {
			if err != nil {
				return err
			}
			continue
		}
		s.found[t] = true
		one, err := s.shownTurn(s.replay, s.side, t, s.sides[s.side].walk(s.lexicon, arcsTo(s.all, next)))
		if err != nil {
			return err
		}
		s.turns = append(s.turns, one)
	}
	return nil
}

func (c *comparison) marking(side int, state uint32) petri.Marking {
	return c.sides[side].Graph.Marking(int(state))
}

func (c *comparison) markings(side int, states []uint32) (list []petri.Marking) {
	for _, state := range states {
		list = append(list, c.marking(side, state))
	}
	return list
}

// told reports whether a review tells of a turn: a step of one side, from its marking own, that the other side refuses in each of its markings, others. That a norm ends in
// more cases is told only where the other side owes it. Where an observer hides steps, nothing else is told.
func (c *comparison) told(side int, t turnBy, o Observer, own petri.Marking, others []petri.Marking) bool {
	if t.how != finding.TurnEnds && o != nil || c.over(side, own, others) {
		return false
	}
	of := c.postures(1 - side)
	return t.how != finding.TurnEnds || slices.ContainsFunc(others, func(m petri.Marking) bool { return live(of.of(m)[t.norm]) })
}

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

// over reports whether the contract is over on the other side and not on this one. Then the review says that, and not what follows from it.
func (x *Observables) over(side int, own petri.Marking, others []petri.Marking) bool {
	ended := func(side int, m petri.Marking) bool {
		return slices.ContainsFunc(x.norms, func(n norm) bool { return n.isEnd() && n.of[side] != nil && m.Has(n.of[side].on) })
	}
	return !ended(side, own) && !slices.ContainsFunc(others, func(m petri.Marking) bool { return !ended(1-side, m) })
}

// after returns the states of the other side to which a word leads from some states, sorted.
func (s *pairSearch) after(from []uint32, word uint32) (to []uint32, err error) {
	for _, state := range from {
		if to, err = s.follow(to, state, word); err != nil {
			return nil, err
		}
	}
	slices.Sort(to)
	return s.closed(slices.Compact(to))
}

// closed adds to some states of the other side those to which steps lead that the observer does not see, and sorts them.
func (s *pairSearch) closed(states []uint32) ([]uint32, error) {
	if s.o == nil {
		return states, nil // it sees all
	}
	return s.with(states, []uint32{delta.Silent})
}

// with adds to some states of the other side those to which some words lead, and sorts them.
func (s *pairSearch) with(states, words []uint32) ([]uint32, error) {
	met := map[uint32]bool{}
	for _, state := range states {
		met[state] = true
	}
	for i := 0; i < len(states); i++ {
		for _, word := range words {
			to, err := s.follow(nil, states[i], word)
			if err != nil {
				return nil, err
			}
			for _, state := range to {
				if !met[state] {
					met[state], states = true, append(states, state)
				}
			}
		}
	}
	slices.Sort(states)
	return states, nil
}

// follow appends the states of the other side to which a word leads from a state. Every arc counts.
func (s *pairSearch) follow(to []uint32, state, word uint32) ([]uint32, error) {
	other := s.sides[1-s.side].system
	for arc := other.First[state]; arc < other.First[state+1]; arc++ {
		if s.steps++; s.steps%4096 == 0 && s.ctx.Err() != nil {
			return nil, context.Cause(s.ctx)
		}
		if s.relabel[other.Label[arc]] == word {
			to = append(to, other.Target[arc])
		}
	}
	if s.steps > comparingSteps {
		return nil, &delta.LimitError{Steps: comparingSteps}
	}
	return to, nil
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
func (c *comparison) shownTurn(follow [2]*follower, side int, t turnBy, run walk) (finding.Turn, error) {
	if _, err := refusal(follow[side], follow[1-side], run); err != nil {
		return finding.Turn{}, notReplayed(err)
	}
	return finding.Turn{Norm: c.norms[t.norm].name, Event: c.Actions[t.action].Name, Called: "“" + c.titles[t.action] + "”", How: t.how, Side: onlyIn(side), Run: c.renderRun(side, run)}, nil
}

// notReplayed returns what it means that a run is not confirmed: a defect, unless there was too much to try.
func notReplayed(err error) error {
	if errors.Is(err, errTooFar) {
		return err
	}
	return fmt.Errorf("%s%w", doesNotReplay, err)
}

// On diagrams one norm is asked after the other: an event that changes its places is another label than the same event where it does not. A use that changes none,
// of a permission or of a power that repeats, is not seen.

// turn sets by which steps of one version norms turn.
func (w *vast) turn(ctx context.Context, d *finding.Difference) {
	b := d.Full()
	if !w.mayTurn(b) {
		return
	}
	for i, n := range w.norms {
		if !n.stays() {
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
	follow := w.followers(w.observer(o, stepsAlone))
	for side, words := range [2][]product.Word{answer.Impossible, answer.Possible} {
		postures := w.postures(side)
		for _, word := range words {
			run, err := follow[side].walk(word.Run)
			if err != nil {
				return list, notReplayed(err).Error()
			}
			last := len(run.steps) - 1
			others, err := beside(follow[side], follow[1-side], run, nil)
			if err != nil {
				return list, err.Error()
			}
			for _, t := range w.turnsBy(side, Observation{word.Refused - turned}, postures.of(run.markings[last]), postures.of(run.markings[last+1])) {
				if t.norm != norm || !w.told(side, t, o, run.markings[last], others) {
					continue
				}
				late, err := w.comesThen(follow[1-side], 1-side, t, Observation{word.Refused - turned}, others)
				if err != nil {
					return list, err.Error()
				}
				if late {
					reason = firstByItself("“" + w.titles[t.action] + "”")
					continue
				}
				switch one, err := w.shownTurn(follow, side, t, run); {
				case errors.Is(err, errNotRefused): // the other side has the event there, and the norm another state: a row of what is owed says so
				case err != nil:
					return list, err.Error()
				default:
					list = append(list, one)
				}
			}
		}
	}
	return list, reason
}

// beside returns the markings in which the other side can be after the steps of a run, or of all but the last, which it then refuses. Before the last, what is due there may come by itself.
func beside(own, other *follower, run walk, due map[int]bool) (list []petri.Marking, err error) {
	seen, err := own.replayed(run)
	if err != nil {
		return nil, notReplayed(err)
	}
	at, refused, err := other.Along(seen)
	if err == nil && refused < len(seen)-1 {
		err = errors.New("the other draft takes other steps")
	}
	if err == nil && refused < len(seen) {
		var late crowd
		if late, err = other.comes(at, due); err == nil {
			late, err = other.after(late, seen[refused])
		}
		if len(late) > 0 {
			at = late
		}
	}
	if err != nil {
		return nil, notReplayed(err)
	}
	for _, m := range at {
		list = append(list, other.marks[m])
	}
	return list, nil
}
