package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/hclspec"
)

func (c *ContractReview) documentDropped(change delta.Change, head *Draft) {
	c.remark(head.finding("document-dropped", "document."+change.Name, head.Spec.Range, fmt.Sprintf("The amendment drops the document %q.", change.Name),
		"No event waits any more for who has it, and that there is only one is not checked."))
}

func (c *ContractReview) normDropped(change delta.Change, base, head *Draft) {
	i := slices.IndexFunc(base.Spec.Norms, func(n *hclspec.Norm) bool { return n.Name == change.Name })
	d := head.finding("norm-dropped", normSubject(change), head.Spec.Range,
		fmt.Sprintf("The amendment drops the %s %q of the %s.", change.Element, change.Name, base.Spec.Norms[i].Bearer.Name), "")
	d.Detail, d.Trace = c.effect(change)
	c.remark(d)
}

func (c *ContractReview) normChanged(change delta.Change, head *Draft) {
	d := head.finding("norm-changed", normSubject(change), change.Head, fmt.Sprintf("The amendment changes the %s %q.", change.Element, change.Name), "")
	what, run := c.effect(change)
	d.Detail, d.Trace = strings.Join(changedTerms(change.Terms), "; ")+". "+what, run
	c.remark(d)
}

// effect says what difference it makes that a norm is dropped or changed, with a shortest run after which it does.
func (c *ContractReview) effect(change delta.Change) (what string, run *Trace) {
	owed := c.Difference.owed
	switch i := slices.IndexFunc(owed.Norms, func(n NormDifference) bool { return n.Norm == change.Name }); {
	case owed.Relation == delta.Same:
		return "Without effect: proved. After every run what is owed and what can happen next are as before.", nil
	case i >= 0:
		return owed.Norms[i].told(), owed.Norms[i].run()
	case owed.Relation == delta.Unknown || owed.Reason != "":
		return "Whether it makes a difference is not decided: " + owed.Reason + ".", nil
	case owed.Unshown > 0:
		return "Whether it makes a difference is not decided: what is owed differs, but no single run shows it.", nil
	}
	return "After every run that both versions have, it is as before: proved. What follows from it, or something else, differs.", nil
}

// told says how a norm stands otherwise, and for whom that is better or worse.
func (d *NormDifference) told() string {
	said := "Before: " + d.Words(d.Was) + "; now: " + d.Words(d.Now) + "."
	if len(d.Better) > 0 {
		said += " Better for the " + strings.Join(d.Better, " and the ") + "."
	}
	if len(d.Worse) > 0 {
		said += " Worse for the " + strings.Join(d.Worse, " and the ") + "."
	}
	return said
}

// Words says how the norm may stand.
func (d *NormDifference) Words(all []NormState) string {
	var said []string
	for _, s := range all {
		if s.State == "" {
			said = append(said, map[string]string{"obligation": "not owed", "permission": "not given", "power": "not held", endOfContract: "in force"}[d.Kind])
			said[len(said)-1] = cmp.Or(said[len(said)-1], "not in force")
			continue
		}
		said = append(said, s.String())
	}
	return strings.Join(said, ", or ")
}

// stateWords are what people call a live norm, and what comes before its bearer and its counterparty.
var stateWords = map[string][3]string{
	"owed": {"owed", " by the ", " to the "}, "in_force": {"in force", " for the ", " towards the "}, "given": {"given", " to the ", " by the "},
	"held": {"held", " by the ", " against the "}, "breached": {"breached", " by the ", " towards the "}, "ended": {"ended"},
}

// String is how a live norm stands: "owed by the borrower to the lender, 3 ticks left".
func (s NormState) String() string {
	words := stateWords[s.State]
	said := words[0]
	if s.Bearer != "" {
		said += words[1] + s.Bearer
	}
	if s.Counterparty != "" {
		said += words[2] + s.Counterparty
	}
	switch {
	case s.Ticks == 1:
		said += ", 1 tick left"
	case s.Ticks > 1:
		said += fmt.Sprintf(", %d ticks left", s.Ticks)
	}
	return said
}

// run is the run after which a norm stands otherwise.
func (d *NormDifference) run() *Trace {
	return &Trace{Claim: "before the amendment " + d.Words(d.Was) + "; now " + d.Words(d.Now), Prefix: d.Run, End: d.End}
}

func normSubject(change delta.Change) string { return change.Element.String() + "." + change.Name }

func (c *ContractReview) remark(d Diagnostic) { c.Head.Diagnostics = append(c.Head.Diagnostics, d) }
