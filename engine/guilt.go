package engine

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/hclspec/edit"
)

// promised blames a promise that the draft before the amendment would break as well: it is what is new.
func (s *search) promised() *Guilt {
	promise := s.questions[s.q].promise
	for k, c := range s.all {
		change := s.diff.Changes[c.changes[0]]
		if promise != nil && change.Type() == "requirement" && s.head.shown(change.Head) == promise.Range {
			s.made = s.set([]int{k})
			return &Guilt{Blocks: []Block{s.block(c.changes)}, Smallest: true}
		}
	}
	return &Guilt{Reason: "the draft before the amendment has it as well; what is new is that it counts"}
}

// report tells of the changes that are to blame, by block, those that act first.
func (s *search) report(ctx context.Context, made set, smallest bool) *Guilt {
	s.made = s.finer(ctx, made)
	s.confirmSet(s.made)
	g := &Guilt{Smallest: smallest}
	for _, k := range s.among(s.made) {
		var changes []int
		for _, i := range s.all[k].changes {
			if s.made[i] {
				changes = append(changes, i)
			}
		}
		g.Blocks = append(g.Blocks, s.block(changes))
	}
	return g
}

// among lists the culprits of which some change is made.
func (s *search) among(made set) []int {
	var list []int
	for k, c := range s.all {
		if slices.ContainsFunc(c.changes, func(i int) bool { return made[i] }) {
			list = append(list, k)
		}
	}
	return list
}

// finer leaves single changes out that are not needed: those first that act least.
func (s *search) finer(ctx context.Context, made set) set {
	made = slices.Clone(made)
	for _, c := range slices.Backward(s.all) {
		for _, i := range slices.Backward(c.changes) {
			if !made[i] {
				continue
			}
			without := slices.Clone(made)
			if without[i] = false; s.one(ctx, s.q, without) == present {
				made = without
			}
		}
	}
	return made
}

// block tells of the changes of one block.
func (t *trial) block(changes []int) Block {
	c := t.diff.Changes[changes[0]]
	b := Block{Name: c.Block(), Action: c.Action.String(), Source: t.head.shown(c.Head), Was: t.base.shown(c.Base)}
	if t.was != nil {
		b.Was = t.base.shown(t.was(c.Base))
	}
	if b.Source.Filename == "" {
		b.Source = t.head.Spec.Range
	}
	if c.Attribute == "" {
		return b
	}
	b.Action = edit.Changed.String()
	for _, i := range changes {
		if word := t.diff.Changes[i].Attribute; word != "" {
			b.Terms = append(b.Terms, word)
		}
	}
	if now := c.Entry; len(changes) == 1 && now.Filename != "" {
		b.Source = t.head.shown(now)
	}
	return b
}
