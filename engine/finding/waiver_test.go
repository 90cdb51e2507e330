package finding_test

import (
	"testing"

	"github.com/redlinehq/redline/engine/finding"
)

// TestWaived: only what is violated is waived, and only by a waiver in force.
func TestWaived(t *testing.T) {
	inForce := &finding.Waiver{State: finding.InForce}
	for name, c := range map[string]struct {
		of   *finding.Requirement
		want bool
	}{
		"no requirement":       {nil, false},
		"no waiver":            {&finding.Requirement{Verdict: finding.Violated}, false},
		"in force":             {&finding.Requirement{Verdict: finding.Violated, Waiver: inForce}, true},
		"expired":              {&finding.Requirement{Verdict: finding.Violated, Waiver: &finding.Waiver{State: finding.Expired}}, false},
		"in force, but kept":   {&finding.Requirement{Verdict: finding.Holds, Waiver: inForce}, false},
		"in force, or unknown": {&finding.Requirement{Verdict: finding.Unknown, Waiver: inForce}, false},
	} {
		if got := c.of.Waived(); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// TestJudgeAgain: a waiver is judged anew by each verdict, whatever it was before.
func TestJudgeAgain(t *testing.T) {
	q := finding.Requirement{Run: "sha256:1", Waiver: &finding.Waiver{Run: "sha256:0 sha256:1", Expires: "2027-03-31"}}
	for _, c := range []struct {
		verdict finding.Verdict
		today   finding.Date
		want    finding.WaiverState
	}{
		{finding.Violated, "2027-03-31", finding.InForce}, {finding.Unknown, "2027-03-31", finding.Unjudged}, {finding.Violated, "2027-04-01", finding.Expired},
		{finding.Holds, "2027-04-01", finding.Needless}, {finding.Violated, "", finding.Undated}, {finding.IllFormed, "", finding.Unjudged},
	} {
		q.Verdict = c.verdict
		if q.Judge(c.today); q.Waiver.State != c.want {
			t.Errorf("%s on %q: %s, want %s", c.verdict, c.today, q.Waiver.State, c.want)
		}
	}
}

// TestDate: the value of a flag is a day, and keeps its value if it is set to anything else.
func TestDate(t *testing.T) {
	var d finding.Date
	if err := d.Set("2027-03-31"); err != nil || d.String() != "2027-03-31" || d.Type() != "day" {
		t.Errorf("%v: %s is a %s", err, &d, d.Type())
	}
	for _, text := range []string{"", "2027-3-31", "2027-02-30", "tomorrow"} {
		if err := d.Set(text); err == nil || d != "2027-03-31" {
			t.Errorf("%q: %v, and it is %s", text, err, &d)
		}
	}
}
