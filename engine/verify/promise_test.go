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

// The fingerprint of a scenario that is not as expected is of where it stops, or of that it ends otherwise; not of how that comes about.
func TestFingerprintOfScenarios(t *testing.T) {
	run := func(expect, within, acking, going string) string {
		t.Helper()
		q := testkit.CheckOn(t, fmt.Sprintf(`contract "c" {}
party "a" {}
party "b" {}
event "go" {
  by = a
%s}
event "ack" {
  by = b
%s}
obligation "answer" {
  bearer = b
  when   = go
  fulfil = ack
  within = %s
}
scenario "late" {
  events = [ack, go, "2 ticks"]
  %s
}`, going, acking, within, expect), "").Requirements[0]
		if q.Verdict != finding.Violated {
			t.Fatalf("%s, %q, %q: %s %s", expect, acking, going, q.Verdict, q.Reason)
		}
		return q.Run
	}
	const owed, fulfilled = "  only_while = answer.owed\n", "  only_while = answer.fulfilled\n"
	otherwise, second := run("breach = b", "3", "", ""), run("breach = b", "3", "", owed)
	if otherwise != run("breach = b", "4", "", "") || second != run("breach = b", "4", "", fulfilled) {
		t.Error("how it comes about makes another run")
	}
	all := map[string]bool{"": true, otherwise: true}
	for _, other := range []string{
		second, run("breach = b", "3", owed, ""), run("ends = fulfilled", "3", "", ""), run("expect = possible", "3", "", owed), run("expect = impossible", "3", "", ""),
	} {
		if all[other] {
			t.Errorf("two scenarios that are not as expected in different ways have one run: %s", other)
		}
		all[other] = true
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
