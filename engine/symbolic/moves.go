package symbolic

import (
	"maps"
	"slices"

	"github.com/redlinehq/redline/engine/petri"
)

// An atom says that a variable has a value.
type atom struct{ variable, value int }

// A choice is a list of conditions, each a conjunction of atoms. Its outcome is the number of the first condition that holds, from 1, or 0.
type choice [][]atom

// An effect is what the outcome of a choice does to one variable. Outcome 0 does nothing.
type effect struct {
	choice int
	at     int   // the value that the variable must have; anything: no value in particular
	to     []int // by outcome, the value that is marked; nowhere: none; still: the token stays
}

const (
	anything = -1
	nowhere  = -1
	still    = -2
)

// A program is what a transition with moves does to the variables: its arcs, and effects that depend on choices. Moves from one place are one
// choice. So the transition is one relation, of a size that depends on how many choices are open between two levels, and not on the number of
// ways in which all of them can go.
type program struct {
	arcs      []variableLocal
	choices   []choice
	effects   map[int][]effect // by variable
	variables []int            // that the transition changes or looks at, sorted
}

// program returns the program of a transition; ok is false if it can never fire.
func (e *encoding) program(t *petri.Transition) (p *program, ok bool) {
	arcs, ok := e.plain(t)
	if !ok {
		return nil, false
	}
	p = &program{arcs: arcs, effects: map[int][]effect{}}
	seen, known := map[int]bool{}, map[string]int{}
	for _, l := range arcs {
		seen[l.variable] = true
	}
	for moves := t.Moves; len(moves) > 0; {
		n := slices.IndexFunc(moves, func(v petri.Move) bool { return v.From != moves[0].From })
		if n < 0 {
			n = len(moves)
		}
		e.budget.By(8 * n)
		e.choose(p, moves[:n], known)
		moves = moves[n:]
	}
	for v := range p.effects {
		seen[v] = true
	}
	for _, c := range p.choices {
		for _, v := range c.asks() {
			seen[v] = true
		}
	}
	p.variables = slices.Sorted(maps.Keys(seen))
	e.budget.Take(64 * int64(len(t.Moves)+len(p.variables)))
	return p, true
}

// choose adds the moves from one place. If they are within its variable, choices with the same conditions are one, whichever places the moves
// start from.
func (e *encoding) choose(p *program, moves []petri.Move, known map[string]int) {
	from := moves[0].From
	within := !slices.ContainsFunc(moves, func(v petri.Move) bool { return e.of[v.To] != e.of[from] })
	var conditions choice
	var targets []int
	for _, v := range moves {
		places := v.If
		if !within {
			places = append(slices.Clone(v.If), from)
		}
		if condition, ok := e.atoms(places); ok {
			conditions, targets = append(conditions, condition), append(targets, v.To)
		}
	}
	if len(conditions) == 0 {
		return
	}
	key := conditions.key()
	number, again := known[key]
	if !again {
		number = len(p.choices)
		known[key], p.choices = number, append(p.choices, conditions)
	}
	e.affect(p, number, from, targets)
}

// affect adds what the outcomes of a choice do: take the token from a place, and mark one of the targets. A move from the place to itself is like
// outcome 0.
func (e *encoding) affect(p *program, choice, from int, targets []int) {
	moved := []int{e.of[from]}
	for _, q := range targets {
		if !slices.Contains(moved, e.of[q]) {
			moved = append(moved, e.of[q])
		}
	}
	for i, v := range moved {
		f := effect{choice: choice, at: anything, to: []int{nowhere}}
		if i == 0 {
			f.at, f.to[0] = e.at[from], still
		}
		for _, q := range targets {
			value := nowhere
			switch {
			case e.of[q] != v:
			case q == from:
				value = still
			default:
				value = e.at[q]
			}
			f.to = append(f.to, value)
		}
		p.effects[v] = append(p.effects[v], f)
	}
}

// atoms returns the atoms of a conjunction of places, sorted; ok is false if two values of one variable are asked for.
func (e *encoding) atoms(places []int) (list []atom, ok bool) {
	for _, q := range places {
		list = append(list, atom{e.of[q], e.at[q]})
	}
	slices.SortFunc(list, compareAtoms)
	list = slices.Compact(list)
	for i := 1; i < len(list); i++ {
		if list[i].variable == list[i-1].variable {
			return nil, false
		}
	}
	return list, true
}

func compareAtoms(a, b atom) int {
	if a.variable != b.variable {
		return a.variable - b.variable
	}
	return a.value - b.value
}

// key returns a text that is equal for equal choices.
func (c choice) key() string {
	var b []byte
	for _, condition := range c {
		for _, a := range condition {
			b = appendInt(appendInt(b, a.variable), a.value)
		}
		b = appendInt(b, -1)
	}
	return string(b)
}

func appendInt(b []byte, n int) []byte {
	return append(b, byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
}

// asks returns the variables that a choice depends on, with repetitions.
func (c choice) asks() (list []int) {
	for _, condition := range c {
		for _, a := range condition {
			list = append(list, a.variable)
		}
	}
	return list
}

// near returns the sets of variables that an order should keep together: each variable that moves, with those that this depends on.
func (p *program) near() [][]int {
	arcs := touched(p.arcs)
	sets := [][]int{arcs}
	for _, v := range slices.Sorted(maps.Keys(p.effects)) {
		for _, f := range p.effects[v] {
			set := slices.Concat(arcs, []int{v}, p.choices[f.choice].asks())
			slices.Sort(set)
			sets = append(sets, slices.Compact(set))
		}
	}
	slices.SortFunc(sets, slices.Compare)
	return slices.CompactFunc(sets, slices.Equal)
}
