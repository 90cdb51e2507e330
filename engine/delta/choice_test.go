package delta_test

import (
	"reflect"
	"testing"

	"github.com/redlinehq/redline/engine/delta"
)

const (
	a = iota + 1
	b
	c
	d
)

// TestChoice: the same sequences, but not the same choices.
func TestChoice(t *testing.T) {
	early := &lts{states: 5, arcs: []arc{{0, a, 1}, {0, a, 2}, {1, b, 3}, {2, c, 4}}}
	late := &lts{states: 4, arcs: []arc{{0, a, 1}, {1, b, 2}, {1, c, 3}}}
	stuck := &lts{states: 3, arcs: []arc{{0, a, 1}, {0, silent, 2}}}
	free := &lts{states: 2, arcs: []arc{{0, a, 1}}}
	endless := &lts{states: 3, arcs: []arc{{0, a, 1}, {1, silent, 2}, {2, silent, 1}}}
	each := &lts{states: 5, arcs: []arc{{0, a, 1}, {1, b, 2}, {1, b, 3}, {2, c, 4}, {3, d, 4}}}
	only := &lts{states: 6, arcs: append([]arc{{0, a, 5}, {5, b, 2}}, each.arcs...)}
	for _, c := range []struct {
		name       string
		base, head *lts
		want       delta.Choice
	}{
		{"decided with a", late, early, delta.Choice{Run: []uint32{0}, Head: true, Next: []uint32{b}, Others: [][]uint32{{b, c}}}},
		{"decided after a", early, late, delta.Choice{Run: []uint32{0}, Head: true, Next: []uint32{b, c}, Others: [][]uint32{{b}, {c}}}},
		{"a dead end in silence", free, stuck, delta.Choice{Run: []uint32{1}, Head: true, Others: [][]uint32{{a}}}},
		{"endless silence, no dead end", free, endless, delta.Choice{Run: []uint32{0}, Head: true, Next: []uint32{delta.Silent}, Others: [][]uint32{nil}}},
		{"the difference lies deeper", each, only, delta.Choice{Run: []uint32{0}, Head: true, Next: []uint32{b}, Others: [][]uint32{{b}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := checked(t, c.base, c.head)
			for i, o := range got.Choice.Others {
				if len(o) == 0 {
					got.Choice.Others[i] = nil
				}
			}
			if len(got.Choice.Next) == 0 {
				got.Choice.Next = nil
			}
			if !reflect.DeepEqual(*got.Choice, c.want) {
				t.Errorf("%v, want %v", *got.Choice, c.want)
			}
		})
	}
}

// TestOneForEachLabel: of all sequences that go on after a new step, only what the step itself brings is told.
func TestOneForEachLabel(t *testing.T) {
	base := &lts{states: 2, arcs: []arc{{0, a, 1}, {1, b, 0}}}
	head := &lts{states: 3, arcs: []arc{{0, a, 1}, {1, b, 0}, {1, c, 2}, {2, d, 0}, {2, b, 1}}}
	got := checked(t, base, head)
	want := &delta.Answer{Relation: delta.More, Differ: true, Possible: []delta.Word{{Run: []uint32{0, 2}, Refused: c, Instead: []uint32{b}}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
