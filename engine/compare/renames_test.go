package compare_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/verify"
)

// renamed puts another name in the place of one, wherever it stands by itself.
func renamed(text, old, new string) string {
	whole := regexp.MustCompile(`(^|[^\w-])` + regexp.QuoteMeta(old) + `($|[^\w-])`)
	for range 2 {
		text = whole.ReplaceAllString(text, "${1}"+new+"${2}")
	}
	return text
}

const promised = `contract "c" { final = "seller.sent && buyer.served" }
party "seller" {
  state "open" {}
  state "sent" {}
  flag "stock" { initial = true }
  counter "tries" { to = 2 }
  transition "send" {
    from = open
    to   = sent
    when = { stock = true }
  }
  transition "try" {
    from    = open
    to      = open
    require = tries < 2
    set     = { tries = tries + 1 }
  }
}
party "buyer" {
  state "waiting" {}
  state "served" {}
  transition "take" {
    from = waiting
    to   = served
  }
}
event "delivery" {
  sync = {
    seller = send
    buyer  = take
  }
}
event "attempt" {
  sync = { seller = try }
}
document "bill" {
  holder = seller
  moves  = { delivery = { from = seller, to = buyer } }
}
obligation "deliver" {
  bearer = seller
  fulfil = delivery
}
requirement "served" { ctl = "AG (seller.sent -> buyer.served)" }
requirement "in-stock" { ctl = "AG (seller.stock && seller.tries <= 2)" }
requirement "before" { ctl = "AG (happened(delivery) -> bill.buyer && deliver.fulfilled)" }
requirement "acts" {
  ctl      = "EF (seller.sent && enabled(delivery)) || EF seller.sent"
  assuming = progress(seller)
}
requirement "once" {
  no      = "buyer.served"
  without = "happened(delivery)"
}
requirement "tried" { ctl = "AG (seller.tries >= 1 -> happened(attempt))" }
requirement "fails" { ctl = "AG seller.open" }
`

// TestPureRenames: an amendment that calls things otherwise is told so, breaks no promise, and leaves none
// undecided. Promises that are dropped with it are asked in the new names.
func TestPureRenames(t *testing.T) {
	base := testkit.DraftOf(t, promised)
	for _, old := range []string{"seller", "buyer", "open", "sent", "stock", "tries", "send", "waiting", "served", "take", "delivery", "attempt", "bill", "deliver",
		"in-stock", "before", "acts", "once"} {
		text := renamed(promised, old, "other")
		if text == promised {
			continue
		}
		for _, drop := range []bool{false, true} {
			want := map[finding.Kind]int{finding.Kept: 6, finding.Standing: 1}
			if drop {
				text = regexp.MustCompile(`(?ms)^requirement "[^"]*" \{(.*?^\}|[^\n]*\})\n`).ReplaceAllString(text, "")
				text = strings.Replace(text, ` { final = "seller.sent && buyer.served" }`, " {}", 1)
				text = regexp.MustCompile(`contract "c" \{ final.*\}`).ReplaceAllString(text, `contract "c" {}`)
				want = map[finding.Kind]int{finding.Dropped: 7, finding.Standing: 1} // the final states, too
			}
			review := blame.Compare(context.Background(), base, testkit.DraftOf(t, text), finding.Budget{Jobs: 1})
			got := map[finding.Kind]int{}
			for _, f := range review.Findings {
				got[f.Kind]++
				if f.Head != nil && f.Head.Reason != "" {
					t.Errorf("%s renamed, %s: %s", old, f.Name, f.Head.Reason)
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s renamed: %v, want %v", old, got, want)
			}
			if drop {
				continue
			}
			if c := review.Difference.Changes; len(c) == 0 || slices.ContainsFunc(c, func(c diff.Change) bool { return c.Action != diff.Renamed }) {
				t.Errorf("%s renamed:\n%s", old, testkit.ChangesSaid(c))
			}
			if r := review.Difference.All.Relation; r != delta.Same {
				t.Errorf("%s renamed: %s", old, r)
			}
			for _, d := range review.Head.Diagnostics {
				if d.Code == "norm-changed" || d.Code == "norm-dropped" || d.Code == "document-dropped" {
					t.Errorf("%s renamed: %s %s", old, d.Message, d.Detail)
				}
			}
		}
	}
}

// TestRenamedAndBroken: what breaks a promise breaks it under any name.
func TestRenamedAndBroken(t *testing.T) {
	base := testkit.DraftOf(t, promised)
	text := renamed(renamed(promised, "seller", "vendor"), "served", "done")
	text = strings.Replace(text, "    buyer  = take\n", "", 1)
	without := strings.Replace(text, `requirement "done" { ctl = "AG (vendor.sent -> buyer.done)" }`+"\n", "", 1)
	for _, c := range []struct {
		head, name string
		want       finding.Kind
	}{{text, "done", finding.New}, {without, "served", finding.Weakened}} {
		review := blame.Compare(context.Background(), base, testkit.DraftOf(t, c.head), finding.Budget{Jobs: 1})
		i := slices.IndexFunc(review.Findings, func(f finding.Finding) bool { return f.Name == c.name })
		if i < 0 || review.Findings[i].Kind != c.want || review.Findings[i].Base == nil || review.Findings[i].Base.Name != "served" {
			for _, f := range review.Findings {
				t.Errorf("%s: %s", f.Name, f.Kind)
			}
		}
	}
}

// TestPromiseUnderTwoNewNames: a promise that fails fails no more for being called otherwise, in other words.
func TestPromiseUnderTwoNewNames(t *testing.T) {
	head := renamed(promised, "open", "free") + "requirement \"still\" { ctl = \"AG seller.free\" }\n"
	head = strings.Replace(head, `requirement "fails" { ctl = "AG seller.free" }`, `requirement "fails" { ctl = "EF seller.free" }`, 1)
	review := blame.Compare(context.Background(), testkit.DraftOf(t, promised), testkit.DraftOf(t, head), finding.Budget{Jobs: 1})
	for _, f := range review.Findings {
		want := finding.Kept
		switch f.Name {
		case "still":
			want = finding.Standing
		case "fails":
			want = finding.Kept // base keeps the new wording, too
		}
		if f.Kind != want {
			t.Errorf("%s: %s, want %s", f.Name, f.Kind, want)
		}
	}
}

// TestPatternsOverIdealRuns: over = ideal counts for a pattern as for a formula, and for before().
func TestPatternsOverIdealRuns(t *testing.T) {
	text := strings.Replace(promised, `requirement "fails" { ctl = "AG seller.open" }`,
		"obligation \"hurry\" {\n  bearer = seller\n  fulfil = delivery\n  within = 9\n}\nrequirement \"p\" {\n  over = OVER\n  always = \"!hurry.breached\"\n}\nrequirement \"b\" {\n  over = OVER\n  ctl = \"before(delivery, tick)\"\n}\n", 1)
	all := testkit.DraftOf(t, strings.ReplaceAll(text, "OVER", "all"))
	ideal := testkit.DraftOf(t, strings.ReplaceAll(text, "OVER", "ideal"))
	if all.Digest == ideal.Digest {
		t.Error("of which runs it speaks is no change of meaning")
	}
	for d, want := range map[*compile.Draft]finding.Verdict{all: finding.Violated, ideal: finding.Holds} {
		if q := testkit.Requirement(t, verify.Check(context.Background(), d, finding.Budget{Jobs: 1}), "p"); q.Verdict != want {
			t.Errorf("%s: %s, want %s", q.Formula, q.Verdict, want)
		}
	}
}

// TestFindingsUnderNewNames: what a check objected to already stands, whatever it is called now.
func TestFindingsUnderNewNames(t *testing.T) {
	duty := "obligation \"deliver\" {\n  bearer = seller\n  fulfil = delivery\n}\nprohibition \"hold\" {\n  bearer = seller\n  of     = delivery\n}\n"
	base := owing + duty
	for _, old := range []string{"deliver", "hold", "delivery", "seller"} {
		review := blame.Compare(context.Background(), testkit.DraftOf(t, base), testkit.DraftOf(t, renamed(base, old, "other")), finding.Budget{Jobs: 1})
		var got []string
		for _, f := range review.Findings {
			got = append(got, fmt.Sprintf("%s %s", f.Name, f.Kind))
		}
		if strings.Join(got, ", ") != "obliged-and-forbidden standing" {
			t.Errorf("%s renamed: %q", old, got)
		}
	}
}
