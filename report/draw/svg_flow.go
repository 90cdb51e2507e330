package draw

import "github.com/redlinehq/redline/report/layout"

// flow returns how early each node can be reached: a marked node at once, a transition after all nodes that lead to it, and any other node
// after the first that leads to it. Nodes that cannot be reached are last. In planning this is the maximum heuristic of the relaxed problem
// (B. Bonet, H. Geffner 2001, Planning as heuristic search). Cost: linear.
func (s *scene) flow(edges []layout.Edge) []int {
	n := len(s.Graph.Nodes)
	early, waits, out := make([]int, n), make([]int, n), make([][]int, n)
	for _, e := range edges {
		if e.From != e.To {
			out[e.From] = append(out[e.From], e.To)
			waits[e.To]++
		}
	}
	var queue []int
	for i, node := range s.Graph.Nodes {
		early[i] = n + 1
		if node.Shape != Box {
			waits[i] = min(waits[i], 1)
		}
		if node.Marked || waits[i] == 0 {
			early[i], waits[i], queue = 0, 0, append(queue, i)
		}
	}
	if len(queue) == 0 && n > 0 {
		early[0], queue = 0, []int{0}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, to := range out[queue[0]] {
			if waits[to]--; waits[to] == 0 && early[to] > n {
				early[to], queue = early[queue[0]]+1, append(queue, to)
			}
		}
	}
	return early
}
