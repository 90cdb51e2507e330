package certificate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/redlinehq/redline/engine/certificate/checker"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
)

// maxSieved limits the diagrams of the sets and the results kept for each sum: the checker needs several times as many.
const maxSieved = 2_000_000

// FromSums returns the certificate of a verdict without a state model. It proves the verdict from sums that are at most their bound in the
// initial marking and in every successor of such markings. The markings that satisfy all sums form one inductive invariant, and all other
// sets are parts of it. It returns an *ErrNone if that is not enough. Proofs of package structure rest on sums of this kind, and those never
// are too few: their cases leave no marking of the set.
func FromSums(ctx context.Context, v Verdict, sums []*ctl.Sum) (*checker.Certificate, error) {
	order := inOrder(v.Net)
	b := &bounded{Forest: checker.NewForest(ctx, order, maxSieved), ctx: ctx, net: v.Net}
	c := &checker.Certificate{Contract: v.Contract, Requirement: v.Requirement, Formula: v.Text, Holds: v.Holds, Order: order}
	var unshown error
	err := checker.Guard(func() {
		b.all = b.within(b.every(), sums)
		c.Sets, unshown = b.sets(checker.Claims(v.Formula, v.Holds, len(v.Acts) > 0))
	})
	if err = cmp.Or(b.ended, err); errors.Is(err, checker.ErrTooLarge) {
		return nil, none("what follows from the structure of the net needs more than %d nodes of diagrams", maxSieved)
	}
	if err = cmp.Or(err, unshown); err != nil {
		return nil, fmt.Errorf("%s: by the structure of the net: %w", v.Requirement, err)
	}
	keep(c, b.Forest)
	return c, nil
}

// A bounded has a set of markings closed under firing, and what is proved of it.
type bounded struct {
	*checker.Forest
	ctx   context.Context
	net   *petri.Net
	all   checker.Node
	shown []checker.Node // by claim
	work  int
	ended error // the context's cause, or checker.ErrTooLarge
}

// errUnshown reports that the sums do not exclude what they would have to.
var errUnshown = none("the structure of the net does not prove it")

// sets returns the sets of the claims, at most one ring each: what is not proved in one step is proved for ever, or not at all.
func (b *bounded) sets(claims []checker.Claim) (sets [][]checker.Ring, err error) {
	for _, c := range claims {
		show := shows[c.Kind]
		if show == nil {
			show = (*bounded).nothing
		}
		n := show(b, &c)
		b.shown = append(b.shown, n)
		if c.Kind.Temporal() {
			sets = append(sets, ringOf(n))
		}
	}
	whole := b.Intersect(b.shown[len(claims)-1], b.Set([]petri.Marking{b.net.Initial}))
	if whole == checker.None {
		return nil, errUnshown
	}
	return sets, nil
}

func ringOf(n checker.Node) []checker.Ring {
	if n == checker.None {
		return nil
	}
	return []checker.Ring{{Set: n, Actor: -1}}
}

// shows returns, by kind of claim, the markings in which it is proved. Only that steps stay in the set is known of them. So what is proved
// of the whole set also holds next and always, and what has to come is proved where it holds already.
var shows = map[checker.Kind]func(*bounded, *checker.Claim) checker.Node{
	checker.True:     func(b *bounded, _ *checker.Claim) checker.Node { return b.all },
	checker.Place:    func(b *bounded, c *checker.Claim) checker.Node { return b.marked(b.all, c.Place) },
	checker.NotPlace: func(b *bounded, c *checker.Claim) checker.Node { return b.Minus(b.all, b.marked(b.all, c.Place)) },
	checker.Sum:      func(b *bounded, c *checker.Claim) checker.Node { return b.sieve(b.all, c.Sum) },
	checker.NotSum:   func(b *bounded, c *checker.Claim) checker.Node { return b.Minus(b.all, b.sieve(b.all, c.Sum)) },
	checker.And:      func(b *bounded, c *checker.Claim) checker.Node { return b.Intersect(b.shown[c.Left], b.shown[c.Right]) },
	checker.Or:       func(b *bounded, c *checker.Claim) checker.Node { return b.Union(b.shown[c.Left], b.shown[c.Right]) },
	checker.EX:       (*bounded).someNext,
	checker.AX:       (*bounded).everyNext,
	checker.EU:       func(b *bounded, c *checker.Claim) checker.Node { return b.shown[c.Right] },
	checker.AU:       func(b *bounded, c *checker.Claim) checker.Node { return b.shown[c.Right] },
	checker.EW:       (*bounded).always,
	checker.AW:       (*bounded).always,
}

func (b *bounded) nothing(*checker.Claim) checker.Node { return checker.None }

func (b *bounded) always(c *checker.Claim) checker.Node {
	if b.Union(b.shown[c.Left], b.shown[c.Right]) == b.all {
		return b.all
	}
	return b.shown[c.Right]
}

// someNext returns the markings with a successor, provided that Left is proved of the whole set.
func (b *bounded) someNext(c *checker.Claim) checker.Node {
	if b.shown[c.Left] != b.all {
		return checker.None
	}
	return b.fireable(func(t *petri.Transition) bool { return !t.Moving })
}

// everyNext returns the whole set if Left is proved of it, otherwise the markings without a successor.
func (b *bounded) everyNext(c *checker.Claim) checker.Node {
	if b.shown[c.Left] == b.all {
		return b.all
	}
	return b.Minus(b.all, b.fireable(func(*petri.Transition) bool { return true }))
}

// fireable returns the markings in which some of the transitions have their inputs and read places marked. A transition that fires only
// where a move applies may still be disabled.
func (b *bounded) fireable(some func(*petri.Transition) bool) checker.Node {
	able := checker.None
	for i := range b.net.Transitions {
		if t := &b.net.Transitions[i]; some(t) {
			able = b.Union(able, b.marked(b.all, slices.Concat(t.In, t.Read)...))
		}
	}
	return able
}

// marked returns the markings of a set in which all the places are marked.
func (b *bounded) marked(n checker.Node, places ...int) checker.Node {
	s := &ctl.Sum{Most: -len(places)}
	for _, p := range places {
		s.Weights = append(s.Weights, ctl.Weight{Place: p, By: -1})
	}
	return b.sieve(n, s)
}

// every returns the set of all markings.
func (b *bounded) every() checker.Node {
	n := checker.Blank
	for level := len(b.net.Places) - 1; level >= 0; level-- {
		n = b.Node(level, n, n)
	}
	return n
}

// within returns the markings of a set that satisfy all sums. Sums over few places are applied first, because they make the set small.
func (b *bounded) within(n checker.Node, sums []*ctl.Sum) checker.Node {
	few := slices.Clone(sums)
	slices.SortStableFunc(few, func(x, y *ctl.Sum) int {
		return cmp.Or(len(x.Weights)-len(y.Weights), x.Weights[0].Place-y.Weights[0].Place)
	})
	for _, s := range few {
		n = b.sieve(n, s)
	}
	return n
}

// A sieve selects the markings whose sum is at most its bound, place by place, by the sum so far.
type sieve struct {
	*bounded
	by              []int // by level
	least, greatest []int // by level, that it and those below it may add
	most            int
	known           map[soFar]checker.Node
}

type soFar struct {
	of  checker.Node
	sum int
}

func (b *bounded) sieve(n checker.Node, sum *ctl.Sum) checker.Node {
	levels := len(b.net.Places)
	s := &sieve{bounded: b, by: make([]int, levels), least: make([]int, levels+1), greatest: make([]int, levels+1), most: sum.Most, known: map[soFar]checker.Node{}}
	for _, w := range sum.Weights {
		s.by[w.Place] = w.By // levels are places in order
	}
	for l := levels - 1; l >= 0; l-- {
		s.least[l], s.greatest[l] = s.least[l+1]+min(s.by[l], 0), s.greatest[l+1]+max(s.by[l], 0)
	}
	return s.through(n, 0)
}

func (s *sieve) through(n checker.Node, sum int) checker.Node {
	level, low, high := s.Parts(n)
	if n == checker.None || sum+s.least[level] > s.most || s.over() {
		return checker.None
	}
	if sum+s.greatest[level] <= s.most {
		return n
	}
	key := soFar{n, sum}
	of, known := s.known[key]
	if !known {
		of = s.Node(level, s.through(low, sum), s.through(high, sum+s.by[level]))
		if s.known[key] = of; len(s.known) > maxSieved {
			s.ended = checker.ErrTooLarge
		}
	}
	return of
}

// over counts work, and reports whether the context has ended.
func (b *bounded) over() bool {
	if b.work++; b.work%4096 == 0 && b.ended == nil && b.ctx.Err() != nil {
		b.ended = context.Cause(b.ctx)
	}
	return b.ended != nil
}
