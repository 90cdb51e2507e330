package product

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/halt"
	"github.com/redlinehq/redline/engine/symbolic"
)

// This file puts the markings of both sides in one forest. Each of its levels is a set of meanings of which at most one holds in a marking,
// on either side. So places of one variable that mean something must be in one variable on the other side too, and variables are split
// where they are not. Places that mean nothing have values of their own, which comparisons identify.

// A slot is the level of a variable in the shared forest, with its values there.
type slot struct {
	level  int
	values []int
}

// A sharedForest is the forest for both sides, with the slots of their variables.
type sharedForest struct {
	codes  [2]*symbolic.Coding
	homes  [2][]slot
	values [2][][]int // by level, the values of its variable
	forest dd.Session
	means  []int   // by level, its number of meanings: the lowest values. All values after them mean nothing
	one    [][]int // by level, numbers of the values; those that mean nothing share one
}

// A level has meanings and variables, before it has a number.
type level struct {
	means  []int  // meanings of its values
	member [2]int // its variables; -1: none
}

// split codes both sides over variables that agree in the meanings of their places.
func (v *Versions) split(ctx context.Context, sense [2][]int) (codes [2]*symbolic.Coding) {
	at := [2]map[int]int{{}, {}} // variables, by meaning
	for side, c := range v.codes {
		for p, s := range sense[side] {
			if s >= 0 {
				at[side][s], _ = c.At(p)
			}
		}
	}
	for side, c := range v.codes {
		class := make([]int, len(sense[side]))
		for i := range c.Variables() {
			classify(c.Places(i), sense[side], at[1-side], class)
		}
		codes[side] = halt.Must(c.Split(ctx, class))
	}
	return codes
}

// classify gives each place of a variable the number of the other side's variable with the same meaning, or the number of the first
// neighbour that has one.
func classify(places, sense []int, other map[int]int, class []int) {
	first := -1
	for _, p := range places {
		if v, has := other[sense[p]]; sense[p] >= 0 && has {
			first = v
			break
		}
	}
	for _, p := range places {
		v, has := other[sense[p]]
		if sense[p] < 0 || !has {
			v = first
		}
		class[p] = v
	}
}

// levels returns the levels of the shared forest, without an order.
func levels(codes [2]*symbolic.Coding, sense [2][]int) []level {
	var list []level
	shared := map[int]int{} // by meaning
	for side, c := range codes {
		for i := range c.Variables() {
			at := len(list)
			for _, p := range c.Places(i) {
				if k, known := shared[sense[side][p]]; known {
					at = k
				}
			}
			if at == len(list) {
				list = append(list, level{member: [2]int{-1, -1}})
			}
			r := &list[at]
			r.member[side] = i
			for _, p := range c.Places(i) {
				if s := sense[side][p]; s >= 0 && !slices.Contains(r.means, s) {
					shared[s] = at
					r.means = append(r.means, s)
				}
			}
		}
	}
	return list
}

// fill creates the forest. Of the candidate orders of levels it takes the one in which relations span the fewest levels.
func (x *sharedForest) fill(ctx context.Context, rooms []level, sense [2][]int, limits dd.Limits) {
	at := [2][]int{make([]int, x.codes[Base].Variables()), make([]int, x.codes[Head].Variables())}
	for i, r := range rooms {
		for side, v := range r.member {
			if v >= 0 {
				at[side][v] = i
			}
		}
	}
	cost := -1
	var best []int
	for _, order := range halt.Must(symbolic.Orders(ctx, len(rooms), vertexes{at, len(rooms)}.near(x.codes))) {
		x.assign(rooms, order, sense)
		if _, _, c := related(ctx, x.codes, x.levels()); c >= 0 && (cost < 0 || c < cost) {
			cost, best = c, order
		}
	}
	sizes := x.assign(rooms, best, sense)
	if cost < 0 || slices.Max(append(sizes, 0)) > 1<<16 {
		halt.End(symbolic.ErrNotSymbolic)
	}
	x.forest = dd.New(sizes, limits).With(ctx)
}

// levels returns the level of each variable, by side.
func (x *sharedForest) levels() (level [2][]int) {
	for side, slots := range x.homes {
		for _, s := range slots {
			level[side] = append(level[side], s.level)
		}
	}
	return level
}

// assign numbers the levels in an order, bottom first, and returns their sizes.
func (h *sharedForest) assign(rooms []level, order []int, sense [2][]int) (sizes []int) {
	h.means, h.one = []int{0}, [][]int{nil}
	for side, c := range h.codes {
		h.homes[side], h.values[side] = make([]slot, c.Variables()), make([][]int, len(order)+1)
	}
	for level, at := range order {
		r := &rooms[at]
		size := len(r.means) + 1
		for side, v := range r.member {
			if v >= 0 {
				at := slot{level + 1, r.values(h.codes[side], v, sense[side], &size)}
				h.homes[side][v], h.values[side][at.level] = at, at.values
			}
		}
		one := distinct(size)
		for i := len(r.means); i < size; i++ {
			one[i] = len(r.means)
		}
		sizes, h.means, h.one = append(sizes, size), append(h.means, len(r.means)), append(h.one, one)
	}
	return sizes
}

// values returns the values of a variable at a level. Places that mean nothing increase size.
func (r *level) values(c *symbolic.Coding, v int, sense []int, size *int) []int {
	list := slices.Repeat([]int{len(r.means)}, c.Size(v))
	for i, p := range c.Places(v) {
		if sense[p] >= 0 {
			list[i] = slices.Index(r.means, sense[p])
			continue
		}
		list[i] = *size
		*size++
	}
	return list
}

// shared returns a relation over a side's variables with their values in the shared forest.
func (h *sharedForest) shared(side int, r dd.Relation) dd.Relation {
	values := h.values[side]
	return h.forest.Map(r, func(level int, p dd.Pair) dd.Pair {
		return dd.Pair{From: uint16(values[level][p.From]), To: uint16(values[level][p.To])}
	})
}

// initial returns the initial values of one side, by level from the bottom.
func (h *sharedForest) initial(side int) []int {
	values := slices.Clone(h.means[1:])
	for v, at := range h.homes[side] {
		values[at.level-1] = at.values[h.codes[side].Initial(v)]
	}
	return values
}
