package engine_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec/published"
)

// orders is a contract of n orders, each to be delivered within so many days, and then paid within ten; a defect can be claimed for so many days
// from delivery.
func orders(n, days int) string {
	var b strings.Builder
	b.WriteString("contract \"orders\" {}\nparty \"seller\" {}\nparty \"buyer\" {}\n")
	for i := range n {
		fmt.Fprint(&b, strings.NewReplacer("#", fmt.Sprint(i), "DAYS", fmt.Sprint(days)).Replace(`
net "n#" {
  state "none" {}
  state "ordered" { since = order# }
  state "delivered" { since = delivery# }
  state "claimed" { since = claim# }
}
event "order#" {
  by         = buyer
  only_while = n#.none
}
event "delivery#" {
  by         = seller
  only_while = n#.ordered
}
event "payment#" {
  by         = buyer
  only_while = pay#.owed
}
event "claim#" {
  by         = buyer
  only_while = n#.delivered
  within     = { delivery# = DAYS }
}
obligation "deliver#" {
  bearer       = seller
  counterparty = buyer
  when         = order#
  fulfil       = delivery#
  within       = DAYS
}
obligation "pay#" {
  bearer       = buyer
  counterparty = seller
  when         = delivery#
  fulfil       = payment#
  within       = 10
}
requirement "late#" { ctl = "EF (deliver#.breached && pay#.fulfilled)" }
requirement "claimed-once#" { ctl = "AG (n#.claimed -> AG n#.claimed)" }
requirement "paid-once#" { ctl = "AG (pay#.fulfilled -> !EF pay#.owed)" }
`))
	}
	return b.String()
}

// rents is a lease of so many rents, one a month, each to be paid within some days of the first.
func rents(n int) string {
	return fmt.Sprintf(`
contract "lease" { start = "2026-01-01" }
party "landlord" {}
party "tenant" {
  state "in" {}
  transition "pay" { read = [in] }
}
event "payment" { sync = { tenant = pay } }
obligation "rent" {
  bearer       = tenant
  counterparty = landlord
  fulfil       = payment
  every        = "1 month"
  times        = %d
  within       = "5 days"
}
requirement "may-be-late" { ctl = "EF (some p in rent: p.breached)" }
requirement "all-paid" { ctl = "EF (all p in rent: p.fulfilled)" }
requirement "first-comes-first" { ctl = "AG (rent[2].fulfilled -> rent[1].fulfilled || rent[1].breached)" }
`, n)
}

// TestDeadlinesOnDiagrams: obligations with deadlines of many days, whose clocks all run at the same tick, are decided on diagrams.
func TestDeadlinesOnDiagrams(t *testing.T) {
	for name, text := range map[string]string{"orders": orders(2, 90), "rents": rents(12)} {
		r := testkit.CheckWithin(t, text, finding.Budget{Engine: finding.Symbolic})
		if r.Model.States == nil {
			t.Fatalf("%s: %s %+v", name, r.Model.Incomplete, r.Diagnostics)
		}
		for _, q := range r.Requirements {
			if q.Verdict != finding.Holds {
				t.Errorf("%s: %s is %v %s", name, q.Name, q.Verdict, q.Reason)
			}
		}
	}
	for name, text := range map[string]string{"orders": orders(2, 3), "rents": rents(2)} {
		agree(t, map[string][]byte{name + ".contract.hcl": []byte(text)})
	}
}

// TestEnginesAgreeOnPublished: of contracts that others published, with their norms and clocks, states one by one and diagrams say the same.
func TestEnginesAgreeOnPublished(t *testing.T) {
	draws.SkipForRaces(t)
	files, err := fs.Glob(published.FS, "*/*.contract.hcl")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		if path.Base(file) == "promissory-note.contract.hcl" || path.Base(file) == "late-delivery.contract.hcl" && !draws.All() {
			continue // diagrams refuse the one, and of the other take seconds
		}
		text, err := published.FS.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		agree(t, map[string][]byte{path.Base(file): text})
	}
}

// sooner returns a text in which the first order is to be delivered a day sooner, and one in which claims of the second end a day sooner.
func sooner(text string, days int) (delivery, claim string) {
	was, now := fmt.Sprintf("= %d", days), fmt.Sprintf("= %d", days-1)
	head, tail, _ := strings.Cut(text, "obligation \"deliver0\"")
	delivery = head + "obligation \"deliver0\"" + strings.Replace(tail, was, now, 1)
	return delivery, strings.Replace(text, "delivery1 "+was, "delivery1 "+now, 1)
}

// TestDeadlinesAreCompared: versions whose ticks can go in many ways are compared on diagrams: what is owed differs on the day on which one
// deadline has passed and the other has not, and a claim is refused on the first day that is too late.
func TestDeadlinesAreCompared(t *testing.T) {
	draws.SkipForRaces(t)
	const days = 9
	base := orders(2, days)
	delivery, claim := sooner(base, days)
	for _, c := range []struct{ head, want string }{
		{delivery, fmt.Sprintf("same; more and less: deliver0 after %d", 1+days-1)},
		{claim, fmt.Sprintf("less: claim1 after %d; less", 2+days-1)},
	} {
		d := blame.Compare(t.Context(), testkit.DraftOf(t, base), testkit.DraftOf(t, c.head), finding.Budget{Engine: finding.Symbolic}).Difference
		got := fmt.Sprint(d.All.Relation)
		for _, s := range slices.Concat(d.All.Possible, d.All.Impossible) {
			got += fmt.Sprintf(": %s after %d", s.Refused, len(s.Run)-1)
		}
		got += fmt.Sprintf("; %v", d.All.Owed.Relation)
		for _, n := range d.All.Owed.Norms {
			got += fmt.Sprintf(": %s after %d", n.Norm, len(n.Run))
		}
		if got != c.want {
			t.Errorf("%s (%s), not %s", got, d.All.Reason, c.want)
		}
	}
}

// BenchmarkDeadlines checks contracts of many clocks on diagrams.
func BenchmarkDeadlines(b *testing.B) {
	for _, row := range []struct{ name, text string }{
		{"orders/1", orders(1, 90)}, {"orders/2", orders(2, 90)}, {"orders/3", orders(3, 90)}, {"orders/4", orders(4, 90)}, {"orders/6", orders(6, 90)},
		{"rents/12", rents(12)}, {"rents/24", rents(24)}, {"rents/36", rents(36)},
	} {
		b.Run(row.name, func(b *testing.B) {
			d := testkit.DraftOf(b, row.text)
			for b.Loop() {
				r := verify.Check(context.Background(), d, finding.Budget{Engine: finding.Symbolic})
				for _, q := range r.Requirements {
					if q.Verdict != finding.Holds {
						b.Fatal(q.Name, q.Verdict, q.Reason)
					}
				}
				b.ReportMetric(float64(r.Model.Stats.Peak), "nodes")
			}
		})
	}
}

// BenchmarkDated checks contracts with dates and deadlines of months, in days, by the method that comes first.
func BenchmarkDated(b *testing.B) {
	files, err := filepath.Glob("testdata/dated/*.contract.hcl")
	if err != nil || len(files) == 0 {
		b.Fatal(files, err)
	}
	for _, file := range files {
		b.Run(strings.TrimSuffix(filepath.Base(file), ".contract.hcl"), func(b *testing.B) {
			text, err := os.ReadFile(file)
			if err != nil {
				b.Fatal(err)
			}
			d := testkit.DraftOf(b, string(text))
			for b.Loop() {
				r := verify.Check(context.Background(), d, finding.Budget{Memory: 2 << 30})
				for _, q := range r.Requirements {
					if q.Verdict == finding.Unknown {
						b.Fatal(q.Name, q.Reason)
					}
				}
			}
		})
	}
}

// TestTickThatEndsTheContract: an occurrence that time alone would bring about on the tick on which the contract ends does not arise, nor does what follows it.
func TestTickThatEndsTheContract(t *testing.T) {
	const job = `contract "job" {}
party "employer" {
  state "open" {}
  state "third" { since = wages[3].owed }
}
party "employee" {}
event "start" { by = employee }
obligation "deliver" {
  bearer        = employee
  counterparty  = employer
  when          = start
  within        = 2
  ends_contract = true
}
obligation "wages" {
  bearer       = employer
  counterparty = employee
  when         = start
  times        = 4
  every        = 1
  within       = 1
}
requirement "none-after-the-end" { never = "contract.ended && (some w in wages: w.owed)" }
requirement "nothing-follows" { never = "deliver.breached && employer.third" }
requirement "the-third-can-arise" { ctl = "EF wages[3].owed && EF employer.third" }
`
	for name, text := range map[string]string{
		"another's breach":        job,
		"it survives":             strings.Replace(job, "times        = 4", "times        = 4\n  survives     = true", 1),
		"for good":                strings.Replace(strings.Replace(job, "{}", "{ ends = deliver.breached }", 1), "  ends_contract = true\n", "", 1),
		"for good, it survives":   strings.NewReplacer("\"job\" {}", "\"job\" { ends = [] }", "times        = 4", "times        = 4\n  survives     = true").Replace(job),
		"its own breach":          strings.NewReplacer("  ends_contract = true\n", "", "deliver.breached && employer", "wages[2].breached && employer", "times        = 4", "times        = 4\n  ends_contract = true").Replace(job),
		"its own, with a penalty": strings.NewReplacer("  ends_contract = true\n", "", "deliver.breached && employer", "wages[2].breached && employer", "times        = 4", "times        = 4\n  ends_contract = true\n  reparation = damages").Replace(job) + "obligation \"damages\" {\n  bearer = employer\n}\n",
	} {
		for _, q := range testkit.CheckWithin(t, text, finding.Budget{Jobs: 1}).Requirements {
			if q.Verdict != finding.Holds {
				t.Errorf("%s: %s %s: %s", name, q.Name, q.Verdict, q.Reason)
			}
		}
	}
}
