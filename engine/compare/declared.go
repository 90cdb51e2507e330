package compare

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/codes"
)

// A declaring makes remarks on norms and documents that base declares and head drops or changes. Such a change breaks no requirement by
// itself and must not pass unseen. If Budget.Owed is set, the gate objects to changes of norms that are not proved to be without effect.
type declaring struct {
	review     *finding.ContractReview
	amended    *compile.Amendment
	base, head *compile.Draft
	said       []remark
	was, now   map[string]*verify.Fulfilment // of obligations of base and head, by their subjects
	lapsing    []*hclspec.Norm               // that one remark is about: see lapses
}

// A remark is a diagnostic with the effect of the change that it is about.
type remark struct {
	finding.Diagnostic
	effect effect
}

// An effect is whether a change makes a difference to what is owed. The zero effect is unknown.
type effect uint8

const (
	effectUnknown effect = iota
	effectNone           // proved
	effectSome
)

// declared adds the remarks to head's diagnostics, and findings for those that the gate objects to.
func declared(c *finding.ContractReview, m *compile.Amendment, head *compile.Draft, objects bool, before, asked *verify.Answers) {
	if m == nil {
		return
	}
	d := &declaring{review: c, amended: m, base: m.Base, head: head, was: before.Fulfilment, now: asked.Fulfilment}
	for _, change := range m.Changes {
		switch {
		case change.Element == diff.Document && change.Action == diff.Removed:
			d.documentDropped(change)
		case !isNorm(change.Element):
		case change.Action == diff.Removed:
			d.normDropped(change)
		case change.Action == diff.Rewired:
			d.normChanged(change)
		}
	}
	if objects {
		reliefs := d.reliefs()
		d.lapses(reliefs)
		d.otherwise()
		d.relieved(reliefs)
	}
	d.object(objects)
}

// relieved remarks on norms that stand as before after the same steps, and yet are worth less: by what is new, by whose act something takes, or since something is out
// of reach. It adds to a remark that a norm has.
func (d *declaring) relieved(all []relief) {
	d.outlived()
	d.unreachable()
	for _, a := range d.review.Difference.Acts {
		if e := d.head.Event(a.Event); e != nil {
			d.byOthers(a, e.Range)
		}
	}
	for _, by := range all {
		d.relieve(by)
	}
	d.unfulfillable()
	d.turned()
	d.foreseen()
	for _, a := range d.review.Difference.Acts {
		if e := d.head.Event(a.Event); e != nil {
			d.dependent(a, e.Range, actTerms(a))
		}
	}
}

// object marks accepted remarks, turns those that count into violations, and adds all of them to the review.
func (d *declaring) object(objects bool) {
	for i := range d.said {
		r := &d.said[i]
		if objects && r.Code != "document-dropped" && r.effect != effectNone {
			r.Class = codes.Violation
		}
		for _, a := range d.head.Spec.Accepts {
			if explain.Accepts(a, &r.Diagnostic) {
				r.Accepted = a.Reason
			}
		}
	}
	all := slices.Clone(d.review.Head.Diagnostics) // findings point into the old list
	for i := range d.said {
		r := &d.said[i]
		all = append(all, r.Diagnostic)
		if r.Class == codes.Violation && r.Accepted == "" {
			kind := map[effect]finding.Kind{effectUnknown: finding.Undecided, effectSome: finding.New}[r.effect]
			d.review.Findings = append(d.review.Findings, finding.Finding{Kind: kind, Name: string(r.Code), Check: &r.Diagnostic})
		}
	}
	slices.SortStableFunc(all, explain.Compare)
	d.review.Head.Diagnostics = all
}

func (d *declaring) remark(one finding.Diagnostic, e effect) { d.said = append(d.said, remark{one, e}) }

func (d *declaring) documentDropped(change diff.Change) {
	d.remark(explain.NewDiagnostic(d.head, "document-dropped", "document."+change.Name, d.head.Spec.Range, fmt.Sprintf("The amendment drops the document %q.", change.Name),
		"No event waits any more for who has it, and that there is only one is not checked."), effectSome)
}

func (d *declaring) normDropped(change diff.Change) {
	i := slices.IndexFunc(d.base.Spec.Norms, func(n *hclspec.Norm) bool { return n.Written() == change.Name })
	one := explain.NewDiagnostic(d.head, "norm-dropped", normSubject(change), d.left(d.base.Spec.Norms[i]),
		fmt.Sprintf("The amendment drops the %s %q %s.", change.Element, change.Name, bound(d.base.Spec.Norms[i])), "")
	what, shown, e := d.effect(change.Name)
	one.Detail, one.Trace = what, shownRun(shown)
	one.Run = changeRun(&one, change.Terms)
	d.remark(one, e)
}

// left returns where head has a party to a norm of base, a bearer if any is left: head has no place of the norm itself. Without a party, it is
// the contract's.
func (d *declaring) left(n *hclspec.Norm) hcl.Range {
	naming := d.amended.Naming().Of(0)
	for _, role := range slices.Concat(n.Bearers, n.Counterparties) {
		for _, p := range role.Parties {
			name := naming.Head(diff.Party, p.Name)
			if i := slices.IndexFunc(d.head.Spec.Parties, func(q *hclspec.Party) bool { return q.Name == name }); i >= 0 {
				return d.head.Spec.Parties[i].Range
			}
		}
	}
	return d.head.Spec.Range
}

func (d *declaring) normChanged(change diff.Change) {
	was := cmp.Or(change.Was, change.Name)
	i := slices.IndexFunc(d.base.Spec.Norms, func(n *hclspec.Norm) bool { return n.Written() == was })
	at := slices.IndexFunc(d.head.Spec.Norms, func(n *hclspec.Norm) bool { return n.Written() == change.Name })
	one := explain.NewDiagnostic(d.head, "norm-changed", normSubject(change), change.Head,
		fmt.Sprintf("The amendment changes the %s %q %s.", change.Element, change.Name, bound(d.base.Spec.Norms[i])), "")
	what, shown, e := d.effect(change.Name)
	time := d.timing(slices.ContainsFunc(change.Terms, dated), d.head.Spec.Norms[at], d.base.Spec.Norms[i])
	what, e = time.besides(what, e)
	if what == elsewhere || shown != nil && shown.Ends.Alone {
		what = strings.Join(append(endings(change), what), " ")
	}
	one.Detail, one.Trace = "In its text "+strings.Join(changedTerms(change.Terms), "; ")+". "+what, shownRun(shown)
	one.Run = d.standsRun(&one, shown, slices.Concat(change.Terms, time.terms))
	d.remark(one, e)
}

// elsewhere describes a change that has an effect, but none on the state of the norm itself after any run of both versions.
const elsewhere = "After every run that both versions have it stands as it did before: proved. What differs is something else, such as what follows from it or how it can end."

// eventNames matches the value of a term that is one event or several, any of which is enough.
var eventNames = regexp.MustCompile(`^[\w.-]*(, [\w.-]+)*$`)

// endings says by which events a changed norm ends, is suspended or resumed by its text by which it did not in base, and by which it no longer does. Whether they can happen is another question.
func endings(change diff.Change) (said []string) {
	for _, t := range change.Terms {
		does, of := map[string]string{"fulfil": "fulfilled", "until": "lifted", "suspended_by": "suspended", "resumes": "resumed"}[t.Word], []string{t.Was, t.Now}
		if t.Word == "until" && change.Element != diff.Obligation {
			does = "ended"
		}
		if does == "" || !eventNames.MatchString(t.Was) || !eventNames.MatchString(t.Now) {
			continue
		}
		for i, how := range []string{"is no longer", "is now also"} {
			names := slices.DeleteFunc(strings.Split(of[i], ", "), func(name string) bool { return name == "" || slices.Contains(strings.Split(of[1-i], ", "), name) })
			if len(names) > 0 {
				said = append(said, fmt.Sprintf("By its text it %s %s by %s.", how, does, strings.Join(names, " or ")))
			}
		}
	}
	return said
}

// owed returns what is owed differently under full observation. Without a norm on either side, nothing is.
func (d *declaring) owed() *finding.Owed {
	return cmp.Or(d.review.Difference.Full().Owed, &finding.Owed{Relation: delta.Same})
}

// otherwise remarks on norms that are written as before, and whose states differ after the same steps.
func (d *declaring) otherwise() {
	owed := d.owed()
	all := owed.All()
	for i := range all {
		n := &all[i]
		at := slices.IndexFunc(d.head.Spec.Norms, func(own *hclspec.Norm) bool { return isOf(n, own) })
		if at < 0 || d.remarked(d.head.Spec.Norms[at]) || slices.Contains(d.lapsing, d.head.Spec.Norms[at]) {
			continue
		}
		own := d.head.Spec.Norms[at]
		one := explain.NewDiagnostic(d.head, "norm-changed", n.Kind+"."+n.Norm, own.Range, fmt.Sprintf("The %s %s stands otherwise than before, though it is written as before.", own.Called(), bound(own)), "")
		time := d.timing(false, own)
		one.Detail, _ = time.besides(d.each(n, described), effectSome)
		one.Trace = shownRun(n)
		one.Run = d.standsRun(&one, n, time.terms)
		d.remark(one, effectSome)
	}
	d.retimed()
	why, unsure := d.unsure()
	if unsure && len(d.base.Spec.Norms) > 0 && !slices.ContainsFunc(d.said, func(r remark) bool { return r.effect == effectUnknown }) {
		d.remark(explain.NewDiagnostic(d.head, "norm-changed", "", d.head.Spec.Range, "Whether what is owed is as before is not decided.", sentenceOf(why)), effectUnknown)
	}
}

// unsure reports whether a norm that is written as before may stand otherwise although no run shows it, and why. After the same events at other times such a
// norm is compared where something happens by itself.
func (d *declaring) unsure() (why string, unsure bool) {
	for side, r := range []*finding.Result{d.review.Base, d.review.Head} {
		if unfinished(r) {
			return "The checks of the version " + [2]string{"before", "now"}[side] + " were not finished: " + r.Model.Incomplete, true
		}
	}
	switch owed := d.owed(); {
	case owed.Relation == delta.Unknown || owed.Reason != "":
		return owed.Reason, true
	case owed.Unshown > 0:
		return unshown, true
	case owed.UntimedReason != "" && len(d.base.Urgent())+len(d.head.Urgent()) > 0:
		return "It was not compared after the same events at other times: " + owed.UntimedReason, true
	case d.review.Difference.Unturned != "":
		return "Whether norms begin and end by the same steps is not known: " + d.review.Difference.Unturned, true
	case d.review.Difference.Unforeseen != "":
		return "Whether norms can still come about where they could before is not known: " + d.review.Difference.Unforeseen, true
	}
	return "", false
}

// unfinished reports whether some checks of a version were not made.
func unfinished(r *finding.Result) bool { return r != nil && r.Model.Incomplete != "" }

// unshown describes a difference in what is owed without a run.
const unshown = "What is owed differs, but no single run shows it."

// remarked reports whether a norm of head is new, or has a remark.
func (d *declaring) remarked(n *hclspec.Norm) bool { return d.added(n) || len(d.on(n)) > 0 }

// added reports whether a norm of head is new.
func (d *declaring) added(n *hclspec.Norm) bool {
	return slices.ContainsFunc(d.amended.Changes, func(c diff.Change) bool { return isNorm(c.Element) && c.Name == n.Written() && c.Action == diff.Added })
}

// on returns the indices of the remarks on a norm of head that are about an effect. Of what else relieves a norm whose own text is changed without any effect
// nothing is said yet.
func (d *declaring) on(n *hclspec.Norm) (all []int) {
	of := n.Kind.String() + "."
	for i, r := range d.said {
		if r.effect != effectNone && (r.Subject == of+n.Written() || r.Subject == of+n.Name) {
			all = append(all, i)
		}
	}
	return all
}

// effect returns the effect of dropping or changing a norm, in words, with the difference that is shown, if one is.
func (d *declaring) effect(name string) (what string, shown *finding.NormDifference, e effect) {
	owed := d.owed()
	all := owed.All()
	switch i := slices.IndexFunc(all, func(n finding.NormDifference) bool { return compile.WithoutIndex(n.Norm) == name }); {
	case owed.Relation == delta.Same:
		return "Without effect: proved. After every run what is owed and what can happen next are as before.", nil, effectNone
	case i >= 0:
		return d.each(&all[i], described) + d.others(&all[i]), &all[i], effectSome
	case owed.Relation == delta.Unknown || owed.Reason != "":
		return "Whether it makes a difference is not decided: " + sentenceOf(owed.Reason), nil, effectUnknown
	case owed.Unshown > 0:
		return "Whether it makes a difference is not decided. " + unshown, nil, effectUnknown
	}
	return elsewhere, nil, effectSome
}

// each describes every difference of the norm of one of them.
func (d *declaring) each(of *finding.NormDifference, how func(*finding.NormDifference) string) string {
	var said []string
	for _, n := range d.owed().All() {
		if n.SameNorm(*of) {
			said = append(said, how(&n))
		}
	}
	return strings.Join(said, " ")
}

// others names the other occurrences of a norm that differ. It returns "" if there are none.
func (d *declaring) others(of *finding.NormDifference) string {
	var numbers []int
	for _, n := range d.owed().All() {
		if nth := n.Occurrence(); nth > 0 && nth != of.Occurrence() && compile.WithoutIndex(n.Norm) == compile.WithoutIndex(of.Norm) {
			numbers = append(numbers, nth)
		}
	}
	if len(numbers) == 0 {
		return ""
	}
	slices.Sort(numbers)
	return " Others that differ: " + hclspec.Ordinals(slices.Compact(numbers)) + "."
}

// bound returns the parties to a norm: "of the borrower to the lender".
func bound(n *hclspec.Norm) string {
	said := "of " + persons(n.Bearers)
	if len(n.Counterparties) > 0 {
		said += map[bool]string{true: " to ", false: " towards "}[n.Kind == hclspec.Obligation] + persons(n.Counterparties)
	}
	return said
}

// persons names the first bearers or counterparties of a norm as in a sentence: a role in a phase by the party that plays it.
func persons(list []hclspec.Tenure) string {
	var all []string
	for _, p := range list[0].Parties {
		all = append(all, hclspec.WithArticle("the ", p.Person()))
	}
	return strings.Join(slices.Compact(all), " and ")
}

// changeRun returns the SHA-256 by which an accept names a dropped or changed norm: of what it was and what it is.
func changeRun(of *finding.Diagnostic, terms []diff.Term) string {
	return fmt.Sprintf("sha256:%x", sha256.Sum256(fmt.Appendf(nil, "redline norm 1\n%s %s\n%s", of.Code, of.Subject, digested(terms))))
}

// standsRun returns the SHA-256 that an accept names for a norm that is changed, or stands otherwise. It covers both texts and, if a run shows the difference, that run
// and the state of the norm after it.
func (d *declaring) standsRun(of *finding.Diagnostic, n *finding.NormDifference, terms []diff.Term) string {
	if n == nil {
		return changeRun(of, terms)
	}
	draft := map[diff.Side]*compile.Draft{diff.InBase: d.base, diff.InHead: d.head, diff.InBoth: d.head}[n.Side]
	return draft.Fingerprint(string(of.Code)+" "+of.Subject+" "+d.each(n, describe)+d.others(n)+digested(terms), of.Trace)
}

// digested returns terms as digests cover them: "" for none.
func digested(terms []diff.Term) string {
	var b strings.Builder
	for _, t := range terms {
		fmt.Fprintf(&b, "%q %q %q\n", t.Word, t.Was, t.Now)
	}
	return b.String()
}

func sentenceOf(s string) string { return strings.TrimSuffix(s, ".") + "." }

func normSubject(change diff.Change) string { return change.Element.String() + "." + change.Name }
