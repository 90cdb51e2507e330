package words

import (
	"fmt"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/codes"
)

// A tally counts the results of a check.
type tally struct {
	verdicts  [4]int // by finding.Verdict, without what is waived
	waived    int
	scenarios int // of those that hold
	vacuous   int
	errors    int
	failed    int // built-in checks
	warnings  int
	accepted  int
	open      int // well-formed contracts without a complete state model
	contracts int
	nets      int
}

// add counts the results for one contract or net.
func (t *tally) add(r *finding.Result) {
	if r.Imported {
		t.nets++
	} else {
		t.contracts++
	}
	if r.Model.Incomplete != "" && r.Digest != "" {
		t.open++
	}
	for _, q := range r.Requirements {
		if q.Waived() {
			t.waived++
			continue
		}
		t.verdicts[q.Verdict]++
		if q.Verdict == finding.Holds && q.Scenario != nil {
			t.scenarios++
		}
		if q.Verdict == finding.Holds && len(q.Vacuous) > 0 {
			t.vacuous++
		}
	}
	for _, d := range Alike(r.Diagnostics) { // those that are joined are one message
		t.count(d)
	}
}

// count counts one diagnostic.
func (t *tally) count(d finding.Diagnostic) {
	switch {
	case d.Accepted != "":
		t.accepted++
	case d.Class == codes.Error:
		t.errors++
	case d.Class == codes.Violation:
		t.failed++
	default:
		t.warnings++
	}
}

// Tallied counts the results of a check.
func Tallied(results []*finding.Result) tally {
	var t tally
	for _, r := range results {
		t.add(r)
	}
	return t
}

// Verdict returns the worst verdict.
func (t tally) Verdict() finding.Verdict {
	switch {
	case t.errors > 0 || t.verdicts[finding.IllFormed] > 0:
		return finding.IllFormed
	case t.failed > 0 || t.verdicts[finding.Violated] > 0:
		return finding.Violated
	case t.verdicts[finding.Unknown]+t.open > 0:
		return finding.Unknown
	}
	return finding.Holds
}

// String summarizes the results in one line: 2 contracts: 5 requirements hold, 1 violated; 1 warning.
func (t tally) String() string {
	if t.contracts+t.nets == 0 {
		return "no contract was named"
	}
	return Joined("; ", Joined(", ", SomeOf(t.contracts, "contract"), SomeOf(t.nets, "net"))+": "+t.requirements(), t.unfinished(), t.diagnostics())
}

// requirements counts the requirements by verdict.
func (t tally) requirements() string {
	holding := t.verdicts[finding.Holds]
	var vacuous string
	if t.vacuous > 0 {
		vacuous = fmt.Sprintf(" (%d with a remark)", t.vacuous)
	}
	verb := " hold"
	if holding <= 1 {
		verb = " holds"
	}
	if holding+t.verdicts[finding.Violated]+t.verdicts[finding.Unknown]+t.verdicts[finding.IllFormed]+t.waived == 0 {
		if t.errors > 0 {
			return "no requirement checked"
		}
		return "no requirement to check"
	}
	thing := Several(holding-t.scenarios, "requirement")
	if t.scenarios > 0 {
		thing = Joined(" and ", SomeOf(t.scenarios, "scenario"), SomeOf(holding-t.scenarios, "requirement"))
	}
	return Joined(", ", thing+verb+vacuous,
		some(t.verdicts[finding.Violated], "violated"),
		some(t.waived, "waived"),
		some(t.verdicts[finding.Unknown], "unknown"),
		some(t.verdicts[finding.IllFormed], "ill-formed"))
}

// unfinished counts the incomplete state models, if no error and no requirement mentions the limit.
func (t tally) unfinished() string {
	if t.open == 0 || t.errors+t.verdicts[finding.Unknown] > 0 {
		return ""
	}
	return SomeOf(t.open, "incomplete state model")
}

// diagnostics counts the errors, failed checks and warnings.
func (t tally) diagnostics() string {
	return Joined(", ", SomeOf(t.errors, "error"), SomeOf(t.failed, "failed check"),
		SomeOf(t.warnings, "warning"), some(t.accepted, "accepted"))
}

// some returns "3 violated", or "" if n is 0.
func some(n int, what string) string {
	if n == 0 {
		return ""
	}
	return Grouped(fmt.Sprint(n)) + " " + what
}

// SomeOf returns "3 warnings", or "" if n is 0.
func SomeOf(n int, thing string) string {
	if n == 0 {
		return ""
	}
	return Several(n, thing)
}
