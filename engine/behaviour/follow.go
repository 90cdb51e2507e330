package behaviour

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/product"
	"github.com/redlinehq/redline/engine/verify"
)

// A follower follows observations through a draft by the definitions of package petri: it keeps every marking that the draft can be in. It
// shares no code with the comparison of state models, so it can confirm its results: one draft has a sequence, and the other refuses its
// last step. The sets of markings are those of the subset construction (M. Rabin, D. Scott 1959, Finite automata and their decision
// problems).
type follower struct {
	*compile.Draft
	Seen   []int // observation of each composed transition; -1: none
	time   int   // observation of time that passes where no clock runs; -1: it doesn't
	notDue []int // see ticksRead
	left   int   // transitions that may still be tried

	number  map[string]int  // by markingKey
	marks   []petri.Marking // by number
	known   [][]move        // by number; nil: not computed yet
	visited []int           // by number, the round of the last visit
	round   int
	begin   crowd // start; nil: not computed yet

	owed    normView // observed of norms
	exact   normView // the same with ticks, to report it
	untimed bool     // time is hidden, and what one side alone has
	shifted int      // observation of a step that is otherwise silent and changes what is observed of norms; noShift: it is silent
}

// NewFollower returns a follower that observes nothing yet, and tries at most the given number of transitions. timeAction is that of time
// that passes where no clock runs, or -1.
func NewFollower(d *compile.Draft, timeAction, maxTries int) *follower {
	return &follower{Draft: d, Seen: slices.Repeat([]int{-1}, len(d.Net.Transitions)), time: timeAction, notDue: ticksRead(d.Net), number: map[string]int{}, left: maxTries}
}

// A move is one step from a marking.
type move struct {
	seen Observation
	to   int  // the number of a marking
	idle bool // only time passes, and no clock runs
}

// An Observation has what is observed of one step, sorted. It is empty if nothing is.
type Observation []int

// errTooFar is the error of a follower that would have to try more transitions than it may.
var errTooFar = errors.New("there are too many states to follow")

// A crowd is a set of markings, by number, each once.
type crowd []int

// numbered returns the number of a marking.
func (f *follower) numbered(m petri.Marking) int {
	key := markingKey(m)
	at, known := f.number[key]
	if !known {
		at = len(f.marks)
		f.number[key] = at
		f.marks, f.known, f.visited = append(f.marks, m), append(f.known, nil), append(f.visited, 0)
	}
	return at
}

// first marks a marking as visited in this round, and reports whether it was not.
func (f *follower) first(at int) bool {
	if f.visited[at] == f.round {
		return false
	}
	f.visited[at] = f.round
	return true
}

func markingKey(m petri.Marking) string {
	key := make([]byte, 0, 4*len(m))
	for _, p := range m {
		key = binary.LittleEndian.AppendUint32(key, uint32(p))
	}
	return string(key)
}

// start returns the markings that are possible before anything is observed.
func (f *follower) start() (crowd, error) {
	if f.begin != nil {
		return f.begin, nil
	}
	begin, err := f.silently(crowd{f.numbered(f.Present(f.Net.Initial))})
	if err == nil {
		f.begin = begin
	}
	return begin, err
}

// silently adds the markings that are reachable without an observation.
func (f *follower) silently(from crowd) (crowd, error) {
	f.round++
	for _, m := range from {
		f.first(m)
	}
	all := slices.Clone(from)
	for i := 0; i < len(all); i++ {
		moves, err := f.moves(all[i])
		if err != nil {
			return nil, err
		}
		for _, v := range moves {
			if len(v.seen) == 0 && f.first(v.to) {
				all = append(all, v.to)
			}
		}
	}
	return all, nil
}

// after returns the markings that are possible after one more step with the given observation.
func (f *follower) after(from crowd, seen Observation) (crowd, error) {
	var next crowd
	f.round++
	for _, m := range from {
		moves, err := f.moves(m)
		if err != nil {
			return nil, err
		}
		for _, v := range moves {
			if slices.Equal(v.seen, seen) && f.first(v.to) {
				next = append(next, v.to)
			}
		}
	}
	return f.silently(next)
}

// Along follows a whole sequence. refused is the index of the step that no marking allows, or the length of the sequence. end has the
// markings before that step. It fails if there is too much to try.
func (f *follower) Along(sequence []Observation) (end crowd, refused int, err error) {
	end, err = f.start()
	for i, seen := range sequence {
		if err != nil {
			return nil, 0, err
		}
		var next crowd
		if next, err = f.after(end, seen); err == nil && len(next) == 0 {
			return end, i, nil
		}
		end = next
	}
	return end, len(sequence), err
}

// next returns what can be observed next, sorted. With idle, time passing where no clock runs counts too.
func (f *follower) next(from crowd, idle bool) ([]Observation, error) {
	var list []Observation
	for _, m := range from {
		moves, err := f.moves(m)
		if err != nil {
			return nil, err
		}
		for _, v := range moves {
			if len(v.seen) == 0 || v.idle && !idle {
				continue
			}
			if at, known := slices.BinarySearchFunc(list, v.seen, slices.Compare[Observation]); !known {
				list = slices.Insert(list, at, v.seen)
			}
		}
	}
	return list, nil
}

// moves returns all steps from a marking.
func (f *follower) moves(at int) ([]move, error) {
	if f.known[at] != nil {
		return f.known[at], nil
	}
	m := f.marks[at]
	var able []int
	passes := f.time < 0 || waits(m, f.notDue) // a clock runs, or time can't pass beside the draft's clocks
	for t := range f.Net.Transitions {
		if f.Net.Fireable(m, t) {
			able = append(able, t)
			passes = passes || f.Net.Transitions[t].Moving
		}
	}
	if f.left -= len(f.Net.Transitions); f.left < 0 {
		return nil, errTooFar
	}
	moves, err := f.fire(at, able, passes)
	if err == nil {
		f.known[at] = moves
	}
	return moves, err
}

func (f *follower) fire(at int, able []int, passes bool) ([]move, error) {
	m, moves := f.marks[at], make([]move, 0, len(able)+1) // not nil
	err := f.steps(able, nil, func(step []int) {
		after, _ := f.Net.Fire(m, step) // no contact: the state model was explored
		moves = append(moves, move{f.shown(f.observe(step), m, after), f.numbered(f.Present(after)), false})
	})
	if !passes {
		moves = append(moves, move{Observation{f.time}, at, true})
	}
	return moves, err
}

// observe returns the observation of a step.
func (f *follower) observe(step []int) Observation {
	var seen Observation
	for _, t := range step {
		if f.Seen[t] >= 0 {
			seen = append(seen, f.Seen[t])
		}
	}
	slices.Sort(seen)
	return seen
}

// steps calls visit for every step that extends chosen by later transitions of able.
func (f *follower) steps(able, chosen []int, visit func(step []int)) error {
	if f.Rule == petri.One {
		for _, t := range able {
			visit([]int{t})
		}
		return nil
	}
	if f.left -= len(able) * len(able); f.left < 0 {
		return errTooFar
	}
	if len(chosen) > 0 && !slices.ContainsFunc(able, func(t int) bool { return !slices.Contains(chosen, t) && !f.competes(t, chosen) }) {
		visit(chosen)
		return nil
	}
	for _, t := range able {
		if (len(chosen) == 0 || t > chosen[len(chosen)-1]) && !f.competes(t, chosen) {
			longer := append(slices.Clone(chosen), t)
			if err := f.steps(able, longer, visit); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *follower) competes(t int, with []int) bool {
	return slices.ContainsFunc(with, func(u int) bool { return f.Net.Compete(t, u) })
}

// A readySet has the possible next observations from one marking. shown leaves out time that passes where no clock runs. silent reports
// that possibly nothing is ever observed.
type readySet struct {
	next, shown []Observation
	silent      bool
}

func (p readySet) equal(q readySet) bool {
	return p.silent == q.silent && slices.EqualFunc(p.next, q.next, slices.Equal[Observation])
}

func (f *follower) readySet(m int) (p readySet, err error) {
	around, err := f.silently(crowd{m})
	if err == nil {
		p.next, err = f.next(around, true)
	}
	if err == nil {
		p.shown, err = f.next(around, false)
	}
	p.silent = err == nil && f.circles(around)
	return p, err
}

// readySets returns the different ready sets of some markings, sorted.
func (f *follower) readySets(all crowd) ([]readySet, error) {
	var list []readySet
	for _, m := range all {
		p, err := f.readySet(m)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(list, p.equal) {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, compareReady)
	return list, nil
}

func compareReady(p, q readySet) int {
	return cmp.Or(slices.CompareFunc(p.next, q.next, slices.Compare[Observation]), cmp.Compare(verify.ZeroOrOne(p.silent), verify.ZeroOrOne(q.silent)))
}

// circles reports whether silent moves form a cycle among some markings. It removes markings without a silent move to the rest until none
// is left or nothing changes.
func (f *follower) circles(among crowd) bool {
	rest := map[int]bool{}
	for _, m := range among {
		rest[m] = true
	}
	for dropped := true; dropped; {
		dropped = false
		for m := range rest {
			if !slices.ContainsFunc(f.known[m], func(v move) bool { return len(v.seen) == 0 && rest[v.to] }) {
				delete(rest, m)
				dropped = true
			}
		}
	}
	return len(rest) > 0
}

// fulfilled reports whether those who bear an obligation can fulfil it from any of some markings by steps of their own, while it binds.
func (f *follower) fulfilled(by []product.Own, from []petri.Marking, binds func(petri.Marking) bool) (bool, error) {
	for _, own := range by {
		var queue crowd
		f.round++
		for _, m := range from {
			queue = append(queue, f.numbered(m))
		}
		for ; len(queue) > 0; queue = queue[1:] {
			if m := f.marks[queue[0]]; !f.first(queue[0]) || !binds(m) || !hasAll(m, own.While) {
				continue
			}
			done, next, err := f.perform(own, queue[0])
			if done || err != nil {
				return done, err
			}
			queue = append(queue, next...)
		}
	}
	return false, nil
}

// perform reports whether an obligation can be fulfilled in a marking, and returns what steps towards that lead to.
func (f *follower) perform(own product.Own, at int) (done bool, next crowd, err error) {
	m := f.marks[at]
	if f.left -= len(f.Net.Transitions); f.left < 0 {
		return false, nil, errTooFar
	}
	able := func(t int) bool { return f.Net.Fireable(m, t) }
	for _, t := range own.Steps {
		if able(t) {
			after, _ := f.Net.Fire(m, []int{t}) // no contact, as in fire
			next = append(next, f.numbered(f.Present(after)))
		}
	}
	acts := func(a product.Act) bool { return hasAll(m, a.While) && slices.ContainsFunc(a.By, able) }
	return slices.ContainsFunc(own.Done, m.Has) || slices.ContainsFunc(own.Acts, acts), next, nil
}

// hasAll reports whether all of some places are marked.
func hasAll(m petri.Marking, places []int) bool {
	return !slices.ContainsFunc(places, func(p int) bool { return !m.Has(p) })
}
