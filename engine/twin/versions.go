package twin

import (
	"context"
	"fmt"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// Base and head, as indices of pairs.
const (
	Base = 0
	Head = 1
)

// Limits bound a comparison.
type Limits struct {
	Bytes int64 // what the diagrams of one comparison take; 0: no limit
}

// Versions are two nets, ready to be compared; one transition fires at a time. It is safe for use by several goroutines.
type Versions struct {
	nets    [2]*petri.Net
	codes   [2]*space.Coding
	partner [2][]int // by side and variable, the other side's that corresponds; -1: none
}

// A ContactError says that one of the nets is not one-safe.
type ContactError struct {
	Side, Transition, Place int
}

func (e *ContactError) Error() string {
	return fmt.Sprintf("%s: transition %d can put a second token on place %d", sideName(e.Side), e.Transition, e.Place)
}

func sideName(side int) string { return [2]string{"base", "head"}[side] }

// New prepares two nets for comparison. Transitions that are alike have one number in like, by side and transition: it serves to lay
// what corresponds side by side, and cost depends on it, answers do not. The error is space.ErrNotSymbolic.
//
// The nets must be free of contact: see States.
func New(base, head *petri.Net, like [2][]int) (*Versions, error) {
	v := &Versions{nets: [2]*petri.Net{base, head}}
	for side, n := range v.nets {
		var err error
		if v.codes[side], err = space.Code(n); err != nil {
			return nil, fmt.Errorf("%s: %w", sideName(side), err)
		}
	}
	v.align(like)
	return v, nil
}

// arrange finds an order of the variables of both sides in which corresponding ones lie together: of the candidates, the one in
// which build makes a forest whose relations go down the fewest levels.
func arrange(ctx context.Context, codes [2]*space.Coding, partner [2][]int, build func(level [2][]int, sizes []int) *dd.Forest) error {
	vertex, touched := vertices(codes, partner)
	cost := -1
	var best []int
	for _, order := range space.Orders(vertex.count, touched) {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		level, sizes := vertex.levels(codes, order)
		if c := build(level, sizes).Cost(); cost < 0 || c < cost {
			cost, best = c, order
		}
	}
	build(vertex.levels(codes, best))
	return nil
}

// vertexes number the variables of both sides, corresponding ones as one.
type vertexes struct {
	of    [2][]int
	count int
}

func vertices(codes [2]*space.Coding, partner [2][]int) (x vertexes, touched [][]int) {
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
		for _, d := range c.Deeds {
			var list []int
			for _, l := range d.Locals {
				list = append(list, x.of[side][l.Variable])
			}
			touched = append(touched, list)
		}
	}
	return x, touched
}

// levels gives each vertex of an order, bottom first, a level for each variable.
func (x vertexes) levels(codes [2]*space.Coding, order []int) (level [2][]int, sizes []int) {
	members := make([][][2]int, x.count)
	for side := range codes {
		level[side] = make([]int, len(x.of[side]))
		for v, at := range x.of[side] {
			members[at] = append(members[at], [2]int{side, v})
		}
	}
	for _, at := range order {
		for _, m := range members[at] {
			sizes = append(sizes, codes[m[0]].Size(m[1]))
			level[m[0]][m[1]] = len(sizes)
		}
	}
	return level, sizes
}

// start is the pair of the initial markings.
func start(f *dd.Forest, codes [2]*space.Coding, level [2][]int) (dd.Node, error) {
	values := make([]int, f.Levels())
	for side, c := range codes {
		for v, l := range level[side] {
			values[l-1] = c.Initial(v)
		}
	}
	return f.Tuple(values)
}
