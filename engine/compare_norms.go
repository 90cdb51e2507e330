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
	said := "Before: " + orOf(d.Was) + "; now: " + orOf(d.Now) + "."
	if len(d.Better) > 0 {
		said += " Better for the " + strings.Join(d.Better, " and the ") + "."
	}
	if len(d.Worse) > 0 {
		said += " Worse for the " + strings.Join(d.Worse, " and the ") + "."
	}
	return said
}

func orOf(list []NormState) string {
	var said []string
	for _, s := range list {
		said = append(said, s.String())
	}
	return strings.Join(said, ", or ")
}

// String is how a norm stands: "owed by the borrower to the lender, 3 ticks left".
func (s NormState) String() string {
	if s.State == "" {
		return "not in force"
	}
	said := map[string]string{"in_force": "in force"}[s.State]
	said = cmp.Or(said, s.State)
	if s.Bearer != "" {
		said += map[string]string{"in_force": ", for the ", "given": " to the ", "held": " by the ", "owed": " by the ", "breached": " by the "}[s.State] + s.Bearer
	}
	if s.Counterparty != "" {
		said += map[string]string{"in_force": ", towards the ", "given": " by the ", "held": " against the ", "owed": " to the ", "breached": " towards the "}[s.State] + s.Counterparty
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
	side := "before the amendment"
	if d.Side == delta.InHead {
		side = "now"
	}
	return &Trace{Claim: d.Kind + " " + d.Norm + ", " + side, Prefix: d.Run, End: d.End}
}

func normSubject(change delta.Change) string { return change.Element.String() + "." + change.Name }

func (c *ContractReview) remark(d Diagnostic) { c.Head.Diagnostics = append(c.Head.Diagnostics, d) }
