package explain_test

import (
	"fmt"
	"testing"

	"github.com/redlinehq/redline/engine/internal/testkit"
)

// TestClaimWords: what a run shows is said in words that take for granted only what is so on that run.
func TestClaimWords(t *testing.T) {
	const text = `contract "c" {}
party "a" {
  state "start" { title = "at the start" }
  state "end" { title = "at the end" }
  transition "go" {
    from = start
    to   = end
  }
}
party "b" {
  flag "x" { title = "x" }
  flag "y" {
    title   = "y"
    initial = true
  }
  transition "turn" { set = { x = true } }
}
event "turning" {
  sync = { b = turn }
}
requirement "r" { ctl = %q }
`
	for ctl, want := range map[string]string{
		"AG (a.end -> b.x && b.y)":                "“a: at the end”, and yet not “b: x (yes)”",
		"AG (a.end -> !b.y && (b.y || b.x))":      "“a: at the end”, and yet “b: y (yes)”",
		"AG (a.end -> b.x || a.start)":            "“a: at the end”, and yet neither “b: x (yes)” nor “a: at the start”",
		"AG (a.end -> b.x || !b.y)":               "“a: at the end”, and yet not “b: x (yes)” and “b: y (yes)”",
		"AG (a.end -> (b.y -> b.x))":              "“a: at the end”, and yet “b: y (yes)” and not “b: x (yes)”",
		"AG ((b.x || a.end) && b.y -> a.start)":   "“a: at the end” and “b: y (yes)”, and yet not “a: at the start”",
		"AG EF AG a.start":                        "no state can be reached in which “a: at the start” stays so whatever happens",
		"AG (a.end -> E[a.end U b.x && a.start])": "",
		"AF (EF a.end -> AG a.start)":             "",
		"A[EF a.start W b.x]":                     "it is not so that “a: at the start” can be reached, and “b: x (yes)” had not come before",
		"AG (a.end -> happened(turning))":         "“a: at the end”, and yet “turning” has not happened",
		"AG (a.end -> b.x && a.start)":            "“a: at the end”, and yet not all of “b: x (yes)” and “a: at the start”",
		"AG (a.end -> EF a.start)":                "“a: at the end”, and yet “a: at the start” can no longer be reached",
		"AG (a.end -> EF (a.start && b.x))":       "“a: at the end”, and yet “a: at the start” and “b: x (yes)” can't be reached together from there",
		"AG (b.y -> EF a.start)":                  "“b: y (yes)”, and yet “a: at the start” can no longer be reached",
		"AG EF enabled(turning)":                  "no state can be reached in which “turning” can happen",
		"AG (a.start -> EX (a.end && b.x))":       "“a: at the start”, and yet no next step leads to “a: at the end” and “b: x (yes)” together",
		"AG (!a.end && EX a.end -> b.x)":          "“a: at the end” can come next, and yet not “b: x (yes)”",
		"AG (EX a.end -> !b.y)":                   "“a: at the end” can come next, and yet “b: y (yes)”",
		"AG (a.end -> !(b.y && b.x) && EF b.x)":   "",
		"AG (a.end -> A[b.y U a.start])":          "after that, “a: at the start” never comes",
		"AG (a.end -> AF enabled(turning))":       "after that, it never comes that “turning” can happen",
		"AG (!b.x -> AF !b.y)":                    "“b: y (yes)” never ends",
		"A[a.start W b.x && a.start]":             "“a: at the start” has ended before “b: x (yes)” came",
		"AG EF (a.start && b.y)":                  "“a: at the start” and “b: y (yes)” can no longer be reached together",
		"AF (a.end && !b.y)":                      "“a: at the end” and not “b: y (yes)” never come together",
		"A[a.start && b.y W a.end && b.x]":        "“a: at the start” and “b: y (yes)” no longer hold together before “a: at the end” and “b: x (yes)” came together",
		"A[!(a.end && b.y) W b.x && a.end]":       "“a: at the end” and “b: y (yes)” came together before “b: x (yes)” and “a: at the end” came together",
		"A[a.start W a.end]":                      "",
		"A[!a.end W b.x && !a.end]":               "“a: at the end” came before “b: x (yes)”",
		"A[!b.x W a.end && !b.x]":                 "“b: x (yes)” came before “a: at the end”",
		"A[!happened(turning) W a.end]":           "“turning” has happened before “a: at the end”",
		"A[!b.x W happened(turning) && !b.x]":     "“b: x (yes)” came, and “turning” had not happened before",
		"A[!a.end W !b.y]":                        "“a: at the end” came before “b: y (yes)” had ended",
		"A[b.y && !b.x W !b.y && b.x]":            "“b: y (yes)” and not “b: x (yes)” no longer hold together before “b: x (yes)” and not “b: y (yes)” came together",
		"A[!a.end && !b.x W !b.y]":                "“a: at the end” or “b: x (yes)” came before “b: y (yes)” had ended",
		"A[!!a.start W !b.y]":                     "“a: at the start” has ended before “b: y (yes)” had ended",
		"A[a.start W !happened(turning)]":         "",
		"AG EF !b.y":                              "“b: y (yes)” can't end from there",
		"AG (a.end -> EF !a.end)":                 "“a: at the end”, and yet “a: at the end” can no longer end",
		"AG EX !b.y":                              "there is no next step after which “b: y (yes)” does not hold",
		"AG (EX !a.start -> b.x)":                 "there is a next step after which “a: at the start” does not hold, and yet not “b: x (yes)”",
		"AG (EX EX a.end -> b.x)":                 "there is a next step after which “a: at the end” can come next, and yet not “b: x (yes)”",
		"AG !(!a.end && b.y)":                     "“b: y (yes)” and not “a: at the end” hold",
		"AG AF !(b.x || b.y)":                     "not “b: x (yes)” and not “b: y (yes)” never come together",
		"A[enabled(turning) W a.end]":             "it is no longer so that “turning” can happen, and “a: at the end” had not come before",
	} {
		q := testkit.Requirement(t, testkit.Checked(testkit.DraftOf(t, fmt.Sprintf(text, ctl))), "r")
		if claim := ""; q.Trace != nil || want != "" {
			if q.Trace != nil {
				claim = q.Trace.Claim
			}
			if claim != want {
				t.Errorf("%s: %s\n got %s\nwant %s", ctl, q.Verdict, claim, want)
			}
		}
	}
}

// TestClaimWordsOfIdealRuns: of a promise over ideal runs the claim says that nothing is breached on the run, and of which state it speaks.
func TestClaimWordsOfIdealRuns(t *testing.T) {
	const text = `contract "c" {}
party "a" {
  state "start" { title = "at the start" }
  state "end" { title = "at the end" }
  transition "go" {
    from = start
    to   = end
  }
  transition "wait" {
    from = end
    to   = end
  }
}
party "b" {
  flag "x" { title = "x" }
  transition "turn" { set = { x = true } }
  transition "fail" { set = { x = false } }
}
event "going" { sync = { a = go } }
event "turning" { sync = { b = turn } }
event "failing" { sync = { b = fail } }
obligation "o" {
  bearer = b
  when   = going
  fulfil = turning
  breach = failing
}
requirement "r" {
  %s
  over = ideal
}
`
	for formula, want := range map[string][2]string{
		`ctl = "AF (a.end && a.start)"`:          {"", "“a: at the end” and “a: at the start” never come together, though nothing is ever breached"},
		`ctl = "AG !a.end"`:                      {"", "after step 1, “a: at the end” holds, though nothing is ever breached"},
		`ctl = "AG (a.end -> AF a.start)"`:       {"", "after that, “a: at the start” never comes, though nothing is ever breached"},
		`ctl = "AG (a.end -> EF a.start)"`:       {"", "after step 1, “a: at the end”, and yet “a: at the start” can't be reached from there on a run without a breach, though nothing is ever breached"},
		`ctl = "!EG !b.x"`:                       {"", "“b: x (yes)” never comes, and nothing is ever breached"},
		`sometime = "a.start && a.end"`:          {"On runs on which nothing is ever breached, at some time “a: at the start” and “a: at the end”.", "“a: at the start” and “a: at the end” never come together, though nothing is ever breached"},
		`ctl = "A[a.start W happened(turning)]"`: {"", "after step 1, “a: at the start” has ended before “turning” had happened, though nothing is ever breached"},
	} {
		q := testkit.Requirement(t, testkit.Checked(testkit.DraftOf(t, fmt.Sprintf(text, formula))), "r")
		claim := ""
		if q.Trace != nil {
			claim = q.Trace.Claim
		}
		if claim != want[1] || want[0] != "" && q.Says != want[0] {
			t.Errorf("%s: %s\n got %s\nwant %s\nsays %s", formula, q.Verdict, claim, want[1], q.Says)
		}
	}
	// A run within a run names its condition, too.
	within := testkit.Requirement(t, testkit.Checked(testkit.DraftOf(t, fmt.Sprintf(text, `ctl = "AG AF AG b.x"`))), "r").Trace
	for len(within.Then) > 0 {
		within = within.Then[0]
	}
	if want := "there, “b: x (yes)” does not hold, though nothing is ever breached"; within.Claim != want {
		t.Errorf("got %s\nwant %s", within.Claim, want)
	}
}
