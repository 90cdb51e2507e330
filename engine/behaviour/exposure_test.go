package behaviour_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/naive"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/report/words"
)

// TestExposureAgainstNaive: counts, ends and turns of exposure are those of markings explored naively.
func TestExposureAgainstNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := testkit.DrawContract(t)
		base.Requirements = nil
		head := testkit.CopyOf(base)
		p := rapid.SampledFrom(head.Parties).Draw(t, "party")
		for _, place := range p.Places {
			place.Exposed = rapid.Bool().Draw(t, "exposed")
		}
		d := testkit.CompileSpec(head)
		g, oneSafe := testkit.ExploreNaively(d)
		review := blame.Compare(context.Background(), testkit.CompileSpec(base), d, finding.Budget{})
		if !oneSafe || review.Status != finding.Changed { // it exposes nobody
			return
		}
		when := &ctl.Formula{Op: ctl.False}
		for i, place := range d.Net.Places {
			if exposes(head, place) {
				when = &ctl.Formula{Op: ctl.Or, Left: when, Right: &ctl.Formula{Op: ctl.Atom, Place: i}}
			}
		}
		in := naive.Sat(g, when)
		states := count(in)
		if states == 0 {
			if len(review.Difference.Exposure) > 0 {
				t.Fatal("nobody is exposed")
			}
			return
		}
		passes := naive.Sat(g, &ctl.Formula{Op: ctl.AF, Left: &ctl.Formula{Op: ctl.Not, Left: when}})
		e := review.Difference.Exposure
		if len(e) != 1 || e[0].Party != p.Name || e[0].Base == nil || e[0].Base.States != 0 || e[0].Base.Of != len(g.Succ) || e[0].Head.States != states || e[0].Head.Of != len(g.Succ) {
			t.Fatalf("%+v; naively %d of %d", e, states, len(g.Succ))
		}
		if ends := !slices.Contains(passes, false); e[0].Head.Ends != ends {
			t.Fatalf("ends: %t; naively %t", e[0].Head.Ends, ends)
		}
		if e[0].Head.Ends {
			var places []string
			for _, place := range d.Net.Places {
				if exposes(head, place) {
					places = append(places, place.Net+"."+place.Name)
				}
			}
			head.Requirements = []*hclspec.Requirement{{Name: "ends", Formula: &hclspec.Formula{Text: "AG AF !(" + strings.Join(places, " || ") + ")"}}}
			r := verify.Check(context.Background(), testkit.CompileSpec(head), finding.Budget{}).Requirements[0]
			if got, want := strings.ReplaceAll(fmt.Sprint(e[0].Head.By), "the ", ""), fmt.Sprint(r.Rests); got != want {
				t.Fatalf("it ends by %s; that promise rests on %s", got, want)
			}
		}
		if d.Rule == petri.One {
			begins, ends := turns(d, when)
			if !slices.Equal(e[0].Head.From, begins) || !slices.Equal(e[0].Head.To, ends) {
				t.Fatalf("%q to %q; naively %q to %q", e[0].Head.From, e[0].Head.To, begins, ends)
			}
		}
	})
}

func exposes(c *hclspec.Contract, place petri.Place) bool {
	for _, p := range c.Parties {
		for _, q := range p.Places {
			if p.Name == place.Net && q.Name == place.Name {
				return q.Exposed
			}
		}
	}
	return false
}

func count(in []bool) int {
	n := 0
	for _, b := range in {
		if b {
			n++
		}
	}
	return n
}

// turns are the names of what makes a formula true, and false.
func turns(d *compile.Draft, when *ctl.Formula) (begins, ends []string) {
	for _, m := range testkit.MarkingsOf(d.Net) {
		for i := range d.Net.Transitions {
			if !d.Net.Fireable(m, i) {
				continue
			}
			after, _ := d.Net.Fire(m, []int{i})
			switch before, now := testkit.Value(when, m), testkit.Value(when, after); {
			case now && !before:
				begins = append(begins, d.Net.Transitions[i].Name)
			case before && !now:
				ends = append(ends, d.Net.Transitions[i].Name)
			}
		}
	}
	slices.Sort(begins)
	slices.Sort(ends)
	return slices.Compact(begins), slices.Compact(ends)
}

// TestExposedAfterAssignment: who has performed stays exposed when the duty that has been performed can't be passed on any more, and a duty that is
// passed on first leaves who had it unexposed.
func TestExposedAfterAssignment(t *testing.T) {
	text := `
contract "lease" {}
party "landlord" {}
party "tenant" {}
party "subtenant" {}
event "repair" { by = landlord }
event "rent-paid" { by = any(tenant, subtenant) }
event "assignment" { by = tenant }
obligation "repair" {
  bearer       = landlord
  counterparty = tenant
  fulfil       = repair
}
obligation "rent" {
  bearer       = tenant
  counterparty = landlord
  fulfil       = rent-paid
}
power "assign" {
  bearer   = tenant
  exercise = assignment
  assigns  = rent
  to       = subtenant
}
`
	head := strings.Replace(text, "event \"assignment\"", "event \"other\" { by = landlord }\nevent \"assignment\"", 1)
	review := blame.Compare(t.Context(), testkit.DraftOf(t, text), testkit.DraftOf(t, head), finding.Budget{Jobs: 1})
	for _, e := range review.Difference.Exposure {
		if e.Party == "tenant" && (e.Base.States != 2 || fmt.Sprint(e.Base.From, e.Base.To) != "[rent-paid] [repair]") {
			t.Errorf("the tenant is exposed from %v to %v in %d states", e.Base.From, e.Base.To, e.Base.States)
		}
		if e.Party == "subtenant" {
			t.Errorf("the subtenant is owed nothing: %+v", e)
		}
	}
}

// TestExposedUntilPerformedLate: after a breach without reparation the party that has performed is exposed until the other performs late, or for ever.
func TestExposedUntilPerformedLate(t *testing.T) {
	text := `
contract "sale" {}
party "seller" {}
party "buyer" {}
event "shipping" {
  by         = seller
  only_while = WHILE
}
event "payment" {
  by         = buyer
  only_while = pay.owed
}
obligation "ship" {
  bearer       = seller
  counterparty = buyer
  fulfil       = shipping
  within       = 2
}
obligation "pay" {
  bearer       = buyer
  counterparty = seller
  STARTS
  fulfil       = payment
}
`
	for _, c := range []struct {
		name, while, starts, want string
		states                    int
		ends                      bool
	}{
		{"paid after late shipping", "any(ship.owed, ship.breached)", "when = shipping", "[] []", 0, true},
		{"paid first, shipping may be late", "any(ship.owed, ship.breached)", "", "[payment] [shipping]", 3, true},
		{"paid first, no shipping once late", "ship.owed", "", "[payment] [shipping]", 3, false},
	} {
		from := strings.NewReplacer("WHILE", c.while, "STARTS", c.starts).Replace(text)
		review := blame.Compare(t.Context(), testkit.DraftOf(t, from), testkit.DraftOf(t, from+"event \"other\" { by = seller }\n"), finding.Budget{Jobs: 1})
		i := slices.IndexFunc(review.Difference.Exposure, func(e finding.Exposure) bool { return e.Party == "buyer" })
		if (i < 0) != (c.states == 0) {
			t.Fatalf("%s: %+v", c.name, review.Difference.Exposure)
		}
		if i < 0 {
			continue
		}
		if e := review.Difference.Exposure[i].Base; e.States != c.states || e.Ends != c.ends || fmt.Sprint(e.From, e.To) != c.want {
			t.Errorf("%s: exposed from %v to %v in %d states, ends: %t", c.name, e.From, e.To, e.States, e.Ends)
		}
	}
}

// TestExposureOfRenamed: a new name or title of an event, an obligation or a party is no difference of exposure.
func TestExposureOfRenamed(t *testing.T) {
	text := `
contract "lease" {}
party "landlord" {}
party "tenant" {}
event "mending" { by = landlord }
event "rent-paid" { by = tenant }
obligation "repair" {
  bearer       = landlord
  counterparty = tenant
  fulfil       = mending
  within       = 2
}
obligation "rent" {
  bearer       = tenant
  counterparty = landlord
  fulfil       = rent-paid
  within       = 2
}
`
	for _, c := range [][2]string{
		{"mending", "upkeep"}, {"rent-paid", "rent-received"}, {`"repair"`, `"upkeep"`}, {`"rent"`, `"dues"`}, {"landlord", "lessor"}, {"tenant", "lessee"},
		{`event "mending" { by = landlord }`, "event \"mending\" {\n  title = \"mend the roof\"\n  by    = landlord\n}\nnet \"n\" {}"},
	} {
		head := strings.ReplaceAll(text, c[0], c[1])
		d := blame.Compare(t.Context(), testkit.DraftOf(t, text), testkit.DraftOf(t, head), finding.Budget{Jobs: 1}).Difference
		if d == nil || len(d.Exposure) != 2 {
			t.Errorf("%s is %s: %+v", c[0], c[1], d)
		}
		for _, e := range d.Exposure {
			if !words.SameExposure(&e) {
				t.Errorf("%s is %s: %s is exposed %+v, and was %+v", c[0], c[1], e.Party, e.Head, e.Base)
			}
		}
	}
}

// TestPerformedEarly: who pays before that is owed fulfils nothing. Where it can, and be owed something after it, a review does not weigh when it is exposed.
func TestPerformedEarly(t *testing.T) {
	sale := func(pay, papers, while string) string {
		return `
contract "sale" {}
party "seller" {}
party "buyer" {}
event "signing" { by = seller }
event "papers" {
  by         = seller
  only_while = papers.owed
}
event "payment" {
  by = buyer
` + while + `
}
obligation "papers" {
  bearer       = seller
  counterparty = buyer
  when         = ` + papers + `
  fulfil       = papers
}
obligation "pay" {
  bearer       = buyer
  counterparty = seller
  when         = ` + pay + `
  fulfil       = payment
}
`
	}
	const owed = "  only_while = pay.owed"
	waiting := func(ticks int) string {
		return strings.Replace(sale("signing", "signing", ""), "papers.owed", fmt.Sprintf("papers.owed\n  not_before = { payment = %d }", ticks), 1)
	}
	for _, c := range []struct{ name, base, head, want string }{
		{"payment can come before it is owed", sale("signing", "payment", owed), sale("papers", "signing", ""),
			"from “payment” to “papers”: before it ends if the seller acts; now never, not counting what it performs before it owes that."},
		{"it can't", sale("signing", "payment", owed), sale("papers", "signing", owed),
			"from “payment” to “papers”: before it ends if the seller acts; now never; better for it."},
		{"it could", sale("papers", "signing", ""), sale("signing", "payment", owed),
			"from “payment” to “papers”: before never, not counting what it performs before it owes that; now it ends if the seller acts."},
		{"it could, and was exposed anyhow", sale("signing", "payment", ""), sale("papers", "signing", owed),
			"from “payment” to “papers”: before it ends if the seller acts, not counting what it performs before it owes that; now never; better for it."},
		{"it can in both, and waits longer", waiting(3), waiting(5),
			"from “payment” to “papers”: before for 3 ticks at least, not counting what it performs before it owes that; now for 5 ticks at least, not counting what it performs before it owes that; worse for it."},
		{"something else changes, too", waiting(3), waiting(5) + "event \"other\" { by = seller }\n",
			"from “payment” to “papers”: before for 3 ticks at least, not counting what it performs before it owes that; now for 5 ticks at least, not counting what it performs before it owes that."},
	} {
		d := blame.Compare(t.Context(), testkit.DraftOf(t, c.base), testkit.DraftOf(t, c.head), finding.Budget{Jobs: 1}).Difference
		i := slices.IndexFunc(d.Exposure, func(e finding.Exposure) bool { return e.Party == "buyer" })
		if got := words.BeforeAndNow(&d.Exposure[i], d, words.Terminal); got != c.want {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}

// TestExposedInAsManySituations: the number of ticks that are left makes no situation of its own: a longer deadline changes nothing for who waits for what
// may never come.
func TestExposedInAsManySituations(t *testing.T) {
	const sale = `
contract "sale" {}
party "seller" {}
party "buyer" {}
event "shipping" { by = seller }
event "payment" {
  by         = buyer
  only_while = pay.owed
}
obligation "ship" {
  bearer       = seller
  counterparty = buyer
  fulfil       = shipping
  within       = 2
}
obligation "pay" {
  bearer       = buyer
  counterparty = seller
  fulfil       = payment
}
`
	for _, c := range []struct{ was, is, want string }{
		{"within       = 2", "within       = 5", ""},
		{"within       = 2", "clause       = \"2\"", "in fewer situations"},
	} {
		d := blame.Compare(t.Context(), testkit.DraftOf(t, sale), testkit.DraftOf(t, strings.Replace(sale, c.was, c.is, 1)), finding.Budget{Jobs: 1}).Difference
		e := &d.Exposure[slices.IndexFunc(d.Exposure, func(e finding.Exposure) bool { return e.Party == "buyer" })]
		if got := words.Exposure(e, words.Terminal); words.SameExposure(e) != (c.want == "") || !strings.HasSuffix(got, c.want) {
			t.Errorf("%s: %s", c.is, got)
		}
	}
}

// TestExposedToNobody: of a version in which nobody owes a party anything in return, the review says what it owes and is owed there.
func TestExposedToNobody(t *testing.T) {
	const parties = "contract \"c\" {}\nparty \"a\" {}\nparty \"b\" {}\nevent \"x\" { by = a }\nevent \"y\" { by = b }\n"
	const owes = "obligation \"o\" {\n  bearer = a\n  counterparty = b\n  fulfil = x\n}\n"
	const owed = "obligation \"p\" {\n  bearer = b\n  counterparty = a\n  fulfil = y\n}\n"
	for head, want := range map[string]string{owes: "nothing owed to it in return", owed: "it owes nothing in return", "": "no clause exposes it"} {
		d := blame.Compare(t.Context(), testkit.DraftOf(t, parties+owes+owed), testkit.DraftOf(t, parties+head), finding.Budget{Jobs: 1}).Difference
		i := slices.IndexFunc(d.Exposure, func(e finding.Exposure) bool { return e.Party == "a" })
		if _, now := words.HowLong(&d.Exposure[i], words.Terminal); now != want {
			t.Errorf("%q: %s, want %s", head, now, want)
		}
	}
}
