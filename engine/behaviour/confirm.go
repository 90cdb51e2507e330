package behaviour

import (
	"errors"
	"slices"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/product"
	"github.com/redlinehq/redline/engine/verify"
)

// maxConfirming bounds the transitions that are tried on each side to confirm the results for one observer.
const maxConfirming = 2_000_000

// A confirmer replays the results of comparing state models for one observer before they are shown. A run is replayed on its own draft,
// step by step, and the other draft must refuse its end.
type confirmer struct {
	*comparison
	language
	follow [2]*follower
}

func (c *comparison) confirming(o Observer, g language) *confirmer {
	r := &confirmer{comparison: c, language: g}
	for side, m := range c.sides {
		f := NewFollower(m.Draft, c.idle, maxConfirming)
		for t, s := range c.Of[side] {
			if c.seen(o, c.All[s]) {
				f.Seen[t] = c.All[s].Action
			}
		}
		if g.groups != nil {
			f.look(c.Observables, side, o, g.as)
		}
		r.follow[side] = f
	}
	return r
}

// A confirmation is the part of an answer that was replayed, in numbers.
type confirmation struct {
	refusals [2][]refusedRun // by the side of the run
	choice   *confirmedChoice
	owed     [2][]owedRun // likewise
	leftOut  int          // words that take too long to confirm
	err      error
}

// A refusedRun is a run whose last step the other draft refuses, with what can be observed there instead.
type refusedRun struct {
	walk
	refused Observation
	next    []Observation // what the other draft has there instead
	instead []Observation // those of them that a report shows
	later   int           // ticks after which the other draft takes the last step; 0: see follower.later
	ended   [2]bool       // whether the contract of its own draft alone has ended before the last step, or that of the other alone, in each of its markings
}

// A confirmedChoice is a run with what can be observed after it: on its own draft, and in each state that the other draft can be in.
type confirmedChoice struct {
	walk
	side   int
	own    readySet
	others []readySet
}

// confirm replays an answer.
func (r *confirmer) confirm(answer *delta.Answer) *confirmation {
	c := &confirmation{leftOut: answer.LeftOut}
	for _, own := range []struct {
		side  int
		words []delta.Word
	}{{1, answer.Possible}, {0, answer.Impossible}} {
		confirm := r.sequences
		if r.groups != nil {
			confirm = r.replayNorms
		}
		if c.err = confirm(c, own.side, own.words); c.err != nil {
			return c
		}
	}
	if answer.Choice != nil {
		c.choice, c.err = r.choice(answer.Choice)
	}
	if errors.Is(c.err, errTooFar) {
		c.err = nil
	}
	return c
}

// render describes a confirmation in the contract's words. It returns the error of the replay, if there was one.
func (c *comparison) render(b *finding.Behaviour, found *confirmation) error {
	b.MoreThan = found.leftOut
	for side, list := range []*[]finding.Sequence{&b.Impossible, &b.Possible} {
		*list = nil
		for _, w := range found.refusals[side] {
			*list = append(*list, finding.Sequence{Run: c.renderRun(side, w.walk), Refused: c.describe(w.refused), Instead: c.describeAll(w.instead), Later: c.later(w.later), Ended: endedSide(side, w.ended)})
		}
	}
	if w := found.choice; w != nil {
		b.Choice = &finding.Choice{Run: c.renderRun(w.side, w.walk), Head: w.side == 1, Next: c.outlook(w.own)}
		for _, other := range w.others {
			b.Choice.Others = append(b.Choice.Others, c.outlook(other))
		}
	}
	return found.err
}

// sequences replays words of one side. It leaves out those that take too long to confirm, and counts them.
func (r *confirmer) sequences(c *confirmation, side int, words []delta.Word) error {
	for _, w := range words {
		s, err := r.sequence(side, w)
		switch {
		case errors.Is(err, errTooFar):
			c.leftOut++
		case err != nil:
			return err
		default:
			c.refusals[side] = append(c.refusals[side], s)
		}
	}
	return nil
}

// replayNorms replays words of one side that end with a difference in the state of a norm.
func (r *confirmer) replayNorms(c *confirmation, side int, words []delta.Word) error {
	for _, w := range words {
		run := r.sides[side].walk(r.lexicon, w.Run)
		if err := c.replayNorm(r.Observables, r.follow, side, run, r.words[w.Refused]); err != nil {
			return err
		}
	}
	return nil
}

func (r *confirmer) sequence(side int, w delta.Word) (refusedRun, error) {
	s, err := refusal(r.follow[side], r.follow[1-side], r.sides[side].walk(r.lexicon, w.Run))
	switch {
	case err != nil:
		return refusedRun{}, err
	case !slices.Equal(s.refused, r.words[w.Refused]):
		return refusedRun{}, errors.New("its last step is another one")
	case !slices.EqualFunc(s.next, r.observations(w.Instead), slices.Equal[Observation]):
		return refusedRun{}, errors.New("the other draft can do something else instead")
	}
	return s, nil
}

// refusal replays a run of one draft, whose last step the other draft must refuse, and no earlier one.
func refusal(own, other *follower, run walk) (refusedRun, error) {
	seen, err := own.replayed(run)
	switch {
	case err != nil:
		return refusedRun{}, err
	case len(seen) == 0:
		return refusedRun{}, errors.New("nothing of it is observed")
	}
	at, err := other.upTo(seen)
	if err != nil {
		return refusedRun{}, err
	}
	s := refusedRun{walk: run, refused: seen[len(seen)-1], later: other.later(at, seen[len(seen)-1])}
	over := own.ended(run.markings[len(run.steps)-1])
	if !slices.ContainsFunc(at, func(n int) bool { return other.ended(other.marks[n]) == over }) {
		s.ended = [2]bool{over, !over}
	}
	if s.next, err = other.next(at, true); err == nil {
		s.instead, err = other.next(at, false)
	}
	return s, err
}

// choice replays a choice. It returns nil if the difference is not in what can be observed next.
func (r *confirmer) choice(found *delta.Choice) (*confirmedChoice, error) {
	side := verify.ZeroOrOne(found.Head)
	run := r.sides[side].walk(r.lexicon, found.Run)
	seen, err := r.follow[side].replayed(run)
	if err != nil {
		return nil, err
	}
	f := r.follow[side]
	own, err := f.readySet(f.numbered(f.Present(run.markings[len(run.markings)-1])))
	if err != nil {
		return nil, err
	}
	end, refused, err := r.follow[1-side].Along(seen)
	if err != nil {
		return nil, err
	}
	if refused < len(seen) {
		return nil, errors.New("the other draft refuses a step on the way")
	}
	others, err := r.follow[1-side].readySets(end)
	switch {
	case err != nil:
		return nil, err
	case !slices.EqualFunc(own.next, r.observations(found.Next), slices.Equal[Observation]):
		return nil, errors.New("something else can be observed next")
	case slices.ContainsFunc(others, own.equal):
		return nil, nil
	}
	return &confirmedChoice{run, side, own, others}, nil
}

// silence is listed among what can be observed next if it is possible that nothing is ever observed again.
const silence = "nothing, for ever"

func (c *comparison) outlook(p readySet) []string {
	list := c.describeAll(p.shown)
	if p.silent {
		list = append(list, silence)
	}
	return list
}

// renderRun describes a run in the contract's words.
func (c *comparison) renderRun(side int, w walk) []finding.Firing {
	m := c.sides[side]
	var list []finding.Firing
	for i, step := range w.steps {
		for _, t := range step {
			list = append(list, explain.Firing(m.Listed.Checked.Draft, i+1, t, w.markings[i]))
		}
		if len(step) == 0 {
			list = append(list, c.passing(i+1))
		}
	}
	explain.Date(m.Listed.Checked.Draft, list, 0)
	return list
}

// passing describes the passing of time where no clock runs.
func (c *comparison) passing(step int) finding.Firing {
	f := finding.Firing{Step: step, Event: c.Actions[c.Time].Name}
	for _, m := range c.sides {
		for _, e := range m.Events {
			if e.Moving {
				f.Title, f.Clause = e.Title, e.Clause
			}
		}
	}
	return f
}

// followers returns a follower of each side that observes the labels of an observer.
func (c *comparison) followers(seen product.Observer) (follow [2]*follower) {
	for side, m := range c.sides {
		follow[side] = NewFollower(m.Draft, c.idle, maxConfirming)
		for t, label := range seen.Labels[side] {
			if label != product.Hidden {
				follow[side].Seen[t] = label
			}
		}
	}
	return follow
}
