package petri_test

import (
	"fmt"

	"github.com/redlinehq/redline/engine/petri"
)

// seller and buyer are two parties' views, each a net of its own. The places and transitions of a net are numbered in order.
var (
	seller = &petri.Net{
		Name:        "seller",
		Places:      []petri.Place{{Net: "seller", Name: "paid"}, {Net: "seller", Name: "delivered"}},
		Transitions: []petri.Transition{{Name: "deliver", Label: "deliver", In: []int{0}, Out: []int{1}, Event: -1}},
		Initial:     []int{0},
	}
	buyer = &petri.Net{
		Name:        "buyer",
		Places:      []petri.Place{{Net: "buyer", Name: "waiting"}, {Net: "buyer", Name: "supplied"}},
		Transitions: []petri.Transition{{Name: "receive", Label: "receive", In: []int{0}, Out: []int{1}, Event: -1}},
		Initial:     []int{0},
	}
)

// Two views synchronise on an event: neither party takes its step without the other.
func ExampleCompose() {
	net := petri.Compose([]*petri.Net{seller, buyer}, []petri.Event{
		{Name: "delivery", Sync: []petri.Sync{{Net: 0, Label: "deliver"}, {Net: 1, Label: "receive"}}},
	})
	for _, t := range net.Transitions {
		fmt.Print(t.Name, ":")
		for _, p := range t.In {
			fmt.Print(" ", net.Places[p])
		}
		fmt.Print(" ->")
		for _, p := range t.Out {
			fmt.Print(" ", net.Places[p])
		}
		fmt.Println()
	}
	// Output:
	// delivery: seller.paid buyer.waiting -> seller.delivered buyer.supplied
}

// Without an event, each party goes its own way. Rule One fires one transition at a time, rule All every combination that does not compete.
func ExampleNet_Steps() {
	net := petri.Compose([]*petri.Net{seller, buyer}, nil)
	fmt.Println(net.Steps(net.Initial, petri.One))
	fmt.Println(net.Steps(net.Initial, petri.All))
	// Output:
	// [[0] [1]]
	// [[0 1]]
}

// Firing a step gives the next marking: the sorted list of marked places.
func ExampleNet_Fire() {
	net := petri.Compose([]*petri.Net{seller, buyer}, nil)
	after, contact := net.Fire(net.Initial, []int{1})
	fmt.Println(after, contact)
	// Output:
	// [0 3] -1
}
