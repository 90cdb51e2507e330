package space_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/internal/testnets"
	"github.com/redlinehq/redline/engine/petri"
)

// TestSale counts the states and arcs that the paper's examples have under both rules.
func TestSale(t *testing.T) {
	idles := testnets.Purchaser + "\nidle = ?P0 ->"
	never := "P0\nRFG_T:RFG_T = ?P1 ->\nGAV_T:GAV_T = P1 -> P2\ntake = P2 -> P3\nGAC_T:GAC_T = ?P3 ->\nGAV_F:GAV_F = P3 -> P0"
	edit := strings.NewReplacer
	for _, c := range []struct {
		name            string
		net             *petri.Net
		one, all        int // states; all 0: not told
		deadOne, deadAl int
	}{
		{"one purchaser", testnets.Sale(1), 10, 8, 0, 0},
		{"two purchasers", testnets.Sale(2), 28, 14, 0, 0},
		{"three purchasers", testnets.Sale(3), 82, 30, 0, 0},
		{"four purchasers", testnets.Sale(4), 244, 70, 0, 0},
		{"the second may idle", testnets.SaleOf(testnets.Seller, testnets.Purchaser, idles), 28, 15, 0, 0},
		{"the second never requests", testnets.SaleOf(testnets.Seller, testnets.Purchaser, never), 4, 2, 1, 1},
		{"the seller may withdraw", testnets.SaleOf(testnets.Seller+"\nwithdraw = S2 GAV_T -> S0 GAV_F", testnets.Purchaser), 12, 0, 0, 0},
		{"no waiting", testnets.SaleOf(testnets.Seller, testnets.Purchaser+"\nhurry = P1 -> P3"), 10, 0, 0, 0},
		{"the purchaser may cancel", testnets.SaleOf(testnets.Seller, testnets.Purchaser+"\ncancel = P1 -> P0"), 11, 0, 0, 0},
		{"the test on S0", testnets.SaleOf(edit("?GAV_F ->", "?S0 ->").Replace(testnets.Seller), testnets.Purchaser), 10, 0, 1, 0},
	} {
		if g := testnets.Explore(t, c.net, petri.One); g.Len() != c.one || (g.DeadEnds() > 0) != (c.deadOne > 0) {
			t.Errorf("%s: %d states, %d dead ends, expected %d, %d", c.name, g.Len(), g.DeadEnds(), c.one, c.deadOne)
		}
		if c.all == 0 {
			continue
		}
		if g := testnets.Explore(t, c.net, petri.All); g.Len() != c.all || g.DeadEnds() != c.deadAl {
			t.Errorf("%s, all: %d states, %d dead ends, expected %d, %d", c.name, g.Len(), g.DeadEnds(), c.all, c.deadAl)
		}
	}
	if n := testnets.Sale(1); len(n.Transitions) != 8 {
		t.Errorf("%d composed transitions, expected 8", len(n.Transitions))
	}
	if one, all := testnets.Explore(t, testnets.Sale(1), petri.One), testnets.Explore(t, testnets.Sale(1), petri.All); one.Arcs() != 12 || all.Arcs() != 8 {
		t.Errorf("%d and %d arcs, expected 12 and 8", one.Arcs(), all.Arcs())
	}
}

// The parties of figure 11. A label of theirs is the event of that name.
var credit = map[string]string{
	"seller": `s_goods s_title
t1 = s_goods -> s_dispatch_cert
t2 = s_dispatch_cert s_title -> s_awaiting_pay
t3 = s_awaiting_pay -> s_paid
t8 = s_paid -> s_receipt
t9 = s_receipt -> s_done`,
	"carrier": `c_free
t1 = c_free -> c_goods
t4 = c_goods -> c_arrived
t7 = c_arrived -> c_receipt c_title
t8 = c_receipt -> c_awaiting_fee
t9 = c_awaiting_fee -> c_done`,
	"bank": `b_open
t2 = b_open -> b_docs b_title
t3 = b_docs -> b_out_of_pocket
t5 = b_out_of_pocket -> b_reimbursed
t6 = b_reimbursed b_title -> b_done`,
	"buyer": `y_waiting
t4 = y_waiting -> y_notified
t5 = y_notified -> y_instructed
t6 = y_instructed -> y_title
t7 = y_title -> y_goods`,
}

// creditOf is the contract of figure 11, edited.
func creditOf(edit *strings.Replacer) *petri.Net {
	var nets []*petri.Net
	events := make([]petri.Event, 9)
	for i, party := range []string{"seller", "carrier", "bank", "buyer"} {
		n, has := testnets.Net(party, edit.Replace(credit[party])), map[string]bool{}
		for j := range n.Transitions {
			t := &n.Transitions[j]
			t.Label = t.Name
			has[t.Name] = true
		}
		for e := range events {
			if events[e].Name = fmt.Sprint("t", e+1); has[events[e].Name] {
				events[e].Sync = append(events[e].Sync, petri.Sync{Net: i, Label: events[e].Name})
			}
		}
		nets = append(nets, n)
	}
	return petri.Compose(nets, events)
}

func TestLetterOfCredit(t *testing.T) {
	n := creditOf(strings.NewReplacer())
	if g := testnets.Explore(t, n, petri.One); g.Len() != 12 || g.Arcs() != 13 || g.DeadEnds() != 1 {
		t.Errorf("%d states, %d arcs, %d dead ends, expected 12, 13, 1", g.Len(), g.Arcs(), g.DeadEnds())
	}
	if g := testnets.Explore(t, n, petri.All); g.Len() != 9 || g.DeadEnds() != 1 {
		t.Errorf("all: %d states, %d dead ends, expected 9, 1", g.Len(), g.DeadEnds())
	}
	early := creditOf(strings.NewReplacer(
		"s_awaiting_pay -> s_paid", "s_dispatch_cert -> s_paid0",
		"s_dispatch_cert s_title -> s_awaiting_pay", "s_paid0 s_title -> s_paid",
		"b_docs -> b_out_of_pocket", "b_open -> b_out_of_pocket b_open2",
		"b_open -> b_docs b_title", "b_open2 -> b_docs b_title"))
	if g := testnets.Explore(t, early, petri.One); g.Len() != 13 {
		t.Errorf("payment before documents: %d states, expected 13", g.Len())
	}
}
