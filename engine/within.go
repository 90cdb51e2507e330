package engine

import (
	"github.com/redlinehq/redline/engine/compare"
	"github.com/redlinehq/redline/engine/compile"
)

// Within leaves out the contracts that in does not take in by their directory. Sides are compared with base: a contract that one of
// them moves is kept on all sides if it is taken in where it was or where it is now, so that nobody hides a contract by moving
// it. Left is how many contracts are left out, by their paths. Nothing is left out where in is nil.
func Within(in func(dir string) bool, base []*compile.Draft, sides ...[]*compile.Draft) (keptBase []*compile.Draft, kept [][]*compile.Draft, left int) {
	if in == nil {
		return base, sides, 0
	}
	wanted := map[string]bool{} // by path on base
	for _, d := range base {
		wanted[d.Path] = in(d.Path)
	}
	was := make([]map[string]string, len(sides))
	for i, side := range sides {
		was[i] = movedFrom(base, side)
		still := compare.ByPath(side)
		for now, before := range was[i] {
			wanted[before] = wanted[before] || still[before] == nil && in(now) // a copy of what is left out is a new contract
		}
	}
	dropped := map[string]bool{}
	keptBase = those(base, dropped, func(path string) bool { return wanted[path] })
	for i, side := range sides {
		kept = append(kept, those(side, dropped, func(path string) bool {
			return in(path) || wanted[path] || wanted[was[i][path]]
		}))
	}
	return keptBase, kept, len(dropped)
}

// movedFrom is where contracts of a side lie that have moved: their path on base, by the one they have now.
func movedFrom(base, side []*compile.Draft) map[string]string {
	before, _ := matched(base, side)
	moved := map[string]string{}
	for now, d := range before {
		if d.Path != now {
			moved[now] = d.Path
		}
	}
	return moved
}

// those are the drafts whose path is wanted; the paths of the others are noted.
func those(drafts []*compile.Draft, dropped map[string]bool, wanted func(path string) bool) []*compile.Draft {
	var list []*compile.Draft
	for _, d := range drafts {
		if wanted(d.Path) {
			list = append(list, d)
		} else {
			dropped[d.Path] = true
		}
	}
	return list
}
