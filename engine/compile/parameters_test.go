package compile_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/load"
)

// given is a contract with a template that names events of the contract in every place where an event may stand: %[1]s is one event and %[2]s the same in a formula, %[3]s is one or several, %[4]s
// declares parameters and %[5]s gives them.
const given = `contract "c" {}
party "s" {}
party "b" {}
event "shipment" {
  by      = s
  repeats = true
}
event "arrival" {
  by      = s
  repeats = true
}
event "start" { by = b }
template "t" {
%[4]s  party "seller" {
    state "idle" {}
    state "busy" { since = %[1]s }
  }
  party "buyer" {}
  event "payment" {
    by         = buyer
    not_before = { %[1]s = 2 }
    within     = { any(%[1]s, start) = 9 }
  }
  event "reminder" { after = { %[1]s = 3 } }
  document "bill" { moves = { %[1]s = { to = buyer } } }
  obligation "pay" {
    bearer = buyer
    when   = %[3]s
    fulfil = payment
    within = 4
  }
  obligation "stay" {
    bearer = buyer
    fulfil = payment
    breach = %[1]s
  }
  obligation "hold" {
    bearer = buyer
    fulfil = payment
    until  = [start, %[1]s]
  }
  obligation "ship" {
    bearer = seller
    fulfil = %[3]s
    before = { payment = 1 }
  }
  prohibition "wait" {
    bearer = seller
    of     = %[1]s
    from   = start
  }
  power "call" {
    bearer   = buyer
    when     = start
    exercise = %[1]s
    lifts    = ship
  }
  scenario "one" {
    events = [%[1]s, "3 ticks", payment]
    ends   = "happened(%[2]s) && ship.fulfilled"
  }
  requirement "none-before" {
    title   = "%[6]s first"
    no      = "pay.owed"
    without = "happened(%[2]s)"
  }
}
phase "x" {
  template = t
  roles = {
    seller = s
    buyer  = b
  }
%[5]s}
`

// TestEventsAsParameters: a parameter that is an event means what its name would mean in its place, also where the template has an event of that name.
func TestEventsAsParameters(t *testing.T) {
	const one, several = "  parameter \"go\" { type = event }\n", "  parameter \"go\" { type = event }\n  parameter \"any\" { type = event }\n"
	plain := testkit.DraftOf(t, fmt.Sprintf(given, "shipment", "shipment", "[shipment, arrival]", "", "", "shipment"))
	handed := testkit.DraftOf(t, fmt.Sprintf(given, "param.go", "param.go", "param.any", several, "  with = {\n    go  = shipment\n    any = [shipment, arrival]\n  }\n", "${param.go}"))
	if plain.Digest != handed.Digest || plain.Spec.Requirements[1].Title != handed.Spec.Requirements[1].Title {
		t.Errorf("%s (%s) written, %s (%s) given", plain.Digest, plain.Spec.Requirements[1].Title, handed.Digest, handed.Spec.Requirements[1].Title)
	}
	// The template's own event is called like the one that is given.
	named := func(name string) *compile.Draft {
		text := strings.NewReplacer(`event "shipment"`, `event "`+name+`"`, `event "payment"`, `event "shipment"`, "payment", "shipment").Replace(given)
		return testkit.DraftOf(t, fmt.Sprintf(text, "param.go", "${param.go}", "param.any", several, "  with = {\n    go  = "+name+"\n    any = ["+name+", arrival]\n  }\n", "x"))
	}
	if same, other := named("shipment"), named("goods"); len(same.AllPlaces) != len(other.AllPlaces) || len(same.Net.Transitions) != len(other.Net.Transitions) ||
		strings.ReplaceAll(same.Formulas[1].CTL(), "happened(shipment)", "happened(goods)") != other.Formulas[1].CTL() {
		t.Errorf("an event of the same name is captured: %v, not %v", same.Formulas[1].CTL(), other.Formulas[1].CTL())
	}
	for gives, want := range map[string]string{
		"go = \"shipment\"": "not-a-reference", "go = 3": "not-a-reference", "go = shipmnt": "unknown-name", "go = s": "unknown-name", "": "missing-attribute",
	} {
		src := load.Text(map[string][]byte{"c.contract.hcl": []byte(fmt.Sprintf(given, "param.go", "param.go", "param.go", one, "  with = { "+gives+" }\n", "x"))}, "c", nil)
		if len(src.Diagnostics) != 1 || string(diag.CodeOf(src.Diagnostics[0])) != want {
			t.Errorf("%s: %v", gives, src.Diagnostics.Errs())
		}
	}
}

// numbered is a contract in which everything that can have an index has one: %[1]s is 1, %[2]s is north, %[3]s is 0, for the phase.
const numbered = `contract "c" {}
variable "n" {
  type    = number
  default = 2
}
locals {
  first = "north"
}
party "seller" {
  count = 2
  state "S0" {}
  state "S1" {}
  transition "go" {
    from = S0
    to   = S1
  }
}
party "bank" { for_each = ["north", "south"] }
event "each" { sync = { seller = each(go) } }
event "pay" {
  by         = bank[%[2]s]
  only_while = [seller[%[1]s].S1, !seller[%[3]s].S1]
  not_before = { each[%[1]s] = 3 }
}
template "t" {
  parameter "k" {}
  party "a" {}
  party "b" {}
  event "x" { by = [a[%[4]s], b[%[2]s]] }
  obligation "o" {
    bearer       = a[%[4]s]
    counterparty = b[%[2]s]
    when         = each[%[1]s]
    fulfil       = x
  }
}
phase "p" {
  template = t
  roles = {
    a = seller
    b = bank
  }
  with = { k = 0 }
}
document "bill" {
  holder = bank[%[2]s]
  moves  = { pay = { from = bank[%[2]s], to = seller[%[1]s] } }
}
obligation "rent" {
  bearer = bank[%[2]s]
  times  = 2
  when   = each
  fulfil = pay
}
obligation "late" {
  bearer = bank[%[2]s]
  when   = rent[%[1]s].fulfilled
  fulfil = pay
}
requirement "paid" {
  ctl      = "AF late.fulfilled"
  rests_on = [seller[%[1]s]]
}
requirement "in-the-end" {
  ctl      = "AF late.fulfilled"
  assuming = progress(bank[%[2]s])
}
scenario "two" {
  events = [each[%[1]s], each[%[3]s]]
  expect = possible
}
accept "idle-self-loop" {
  on     = event.each[%[1]s]
  reason = "none"
}
`

// TestIndicesAreComputed: an index that is computed means what the number or the name means that it comes to.
func TestIndicesAreComputed(t *testing.T) {
	plain := testkit.DraftOf(t, fmt.Sprintf(numbered, "1", "north", "0", "0"))
	computed := testkit.DraftOf(t, fmt.Sprintf(numbered, "var.n - 1", "local.first", "2 - var.n", "var.n - 2 + param.k"))
	if plain.Digest != computed.Digest {
		t.Errorf("%s with numbers, %s with values", plain.Digest, computed.Digest)
	}
	for index, want := range map[string]string{"var.n / 4": "wrong-type", "0 - var.n": "wrong-type", "var.n > 1": "wrong-type", "var.m": "unknown-name", "var.n + 5": "unknown-name", "count.index": "not-a-reference"} {
		src := load.Text(map[string][]byte{"c.contract.hcl": []byte("variable \"n\" {\n  type = number\n  default = 2\n}\nparty \"s\" { count = 2 }\nevent \"e\" { by = s[" + index + "] }\n")}, "c", nil)
		if len(src.Diagnostics) != 1 || string(diag.CodeOf(src.Diagnostics[0])) != want {
			t.Errorf("%s: %v", index, src.Diagnostics.Errs())
		}
	}
}

// TestAllBearThem: bearer = all(q) means the list of all of several.
func TestAllBearThem(t *testing.T) {
	const text = "contract \"c\" {}\nparty \"q\" { count = 3 }\nparty \"p\" {}\nevent \"e\" { by = any(q) }\nobligation \"o\" {\n  bearer = %s\n  counterparty = %s\n  fulfil = e\n}\n"
	a, b := testkit.DraftOf(t, fmt.Sprintf(text, "all(q)", "[p, all(q)]")), testkit.DraftOf(t, fmt.Sprintf(text, "[q[0], q[1], q[2]]", "[p, q[0], q[1], q[2]]"))
	if a.Digest != b.Digest {
		t.Errorf("%s of all, %s of the list", a.Digest, b.Digest)
	}
	for wrong, want := range map[string]string{"all(p)": "which-instances", "each(q)": "which-instances", "[q[0], all(q)]": "duplicate-name", "all(r)": "unknown-name", "some(q)": "not-a-reference"} {
		src := load.Text(map[string][]byte{"c.contract.hcl": []byte(fmt.Sprintf(text, wrong, "p"))}, "c", nil)
		if len(src.Diagnostics) != 1 || string(diag.CodeOf(src.Diagnostics[0])) != want {
			t.Errorf("%s: %v", wrong, src.Diagnostics.Errs())
		}
	}
}

// TestConditionsOnSeveral: any(q.S0) and all(q.S0) mean what they mean written out for each of several.
func TestConditionsOnSeveral(t *testing.T) {
	const text = `contract "c" {}
party "p" {}
party "q" {
  count = 3
  state "S0" {}
  state "S1" {}
  flag "F" {}
  counter "k" { to = 2 }
  transition "go" {
    from = S0
    to   = S1
    set  = { F = true, k = k + 1 }
  }
}
event "come" { sync = { q = each(go) } }
event "go" {
  by         = p
  only_while = %s
}
obligation "rent" {
  bearer = p
  times  = 2
  when   = come
  fulfil = go
}
obligation "late" {
  bearer  = p
  when    = come
  require = %s
  fulfil  = go
}
`
	for short, long := range map[string]string{
		"any(q.S1)":                    "any(q[0].S1, q[1].S1, q[2].S1)",
		"all(q.S1)":                    "[q[0].S1, q[1].S1, q[2].S1]",
		"[all(!q.F), any(q.k > 0)]":    "[!q[0].F, !q[1].F, !q[2].F, any(q[0].k > 0, q[1].k > 0, q[2].k > 0)]",
		"all(2 * q.k >= 1)":            "[2 * q[0].k >= 1, 2 * q[1].k >= 1, 2 * q[2].k >= 1]",
		"all(!rent.owed, q.S0)":        "[!rent[1].owed, !rent[2].owed, q[0].S0, q[1].S0, q[2].S0]",
		"all(q.k <= q.k)":              "[q[0].k <= q[0].k, q[1].k <= q[1].k, q[2].k <= q[2].k]",
		"any(rent.fulfilled, q[0].S1)": "any(rent[1].fulfilled, rent[2].fulfilled, q[0].S1)",
		"!any(rent.owed, q.S1)":        "[!rent[1].owed, !rent[2].owed, !q[0].S1, !q[1].S1, !q[2].S1]",
		"[q[0].S1, !any(q[1].S1, !any(q[2].F, rent[1].owed))]": "[q[0].S1, !q[1].S1, any(q[2].F, rent[1].owed)]",
		"any(q[0].S0, !any(q[0].S1, q[1].S1))":                 "[any(q[0].S0, !q[0].S1), any(q[0].S0, !q[1].S1)]",
		"!all(q.S1)":                                           "any(!q[0].S1, !q[1].S1, !q[2].S1)",
		"any(q[0].F, !all(rent.owed))":                         "any(q[0].F, !rent[1].owed, !rent[2].owed)",
		"!!any(q.S1, rent.owed)":                               "any(q[0].S1, q[1].S1, q[2].S1, rent[1].owed, rent[2].owed)",
	} {
		a, b := testkit.DraftOf(t, fmt.Sprintf(text, short, "any(q.S1)")), testkit.DraftOf(t, fmt.Sprintf(text, long, "any(q.S1)"))
		c, d := testkit.DraftOf(t, fmt.Sprintf(text, short, short)), testkit.DraftOf(t, fmt.Sprintf(text, long, long)) // a norm is shown with the text of what it requires
		if a.Digest != b.Digest || !reflect.DeepEqual(c.Net, d.Net) || reflect.DeepEqual(a.Net, c.Net) != (short == "any(q.S1)") {
			t.Errorf("%s is not %s", short, long)
		}
	}
	for wrong, want := range map[string]string{"q.S1": "which-instances", "all(q[0].S1)": "which-instances", "rent[1].suspended": "unknown-name", "all(q.S2)": "unknown-name", "all()": "missing-attribute"} {
		src := load.Text(map[string][]byte{"c.contract.hcl": []byte(fmt.Sprintf(text, wrong, "any(q.S1)"))}, "c", nil)
		if len(src.Diagnostics) != 1 || string(diag.CodeOf(src.Diagnostics[0])) != want {
			t.Errorf("%s: %v", wrong, src.Diagnostics.Errs())
		}
	}
}
