package layout

import (
	"cmp"
	"slices"
)

// Limits of the search for an order with few crossings.
const (
	orderSweeps = 24
	patience    = 4         // sweeps without gain
	orderWork   = 8_000_000 // vertices and segments looked at
	swapWork    = 4_000_000
)

// order searches for an order of each layer with few crossings: by medians of the neighbours, alternately down and up (Gansner et al. 1993,
// section 3), then by exchanging neighbours. Vertices stay in the order of their lanes.
func (s *canvas) order() {
	s.makeLayers()
	segments := 0
	for _, list := range s.below {
		segments += len(list)
	}
	sweeps := min(orderSweeps, max(2, orderWork/(len(s.vertices)+segments+1)))
	best, order := s.crossings(), s.copyLayers()
	worse := 0
	for i := 0; i < sweeps && best > 0 && worse < patience; i++ {
		s.sweep(i%2 == 0)
		if len(s.vertices)+segments < swapWork/400 {
			s.exchange()
		}
		if now := s.crossings(); now < best {
			best, order, worse = now, s.copyLayers(), 0
		} else {
			worse++
		}
	}
	s.layers = order
	s.number()
}

// makeLayers fills the layers in the order in which a search from the first layer meets vertices.
func (s *canvas) makeLayers() {
	ranks := 0
	for _, v := range s.vertices {
		ranks = max(ranks, v.rank+1)
	}
	s.layers = make([][]int, ranks)
	met := make([]bool, len(s.vertices))
	for v := range s.vertices {
		if s.vertices[v].kind == node && !met[v] {
			s.meet(v, met)
		}
	}
	for _, l := range s.layers {
		slices.SortStableFunc(l, func(v, w int) int { return cmp.Compare(s.vertices[v].lane, s.vertices[w].lane) })
	}
	s.number()
}

func (s *canvas) meet(v int, met []bool) {
	met[v] = true
	for queue := []int{v}; len(queue) > 0; queue = queue[1:] {
		v := queue[0]
		r := s.vertices[v].rank
		s.layers[r] = append(s.layers[r], v)
		for _, list := range [][]int{s.below[v], s.above[v]} {
			for _, w := range list {
				if !met[w] {
					met[w], queue = true, append(queue, w)
				}
			}
		}
	}
}

func (s *canvas) number() {
	for _, l := range s.layers {
		for i, v := range l {
			s.vertices[v].pos = i
		}
	}
}

func (s *canvas) copyLayers() [][]int {
	all := make([][]int, len(s.layers))
	for i, l := range s.layers {
		all[i] = slices.Clone(l)
	}
	return all
}

// sweep orders each layer by the one before it, or upwards by the one after it.
func (s *canvas) sweep(down bool) {
	medians := make([]int, len(s.vertices))
	for i := range s.layers {
		near, r := s.above, i
		if !down {
			near, r = s.below, len(s.layers)-1-i
		}
		for _, v := range s.layers[r] {
			medians[v] = s.median(near[v])
		}
		s.sortLanes(s.layers[r], medians)
		for i, v := range s.layers[r] {
			s.vertices[v].pos = i
		}
	}
}

// median returns twice the median position of the neighbours, weighted as by Gansner et al., or -1 without neighbours.
func (s *canvas) median(near []int) int {
	at := make([]int, len(near))
	for i, w := range near {
		at[i] = s.vertices[w].pos
	}
	slices.Sort(at)
	switch n := len(at); {
	case n == 0:
		return -1
	case n%2 == 1:
		return 2 * at[n/2]
	case n == 2:
		return at[0] + at[1]
	default:
		left, right := at[n/2-1]-at[0], at[n-1]-at[n/2]
		if left+right == 0 {
			return at[n/2-1] + at[n/2]
		}
		return 2 * (at[n/2-1]*right + at[n/2]*left) / (left + right)
	}
}

// sortLanes sorts within lanes. Vertices without neighbours keep their position.
func (s *canvas) sortLanes(layer, medians []int) {
	for from := 0; from < len(layer); {
		to := from + 1
		for to < len(layer) && s.vertices[layer[to]].lane == s.vertices[layer[from]].lane {
			to++
		}
		sortSome(layer[from:to], medians)
		from = to
	}
}

func sortSome(list, medians []int) {
	var some []int
	for _, v := range list {
		if medians[v] >= 0 {
			some = append(some, v)
		}
	}
	slices.SortStableFunc(some, func(v, w int) int { return cmp.Compare(medians[v], medians[w]) })
	for i, v := range list {
		if medians[v] >= 0 {
			list[i], some = some[0], some[1:]
		}
	}
}

// exchange swaps neighbours in a layer as long as that removes crossings.
func (s *canvas) exchange() {
	for range patience {
		gained := false
		for _, l := range s.layers {
			for i := 1; i < len(l); i++ {
				if s.vertices[l[i-1]].lane == s.vertices[l[i]].lane && s.gain(l[i-1], l[i]) > 0 {
					l[i-1], l[i] = l[i], l[i-1]
					s.vertices[l[i-1]].pos, s.vertices[l[i]].pos = i-1, i
					gained = true
				}
			}
		}
		if !gained {
			return
		}
	}
}

// gain returns how many crossings putting w before v removes.
func (s *canvas) gain(v, w int) int {
	return s.crossed(s.above[v], s.above[w]) + s.crossed(s.below[v], s.below[w])
}

// crossed returns how often the edges to a cross those to b, minus the crossings in the opposite order.
func (s *canvas) crossed(a, b []int) int {
	if len(a)*len(b) > 4096 {
		return 0 // too much work for what it gains
	}
	n := 0
	for _, i := range a {
		for _, j := range b {
			n += cmp.Compare(s.vertices[i].pos, s.vertices[j].pos)
		}
	}
	return n
}

// crossings returns the number of crossings, after W. Barth, M. Jünger, P. Mutzel (2002), Simple and efficient bilayer cross counting.
func (s *canvas) crossings() int {
	sum := 0
	for r := 1; r < len(s.layers); r++ {
		tree := make([]int, len(s.layers[r])+1)
		var ends []int
		for _, v := range s.layers[r-1] {
			from := len(ends)
			for _, w := range s.below[v] {
				ends = append(ends, s.vertices[w].pos)
			}
			slices.Sort(ends[from:])
		}
		for i, p := range ends {
			sum += i
			for at := p + 1; at > 0; at -= at & -at { // those that end no further right
				sum -= tree[at]
			}
			for at := p + 1; at < len(tree); at += at & -at {
				tree[at]++
			}
		}
	}
	return sum
}
