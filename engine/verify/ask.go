package verify

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
)

// Answers are one version's results for the wording of another: for each requirement that it dropped or reworded, and for final states that
// it no longer declares or declares differently.
type Answers struct {
	Requirements []finding.Requirement
	Completion   []finding.Diagnostic
	Formulas     []*ctl.Formula // slot i belongs to requirement i; nil when it can't be asked here
	Final        *ctl.Formula
	Asker        *compile.Draft // the version whose wording this is
	FinalText    *hclspec.Formula
	held         []heldAsk              // documents whose former places are asked about
	Twice        []finding.Diagnostic   // those that are in two of them at once
	LostFinal    *finding.Diagnostic    // why base's final states can't be asked here; nil when they can
	Clashes      []finding.Diagnostic   // see Checked.EachClash
	Fulfilment   map[string]*Fulfilment // how this version's own obligations can be fulfilled, by their subjects; nil if that is not known
	Leans        []lean                 // what of this version may lean on norms that the other one lacks or has otherwise
}

// BaseQuestions collects the requirements of base that this draft does not have with the same meaning, in base's order. They keep base's wording;
// their formulas are resolved with the names on head. A requirement that cannot be asked gets a reason. A nil amendment yields no
// questions.
func BaseQuestions(d *compile.Draft, m *compile.Amendment) *Answers {
	if m == nil {
		return &Answers{}
	}
	other := m.Base
	a := &Answers{Asker: other}
	kept := meanings(d)
	for i, r := range other.Spec.Requirements {
		renamed := m.Names.HeadRequirement(r)
		if other.Formulas[i] == nil || slices.Contains(kept, d.Promise(renamed)) {
			continue
		}
		f, diags := d.Resolve(renamed.Formula)
		wording := m.Names.WrittenOut(r).Formula
		req := finding.Requirement{Name: r.Name, Title: r.Title, Clause: r.Clause, Source: r.Range,
			Formula: d.Wording(wording), Notation: r.Formula.Notation.String(), Ideal: r.Formula.Ideal}
		lost := m.Names.Displaced(r)
		if lost != nil {
			renamed = r // as it is shown
		}
		compile.SetTerms(&req, compile.TermsOf(renamed))
		explain.Say(&req, other, wording)
		req.Scenario = explain.ScenarioOf(other, r.Formula)
		_, act := d.Actors(compile.TermsDecided(&req).Names)
		switch missing := m.Names.Missing(r); {
		case lost != nil:
			f, req.Reason = nil, displaced(lost)
		case missing != "" && (diags.HasErrors() || !act):
			f, req.Reason = nil, missing+", of which it speaks"
		case diags.HasErrors():
			req.Reason = "it has no meaning there. " + diags[0].Summary
		case !act:
			f, req.Reason = nil, "a party that it names is not there"
		}
		a.Requirements, a.Formulas = append(a.Requirements, req), append(a.Formulas, f)
	}
	askFinal(d, a, m)
	a.Leans = askLeans(d, m)
	a.held = askDocuments(d, m)
	return a
}

// displaced returns the reason why a formula with a displaced name can't be asked.
func displaced(one *diff.Displaced) string {
	switch {
	case one.Since != "":
		return fmt.Sprintf("%s means something else there, since it no longer comes about by %s", one.Name, one.Since)
	case !one.Idle:
		return fmt.Sprintf("%s may be something else there, since nothing that it was tied to is tied to it, and most of it is to %s now", one.Name, one.New)
	case one.New == "":
		return one.Name + " may be something else there, since it can't happen any more, and what took part in it still can"
	case one.Event:
		return fmt.Sprintf("%s may be something else there, since it can't happen any more, and %s is new", one.Name, one.New)
	}
	return fmt.Sprintf("%s may be something else there, since it can't change any more, and %s is new", one.Name, one.New)
}

// askFinal adds base's final states, unless this draft declares the same.
func askFinal(d *compile.Draft, a *Answers, m *compile.Amendment) {
	other := m.Base
	if other.Final == nil {
		return
	}
	renamed := m.Names.HeadText(other.Spec.Final)
	if d.Final != nil && d.Meaning(d.Spec.Final) == d.Meaning(renamed) {
		return
	}
	a.FinalText = other.Spec.Final
	var diags hcl.Diagnostics
	if a.Final, diags = d.Resolve(renamed); a.Final == nil {
		why := "they have no meaning there. " + strings.TrimSuffix(diags[0].Summary, ".")
		if lost, missing := m.Names.DisplacedIn(a.FinalText), m.Names.MissingIn(a.FinalText); lost != nil {
			why = displaced(lost)
		} else if missing != "" {
			why = missing + ", of which they speak"
		}
		lost := explain.NewDiagnostic(other, "dead-end", "", a.FinalText.Range, "It is not known whether the contract comes to rest only in the final states that it had.",
			"The old final states can't be asked of this draft: "+why+".")
		a.LostFinal = &lost
	}
}

// meanings returns the canonical meanings of this draft's requirements.
func meanings(d *compile.Draft) []string {
	var list []string
	for _, r := range d.Spec.Requirements {
		list = append(list, d.Promise(r))
	}
	return list
}

// Unknown sets the reason of every question that has none yet.
func (a *Answers) Unknown(reason string) {
	for i := range a.Requirements {
		if a.Requirements[i].Reason == "" {
			a.Requirements[i].Reason = reason
		}
	}
}

// That nobody else has a document at the same time is a promise of the version that declares it. It is asked of the other version, too, where
// that has the places and some of them are the document's no more.

// A heldAsk is a document of another version, with the places in which that has it.
type heldAsk struct {
	name   string // in this draft's names, if it has the document
	title  string
	places []*ctl.Formula
	lost   []string  // the names of those that are the document's no more
	at     hcl.Range // of the first of these
}

// askDocuments returns the documents of which some places are the document's no more.
func askDocuments(d *compile.Draft, m *compile.Amendment) (list []heldAsk) {
	for _, doc := range m.Base.Spec.Documents {
		ask := heldAsk{name: doc.Name, title: doc.Title}
		if name, ok := m.Names.HeadSubject("document." + doc.Name); ok {
			ask.name = strings.TrimPrefix(name, "document.")
		}
		for _, held := range m.Base.Held[doc.Name] {
			name, _ := m.Names.HeadPlace(held.Name)
			i, ok := d.PlaceOf[name]
			if !ok {
				continue
			}
			ask.places = append(ask.places, d.Marked(i))
			if p := d.AllPlaces[i]; p.Document != ask.name {
				if ask.lost == nil {
					ask.at = p.Range
				}
				ask.lost = append(ask.lost, name)
			}
		}
		if len(ask.lost) > 0 {
			list = append(list, ask)
		}
	}
	return list
}

// heldTwice finds documents of another version that are in two of that version's places at once.
func (c *Checked[S]) heldTwice(ctx context.Context, asked []heldAsk) (list []finding.Diagnostic, err error) {
	for _, doc := range asked {
		found, err := c.avoidable(ctx, compile.AtLeastTwo(doc.places), "document-held-twice")
		if err != nil {
			return nil, err
		}
		for _, diag := range found {
			diag.Subject, diag.Source = "document."+doc.name, doc.at
			diag.Snippet = explain.Snippet(c.Draft, diag.Source)
			diag.Message = fmt.Sprintf("Document %q%s is held in two of its former places at once.", doc.name, compile.InBrackets(doc.title))
			diag.Detail = "The amendment takes it off " + strings.Join(doc.lost, " and ") + ", and so off the check that nobody else has it: what was the document may still be there."
			list = append(list, diag)
		}
	}
	return list, nil
}

// A promise over ideal runs leans on a norm if it holds, and would not if breaches of that norm did not count. An amendment that adds a norm thus
// weakens promises that nobody touched: runs that they were about are ideal no more.

// A lean is the question whether a promise over ideal runs leans on norms.
type lean struct {
	Requirement int             // of the draft
	Norms       []*hclspec.Norm // all occurrences of each
	Jointly     bool            // they are all that the other version lacks
	formula     *ctl.Formula    // the promise, where breaches of the norms do not count
	Verdict     finding.Verdict
	Run         *finding.Trace // if violated; nil: none was found
}

// mostLeans bounds the norms that are asked about one by one.
const mostLeans = 8

// askLeans returns the questions about norms that the other version lacks or has otherwise: about each alone, then about all together that it lacks,
// since only that may make a difference.
func askLeans(d *compile.Draft, m *compile.Amendment) (asked []lean) {
	var sets [][]*hclspec.Norm // of one norm, with all its occurrences
	var added []*hclspec.Norm
	for _, n := range d.Spec.Norms {
		name := cmp.Or(n.Of, n.Name)
		how, other := m.Norms[name]
		if !other || n.Breached() == nil {
			continue
		}
		if last := len(sets) - 1; last >= 0 && cmp.Or(sets[last][0].Of, sets[last][0].Name) == name {
			sets[last] = append(sets[last], n)
		} else {
			sets = append(sets, []*hclspec.Norm{n})
		}
		if how == diff.Added {
			added = append(added, n)
		}
	}
	sets = sets[:min(len(sets), mostLeans)]
	alone := len(sets)
	if alone > 1 && len(added) > 0 {
		sets = append(sets, added)
	}
	for i, r := range d.Spec.Requirements {
		if !r.Formula.Ideal || d.Formulas[i] == nil || !compile.TermsOf(r).Plain() {
			continue
		}
		for k, set := range sets {
			asked = append(asked, lean{Requirement: i, Norms: set, Jointly: k == alone, formula: d.Sparing(d.Formulas[i], set)})
		}
	}
	return asked
}

// decideLeans decides the questions about the promises that hold. What the budget does not allow stays unknown.
func (c *Checked[S]) decideLeans(ctx context.Context, f Outcome) {
	for i := range f.Asked.Leans {
		l := &f.Asked.Leans[i]
		if l.Verdict != finding.Unknown || f.Result.Requirements[l.Requirement].Verdict != finding.Holds {
			continue
		}
		checker := c.Checker(nil)
		holds, err := checker.Holds(ctx, l.formula)
		if err != nil {
			return
		}
		if l.Verdict = finding.Holds; holds {
			continue
		}
		l.Verdict = finding.Violated
		l.Run, _ = c.show(ctx, checker, explain.Runs{}, l.formula, f.Result.Requirements[l.Requirement].Notation)
	}
}

// setNear takes an answer found without a state model, if there is one and its run replays.
func (l *lean) setNear(d *compile.Draft, n nearby) {
	switch {
	case n.engine == "" || l.Verdict != finding.Unknown:
	case n.holds:
		l.Verdict = finding.Holds
	case n.evidence == nil:
		l.Verdict = finding.Violated
	case explain.Replay(d.Net, d.Rule, explain.Runs{}, n.evidence) == nil:
		l.Verdict, l.Run = finding.Violated, explain.Trace(d, n.evidence, d.Spec.Requirements[l.Requirement].Formula.Notation.String())
	}
}
