package engine

import (
	"errors"
	"slices"

	"github.com/redlinehq/redline/engine/delta"
)

// maxConfirming bounds the transitions that are tried on each side to confirm what one observer sees.
const maxConfirming = 2_000_000

// confirming replays what comparing the state models found for one observer, before it is shown: a run
// on its own draft, step by step, and that the other draft refuses its end.
type confirming struct {
	*comparison
	language
	follow [2]*follower
}

func (c *comparison) confirming(o observer, g language) *confirming {
	r := &confirming{comparison: c, language: g}
	for side, m := range c.sides {
		f := newFollower(m.Draft, c.time, maxConfirming)
		for t, s := range c.of[side] {
			if o == nil || o(c.all[s]) {
				f.seen[t] = c.all[s].deed
			}
		}
		r.follow[side] = f
	}
	return r
}

// all confirms an answer and tells it.
func (r *confirming) all(b *Behaviour, answer *delta.Answer) (err error) {
	b.MoreThan = answer.LeftOut
	if b.Possible, err = r.sequences(b, 1, answer.Possible); err != nil {
		return err
	}
	if b.Impossible, err = r.sequences(b, 0, answer.Impossible); err != nil {
		return err
	}
	if answer.Choice != nil {
		b.Choice, err = r.choice(answer.Choice)
	}
	if errors.Is(err, errTooFar) {
		return nil
	}
	return err
}

// sequences replays words of one side. What takes too long to confirm is left out, and counted.
func (r *confirming) sequences(b *Behaviour, side int, words []delta.Word) ([]Sequence, error) {
	var list []Sequence
	for _, w := range words {
		s, err := r.sequence(side, w)
		switch {
		case errors.Is(err, errTooFar):
			b.MoreThan++
		case err != nil:
			return nil, err
		default:
			list = append(list, s)
		}
	}
	return list, nil
}

func (r *confirming) sequence(side int, w delta.Word) (Sequence, error) {
	run := r.sides[side].walk(w.Run)
	seen, err := r.follow[side].replayed(run)
	if err != nil {
		return Sequence{}, err
	}
	if len(seen) == 0 || !slices.Equal(seen[len(seen)-1], r.words[w.Refused]) {
		return Sequence{}, errors.New("its last step is another one")
	}
	next, told, err := r.follow[1-side].refuses(seen)
	if err != nil {
		return Sequence{}, err
	}
	if !slices.EqualFunc(next, r.observations(w.Instead), slices.Equal[observation]) {
		return Sequence{}, errors.New("the other draft can do something else instead")
	}
	return Sequence{Run: r.told(side, run), Refused: r.say(r.words[w.Refused]), Instead: r.says(told)}, nil
}

// choice replays a choice. One that lies deeper than in what can be observed next is not told.
func (r *confirming) choice(found *delta.Choice) (*Choice, error) {
	side := truth(found.Head)
	run := r.sides[side].walk(found.Run)
	seen, err := r.follow[side].replayed(run)
	if err != nil {
		return nil, err
	}
	own, err := r.follow[side].prospect(r.follow[side].present(run.markings[len(run.markings)-1]))
	if err != nil {
		return nil, err
	}
	end, refused, err := r.follow[1-side].along(seen)
	if err != nil {
		return nil, err
	}
	if refused < len(seen) {
		return nil, errors.New("the other draft refuses a step on the way")
	}
	others, err := r.follow[1-side].prospects(end)
	switch {
	case err != nil:
		return nil, err
	case !slices.EqualFunc(own.next, r.observations(found.Next), slices.Equal[observation]):
		return nil, errors.New("something else can be observed next")
	case slices.ContainsFunc(others, own.equal):
		return nil, nil
	}
	c := &Choice{Run: r.told(side, run), Head: found.Head, Next: r.outlook(own)}
	for _, other := range others {
		c.Others = append(c.Others, r.outlook(other))
	}
	return c, nil
}

// Silence stands among what can be observed next where it can last for ever that nothing is observed.
const Silence = "nothing, for ever"

func (r *confirming) outlook(p prospect) []string {
	list := r.says(p.told)
	if p.silent {
		list = append(list, Silence)
	}
	return list
}

// told tells a run in the contract's words.
func (c *comparison) told(side int, w walk) []Firing {
	m := c.sides[side]
	var list []Firing
	for i, step := range w.steps {
		for _, t := range step {
			list = append(list, m.firing(i+1, t, w.markings[i]))
		}
		if len(step) == 0 {
			list = append(list, c.passing(i+1))
		}
	}
	return list
}

// passing tells that time passes where no clock runs.
func (c *comparison) passing(step int) Firing {
	f := Firing{Step: step, Event: c.deeds[c.time].name}
	for _, m := range c.sides {
		for _, e := range m.events {
			if e.Moving {
				f.Title, f.Clause = e.Title, e.Clause
			}
		}
	}
	return f
}
