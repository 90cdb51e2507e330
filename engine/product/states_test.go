package product_test

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/product"
	"github.com/redlinehq/redline/engine/space"
)

// anySense gives places of both sides numbers: mostly those of one name the same one, some of one side alone, some none.
func anySense(t *rapid.T, v *versions) (sense [2][]int) {
	of, next := map[string]int{}, 100
	for side, n := range v.nets {
		taken := map[int]bool{}
		for _, p := range n.Places {
			number, known := of[p.String()]
			if !known {
				number = len(of)
				if rapid.IntRange(0, 3).Draw(t, "silent") == 0 {
					number = -1
				}
				of[p.String()] = number
			}
			if number >= 0 && rapid.IntRange(0, 7).Draw(t, "alone") == 0 {
				number = next
				next++
			}
			if p.Net == "history" || taken[number] {
				number = -1
			}
			taken[number] = true
			sense[side] = append(sense[side], number)
		}
	}
	return sense
}

func meaning(sense []int, m petri.Marking) string {
	var list []int
	for _, p := range m {
		if sense[p] >= 0 {
			list = append(list, sense[p])
		}
	}
	slices.Sort(list)
	return fmt.Sprint(list)
}

// meanings of the states of a side, and of its dead ends.
func (v *versions) meanings(side int, sense []int) (all, dead map[string]bool) {
	all, dead = map[string]bool{}, map[string]bool{}
	g := v.graphs[side]
	for s := range g.Len() {
		key := meaning(sense, g.Marking(s))
		all[key] = true
		if len(g.Succ(s)) == 0 {
			dead[key] = true
		}
	}
	return all, dead
}

// distance is the least number of steps to a state whose meaning is one of those, and dead if so.
func (v *versions) distance(side int, sense []int, which map[string]bool, dead bool) int {
	g := v.graphs[side]
	steps := make([]int, g.Len())
	for s := range g.Len() { // numbered breadth first
		for _, to := range g.Succ(s) {
			if to != 0 && steps[to] == 0 {
				steps[to] = steps[s] + 1
			}
		}
	}
	for s := range g.Len() {
		if which[meaning(sense, g.Marking(s))] && (!dead || len(g.Succ(s)) == 0) {
			return steps[s]
		}
	}
	return -1
}

func without(a, b map[string]bool) map[string]bool {
	rest := map[string]bool{}
	for key := range a {
		if !b[key] {
			rest[key] = true
		}
	}
	return rest
}

// TestStates: what one side has alone is what comparing all states finds, and runs to it are as short as can be.
func TestStates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := anyVersions(t)
		sense := anySense(t, v)
		w, err := product.New(t.Context(), v.nets[product.Base], v.nets[product.Head], v.like)
		if err != nil {
			t.Fatal(err)
		}
		got, err := w.CompareStates(t.Context(), sense, 3, product.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		var all, dead [2]map[string]bool
		for side := range v.nets {
			all[side], dead[side] = v.meanings(side, sense[side])
		}
		for side := range v.nets {
			if n := int64(v.graphs[side].Len()); got.Count[side].Cmp(big.NewInt(n)) != 0 {
				t.Fatalf("%v states of side %d, and there are %d", got.Count[side], side, n)
			}
			v.sameNovel(t, side, sense[side], got.Alone[side], without(all[side], all[1-side]), false)
			v.sameNovel(t, side, sense[side], got.Dead[side], without(dead[side], dead[1-side]), true)
			v.sameFires(t, side, got.Fires[side])
		}
	})
}

func (v *versions) sameNovel(t *rapid.T, side int, sense []int, got product.Novel, want map[string]bool, dead bool) {
	if got.Count.Cmp(big.NewInt(int64(len(want)))) != 0 {
		t.Fatalf("%v are of side %d alone (dead: %v), and there are %d", got.Count, side, dead, len(want))
	}
	if (len(got.Runs) == 0) != (len(want) == 0) || len(got.Runs) > min(3, len(want)) {
		t.Fatalf("%d runs to %d", len(got.Runs), len(want))
	}
	had := map[string]bool{}
	for i, run := range got.Runs {
		end := v.replay(t, side, run)
		key := meaning(sense, end)
		if had[key] || !want[key] {
			t.Fatalf("run %d of side %d ends in %v", i, side, end)
		}
		had[key] = true
		for at := range run {
			if !dead && want[meaning(sense, v.replay(t, side, run[:at]))] {
				t.Fatalf("run %d of side %d leads through another", i, side)
			}
		}
		if dead && len(v.nets[side].Steps(end, petri.One)) > 0 {
			t.Fatalf("run %d of side %d ends in no dead end", i, side)
		}
		if d := v.distance(side, sense, want, dead); i == 0 && len(run) != d {
			t.Fatalf("the first run of side %d takes %d steps, not %d", side, len(run), d)
		}
	}
}

func (v *versions) sameFires(t *rapid.T, side int, got []bool) {
	want := make([]bool, len(got))
	g := v.graphs[side]
	for s := range g.Len() {
		for _, step := range g.Steps(s) {
			want[step[0]] = true
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("side %d fires %v, and it is %v", side, got, want)
	}
}

// TestContact: a net that is not one-safe is told, and none else.
func TestContact(t *testing.T) {
	seen := map[bool]int{}
	one := func(t *rapid.T) {
		n := anyNet(t)
		if len(n.Places) > 6 {
			n.Transitions[0].Out = n.Transitions[0].Out[:0]
		}
		_, err := space.Explore(t.Context(), n, petri.One, space.Limits{})
		var contact *space.ContactError
		like := make([]int, len(n.Transitions))
		w, failed := product.New(t.Context(), n, n, [2][]int{like, like})
		if failed != nil {
			t.Fatal(failed)
		}
		sense := make([]int, len(n.Places))
		for p := range sense {
			sense[p] = p - 1
		}
		_, got := w.CompareStates(t.Context(), [2][]int{sense, sense}, 1, product.Limits{})
		var found *product.ContactError
		if errors.As(err, &contact) != errors.As(got, &found) {
			t.Fatalf("%v, and it is %v", got, err)
		}
		seen[found != nil]++
	}
	rapid.Check(t, func(t *rapid.T) {
		for range 10 {
			one(t)
		}
	})
	if seen[true] < 5 || seen[false] < 5 {
		t.Errorf("too few of a kind: %v", seen)
	}
}
