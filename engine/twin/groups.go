package twin

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/space"
)

// Markings of both sides in one forest. What they are compared by has levels that both share: each a set of meanings of which at most one
// holds in a marking, on either side. So places of one variable must be of one variable on the other side, too, and variables are split where they
// are not. What means nothing has levels that one side has alone.

// A home is where a variable is in the common forest, and what its values are there.
type home struct {
	level  int
	values []int
}

// A house is the common forest and where the variables of either side are.
type house struct {
	codes   [2]*space.Coding
	homes   [2][]home
	forest  *dd.Forest
	private []bool // by level
	none    []int  // by level, the value that says that nothing holds; 0 on a private one
}

// A room is a level before it has one.
type room struct {
	means  []int  // of a shared one, what its values mean
	member [2]int // the variables there, -1: none
	size   int
}

// split codes both sides over variables that agree in what their places mean.
func (v *Versions) split(ctx context.Context, sense [2][]int) (codes [2]*space.Coding, err error) {
	at := [2]map[int]int{{}, {}} // by meaning, the variable
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
		if codes[side], err = c.Split(ctx, class); err != nil {
			return codes, err
		}
	}
	return codes, nil
}

// classify gives the places of a variable that mean something the number of the other side's variable, from 1; where that has
// nothing of the kind, that of the first of their neighbours.
func classify(places, sense []int, other map[int]int, class []int) {
	first := -1
	for _, p := range places {
		if v, has := other[sense[p]]; sense[p] >= 0 && has {
			first = v
			break
		}
	}
	for _, p := range places {
		if sense[p] < 0 {
			continue
		}
		v, has := other[sense[p]]
		if !has {
			v = first
		}
		class[p] = v + 2
	}
}

// rooms lists the levels to be, in no order yet.
func (v *Versions) rooms(codes [2]*space.Coding, sense [2][]int) []room {
	var list []room
	shared := map[int]int{} // by meaning
	for side, c := range codes {
		for i := range c.Variables() {
			places := c.Places(i)
			if sense[side][places[0]] < 0 {
				r := room{member: [2]int{-1, -1}, size: c.Size(i)}
				r.member[side] = i
				list = append(list, r)
				continue
			}
			at := len(list)
			for _, p := range places {
				if k, known := shared[sense[side][p]]; known {
					at = k
				}
			}
			if at == len(list) {
				list = append(list, room{member: [2]int{-1, -1}})
			}
			r := &list[at]
			r.member[side] = i
			for _, p := range places {
				if s := sense[side][p]; !slices.Contains(r.means, s) {
					shared[s] = at
					r.means = append(r.means, s)
				}
			}
			r.size = len(r.means) + 1
		}
	}
	return list
}

// furnish makes the forest: of the candidates for an order of the levels the one in which relations go down the fewest.
func (x *house) furnish(ctx context.Context, rooms []room, sense [2][]int, bytes int64) error {
	at := [2][]int{make([]int, x.codes[Base].Variables()), make([]int, x.codes[Head].Variables())}
	for i, r := range rooms {
		for side, v := range r.member {
			if v >= 0 {
				at[side][v] = i
			}
		}
	}
	var touched [][]int
	for side, c := range x.codes {
		for _, d := range c.Deeds {
			var list []int
			for _, l := range d.Locals {
				list = append(list, at[side][l.Variable])
			}
			touched = append(touched, list)
		}
	}
	cost := -1
	var best []int
	orders, err := space.Orders(ctx, len(rooms), touched)
	if err != nil {
		return err
	}
	for _, order := range orders {
		x.assign(rooms, order, sense)
		var relations dd.Relations
		for side, c := range x.codes {
			for _, d := range c.Deeds {
				relations.Chain(sorted(x.locals(side, d.Locals)))
			}
		}
		if c := relations.Cost(); cost < 0 || c < cost {
			cost, best = c, order
		}
	}
	x.forest = dd.New(x.assign(rooms, best, sense), dd.Limits{Bytes: bytes})
	return nil
}

// assign gives the rooms levels in an order, bottom first, and returns their sizes.
func (h *house) assign(rooms []room, order []int, sense [2][]int) (sizes []int) {
	h.private, h.none = make([]bool, len(order)+1), make([]int, len(order)+1)
	for side, c := range h.codes {
		h.homes[side] = make([]home, c.Variables())
	}
	for i, at := range order {
		r := &rooms[at]
		sizes = append(sizes, r.size)
		h.private[i+1] = r.means == nil
		if r.means != nil {
			h.none[i+1] = len(r.means)
		}
		for side, v := range r.member {
			if v >= 0 {
				h.homes[side][v] = home{i + 1, r.values(h.codes[side], v, sense[side])}
			}
		}
	}
	return sizes
}

// values of a variable in a room.
func (r *room) values(c *space.Coding, v int, sense []int) []int {
	list := make([]int, c.Size(v))
	for i := range list {
		list[i] = i
	}
	if r.means == nil {
		return list
	}
	for i := range list {
		list[i] = len(r.means)
	}
	for i, p := range c.Places(v) {
		list[i] = slices.Index(r.means, sense[p])
	}
	return list
}

// locals of a deed of one side in the common forest.
func (h *house) locals(side int, list []space.VariableLocal) []dd.Local {
	var all []dd.Local
	for _, l := range list {
		at := h.homes[side][l.Variable]
		local := dd.Local{Level: at.level}
		for _, p := range l.Pairs {
			local.Pairs = append(local.Pairs, dd.Pair{From: uint16(at.values[p.From]), To: uint16(at.values[p.To])})
		}
		all = append(all, local)
	}
	return all
}

// initial values of one side, by level from the bottom.
func (h *house) initial(side int) []int {
	values := slices.Clone(h.none[1:])
	for v, at := range h.homes[side] {
		values[at.level-1] = at.values[h.codes[side].Initial(v)]
	}
	return values
}
