package blame_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
)

// steps lists the events of a run, and the one that base would have refused.
func steps(t *finding.Trace, r *finding.Refusal) string {
	var said []string
	for _, f := range slices.Concat(t.Prefix, t.Loop) {
		name := f.Event
		if name == "" {
			name = strings.Join(f.Transitions, " ")
		}
		if r != nil && r.Step == f.Step {
			name += " (not before)"
		}
		said = append(said, name)
	}
	return strings.Join(said, ", ")
}

// sameTime is a change of its own: order and delivery in one step, which makes every run shorter.
var sameTime = []testkit.Edit{
	{File: "car-sale.contract.hcl", Old: "event \"payment\" {", New: "event \"cash-and-carry\" {\n  sync = {\n    buyer  = carry\n    seller = hand\n  }\n}\n\nevent \"payment\" {"},
	{File: "buyer.contract.hcl", Old: `  transition "pay" {`, New: "  transition \"carry\" {\n    from = looking\n    to   = buying\n    set  = { has-car = true }\n  }\n\n  transition \"pay\" {"},
	{File: "seller.contract.hcl", Old: `  transition "be-paid" {`, New: "  transition \"hand\" {\n    from = selling\n    to   = delivered\n  }\n\n  transition \"be-paid\" {"},
	{File: "terms.contract.hcl", Old: "  exercise      = cancellation\n  when          = order\n", New: "  exercise      = cancellation\n  when          = [order, cash-and-carry]\n"},
}

// amended has the texts of an amendment of which one change makes an event take a party's step, and another one lets it come sooner.
var amended = func() (base, head fstest.MapFS) {
	const text = `contract "k" {}
party "seller" {}
party "buyer" {
  state "open" {}
  %s
}
event "order" { by = buyer }
event "suspension" {
  by         = seller
  %s
  only_while = suspend.held
}
obligation "deliver" {
  bearer       = seller
  counterparty = buyer
  when         = order
}
obligation "pay" {
  bearer       = buyer
  counterparty = seller
  when         = order
  within       = 2
}
power "suspend" {
  bearer   = seller
  exercise = suspension
  when     = %s
  lifts    = deliver
}
requirement "completion" {
  over = ideal
  ctl  = "AF deliver.fulfilled"
}
requirement "still-possible" { ctl = "AG (pay.breached || EF deliver.fulfilled)" }
`
	of := func(more ...any) fstest.MapFS {
		return fstest.MapFS{"k.contract.hcl": {Data: fmt.Appendf(nil, text, more...)}}
	}
	return of("", "", "pay.breached"), of("transition \"agree\" {\n    from = open\n    to   = open\n  }", "sync = { buyer = agree }", "order")
}

// TestAloneNamesWhatTheRunNeeds: of several smallest sets of changes that break a promise, the one is to blame that the run needs. A set that breaks it by a run
// that the whole amendment does not have is none.
func TestAloneNamesWhatTheRunNeeds(t *testing.T) {
	base, head := amended()
	gas := []testkit.Edit{{File: "gas-supply.contract.hcl", Old: "    buyer    = settle\n", New: ""}, {File: "norms.contract.hcl", Old: "  until         = dispute\n", New: ""}}
	for _, row := range []struct {
		name string
		c    finding.ContractReview
		want []string
	}{
		{"another change breaks it by another run", compareFiles(t, testkit.Example(t, "gas-supply"), testkit.Example(t, "gas-supply", gas...)), []string{
			`disputed-is-not-due: obligation "take-or-pay" until: nomination, delivery, invoice, dispute`}},
		{"another change alone breaks it by a run that is gone with all of them", compareFiles(t, base, head), []string{
			`completion: power "suspend" when: order, pay, suspension (not before)`,
			`still-possible: power "suspend" when: order, suspension (not before)`}},
	} {
		t.Run(row.name, func(t *testing.T) {
			var got []string
			for _, f := range row.c.Findings {
				if f.Kind == finding.New && f.Head != nil {
					line := f.Name + ":"
					for _, b := range f.Blame.Blocks {
						line += fmt.Sprintf(" %s %s", b.Name, strings.Join(b.Terms, " "))
					}
					if line += ": " + steps(f.Head.Trace, f.Refusal); f.Blame.First != nil || f.Blame.More {
						line += ", and more"
					}
					got = append(got, line)
				}
			}
			if !slices.Equal(got, row.want) {
				t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(row.want, "\n"))
			}
		})
	}
}

// TestAlone holds the run that is shown of a violation to the changes that are named as its cause: where the run found first needs another change, one that needs
// the named ones alone is shown instead, if there is one.
func TestAlone(t *testing.T) {
	cancel := testkit.Edit{File: "terms.contract.hcl", Old: "  until         = delivery\n", New: "  until         = payment\n"}
	for _, row := range []struct {
		name, example string
		edits         []testkit.Edit
		want          []string // of each new violation: the run that is shown, and the one found first if that is another
	}{
		{"two changes, the other makes the run shorter", "car-sale", append(slices.Clone(sameTime), cancel), []string{
			"no-free-car: order, delivery, cancellation (not before); found first: cash-and-carry, cancellation"}},
		{"one change", "car-sale", []testkit.Edit{cancel}, []string{"no-free-car: order, delivery, cancellation (not before)"}},
		{"another change, which the run does not need", "car-sale", []testkit.Edit{cancel, {File: "terms.contract.hcl", Old: `"1 week"`, New: `"2 weeks"`}}, []string{
			"no-free-car: order, delivery, cancellation (not before)"}},
		{"no run without the other change", "car-sale", []testkit.Edit{cancel,
			{File: "buyer.contract.hcl", Old: "  state \"looking\" {", New: "  state \"idle\" {}\n  state \"looking\" {"},
			{File: "buyer.contract.hcl", Old: `  transition "pay" {`, New: "  transition \"wake\" {\n    from = idle\n    to   = looking\n  }\n\n  transition \"pay\" {"}}, []string{
			"no-free-car: buyer.wake (not before), order, delivery, cancellation; may need more"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := compareFiles(t, testkit.Example(t, row.example), testkit.Example(t, row.example, row.edits...))
			var got []string
			for _, f := range c.Findings {
				if f.Kind == finding.New && f.Head != nil {
					line := fmt.Sprintf("%s: %s", f.Name, steps(f.Head.Trace, f.Refusal))
					if f.Blame.More {
						line += "; may need more"
					}
					if first := f.Blame.First; first != nil {
						line += "; found first: " + steps(first.Trace, nil)
						if f.Head.Run == first.Run || first.Run != c.Head.Requirements[slices.IndexFunc(c.Head.Requirements, func(q finding.Requirement) bool { return q.Name == f.Name })].Run {
							t.Error("a waiver cannot name both runs")
						}
					}
					got = append(got, line)
				}
			}
			if !slices.Equal(got, row.want) {
				t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(row.want, "\n"))
			}
		})
	}
}

// TestTheCauseSaysItsClause: a change to blame has the title and the clause of its block, head's or, of one that is removed, base's. A title that is another one
// for each instance is left out, and a repair names the clause.
func TestTheCauseSaysItsClause(t *testing.T) {
	const text = `contract "k" {}
party "a" {
  state "S" {}
  flag "done" {}
%s}
party "m" {
  count = 2
  state "S" {}
  state "T" {}
  transition "go" {
    title  = "number ${count.index} goes"
    clause = "Annex A"
    from   = %s
    to     = T
  }
}
requirement "done" { ctl = "EF a.done" }
requirement "gone" { ctl = "EF m[1].T" }
`
	const do = "  transition \"do\" {\n    title  = \"do it\"\n    clause = \"2.1\"\n    from   = S\n    to     = S\n    set    = { done = true }\n  }\n"
	of := func(more ...any) fstest.MapFS {
		return fstest.MapFS{"k.contract.hcl": {Data: fmt.Appendf(nil, text, more...)}}
	}
	for _, row := range []struct {
		head fstest.MapFS
		want []string
	}{
		{of("", "S"), []string{`do it, 2.1; Put back transition "do" (clause 2.1) of party "a".`}},
		{of(do, "T"), []string{`, Annex A; Put transition "go" (Annex A) of party "m" as it was.`}},
	} {
		var got []string
		for _, f := range compareFiles(t, of(do, "S"), row.head).Findings {
			if f.Kind == finding.New && len(f.Repairs) > 0 {
				got = append(got, fmt.Sprintf("%s, %s; %s", f.Blame.Blocks[0].Title, f.Blame.Blocks[0].Clause, f.Repairs[0].What))
			}
		}
		if !slices.Equal(got, row.want) {
			t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(row.want, "\n"))
		}
	}
}
