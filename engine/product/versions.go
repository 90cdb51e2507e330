package product

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/halt"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/symbolic"
)

// Base and Head are indices of arrays by side.
const (
	Base = 0
	Head = 1
)

// Limits bound a comparison.
type Limits struct {
	Bytes int64 // memory of the diagrams of one comparison; 0: no limit
	Work  int64 // steps on each of its forests: dd.Limits.Work; 0: no limit
}

// forest returns the limits of one of the two forests of a comparison.
func (l Limits) forest() dd.Limits { return dd.Limits{Bytes: l.Bytes / 2, Work: l.Work} }

// Versions are two nets, ready to be compared. One transition fires at a time. They are safe for concurrent use.
type Versions struct {
	nets    [2]*petri.Net
	codes   [2]*symbolic.Coding
	partner [2][]int // by side and variable, the corresponding variable of the other side; -1: none
	layout  layout
	firings [2][]dd.Relation // by side, of its firings, over the levels of layout
	store   dd.Relations     // of firings
}

// A ContactError is the error that a net is not one-safe.
type ContactError struct {
	side, transition int
}

func (e *ContactError) Error() string {
	return fmt.Sprintf("%s: transition %d can put a second token on a place", sideName(e.side), e.transition)
}

func sideName(side int) string { return [2]string{"base", "head"}[side] }

// New prepares two nets for comparison. like has numbers by side and transition; transitions that are alike share one. It places
// corresponding variables side by side: the cost depends on it, the answers do not. The error is symbolic.ErrNotSymbolic or the context's
// cause.
//
// The nets must be free of contact: see CompareStates.
func New(ctx context.Context, base, head *petri.Net, like [2][]int) (_ *Versions, err error) {
	defer halt.Caught(&err)
	v := &Versions{nets: [2]*petri.Net{base, head}}
	for side, n := range v.nets {
		if v.codes[side], err = symbolic.Code(ctx, n); err != nil {
			return nil, fmt.Errorf("%s: %w", sideName(side), err)
		}
	}
	v.align(like)
	v.arrange(ctx)
	return v, nil
}

// A layout has the levels of both sides' variables in a forest.
type layout struct {
	of    [2]int   // by side, the version that it is
	level [2][]int // by side and variable
	sizes []int    // by level, from the bottom
}

// arrange chooses the layout in which corresponding variables are together. Of the candidates it is the one in which transitions span the fewest
// levels.
func (v *Versions) arrange(ctx context.Context) {
	vertex := vertices(v.codes, v.partner)
	least := -1
	for _, order := range halt.Must(symbolic.Orders(ctx, vertex.count, vertex.near(v.codes))) {
		l := vertex.layout(v.codes, order)
		firings, store, cost := related(ctx, v.codes, l.level)
		if cost >= 0 && (least < 0 || cost < least) {
			least, v.layout, v.firings, v.store = cost, l, firings, *store
		}
	}
	if least < 0 {
		halt.End(symbolic.ErrNotSymbolic)
	}
}

// related returns the relations of all firings over levels by side and variable, with their cost, which is -1 if one of them takes too many steps.
func related(ctx context.Context, codes [2]*symbolic.Coding, level [2][]int) (firings [2][]dd.Relation, store *dd.Relations, cost int) {
	store = &dd.Relations{}
	for side, c := range codes {
		for i := range c.Firings {
			r, err := c.Relation(ctx, store, level[side], &c.Firings[i])
			if errors.Is(err, symbolic.ErrNotSymbolic) {
				return firings, nil, -1
			}
			firings[side] = append(firings[side], halt.Must(r, err))
		}
	}
	return firings, store, store.Cost()
}

// twice returns a layout of one side beside itself.
func (l layout) twice(side int) layout {
	order := make([]int, len(l.level[side]))
	for v := range order {
		order[v] = v
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(l.level[side][a], l.level[side][b]) })
	t := layout{of: [2]int{side, side}, level: [2][]int{make([]int, len(order)), make([]int, len(order))}}
	for _, v := range order {
		for copy := range t.level {
			t.sizes = append(t.sizes, l.sizes[l.level[side][v]-1])
			t.level[copy][v] = len(t.sizes)
		}
	}
	return t
}

// vertexes has numbers of the variables of both sides. Corresponding ones share one.
type vertexes struct {
	of    [2][]int
	count int
}

func vertices(codes [2]*symbolic.Coding, partner [2][]int) (x vertexes) {
	for side, c := range codes {
		x.of[side] = make([]int, c.Variables())
		for v := range x.of[side] {
			if p := partner[side][v]; side == Head && p >= 0 {
				x.of[side][v] = x.of[Base][p]
				continue
			}
			x.of[side][v] = x.count
			x.count++
		}
	}
	return x
}

// near returns the sets of vertexes that an order should keep together.
func (x vertexes) near(codes [2]*symbolic.Coding) (sets [][]int) {
	for side, c := range codes {
		for _, set := range c.Near() {
			list := make([]int, len(set))
			for i, v := range set {
				list[i] = x.of[side][v]
			}
			sets = append(sets, list)
		}
	}
	return sets
}

// layout returns the layout for an order of vertexes, bottom first, with a level for each variable.
func (x vertexes) layout(codes [2]*symbolic.Coding, order []int) layout {
	l := layout{of: [2]int{Base, Head}}
	members := make([][][2]int, x.count)
	for side := range codes {
		l.level[side] = make([]int, len(x.of[side]))
		for v, at := range x.of[side] {
			members[at] = append(members[at], [2]int{side, v})
		}
	}
	for _, at := range order {
		for _, m := range members[at] {
			l.sizes = append(l.sizes, codes[m[0]].Size(m[1]))
			l.level[m[0]][m[1]] = len(l.sizes)
		}
	}
	return l
}
