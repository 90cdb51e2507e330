package words

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/report/escape"
)

// A page shows the same sentences as text and Markdown, in pieces that it lays out itself. They are plain text: printable, bounded, and not
// yet escaped for any medium.

// unlaid is the medium of texts that are escaped later, by the code that lays them out.
var unlaid = Medium{
	Prose: func(s string) string { return escape.Visible(s, escape.ProseLength) },
	Code:  func(s string) string { return escape.Visible(s, escape.FormulaLength) },
	Name:  func(s string) string { return "[" + escape.Visible(s, escape.NameLength) + "]" },
}

// PlainText makes one line of printable characters of a foreign text, at most 600.
func PlainText(s string) string { return unlaid.Prose(s) }

// PlainCode is PlainText for formulas and lines of source, which may be longer.
func PlainCode(s string) string { return escape.Printable(strings.TrimRight(s, " \t\r\n")) }

// An Entry describes a requirement, a built-in check, or a remark about the text.
type Entry struct {
	Class     string // for colours and filters: holds, violated, waived, unknown, ill-formed, warning, accepted
	Sign      string
	Word      string    // the verdict; in a review the kind of finding
	Before    string    // in a review, the verdict on base, or —; else empty
	Now       string    // likewise on head
	Name      string    // of the requirement, or the code of the diagnostic
	Says      string    // the promise in words; of a check its message
	Pattern   string    // name of the pattern, and the pattern as a sentence; empty: it is none
	Formula   string    // empty: there is none
	Notation  string    // of the formula, where it is not the usual one
	At        string    // file:line, in the version that has it
	Source    hcl.Range // likewise
	OnBase    bool      // only base's text contains it
	Notes     []string  // sentences
	Remedies  []remedy
	OfNorm    bool             // it is about a norm that is owed otherwise, which is no promise
	Trace     *finding.Trace   // a run that shows the violation; nil: none
	RunLead   string           // what introduces the run in words
	Refusal   *finding.Refusal // the step of the run that base would have refused
	RefusalIs string           // the same in words
	Run       string           // the fingerprint of the run, to be accepted by a waiver
}

// A remedy is a verified way to repair a violation.
type remedy struct {
	What    string
	Checked string   // that it was checked, and what remains
	Patch   []string // lines that begin with -, + or @; empty where no patch can be shown
}

// DescribeRequirement describes one requirement of a checked contract.
func DescribeRequirement(r *finding.Requirement) Entry {
	t := Entry{Class: VerdictWord(r), Sign: VerdictSign(r), Word: VerdictWord(r), Name: escape.Visible(r.Name, escape.NameLength)}
	t.promise(r)
	t.why(r)
	return t
}

// promise adds the text, formula, pattern and place of a requirement.
func (t *Entry) promise(r *finding.Requirement) {
	t.Says = Promise(r, unlaid)
	t.Formula = unlaid.Code(r.Formula)
	if r.Notation == "table1" {
		t.Notation = "Table 1 notation"
	}
	if r.Pattern != "" {
		t.Pattern = Joined(": ", r.Pattern, unlaid.Prose(r.Says))
	}
	t.at(r.Source)
}

// why adds the reasons for a verdict, and the run.
func (t *Entry) why(r *finding.Requirement) {
	if why := Reason(r, unlaid); why != "" {
		t.note(WithFullStop(why))
	}
	for _, said := range Vacuities(r.Vacuous, unlaid) {
		t.note(said)
	}
	t.note(Waiver(r, unlaid))
	for _, said := range Remarks(r, unlaid) {
		t.note(said)
	}
	t.Trace = r.Trace
	if Waivable(r) {
		t.Run = escape.Visible(r.Run, escape.NameLength)
	}
}

// at sets the place of an entry.
func (t *Entry) at(r hcl.Range) { t.At, t.Source = unlaid.Prose(lineOf(r)), r }

// note adds a sentence unless it is empty.
func (t *Entry) note(s string) {
	if s != "" {
		t.Notes = append(t.Notes, s)
	}
}

// DescribeDiagnostic describes a remark about the text, or a built-in check that failed.
func DescribeDiagnostic(d *finding.Diagnostic) Entry {
	t := Entry{Class: "violated", Sign: "✗", Word: ClassWord(d.Class), Name: escape.Visible(string(d.Code), escape.NameLength),
		Says: unlaid.Prose(d.Message), Trace: d.Trace}
	t.at(d.Source)
	switch {
	case d.Accepted != "":
		t.Class, t.Sign, t.Word, t.Trace = "accepted", WaivedSign, "accepted", nil
		t.note("Reason given: " + WithFullStop(unlaid.Prose(d.Accepted)))
	case d.Class == codes.Warning:
		t.Class, t.Sign = "warning", "!"
	case d.Class == codes.Error:
		t.Class, t.Sign = "ill-formed", "!"
	}
	t.note(unlaid.Prose(d.Detail))
	if acceptable(d) {
		t.Run = escape.Visible(d.Run, escape.NameLength)
	}
	return t
}

// DescribeFinding describes what an amendment did to one requirement or check.
func DescribeFinding(f *finding.Finding) Entry {
	v := KindVerdict(*f)
	t := Entry{Class: v.String(), Sign: KindSign(*f), Word: findingWord(f), Name: escape.Visible(f.Name, escape.NameLength), Refusal: f.Refusal}
	if quiet(*f) {
		t.Class, t.Sign = "holds", Sign(finding.Holds)
	}
	if (f.Kind == finding.Waived || f.GivenUp()) && !FailsGate(*f) {
		t.Class = "waived"
	}
	t.Before, t.Now = BeforeAfter(*f)
	t.note(Meaning(*f, unlaid))
	t.note(BroughtAbout(f, unlaid))
	switch of := cmp.Or(f.Head, f.Base); {
	case f.Check != nil:
		c := DescribeDiagnostic(f.Check)
		t.Says, t.Trace, t.Run = c.Says, c.Trace, c.Run
		if t.OfNorm = f.OfNorms(); t.OfNorm && t.Trace != nil {
			t.RunLead = RunLead(f.Check) + AsOf(t.Trace)
		}
		t.at(c.Source)
		t.Notes = append(t.Notes, c.Notes...)
		if c.Class == "accepted" {
			t.Class, t.Sign, t.Word = c.Class, c.Sign, c.Word
		}
	case of != nil:
		t.promise(of)
		t.OnBase = f.Old || f.Head == nil || f.Kind == finding.Weakened || f.Kind == finding.Dropped && !f.Emptied()
		if f.Head != nil {
			t.headOnly(f)
		}
	}
	if f.Refusal != nil {
		t.RefusalIs = RefusedInRun(f.Refusal, unlaid)
	}
	t.Remedies = remediesOf(f.Repairs)
	return t
}

// InReadingOrder returns the indices of the findings to show, those that need an answer first. Accepted checks are left out; DescribeRemarks
// has them.
func InReadingOrder(all []finding.Finding) []int {
	var list []int
	for i := range all {
		if !Waived(all[i]) {
			list = append(list, i)
		}
	}
	kept := func(i int) int {
		if f := all[i]; quiet(f) {
			return len(Reading)
		}
		return Rank(all[i].Kind)
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(kept(a), kept(b)) })
	return list
}

// DescribeRemarks describes the other diagnostics of head: errors, new warnings that the difference does not show, and accepted diagnostics.
func DescribeRemarks(c *finding.ContractReview) []Entry {
	var list []Entry
	for _, d := range Alike(append(HeadErrors(c), OtherRemarks(c)...)) {
		list = append(list, DescribeDiagnostic(&d))
	}
	if c.Head == nil {
		return list
	}
	for _, d := range ListedNow(c) {
		if d.Accepted != "" {
			t := DescribeDiagnostic(&d)
			if t.Word = AcceptedWord(d, Before(c)); NewlyAccepted(d, Before(c)) {
				t.Trace = d.Trace
			}
			list = append(list, t)
		}
	}
	return list
}

// headOnly adds the reasons for the verdict on head that the entry does not have yet.
func (t *Entry) headOnly(f *finding.Finding) {
	before := t.Notes
	t.Notes = nil
	t.why(Evident(f))
	if t.Run != "" {
		t.Run = strings.Join(fingerprints(f), " ")
	}
	for _, n := range t.Notes {
		if !strings.Contains(strings.Join(before, " "), n) {
			before = append(before, n)
		}
	}
	t.Notes = before
}

// findingWord returns the word for a finding, "kept" for all that need no line of their own.
func findingWord(f *finding.Finding) string {
	if quiet(*f) {
		return "kept"
	}
	return KindWord(*f)
}

// remediesOf returns the first repairs, with their patches where these can be shown.
func remediesOf(all []finding.Repair) []remedy {
	var list []remedy
	for _, r := range all[:min(len(all), MostRepairs)] {
		m := remedy{What: WithFullStop(unlaid.Prose(r.What)), Checked: Checked(r, 1)}
		if parts, ok := Hunks(r.Edits); ok {
			m.Patch = Patch(parts)
		}
		list = append(list, m)
	}
	return list
}

// A Headline has the name of a contract and its size.
type Headline struct {
	Name, Title, Path string
	Size              string   // sizes of net and state model, and the firing rule; in a review, before and now
	Notes             []string // to be read before the verdicts
}

// DescribeContract returns the headline of a checked contract.
func DescribeContract(r *finding.Result) Headline {
	h := headline(r.Name, r.Title, r.Path)
	if r.Model.Places > 0 {
		h.Size = diag.Capital(WithFullStop(Joined("; ", Size(r.Model), Pace(r.Model))))
		h.note(Incomplete(r, unlaid))
		h.note(NotLookedFor(r))
	}
	h.note(CachedNote(r.Cached))
	return h
}

// DescribeReviewed returns the headline of a reviewed contract, with what the amendment did to it.
func DescribeReviewed(c *finding.ContractReview) Headline {
	h := headline(c.Name, c.Title, c.Path)
	h.Size = Happened(c, unlaid)
	if c.Head != nil {
		h.note(Incomplete(c.Head, unlaid))
	}
	h.note(CachedNote(c.Cached))
	return h
}

// headline returns a headline with names only. A title that repeats the name is left out.
func headline(name, title, path string) Headline {
	h := Headline{Name: escape.Visible(cmp.Or(name, path), escape.NameLength), Title: unlaid.Prose(title), Path: unlaid.Prose(path)}
	if h.Title == h.Name {
		h.Title = ""
	}
	return h
}

// note adds a sentence unless it is empty.
func (h *Headline) note(s string) {
	if s != "" {
		h.Notes = append(h.Notes, s)
	}
}

// A Summary sums up a report: the worst verdict and a sentence.
type Summary struct{ Class, Sign, Head, Rest string }

// SumChecked sums up the results of a check.
func SumChecked(results []*finding.Result) Summary {
	t := Tallied(results)
	return Summary{t.Verdict().String(), Sign(t.Verdict()), diag.Capital(WithFullStop(CheckHeadline(t))), diag.Capital(WithFullStop(t.String()))}
}

// SumReviewed sums up a review.
func SumReviewed(r *finding.Review) Summary {
	b := Balanced(r)
	return Summary{b.Verdict().String(), Sign(b.Verdict()), diag.Capital(WithFullStop(VerdictLine(b))), diag.Capital(WithFullStop(Counts(b)))}
}

// A Step is one step of a run.
type Step struct {
	Number int
	What   []string // for each firing of the step, its title, name and clause
	Who    []string // for each firing, the parties that take part
	Does   []string // the changes, a line for each party
	Beyond string   // a note about base; empty: the page has none
}

// DescribeRun describes the steps of a run.
func DescribeRun(run []finding.Firing) []Step { return describeSteps(Steps(run)) }

// DescribeFolded describes the steps of a run with ticks folded, except for a step with the number of alone.
func DescribeFolded(run []finding.Firing, alone int) []Step {
	return describeSteps(Folded(Steps(run), alone))
}

func describeSteps(all [][]finding.Firing) []Step {
	return Mapped(all, func(step []finding.Firing) Step {
		s := Step{Number: step[0].Step}
		for _, f := range step {
			s.What = append(s.What, Happening(f, unlaid))
			var who []string
			for i := range f.Parties {
				who = append(who, unlaid.Prose(Calling(f, i)))
			}
			s.Who = append(s.Who, strings.Join(who, ", "))
			for _, e := range Effects(f, unlaid) {
				s.Does = append(s.Does, e.Party+": "+strings.TrimSpace(e.Change))
			}
		}
		return s
	})
}

// DescribeEnd describes the end of a run: where its prefix ends, whether anything can follow, and what the run shows. Each is a sentence or
// empty.
func DescribeEnd(t *finding.Trace) (where, dead, claim string) {
	for _, e := range Endings(t, unlaid) {
		where = Joined(" ", where, e[0], e[1])
	}
	dead = DeadEnd(t)
	if c := Claim(t); c != "" {
		claim = "So: " + WithFullStop(unlaid.Code(c))
	}
	return where, dead, claim
}

// A Differences describes what an amendment changes besides verdicts.
type Differences struct {
	Changes   [][2]string // sign and description
	Relation  string
	Sequences []sequence
	Owed      string     // introduces the norms whose state differs after the same steps, or says that there are none
	Norms     []sequence // these norms, each with a run to the difference
	States    []string
	Views     [][2]string // party, and what it can see of the difference
	Exposure  [][2]string // party, and when it has performed but not been performed for
	Unexposed string      // why that is not known of some
	Picture   string      // legend of the picture of both state models; empty: there is nothing to draw
}

// A sequence is a sequence of steps that only one version allows.
type sequence struct {
	Lead, Refused string
	Steps         []string
}

// DescribeDifference describes a difference. It returns the zero Differences for nil.
func DescribeDifference(d *finding.Difference) Differences {
	if d == nil {
		return Differences{}
	}
	t := Differences{Relation: Relation(d, unlaid), Unexposed: Unexposed(d, unlaid), States: StateLines(&d.States, unlaid)}
	for _, l := range ChangeLines(d.Changes, unlaid) {
		t.Changes = append(t.Changes, [2]string{l.Sign, l.Text})
	}
	for _, k := range Sequences(&d.All) {
		t.sequences(&k)
	}
	t.owed(d)
	for i, a := range ShownActs(d) {
		lead := map[bool]string{true: ActsLead(d)}[i == 0]
		t.Norms = append(t.Norms, sequence{Lead: Joined(" ", lead, ActTitle(&a, unlaid)), Refused: WithFullStop(Joined("; ", ActWasAndIs(&a, unlaid), ActGains(&a, unlaid)))})
	}
	if !Unseen(d) {
		for i := range d.Views {
			t.Views = append(t.Views, [2]string{unlaid.Prose(Viewer(&d.Views[i])), Seen(&d.Views[i], d, unlaid)})
		}
	}
	for i := range d.Exposure {
		if e := &d.Exposure[i]; !SameExposure(e) {
			t.Exposure = append(t.Exposure, [2]string{unlaid.Prose(ExposedParty(e)), BeforeAndNow(e, d, unlaid)})
		}
	}
	if HasChanges(d.Picture) {
		t.Picture = Legend(d.Picture)
	}
	return t
}

// owed adds the norms whose state differs after the same steps, as a sequence each.
func (t *Differences) owed(all *finding.Difference) {
	b := &all.All
	t.Owed = OwedLead(all, unlaid)
	shown := ShownNorms(b.Owed)
	for i := range shown {
		d := &shown[i].NormDifference
		again := RunAgain(shown, i, nil)
		one := sequence{Lead: Joined(", ", Joined(" ", UntimedLead(b.Owed, i), shown[i].Title(unlaid)), shown[i].When(again)), Refused: Joined(" ", WithFullStop(Joined("; ", WasAndIs(d, unlaid), ForWhom(d, unlaid))), Beyond(d, unlaid))}
		if !again {
			one.Steps = numbered(FoldedTitles(Steps(d.Run)))
		}
		t.Norms = append(t.Norms, one)
	}
	t.Owed = Joined(" ", t.Owed, MoreNorms(b.Owed), UntimedOpen(b.Owed, unlaid))
}

// sequences adds the first sequences of one kind.
func (t *Differences) sequences(k *SequenceKind) {
	for _, s := range k.All[:min(len(k.All), MostSequences)] {
		steps := FoldedTitles(Steps(s.Run), LastStep(s.Run))
		one := sequence{Lead: k.Lead, Refused: k.Refused(&s, unlaid), Steps: numbered(steps)}
		if n := len(steps); n > 0 {
			one.Lead += ": " + Happenings(steps[n-1], unlaid)
		}
		t.Sequences = append(t.Sequences, one)
	}
}

// numbered describes steps, each with its number in the run.
func numbered(steps [][]finding.Firing) []string {
	return Mapped(steps, func(step []finding.Firing) string {
		return fmt.Sprintf("%d. %s", step[0].Step, Happenings(step, unlaid))
	})
}

// CheckHeadline summarizes the objections to checked contracts in one line, or says that there are none.
func CheckHeadline(t tally) string {
	bad := Joined(", ", SomeOf(t.errors, "error"), some(t.verdicts[finding.IllFormed], "ill-formed"),
		some(t.verdicts[finding.Violated], "violated"), SomeOf(t.failed, "failed check"),
		some(t.verdicts[finding.Unknown], "unknown"))
	switch {
	case bad != "":
		return bad
	case t.contracts+t.nets == 0:
		return "nothing to check"
	}
	return "every requirement holds"
}

// HeadErrors returns all errors of head, new or not: any error prevents all verdicts.
func HeadErrors(c *finding.ContractReview) []finding.Diagnostic {
	if c.Head == nil {
		return nil
	}
	var all []finding.Diagnostic
	for _, d := range c.Head.Diagnostics {
		if d.Class == codes.Error && d.Accepted == "" {
			all = append(all, d)
		}
	}
	return shortened(all)
}
