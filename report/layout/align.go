package layout

import (
	"cmp"
	"slices"
)

// Distances across, in pixels.
const (
	nodeGap = 26 // between nodes
	bendGap = 8  // next to a bend
	lanePad = 14 // within a lane
	laneGap = 18 // between two
)

// align computes the coordinate of each vertex across the ranks, after Brandes and Köpf. Four times it forms blocks of vertices to be
// aligned, moves each as far as the order of the layers allows, and finally averages the four results. The borders of lanes are blocks from
// the first layer to the last.
func (s *canvas) align() {
	s.addBorders()
	conflicts := s.conflicts()
	var all [4][]int
	for i := range all {
		a := &alignment{canvas: s, conflicts: conflicts, upwards: i&1 == 0, flipped: i&2 != 0}
		all[i] = a.coordinates()
	}
	s.across = s.balanced(all)
}

// addBorders puts the borders of lanes into the layers: border k between the lanes k and k+1.
func (s *canvas) addBorders() {
	n := s.lanes.count() - 1
	var last []int
	for r, l := range s.layers {
		var here, layer []int
		for k := range n {
			v := vertex{kind: border, rank: r, lane: k, edge: -1}
			if k%2 == 0 {
				v.after = lanePad
			} else {
				v.before = lanePad
			}
			here = append(here, len(s.vertices))
			s.vertices = append(s.vertices, v)
			s.above, s.below = append(s.above, nil), append(s.below, nil)
		}
		at := 0
		for _, v := range l {
			for ; at < s.vertices[v].lane; at++ {
				layer = append(layer, here[at])
			}
			layer = append(layer, v)
		}
		s.layers[r] = append(layer, here[at:]...)
		for k := range last {
			s.connect(last[k], here[k])
		}
		last = here
	}
	s.number()
	for v := range s.vertices {
		for _, list := range [][]int{s.above[v], s.below[v]} {
			slices.SortFunc(list, func(a, b int) int { return cmp.Compare(s.vertices[a].pos, s.vertices[b].pos) })
		}
	}
}

// conflicts returns the segments that cross one between two bends, which has to be straight (step 1 of Brandes and Köpf).
func (s *canvas) conflicts() map[[2]int]bool {
	all := map[[2]int]bool{}
	for r := 1; r < len(s.layers); r++ {
		layer, left, from := s.layers[r], 0, 0
		for i, v := range layer {
			inner := s.inner(v)
			if inner < 0 && i < len(layer)-1 {
				continue
			}
			right := len(s.layers[r-1])
			if inner >= 0 {
				right = s.vertices[inner].pos
			}
			for _, w := range layer[from : i+1] {
				for _, u := range s.above[w] {
					at := s.vertices[u].pos
					if (at < left || right < at) && (s.vertices[u].kind == node || s.vertices[w].kind == node) {
						all[[2]int{u, w}] = true
					}
				}
			}
			left, from = right, i+1
		}
	}
	return all
}

// inner returns the bend before a bend, or -1.
func (s *canvas) inner(v int) int {
	if s.vertices[v].kind != node {
		for _, u := range s.above[v] {
			if s.vertices[u].kind != node {
				return u
			}
		}
	}
	return -1
}

// An alignment is one of the four passes.
type alignment struct {
	*canvas
	conflicts map[[2]int]bool
	upwards   bool // blocks are formed by the neighbours above
	flipped   bool // from the last to the first of a layer
	layers    [][]int
	pos       []int
	root      []int // by vertex: the first of its block
}

func (a *alignment) coordinates() []int {
	a.view()
	a.blocks()
	x := a.compact()
	if a.flipped {
		for i := range x {
			x[i] = -x[i]
		}
	}
	return x
}

// view arranges the layers in the order of the pass.
func (a *alignment) view() {
	a.layers = a.copyLayers()
	if !a.upwards {
		slices.Reverse(a.layers)
	}
	a.pos = make([]int, len(a.vertices))
	for _, l := range a.layers {
		if a.flipped {
			slices.Reverse(l)
		}
		for i, v := range l {
			a.pos[v] = i
		}
	}
}

// near returns the neighbours that a vertex may be aligned with, in the order of the pass.
func (a *alignment) near(v int) []int {
	list := a.below[v]
	if a.upwards {
		list = a.above[v]
	}
	if a.flipped {
		list = slices.Clone(list)
		slices.Reverse(list)
	}
	return list
}

// blocks aligns each vertex with a median of its neighbours (step 2 of Brandes and Köpf).
func (a *alignment) blocks() {
	a.root = make([]int, len(a.vertices))
	taken := make([]bool, len(a.vertices))
	for v := range a.root {
		a.root[v] = v
	}
	for _, l := range a.layers {
		last := -1
		for _, v := range l {
			near := a.near(v)
			for m := (len(near) - 1) / 2; len(near) > 0 && m <= len(near)/2; m++ {
				w := near[m]
				if a.root[v] == v && last < a.pos[w] && !taken[w] && !a.conflict(v, w) {
					a.root[v], taken[w], last = a.root[w], true, a.pos[w]
				}
			}
		}
	}
}

func (a *alignment) conflict(v, w int) bool {
	if a.upwards {
		v, w = w, v
	}
	return a.conflicts[[2]int{v, w}]
}

// A bound is the least distance from one block to another.
type bound struct{ from, to, least int }

// compact gives each block the least coordinate that the order allows, then moves it as close as possible to the blocks after it (as dagre
// does).
func (a *alignment) compact() []int {
	out, order := a.ordered(a.bounds())
	x := make([]int, len(a.vertices))
	for _, b := range order {
		for _, o := range out[b] {
			x[o.to] = max(x[o.to], x[b]+o.least)
		}
	}
	for _, b := range slices.Backward(order) {
		least := 1 << 60
		for _, o := range out[b] {
			least = min(least, x[o.to]-o.least)
		}
		if least < 1<<60 {
			x[b] = max(x[b], least)
		}
	}
	for v := range x {
		x[v] = x[a.root[v]]
	}
	return x
}

func (a *alignment) bounds() []bound {
	var all []bound
	for _, l := range a.layers {
		for i := 1; i < len(l); i++ {
			all = append(all, bound{a.root[l[i-1]], a.root[l[i]], a.distance(l[i-1], l[i])})
		}
	}
	for i, g := range a.lanes.order { // each lane is as wide as its head
		from, to := a.root[a.border(2*i)], a.root[a.border(2*i+1)]
		if a.flipped {
			from, to = to, from
		}
		all = append(all, bound{from, to, a.turn(bounded(a.g.Groups[g])).Height + 2*lanePad})
	}
	return all
}

// border returns border k in the first layer.
func (s *canvas) border(k int) int {
	for _, v := range s.layers[0] {
		if s.vertices[v].kind == border && s.vertices[v].lane == k {
			return v
		}
	}
	panic("layout: a lane has no border")
}

// distance returns the least distance between two neighbours v and w.
func (a *alignment) distance(v, w int) int {
	p, q := a.vertices[v], a.vertices[w]
	gap := bendGap
	switch {
	case p.kind == border && q.kind == border:
		gap = min(p.lane, q.lane) % 2 * laneGap // of one lane, or of two
	case p.kind == node && q.kind == node:
		gap = nodeGap
	}
	if a.flipped {
		p, q = q, p
	}
	return p.after + gap + q.before
}

// ordered returns the bounds from each block, and the blocks in topological order.
func (a *alignment) ordered(all []bound) (out [][]bound, order []int) {
	out = make([][]bound, len(a.vertices))
	in := make([]int, len(a.vertices))
	for _, b := range all {
		out[b.from] = append(out[b.from], b)
		in[b.to]++
	}
	for v := range a.vertices {
		if a.root[v] == v && in[v] == 0 {
			order = append(order, v)
		}
	}
	for at := 0; at < len(order); at++ {
		for _, b := range out[order[at]] {
			if in[b.to]--; in[b.to] == 0 {
				order = append(order, b.to)
			}
		}
	}
	return out, order
}

// balanced aligns the four results with the narrowest and returns, for each vertex, the mean of the middle two. This keeps distances that
// all four have.
func (s *canvas) balanced(all [4][]int) []int {
	var from, to [4]int
	narrow := 0
	for i, x := range all {
		from[i], to[i] = s.reach(x)
		if to[i]-from[i] < to[narrow]-from[narrow] {
			narrow = i
		}
	}
	for i, x := range all {
		by := from[narrow] - from[i]
		if i&2 != 0 {
			by = to[narrow] - to[i]
		}
		for v := range x {
			x[v] += by
		}
	}
	mean := make([]int, len(s.vertices))
	for v := range mean {
		four := []int{all[0][v], all[1][v], all[2][v], all[3][v]}
		slices.Sort(four)
		mean[v] = half(four[1] + four[2])
	}
	return mean
}

// half rounds down, so that what is apart stays so.
func half(n int) int { return n >> 1 }

// reach returns the extent of the vertices across.
func (s *canvas) reach(x []int) (from, to int) {
	from, to = 1<<60, -1<<60
	for v, at := range x {
		from, to = min(from, at-s.vertices[v].before), max(to, at+s.vertices[v].after)
	}
	return from, to
}
