package verify_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
)

// TestWhatKeepsAnObligationFromBeingFulfilled: of a condition of what fulfils it, or of a party that is not ready for that, it is said that without it alone
// the obligation could be fulfilled in the state that is shown. Of two that both stand in the way nothing is said.
func TestWhatKeepsAnObligationFromBeingFulfilled(t *testing.T) {
	const text = `contract "c" {}
party "seller" {
  state "S0" {}
  state "S1" {}
  transition "send" {
    from = S0
    to   = S1
  }
}
party "buyer" {
  state "open" {}
  state "shut" {}
  state "back" {}
  transition "close" {
    from = open
    to   = shut
  }
  BUYER
}
event "order" { by = seller }
event "delivery" {
  EVENT
}
obligation "deliver" {
  bearer       = seller
  counterparty = buyer
  when         = order
  fulfil       = delivery
  MORE
}
`
	const again = "transition \"reopen\" {\n    from = shut\n    to   = open\n  }"
	for _, c := range []struct{ buyer, event, more, message, detail string }{
		{"", "by = seller\n  repeats = true\n  only_while = buyer.open", "", "nobody can", `It could be if "delivery" did not need buyer.open (a.contract.hcl:24).`},
		{again, "by = seller\n  repeats = true\n  only_while = buyer.open", "", "unless somebody else acts", `It could alone if "delivery" did not need buyer.open (a.contract.hcl:27).`},
		{"", "by = seller\n  repeats = true\n  only_while = [buyer.open, happened(order)]", "", "nobody can", `It could be if "delivery" did not need buyer.open (a.contract.hcl:24).`},
		{"", "by = seller\n  repeats = true\n  only_while = [buyer.open, !buyer.shut]", "", "nobody can", ""},
		{"", "by = seller\n  repeats = true\n  not_before = { order = 3 }", "within = 2", "nobody can", `It could be if "delivery" did not need not_before = { order = 3 } (a.contract.hcl:24).`},
		{"transition \"take\" {\n    from = open\n    to   = back\n  }", "sync = {\n    seller = send\n    buyer  = take\n  }\n  only_while = deliver.owed", "", "nobody can", `It could be if the buyer were ready for "delivery" (buyer.take, a.contract.hcl:18).`},
	} {
		all := strings.NewReplacer("BUYER", c.buyer, "EVENT", c.event, "MORE", c.more).Replace(text)
		found := false
		for _, d := range testkit.CheckText(t, all).Diagnostics {
			if d.Code == "obligation-cannot-fulfil" {
				found = true
				if !strings.Contains(d.Message, c.message) || d.Detail != c.detail {
					t.Errorf("%s: %s %s\nwant %s: %s", c.event, d.Message, d.Detail, c.message, c.detail)
				}
			}
		}
		if !found {
			t.Errorf("%s: no warning", c.event)
		}
	}
}

// TestWhatKeepsAnObligationByDefinition: a condition of what fulfils an obligation is named where nobody can fulfil it if and only if the contract without that
// condition can still fulfil it from the state that is shown, by firing the net.
func TestWhatKeepsAnObligationByDefinition(t *testing.T) {
	said, silent := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		b.WriteString("contract \"c\" {}\n")
		for _, p := range []string{"seller", "buyer"} {
			fmt.Fprintf(&b, "party %q {\n  state \"S0\" {}\n  state \"S1\" {}\n  state \"S2\" {}\n", p)
			for i := range rapid.IntRange(1, 3).Draw(t, "transitions") {
				from := rapid.IntRange(0, 2).Draw(t, "from")
				fmt.Fprintf(&b, "  transition \"t%d\" {\n    from = S%d\n    to   = S%d\n  }\n", i, from, (from+rapid.IntRange(1, 2).Draw(t, "on"))%3)
			}
			b.WriteString("}\n")
		}
		conditions := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"seller.S0", "!seller.S1", "buyer.S1", "!buyer.S0", "any(buyer.S2, seller.S2)", "happened(order)", "!happened(notice)"}), 1, 3,
			rapid.ID).Draw(t, "conditions")
		text := func(conditions []string) string {
			only := ""
			if len(conditions) > 0 {
				only = "  only_while = [" + strings.Join(conditions, ", ") + "]\n"
			}
			return b.String() + "event \"order\" { by = buyer }\nevent \"notice\" { by = buyer }\nevent \"delivery\" {\n  by      = seller\n  repeats = true\n" + only + "}\n" +
				"obligation \"deliver\" {\n  bearer       = seller\n  counterparty = buyer\n  when         = order\n  fulfil       = delivery\n}\n"
		}
		d := testkit.DraftOf(t, text(conditions))
		for _, diag := range verify.Check(context.Background(), d, finding.Budget{}).Diagnostics {
			if diag.Code != "obligation-cannot-fulfil" || !strings.Contains(diag.Message, "nobody") || diag.Trace == nil {
				continue
			}
			names := namesAt(d, diag.Trace)
			for i, c := range conditions {
				without := testkit.DraftOf(t, text(slices.Delete(slices.Clone(conditions), i, i+1)))
				named, want := strings.Contains(diag.Detail, "did not need "+c+" ("), fulfilsFrom(without, names)
				if named != want {
					t.Fatalf("without %s it can be fulfilled: %t; said: %s\n%s", c, want, diag.Detail, text(conditions))
				}
				said, silent = said+map[bool]int{true: 1}[named], silent+map[bool]int{false: 1}[named]
			}
		}
	})
	if said < 10 || silent < 10 {
		t.Errorf("%d conditions named, %d not", said, silent)
	}
}

// namesAt returns the names of the places that are marked at the end of a run.
func namesAt(d *compile.Draft, run *finding.Trace) (names []string) {
	m := petri.Marking(d.Net.Initial)
	for _, f := range run.Prefix {
		for i, tr := range d.Net.Transitions {
			var parts []string
			for _, p := range tr.Parts {
				if d.Part(p).Made {
					continue
				}
				parts = append(parts, d.Named(p))
			}
			event := ""
			if tr.Event >= 0 {
				event = d.Events[tr.Event].Name
			}
			if d.Net.Fireable(m, i) && event == f.Event && (event != "" || slices.Equal(parts, f.Transitions)) {
				m, _ = d.Net.Fire(m, []int{i})
				break
			}
		}
	}
	for _, p := range m {
		names = append(names, d.Net.Places[p].String())
	}
	return names
}

// fulfilsFrom reports whether the obligation can be fulfilled, while it is owed, from a state with the places of some names.
func fulfilsFrom(d *compile.Draft, names []string) bool {
	var m petri.Marking
	for i, p := range d.Net.Places {
		if slices.Contains(names, p.String()) {
			m = append(m, i)
		}
	}
	seen, work := map[string]bool{}, []petri.Marking{m}
	for len(work) > 0 {
		m := work[0]
		work = work[1:]
		switch {
		case m.Has(d.PlaceOf["deliver.fulfilled"]):
			return true
		case seen[fmt.Sprint(m)] || !m.Has(d.PlaceOf["deliver.owed"]):
			continue
		}
		seen[fmt.Sprint(m)] = true
		for _, step := range d.Net.Steps(m, petri.One) {
			next, _ := d.Net.Fire(m, step)
			work = append(work, next)
		}
	}
	return false
}
