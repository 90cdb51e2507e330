package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/hclspec/codes"
)

// What a page says is what text and Markdown say, in pieces that a page lays out itself. All of it is plain text: printable, bounded,
// and not yet escaped for anything.

// unlaid is the medium of texts that are escaped where they are laid out.
var unlaid = medium{
	prose: func(s string) string { return visible(s, proseLength) },
	code:  func(s string) string { return visible(s, formulaLength) },
	name:  func(s string) string { return "[" + visible(s, nameLength) + "]" },
}

// PlainText makes one line of printable characters of a stranger's text, at most 600.
func PlainText(s string) string { return unlaid.prose(s) }

// PlainCode is PlainText for formulas and lines of source, which may be longer.
func PlainCode(s string) string { return printable(strings.TrimRight(s, " \t\r\n")) }

// A Telling is what there is to say of a requirement, of a built-in check, or of a remark about the text.
type Telling struct {
	Class     string // by which it is coloured and filtered: holds, violated, waived, unknown, ill-formed, warning, accepted
	Sign      string
	Word      string    // the verdict; in a review what became of it
	Before    string    // in a review, the verdict on base, or —; else empty
	Now       string    // likewise on head
	Name      string    // of the requirement, or the code
	Says      string    // what it promises, in words; of a check its message
	Pattern   string    // what its pattern is called, and the pattern as a sentence; empty: it is none
	Formula   string    // empty: there is none
	Notation  string    // of the formula, where it is not the usual one
	At        string    // file:line, on the side it is of
	Source    hcl.Range // likewise
	OnBase    bool      // it stands in base's text alone
	Notes     []string  // sentences
	Remedies  []Remedy
	Trace     *engine.Trace   // a run that shows it; nil: none
	Refusal   *engine.Refusal // the step of the run that base refuses
	RefusalIs string          // that in words
	Run       string          // the fingerprint of the run, to be accepted by a waiver
}

// A Remedy is a way to mend a violation, which was checked in full.
type Remedy struct {
	What  string
	Patch []string // lines that begin with -, + or @; empty where it can't be shown so
}

// TellRequirement tells one requirement of a checked contract.
func TellRequirement(r *engine.Requirement) Telling {
	t := Telling{Class: verdictWord(r), Sign: verdictSign(r), Word: verdictWord(r), Name: visible(r.Name, nameLength)}
	t.promise(r)
	t.why(r)
	return t
}

func (t *Telling) promise(r *engine.Requirement) {
	t.Says = promise(r, unlaid)
	t.Formula = unlaid.code(r.Formula)
	if r.Notation == "table1" {
		t.Notation = "Table 1 notation"
	}
	if r.Pattern != "" {
		t.Pattern = joined(": ", r.Pattern, unlaid.prose(r.Says))
	}
	t.at(r.Source)
}

// why adds the reasons for a verdict, and the run.
func (t *Telling) why(r *engine.Requirement) {
	if why := reason(r, unlaid); why != "" {
		t.note(sentence(why))
	}
	for _, v := range r.Vacuous {
		t.note(vacuity(v, unlaid))
	}
	t.note(waiver(r, unlaid))
	for _, said := range remarks(r, unlaid) {
		t.note(said)
	}
	t.Trace = r.Trace
	if waivable(r) {
		t.Run = visible(r.Run, nameLength)
	}
}

func (t *Telling) at(r hcl.Range) { t.At, t.Source = unlaid.prose(lineOf(r)), r }

func (t *Telling) note(s string) {
	if s != "" {
		t.Notes = append(t.Notes, s)
	}
}

// TellDiagnostic tells a remark about the text, or a built-in check that failed.
func TellDiagnostic(d *engine.Diagnostic) Telling {
	t := Telling{Class: "violated", Sign: "✗", Word: classWord(d.Class), Name: visible(string(d.Code), nameLength),
		Says: unlaid.prose(d.Message), Trace: d.Trace}
	t.at(d.Source)
	switch {
	case d.Accepted != "":
		t.Class, t.Sign, t.Word, t.Trace = "accepted", waivedSign, "accepted", nil
		t.note("Reason given: " + sentence(unlaid.prose(d.Accepted)))
	case d.Class == codes.Warning:
		t.Class, t.Sign = "warning", "!"
	case d.Class == codes.Error:
		t.Class, t.Sign = "ill-formed", "!"
	}
	t.note(unlaid.prose(d.Detail))
	if acceptable(d) {
		t.Run = visible(d.Run, nameLength)
	}
	return t
}

// TellFinding tells what an amendment did to one requirement or check.
func TellFinding(f *engine.Finding) Telling {
	v := kindVerdict(*f)
	t := Telling{Class: v.String(), Sign: kindSign(*f), Word: findingWord(f), Name: visible(f.Name, nameLength), Refusal: f.Refusal}
	if quiet(*f) {
		t.Class, t.Sign = "holds", sign(engine.Holds)
	}
	if (f.Kind == engine.Waived || f.GivenUp()) && !open(*f) {
		t.Class = "waived"
	}
	t.Before, t.Now = beforeAfter(*f)
	t.note(meaning(*f, unlaid))
	t.note(broughtAbout(f, unlaid))
	switch of := cmp.Or(f.Head, f.Base); {
	case f.Check != nil:
		c := TellDiagnostic(f.Check)
		t.Says, t.Trace, t.Run = c.Says, c.Trace, c.Run
		t.at(c.Source)
		t.Notes = append(t.Notes, c.Notes...)
		if c.Class == "accepted" {
			t.Class, t.Sign, t.Word = c.Class, c.Sign, c.Word
		}
	case of != nil:
		t.promise(of)
		t.OnBase = f.Old || f.Head == nil || f.Kind == engine.Weakened || f.Kind == engine.Dropped
		if f.Head != nil {
			t.headOnly(f)
		}
	}
	if f.Refusal != nil {
		t.RefusalIs = refusedInRun(f.Refusal, unlaid)
	}
	t.Remedies = remediesOf(f.Repairs)
	return t
}

// InReadingOrder numbers the findings that are told, what needs an answer first. Checks that somebody has accepted are among TellRemarks.
func InReadingOrder(all []engine.Finding) []int {
	var list []int
	for i := range all {
		if !waived(all[i]) {
			list = append(list, i)
		}
	}
	kept := func(i int) int {
		if f := all[i]; quiet(f) {
			return len(reading)
		}
		return rank(all[i].Kind)
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(kept(a), kept(b)) })
	return list
}

// TellRemarks tells what there is to say of head's text besides the findings: errors, new warnings, and what is accepted.
func TellRemarks(c *engine.ContractReview) []Telling {
	var list []Telling
	for _, d := range append(headErrors(c), NewRemarks(c)...) {
		list = append(list, TellDiagnostic(&d))
	}
	if c.Head == nil {
		return list
	}
	for _, d := range Listed(c.Head) {
		if d.Accepted != "" {
			t := TellDiagnostic(&d)
			t.Word = acceptedWord(d, cmp.Or(c.Base, &engine.Result{}))
			list = append(list, t)
		}
	}
	return list
}

// headOnly adds what there is to say of the verdict on head and was not said of the finding.
func (t *Telling) headOnly(f *engine.Finding) {
	before := t.Notes
	t.Notes = nil
	t.why(f.Head)
	for _, n := range t.Notes {
		if !strings.Contains(strings.Join(before, " "), n) {
			before = append(before, n)
		}
	}
	t.Notes = before
}

func findingWord(f *engine.Finding) string {
	if quiet(*f) {
		return "kept"
	}
	return kindWord(*f)
}

func remediesOf(all []engine.Repair) []Remedy {
	var list []Remedy
	for _, r := range all[:min(len(all), mostRepairs)] {
		m := Remedy{What: sentence(unlaid.prose(r.What))}
		if parts, ok := hunks(r.Edits); ok {
			m.Patch = patch(parts)
		}
		list = append(list, m)
	}
	return list
}

// A Headline is what a contract is called and how large it is.
type Headline struct {
	Name, Title, Path string
	Size              string   // the sizes of net and state model, and how it fires; in a review, before and now
	Notes             []string // what else there is to know before the verdicts
}

// TellContract tells what a checked contract is.
func TellContract(r *engine.Result) Headline {
	h := headline(r.Name, r.Title, r.Path)
	if r.Model.Places > 0 {
		h.Size = capital(sentence(joined("; ", size(r.Model), pace(r.Model))))
		h.note(incomplete(r.Model, unlaid))
	}
	h.note(cachedNote(r.Cached))
	return h
}

// TellReviewed tells what a reviewed contract is, and what became of it.
func TellReviewed(c *engine.ContractReview) Headline {
	h := headline(c.Name, c.Title, c.Path)
	h.Size = happened(c)
	if c.Head != nil {
		h.note(incomplete(c.Head.Model, unlaid))
	}
	h.note(cachedNote(c.Cached))
	return h
}

func headline(name, title, path string) Headline {
	h := Headline{Name: visible(cmp.Or(name, path), nameLength), Title: unlaid.prose(title), Path: unlaid.prose(path)}
	if h.Title == h.Name {
		h.Title = ""
	}
	return h
}

func (h *Headline) note(s string) {
	if s != "" {
		h.Notes = append(h.Notes, s)
	}
}

// A Summing is what all of it comes to: the worst verdict and a sentence.
type Summing struct{ Class, Sign, Head, Rest string }

// SumChecked sums up what was found in some contracts.
func SumChecked(results []*engine.Result) Summing {
	t := tallied(results)
	return Summing{t.verdict().String(), sign(t.verdict()), capital(sentence(checkHeadline(t))), capital(sentence(t.String()))}
}

// SumReviewed sums up a review.
func SumReviewed(r *engine.Review) Summing {
	b := balanced(r)
	head, rest := lead(b), joined("; ", b.String(), b.rest())
	if head == "" {
		head, rest = capital(sentence(b.String())), b.rest()
	}
	return Summing{b.verdict().String(), sign(b.verdict()), head, capital(sentence(rest))}
}

// A StepTelling is one step of a run.
type StepTelling struct {
	Number int
	What   []string // for each firing of the step what happens, with its name and clause
	Who    []string // for each, who takes part
	Does   []string // what changes: a line for each party
	Beyond string   // what base says of it, where a page notes that; else empty
}

// TellRun tells the steps of a run.
func TellRun(run []engine.Firing) []StepTelling {
	return mapped(steps(run), func(step []engine.Firing) StepTelling {
		s := StepTelling{Number: step[0].Step}
		for _, f := range step {
			s.What = append(s.What, happening(f, unlaid))
			var who []string
			for i := range f.Parties {
				who = append(who, unlaid.prose(calling(f, i)))
			}
			s.Who = append(s.Who, strings.Join(who, ", "))
			for _, e := range effects(f, unlaid) {
				s.Does = append(s.Does, e.party+": "+strings.TrimSpace(e.change))
			}
		}
		return s
	})
}

// TellEnd says of a run where its prefix ends, whether anything can follow, and what it shows; each a sentence, or empty.
func TellEnd(t *engine.Trace) (where, dead, claim string) {
	if len(t.End) > 0 {
		where = joined(" ", ending(t), sentence(state(t.End, unlaid)))
	}
	dead = deadEnd(t)
	if t.Claim != "" {
		claim = "So: " + sentence(unlaid.code(t.Claim))
	}
	return where, dead, claim
}

// TellStanding says where all parties stand.
func TellStanding(all []engine.PartyState) string { return sentence(state(all, unlaid)) }

// A DifferenceTelling is what an amendment changes, verdicts apart.
type DifferenceTelling struct {
	Changes   [][2]string // sign, and what was done
	Relation  string
	Sequences []SequenceTelling
	Owed      string            // leads over to norms that stand otherwise after the same steps, or says that none do
	Norms     []SequenceTelling // these, each with a run after which it does
	States    []string
	Views     [][2]string // party, and what it can see of it
	Exposure  [][2]string // party, and when it has performed and not been performed for
	Picture   string      // what the picture of both state models shows; empty: there is nothing to show
}

// A SequenceTelling is a sequence of steps that only one draft has.
type SequenceTelling struct {
	Lead, Refused string
	Steps         []string
}

// TellDifference tells a difference; the zero telling where there is none.
func TellDifference(d *engine.Difference) DifferenceTelling {
	if d == nil {
		return DifferenceTelling{}
	}
	t := DifferenceTelling{Relation: relation(&d.All, unlaid), States: stateLines(&d.States, unlaid)}
	for _, l := range changeLines(d.Changes, unlaid) {
		t.Changes = append(t.Changes, [2]string{l.sign, l.text})
	}
	t.sequences("Now possible", d.All.Possible, refusedBefore)
	t.sequences("No longer possible", d.All.Impossible, refusedNow)
	t.owed(&d.All)
	if !unseen(d.Views) {
		for i := range d.Views {
			t.Views = append(t.Views, [2]string{unlaid.prose(viewer(&d.Views[i])), seen(&d.Views[i], unlaid)})
		}
	}
	for i := range d.Exposure {
		if e := &d.Exposure[i]; !sameExposure(e) {
			said := joined(": ", span(e, unlaid), "before "+countOf(e.Base)+", now "+sentence(countOf(e.Head)))
			t.Exposure = append(t.Exposure, [2]string{unlaid.prose(exposedParty(e)), said})
		}
	}
	if moved(d.Picture) {
		t.Picture = legend(d.Picture)
	}
	return t
}

// owed tells which norms stand otherwise after the same steps, as a sequence each.
func (t *DifferenceTelling) owed(b *engine.Behaviour) {
	t.Owed = owedLead(b, unlaid)
	for i := range shownNorms(b.Owed) {
		d := &b.Owed.Norms[i]
		one := SequenceTelling{Lead: joined(", ", normTitle(d, unlaid), normWhen(d)), Refused: sentence(joined("; ", wasAndIs(d, unlaid), forWhom(d, unlaid)))}
		for _, step := range steps(d.Run) {
			one.Steps = append(one.Steps, fmt.Sprintf("%d. %s", step[0].Step, happenings(step, unlaid)))
		}
		t.Norms = append(t.Norms, one)
	}
	t.Owed = joined(" ", t.Owed, moreNorms(b.Owed))
}

func (t *DifferenceTelling) sequences(lead string, all []engine.Sequence, refused func([]string, medium) string) {
	for _, s := range all[:min(len(all), mostSequences)] {
		one := SequenceTelling{Lead: lead, Refused: refused(s.Instead, unlaid)}
		for _, step := range steps(s.Run) {
			one.Steps = append(one.Steps, fmt.Sprintf("%d. %s", step[0].Step, happenings(step, unlaid)))
		}
		t.Sequences = append(t.Sequences, one)
	}
}
