package words

import (
	"cmp"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
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
		switch {
		case f.OfNorms():
			return normWord
		case f.Check != nil:
			return "fails"
		}
		return "broken"
	case finding.Undecided:
		return finding.Unknown.String()
	case finding.Standing:
		if f.Check != nil {
			return "still fails"
		}
		return "still broken"
	case finding.Dropped:
		if f.Emptied() {
			return "emptied"
		}
		return "withdrawn"
	case finding.Repaired:
		return "mended"
	case finding.WaiverExpired:
		return "waiver expired"
	case finding.Waived:
		if FailsGate(f) {
			return "not yet waived"
		}
	}
	return f.Kind.String()
}

// gone puts the message on states that are no longer there into the past. It names nothing that a drafter has named.
var gone = strings.NewReplacer("There is ", "There was ", "There are ", "There were ", " can ", " could ")

// CheckMessage returns the message of a finding on a failed check.
func CheckMessage(f *finding.Finding) string {
	if f.Kind == finding.Repaired && (f.Check.Code == "dead-end" || f.Check.Code == "no-option-to-complete") {
		return gone.Replace(f.Check.Message)
	}
	return f.Check.Message
}

// KindSign returns the sign of the finding's KindVerdict, or WaivedSign for a finding that is accepted or rests as before.
func KindSign(f finding.Finding) string {
	if (f.Kind == finding.Waived || f.GivenUp()) && !FailsGate(f) || f.Kind == finding.RestsAsBefore {
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
		if FailsGate(f) {
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
	return f.Kind == finding.Kept && !hollowed(f) && !f.KeptDifferently() && !f.Stricter()
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
		rests := resting(f.Head.Rests, in, false) + ", as before"
		switch {
		case f.Before() != finding.Violated:
			return WithFullStop("It can fail now where it could not, but only if somebody waits for ever: " + rests)
		case len(f.Head.Rests.Sets) == 0:
			return WithFullStop("Broken before the amendment and after it, and in another way only if somebody waits for ever: " + rests)
		}
		return WithFullStop("Broken before the amendment and after it, only if somebody waits for ever: " + rests)
	case finding.New:
		return Joined(" ", Newly(f), ScenarioBroken(f.Head, in))
	case finding.Weakened:
		return Joined(" ", "The amendment drops or rewords this promise, and the contract no longer keeps the old wording (shown here, with its place before the amendment).", givenUpBy(f.Acceptance(), in))
	case finding.Dropped:
		return Joined(" ", withdrawn(f, in), givenUpBy(f.Acceptance(), in))
	case finding.Standing:
		if f.Old {
			return "Broken before the amendment, which drops or rewords this promise; the contract does not keep the old wording now either."
		}
		stood := "Broken before the amendment, and after it."
		if f.Reworded {
			stood = "The amendment rewords this promise. The contract kept neither wording before, and does not keep the new one now."
		}
		if w := f.Head; w != nil && w.Waiver != nil && w.Waiver.State == finding.Undated {
			return stood + " " + Waiver(w, in)
		}
		return stood
	case finding.Waived:
		if FailsGate(f) && f.Head.Waiver != nil {
			return "Broken. " + proposed(f.Head.Waiver, f.Acceptance(), in)
		}
		return Joined(" ", WaiverSince(f), Waiver(f.Head, in), settled(f.Acceptance(), in))
	case finding.WaiverExpired:
		return "Broken, and the waiver that accepted it has expired."
	case finding.Repaired:
		if f.Reworded {
			return Joined(" ", "The amendment rewords this promise. The contract kept neither wording before, and keeps the new one now.", Hollows(f, in))
		}
		return Joined(" ", "Broken before the amendment; it no longer is.", Hollows(f, in))
	case finding.Kept:
		switch {
		case f.Stricter():
			return Joined(" ", "The amendment rewords this promise. The contract did not keep the new wording before, and keeps it now.", Hollows(f, in))
		case f.Old && hollowed(f):
			return "The amendment drops or rewords this promise. Of the old wording: " + Hollows(f, in)
		}
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
		return "Kept before the amendment; the amendment breaks it."
	case f.Base.Named() && f.Head.Waiver == nil && f.Base.Waiver.State == finding.Expired:
		return "An expired waiver named this violation; the amendment takes the waiver away."
	case f.Base.Named() && f.Head.Waiver == nil:
		return "A waiver accepted this violation before the amendment; the amendment takes the waiver away."
	case f.Head.TakesWaiver(f.Base):
		return "Before the amendment a waiver accepted this violation. The amendment's waiver leaves out the run that was accepted then, so it has to name every way to break the promise; it does not name this one."
	case f.Base.Named():
		return "A waiver accepted a violation before the amendment; this is another."
	case f.Base.Verdict == finding.Violated:
		return "Broken before the amendment by another run."
	}
	return "Broken; before the amendment it was " + f.Base.Verdict.String() + "."
}

// BeforeAfter returns the words for the verdicts on base and head, or "—" where there is nothing to judge.
func BeforeAfter(f finding.Finding) (before, after string) {
	if f.Check != nil {
		return checkSides(f)
	}
	if f.Kind == finding.Waived && FailsGate(f) { // its waiver does not count
		return side(f.Base), promised[f.Head.Verdict]
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
	return promised[was]
}

// side returns the word for the verdict on one version, or "—" if it lacks the requirement.
func side(r *finding.Requirement) string {
	if r == nil {
		return "—"
	}
	if r.Waived() {
		return "waived"
	}
	return promised[r.Verdict]
}

// promised has the words for verdicts on a promise.
var promised = map[finding.Verdict]string{finding.Holds: "kept", finding.Violated: "broken", finding.Unknown: finding.Unknown.String(), finding.IllFormed: finding.IllFormed.String()}

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
	switch {
	case f.Way != nil:
		return "fails", "fails"
	case f.OfNorms() && f.Kind == finding.New:
		return "—", "otherwise"
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
		return "kept", "—"
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
			d.Detail = Joined(" ", base.Since(d), d.Detail)
			all = append(all, d)
		}
	}
	return shortened(all)
}

// Since says what the amendment adds to what a diagnostic of base lists, and takes out, or how that read if it lists nothing. It returns "" if base has none
// of the code and subject, or the same.
func (k remarked) Since(d finding.Diagnostic) string {
	at := slices.IndexFunc(k.all, func(o finding.Diagnostic) bool { return o.Code == d.Code && o.Subject == d.Subject })
	if at < 0 || k.Has(d) {
		return ""
	}
	before, now := enumerated(k.all[at].Message, k.was), enumerated(d.Message, k.names)
	if before.around != now.around {
		return "Before the amendment: " + WithFullStop(k.all[at].Message)
	}
	var said []string
	if more := now.without(before); more != "" {
		said = append(said, "adds "+more)
	}
	if less := before.without(now); less != "" {
		said = append(said, "takes "+less+" out")
	}
	if len(said) == 0 {
		return ""
	}
	return "The amendment " + strings.Join(said, ", and ") + "."
}

// quotedName matches a quoted name in a message, and quotedList those that stand beside each other.
var quotedName, quotedList = hclspec.LazyRegexp(`"[^"]*"`), hclspec.LazyRegexp(`"[^"]*"(?:(?:, | and )"[^"]*")*`)

// An enumeration has the quoted names in a message, and what is around them.
type enumeration struct {
	around       string
	names, known []string // as they are written, and with some names replaced
}

func enumerated(message string, names map[string]string) enumeration {
	e := enumeration{around: quotedList().ReplaceAllLiteralString(message, `""`), names: quotedName().FindAllString(message, -1)}
	for _, name := range e.names {
		e.known = append(e.known, cmp.Or(names[strings.Trim(name, `"`)], strings.Trim(name, `"`)))
	}
	return e
}

// without returns the names that are not among those of o.
func (e enumeration) without(o enumeration) string {
	var list []string
	for i, name := range e.known {
		if !slices.Contains(o.known, name) {
			list = append(list, e.names[i])
		}
	}
	return strings.Join(list, " and ")
}

// ListedNow is Listed of the amended contract. What is accepted says what the amendment adds to it.
func ListedNow(c *finding.ContractReview) []finding.Diagnostic {
	base, all := RemarksBefore(c), Listed(c.Head)
	all = slices.Clone(all)
	for i := range all {
		if d := &all[i]; d.Accepted != "" {
			d.Message = Joined(" ", WithFullStop(d.Message), base.Since(*d))
		}
	}
	return all
}

// AcceptedWord returns "newly accepted" or "accepted"; see NewlyAccepted.
func AcceptedWord(d finding.Diagnostic, base *finding.Result) string {
	if NewlyAccepted(d, base) {
		return "newly accepted"
	}
	return "accepted"
}

// NewlyAccepted reports whether base, in head's names (see Before), does not have the acceptance of a diagnostic; false if base is nil. The run is shown then: somebody has to
// approve the acceptance.
func NewlyAccepted(d finding.Diagnostic, base *finding.Result) bool {
	return base != nil && !slices.ContainsFunc(base.Diagnostics, func(o finding.Diagnostic) bool {
		return o.Code == d.Code && o.Accepted == d.Accepted && standsFor(o.Subject, d.Subject)
	})
}

// changedSize compares the sizes of both versions' models.
func changedSize(c *finding.ContractReview) string {
	before, after := sizeOf(c.Base), sizeOf(c.Head)
	switch {
	case before == "" && after == "":
		return "Changed."
	case after == "":
		return "Changed: before " + before + "; now it is not known how many."
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

// lost counts the scenarios and requirements of a removed contract.
func lost(r *finding.Result) string {
	if r == nil {
		return ""
	}
	scenarios := 0
	for _, q := range r.Requirements {
		scenarios += count(q.Scenario != nil)
	}
	return Joined(" and ", SomeOf(scenarios, "scenario"), SomeOf(len(r.Requirements)-scenarios, "requirement"))
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
