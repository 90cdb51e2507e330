package petri

import "slices"

// This file says what firing means, word for word from the definitions and with no thought of
// speed. It shares nothing with package space, so that each can be held against the other.

// Has reports whether the place is marked.
func (m Marking) Has(place int) bool {
	_, ok := slices.BinarySearch(m, place)
	return ok
}

// Fireable reports whether every input and read place of transition t is marked, and something
// moves where it must.
func (n *Net) Fireable(m Marking, t int) bool {
	of := &n.Transitions[t]
	return subset(of.In, m) && subset(of.Read, m) && (!of.Moving || n.moves(m, t))
}

// Fire fires the transitions ts together, which must be a step of m (see IsStep): it unmarks the
// inputs, then marks the outputs and the history places. Contact is -1, or else the first place, in the order of ts and
// of their outputs, that was marked already in m or that two transitions of ts produce; there is
// no marking then.
func (n *Net) Fire(m Marking, ts []int) (after Marking, contact int) {
	produced, consumed := Marking{}, Marking{}
	for _, t := range ts {
		unmarked, marked := n.effects(m, t)
		for _, p := range marked {
			if m.Has(p) && !slices.Contains(unmarked, p) || slices.Contains(produced, p) {
				return nil, p
			}
			produced = append(produced, p)
		}
		consumed = append(consumed, unmarked...)
	}
	after = slices.DeleteFunc(slices.Clone(m), func(p int) bool { return slices.Contains(consumed, p) })
	after = append(after, produced...)
	for _, t := range ts {
		after = append(after, n.Transitions[t].Marks...)
	}
	slices.Sort(after)
	return slices.Compact(after), -1
}

// Compete reports whether transitions t and u need a token of the same place. A read uses its
// token like an input, and a move those it may depend on and its place to go to, whether or not it applies:
// so events that concern one obligation, whatever they do to it, happen one after the other.
func (n *Net) Compete(t, u int) bool { return n.Contested(t, u) >= 0 }

// Contested returns the first place for which transitions t and u compete; -1 if they don't.
func (n *Net) Contested(t, u int) int {
	uses, others := n.uses(t), n.uses(u)
	if i := slices.IndexFunc(uses, func(p int) bool { return slices.Contains(others, p) }); i >= 0 {
		return uses[i]
	}
	return -1
}

// IsStep reports whether the sorted transitions ts are what rule r lets fire at once in m: one
// fireable transition, or a maximal non-empty set of fireable ones of which no two compete.
func (n *Net) IsStep(m Marking, r Rule, ts []int) bool {
	if len(ts) == 0 || !slices.IsSorted(ts) || !n.independent(m, ts) {
		return false
	}
	return r == One && len(ts) == 1 || r == All && n.maximal(m, ts)
}

// MustFindTransition returns the first transition that leads from one marking to another. It panics if none does.
func (n *Net) MustFindTransition(from, to Marking) int {
	for t := range n.Transitions {
		if n.Fireable(from, t) {
			if after, contact := n.Fire(from, []int{t}); contact < 0 && slices.Equal(after, to) {
				return t
			}
		}
	}
	panic("petri: no transition between consecutive markings of a run")
}

// Steps lists what rule r lets fire at once in m, in lexicographic order; none in a dead end.
// Under All its cost is exponential in the number of fireable transitions.
func (n *Net) Steps(m Marking, r Rule) [][]int {
	steps := [][]int{}
	var extend func(ts []int)
	extend = func(ts []int) {
		if n.IsStep(m, r, ts) {
			steps = append(steps, slices.Clone(ts))
		}
		if r == One && len(ts) == 1 {
			return // a step has no more
		}
		first := 0
		if len(ts) > 0 {
			first = ts[len(ts)-1] + 1
		}
		for t := first; t < len(n.Transitions); t++ {
			if longer := append(slices.Clone(ts), t); n.independent(m, longer) {
				extend(longer)
			}
		}
	}
	extend(nil)
	return steps
}

// independent reports whether all of ts, each once, are fireable in m and no two compete.
func (n *Net) independent(m Marking, ts []int) bool {
	for i, t := range ts {
		if t < 0 || t >= len(n.Transitions) || !n.Fireable(m, t) {
			return false
		}
		for _, u := range ts[:i] {
			if t == u || n.Compete(t, u) {
				return false
			}
		}
	}
	return true
}

// maximal reports whether every fireable transition outside ts competes with one of ts.
func (n *Net) maximal(m Marking, ts []int) bool {
	for t := range n.Transitions {
		competes := func(u int) bool { return n.Compete(t, u) }
		if n.Fireable(m, t) && !slices.Contains(ts, t) && !slices.ContainsFunc(ts, competes) {
			return false
		}
	}
	return true
}

func (n *Net) uses(t int) []int {
	uses := slices.Concat(n.Transitions[t].In, n.Transitions[t].Read)
	for _, v := range n.Transitions[t].Moves {
		uses = append(append(uses, v.From, v.To), v.If...)
	}
	return uses
}

func subset(places []int, m Marking) bool {
	for _, p := range places {
		if !m.Has(p) {
			return false
		}
	}
	return true
}
