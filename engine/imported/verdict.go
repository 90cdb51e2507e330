package imported

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/workflow"
)

// judge sets the verdicts of the requirements. If a limit was reached, they are unknown, unless the findings so far decide them.
func (w *imported) judge(found *workflow.Report, err error, b finding.Budget) {
	reason := ""
	contact := slices.ContainsFunc(found.Findings, func(f workflow.Finding) bool { return f.Kind == workflow.Contact })
	switch {
	case err != nil && found.States == nil:
		reason = b.Reason(err)
		w.r.Model.Incomplete = reason
	case err != nil:
		reason = b.Reason(err)
		w.r.Model.Incomplete = "the built-in checks were not finished: " + reason
	case contact:
		w.r.Model.Incomplete = w.r.Diagnostics[0].Message
	}
	w.verdict(0, found.Safe, contact, reason)
	if w.ends != nil {
		ill := len(found.Findings)+len(found.Unfired) > 0
		w.verdict(1, found.Safe && found.Surveyed && found.Completed && !ill, ill, reason)
	}
}

func (w *imported) verdict(slot int, holds, violated bool, reason string) {
	q := &w.r.Requirements[slot]
	switch {
	case holds:
		q.Verdict = finding.Holds
	case violated:
		q.Verdict = finding.Violated
	default:
		q.Reason = reason
	}
}

// netDigest returns the SHA-256 of a net in canonical form, which is independent of order and layout.
func netDigest(n *petri.Net) string {
	name := func(list []int) string {
		var names []string
		for _, p := range list {
			names = append(names, fmt.Sprintf("%q", n.Places[p].Name))
		}
		slices.Sort(names)
		return strings.Join(names, " ")
	}
	lines := []string{"marked " + name(n.Initial)}
	for _, p := range n.Places {
		lines = append(lines, fmt.Sprintf("place %q", p.Name))
	}
	for _, t := range n.Transitions {
		lines = append(lines, fmt.Sprintf("transition %q consumes %s produces %s reads %s", t.Name, name(t.In), name(t.Out), name(t.Read)))
	}
	slices.Sort(lines)
	return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte("redline net 1\n"+strings.Join(lines, "\n"))))
}
