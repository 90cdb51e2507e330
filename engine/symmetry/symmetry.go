package symmetry

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"
	"sync"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
)

// A Net is a net with what is needed to find its exchanges. It is safe for concurrent use.
type Net struct {
	net      *petri.Net
	marked   []bool
	at       map[petri.Place]int // -1: several places have the name
	named    map[string][]int    // by index in brackets: the places with it in their names
	touching [][]int             // by place, the transitions with an arc there
	class    []int               // by transition: those with the same arcs share a class
	classOf  map[string]int      // by the arcs
	members  []int               // by class, how many transitions it has
	mu       sync.Mutex
	found    map[[2]string]*exchange
}

// New returns a net whose exchanges can be found. Cost: the size of the net.
func New(n *petri.Net) *Net {
	s := &Net{net: n, marked: make([]bool, len(n.Places)), at: map[petri.Place]int{}, named: map[string][]int{}, touching: make([][]int, len(n.Places)),
		classOf: map[string]int{}, found: map[[2]string]*exchange{}}
	for _, p := range n.Initial {
		s.marked[p] = true
	}
	for i, p := range n.Places {
		if _, taken := s.at[p]; taken {
			s.at[p] = -1
		} else {
			s.at[p] = i
		}
		enter(s.named, i, p.Net, p.Name)
	}
	for t := range n.Transitions {
		key := arcs(&n.Transitions[t], func(p int) int { return p })
		class, known := s.classOf[key]
		if !known {
			class = len(s.members)
			s.classOf[key], s.members = class, append(s.members, 0)
		}
		s.class = append(s.class, class)
		s.members[class]++
		for _, p := range touched(&n.Transitions[t]) {
			s.touching[p] = append(s.touching[p], t)
		}
	}
	return s
}

// enter adds an element to those with each index in its names.
func enter(named map[string][]int, element int, names ...string) {
	for _, index := range indices(names...) {
		if list := named[index]; len(list) == 0 || list[len(list)-1] != element {
			named[index] = append(list, element)
		}
	}
}

// indices returns the indices in names, with their brackets.
func indices(names ...string) (list []string) {
	for _, name := range names {
		for {
			_, after, ok := strings.Cut(name, "[")
			index, rest, closed := strings.Cut(after, "]")
			if !ok || !closed {
				break
			}
			list, name = append(list, "["+index+"]"), rest
		}
	}
	return list
}

// touched returns the places on arcs and moves of a transition, each once.
func touched(t *petri.Transition) []int {
	list := slices.Concat(t.In, t.Out, t.Read, t.Marks)
	for _, m := range t.Moves {
		list = append(append(list, m.From, m.To), m.If...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// arcs returns what a transition does and needs, with places mapped, as a key.
func arcs(t *petri.Transition, to func(int) int) string {
	var key []byte
	list := func(places []int) {
		mapped := make([]int, len(places))
		for i, p := range places {
			mapped[i] = to(p)
		}
		slices.Sort(mapped)
		key = binary.AppendUvarint(key, uint64(len(mapped)))
		for _, p := range mapped {
			key = binary.AppendUvarint(key, uint64(p))
		}
	}
	for _, places := range [][]int{t.In, t.Out, t.Read, t.Marks} {
		list(places)
	}
	moves := slices.Clone(t.Moves) // those from one place keep their order: the first that applies counts
	slices.SortStableFunc(moves, func(a, b petri.Move) int { return cmp.Compare(to(a.From), to(b.From)) })
	for _, m := range moves {
		list([]int{m.From})
		list([]int{m.To})
		list(m.If)
	}
	if t.Moving {
		key = append(key, 0)
	}
	return string(key)
}

// An exchange is an automorphism of a net that is its own inverse.
type exchange struct {
	net     *Net
	rename  *strings.Replacer
	index   [2]string   // in brackets
	places  map[int]int // those that it moves
	classes map[int]int // of transitions, likewise
}

// Place returns the image of a place.
func (x *exchange) Place(p int) int { return image(x.places, p) }

// Between returns an exchange that maps one formula to the other, or nil if none is found. Both must be resolved, without quantifiers.
// It is sought by the first place in which they differ.
func (s *Net) Between(f, g *ctl.Formula) *exchange {
	from, to := differ(f, g)
	if from < 0 || max(from, to) >= len(s.net.Places) {
		return nil
	}
	a, b := s.net.Places[from], s.net.Places[to]
	i, j := indices(a.Net, a.Name), indices(b.Net, b.Name)
	for k := range min(len(i), len(j)) {
		if i[k] == j[k] {
			continue
		}
		family, _, _ := strings.Cut(a.Net, "[")
		for _, x := range s.suggested(family, i[k], j[k]) {
			if x.maps(f, g) {
				return x
			}
		}
		return nil
	}
	return nil
}

// suggested returns the exchanges of two indices, in all names and in those of a family alone, as far as they are automorphisms.
func (s *Net) suggested(family, i, j string) (list []*exchange) {
	for _, names := range [][2]string{{i, j}, {family + i, family + j}} {
		if x := s.exchange(names); x != nil {
			list = append(list, x)
		}
	}
	return list
}

// Parties returns the exchanges of two instances of one family, by their names.
func (s *Net) Parties(a, b string) []*exchange {
	family, _, _ := strings.Cut(a, "[")
	i, j := indices(a), indices(b)
	if len(i) != 1 || len(j) != 1 || i[0] == j[0] || a != family+i[0] || b != family+j[0] {
		return nil
	}
	return s.suggested(family, i[0], j[0])
}

// Transitions returns the image of each transition. Of those with the same arcs, the first is mapped to the first.
func (x *exchange) Transitions() []int {
	of := make([][]int, len(x.net.members))
	for t, class := range x.net.class {
		of[class] = append(of[class], t)
	}
	list, next := make([]int, len(x.net.class)), make([]int, len(of))
	for t, class := range x.net.class {
		list[t] = of[image(x.classes, class)][next[class]]
		next[class]++
	}
	return list
}

// exchange returns the exchange of two names that end with an index, or nil if that is no automorphism.
func (s *Net) exchange(names [2]string) *exchange {
	s.mu.Lock()
	defer s.mu.Unlock()
	x, known := s.found[names]
	if !known {
		x = s.verified(names)
		s.found[names] = x
	}
	return x
}

// verified maps each place with one of the names, then each transition there. It returns nil if the image of one does not exist.
func (s *Net) verified(names [2]string) *exchange {
	x := &exchange{net: s, rename: strings.NewReplacer(names[0], names[1], names[1], names[0]), places: map[int]int{}, classes: map[int]int{}}
	for i, name := range names {
		x.index[i] = name[strings.Index(name, "["):]
		for _, p := range s.named[x.index[i]] {
			from := s.net.Places[p]
			image := petri.Place{Net: x.rename.Replace(from.Net), Name: x.rename.Replace(from.Name)}
			if image == from {
				continue
			}
			to, known := s.at[image]
			if !known || to < 0 || s.at[from] < 0 || s.marked[p] != s.marked[to] {
				return nil
			}
			x.places[p] = to
		}
	}
	for p := range x.places {
		for _, t := range s.touching[p] {
			class := s.class[t]
			if _, known := x.classes[class]; known {
				continue
			}
			to, known := s.classOf[arcs(&s.net.Transitions[t], x.Place)]
			if !known || s.members[class] != s.members[to] {
				return nil
			}
			x.classes[class] = to
		}
	}
	return x
}

// differ returns the first places in which two formulas of one shape differ; -1 if there are none.
func differ(f, g *ctl.Formula) (from, to int) {
	f, g = meaning(f), meaning(g)
	if f == nil || g == nil || f.Op != g.Op {
		return -1, -1
	}
	if f.Op == ctl.Atom {
		a, b := placesOf(f), placesOf(g)
		for i := range min(len(a), len(b)) {
			if a[i] != b[i] {
				return a[i], b[i]
			}
		}
		return -1, -1
	}
	if from, to = differ(f.Left, g.Left); from >= 0 {
		return from, to
	}
	return differ(f.Right, g.Right)
}

// placesOf returns the places of an atom.
func placesOf(f *ctl.Formula) (list []int) {
	if f.Sum == nil {
		return []int{f.Place}
	}
	for _, w := range f.Sum.Weights {
		list = append(list, w.Place)
	}
	return list
}

// meaning returns the formula that is labelled for f.
func meaning(f *ctl.Formula) *ctl.Formula {
	for f != nil && f.Means != nil {
		f = f.Means
	}
	return f
}

// maps reports whether the exchange maps one formula to another of the same shape.
func (x *exchange) maps(f, g *ctl.Formula) bool {
	f, g = meaning(f), meaning(g)
	switch {
	case f == nil || g == nil:
		return f == g
	case f.Op != g.Op || f.Op == ctl.Atom && (f.Sum == nil) != (g.Sum == nil):
		return false
	case f.Op == ctl.Atom && f.Sum != nil:
		return x.mapsSum(f.Sum, g.Sum)
	case f.Op == ctl.Atom:
		return x.Place(f.Place) == g.Place
	}
	return x.maps(f.Left, g.Left) && x.maps(f.Right, g.Right)
}

func (x *exchange) mapsSum(f, g *ctl.Sum) bool {
	if f.Most != g.Most || len(f.Weights) != len(g.Weights) {
		return false
	}
	mapped := slices.Clone(f.Weights)
	for i := range mapped {
		mapped[i].Place = x.Place(mapped[i].Place)
	}
	slices.SortFunc(mapped, func(a, b ctl.Weight) int { return cmp.Compare(a.Place, b.Place) })
	return slices.Equal(mapped, g.Weights)
}
