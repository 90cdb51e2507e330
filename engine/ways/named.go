package ways

import (
	"fmt"
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/space"
)

// A pattern is what a run has to do to match a named one: take its steps in their order, with any steps between them, and the last of them
// last. If the named run goes on for ever, it also has to take each step of its loop again and again. So finitely many runs name all there
// are: among infinitely many words some word has another one within it (G. Higman, 1952, Ordering by divisibility in abstract algebras).
type pattern struct {
	of    *claim // violated at the end of the run, or from where it goes on for ever
	from  int    // the number of steps before the claim is made
	steps [][]int
	loop  [][]int // distinct steps; none: the run violates the claim by its last step, or stops
	stops bool    // it stops after the last step, where it could have gone on
}

// name returns the patterns of the named runs, which are no new ways of a claim.
func (q *Question) name(c *claim) ([]pattern, error) {
	var list []pattern
	for k, e := range q.Named {
		n, err := q.patternOf(c, e)
		if err != nil {
			return nil, err
		}
		n.of.named = append(n.of.named, k)
		list = append(list, *n)
	}
	return list, nil
}

// patternOf returns the pattern of a run. It fails if the run does not show which part of the claim it violates.
func (q *Question) patternOf(c *claim, e *ctl.Evidence) (*pattern, error) {
	n := &namer{Question: q}
	if err := n.follow(c, e); err != nil {
		return nil, err
	}
	return &n.pattern, nil
}

// A namer follows a run along the claim that it violates.
type namer struct {
	*Question
	pattern
	at uint32 // the state of head
}

var errNamed = fmt.Errorf("what an accepted run violates can't be told apart from what else it shows")

// follow finds the part of a claim that a run violates, and where.
func (n *namer) follow(c *claim, e *ctl.Evidence) error {
	n.of, n.from = c, len(n.steps)
	switch c.form {
	case leaf:
		return nil
	case same, every, some:
		return n.part(c, e)
	}
	return n.path(c, e)
}

// part continues with the one part of a claim that the run violates.
func (n *namer) part(c *claim, e *ctl.Evidence) error {
	parts := slices.DeleteFunc(slices.Clone(c.parts), func(part *claim) bool { return !c.shows(part) || shownOf(e, part) == nil })
	if len(parts) != 1 {
		return errNamed
	}
	return n.follow(parts[0], shownOf(e, parts[0]))
}

// path reads where a run violates a path operator: at its end or, of what has to come, by the first step after which it cannot come.
func (n *namer) path(c *claim, e *ctl.Evidence) error {
	if e.Run.Loop < 0 && !e.Run.Dead {
		if err := n.take(e.Run.Steps...); err != nil {
			return err
		}
		return n.follow(c.left, shownOf(e, c.left))
	}
	for at, step := range e.Run.Steps {
		switch {
		case !space.Has(c.kept, int(n.at)):
			return nil
		case at == e.Run.Loop:
			for _, s := range e.Run.Steps[at:] {
				if !slices.ContainsFunc(n.loop, func(o []int) bool { return slices.Equal(o, s) }) {
					n.loop = append(n.loop, s)
				}
			}
			return nil
		}
		if err := n.take(step); err != nil {
			return err
		}
	}
	n.stops = n.Stops && space.Has(c.kept, int(n.at))
	return nil
}

// take follows steps of head.
func (n *namer) take(steps ...[]int) error {
	for _, s := range steps {
		k := slices.IndexFunc(n.Head.Graph.Steps(int(n.at)), func(o []int) bool { return slices.Equal(o, s) })
		if k < 0 {
			return errNamed
		}
		n.at = n.Head.Graph.Succ(int(n.at))[k]
		n.steps = append(n.steps, s)
	}
	return nil
}

// shownOf returns the evidence for a part of a claim that a run explains, or nil.
func shownOf(e *ctl.Evidence, part *claim) *ctl.Evidence {
	for _, b := range e.Next {
		if b.Formula == part.head {
			return b.Evidence
		}
	}
	return nil
}

// onward returns the progress of a run along the named ones after a step.
func (p *pairs) onward(before []int, from uint32, step []int) []int {
	after := make([]int, len(p.named), len(before))
	for k, n := range p.named {
		at, last := before[k], len(n.steps)-1
		switch {
		case len(n.loop) > 0 || n.stops:
			if at <= last && slices.Equal(n.steps[at], step) {
				at++
			}
		case last < 0:
			at = 1 // past the run of no steps
		default: // a run that has matched does so again if this step is the last one, too
			if at = min(at, last); slices.Equal(n.steps[at], step) && (at < last || n.from == len(n.steps) || space.Has(n.of.kept, int(from))) {
				at++
			}
		}
		after[k] = at
	}
	return after
}

// accepted reports whether a run that violates a claim in a pair matches a named one that ends there.
func (p *pairs) accepted(c *claim, i int32) bool {
	return slices.ContainsFunc(c.named, func(k int) bool {
		n := &p.named[k]
		return p.come(i)[k] == len(n.steps) && len(n.loop) == 0 && !n.stops && !space.Has(c.kept, int(p.list[i].head))
	})
}

// come returns the progress along the named runs in a pair.
func (p *pairs) come(i int32) []int { return p.progress[p.list[i].named] }

// omits returns the choices of steps that an endless run may leave out to differ from the named ones: one step of the loop of each. It
// fails if there are too many.
func (p *pairs) omits(c *claim) ([][][]int, error) {
	choices := [][][]int{make([][]int, len(p.named))}
	for _, k := range c.named {
		var more [][][]int
		for _, s := range p.named[k].loop {
			for _, was := range choices {
				one := slices.Clone(was)
				one[k] = s
				more = append(more, one)
			}
		}
		if len(p.named[k].loop) > 0 {
			choices = more
		}
		if len(choices) > maxRounds {
			return nil, ErrTooManyPairs
		}
	}
	return choices, nil
}

// keeping sets the states of head from which some run keeps each claim.
func (x *labeller) keeping(c *claim) {
	alone, _ := claimOf(c.head, c.head, c.not) // a formula has its own structure
	own := &labeller{x.head, x.head}
	own.label(alone)
	c.keptFrom(alone)
}

func (c *claim) keptFrom(o *claim) {
	c.kept = space.Set(o.keeps)
	for k := range c.parts {
		c.parts[k].keptFrom(o.parts[k])
	}
	if c.left != nil {
		c.left.keptFrom(o.left)
	}
}
