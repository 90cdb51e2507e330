package product

import (
	"cmp"
	"slices"

	"github.com/redlinehq/redline/engine/symbolic"
)

// maxAligning bounds the pairs of variables that are compared for one number of alike transitions.
const maxAligning = 1 << 20

// A resemblance is a pair of variables, with the share of alike transitions that touch both.
type resemblance struct {
	pair   [2]int
	shared float64
}

// align pairs corresponding variables. First are those that are touched mostly by the same alike transitions (P. Jaccard 1912, The
// distribution of the flora in the alpine zone), and of these the ones with more places of the same name.
func (v *Versions) align(like [2][]int) {
	var touch [2]map[int]map[int]int // by number and variable, how many transitions
	var total [2][]int
	for side, c := range v.codes {
		touch[side], total[side] = touching(c, like[side])
		v.partner[side] = slices.Repeat([]int{-1}, c.Variables())
	}
	shared := map[[2]int]int{}
	for number, mine := range touch[Base] {
		theirs := touch[Head][number]
		if len(mine)*len(theirs) > maxAligning {
			continue
		}
		for a, n := range mine {
			for b, m := range theirs {
				shared[[2]int{a, b}] += min(n, m)
			}
		}
	}
	list := make([]resemblance, 0, len(shared))
	for pair, n := range shared {
		list = append(list, resemblance{pair, float64(n) / float64(total[Base][pair[0]]+total[Head][pair[1]]-n)})
	}
	slices.SortFunc(list, func(x, y resemblance) int {
		return cmp.Or(cmp.Compare(y.shared, x.shared), cmp.Compare(v.alike(y.pair), v.alike(x.pair)), slices.Compare(x.pair[:], y.pair[:]))
	})
	for _, r := range list {
		if v.partner[Base][r.pair[Base]] < 0 && v.partner[Head][r.pair[Head]] < 0 {
			v.partner[Base][r.pair[Base]], v.partner[Head][r.pair[Head]] = r.pair[Head], r.pair[Base]
		}
	}
}

// alike returns the number of places of the same name.
func (v *Versions) alike(pair [2]int) int {
	n := 0
	theirs := v.codes[Head].Places(pair[Head])
	for _, p := range v.codes[Base].Places(pair[Base]) {
		if slices.ContainsFunc(theirs, func(q int) bool { return v.nets[Base].Places[p] == v.nets[Head].Places[q] }) {
			n++
		}
	}
	return n
}

// touching returns, by number of alike transitions and by variable, how many of them touch it, and the total by variable.
func touching(c *symbolic.Coding, like []int) (map[int]map[int]int, []int) {
	by, total := map[int]map[int]int{}, make([]int, c.Variables())
	for _, d := range c.Firings {
		number := like[d.Transition]
		if by[number] == nil {
			by[number] = map[int]int{}
		}
		for _, v := range d.Touched {
			by[number][v]++
			total[v]++
		}
	}
	return by, total
}
