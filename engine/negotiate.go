package engine

import (
	"cmp"
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/redlinehq/redline/hclspec/edit"
)

// Two redlines of one base: each is reviewed, then what comes of both together (T. Mens 2002, A
// state-of-the-art survey on software merging: a merge of texts that are in no conflict may still mean what
// neither side meant).

// Negotiate compares what two redlines do to the contracts of a base, in order of their paths. A contract
// that a redline has elsewhere is compared with the one it was.
func Negotiate(ctx context.Context, base, a, b []*Draft, budget Budget) []ContractNegotiation {
	all := triples(base, a, b)
	list, turn := make([]ContractNegotiation, len(all)), budget.turns(len(all))
	var group errgroup.Group
	group.SetLimit(max(budget.Jobs, 1))
	for i, t := range all {
		group.Go(func() error {
			turn(t.path())
			list[i] = negotiate(ctx, t, budget)
			return nil
		})
	}
	_ = group.Wait() // each carries its own reasons
	return list
}

// A triple is three versions of one contract; those that lack it are nil, but not all.
type triple struct{ base, a, b *Draft }

// path is where the contract lies once both redlines are made.
func (t triple) path() string { return t.placed().Path }

// placed is the draft that says where: a redline that moves the contract, or has it at all.
func (t triple) placed() *Draft {
	for _, d := range []*Draft{t.a, t.b} {
		if d != nil && t.base != nil && d.Path != t.base.Path {
			return d
		}
	}
	return cmp.Or(t.a, t.b, t.base)
}

// moved reports whether both redlines move the contract, and not to one place.
func (t triple) moved() bool {
	return t.base != nil && t.a != nil && t.b != nil && t.a.Path != t.base.Path && t.b.Path != t.base.Path && t.a.Path != t.b.Path
}

// triples pairs the contracts of the three sides.
func triples(base, a, b []*Draft) []triple {
	inA, newA := counterpartsOf(base, a)
	inB, newB := counterpartsOf(base, b)
	var list []triple
	for _, d := range base {
		list = append(list, triple{d, inA[d], inB[d]})
	}
	follow(newA, newB)
	for _, path := range sortedKeys(union(newA, newB), cmp.Compare[string]) {
		list = append(list, triple{nil, newA[path], newB[path]})
	}
	slices.SortStableFunc(list, func(s, t triple) int { return cmp.Compare(s.path(), t.path()) })
	return list
}

// counterpartsOf finds the drafts of a redline by those of base; the others by their paths.
func counterpartsOf(base, redline []*Draft) (map[*Draft]*Draft, map[string]*Draft) {
	before, after := byPath(base), byPath(redline)
	follow(before, after)
	found, fresh := map[*Draft]*Draft{}, map[string]*Draft{}
	for path, d := range after {
		if was := before[path]; was != nil {
			found[was] = d
		} else {
			fresh[path] = d
		}
	}
	return found, fresh
}

// negotiating is one contract's negotiation under way.
type negotiating struct {
	triple
	*ContractNegotiation
	merged *Draft // nil: there is none
	budget Budget
}

func negotiate(ctx context.Context, t triple, b Budget) ContractNegotiation {
	n := &negotiating{triple: t, ContractNegotiation: &ContractNegotiation{Path: t.path()}, budget: b}
	n.name()
	var group errgroup.Group
	group.Go(func() error { n.A = n.review(ctx, n.a); return nil })
	group.Go(func() error { n.B = n.review(ctx, n.b); return nil })
	_ = group.Wait() // reviews carry their own reasons
	n.merge(ctx)
	if n.A.Status == Same && n.B.Status == Same {
		return *n.ContractNegotiation
	}
	n.promises()
	if n.Merge != nil && n.merged != nil && n.Merge.Status != Same && n.Merge != n.A && n.Merge != n.B {
		n.joint(ctx)
	}
	n.courses()
	return *n.ContractNegotiation
}

func (n *negotiating) name() {
	for _, d := range []*Draft{n.base, n.b, n.a} { // the later ones win
		if d != nil && d.Spec != nil {
			n.Name, n.Title = d.Spec.Name, d.Spec.Title
		}
	}
	if d := n.placed(); d.Spec != nil {
		n.Name, n.Title = d.Spec.Name, d.Spec.Title
	}
}

func (n *negotiating) review(ctx context.Context, side *Draft) *ContractReview {
	if n.base == nil && side == nil {
		return &ContractReview{Path: n.Path, Name: n.Name, Title: n.Title}
	}
	review := Compare(ctx, n.base, side, n.budget)
	return &review
}

// merge reviews both redlines together.
func (n *negotiating) merge(ctx context.Context) {
	if n.meet(); n.Merge != nil || n.Unmerged != "" || n.stuck() {
		return
	}
	switch {
	case n.base == nil && n.merged == nil:
		n.Merge = n.A
	default:
		review, _ := compared(ctx, n.base, n.merged, n.budget)
		review.link()
		n.Merge = &review
	}
}

// stuck reports whether a conflict stands in the way.
func (n *negotiating) stuck() bool {
	return slices.ContainsFunc(n.Conflicts, func(c Conflict) bool { return !c.Prose })
}

// meet finds the draft that both redlines come to, and its review where that is one of theirs.
func (n *negotiating) meet() {
	switch {
	case n.moved():
		n.Conflicts = []Conflict{{A: whole(n.a, n.base, "changed", "where it lies"), B: whole(n.b, n.base, "changed", "where it lies")}}
	case n.B.Status == Same:
		n.merged, n.Merge = n.a, n.A
	case n.A.Status == Same:
		n.merged, n.Merge = n.b, n.B
	case n.a == nil && n.b == nil:
		n.Merge = n.A
	case n.a == nil:
		n.Conflicts = []Conflict{{A: whole(nil, n.base, "removed"), B: whole(n.b, n.base, "changed")}}
	case n.b == nil:
		n.Conflicts = []Conflict{{A: whole(n.a, n.base, "changed"), B: whole(nil, n.base, "removed")}}
	case status(n.a, n.b) == Same:
		n.merged, n.Merge = n.a, n.A
	default:
		n.texts()
	}
}

// whole is a contract as a block.
func whole(d, base *Draft, action string, terms ...string) Block {
	block := Block{Name: "contract " + base.Path, Action: action, Terms: terms}
	if base.Spec != nil {
		block.Was = base.Spec.Range
	}
	if d != nil && d.Spec != nil {
		block.Source = d.Spec.Range
	}
	return block
}

// texts merges the texts.
func (n *negotiating) texts() {
	base := edit.Text{}
	if n.base != nil {
		base = n.base.text()
	}
	if base == nil || n.a.text() == nil || n.b.text() == nil {
		n.Unmerged = "the drafts have no text"
		return
	}
	text, conflicts, err := edit.Merge(base, n.a.text(), n.b.text())
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
	n.merged = n.placed().redraft(text)
	switch status(n.merged, n.a) {
	case Same:
		n.merged, n.Merge = n.a, n.A
	default:
		if status(n.merged, n.b) == Same {
			n.merged, n.Merge = n.b, n.B
		}
	}
}

func (n *negotiating) conflict(c edit.Conflict) Conflict {
	out := Conflict{A: n.clash(c.A, n.a), B: n.clash(c.B, n.b)}
	out.SaysA, out.SaysB = n.a.excerpt(c.A.Now), n.b.excerpt(c.B.Now)
	if out.Was = n.base.excerpt(c.A.Was); out.Was == "" {
		out.Was = n.base.excerpt(c.B.Was)
	}
	out.Prose = wordsOnly(c.A) && wordsOnly(c.B)
	return out
}

// wordsOnly reports whether a change changes no meaning.
func wordsOnly(c edit.Change) bool {
	return c.Attribute != "" && c.Type() != "locals" && slices.Contains(prose, c.Attribute)
}

// clash is one side of a conflict.
func (n *negotiating) clash(c edit.Change, side *Draft) Block {
	b := Block{Name: c.Block(), Action: c.Action.String(), Source: side.shown(c.Head), Was: n.base.shown(c.Base)}
	switch {
	case c.First:
		b.Terms = []string{"which state is the first one"}
	case c.Attribute != "":
		b.Action, b.Terms = edit.Changed.String(), []string{c.Attribute}
		if c.Now.Filename != "" {
			b.Source = side.shown(c.Now)
		}
	}
	return b
}
