package engine

import (
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
	c.remark(head.finding("norm-dropped", normSubject(change), head.Spec.Range,
		fmt.Sprintf("The amendment drops the %s %q of the %s.", change.Element, change.Name, base.Spec.Norms[i].Bearer.Name),
		"No requirement need fail for that: see that it is meant."))
}

func (c *ContractReview) normChanged(change delta.Change, head *Draft) {
	c.remark(head.finding("norm-changed", normSubject(change), change.Head, fmt.Sprintf("The amendment changes the %s %q.", change.Element, change.Name),
		strings.Join(changedTerms(change.Terms), "; ")+"."))
}

func normSubject(change delta.Change) string { return change.Element.String() + "." + change.Name }

func (c *ContractReview) remark(d Diagnostic) { c.Head.Diagnostics = append(c.Head.Diagnostics, d) }
