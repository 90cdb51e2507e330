package compare

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec/codes"
)

// delivering is a contract in which one party delivers, another approves and a third calls, in any order.
const delivering = `contract "c" {}
party "seller" {
  state "S0" {}
  state "S1" {}
  transition "send" {
    from = S0
    to   = S1
  }
}
party "buyer" {
  state "B0" {}
  state "B1" {}
  transition "take" {
    from = B0
    to   = B1
  }
}
party "bank" {
  state "K0" {}
  state "K1" {}
  transition "ask" {
    from = K0
    to   = K1
  }
}
event "call" {
  sync = { bank = ask }
}
event "delivery" {
  sync = { seller = send }
}
event "approval" {
  sync = { buyer = take }
}
document "receipt" {
  moves = { delivery = { to = buyer } }
}
`

// duty writes an obligation whose breach ends the contract.
func duty(name, bearer, event string, within int) string {
	return fmt.Sprintf("obligation %q {\n  bearer = %s\n  fulfil = %s\n  within = %d\n  ends_contract = true\n}\n", name, bearer, event, within)
}

// silence writes a prohibition that ends only with the contract.
func silence(name string) string {
	return fmt.Sprintf("prohibition %q {\n  bearer = bank\n  counterparty = buyer\n  of = call\n}\n", name)
}

// TestNormsThatStandOtherwise: where what is owed counts, a norm that is written as before and stands otherwise after the same steps is a finding of its own.
func TestNormsThatStandOtherwise(t *testing.T) {
	deliver := func(within int) string { return duty("deliver", "seller", "delivery", within) }
	swapped := func(first, second int) string {
		return deliver(first) + duty("approve", "buyer", "approval", second)
	}
	const changed = "new norm-changed on obligation.deliver"
	for _, c := range []struct {
		name, base, head string
		states           int
		want             string
	}{
		{"the contract ends later", deliver(3) + silence("quiet"), deliver(9) + silence("quiet"), 0, changed + ", new norm-changed on prohibition.quiet"},
		{"the first norm", silence("quiet") + deliver(3), silence("quiet") + deliver(9), 0, changed + ", new norm-changed on prohibition.quiet"},
		{"better at times and worse at others", silence("quiet") + swapped(3, 6), silence("quiet") + swapped(6, 3), 0,
			"new norm-changed on obligation.approve, " + changed + ", new norm-changed on prohibition.quiet"},
		{"two changed alike", swapped(3, 3), swapped(9, 9), 0, "new norm-changed on obligation.approve, " + changed},
		{"renamed", silence("quiet") + deliver(3), silence("still") + deliver(9), 0, changed + ", new norm-changed on prohibition.still"},
		{"a requirement of that name is added", deliver(3) + silence("quiet"), deliver(9) + silence("quiet") + "requirement \"quiet\" { ctl = \"AG !seller.S0 || true\" }\n", 0,
			changed + ", new norm-changed on prohibition.quiet"},
		{"a norm is added", deliver(3), deliver(3) + silence("quiet"), 0, ""},
		{"a document is dropped", deliver(3), "no receipt", 0, ""},
		{"too large", silence("quiet"), silence("quiet") + "net \"n\" {}\n", 1, "undecided norm-changed on "},
		{"too large, and the first norm", "", silence("quiet"), 1, ""},
		{"without norms", "", "net \"n\" {}\n", 0, ""},
		{"too large, and without norms", "", "net \"n\" {}\n", 1, ""},
	} {
		head := delivering + c.head
		if c.head == "no receipt" {
			head = delivering[:strings.Index(delivering, "document")] + c.base
		}
		b := finding.Budget{Jobs: 1, Owed: true}
		if c.states > 0 {
			b.States, b.Engine = c.states, finding.Explicit
		}
		review, _ := Compared(t.Context(), testkit.DraftOf(t, delivering+c.base), testkit.DraftOf(t, head), b)
		var got, runs []string
		for _, f := range review.Findings {
			if f.Check == nil {
				continue
			}
			got = append(got, fmt.Sprintf("%s %s on %s", f.Kind, f.Name, f.Check.Subject))
			if runs = append(runs, f.Check.Run); f.Check.Subject != "" && f.Check.Run == "" {
				t.Errorf("%s: nothing names %s", c.name, f.Check.Subject)
			}
			for subject, who := range map[string]string{"obligation.deliver": "of the seller", "obligation.approve": "of the buyer", "prohibition.": "of the bank towards the buyer"} {
				if strings.HasPrefix(f.Check.Subject, subject) && !strings.Contains(f.Check.Message, who) {
					t.Errorf("%s: %s", c.name, f.Check.Message)
				}
			}
			if f.Check.Detail == "" {
				t.Errorf("%s: no detail: %s", c.name, f.Check.Message)
			}
		}
		slices.Sort(got)
		if said := strings.Join(got, ", "); said != c.want {
			t.Errorf("%s: %s, want %s", c.name, said, c.want)
		}
		if slices.Sort(runs); len(slices.Compact(runs)) < len(got) {
			t.Errorf("%s: one fingerprint names two changes", c.name)
		}
		if !slices.IsSortedFunc(review.Head.Diagnostics, explain.Compare) {
			t.Errorf("%s: remarks are not in order", c.name)
		}
	}
}

// TestOwedThatIsUnknown: where a limit ended the comparison of what is owed, or no run shows what differs, the finding is undecided and says why.
func TestOwedThatIsUnknown(t *testing.T) {
	base := testkit.DraftOf(t, delivering+duty("deliver", "seller", "delivery", 3))
	longer := testkit.DraftOf(t, delivering+duty("deliver", "seller", "delivery", 9))
	beside := testkit.DraftOf(t, delivering+duty("deliver", "seller", "delivery", 3)+"net \"n\" {}\n")
	for _, c := range []struct {
		name string
		head *compile.Draft
		owed finding.Owed
		want string // the reason; with no other remark
	}{
		{"the same", beside, finding.Owed{Relation: delta.Same}, ""},
		{"unknown", beside, finding.Owed{Reason: "it takes too long."}, "it takes too long."},
		{"some may be left out", beside, finding.Owed{Relation: delta.Otherwise, Reason: "it takes too long"}, "it takes too long."},
		{"changed, and unknown", longer, finding.Owed{Reason: "it takes too long"}, "it takes too long."},
		{"changed, and some may be left out", longer, finding.Owed{Relation: delta.Otherwise, Reason: "it takes too long"}, "it takes too long."},
		{"written as before, and no run shows it", beside, finding.Owed{Relation: delta.Otherwise, Unshown: 1}, "no single run shows it."},
		{"not compared at other times, and nothing happens by itself", beside, finding.Owed{Relation: delta.Less, UntimedReason: "it takes too long"}, ""},
		{"changed, and no run shows it", longer, finding.Owed{Relation: delta.Otherwise, Unshown: 1}, "no single run shows it."},
	} {
		review := &finding.ContractReview{Head: &finding.Result{}, Difference: &finding.Difference{Whole: &finding.Behaviour{Owed: &c.owed}}}
		declared(review, compile.Amend(base, c.head), c.head, true, &verify.Answers{}, &verify.Answers{})
		switch {
		case c.want == "" && len(review.Findings) > 0:
			t.Errorf("%s: %+v", c.name, review.Findings[0].Check)
		case c.want == "":
		case len(review.Findings) != 1 || review.Findings[0].Kind != finding.Undecided || review.Findings[0].Check.Class != codes.Violation:
			t.Errorf("%s: %+v", c.name, review.Findings)
		case !strings.HasSuffix(review.Findings[0].Check.Detail, c.want):
			t.Errorf("%s: %s", c.name, review.Findings[0].Check.Detail)
		}
	}
}

// TestOwedAtOtherTimes: where an event happens by itself at another time, no run may be left that both versions have, and a norm stands otherwise after the same
// events. Diagrams do not compare these, and then it is undecided; but that the norm begins at another time they see.
func TestOwedAtOtherTimes(t *testing.T) {
	lapse := func(after int, more string) *compile.Draft {
		return testkit.DraftOf(t, delivering+fmt.Sprintf("event \"lapse\" { after = { delivery = %d } }\n", after)+
			"obligation \"answer\" {\n  bearer = buyer\n  when = lapse\n  fulfil = approval\n  within = 3\n}\n"+more)
	}
	for _, c := range []struct {
		name string
		head *compile.Draft
		want [2]string // on explicit states, and on diagrams
	}{
		{"later", lapse(4, ""), [2]string{"new norm-changed on obligation.answer", "undecided norm-changed on new norm-changed on obligation.answer"}},
		{"as before", lapse(2, "net \"n\" {}\n"), [2]string{}},
	} {
		for i, engine := range []finding.Engine{finding.Explicit, finding.Symbolic} {
			review, _ := Compared(t.Context(), lapse(2, ""), c.head, finding.Budget{Jobs: 1, Owed: true, Engine: engine})
			got := ""
			for _, f := range review.Findings {
				got += fmt.Sprintf("%s %s on %s", f.Kind, f.Name, f.Check.Subject)
				if f.Kind == finding.Undecided && !strings.HasPrefix(f.Check.Detail, "It was not compared after the same events at other times: ") {
					t.Errorf("%s, %s: for another reason: %s", c.name, engine, f.Check.Detail)
				}
			}
			if got != c.want[i] {
				t.Errorf("%s, %s: %s, want %s", c.name, engine, got, c.want[i])
			}
		}
	}
}

// TestEndsByItsText: of a changed norm it is said by which events it ends by its text, if each of them is enough.
func TestEndsByItsText(t *testing.T) {
	for _, c := range []struct {
		of             diff.Element
		word, was, now string
		want           string
	}{
		{diff.Obligation, "fulfil", "delivery", "delivery, proxy", "By its text it is now also fulfilled by proxy."},
		{diff.Obligation, "fulfil", "dispatch, delivery", "proxy", "By its text it is no longer fulfilled by dispatch or delivery. By its text it is now also fulfilled by proxy."},
		{diff.Obligation, "until", "", "refusal", "By its text it is now also lifted by refusal."},
		{diff.Prohibition, "until", "release", "", "By its text it is no longer ended by release."},
		{diff.Prohibition, "of", "delivery", "proxy", ""},
		{diff.Obligation, "fulfil", "all(delivery, proxy)", "delivery", ""},
		{diff.Obligation, "fulfil", "delivery", "all(delivery, proxy)", ""},
	} {
		got := strings.Join(endings(diff.Change{Element: c.of, Terms: []diff.Term{{Word: c.word, Was: c.was, Now: c.now}}}), " ")
		if got != c.want {
			t.Errorf("%s of %s was %s, now %s: %s, want %s", c.word, c.of, c.was, c.now, got, c.want)
		}
	}
}

// TestOthersThatDiffer: the occurrences of a norm that differ beside the one that is described are named, each once and in order.
func TestOthersThatDiffer(t *testing.T) {
	of := func(names ...string) (list []finding.NormDifference) {
		for _, name := range names {
			list = append(list, finding.NormDifference{Norm: name, Kind: "obligation"})
		}
		return list
	}
	for shown, want := range map[string]string{"rent[2]": " Others that differ: 1st, 3rd.", "fee[4]": "", "tax": ""} {
		owed := &finding.Owed{Norms: of("rent[3]", "rent[2]", "tax", "fee[4]"), Untimed: of("rent[1]", "rent[3]", "rent")}
		d := &declaring{review: &finding.ContractReview{Difference: &finding.Difference{Whole: &finding.Behaviour{Owed: owed}}}}
		if got := d.others(&of(shown)[0]); got != want {
			t.Errorf("%s: %q, want %q", shown, got, want)
		}
	}
}
