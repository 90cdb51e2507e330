package workflow_test

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/petri"
)

// A sketch is a net by the names of its places.
type sketch struct {
	places int
	trans  [][2][]int // in, out
}

// anyNet is a workflow net that grows from one transition by splitting places and transitions, so that most are sound; then
// somebody makes a few changes. So some are not sound, and some no workflow nets.
func anyNet(t *rapid.T) *petri.Net {
	s := &sketch{places: 2, trans: [][2][]int{{{0}, {1}}}} // source 0, sink 1
	for range rapid.IntRange(0, 7).Draw(t, "grown") {
		s.grow(t)
	}
	for range rapid.SampledFrom([]int{0, 0, 1, 1, 2, 3}).Draw(t, "changes") {
		s.change(t)
	}
	n := s.net()
	switch rapid.IntRange(0, 9).Draw(t, "start") {
	case 0:
		n.Initial = nil
	case 1:
		n.Initial = slices.Compact(slices.Sorted(slices.Values([]int{s.place(t), s.place(t)})))
	}
	return n
}

func (s *sketch) place(t *rapid.T) int { return rapid.IntRange(0, s.places-1).Draw(t, "place") }

func (s *sketch) transition(t *rapid.T) int {
	return rapid.IntRange(0, len(s.trans)-1).Draw(t, "transition")
}

func (s *sketch) add(in, out []int) { s.trans = append(s.trans, [2][]int{in, out}) }

// grow makes one transition two: one after the other, one or the other, both side by side; or lets a place be gone through again.
func (s *sketch) grow(t *rapid.T) {
	i, p := s.transition(t), s.places
	switch rapid.SampledFrom([]string{"sequence", "choice", "parallel", "loop"}).Draw(t, "how") {
	case "sequence":
		s.add([]int{p}, s.trans[i][1])
		s.trans[i][1] = []int{p}
		s.places++
	case "choice":
		s.add(slices.Clone(s.trans[i][0]), slices.Clone(s.trans[i][1]))
	case "parallel": // i puts tokens on p and p+1, a new one takes both
		s.add([]int{p, p + 1}, s.trans[i][1])
		s.trans[i][1] = []int{p, p + 1}
		s.places += 2
	case "loop":
		s.add([]int{p}, s.trans[i][1])
		s.trans[i][1] = []int{p}
		s.add([]int{p}, []int{p})
		s.places++
	}
}

// change adds or takes an arc, a transition or a sink.
func (s *sketch) change(t *rapid.T) {
	i, side := s.transition(t), rapid.IntRange(0, 1).Draw(t, "side")
	list := &s.trans[i][side]
	switch rapid.SampledFrom([]string{"arc", "arc", "no arc", "transition", "sink", "end"}).Draw(t, "change") {
	case "arc":
		*list = append(slices.Clone(*list), s.place(t))
	case "no arc":
		*list = (*list)[min(1, len(*list)):]
	case "transition":
		s.add([]int{s.place(t)}, []int{s.place(t)})
	case "sink":
		s.trans[i][1] = append(slices.Clone(s.trans[i][1]), s.places)
		s.places++
	case "end":
		s.add([]int{s.place(t)}, []int{s.places})
		s.places++
	}
}

func (s *sketch) net() *petri.Net {
	n := &petri.Net{Name: "n", Initial: []int{0}}
	for p := range s.places {
		n.Places = append(n.Places, petri.Place{Net: "n", Name: fmt.Sprint("p", p)})
	}
	for i, arcs := range s.trans {
		in, out := set(arcs[0]), set(arcs[1])
		t := petri.Transition{Name: fmt.Sprint("t", i), Event: -1}
		for _, p := range in {
			if slices.Contains(out, p) {
				t.Read = append(t.Read, p)
			} else {
				t.In = append(t.In, p)
			}
		}
		t.Out = slices.DeleteFunc(out, func(p int) bool { return slices.Contains(in, p) })
		n.Transitions = append(n.Transitions, t)
	}
	if err := n.Sane(); err != nil {
		panic(err)
	}
	return n
}

func set(list []int) []int { return slices.Compact(slices.Sorted(slices.Values(list))) }

// drawn is a net from lines "t = in in -> out out": place names in the order they come, the first starts marked.
func drawn(text string) *petri.Net {
	s, at := &sketch{}, map[string]int{}
	place := func(words string) (list []int) {
		for _, w := range strings.Fields(words) {
			if _, ok := at[w]; !ok {
				at[w] = s.places
				s.places++
			}
			list = append(list, at[w])
		}
		return list
	}
	for line := range strings.Lines(text) {
		in, out, _ := strings.Cut(line, "->")
		s.add(place(in), place(out))
	}
	return s.net()
}
