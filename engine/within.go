package engine

import (
	"github.com/redlinehq/redline/engine/compare"
	"github.com/redlinehq/redline/engine/compile"
)

// Within keeps the contracts whose directory in accepts. A nil in keeps all. Sides are compared with base: a contract that a side moves is
// kept on all sides if its old or its new directory is accepted, so moving a contract cannot hide it. left is the number of contracts left
// out, counted by path.
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

// movedFrom returns the path on base of each contract that a side moved, by its new path.
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

// those returns the drafts whose path is wanted, and adds the paths of the others to dropped.
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
