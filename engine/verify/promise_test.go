package verify_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
)

const bargain = `
contract "c" {}
party "seller" {
  state "S" {}
  state "T" {}
  transition "there" {
    from = S
    to   = T
  }
  transition "back" {
    from = T
    to   = S
  }
}
party "purchaser" {
  state "P" {}
  state "Q" {}
  transition "buy" {
    from = P
    to   = Q
  }
  transition "look" {
    from = P
    to   = P
  }
}
`

// A self-loop is no act; what may be done now and then need not be; the waiting party is named.
func TestProgress(t *testing.T) {
	r := testkit.CheckOn(t, bargain+`
requirement "free" { ctl = "AF purchaser.Q" }
requirement "bound" {
  ctl      = "AF purchaser.Q"
  assuming = progress(purchaser)
}
requirement "other" {
  ctl      = "AF purchaser.Q"
  assuming = progress(seller)
}
requirement "moves" {
  ctl      = "AG (seller.S -> AF seller.T)"
  assuming = progress(seller)
}
requirement "for-ever" {
  ctl      = "EG purchaser.P"
  assuming = progress(purchaser, seller)
}
requirement "reach" {
  ctl      = "EF purchaser.Q && EX seller.T"
  assuming = progress(seller, purchaser)
}
`, "")
	want := []finding.Verdict{finding.Violated, finding.Holds, finding.Violated, finding.Holds, finding.Violated, finding.Holds}
	for i, q := range r.Requirements {
		if q.Verdict != want[i] {
			t.Errorf("%s: %s (%s), want %s", q.Name, q.Verdict, q.Reason, want[i])
		}
	}
	for i, want := range []string{"[[purchaser]]", "[[purchaser]]", "[[purchaser]]", "[[seller]]"} {
		if got := r.Requirements[i].Rests; got == nil || fmt.Sprint(got.Sets) != want {
			t.Errorf("%s rests on %v, want %s", r.Requirements[i].Name, got, want)
		}
	}
	for _, q := range r.Requirements[4:] {
		if q.Rests != nil {
			t.Errorf("%s rests on %v: that is not asked of it", q.Name, q.Rests)
		}
	}
}

// A fingerprint is of what happens, not of prose, places in the source or order of blocks.
func TestFingerprint(t *testing.T) {
	run := func(text string) string { return testkit.CheckOn(t, text, "").Requirements[0].Run }
	promise := `requirement "r" { ctl = "AF purchaser.Q" }`
	was := run(bargain + promise)
	if was != run("# a comment\n\n"+promise+bargain) {
		t.Error("layout and order make another run")
	}
	if was == run(bargain+`requirement "r" { ctl = "AF (purchaser.Q && seller.T)" }`) {
		t.Error("another promise has the same run")
	}
	if was == run(bargain+`
requirement "r" {
  ctl      = "AF purchaser.Q"
  assuming = progress(seller)
}`) {
		t.Error("another assumption has the same run")
	}
}

// What a waiver comes to, by verdict, run and day.
func TestWaiverStates(t *testing.T) {
	run := testkit.CheckOn(t, bargain+`requirement "r" { ctl = "AF purchaser.Q" }`, "").Requirements[0].Run
	waived := func(ctl, run, expires string) string {
		return bargain + `
requirement "r" {
  ctl = "` + ctl + `"
  waiver {
    reason   = "a"
    approver = "b"
    run      = "` + run + `"
` + expires + `
  }
}`
	}
	const until = `    expires = "2027-03-31"`
	for name, c := range map[string]struct {
		text   string
		today  finding.Date
		state  finding.WaiverState
		status finding.ExitStatus
	}{
		"for good":    {waived("AF purchaser.Q", run, ""), "", finding.InForce, finding.Clean},
		"last day":    {waived("AF purchaser.Q", run, until), "2027-03-31", finding.InForce, finding.Clean},
		"day after":   {waived("AF purchaser.Q", run, until), "2027-04-01", finding.Expired, finding.Violations},
		"no date":     {waived("AF purchaser.Q", run, until), "", finding.Undated, finding.Violations},
		"other run":   {waived("AF (purchaser.Q && seller.T)", run, ""), "", finding.OtherRun, finding.Violations},
		"needless":    {waived("EF purchaser.Q", run, ""), "", finding.Needless, finding.Clean},
		"not decided": {waived("AF nobody.Q", run, ""), "", finding.Unjudged, finding.BadInput},
	} {
		r := testkit.CheckOn(t, c.text, c.today)
		if got := r.Requirements[0].Waiver.State; got != c.state {
			t.Errorf("%s: %s, want %s", name, got, c.state)
		}
		if got := finding.StatusOf([]*finding.Result{r}); got != c.status {
			t.Errorf("%s: exit status %d, want %d", name, got, c.status)
		}
		warned := slices.ContainsFunc(r.Diagnostics, func(d finding.Diagnostic) bool { return d.Code == "waiver-needless" })
		if warned != (c.state == finding.Needless) {
			t.Errorf("%s: warned: %t", name, warned)
		}
	}
}
