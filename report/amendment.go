package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/hclspec/codes"
)

// reading is the order in which findings are told: what needs an answer first. What is kept is told
// only where it has become vacuous.
var reading = []engine.Kind{
	engine.New, engine.WaiverExpired, engine.Weakened, engine.Dropped, engine.Meaningless, engine.Undecided,
	engine.Waived, engine.Kept, engine.Standing, engine.RestsAsBefore, engine.Repaired,
}

func rank(k engine.Kind) int { return slices.Index(reading, k) }

// ranked returns the findings worth a line of their own, most important first, and how many are
// merely kept. Checks that somebody has accepted are listed elsewhere, with the reason.
func ranked(all []engine.Finding) (worth []engine.Finding, kept int) {
	for _, f := range all {
		switch {
		case waived(f):
		case quiet(f):
			kept++
		default:
			worth = append(worth, f)
		}
	}
	slices.SortStableFunc(worth, func(a, b engine.Finding) int { return cmp.Compare(rank(a.Kind), rank(b.Kind)) })
	return worth, kept
}

// normWord is what became of a norm that is dropped or changed, where the gate objects to it.
const normWord = "owed otherwise"

// ofNorms reports whether a check is of a norm that is dropped or changed; nil is none.
func ofNorms(d *engine.Diagnostic) bool { return (&engine.Finding{Check: d}).OfNorms() }

// kindWord names a kind of finding.
func kindWord(f engine.Finding) string {
	switch f.Kind {
	case engine.Kept:
		switch {
		case len(newVacuity(f)) > 0:
			return "now vacuous"
		case f.Rested != nil:
			return "other actors"
		case f.Head != nil && len(f.Head.Vacuous) > 0:
			return "vacuous"
		}
		return "kept"
	case engine.RestsAsBefore:
		return "same actors"
	case engine.New:
		if f.OfNorms() {
			return normWord
		}
		return "new violation"
	case engine.Standing:
		return "still violated"
	case engine.Dropped:
		return "withdrawn"
	case engine.WaiverExpired:
		return "waiver expired"
	}
	return f.Kind.String()
}

// kindSign is the sign of kindVerdict, but for what is waived.
func kindSign(f engine.Finding) string {
	if (f.Kind == engine.Waived || f.GivenUp()) && !open(f) || f.Kind == engine.RestsAsBefore {
		return waivedSign
	}
	return sign(kindVerdict(f))
}

// kindVerdict is the verdict whose sign and colour a kind of finding carries.
func kindVerdict(f engine.Finding) engine.Verdict {
	switch f.Kind {
	case engine.New, engine.WaiverExpired, engine.Standing:
		return engine.Violated
	case engine.Weakened, engine.Dropped, engine.Waived:
		if open(f) {
			return engine.Violated
		}
		return engine.Unknown
	case engine.Meaningless:
		return engine.IllFormed
	case engine.Undecided, engine.RestsAsBefore:
		return engine.Unknown
	case engine.Kept:
		if len(newVacuity(f)) == 0 {
			return engine.Holds
		}
		return engine.Unknown
	}
	return engine.Holds
}

// waived reports whether the drafter has accepted a failed check.
func waived(f engine.Finding) bool { return f.Check != nil && f.Check.Accepted != "" }

// quiet reports whether a promise is kept as before, so that it is not worth a line.
func quiet(f engine.Finding) bool {
	return f.Kind == engine.Kept && len(newVacuity(f)) == 0 && f.Rested == nil
}

// meaning says what the amendment did, and on whom a promise rests if that is others now.
func meaning(f engine.Finding, in medium) string { return joined(" ", done(f, in), rested(&f, in)) }

// done says in a sentence what the amendment did to the verdict.
func done(f engine.Finding, in medium) string {
	if said := wayMeaning(f, in); said != "" {
		return said
	}
	switch f.Kind {
	case engine.RestsAsBefore:
		if f.Base != nil && f.Base.Verdict == engine.Violated {
			return sentence("Violated before the amendment and after it, only while somebody waits: it rests " + restingOn(f.Head.Rests, in) + ", as before")
		}
		return sentence("It can fail now where it could not, but only while somebody waits: it rests " + restingOn(f.Head.Rests, in) + ", as before")
	case engine.New:
		return newly(f)
	case engine.Weakened:
		return joined(" ", "The amendment drops or rewords this promise, and the contract no longer keeps the old wording (shown here, with its place before the amendment).", givenUpBy(f.Acceptance(), in))
	case engine.Dropped:
		return joined(" ", withdrawn(f, in), givenUpBy(f.Acceptance(), in))
	case engine.Standing:
		if f.Old {
			return "Violated before the amendment, which drops or rewords this promise; the contract does not keep the old wording now either."
		}
		return "Violated before the amendment, and after it."
	case engine.Waived:
		return joined(" ", waiverSince(f), waiver(f.Head, in), settled(f.Acceptance(), in))
	case engine.WaiverExpired:
		return "Violated, and the waiver that accepted it has expired."
	case engine.Repaired:
		if f.Reworded() {
			return joined(" ", "Violated before the amendment, which rewords it; the new wording is kept.", hollows(f, in))
		}
		return joined(" ", "Violated before the amendment; it no longer is.", hollows(f, in))
	case engine.Undecided, engine.Meaningless:
		if f.Head != nil {
			return sentence(reason(f.Head, in))
		}
		return in.prose(sentence(f.Check.Detail))
	}
	return hollows(f, in)
}

// hollows says what has become vacuous with the amendment.
func hollows(f engine.Finding, in medium) string {
	var said []string
	for _, v := range newVacuity(f) {
		said = append(said, vacuity(v, in))
	}
	return strings.Join(said, " ")
}

// newly says how a new violation came about.
func newly(f engine.Finding) string {
	switch {
	case f.OfNorms():
		return "By the settings a review fails on this (owed)."
	case f.Check != nil:
		return "The amendment brings this in."
	case f.Base == nil:
		return "The amendment adds this promise, and the contract does not keep it."
	case f.Reworded():
		return "The amendment rewords this promise, and the contract does not keep the new wording."
	case f.Base.Verdict == engine.Holds:
		return "Held before the amendment; the amendment breaks it."
	case f.Base.Waived() && f.Head != nil && f.Head.Waiver == nil:
		return "A waiver accepted this violation before the amendment; the amendment takes the waiver away."
	case f.Base.Waived():
		return "A waiver accepted a violation before the amendment; this is another."
	case f.Base.Verdict == engine.Violated:
		return "Violated before the amendment by another run."
	}
	return "Violated; before the amendment it was " + f.Base.Verdict.String() + "."
}

// newVacuity is what has become vacuous with the amendment.
func newVacuity(f engine.Finding) []engine.Vacuity {
	if f.Head == nil || f.Head.Verdict != engine.Holds || f.Base != nil && len(f.Base.Vacuous) > 0 {
		return nil
	}
	return f.Head.Vacuous
}

// beforeAfter gives the verdicts on both sides in words; "—" where there is nothing to judge.
func beforeAfter(f engine.Finding) (before, after string) {
	if f.Check != nil {
		return checkSides(f)
	}
	return side(f.Base), side(f.Head)
}

func side(r *engine.Requirement) string {
	if r == nil {
		return "—"
	}
	return verdictWord(r)
}

// waiverSince says whether the amendment brings a waiver in.
func waiverSince(f engine.Finding) string {
	if f.Base.Waived() {
		was := *f.Base.Waiver
		was.Source = f.Head.Waiver.Source // where it stands in the text is none of it
		if was == *f.Head.Waiver {
			return ""
		}
	}
	return "The amendment adds or changes this waiver."
}

func checkSides(f engine.Finding) (before, after string) {
	if f.Way != nil {
		return "fails", "fails"
	}
	switch f.Kind {
	case engine.New:
		return "—", "fails"
	case engine.Undecided:
		return "—", "unknown"
	case engine.Standing:
		return "fails", "fails"
	case engine.Repaired:
		return "fails", "—"
	case engine.Dropped:
		return "holds", "—"
	}
	return "—", "—"
}

// NewRemarks returns the warnings that head has and base has not: the same code, on
// the same thing, with the same message counts as the same, wherever it now stands.
func NewRemarks(c *engine.ContractReview) []engine.Diagnostic {
	if c.Head == nil {
		return nil
	}
	var all []engine.Diagnostic
	base := remarksOf(c.Base)
	for _, d := range c.Head.Diagnostics {
		if d.Class == codes.Warning && d.Accepted == "" && !base.has(d) {
			all = append(all, d)
		}
	}
	return shortened(all)
}

// acceptedWord says whether an accepted remark is accepted since the amendment; base is nil where
// there is none.
func acceptedWord(d engine.Diagnostic, base *engine.Result) string {
	if base == nil || slices.ContainsFunc(base.Diagnostics, func(o engine.Diagnostic) bool {
		return o.Code == d.Code && o.Subject == d.Subject && o.Accepted == d.Accepted
	}) {
		return "accepted"
	}
	return "newly accepted"
}

// happened says what the amendment did to a contract as a whole.
func happened(c *engine.ContractReview) string {
	switch c.Status {
	case engine.Same:
		return "No change of meaning. It has waivers, which every review lists."
	case engine.Added:
		return joined(": ", "New contract", sizeOf(c.Head)) + "."
	case engine.Removed:
		if c.Outside != "" {
			return joined(", nor at its ", "The amendment puts this contract where nothing looks at it any more ("+terminal.prose(c.Outside)+")", lost(c.Base)) + "."
		}
		return joined(", and with it ", "The amendment removes this contract", lost(c.Base)) + "."
	}
	return joined(" ", changedSize(c), comparedWith(c))
}

func changedSize(c *engine.ContractReview) string {
	before, after := sizeOf(c.Base), sizeOf(c.Head)
	switch {
	case before == "" && after == "":
		return "Changed."
	case after == "":
		return "Changed: before " + before + "."
	case before == "":
		return "Changed: now " + after + "."
	case before == after:
		return "Changed, and as large as before: " + after + "."
	}
	return "Changed: before " + before + "; now " + after + "."
}

// comparedWith says where the contract lay before the amendment; empty where it lies there still.
func comparedWith(c *engine.ContractReview) string {
	if c.Base == nil || c.Head == nil || c.Base.Path == c.Head.Path {
		return ""
	}
	return "Compared with the contract that lay in " + terminal.prose(c.Base.Path) + "."
}

// lost counts what a removed contract required.
func lost(r *engine.Result) string {
	if r == nil {
		return ""
	}
	return someOf(len(r.Requirements), "requirement")
}

func sizeOf(r *engine.Result) string {
	if r == nil || r.Model.Places == 0 {
		return ""
	}
	if r.Model.Incomplete != "" {
		return size(r.Model) + ", no complete state model"
	}
	return size(r.Model)
}

// A balance counts findings by what has to be done about them.
type balance struct {
	kinds    [11]int // by engine.Kind, accepted checks left out
	statuses [4]int  // by engine.Status
	errors   int     // of head
	norms    int     // new findings of norms, which are none of kinds
	settlement
	open      int // heads whose state model is not complete, for a limit
	owed      int // contracts in which something else is owed than before
	unsure    int // contracts of which it is not decided whether the same is owed
	contracts int
}

func balanced(r *engine.Review) balance {
	b := balance{settlement: settlementOf(r)}
	for _, c := range r.Contracts {
		b.contracts++
		b.statuses[c.Status]++
		differs, unsure := owedOtherwise(&c)
		b.owed += count(differs)
		b.unsure += count(unsure)
		for _, f := range c.Findings {
			switch {
			case waived(f), f.GivenUp() && (!open(f) || f.Acceptance() != nil):
			case f.Kind == engine.New && f.OfNorms():
				b.norms++
			default:
				b.kinds[f.Kind]++
			}
		}
		if c.Head != nil {
			t := tallied([]*engine.Result{c.Head})
			b.errors += t.errors
			b.open += t.open
		}
	}
	return b
}

// verdict is what the review comes to.
func (b balance) verdict() engine.Verdict {
	switch {
	case b.errors+b.kinds[engine.Meaningless] > 0:
		return engine.IllFormed
	case b.kinds[engine.New]+b.kinds[engine.WaiverExpired]+b.kinds[engine.Weakened]+b.withdrawn+b.norms+b.pending > 0:
		return engine.Violated
	case b.kinds[engine.Undecided]+b.open > 0:
		return engine.Unknown
	}
	return engine.Holds
}

// String says in one line what the amendment does.
func (b balance) String() string {
	if b.contracts == 0 {
		return "no contract is touched"
	}
	bad := joined(", ", someOf(b.errors, "error"),
		someOf(b.kinds[engine.New], "new violation"),
		suffixed(someOf(b.norms, "change"), " of what is owed"),
		someOf(b.kinds[engine.WaiverExpired], "expired waiver"),
		someOf(b.kinds[engine.Weakened], "promise")+weakened(b),
		suffixed(someOf(b.withdrawn, "promise"), " withdrawn"),
		suffixed(someOf(b.pending, "acceptance"), " not approved"),
		some(b.kinds[engine.Meaningless], "ill-formed"),
		some(b.kinds[engine.Undecided], "undecided"))
	if bad == "" && b.open > 0 {
		bad = someOf(b.open, "incomplete state model")
	}
	switch {
	case bad != "":
		return bad
	case b.statuses[engine.Same] == b.contracts:
		return "no change of meaning"
	}
	return cmp.Or(b.owes(), "nothing to object to")
}

// suffixed adds to what there is.
func suffixed(some, suffix string) string {
	if some == "" {
		return ""
	}
	return some + suffix
}

func weakened(b balance) string {
	if b.kinds[engine.Weakened] == 0 {
		return ""
	}
	return " weakened"
}

// rest says in one line what else there is: what was and is violated, repaired, kept; and contracts.
func (b balance) rest() string {
	return joined("; ",
		joined(", ", some(b.kinds[engine.Standing], "still violated"), some(b.kinds[engine.RestsAsBefore], "resting as before"), some(b.kinds[engine.Waived], "waived"), some(b.kinds[engine.Repaired], "repaired"),
			some(b.retired, "given up"), some(b.kinds[engine.Kept], "kept")),
		joined(", ", several(b.contracts, "contract")+" looked at", some(b.statuses[engine.Changed], "changed"),
			some(b.statuses[engine.Added], "added"), some(b.statuses[engine.Removed], "removed")))
}
