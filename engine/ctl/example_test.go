package ctl_test

import (
	"context"
	"fmt"
	"log"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// Build the state model of a net, and decide a formula in it. The atoms of a formula are names until the caller says which place each is.
func Example() {
	net := &petri.Net{ // a light that is switched on and off, until it breaks
		Places: []petri.Place{{Name: "off"}, {Name: "on"}, {Name: "broken"}},
		Transitions: []petri.Transition{
			{Name: "press", In: []int{0}, Out: []int{1}},
			{Name: "release", In: []int{1}, Out: []int{0}},
			{Name: "break", In: []int{1}, Out: []int{2}},
		},
		Initial: []int{0},
	}
	ctx := context.Background()
	graph, err := space.Explore(ctx, net, petri.One, space.Limits{})
	if err != nil {
		log.Fatal(err)
	}
	checker := ctl.New(graph.Sets())
	places := map[string]int{"off": 0, "on": 1, "broken": 2}
	for _, text := range []string{"AG EF broken", "AF broken", "AG (broken -> AG broken)"} {
		f, err := ctl.Parse(text)
		if err != nil {
			log.Fatal(err)
		}
		for atom := range f.Atoms() {
			atom.Place = places[atom.Name]
		}
		holds, err := checker.Holds(ctx, f)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(text, holds)
	}
	// Output:
	// AG EF broken true
	// AF broken false
	// AG (broken -> AG broken) true
}

// Both notations parse to the same trees. One word can mean two things: EF is one operator of standard CTL, and two of Table 1.
func ExampleParseTable1() {
	f, err := ctl.ParseTable1("E F p")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Table1())
	fmt.Println(f.CTL())
	// Output:
	// E F p
	// EX EF p
}

// A mistake has its place in the text.
func ExampleParse_mistake() {
	_, err := ctl.Parse("AG (paid -> AF)")
	fmt.Println(err)
	// Output:
	// at byte 14: expected a place, a prefix operator or "(", found ")"
}

// A pattern says in few words what its formula says in many.
func ExamplePattern_Formula() {
	atom := func(name string) *ctl.Formula { return &ctl.Formula{Op: ctl.Atom, Name: name} }
	p := ctl.Pattern{
		Kind:  ctl.Response,
		Of:    []*ctl.Formula{atom("ordered")},
		By:    []*ctl.Formula{atom("delivered")},
		After: atom("paid"),
	}
	fmt.Println(p.Formula().CTL())
	// Output:
	// AG (paid -> AG (ordered -> AF delivered))
}
