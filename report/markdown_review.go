package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/hclspec/codes"
)

// MarkdownReview tells what an amendment does as GitHub Markdown, for a comment on the pull request
// and for the job summary: the verdict in the heading, for each changed contract a table of what
// matters, and each new violation with its run. Contracts that need an answer come first. It has at
// most CommentLimit bytes and says what it leaves out.
func MarkdownReview(r *engine.Review) string {
	return MarkdownReviewWithin(r, CommentLimit, "`redline review` shows it whole.")
}

// MarkdownReviewWithin is MarkdownReview in at most limit bytes, where a text of our own says where it is whole.
func MarkdownReviewWithin(r *engine.Review, limit int, whole string) string {
	b := balanced(r)
	parts := []part{{"", fmt.Sprintf("## %s redline: %s\n\n%s\n", sign(b.verdict()), b, capital(sentence(b.rest())))}}
	all := slices.Clone(r.Contracts)
	slices.SortStableFunc(all, func(a, b engine.ContractReview) int { return cmp.Compare(urgency(&a), urgency(&b)) })
	for i := range all {
		if all[i].Status != engine.Same || len(all[i].Findings) > 0 {
			parts = append(parts, contractParts(&all[i])...)
		}
	}
	parts = append(parts, sameParts(r)...)
	return fit(parts, limit, whole)
}

// MarkdownFinding tells one finding by itself, for a comment at the line it is about. It has at most
// limit bytes, and a text of our own says where it is whole.
func MarkdownFinding(f engine.Finding, limit int, whole string) string {
	parts := []part{{"", fmt.Sprintf("%s **%s**: %s — %s\n", kindSign(f), kindWord(f), MarkdownCode(f.Name), subject(f, markdown))}}
	parts = append(parts, part{"", "\n" + joined(" ", meaning(f, markdown), broughtAbout(&f, markdown)) + "\n"})
	parts = append(parts, repairParts(f.Repairs)...)
	switch {
	case f.Check != nil && f.Check.Trace != nil:
		parts = append(parts, traceParts("A run that leads there", f.Check.Trace, f.Refusal)...)
	case f.Head != nil && f.Head.Trace != nil && f.Head.Verdict == engine.Violated:
		parts = append(parts, traceParts("A run that shows it", f.Head.Trace, f.Refusal)...)
	}
	return fit(parts, limit, whole)
}

// urgency is the rank of a contract's most important finding; errors come before all.
func urgency(c *engine.ContractReview) int {
	if len(headErrors(c)) > 0 {
		return -1
	}
	if worth, _ := ranked(c.Findings); len(worth) > 0 {
		return rank(worth[0].Kind)
	}
	return len(reading)
}

func contractParts(c *engine.ContractReview) []part {
	parts := []part{{"", "\n### " + contractTitle(c.Path, c.Name, c.Title) + "\n\n" + joined(" ", happened(c), cachedNote(c.Cached)) + "\n"}}
	parts = append(parts, diagnosticParts(headErrors(c))...)
	worth, kept := ranked(c.Findings)
	parts = append(parts, findingTable(worth, kept)...)
	for _, f := range worth {
		parts = append(parts, findingParts(f)...)
	}
	parts = append(parts, differenceParts(c)...)
	parts = append(parts, diagnosticParts(newRemarks(c, codes.Warning))...)
	if c.Head == nil {
		return parts
	}
	return append(parts, acceptedParts(c.Head.Diagnostics, cmp.Or(c.Base, &engine.Result{}))...)
}

func findingTable(worth []engine.Finding, kept int) []part {
	if len(worth) == 0 {
		if kept == 0 {
			return nil
		}
		return []part{{"", "\n✓ " + several(kept, "promise") + " kept.\n"}}
	}
	var b strings.Builder
	b.WriteString("\n| | requirement | before | after | what it means |\n|---|---|---|---|---|\n")
	for _, f := range worth[:min(len(worth), mostRows)] {
		before, after := beforeAfter(f)
		fmt.Fprintf(&b, "| %s %s | %s | %s | %s | %s |\n", kindSign(f), kindWord(f), markdownCell(f.Name), before, after, joined(" ", meaning(f, cell), guilt(f.Guilt, cell)))
	}
	b.WriteString(andMore(len(worth)-mostRows, "row"))
	if kept > 0 {
		b.WriteString("\n✓ " + several(kept, "other promise") + " kept.\n")
	}
	return []part{{table, b.String()}}
}

// findingParts shows the proof of what is new or weakened.
func findingParts(f engine.Finding) []part {
	switch {
	case f.Kind != engine.New && f.Kind != engine.WaiverExpired && f.Kind != engine.Weakened:
		return nil
	case f.Check != nil:
		return diagnosticPart(f.Check, &f)
	case f.Head != nil:
		return proofParts(f.Head, &f)
	}
	return nil
}

// sameParts lists the contracts that mean what they meant.
func sameParts(r *engine.Review) []part {
	same := unchanged(r)
	if len(same) == 0 {
		return nil
	}
	more := ""
	if len(same) > mostRows {
		more = fmt.Sprintf(" and %d more", len(same)-mostRows)
		same = same[:mostRows]
	}
	return []part{{"", "\nNo change of meaning: " + strings.Join(mapped(same, MarkdownCode), ", ") + more + ".\n"}}
}
