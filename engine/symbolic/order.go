package symbolic

import (
	"cmp"
	"slices"

	"github.com/redlinehq/redline/engine/space"
)

// orders returns candidates for the order of levels, bottom first, without repetition. touched[i] has the variables that transition i touches.
// Variables that many transitions touch, such as a seller that serves everybody, do well at the bottom, where all those transitions end in the
// same small relation. Variables touched in a ring or a row do well near their neighbours.
func orders(t *space.WorkBudget, variables int, touched [][]int) [][]int {
	natural := make([]int, variables)
	for i := range natural {
		natural[i] = i
	}
	near := force(t, natural, touched)
	if walk := force(t, breadth(t, variables, touched), touched); spans(t, walk, touched) < spans(t, near, touched) {
		near = walk
	}
	var list [][]int
	for _, candidate := range [][]int{hubsFirst(near, touched), near, natural, hubsFirst(natural, touched), backwards(near)} {
		if !slices.ContainsFunc(list, func(o []int) bool { return slices.Equal(o, candidate) }) {
			list = append(list, candidate)
		}
	}
	return list
}

// hubsFirst returns the order with the variables that are touched far more often than most moved to the bottom.
func hubsFirst(order []int, touched [][]int) []int {
	times := make([]int, len(order))
	for _, list := range touched {
		for _, v := range list {
			times[v]++
		}
	}
	sorted := slices.Sorted(slices.Values(times))
	if len(sorted) == 0 {
		return order
	}
	often := 4 * max(sorted[len(sorted)/2], 1)
	next := slices.Clone(order)
	slices.SortStableFunc(next, func(a, b int) int { return rank(times[a] <= often) - rank(times[b] <= often) })
	return next
}

func backwards(order []int) []int {
	next := slices.Clone(order)
	slices.Reverse(next)
	return next
}

// spans sums, over transitions, the levels between the lowest and the highest that the transition touches (Siminiceanu, Ciardo, 2006, New
// metrics for static variable ordering in decision diagrams).
func spans(t *space.WorkBudget, order []int, touched [][]int) int {
	level := inverse(order)
	sum := 0
	for _, list := range touched {
		t.By(1 + len(list))
		low, high := len(order), 0
		for _, v := range list {
			low, high = min(low, level[v]), max(high, level[v])
		}
		sum += max(high-low, 0)
	}
	return sum
}

func inverse(order []int) []int {
	at := make([]int, len(order))
	for i, v := range order {
		at[v] = i
	}
	return at
}

// maxRounds bounds the rounds of force. maxPulls bounds the variables it looks at in all rounds, counted once for each transition.
const (
	maxRounds = 100
	maxPulls  = 1 << 23
)

// force moves each variable to the mean of the centres of gravity of the transitions that touch it, as long as spans shrink (Aloul, Markov,
// Sakallah, 2003, FORCE: a fast and easy-to-implement variable-ordering heuristic).
func force(t *space.WorkBudget, start []int, touched [][]int) []int {
	best, least := start, spans(t, start, touched)
	current, size := start, len(start)
	for _, list := range touched {
		size += len(list)
	}
	for range min(maxRounds, 3+maxPulls/(1+size)) {
		next := pulled(t, current, touched)
		if slices.Equal(next, current) {
			break
		}
		current = next
		if s := spans(t, current, touched); s < least {
			best, least = current, s
		} else if s > 2*least {
			break
		}
	}
	return best
}

func pulled(t *space.WorkBudget, current []int, touched [][]int) []int {
	level := inverse(current)
	sum, count := make([]float64, len(level)), make([]float64, len(level))
	for _, list := range touched {
		t.By(1 + len(list))
		centre := 0.0
		for _, v := range list {
			centre += float64(level[v])
		}
		centre /= float64(max(len(list), 1))
		for _, v := range list {
			sum[v] += centre
			count[v]++
		}
	}
	t.By(len(sum))
	for v := range sum {
		if count[v] == 0 {
			sum[v], count[v] = float64(level[v]), 1
		}
		sum[v] /= count[v]
	}
	next := slices.Clone(current)
	slices.SortStableFunc(next, func(a, b int) int { return cmp.Compare(sum[a], sum[b]) })
	return next
}

// breadth returns the variables in the order of a breadth-first search from one that is touched least.
func breadth(t *space.WorkBudget, variables int, touched [][]int) []int {
	near := make([][]int, variables)
	for i, list := range touched {
		for _, v := range list {
			near[v] = append(near[v], i)
		}
	}
	first := make([]int, variables)
	for i := range first {
		first[i] = i
	}
	slices.SortStableFunc(first, func(a, b int) int { return cmp.Compare(len(near[a]), len(near[b])) })
	seen, used := make([]bool, variables), make([]bool, len(touched))
	var list []int
	for _, v := range first {
		if seen[v] {
			continue
		}
		seen[v] = true
		list = append(list, v)
		for i := len(list) - 1; i < len(list); i++ {
			t.By(1 + len(near[list[i]]))
			for _, n := range near[list[i]] {
				if used[n] {
					continue
				}
				used[n] = true
				t.By(len(touched[n]))
				for _, w := range touched[n] {
					if !seen[w] {
						seen[w] = true
						list = append(list, w)
					}
				}
			}
		}
	}
	return list
}
