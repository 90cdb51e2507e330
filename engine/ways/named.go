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
	loop  [][]int // distinct steps; none: the run violates the claim by its last step
}

// name adds a run of head to the named ones, which are no new way.
func (p *pairs) name(c *claim, e *ctl.Evidence) error {
	n, err := p.patternOf(c, e)
	if err == nil {
		n.of.named = append(n.of.named, len(p.named))
		p.named = append(p.named, *n)
	}
	return err
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
	case next:
		return n.step(c, e)
	}
	return n.path(c, e)
}

// part continues with the one part of a claim that the run violates.
func (n *namer) part(c *claim, e *ctl.Evidence) error {
	parts := slices.DeleteFunc(slices.Clone(c.parts), func(part *claim) bool { return c.form == some && !part.head.Temporal() })
	for _, part := range parts {
		below := e
		if e.Formula == c.head {
			below = shownOf(e, part, 0)
		}
		if below != nil && below.Formula == part.head && (c.form != some || len(parts) == 1) {
			return n.follow(part, below)
		}
	}
	if len(c.parts) == 1 && c.parts[0].form == leaf {
		n.of = c.parts[0]
		return nil
	}
	return errNamed
}

func (n *namer) step(c *claim, e *ctl.Evidence) error {
	if len(e.Run.Steps) == 0 {
		return errNamed
	}
	if err := n.take(e.Run.Steps[:1]); err != nil {
		return err
	}
	return n.below(c, e, 1)
}

// below continues with the part that has to hold after a step, or throughout.
func (n *namer) below(c *claim, e *ctl.Evidence, at int) error {
	if c.left.form == leaf {
		n.of, n.from = c.left, len(n.steps)
		return nil
	}
	if below := shownOf(e, c.left, at); below != nil {
		return n.follow(c.left, below)
	}
	return errNamed
}

// path reads where a run violates a path operator. What has to come is violated by the first step after which it cannot come.
func (n *namer) path(c *claim, e *ctl.Evidence) error {
	if e.Run.Loop < 0 && !e.Run.Dead {
		if c.left == nil {
			return errNamed
		}
		if err := n.take(e.Run.Steps); err != nil {
			return err
		}
		return n.below(c, e, len(e.Run.Steps))
	}
	steps := e.Run.Steps
	for len(steps) > 0 && has(c.kept, n.at) {
		if e.Run.Loop >= 0 && len(e.Run.Steps)-len(steps) == e.Run.Loop {
			for _, s := range steps {
				if !slices.ContainsFunc(n.loop, func(o []int) bool { return slices.Equal(o, s) }) {
					n.loop = append(n.loop, s)
				}
			}
			return nil
		}
		if err := n.take(steps[:1]); err != nil {
			return err
		}
		steps = steps[1:]
	}
	return nil
}

// take follows steps of head.
func (n *namer) take(steps [][]int) error {
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

// shownOf returns the evidence for a part of a claim in a marking of a run, or nil.
func shownOf(e *ctl.Evidence, part *claim, at int) *ctl.Evidence {
	for _, b := range e.Next {
		if b.At == at && (b.Formula == part.head || b.Formula == meaning(part.head)) {
			return b.Evidence
		}
	}
	return nil
}

// onward returns the progress of a run along the named ones after a step.
func (p *pairs) onward(before []int, from, to uint32, step []int) []int {
	after := make([]int, len(p.named), len(before))
	for k, n := range p.named {
		at := min(before[k], len(n.steps))
		switch {
		case len(n.loop) > 0:
			if at < len(n.steps) && slices.Equal(n.steps[at], step) {
				at++
			}
		case at == len(n.steps): // it has matched the named run before, or that has no step
			at = max(at-1, 0)
			fallthrough
		default:
			if at < len(n.steps) && slices.Equal(n.steps[at], step) && (at+1 < len(n.steps) || n.from == len(n.steps) || has(n.of.kept, from) && !has(n.of.kept, to)) {
				at++
			} else if len(n.steps) == 0 {
				at = 1 // past it
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
		return p.come(i)[k] == len(n.steps) && len(n.loop) == 0 && !has(c.kept, p.list[i].head)
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
func (x *labeller) keeping(c *claim) error {
	alone, err := claimOf(c.head, c.head, c.not)
	if err != nil {
		return err
	}
	own := &labeller{x.ctx, x.head, x.head}
	if err := own.label(alone); err != nil {
		return err
	}
	c.keptFrom(alone)
	return nil
}

// forget removes the named runs from a claim.
func (c *claim) forget() {
	c.named = nil
	for _, part := range c.parts {
		part.forget()
	}
	if c.left != nil {
		c.left.forget()
	}
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
