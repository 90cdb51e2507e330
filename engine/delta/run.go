package delta

import "slices"

// shortest returns the arcs of a run of one side in which word is observed. It has the fewest arcs and, of these runs, the first labels. If
// ends is not nil, the run continues silently until ends holds for the class of its state in the view.
func (q *query) shortest(m *stepBudget, own side, word []uint32, ends func(class uint32) bool) ([]uint32, error) {
	w := &lift{query: q, stepBudget: m, word: word, ends: ends}
	last, err := w.search(own.start)
	if err != nil {
		return nil, err
	}
	var path []move
	for i := last; i > 0; i = int(w.moves[i].before) {
		path = append(path, w.moves[i])
	}
	slices.Reverse(path)
	return own.arcs(path), nil
}

// A move is a step in the reduced pair: by an arc of this label, under the pair's own labels, to this class.
type move struct{ before, label, class uint32 }

// A lift searches the reduced pair for a run. Its bunches are the moves that end after the same labels, in order of length, then of labels.
type lift struct {
	*query
	*stepBudget
	word    []uint32
	ends    func(class uint32) bool
	moves   []move // the first one is the initial state
	bunches []bunch
	met     numbers // keys of the observed length of the word, and class
	steps   []hop
}

// A bunch is a range of moves, with the observed length of the word.
type bunch struct {
	span
	done int
}

// A hop is an arc of the reduced pair from one of the moves.
type hop struct{ label, class, before uint32 }

// search returns the move with which the run ends.
func (w *lift) search(start uint32) (int, error) {
	w.moves = []move{{class: start}}
	w.bunches = []bunch{{span{0, 1}, 0}}
	if w.over(start, 0) {
		return 0, nil
	}
	for i := 0; i < len(w.bunches); i++ {
		if last := w.expand(w.bunches[i]); last > 0 {
			return last, nil
		}
		from := w.bunches[i].span
		if err := w.stepBudget.claim(36 * int(from.to-from.from)); err != nil {
			return 0, err
		}
		if err := w.stepBudget.tick(len(w.steps)); err != nil {
			return 0, err
		}
	}
	panic("delta: a word that was found has no run")
}

// over reports whether the run can end in class after done letters of the word.
func (w *lift) over(class uint32, done int) bool {
	return done == len(w.word) && (w.ends == nil || w.ends(w.view.class[class]))
}

// expand adds the bunches after b, and returns the first move that ends the run, or 0.
func (w *lift) expand(b bunch) int {
	w.hops(b)
	for i, h := range w.steps {
		done := b.done
		if w.seen(h.label) != Silent {
			done++
		}
		if i == 0 || w.steps[i-1].label != h.label {
			w.bunches = append(w.bunches, bunch{span{uint32(len(w.moves)), uint32(len(w.moves))}, done})
		}
		if w.met.add(uint64(done)<<32 | uint64(h.class)) {
			w.moves = append(w.moves, move{h.before, h.label, h.class})
			w.bunches[len(w.bunches)-1].to++
			if w.over(h.class, done) {
				return len(w.moves) - 1
			}
		}
	}
	return 0
}

// hops collects the arcs after b that are silent or continue the word, sorted.
func (w *lift) hops(b bunch) {
	w.steps = w.steps[:0]
	s := w.pair.sys
	for i := b.from; i < b.to; i++ {
		class := w.moves[i].class
		for a := s.First[class]; a < s.First[class+1]; a++ {
			if l := w.seen(s.Label[a]); l == Silent || b.done < len(w.word) && l == w.word[b.done] {
				w.steps = append(w.steps, hop{s.Label[a], s.Target[a], i})
			}
		}
	}
	slices.SortFunc(w.steps, func(x, y hop) int {
		return slices.Compare([]uint32{x.label, x.class, x.before}, []uint32{y.label, y.class, y.before})
	})
}

// seen returns the observation of a label.
func (w *lift) seen(label uint32) uint32 {
	if w.of.Relabel == nil {
		return label
	}
	return w.of.Relabel[label]
}

// arcs follows a path of the reduced pair from state 0, and returns its arcs. All states of a class have the same arcs to classes, so the
// path can be followed from any of them.
func (own side) arcs(path []move) []uint32 {
	state, arcs := uint32(0), make([]uint32, 0, len(path))
	for _, m := range path {
		a := own.sys.First[state]
		for own.sys.Label[a] != m.label || own.class[own.sys.Target[a]] != m.class {
			a++
		}
		arcs = append(arcs, a)
		state = own.sys.Target[a]
	}
	return arcs
}
