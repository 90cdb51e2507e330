package words

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/redlinehq/redline/engine/delta"
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
		if q.Verdict == finding.Holds && (len(q.Vacuous) > 0 || q.NoRuns) {
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
	unfinished := ""
	if t.errors+t.verdicts[finding.Unknown] == 0 { // no error and no requirement mentions the limit
		unfinished = SomeOf(t.open, "incomplete state model")
	}
	return Joined("; ", Joined(", ", SomeOf(t.contracts, "contract"), SomeOf(t.nets, "net"))+": "+t.requirements(), unfinished,
		Joined(", ", SomeOf(t.errors, "error"), SomeOf(t.failed, "failed check"), SomeOf(t.warnings, "warning"), some(t.accepted, "accepted")))
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
	if holding == 0 && t.verdicts[finding.Unknown] > 0 {
		verb = " is known to hold"
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

// some returns "3 violated", or "" if n is 0.
func some(n int, what string) string {
	if n == 0 {
		return ""
	}
	return finding.Grouped(fmt.Sprint(n)) + " " + what
}

// SomeOf returns "3 warnings", or "" if n is 0.
func SomeOf(n int, thing string) string {
	if n == 0 {
		return ""
	}
	return Several(n, thing)
}

// A balance counts findings by what has to be done about them.
type balance struct {
	kinds    [11]int // by finding.Kind, without what is counted apart: checks as below, accepted checks, and acceptances
	checks   [11]int // checks that fail newly, as before or no longer, by finding.Kind
	quiet    int     // those of kind Kept that get no line of their own
	statuses [4]int  // by finding.Status
	errors   int     // of head
	before   int     // violations that stood before the amendment, if the gate objects to them
	norms    int     // new findings of norms, not counted in kinds
	doubts   int     // undecided findings of norms
	settlement
	open      int // heads whose state model a limit left incomplete
	owed      int // contracts under which something else is owed than before
	unsure    int // contracts of which it is unknown whether the same is owed
	hollow    int // promises of base that are kept, and have become vacuous
	shifted   int // other promises that are kept, and rest on others than before
	breaches  int // scenarios that are kept, and leave a party in breach by other norms than before
	moved     int // contracts under which something else can happen than before
	seen      int // those under which the same can happen, and a party takes part in something else or sees something else
	held      int // those under which the same can happen and the same is owed, and a party holds or counts something else
	uncounted int // those of which it is unknown whether a party does
	enacted   int // contracts under which an event takes the act of others than before
	unproved  int // contracts of which it is unknown whether the same can happen
	reworded  int // contracts of which titles or clauses differ
	defaults  int // of variables, that differ and are not looked at
	contracts int
	unchanged int // contracts that are not listed
}

// Balanced counts the findings of a review.
func Balanced(r *finding.Review) balance {
	b := balance{settlement: settlementOf(r), unchanged: r.Unchanged}
	if r.On == finding.FailAny {
		b.before = standing(r)
	}
	for _, c := range r.Contracts {
		b.contracts++
		b.statuses[c.Status]++
		b.defaults += len(c.Defaults)
		b.reworded += count(len(c.Reworded) > 0)
		differs, unsure := owedOtherwise(&c)
		b.owed += count(differs)
		b.unsure += count(unsure)
		if d := c.Difference; d != nil && c.Status == finding.Changed {
			b.moved += count(d.Full().Relation > delta.Same)
			b.unproved += count(d.Full().Relation == delta.Unknown)
			b.seen += count(d.Full().Relation == delta.Same && seenOtherwise(d))
			b.held += count(d.All.Same() && d.States.HeldOtherwise())
			b.uncounted += count(d.All.Same() && !d.States.HeldOtherwise() && d.States.Undecided != "")
			b.enacted += count(ActsLead(d) != "")
		}
		for _, f := range c.Findings {
			switch {
			case Waived(f), f.GivenUp() && (!FailsGate(f) || f.Acceptance() != nil):
			case f.Kind == finding.New && f.OfNorms():
				b.norms++
			case f.Old && quiet(f): // the promise of head that implies it is counted
			case twice(f, &c): // the new wording is counted
			case f.Check != nil && (f.Kind == finding.New || f.Kind == finding.Standing || f.Kind == finding.Repaired):
				b.checks[f.Kind]++
			default:
				b.kinds[f.Kind]++
				b.doubts += count(f.Kind == finding.Undecided && f.OfNorms())
				b.quiet += count(quiet(f))
				b.hollow += count(f.Kind == finding.Kept && f.Base != nil && hollowed(f))
				b.shifted += count(f.KeptDifferently() && !hollowed(f) && f.Breach == nil)
				b.breaches += count(f.KeptDifferently() && !hollowed(f) && f.Breach != nil)
			}
		}
		if c.Head != nil {
			t := Tallied([]*finding.Result{c.Head})
			b.errors += t.errors
			b.open += t.open
		}
	}
	return b
}

// standing counts the violations that stood before the amendment, with those that only the amendment's own acceptances excuse.
func standing(r *finding.Review) (n int) {
	for i := range r.Contracts {
		c := &r.Contracts[i]
		for _, f := range c.Findings {
			n += count((f.Kind == finding.Standing || f.Kind == finding.RestsAsBefore) && !Waived(f) && !twice(f, c))
		}
		for _, a := range c.Acceptances {
			n += count(a.Excuses(finding.FailAny))
		}
	}
	return n
}

// twice reports whether a finding is of the old wording of a promise that is still broken in the new one.
func twice(f finding.Finding, c *finding.ContractReview) bool {
	return f.Old && f.Kind == finding.Standing && slices.ContainsFunc(c.Findings, func(g finding.Finding) bool {
		return g.Reworded && g.Kind == finding.Standing && g.Base.Name == f.Base.Name
	})
}

// Verdict returns the worst verdict of the review.
func (b balance) Verdict() finding.Verdict {
	switch {
	case b.errors+b.kinds[finding.Meaningless] > 0:
		return finding.IllFormed
	case b.kinds[finding.New]+b.checks[finding.New]+b.kinds[finding.WaiverExpired]+b.kinds[finding.Weakened]+b.withdrawn+b.norms+b.Pending+b.before > 0:
		return finding.Violated
	case b.kinds[finding.Undecided]+b.open > 0:
		return finding.Unknown
	}
	return finding.Holds
}

// String summarizes the objections to the amendment in one line, or says that there are none.
func (b balance) String() string {
	bad := Joined(", ", SomeOf(b.errors, "error"),
		suffixed(SomeOf(b.kinds[finding.New], "promise"), " broken"),
		SomeOf(b.checks[finding.New], "new failed check"),
		suffixed(SomeOf(b.norms, "change"), " of what is owed"),
		SomeOf(b.kinds[finding.WaiverExpired], "expired waiver"),
		suffixed(SomeOf(b.kinds[finding.Weakened], "promise"), " weakened"),
		suffixed(SomeOf(b.withdrawn-b.emptied, "promise"), " withdrawn"),
		suffixed(SomeOf(b.emptied, "promise"), " emptied"),
		suffixed(SomeOf(b.Pending, "acceptance"), map[bool]string{false: " not approved", true: " that " + b.lacks()}[b.unapprovable]),
		suffixed(SomeOf(b.before, "violation"), " that stood before"),
		some(b.kinds[finding.Meaningless], "ill-formed"),
		some(b.kinds[finding.Undecided], "unknown"))
	if bad == "" && b.open > 0 {
		bad = SomeOf(b.open, "incomplete state model")
	}
	switch {
	case bad != "":
		return b.judges(bad)
	case b.contracts+b.unchanged == 0:
		return b.judges("no contract is touched")
	case b.statuses[finding.Same] == b.contracts:
		return b.judges("no change of meaning" + withValues(b.defaults))
	}
	return b.judges(cmp.Or(b.altered(), "nothing to object to"))
}

// suffixed adds a suffix to text that is not empty.
func suffixed(some, suffix string) string {
	if some == "" {
		return ""
	}
	return some + suffix
}

// lookedAt counts the contracts.
func (b balance) lookedAt() string {
	if b.contracts == 0 && b.unchanged > 0 {
		return Several(b.unchanged, "contract") + " unchanged"
	}
	return Joined(", ", Several(b.contracts, "contract")+" looked at", some(b.statuses[finding.Changed], "changed"),
		some(b.statuses[finding.Added], "added"), some(b.statuses[finding.Removed], "removed"), some(b.unchanged, "unchanged"))
}
