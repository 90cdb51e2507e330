package ways

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/space"
)

// A form is how the ways of a claim follow from those of its parts.
type form uint8

const (
	leaf   form = iota // decided by a state, or shown by no run
	same               // those of its only part: a negation, or a name
	every              // c && d
	some               // c || d
	next               // AX c
	coming             // A[c U d], or A[c W d]
)

// A claim is a formula that has to be true on both sides or, with not, false.
type claim struct {
	form       form
	head, base *ctl.Formula // base: nil if base has no such part: every way is then new, by whatever steps
	not        bool
	parts      []*claim
	left       *claim // of next and coming; nil: true
	strong     bool   // of coming: U

	violated space.Set // states of head
	keeps    space.Set // states of base from which some run keeps the claim
	kept     space.Set // the same states of head
	named    []int     // the named runs that violate it at their end
	by       [2]found  // results, by view

	// For coming.
	without space.Set // states of head in which right is violated
	reached space.Set // states of base in which right holds
	along   space.Set // states of head that a run may pass
}

// A view is which ways are asked for: those that base does not have, or all that differ from the named runs.
type view uint8

const (
	against view = iota
	alone
)

// A found has the results for a claim in one view.
type found struct {
	fresh        []bool // pairs from which head has a wanted way
	goal, within []bool // pairs, for coming
	ends         *endless
}

// errShape is the error that both sides' formulas differ in structure.
var errShape = errors.New("the promise has another shape on the version before the amendment")

// claimOf builds the claim of a formula of head and the same formula of base. It returns errShape if their structures differ.
func claimOf(head, base *ctl.Formula, not bool) (*claim, error) {
	c := &claim{head: head, base: base, not: not}
	if !universal(head, not) {
		return c, nil
	}
	if base == nil { // head's structure
		c, err := claimOf(head, head, not)
		c.lacking()
		return c, err
	}
	base = meaning(base)
	c.base = base
	if head.Means != nil { // head's structure alone decides: a claim about head and itself has the same
		return c.through(head.Means, base, not)
	}
	if head.Op != base.Op {
		return nil, errShape
	}
	switch head.Op {
	case ctl.Not:
		return c.through(head.Left, base.Left, !not)
	case ctl.And, ctl.Or:
		c.form = every
		if (head.Op == ctl.Or) != not {
			c.form = some
		}
		return c, c.chain(head.Operands(head.Op), base.Operands(base.Op))
	case ctl.Implies:
		c.form = some
		if not {
			c.form = every
		}
		return c, errors.Join(c.part(head.Left, base.Left, !not), c.part(head.Right, base.Right, not))
	}
	return c, c.path()
}

// lacking removes base's part from a claim.
func (c *claim) lacking() {
	c.base = nil
	for _, part := range c.parts {
		part.lacking()
	}
	if c.left != nil {
		c.left.lacking()
	}
}

func meaning(f *ctl.Formula) *ctl.Formula {
	if f.Means != nil {
		return f.Means
	}
	return f
}

// universal reports whether a claim has a part about all runs whose violation a run shows.
func universal(f *ctl.Formula, not bool) bool {
	switch {
	case f == nil:
		return false
	case f.Means != nil:
		return universal(f.Means, not)
	}
	switch f.Op {
	case ctl.Not:
		return universal(f.Left, !not)
	case ctl.And, ctl.Or:
		return universal(f.Left, not) || universal(f.Right, not)
	case ctl.Implies:
		return universal(f.Left, !not) || universal(f.Right, not)
	case ctl.AX, ctl.AF, ctl.AG, ctl.AU, ctl.AW:
		return !not
	case ctl.EX, ctl.EF, ctl.EG, ctl.EU, ctl.EW:
		return not
	}
	return false
}

func (c *claim) through(head, base *ctl.Formula, not bool) (*claim, error) {
	c.form = same
	return c, c.part(head, base, not)
}

func (c *claim) part(head, base *ctl.Formula, not bool) error {
	part, err := claimOf(head, base, not)
	c.parts = append(c.parts, part)
	return err
}

// chain adds the operands of head, each with its counterpart of base: by position or, if the numbers differ, as when one of several parties
// is added, by text. Of alternatives a state decides those without temporal operators, together.
func (c *claim) chain(head, base []*ctl.Formula) error {
	if c.form == some {
		head, base = c.decidedTogether(head), c.decidedTogether(base)
	}
	for i, f := range head {
		var was *ctl.Formula
		if len(head) == len(base) {
			was = base[i]
		} else if k := slices.IndexFunc(base, func(g *ctl.Formula) bool { return g.CTL() == f.CTL() }); k >= 0 {
			was = base[k]
		}
		if err := c.part(f, was, c.not); err != nil {
			return err
		}
	}
	return nil
}

// decidedTogether joins the operands without temporal operators, and puts them last.
func (c *claim) decidedTogether(operands []*ctl.Formula) (list []*ctl.Formula) {
	var state *ctl.Formula
	for _, f := range operands {
		switch {
		case f.Temporal():
			list = append(list, f)
		case state == nil:
			state = f
		default:
			state = &ctl.Formula{Op: c.head.Op, Left: state, Right: f}
		}
	}
	if state != nil {
		list = append(list, state)
	}
	return list
}

// path reads a path operator: the part that has to hold until the other comes.
func (c *claim) path() (err error) {
	c.form = coming
	h, b := c.head, c.base
	switch h.Op {
	case ctl.AX, ctl.EX:
		c.form = next
		c.left, err = claimOf(h.Left, b.Left, c.not)
	case ctl.AG, ctl.EF, ctl.AU, ctl.AW:
		c.left, err = claimOf(h.Left, b.Left, c.not)
	case ctl.EU, ctl.EW:
		c.left, err = claimOf(h.Right, b.Right, c.not)
	}
	c.strong = h.Op == ctl.AF || h.Op == ctl.EG || h.Op == ctl.AU || h.Op == ctl.EW
	return err
}

// A labeller labels the states of both sides with a claim, its parts first.
type labeller struct{ head, base *labelled }

// A labelled is a side with its sets.
type labelled struct {
	*Side
	ctx  context.Context
	sets ctl.Algebra[space.Set] // on the runs that count
	err  error
}

func label(ctx context.Context, s *Side, stops bool) *labelled {
	l := &labelled{Side: s, ctx: ctx, sets: s.Graph.Sets()}
	switch {
	case stops:
		l.sets = s.Graph.Fair(s.Acts).Stopping(s.Barred)
	case len(s.Acts) > 0:
		l.sets = s.Graph.Fair(s.Acts)
	}
	return l
}

// set returns a set, or keeps its error.
func (l *labelled) set(set space.Set, err error) space.Set {
	if err != nil {
		l.err = err
		return l.none()
	}
	return set
}

// where returns the states in which a formula is true or, with not, false.
func (l *labelled) where(f *ctl.Formula, not bool) space.Set {
	set := l.set(l.Labels.Sat(l.ctx, f))
	if not {
		set = l.not(set)
	}
	return set
}

func (l *labelled) not(a space.Set) space.Set { return l.sets.Minus(l.sets.All(), a) }
func (l *labelled) none() space.Set           { return l.sets.Minus(l.sets.All(), l.sets.All()) }

func (x *labeller) label(c *claim) {
	for _, part := range c.parts {
		x.label(part)
	}
	if c.left != nil {
		x.label(c.left)
	}
	c.violated = x.head.where(c.head, !c.not)
	c.keeps = x.keeps(c)
}

// err returns the error of either side. If there is one, the labels mean nothing.
func (x *labeller) err() error { return cmp.Or(x.head.err, x.base.err) }

// keeps returns the states of base from which some run keeps a claim, as far as the states of the run show.
func (x *labeller) keeps(c *claim) space.Set {
	if c.form == coming {
		x.right(c)
	}
	sets := x.base.sets
	switch {
	case c.base == nil:
		return sets.All()
	case c.form == leaf:
		return x.base.where(c.base, c.not)
	case c.form == next:
		return sets.Union(x.base.set(sets.Pre(x.base.ctx, c.left.keeps)), sets.Dead())
	case c.form == coming:
		return x.keepsPath(c)
	}
	keeps := c.parts[0].keeps
	for _, part := range c.parts[1:] {
		if c.form == some {
			keeps = sets.Union(keeps, part.keeps)
		} else {
			keeps = sets.Intersect(keeps, part.keeps)
		}
	}
	return keeps
}

func (x *labeller) keepsPath(c *claim) space.Set {
	sets := x.base.sets
	left := sets.All()
	if c.left != nil {
		left = c.left.keeps
	}
	keeps := x.base.set(sets.Until(x.base.ctx, left, c.reached))
	if !c.strong {
		keeps = sets.Union(keeps, x.base.set(sets.Always(x.base.ctx, left)))
	}
	return keeps
}

// right labels the part that has to come. There is none for AG and EF.
func (x *labeller) right(c *claim) {
	h, b := c.head, c.base
	c.reached = x.base.none()
	switch {
	case h.Op == ctl.AG || h.Op == ctl.EF:
		c.without = x.head.sets.All()
		c.along = c.without
		return
	case h.Op == ctl.EU || h.Op == ctl.EW: // neither left nor right
		either := func(f *ctl.Formula) *ctl.Formula { return &ctl.Formula{Op: ctl.Or, Left: f.Left, Right: f.Right} }
		c.without, c.along = x.head.where(either(h), false), x.head.where(h.Left, false)
		if b != nil {
			c.reached = x.base.where(either(b), true)
		}
		return
	}
	comes := func(f *ctl.Formula) *ctl.Formula { return cmp.Or(f.Right, f.Left) }
	c.without = x.head.where(comes(h), !c.not)
	c.along = c.without
	if b != nil {
		c.reached = x.base.where(comes(b), c.not)
	}
}

// InACTL reports whether a formula is in ACTL, in which every path quantifier is universal once negations stand at atoms (Grumberg, Long 1994, Model checking and
// modular verification). Runs alone show that such a formula is violated. Of other formulas a part can be violated that no path shows.
func InACTL(f *ctl.Formula) bool { return allPaths(f, false) }

func allPaths(f *ctl.Formula, not bool) bool {
	switch {
	case f == nil:
		return true
	case f.Means != nil:
		return allPaths(f.Means, not)
	}
	switch f.Op {
	case ctl.Not:
		return allPaths(f.Left, !not)
	case ctl.Implies:
		return allPaths(f.Left, !not) && allPaths(f.Right, not)
	case ctl.Iff:
		return !f.Temporal()
	case ctl.AX, ctl.AF, ctl.AG, ctl.AU, ctl.AW:
		return !not && allPaths(f.Left, not) && allPaths(f.Right, not)
	case ctl.EX, ctl.EF, ctl.EG, ctl.EU, ctl.EW:
		return not && allPaths(f.Left, not) && allPaths(f.Right, not)
	}
	return allPaths(f.Left, not) && allPaths(f.Right, not)
}

// RefutedByRuns reports whether runs show the violation of a formula, so that there are ways to violate it. They do not for EF and EG.
func RefutedByRuns(f *ctl.Formula) bool { return universal(f, false) || !f.Temporal() }
