package workflow

import (
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
)

// TestReplayRefuses: a run that is not what it is shown for.
func TestReplayRefuses(t *testing.T) {
	n := &petri.Net{
		Places:      []petri.Place{{Name: "i"}, {Name: "a"}, {Name: "o"}},
		Transitions: []petri.Transition{{In: []int{0}, Out: []int{1, 2}}, {In: []int{1}, Out: []int{2}}, {In: []int{2}}},
		Initial:     []int{0},
	}
	begun, both := petri.Marking{0}, petri.Marking{1, 2}
	for _, c := range []struct {
		want  string
		kind  Kind
		place int
		marks []petri.Marking
		steps [][]int
	}{
		{"", Contact, 2, []petri.Marking{begun, both}, [][]int{{0}, {1}}},
		{"", Improper, 0, []petri.Marking{begun, both}, [][]int{{0}}},
		{"", DeadEnd, 0, []petri.Marking{begun, both, {1}, {2}, {}}, [][]int{{0}, {2}, {1}, {2}}},
		{"elsewhere", NoOption, 0, []petri.Marking{both}, nil},
		{"after 1 steps it is elsewhere", NoOption, 0, []petri.Marking{begun, {1}}, [][]int{{0}}},
		{"step 1 cannot be taken", NoOption, 0, []petri.Marking{begun, both}, [][]int{{1}}},
		{"step 1 cannot be taken", NoOption, 0, []petri.Marking{begun, both}, [][]int{{0, 0}}},
		{"step 2 is in contact", NoOption, 0, []petri.Marking{begun, both}, [][]int{{0}, {1}}},
		{"step 2 is in contact", Contact, 1, []petri.Marking{begun, both}, [][]int{{0}, {1}}},
		{"another number", NoOption, 0, []petri.Marking{begun, both}, [][]int{{0}, {2}}},
		{"no contact", Contact, 2, []petri.Marking{begun, both}, [][]int{{0}}},
		{"not end in a dead end", DeadEnd, 0, []petri.Marking{begun, both}, [][]int{{0}}},
		{"nothing besides the sink", Improper, 0, []petri.Marking{begun}, nil},
	} {
		err := replay(n, &Finding{Kind: c.kind, Place: c.place, Run: ctl.Run{Markings: c.marks, Steps: c.steps}})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v: %v, expected %q", c, err, c.want)
		}
	}
}
