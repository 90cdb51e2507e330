package product_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/internal/testnets"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/product"
)

// ordered is a net in which each of n orders is placed well or badly, observed alike, and only one that was placed well is delivered. Of the first version
// nothing comes after all deliveries; of the other one thanks.
func ordered(n int, thanks bool) *petri.Net {
	var start, delivered, steps []string
	for i := range n {
		start = append(start, fmt.Sprint("open", i))
		delivered = append(delivered, fmt.Sprint("delivered", i))
		steps = append(steps, fmt.Sprintf("order%d = open%d -> well%d\norder%d = open%d -> badly%d\ndeliver%d = well%d -> delivered%d", i, i, i, i, i, i, i, i, i))
	}
	if thanks {
		steps = append(steps, "thanks = "+strings.Join(delivered, " ")+" -> thanked")
	}
	return testnets.Net("orders", strings.Join(start, " ")+"\n"+strings.Join(steps, "\n"))
}

// TestSetsOfPairs: what pairs of states do not tell sets of them do, and where these are too many, nothing is said: not that there is nothing
// else.
func TestSetsOfPairs(t *testing.T) {
	for _, c := range []struct {
		orders int
		want   delta.Relation
	}{{3, delta.More}, {12, delta.Unknown}} {
		v := &versions{observer: product.Observer{Idle: product.Hidden, Wait: product.Hidden}}
		number := map[string]int{}
		for side := range v.nets {
			v.nets[side] = ordered(c.orders, side == product.Head)
			for i, of := range v.nets[side].Transitions {
				if _, known := number[of.Name]; !known {
					number[of.Name] = len(number)
				}
				v.like[side], v.observer.Labels[side] = append(v.like[side], i), append(v.observer.Labels[side], number[of.Name])
			}
		}
		a := compare(t, v, 3)
		if a.Relation != c.want || strings.Contains(a.Reason, "in states that allow different ones") != (c.want == delta.Unknown) {
			t.Errorf("%d orders: %v, %s", c.orders, a.Relation, a.Reason)
		}
		if c.want == delta.More && (len(a.Possible) != 1 || a.Possible[0].Refused != number["thanks"] || len(a.Possible[0].Run) != 2*c.orders+1) {
			t.Errorf("%d orders: %+v", c.orders, a.Possible)
		}
	}
}
