package words

import (
	"cmp"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/codes"
)

// Reading lists the kinds of findings in the order of a report: those that need an answer first. A kept promise is listed only if it has
// become vacuous or rests on other actors.
var Reading = []finding.Kind{
	finding.New, finding.WaiverExpired, finding.Weakened, finding.Dropped, finding.Meaningless, finding.Undecided,
	finding.Waived, finding.Kept, finding.Standing, finding.RestsAsBefore, finding.Repaired,
}

// Rank returns the position of a kind in Reading.
func Rank(k finding.Kind) int { return slices.Index(Reading, k) }

// Ranked returns the findings that get a line of their own, most important first, and the number of those that are merely kept. It leaves
// out accepted checks, which are listed elsewhere with their reasons.
func Ranked(all []finding.Finding) (worth []finding.Finding, kept int) {
	for _, f := range all {
		switch {
		case Waived(f):
		case quiet(f):
			kept += count(!f.Old) // a promise of head that implies the old wording is counted
		default:
			worth = append(worth, f)
		}
	}
	slices.SortStableFunc(worth, func(a, b finding.Finding) int { return cmp.Compare(Rank(a.Kind), Rank(b.Kind)) })
	return worth, kept
}

// normWord is the word for a dropped or changed norm that the gate objects to.
const normWord = "owed otherwise"

// OfNorms reports whether d is about a norm that is dropped or changed. It returns false for nil.
func OfNorms(d *finding.Diagnostic) bool { return (&finding.Finding{Check: d}).OfNorms() }

// KindWord returns the word for a kind of finding.
func KindWord(f finding.Finding) string {
	switch f.Kind {
	case finding.Kept:
		switch {
		case hollowed(f):
			return "now vacuous"
		case f.Breach != nil:
			return "another breach"
		case f.Rested != nil:
			return "other actors"
		case f.Leans != nil:
			return "new condition"
		case f.Head != nil && len(f.Head.Vacuous) > 0:
			return "vacuous"
		}
		return "kept"
	case finding.RestsAsBefore:
		return "same actors"
	case finding.New:
		if f.OfNorms() {
			return normWord
		}
		return "new violation"
	case finding.Standing:
		return "still violated"
	case finding.Dropped:
		if f.Emptied() {
			return "emptied"
		}
		return "withdrawn"
	case finding.WaiverExpired:
		return "waiver expired"
	case finding.Waived:
		if Open(f) {
			return "not yet waived"
		}
	}
	return f.Kind.String()
}

// KindSign returns the sign of the finding's KindVerdict, or WaivedSign for a finding that is accepted or rests as before.
func KindSign(f finding.Finding) string {
	if (f.Kind == finding.Waived || f.GivenUp()) && !Open(f) || f.Kind == finding.RestsAsBefore {
		return WaivedSign
	}
	return Sign(KindVerdict(f))
}

// KindVerdict returns the verdict whose sign and colour a finding carries.
func KindVerdict(f finding.Finding) finding.Verdict {
	switch f.Kind {
	case finding.New, finding.WaiverExpired, finding.Standing:
		return finding.Violated
	case finding.Weakened, finding.Dropped, finding.Waived:
		if Open(f) {
			return finding.Violated
		}
		return finding.Unknown
	case finding.Meaningless:
		return finding.IllFormed
	case finding.Undecided, finding.RestsAsBefore:
		return finding.Unknown
	case finding.Kept:
		if hollowed(f) {
			return finding.Unknown
		}
	}
	return finding.Holds
}

// Waived reports whether a finding is a failed check that the drafter has accepted.
func Waived(f finding.Finding) bool { return f.Check != nil && f.Check.Accepted != "" }

// quiet reports whether a promise is kept as before, and so gets no line of its own.
func quiet(f finding.Finding) bool {
	return f.Kind == finding.Kept && !hollowed(f) && !f.Otherwise()
}

// Meaning describes what the amendment did to a promise, and on whom the promise rests if that has changed.
func Meaning(f finding.Finding, in Medium) string { return Joined(" ", Done(f, in), Rested(&f, in)) }

// Done describes what the amendment did to the verdict.
func Done(f finding.Finding, in Medium) string {
	if said := WayMeaning(f, in); said != "" {
		return said
	}
	switch f.Kind {
	case finding.RestsAsBefore:
		if f.Before() == finding.Violated {
			return WithFullStop("Violated before the amendment and after it, only if somebody waits for ever: it rests " + restingOn(f.Head.Rests, in) + ", as before")
		}
		return WithFullStop("It can fail now where it could not, but only if somebody waits for ever: it rests " + restingOn(f.Head.Rests, in) + ", as before")
	case finding.New:
		return Joined(" ", Newly(f), ScenarioBroken(f.Head, in))
	case finding.Weakened:
		return Joined(" ", "The amendment drops or rewords this promise, and the contract no longer keeps the old wording (shown here, with its place before the amendment).", givenUpBy(f.Acceptance(), in))
	case finding.Dropped:
		return Joined(" ", withdrawn(f, in), givenUpBy(f.Acceptance(), in))
	case finding.Standing:
		if f.Old {
			return "Violated before the amendment, which drops or rewords this promise; the contract does not keep the old wording now either."
		}
		if w := f.Head; w != nil && w.Waiver != nil && w.Waiver.State == finding.Undated {
			return "Violated before the amendment, and after it. " + Waiver(w, in)
		}
		return "Violated before the amendment, and after it."
	case finding.Waived:
		if Open(f) && f.Head.Waiver != nil {
			return "Violated. " + proposed(f.Head.Waiver, f.Acceptance(), in)
		}
		return Joined(" ", WaiverSince(f), Waiver(f.Head, in), settled(f.Acceptance(), in))
	case finding.WaiverExpired:
		return "Violated, and the waiver that accepted it has expired."
	case finding.Repaired:
		if f.Reworded {
			return Joined(" ", "The amendment rewords this promise. The new wording was violated before, and no longer is.", Hollows(f, in))
		}
		return Joined(" ", "Violated before the amendment; it no longer is.", Hollows(f, in))
	case finding.Undecided, finding.Meaningless:
		if f.Head != nil {
			return WithFullStop(Reason(f.Head, in))
		}
		return in.Prose(WithFullStop(f.Check.Detail))
	}
	return Hollows(f, in)
}

// Hollows describes what has become vacuous with the amendment.
func Hollows(f finding.Finding, in Medium) string {
	if empty := newlyEmpty(f, in); empty != "" {
		return empty // whatever else is not needed, this is why
	}
	return strings.Join(Vacuities(f.NewlyVacuous(), in), " ")
}

// hollowed reports whether something has become vacuous with the amendment.
func hollowed(f finding.Finding) bool {
	return len(f.NewlyVacuous()) > 0 || newlyEmpty(f, Terminal) != ""
}

// newlyEmpty says that a promise over ideal runs is kept only because no such run comes to where it asks for something, or that a scenario is impossible
// from another step on, before its last. It returns "" if that was so before the amendment.
func newlyEmpty(f finding.Finding, in Medium) string {
	switch {
	case f.Head == nil, f.Base != nil && f.Base.Empty:
		return ""
	case f.Head.StopsEarly() && (f.Base == nil || f.Base.Scenario == nil || f.Base.Scenario.Stops == f.Head.Scenario.Stops && len(f.Base.Scenario.Steps) == len(f.Head.Scenario.Steps)):
		return ""
	}
	return empty(f.Head, in)
}

// Newly describes how a new violation came about.
func Newly(f finding.Finding) string {
	switch {
	case f.OfNorms():
		return "By the settings a review fails on this (owed)."
	case f.Check != nil:
		return "The amendment brings this in."
	case f.Head.Scenario != nil:
		return scenarioNewly(f)
	case f.Base == nil:
		return "The amendment adds this promise, and the contract does not keep it."
	case f.Reworded:
		return "The amendment rewords this promise, and the contract does not keep the new wording."
	case f.Base.Verdict == finding.Holds:
		return "Held before the amendment; the amendment breaks it."
	case f.Base.Named() && f.Head.Waiver == nil && f.Base.Waiver.State == finding.Expired:
		return "An expired waiver named this violation; the amendment takes the waiver away."
	case f.Base.Named() && f.Head.Waiver == nil:
		return "A waiver accepted this violation before the amendment; the amendment takes the waiver away."
	case f.Head.TakesWaiver(f.Base):
		return "Before the amendment a waiver accepted this violation. The amendment's waiver leaves out the run that was accepted then, so it has to name every way to break the promise; it does not name this one."
	case f.Base.Named():
		return "A waiver accepted a violation before the amendment; this is another."
	case f.Base.Verdict == finding.Violated:
		return "Violated before the amendment by another run."
	}
	return "Violated; before the amendment it was " + f.Base.Verdict.String() + "."
}

// BeforeAfter returns the words for the verdicts on base and head, or "—" where there is nothing to judge.
func BeforeAfter(f finding.Finding) (before, after string) {
	if f.Check != nil {
		return checkSides(f)
	}
	if f.Reworded && !(f.Was == finding.Violated && f.Base.Verdict == finding.Violated) {
		return reworded(f.Was), side(f.Head)
	}
	return side(f.Base), side(f.Head)
}

// reworded returns the word for base's verdict on a wording that is not its own, or "—" if there is none.
func reworded(was finding.Verdict) string {
	if was != finding.Holds && was != finding.Violated {
		return "—"
	}
	return was.String()
}

// side returns the word for the verdict on one version, or "—" if it lacks the requirement.
func side(r *finding.Requirement) string {
	if r == nil {
		return "—"
	}
	return VerdictWord(r)
}

// WaiverSince returns a sentence if the amendment adds or changes the waiver of a finding, or if base has it though it accepts nothing there, and
// "" otherwise.
func WaiverSince(f finding.Finding) string {
	switch a := f.Acceptance(); {
	case f.Base.Waived() && sameWaiver(*f.Base.Waiver, *f.Head.Waiver):
		return ""
	case a != nil && a.State == finding.ByBase, a == nil && f.Base != nil && f.Base.Waiver != nil && sameWaiver(*f.Base.Waiver, *f.Head.Waiver):
		return "Base has this waiver already, so it counts."
	}
	return "The amendment adds or changes this waiver."
}

// sameWaiver compares waivers as they are written, wherever they are in the text and whatever they accept.
func sameWaiver(a, b finding.Waiver) bool {
	a.Source, a.State = b.Source, b.State
	return a == b
}

// checkSides returns the words for a built-in check on base and head.
func checkSides(f finding.Finding) (before, after string) {
	if f.Way != nil {
		return "fails", "fails"
	}
	switch f.Kind {
	case finding.New:
		return "—", "fails"
	case finding.Undecided:
		return "—", "unknown"
	case finding.Standing:
		return "fails", "fails"
	case finding.Repaired:
		return "fails", "—"
	case finding.Dropped:
		return "holds", "—"
	}
	return "—", "—"
}

// NewRemarks returns the warnings that head has and base has not. Two warnings are the same if their codes, subjects and messages are,
// wherever they are in the text and whatever else their elements were called.
func NewRemarks(c *finding.ContractReview) []finding.Diagnostic {
	if c.Head == nil {
		return nil
	}
	var all []finding.Diagnostic
	base := RemarksBefore(c)
	for _, d := range c.Head.Diagnostics {
		if d.Class == codes.Warning && d.Accepted == "" && !base.Has(d) {
			all = append(all, d)
		}
	}
	return shortened(all)
}

// AcceptedWord returns "newly accepted" if base, in head's names (see Before), does not have this acceptance, and "accepted" otherwise or if
// base is nil.
func AcceptedWord(d finding.Diagnostic, base *finding.Result) string {
	if base == nil || slices.ContainsFunc(base.Diagnostics, func(o finding.Diagnostic) bool {
		return o.Code == d.Code && o.Subject == d.Subject && o.Accepted == d.Accepted
	}) {
		return "accepted"
	}
	return "newly accepted"
}

// changedSize compares the sizes of both versions' models.
func changedSize(c *finding.ContractReview) string {
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

// ComparedWith names the directory of the contract before the amendment. It returns "" if the contract has not moved.
func ComparedWith(c *finding.ContractReview, in Medium) string {
	if c.Base == nil || c.Head == nil || c.Base.Path == c.Head.Path {
		return ""
	}
	return "Compared with the contract that lay in " + in.Prose(c.Base.Path) + "."
}

// lost counts the requirements of a removed contract.
func lost(r *finding.Result) string {
	if r == nil {
		return ""
	}
	return SomeOf(len(r.Requirements), "requirement")
}

// sizeOf returns the size of a result's model, or "" if it has none.
func sizeOf(r *finding.Result) string {
	if r == nil || r.Model.Places == 0 {
		return ""
	}
	if r.Model.Incomplete != "" {
		return Size(r.Model) + ", no complete state model"
	}
	return Size(r.Model)
}

// A balance counts findings by what has to be done about them.
type balance struct {
	kinds    [11]int // by finding.Kind, without accepted checks and acceptances that are counted apart
	quiet    int     // those of kind Kept that get no line of their own
	statuses [4]int  // by finding.Status
	errors   int     // of head
	before   int     // violations that stood before the amendment, if the gate objects to them
	norms    int     // new findings of norms, not counted in kinds
	settlement
	open      int // heads whose state model a limit left incomplete
	owed      int // contracts under which something else is owed than before
	unsure    int // contracts of which it is unknown whether the same is owed
	hollow    int // promises of base that are kept, and have become vacuous
	shifted   int // other promises that are kept, and rest on others than before
	breaches  int // scenarios that are kept, and leave a party in breach by other norms than before
	moved     int // contracts under which something else can happen than before
	seen      int // those under which the same can happen, and a party takes part in something else or sees something else
	unproved  int // contracts of which it is unknown whether the same can happen
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
		differs, unsure := owedOtherwise(&c)
		b.owed += count(differs)
		b.unsure += count(unsure)
		if d := c.Difference; d != nil && c.Status == finding.Changed {
			b.moved += count(d.Full().Relation > delta.Same)
			b.unproved += count(d.Full().Relation == delta.Unknown)
			b.seen += count(d.Full().Relation == delta.Same && seenOtherwise(d))
		}
		for _, f := range c.Findings {
			switch {
			case Waived(f), f.GivenUp() && (!Open(f) || f.Acceptance() != nil):
			case f.Kind == finding.New && f.OfNorms():
				b.norms++
			case f.Old && f.Kind == finding.Kept: // the promise of head that implies it is counted
			default:
				b.kinds[f.Kind]++
				b.quiet += count(quiet(f))
				b.hollow += count(f.Kind == finding.Kept && f.Base != nil && hollowed(f))
				b.shifted += count(f.Otherwise() && !hollowed(f) && f.Breach == nil)
				b.breaches += count(f.Otherwise() && !hollowed(f) && f.Breach != nil)
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
			n += count((f.Kind == finding.Standing || f.Kind == finding.RestsAsBefore) && !Waived(f))
		}
		for _, a := range c.Acceptances {
			n += count(a.Excuses(finding.FailAny))
		}
	}
	return n
}

// Verdict returns the worst verdict of the review.
func (b balance) Verdict() finding.Verdict {
	switch {
	case b.errors+b.kinds[finding.Meaningless] > 0:
		return finding.IllFormed
	case b.kinds[finding.New]+b.kinds[finding.WaiverExpired]+b.kinds[finding.Weakened]+b.withdrawn+b.norms+b.Pending+b.before > 0:
		return finding.Violated
	case b.kinds[finding.Undecided]+b.open > 0:
		return finding.Unknown
	}
	return finding.Holds
}

// String summarizes the objections to the amendment in one line, or says that there are none.
func (b balance) String() string {
	bad := Joined(", ", SomeOf(b.errors, "error"),
		SomeOf(b.kinds[finding.New], "new violation"),
		suffixed(SomeOf(b.norms, "change"), " of what is owed"),
		SomeOf(b.kinds[finding.WaiverExpired], "expired waiver"),
		SomeOf(b.kinds[finding.Weakened], "promise")+weakened(b),
		suffixed(SomeOf(b.withdrawn-b.emptied, "promise"), " withdrawn"),
		suffixed(SomeOf(b.emptied, "promise"), " emptied"),
		suffixed(SomeOf(b.Pending, "acceptance"), map[bool]string{false: " not approved", true: " that " + b.lacks()}[b.unapprovable]),
		suffixed(SomeOf(b.before, "violation"), " that stood before"),
		some(b.kinds[finding.Meaningless], "ill-formed"),
		some(b.kinds[finding.Undecided], "undecided"))
	if bad == "" && b.open > 0 {
		bad = SomeOf(b.open, "incomplete state model")
	}
	switch {
	case bad != "":
		return bad
	case b.contracts+b.unchanged == 0:
		return "no contract is touched" + b.judges()
	case b.statuses[finding.Same] == b.contracts:
		return "no change of meaning" + b.judges()
	}
	return cmp.Or(b.altered(), "nothing to object to") + b.judges()
}

// suffixed adds a suffix to text that is not empty.
func suffixed(some, suffix string) string {
	if some == "" {
		return ""
	}
	return some + suffix
}

// weakened returns " weakened" if any promise is.
func weakened(b balance) string {
	if b.kinds[finding.Weakened] == 0 {
		return ""
	}
	return " weakened"
}

// Rest summarizes in one line what needs no answer: findings that are still violated, repaired or kept, and the contracts looked at.
func (b balance) Rest() string {
	return Joined("; ",
		Joined(", ", some(b.kinds[finding.Standing], "still violated"), some(b.kinds[finding.RestsAsBefore], "resting as before"), some(b.unwaived, "not yet waived"), some(b.kinds[finding.Waived]-b.unwaived, "waived"), some(b.kinds[finding.Repaired], "repaired"),
			some(b.retired, "given up"), some(b.hollow, "now vacuous"), some(b.kinds[finding.Kept]-b.hollow, "kept")), b.lookedAt())
}

// lookedAt counts the contracts.
func (b balance) lookedAt() string {
	if b.contracts == 0 && b.unchanged > 0 {
		return Several(b.unchanged, "contract") + " unchanged"
	}
	return Joined(", ", Several(b.contracts, "contract")+" looked at", some(b.statuses[finding.Changed], "changed"),
		some(b.statuses[finding.Added], "added"), some(b.statuses[finding.Removed], "removed"), some(b.unchanged, "unchanged"))
}
