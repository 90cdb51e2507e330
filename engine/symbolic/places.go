package symbolic

import "github.com/redlinehq/redline/engine/dd"

// Levels returns, by level from the bottom, the places of the variable there. Value i means that place i is marked. If there is one more
// value, it means that none is.
func (x *Model) Levels() [][]int {
	levels := make([][]int, len(x.vars))
	for i := range x.vars {
		levels[x.level[i]-1] = x.vars[i].places
	}
	return levels
}

// Children returns the level of a set, counted from 1 at the bottom, and its children by value. The set must not be empty or terminal.
func (x *Model) Children(set dd.Node) (level int, children []dd.Node) {
	level = x.forest.Level(set)
	children = make([]dd.Node, x.forest.Size(level))
	for value := range children {
		children[value] = x.forest.Child(set, value)
	}
	return level, children
}
