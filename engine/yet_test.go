package engine_test

import (
	"fmt"
	"testing"
)

// TestYet: what a run shows of an implication that fails is told in words, and of a conjunction the part that is missing.
func TestYet(t *testing.T) {
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
requirement "r" { ctl = %q }
`
	for ctl, want := range map[string]string{
		"AG (a.end -> b.x && b.y)":              "“a: at the end”, and yet not “b: x (yes)”",
		"AG (a.end -> !b.y && (b.y || b.x))":    "“a: at the end”, and yet “b: y (yes)”",
		"AG (a.end -> b.x || a.start)":          "“a: at the end”, and yet neither “b: x (yes)” nor “a: at the start”",
		"AG (a.end -> b.x && a.start)":          "“a: at the end”, and yet not all of “b: x (yes)” and “a: at the start”",
		"AG (a.end -> EF a.start)":              "“a: at the end”, and yet “a: at the start” can no longer be reached",
		"AG (a.start -> EX (a.end && b.x))":     "“a: at the start”, and yet no next step leads to “a: at the end” and “b: x (yes)”",
		"AG (!a.end && EX a.end -> b.x)":        "“a: at the end” can come next, and yet not “b: x (yes)”",
		"AG (EX a.end -> !b.y)":                 "“a: at the end” can come next, and yet “b: y (yes)”",
		"AG (a.end -> !(b.y && b.x) && EF b.x)": "“a: at the end”, and yet not (!(b.y && b.x) && EF b.x)",
		"AG (a.end -> A[b.y U a.start])":        "“a: at the start” never comes",
	} {
		q := requirement(t, checked(draftOf(t, fmt.Sprintf(text, ctl))), "r")
		if q.Trace == nil || q.Trace.Claim != want {
			t.Errorf("%s: %s\n got %v\nwant %s", ctl, q.Verdict, q.Trace, want)
		}
	}
}
