package engine

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"github.com/redlinehq/redline/engine/compare"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/hclspec"
)

// Shards distributes the work of a review over at most the given number of parts. It returns the shard of each pair, counted from 1, and
// the number of parts, at least one. The result depends on the drafts alone, so every job that reads the same commits gets the same shards.
// Contracts that are changed alike stay together, since they are reviewed for little more than the cost of one. Pairs without work are in
// the first shard. Work is assigned largest first, to the shard with the least load (R. Graham, 1969, Bounds on multiprocessing timing
// anomalies: at most 4/3 of the best).
func Shards(pairs []Pair, most int) (shards []int, parts int) {
	shards = slices.Repeat([]int{1}, len(pairs))
	works := worksOf(pairs)
	parts = max(1, min(most, len(works)))
	load := make([]uint64, parts)
	for _, w := range works {
		least := slices.Index(load, slices.Min(load))
		load[least] += w.weight
		for _, i := range w.pairs {
			shards[i] = least + 1
		}
	}
	return shards, parts
}

// NothingToReview reports whether the review of a pair needs no work.
func (p Pair) NothingToReview() bool { return compare.NothingToReview(p.Base, p.Head) }

// A work is a group of pairs for one shard.
type work struct {
	pairs  []int
	weight uint64
}

// usualWork is the cost of a contract besides its states, counted in states: reading, composing and reporting it.
const usualWork = 1_000

// worksOf returns the groups of pairs that need work, the largest first.
func worksOf(pairs []Pair) []work {
	var busy []int
	var some []Pair
	for i, p := range pairs {
		if !p.NothingToReview() {
			busy, some = append(busy, i), append(some, p)
		}
	}
	var works []work
	for _, group := range alike(some) {
		first := some[group[0]]
		w := work{weight: uint64(len(group))*usualWork + combinations(first.Base) + combinations(first.Head)}
		for _, i := range group {
			w.pairs = append(w.pairs, busy[i])
		}
		works = append(works, w)
	}
	slices.SortStableFunc(works, func(a, b work) int { return cmp.Compare(b.weight, a.weight) })
	return works
}

// mostCombinations is the greatest value of combinations: no state model that is built has more states.
const mostCombinations = 1 << 32

// combinations returns how many states a draft has if no party waits for another, at most mostCombinations: the product of the parties'
// states, flags, counters and places.
func combinations(d *compile.Draft) uint64 {
	if d == nil || d.Spec == nil {
		return 0
	}
	all := uint64(1)
	for _, p := range d.Parties {
		ways := map[string]uint64{}
		for i, place := range p.Places {
			switch place.Kind {
			case hclspec.State, hclspec.ClockOff, hclspec.ClockLeft, hclspec.ClockKept:
				ways[fmt.Sprint(place.Kind == hclspec.State)]++
			case hclspec.FlagTrue, hclspec.FlagFalse, hclspec.Held:
				ways["flag "+place.Flag]++
			case hclspec.CounterValue:
				ways["counter "+place.Counter]++
			case hclspec.Plain, hclspec.Begun:
				ways[fmt.Sprintf("place %d", i)] = 2
			}
		}
		for _, n := range ways {
			all = times(all, n)
		}
	}
	return all
}

func times(a, b uint64) uint64 {
	if over, n := bits.Mul64(a, b); over == 0 {
		return min(n, mostCombinations)
	}
	return mostCombinations
}
