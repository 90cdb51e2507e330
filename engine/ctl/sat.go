package ctl

import (
	"context"
	"errors"
	"fmt"

	"github.com/redlinehq/redline/engine/halt"
)

// A Checker labels one state model with formulas, and caches the set of every subformula, so that requirements share the work for common
// parts. It must not be used concurrently, because an Algebra need not allow that.
type Checker[S any] struct {
	algebra Algebra[S]
	none    S
	ids     map[shape]int // hash-consed subformulas
	sums    map[string]*Sum
	shapes  []shape // by id
	sets    []S     // by id
	most    int     // the number of sets it may cache; 0: no limit

	endless Endless[S] // nil: every maximal path counts, and the shortest is found here

	alike func(f, g *Formula) bool // see Symmetric; nil: no formulas are
	known map[*Formula]bool        // values in the initial state
}

// ErrTooManySets reports that a formula needs more sets of states at a time than LimitSets allows.
var ErrTooManySets = errors.New("too many sets of states")

// LimitSets sets how many sets the Checker may cache; 0 means no limit. Beyond it, Sat and everything based on it return ErrTooManySets.
func (c *Checker[S]) LimitSets(most int) { c.most = most }

// A shape is an operator with the ids of its operands.
type shape struct {
	op                 Op
	place, left, right int
	sum                string
}

// New returns a Checker without labels.
func New[S any](algebra Algebra[S]) *Checker[S] {
	return &Checker[S]{algebra: algebra, none: algebra.None(), ids: map[shape]int{}, sums: map[string]*Sum{}}
}

// Sat returns the states that satisfy f, whose atoms must be resolved. Its errors are the algebra's, the context's and ErrTooManySets;
// earlier labels remain valid.
//
// The labelling is that of Clarke, Emerson and Sistla (1986, Automatic verification of
// finite-state concurrent systems using temporal logic specifications, section 3), smallest
// subformulas first. There every state has a successor; here the algebra's Always takes a path
// that ends in a dead end as whole, and the other operators follow from it by duality.
func (c *Checker[S]) Sat(ctx context.Context, f *Formula) (set S, err error) {
	set = c.none
	defer halt.Caught(&err)
	return c.sat(ctx, f), nil
}

// sat is Sat within a computation that errors end, as are the functions below; see package halt.
func (c *Checker[S]) sat(ctx context.Context, f *Formula) S { return c.sets[c.label(ctx, f)] }

// Holds reports whether f holds in the initial state.
func (c *Checker[S]) Holds(ctx context.Context, f *Formula) (_ bool, err error) {
	defer halt.Caught(&err)
	return c.holds(ctx, f), nil
}

func (c *Checker[S]) holds(ctx context.Context, f *Formula) bool {
	return c.holdsIn(ctx, f, c.algebra.Initial())
}

// holdsIn reports whether f holds in the single state at.
func (c *Checker[S]) holdsIn(ctx context.Context, f *Formula, at S) bool {
	if c.alike != nil && c.algebra.Equal(at, c.algebra.Initial()) {
		if value, known := c.known[f]; known {
			return value
		}
		if holds, ok := c.holdsInitially(ctx, f); ok {
			return holds
		}
	}
	return c.meets(at, c.sat(ctx, f))
}

func (c *Checker[S]) meets(a, b S) bool {
	return !c.empty(c.algebra.Intersect(a, b))
}

func (c *Checker[S]) empty(a S) bool { return c.algebra.Equal(a, c.none) }

func (c *Checker[S]) not(a S) S { return c.algebra.Minus(c.algebra.All(), a) }

// label returns the id of f, labelling what has no label yet. The recursion is as deep as the
// formula, which the parser bounds.
func (c *Checker[S]) label(ctx context.Context, f *Formula) int {
	if f.Means != nil {
		return c.label(ctx, f.Means)
	}
	if all := together(f, nil); len(all) > few {
		return c.labelAll(ctx, all)
	}
	key := shape{op: f.Op, left: -1, right: -1}
	if f.Op == Atom {
		key.place = f.Place
		if f.Sum != nil {
			key.place, key.sum = -1, f.Sum.String()
			c.sums[key.sum] = f.Sum
		}
	}
	if f.Left != nil {
		key.left = c.label(ctx, f.Left)
	}
	if f.Right != nil {
		key.right = c.label(ctx, f.Right)
	}
	return c.labelled(ctx, key)
}

// labelled returns the id of a shape. It labels the shape first if it has no label yet.
func (c *Checker[S]) labelled(ctx context.Context, key shape) int {
	if id, ok := c.ids[key]; ok {
		return id
	}
	if c.most > 0 && len(c.sets) >= c.most {
		halt.End(ErrTooManySets)
	}
	set := c.compute(ctx, key)
	c.sets, c.shapes = append(c.sets, set), append(c.shapes, key)
	c.ids[key] = len(c.sets) - 1
	return len(c.sets) - 1
}

// forget drops all cached sets but the first n.
func (c *Checker[S]) forget(n int) {
	for _, key := range c.shapes[n:] {
		delete(c.ids, key)
	}
	clear(c.sets[n:])
	c.sets, c.shapes = c.sets[:n], c.shapes[:n]
}

func (c *Checker[S]) compute(ctx context.Context, key shape) S {
	if ctx.Err() != nil {
		halt.End(context.Cause(ctx))
	}
	var left, right S
	if key.left >= 0 {
		left = c.sets[key.left]
	}
	if key.right >= 0 {
		right = c.sets[key.right]
	}
	if key.op < EX {
		return c.combine(key, left, right)
	}
	return c.look(ctx, key.op, left, right)
}

// combine computes the Boolean operators.
func (c *Checker[S]) combine(key shape, left, right S) S {
	a := c.algebra
	switch key.op {
	case True:
		return a.All()
	case False:
		return c.none
	case Atom:
		if key.sum != "" {
			return a.Count(c.sums[key.sum])
		}
		return a.Where(key.place)
	case Not:
		return c.not(left)
	case And:
		return a.Intersect(left, right)
	case Or:
		return a.Union(left, right)
	case Implies:
		return a.Union(c.not(left), right)
	case Iff:
		return c.not(a.Union(a.Minus(left, right), a.Minus(right, left)))
	}
	panic(fmt.Sprintf("ctl: operator %d has no meaning", key.op))
}

// look computes the temporal operators. It computes a universal one as the complement of an existential one.
func (c *Checker[S]) look(ctx context.Context, op Op, left, right S) S {
	a := c.algebra
	switch op {
	case EX:
		return halt.Must(a.Pre(ctx, left))
	case AX:
		return c.not(halt.Must(a.Pre(ctx, c.not(left))))
	case EF:
		return c.until(ctx, a.All(), left)
	case AG:
		return c.not(c.until(ctx, a.All(), c.not(left)))
	case EG:
		return halt.Must(a.Always(ctx, left))
	case AF:
		return c.not(halt.Must(a.Always(ctx, c.not(left))))
	case EU:
		return c.until(ctx, left, right)
	case EW:
		return c.weak(ctx, left, right)
	case AW:
		return c.not(c.until(ctx, c.not(right), c.not(a.Union(left, right))))
	case AU:
		noRight := c.not(right)
		return c.not(c.weak(ctx, noRight, a.Minus(noRight, left)))
	}
	panic(fmt.Sprintf("ctl: operator %d has no meaning", op))
}

func (c *Checker[S]) until(ctx context.Context, p, q S) S {
	return halt.Must(c.algebra.Until(ctx, p, q))
}

// weak returns the states of E[p W q], as the union of E[p U q] and EG p.
func (c *Checker[S]) weak(ctx context.Context, p, q S) S {
	ends := c.until(ctx, p, q)
	return c.algebra.Union(ends, halt.Must(c.algebra.Always(ctx, p)))
}
