package symbolic

import "github.com/redlinehq/redline/engine/dd"

// Levels lists by level, from the bottom, the places of the variable there. Value i of it says that place i is marked; the value after the
// last, where there is one, that none is.
func (x *Model) Levels() [][]int {
	levels := make([][]int, len(x.vars))
	for i := range x.vars {
		levels[x.level[i]-1] = x.vars[i].places
	}
	return levels
}

// Children of a set that is neither empty nor the end of all: its level, counted from 1 at the bottom, and what is below, by value.
func (x *Model) Children(set dd.Node) (level int, children []dd.Node) {
	level = x.forest.Level(set)
	children = make([]dd.Node, x.forest.Size(level))
	for value := range children {
		children[value] = x.forest.Child(set, value)
	}
	return level, children
}
