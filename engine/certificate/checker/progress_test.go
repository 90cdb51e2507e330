package checker

import (
	"context"
	"errors"
	"testing"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
)

// arrow is a transition of a state diagram from one place to another; from a place to itself it changes nothing.
func arrow(name string, from, to int) petri.Transition {
	if from == to {
		return petri.Transition{Name: name, Read: []int{from}, Event: -1}
	}
	return petri.Transition{Name: name, In: []int{from}, Out: []int{to}, Event: -1}
}

// TestProgressThatIsNot has lies about paths that count, each of which one condition alone refuses. Place 0 is the start, 1 the goal; what is
// claimed is that the goal comes, or that it need not.
func TestProgressThatIsNot(t *testing.T) {
	const start, goal, other, last = 0, 1, 2, 3
	for name, lie := range map[string]struct {
		arrows []petri.Transition
		acts   [][]int
		holds  bool
		whole  []int   // of a round, or nil
		rings  [][]int // by place
		turn   []int   // whose, by ring
	}{
		"it waits though it can act": {
			[]petri.Transition{arrow("rest", start, start), arrow("go", start, goal)}, [][]int{{1}}, false, []int{start}, [][]int{{start}}, []int{0},
		},
		"it has no turn at all": {
			[]petri.Transition{arrow("rest", start, start), arrow("go", start, goal)}, [][]int{{1}}, false, []int{start}, nil, nil,
		},
		"its turn is elsewhere": {
			[]petri.Transition{arrow("rest", start, start), arrow("go", start, goal), arrow("there", other, last), arrow("back", last, other)}, [][]int{{1, 2, 3}},
			false, []int{start, other, last}, [][]int{{other, last}, {start}}, []int{0, 0},
		},
		"it can't act, and nothing stays": {
			[]petri.Transition{arrow("go", start, goal), arrow("never", other, last)}, [][]int{{1}}, false, []int{start}, [][]int{{start}}, []int{0},
		},
		"the second never has its turn": {
			[]petri.Transition{arrow("rest", start, start), arrow("go", start, goal), arrow("never", other, last)}, [][]int{{2}, {1}},
			false, []int{start}, [][]int{{start}}, []int{0},
		},
		"it acts, and that does not help": {
			[]petri.Transition{arrow("there", start, other), arrow("back", other, start)}, [][]int{{0, 1}}, true, nil, [][]int{{goal}, {start, other}}, []int{-1, 0},
		},
		"others take its turn away": {
			[]petri.Transition{arrow("there", start, other), arrow("back", other, start), arrow("go", start, goal), arrow("too", other, goal)}, [][]int{{2}, {3}},
			true, nil, [][]int{{goal}, {start}, {other}}, []int{-1, 0, 1},
		},
		"it need not act": {
			[]petri.Transition{arrow("rest", start, start), arrow("go", start, goal)}, [][]int{{1}}, true, nil, [][]int{{goal}, {start}}, []int{-1, -1},
		},
		"it can't act": {
			[]petri.Transition{arrow("rest", start, start), arrow("never", other, last)}, [][]int{{1}}, true, nil, [][]int{{goal}, {start}}, []int{-1, 0},
		},
	} {
		net := &petri.Net{Name: "n", Places: make([]petri.Place, 4), Transitions: lie.arrows, Initial: []int{start}}
		f := &ctl.Formula{Op: ctl.AF, Left: &ctl.Formula{Op: ctl.Atom, Place: goal, Name: "goal"}}
		forest := NewForest(context.Background(), []int{0, 1, 2, 3}, 0)
		set := func(places []int) Node {
			var list []petri.Marking
			for _, p := range places {
				list = append(list, petri.Marking{p})
			}
			return forest.Set(list)
		}
		c := &Certificate{Holds: lie.holds, Order: []int{0, 1, 2, 3}}
		var rings []Ring
		if lie.whole != nil {
			rings = append(rings, Ring{set(lie.whole), -1})
		}
		for i, places := range lie.rings {
			rings = append(rings, Ring{set(places), lie.turn[i]})
		}
		for _, claim := range Claims(f, lie.holds, true) {
			switch claim.Kind {
			case Round, AU:
				c.Sets = append(c.Sets, rings)
			case EU:
				c.Sets = append(c.Sets, []Ring{{set([]int{start}), -1}})
			}
		}
		for n := Blank + 1; int(n) < len(forest.nodes); n++ {
			level, low, high := forest.Parts(n)
			c.Nodes = append(c.Nodes, Part{level, low, high})
		}
		for _, rule := range []petri.Rule{petri.One, petri.All} {
			var refused *Refusal
			if err := Check(context.Background(), c, Problem{net, rule, lie.acts}, f, Limits{}); !errors.As(err, &refused) {
				t.Errorf("%s, %s: %v", name, rule, err)
			} else if refused.part == nil {
				t.Errorf("%s, %s: refused for another reason: %v", name, rule, refused)
			}
		}
	}
}
