package blame

import (
	"context"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/edit"
)

// promised returns the blame for a violation that base has as well: the requirement itself, if the amendment adds or changes it, or its waiver, if that is gone.
func (s *Search) promised() *finding.Blame {
	promise := s.Questions[s.Q].Promise
	for k, c := range s.All {
		change := s.Diff.Changes[c.changes[0]]
		if promise != nil && slices.Contains([]string{"requirement", "scenario", "waiver"}, change.Type()) && s.Head.Shown(change.Head) == promise.Range {
			s.made = s.set([]int{k})
			return &finding.Blame{Blocks: []finding.Block{s.block(c.changes)}, Smallest: true}
		}
	}
	return &finding.Blame{Reason: "the draft before the amendment has it as well; what is new is that it counts"}
}

// report returns the blocks of the changes to blame. It first drops single changes that are not needed.
func (s *Search) report(ctx context.Context, made set, smallest bool) *finding.Blame {
	return &finding.Blame{Blocks: s.named(s.finer(ctx, made)), Smallest: smallest}
}

// named returns the blocks of the changes to blame, in the order of the causes.
func (s *Search) named(made set) (blocks []finding.Block) {
	s.made = made
	s.confirmSet(made)
	for _, k := range s.among(made) {
		var changes []int
		for _, i := range s.All[k].changes {
			if made[i] {
				changes = append(changes, i)
			}
		}
		blocks = append(blocks, s.block(changes))
	}
	return blocks
}

// among returns the causes of which at least one change is made.
func (s *Search) among(made set) []int {
	var list []int
	for k, c := range s.All {
		if slices.ContainsFunc(c.changes, func(i int) bool { return made[i] }) {
			list = append(list, k)
		}
	}
	return list
}

// finer returns a set without the single changes that the violation does not need.
func (s *Search) finer(ctx context.Context, made set) set {
	return s.without(made, func(fewer set) bool { return s.one(ctx, s.Q, fewer) == Present })
}

// without returns a set without the single changes that are not needed, as a test of sets says. It tries the changes in reverse order of the causes.
func (s *Search) without(made set, still func(set) bool) set {
	made = slices.Clone(made)
	for _, c := range slices.Backward(s.All) {
		for _, i := range slices.Backward(c.changes) {
			if !made[i] {
				continue
			}
			fewer := slices.Clone(made)
			if fewer[i] = false; still(fewer) {
				made = fewer
			}
		}
	}
	return made
}

// onBase returns a header of the compared text as base's own text has it.
func (t *Trial) onBase(header hcl.Range) hcl.Range {
	if t.was == nil {
		return header
	}
	return t.was(header)
}

// prose returns the title and the clause of a changed block: head's, or base's of one that is removed.
func (t *Trial) prose(c edit.Change) (title, clause string) {
	if c.Attribute == "" && c.Action == edit.Removed {
		return t.Base.ProseAt(t.onBase(c.Base))
	}
	return t.Head.ProseAt(c.Head)
}

// block returns the changes of one block as data.
func (t *Trial) block(changes []int) finding.Block {
	c := t.Diff.Changes[changes[0]]
	b := finding.Block{Name: c.Block(), Action: c.Action.String(), Source: t.Head.Shown(c.Head), Was: t.Base.Shown(t.onBase(c.Base))}
	b.Title, b.Clause = t.prose(c)
	if b.Source.Filename == "" {
		b.Source = t.Head.Spec.Range
	}
	if c.Attribute == "" {
		return b
	}
	b.Action = edit.Changed.String()
	for _, i := range changes {
		if word := t.Diff.Changes[i].Attribute; word != "" {
			b.Terms = append(b.Terms, word)
		}
	}
	if now := c.Entry; len(changes) == 1 && now.Filename != "" {
		b.Source = t.Head.Shown(now)
	}
	return b
}
