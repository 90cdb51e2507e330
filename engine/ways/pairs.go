package ways

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// A Side is one of the two state models, with its formula.
type Side struct {
	Net     *petri.Net
	Graph   *space.Graph
	Formula *ctl.Formula            // in the names of this side, resolved
	Labels  *ctl.Checker[space.Set] // on the runs that count
	Acts    [][]int                 // transitions of each party that is assumed to make progress
	Barred  [][]int                 // by transition, places: where runs may stop, a firing that moves a token there is no act
}

// A Question asks for a way of head to violate its formula that base does not have.
type Question struct {
	Head, Base Side
	Same       [][]int // by transition of head, the same ones of base; none: it is hidden from base
	Apart      []bool  // by transition of head: its nets are separate from all others, and base has none that is the same
	Between    func(from, to petri.Marking) []int
	MaxPairs   int             // pairs of states, and the steps between them; 0: no limit
	MaxWithin  int             // the same within a run, where a lesser one is looked for; 0: no limit. If there are more, that run is shown
	Alone      bool            // every way of head is wanted, whatever base does
	Stops      bool            // runs may stop for good where no transition of Acts can happen
	Named      []*ctl.Evidence // runs of head, as NewViolation returned them: runs that match one are not wanted
}

// ErrTooManyPairs is the error that the graph of pairs is larger than MaxPairs.
var ErrTooManyPairs = errors.New("too many pairs of states of both versions")

// lost is the state of base in pairs in which it did not follow.
const lost = ^uint32(0)

// A kind is how a step of head appears to base.
type kind uint8

const (
	common kind = iota // base takes it, or is lost
	hidden
	apart
)

// A pair is a state of head, the state of base after the same steps, and the progress along the named runs.
type pair struct{ head, base, named uint32 }

// A pairs is the graph of reachable pairs, the initial one first.
type pairs struct {
	*Question
	ctx   context.Context
	list  []pair
	first []int32 // by pair, its first arc; one more at the end
	to    []int32 // by arc
	step  []int32 // by arc, the number of the step among those of head's state
	kind  []kind  // by arc
	enter []int32 // by pair, where those that lead to it begin in back; one more at the end
	back  []int32

	named    []pattern
	only     *bound  // nil: every run of head is wanted
	progress [][]int // along each of named, and within the bound
}

// explore builds the graph of pairs, breadth first. It explores pairs in which base is lost only if head's steps matter there. It fails if
// there are too many pairs or the context ends.
func (p *pairs) explore(ctx context.Context) error {
	q, start, most := p.Question, pair{}, p.MaxPairs
	if q.Alone {
		start.base = lost
	}
	if p.only != nil {
		most = p.MaxWithin
	}
	p.ctx, p.list, p.progress = ctx, []pair{start}, [][]int{make([]int, len(p.named)+1)}
	at, known := map[pair]int32{start: 0}, map[string]uint32{fmt.Sprint(p.progress[0]): 0}
	for i := 0; i < len(p.list); i++ {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if most > 0 && len(p.list)+len(p.to) > most {
			return ErrTooManyPairs
		}
		p.first = append(p.first, int32(len(p.to)))
		here := p.list[i]
		if here.base == lost && !p.follows() {
			continue
		}
		succ := q.Head.Graph.Succ(int(here.head))
		for n, step := range q.Head.Graph.Steps(int(here.head)) {
			base, kind := q.follow(here.base, step)
			next := pair{succ[n], base, 0}
			if p.follows() {
				var inside bool
				if next.named, inside = p.onwards(known, here, step); !inside {
					continue
				}
			}
			target, there := at[next]
			if !there {
				target = int32(len(p.list))
				at[next] = target
				p.list = append(p.list, next)
			}
			p.to, p.step, p.kind = append(p.to, target), append(p.step, int32(n)), append(p.kind, kind)
		}
	}
	p.first = append(p.first, int32(len(p.to)))
	p.reverse()
	return nil
}

// follows reports whether the steps of head have to be followed, even if base is lost.
func (p *pairs) follows() bool { return len(p.named) > 0 || p.only != nil }

// onwards returns the number of the progress along the named runs after a step. inside is false if the step leads out of the bound.
func (p *pairs) onwards(known map[string]uint32, here pair, step []int) (number uint32, inside bool) {
	before := p.progress[here.named]
	after := p.onward(before, here.head, step)
	within := 0
	if p.only != nil {
		if within, inside = p.only.onward(before[len(p.named)], here.head, step); !inside {
			return 0, false
		}
	}
	after = append(after, within)
	key := fmt.Sprint(after)
	var there bool
	number, there = known[key]
	if !there {
		number = uint32(len(p.progress))
		known[key] = number
		p.progress = append(p.progress, after)
	}
	return number, true
}

// follow returns the state of base after a step of head, and the kind of the step.
func (q *Question) follow(base uint32, step []int) (uint32, kind) {
	seen := 0
	for _, t := range step {
		if len(q.Same[t]) > 0 {
			seen++
		}
	}
	switch {
	case q.beside(step):
		return base, apart
	case seen == 0 || base == lost:
		return base, hidden
	}
	succ := q.Base.Graph.Succ(int(base))
	for n, of := range q.Base.Graph.Steps(int(base)) {
		if len(of) == seen && q.covers(of, step) {
			return succ[n], common
		}
	}
	return lost, common
}

// beside reports whether a step is apart.
func (q *Question) beside(step []int) bool {
	return !slices.ContainsFunc(step, func(t int) bool { return !q.Apart[t] })
}

// covers reports whether base's step has a counterpart of every transition of head's step that base has.
func (q *Question) covers(of, step []int) bool {
	for _, t := range step {
		if same := q.Same[t]; len(same) > 0 && !slices.ContainsFunc(same, func(u int) bool { return slices.Contains(of, u) }) {
			return false
		}
	}
	return true
}

// reverse lists the pairs that lead to each, sorted by counting.
func (p *pairs) reverse() {
	p.enter, p.back = make([]int32, len(p.list)+1), make([]int32, len(p.to))
	for _, to := range p.to {
		p.enter[to+1]++
	}
	for i := range p.list {
		p.enter[i+1] += p.enter[i]
	}
	free := slices.Clone(p.enter)
	for i := range int32(len(p.list)) {
		for a, end := p.arcs(i); a < end; a++ {
			to := p.to[a]
			p.back[free[to]] = i
			free[to]++
		}
	}
}

// arcs returns the range of arcs that leave a pair.
func (p *pairs) arcs(i int32) (from, to int32) { return p.first[i], p.first[i+1] }

// fired returns the transitions of head along an arc of a pair.
func (p *pairs) fired(i, arc int32) []int {
	return p.Head.Graph.Steps(int(p.list[i].head))[p.step[arc]]
}

// marking returns the marking of head in a pair.
func (p *pairs) marking(i int32) petri.Marking { return p.Head.Graph.Marking(int(p.list[i].head)) }

func (p *pairs) lost(i int32) bool { return p.list[i].base == lost }

// onHead reports whether a set has head's state of a pair.
func (p *pairs) onHead(set space.Set, i int32) bool { return space.Has(set, int(p.list[i].head)) }

// onBase reports whether a set has base's state of a pair. It returns false if base is lost.
func (p *pairs) onBase(set space.Set, i int32) bool {
	return p.list[i].base != lost && space.Has(set, int(p.list[i].base))
}

// where returns the pairs for which is returns true.
func (p *pairs) where(is func(i int32) bool) []bool {
	set := make([]bool, len(p.list))
	for i := range set {
		set[i] = is(int32(i))
	}
	return set
}

// until returns the pairs from which some path leads through along to a goal: E[along U goal].
func (p *pairs) until(along, goal []bool) []bool {
	found := slices.Clone(goal)
	var work []int32
	for i, is := range goal {
		if is {
			work = append(work, int32(i))
		}
	}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		for _, before := range p.back[p.enter[i]:p.enter[i+1]] {
			if along[before] && !found[before] {
				found[before] = true
				work = append(work, before)
			}
		}
	}
	return found
}
