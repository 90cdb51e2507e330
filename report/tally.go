package report

import (
	"fmt"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/hclspec/codes"
)

// A tally counts what was found in some contracts.
type tally struct {
	verdicts  [4]int // by engine.Verdict, without what is waived
	waived    int
	vacuous   int
	errors    int
	failed    int // built-in checks
	warnings  int
	accepted  int
	open      int // state models that are not complete, though the text is well-formed
	contracts int
	nets      int
}

func (t *tally) add(r *engine.Result) {
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
		if q.Verdict == engine.Holds && len(q.Vacuous) > 0 {
			t.vacuous++
		}
	}
	for _, d := range r.Diagnostics {
		t.count(d)
	}
}

func (t *tally) count(d engine.Diagnostic) {
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

func tallied(results []*engine.Result) tally {
	var t tally
	for _, r := range results {
		t.add(r)
	}
	return t
}

// verdict is the worst that was found.
func (t tally) verdict() engine.Verdict {
	switch {
	case t.errors > 0 || t.verdicts[engine.IllFormed] > 0:
		return engine.IllFormed
	case t.failed > 0 || t.verdicts[engine.Violated] > 0:
		return engine.Violated
	case t.verdicts[engine.Unknown]+t.open > 0:
		return engine.Unknown
	}
	return engine.Holds
}

// String says it in one line: 2 contracts: 5 requirements hold, 1 violated; 1 warning.
func (t tally) String() string {
	if t.contracts+t.nets == 0 {
		return "no contract was named"
	}
	return joined("; ", joined(", ", someOf(t.contracts, "contract"), someOf(t.nets, "net"))+": "+t.requirements(), t.unfinished(), t.diagnostics())
}

func (t tally) requirements() string {
	holding := t.verdicts[engine.Holds]
	var vacuous string
	if t.vacuous > 0 {
		vacuous = fmt.Sprintf(" (%d with a remark)", t.vacuous)
	}
	verb := " hold"
	if holding <= 1 {
		verb = " holds"
	}
	if holding+t.verdicts[engine.Violated]+t.verdicts[engine.Unknown]+t.verdicts[engine.IllFormed]+t.waived == 0 {
		return "no requirement to check"
	}
	return joined(", ", several(holding, "requirement")+verb+vacuous,
		some(t.verdicts[engine.Violated], "violated"),
		some(t.waived, "waived"),
		some(t.verdicts[engine.Unknown], "unknown"),
		some(t.verdicts[engine.IllFormed], "ill-formed"))
}

// unfinished speaks up where no requirement says that a limit was reached.
func (t tally) unfinished() string {
	if t.open == 0 || t.errors+t.verdicts[engine.Unknown] > 0 {
		return ""
	}
	return someOf(t.open, "incomplete state model")
}

func (t tally) diagnostics() string {
	return joined(", ", someOf(t.errors, "error"), someOf(t.failed, "failed check"),
		someOf(t.warnings, "warning"), some(t.accepted, "accepted"))
}

// some is "3 violated", or nothing when there is none.
func some(n int, what string) string {
	if n == 0 {
		return ""
	}
	return grouped(fmt.Sprint(n)) + " " + what
}

// someOf is "3 warnings", or nothing when there is none.
func someOf(n int, thing string) string {
	if n == 0 {
		return ""
	}
	return several(n, thing)
}
