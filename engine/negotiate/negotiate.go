package negotiate

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/redlinehq/redline/engine/behaviour"
	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compare"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/edit"
)

// Two redlines of one base are each reviewed, and then their merge (T. Mens 2002, A state-of-the-art survey on software merging: a merge of
// texts without conflict may still mean what neither side meant).

// Negotiate compares the effects of two redlines on the contracts of a base, in order of their paths. A contract that a redline has moved
// is compared with the one at its old path. Results of limits and time are in the reviews.
func Negotiate(ctx context.Context, base, a, b []*compile.Draft, budget finding.Budget) []finding.ContractNegotiation {
	all := triples(base, a, b)
	list, turn := make([]finding.ContractNegotiation, len(all)), budget.Turns(len(all))
	var group errgroup.Group
	group.SetLimit(max(budget.Jobs, 1))
	for i, t := range all {
		group.Go(func() error {
			turn(t.path())
			list[i] = negotiate(ctx, t, budget)
			return nil
		})
	}
	_ = group.Wait() // each result has its own reasons
	return list
}

// A triple is three versions of one contract. At least one is not nil.
type triple struct{ base, a, b *compile.Draft }

// path returns the path of the contract once both redlines are applied.
func (t triple) path() string { return t.placed().Path }

// placed returns the draft that determines the path: that of a redline that moves the contract, or else one that has it.
func (t triple) placed() *compile.Draft {
	for _, d := range []*compile.Draft{t.a, t.b} {
		if d != nil && t.base != nil && d.Path != t.base.Path {
			return d
		}
	}
	return cmp.Or(t.a, t.b, t.base)
}

// moved reports whether both redlines move the contract, to different paths.
func (t triple) moved() bool {
	return t.base != nil && t.a != nil && t.b != nil && t.a.Path != t.base.Path && t.b.Path != t.base.Path && t.a.Path != t.b.Path
}

// triples returns the contracts of the three sides, matched, in order of their paths.
func triples(base, a, b []*compile.Draft) []triple {
	inA, newA := counterpartsOf(base, a)
	inB, newB := counterpartsOf(base, b)
	var list []triple
	for _, d := range base {
		list = append(list, triple{d, inA[d], inB[d]})
	}
	compare.RekeyMoved(newA, newB)
	for _, path := range slices.Sorted(maps.Keys(behaviour.Union(newA, newB))) {
		list = append(list, triple{nil, newA[path], newB[path]})
	}
	slices.SortStableFunc(list, func(s, t triple) int { return cmp.Compare(s.path(), t.path()) })
	return list
}

// counterpartsOf returns the drafts of a redline by their drafts of base, and the others by their paths.
func counterpartsOf(base, redline []*compile.Draft) (map[*compile.Draft]*compile.Draft, map[string]*compile.Draft) {
	before, after := compare.ByPath(base), compare.ByPath(redline)
	compare.RekeyMoved(before, after)
	found, fresh := map[*compile.Draft]*compile.Draft{}, map[string]*compile.Draft{}
	for path, d := range after {
		if was := before[path]; was != nil {
			found[was] = d
		} else {
			fresh[path] = d
		}
	}
	return found, fresh
}

// A negotiator is the state of one contract's negotiation.
type negotiator struct {
	triple
	*finding.ContractNegotiation
	merged *compile.Draft // nil: there is none
	budget finding.Budget
}

// negotiate compares the effects of two redlines on one contract.
func negotiate(ctx context.Context, t triple, b finding.Budget) finding.ContractNegotiation {
	for range 2 { // what one of them is read again for, the others are as well
		t.base, t.a = compile.SameTick(t.base, t.a)
		t.base, t.b = compile.SameTick(t.base, t.b)
		t.a, t.b = compile.SameTick(t.a, t.b)
	}
	n := &negotiator{triple: t, ContractNegotiation: &finding.ContractNegotiation{Path: t.path()}, budget: b}
	n.name()
	var group errgroup.Group
	group.Go(func() error { n.A = n.review(ctx, n.a); return nil })
	group.Go(func() error { n.B = n.review(ctx, n.b); return nil })
	_ = group.Wait() // reviews carry their own reasons
	n.merge(ctx)
	if n.A.Status == finding.Same && n.B.Status == finding.Same {
		return *n.ContractNegotiation
	}
	n.promises()
	if n.Merge != nil && n.merged != nil && n.Merge.Status != finding.Same && n.Merge != n.A && n.Merge != n.B {
		n.joint(ctx)
	}
	n.sequences()
	return *n.ContractNegotiation
}

func (n *negotiator) name() {
	for _, d := range []*compile.Draft{n.base, n.b, n.a} { // the later ones win
		if d != nil && d.Spec != nil {
			n.Name, n.Title = d.Spec.Name, d.Spec.Title
		}
	}
	if d := n.placed(); d.Spec != nil {
		n.Name, n.Title = d.Spec.Name, d.Spec.Title
	}
}

// review returns the review of one redline against base.
func (n *negotiator) review(ctx context.Context, side *compile.Draft) *finding.ContractReview {
	if n.base == nil && side == nil {
		return &finding.ContractReview{Path: n.Path, Name: n.Name, Title: n.Title}
	}
	review := blame.Compare(ctx, n.base, side, n.budget)
	return &review
}

// merge reviews both redlines together. It leaves Merge nil if they cannot be merged.
func (n *negotiator) merge(ctx context.Context) {
	if n.meet(); n.Merge != nil || n.Unmerged != "" || n.stuck() {
		return
	}
	switch {
	case n.base == nil && n.merged == nil:
		n.Merge = n.A
	default:
		review, _ := compare.Compared(ctx, n.base, n.merged, n.budget)
		review.Link()
		n.Merge = &review
	}
}

// stuck reports whether a conflict of meaning prevents the merge.
func (n *negotiator) stuck() bool {
	return slices.ContainsFunc(n.Conflicts, func(c finding.Conflict) bool { return !c.Prose })
}

// meet sets the merged draft, and its review if that is one redline's own.
func (n *negotiator) meet() {
	switch {
	case n.moved():
		n.Conflicts = []finding.Conflict{{A: whole(n.a, n.base, "changed", "where it lies"), B: whole(n.b, n.base, "changed", "where it lies")}}
	case n.B.Status == finding.Same:
		n.merged, n.Merge = n.a, n.A
	case n.A.Status == finding.Same:
		n.merged, n.Merge = n.b, n.B
	case n.a == nil && n.b == nil:
		n.Merge = n.A
	case n.a == nil:
		n.Conflicts = []finding.Conflict{{A: whole(nil, n.base, "removed"), B: whole(n.b, n.base, "changed")}}
	case n.b == nil:
		n.Conflicts = []finding.Conflict{{A: whole(n.a, n.base, "changed"), B: whole(nil, n.base, "removed")}}
	case compare.Status(n.a, n.b) == finding.Same:
		n.merged, n.Merge = n.a, n.A
	default:
		n.texts()
	}
}

// whole returns a contract as one block.
func whole(d, base *compile.Draft, action string, terms ...string) finding.Block {
	block := finding.Block{Name: "contract " + base.Path, Action: action, Terms: terms}
	if base.Spec != nil {
		block.Was = base.Spec.Range
	}
	if d != nil && d.Spec != nil {
		block.Source = d.Spec.Range
	}
	return block
}

// texts merges the texts of both redlines, and records conflicts.
func (n *negotiator) texts() {
	base := edit.Text{}
	if n.base != nil {
		base = n.base.Text()
	}
	if base == nil || n.a.Text() == nil || n.b.Text() == nil {
		n.Unmerged = "the drafts have no text"
		return
	}
	text, conflicts, err := edit.Merge(base, n.a.Text(), n.b.Text())
	if err != nil {
		n.Unmerged = err.Error()
		return
	}
	for _, c := range conflicts {
		n.Conflicts = append(n.Conflicts, n.conflict(c))
	}
	if n.stuck() {
		return
	}
	n.merged = n.placed().Redraft(text)
	switch compare.Status(n.merged, n.a) {
	case finding.Same:
		n.merged, n.Merge = n.a, n.A
	default:
		if compare.Status(n.merged, n.b) == finding.Same {
			n.merged, n.Merge = n.b, n.B
		}
	}
}

// conflict returns a conflict of texts as data.
func (n *negotiator) conflict(c edit.Conflict) finding.Conflict {
	out := finding.Conflict{A: n.clash(c.A, n.a), B: n.clash(c.B, n.b)}
	out.SaysA, out.SaysB = n.a.Excerpt(c.A.Now), n.b.Excerpt(c.B.Now)
	if out.Was = n.base.Excerpt(c.A.Was); out.Was == "" {
		out.Was = n.base.Excerpt(c.B.Was)
	}
	out.Prose = wordsOnly(c.A) && wordsOnly(c.B)
	return out
}

// wordsOnly reports whether a change is one of prose, without effect on the meaning.
func wordsOnly(c edit.Change) bool {
	return c.Attribute != "" && c.Type() != "locals" && slices.Contains(blame.Prose, c.Attribute)
}

// clash returns one side of a conflict as a block.
func (n *negotiator) clash(c edit.Change, side *compile.Draft) finding.Block {
	b := finding.Block{Name: c.Block(), Action: c.Action.String(), Source: side.Shown(c.Head), Was: n.base.Shown(c.Base)}
	if b.Title, b.Clause = side.ProseAt(c.Head); c.Attribute == "" && c.Action == edit.Removed {
		b.Title, b.Clause = n.base.ProseAt(c.Base)
	}
	switch {
	case c.First:
		b.Terms = []string{"which state is the first one"}
	case c.Attribute != "":
		b.Action, b.Terms = edit.Changed.String(), []string{c.Attribute}
		if c.Now.Filename != "" {
			b.Source = side.Shown(c.Now)
		}
	}
	return b
}
