package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/hclspec"
)

// What an amendment drops or changes of obligations, their like and documents breaks no requirement
// that does not ask for them. So it is remarked on: it must not pass unseen.

// declared remarks on what base declares and head drops or changes.
func (c *ContractReview) declared(base, head *Draft) {
	if base == nil || base.Spec == nil || head.Spec == nil {
		return
	}
	for _, n := range base.Spec.Norms {
		c.norm(n, head)
	}
	for _, doc := range base.Spec.Documents {
		if !head.has("document." + doc.Name) {
			c.remark(head.finding("document-dropped", "document."+doc.Name, head.Spec.Range, fmt.Sprintf("The amendment drops the document %q.", doc.Name),
				"No event waits any more for who has it, and that there is only one is not checked."))
		}
	}
	slices.SortStableFunc(c.Head.Diagnostics, compare)
}

// norm remarks on a norm of base, unless head has it as it was, under whatever name.
func (c *ContractReview) norm(was *hclspec.Norm, head *Draft) {
	subject := was.Kind.String() + "." + was.Name
	if now := head.norm(was.Kind, was.Name); now != nil {
		if terms := changedTerms(was.Terms, now.Terms); len(terms) > 0 {
			c.remark(head.finding("norm-changed", subject, now.Range, fmt.Sprintf("The amendment changes the %s %q.", was.Kind, was.Name),
				strings.Join(terms, "; ")+"."))
		}
		return
	}
	renamed := func(n *hclspec.Norm) bool { return n.Kind == was.Kind && slices.Equal(n.Terms, was.Terms) }
	if !slices.ContainsFunc(head.Spec.Norms, renamed) {
		c.remark(head.finding("norm-dropped", subject, head.Spec.Range, fmt.Sprintf("The amendment drops the %s %q of the %s.", was.Kind, was.Name, was.Bearer.Name),
			"No requirement need fail for that: see that it is meant."))
	}
}

func (c *ContractReview) remark(d Diagnostic) { c.Head.Diagnostics = append(c.Head.Diagnostics, d) }

// norm finds a norm of a kind by its name; nil where there is none.
func (d *Draft) norm(kind hclspec.NormKind, name string) *hclspec.Norm {
	i := slices.IndexFunc(d.Spec.Norms, func(n *hclspec.Norm) bool { return n.Kind == kind && n.Name == name })
	if i < 0 {
		return nil
	}
	return d.Spec.Norms[i]
}

// leftOut stands for the value of an attribute that is not there.
const leftOut = "left out"

// changedTerms says what each attribute that differs was and is: "within was 3, now 9".
func changedTerms(was, now []hclspec.Term) []string {
	value := func(list []hclspec.Term, word string) string {
		i := slices.IndexFunc(list, func(t hclspec.Term) bool { return t.Word == word })
		if i < 0 {
			return leftOut
		}
		return list[i].Value
	}
	var said []string
	for _, t := range was {
		if v := value(now, t.Word); v != t.Value {
			said = append(said, fmt.Sprintf("%s was %s, now %s", t.Word, t.Value, v))
		}
	}
	for _, t := range now {
		if value(was, t.Word) == leftOut {
			said = append(said, fmt.Sprintf("%s was %s, now %s", t.Word, leftOut, t.Value))
		}
	}
	return said
}
