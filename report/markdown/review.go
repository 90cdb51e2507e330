package markdown

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/text"
	"github.com/redlinehq/redline/report/words"
)

// Review returns what an amendment does as GitHub Markdown, for a comment on the pull request and for the job summary: the verdict in the
// heading, a table of findings for each changed contract, and each new violation with its run. Contracts that need an answer come first. It
// has at most CommentLimit bytes and names what it leaves out.
func Review(r *finding.Review) string {
	return ReviewWithin(r, CommentLimit, "`redline review` shows it whole.")
}

// ReviewWithin is Review in at most limit bytes. Whole is a sentence, free of foreign text, on where the whole text can be seen.
func ReviewWithin(r *finding.Review, limit int, whole string) string {
	b := words.Balanced(r)
	parts := []part{{"", fmt.Sprintf("## %s redline: %s\n\n%s\n", words.Sign(b.Verdict()), b, words.Joined(" ", strong(words.Lead(b)), diag.Capital(words.WithFullStop(b.Rest()))))}}
	all := slices.Clone(r.Contracts)
	slices.SortStableFunc(all, func(a, b finding.ContractReview) int { return cmp.Compare(urgency(&a), urgency(&b)) })
	for i := range all {
		if text.Noteworthy(&all[i]) {
			parts = append(parts, contractParts(&all[i])...)
		}
	}
	parts = append(parts, sameParts(r)...)
	parts = append(parts, acceptanceParts(r.Unplaced)...)
	return fit(parts, limit, whole)
}

// Finding returns one finding as GitHub Markdown, for a comment at its line. It has at most limit bytes. Whole is a sentence, free of
// foreign text, on where the whole text can be seen.
func Finding(f finding.Finding, limit int, whole string) string {
	parts := []part{{"", fmt.Sprintf("%s **%s**: %s\n", words.KindSign(f), words.KindWord(f), promiseNamed(f, words.Markdown))}}
	parts = append(parts, part{"", "\n" + words.Joined(" ", words.Meaning(f, words.Markdown), words.BroughtAbout(&f, words.Markdown)) + "\n"})
	parts = append(parts, repairParts(f.Repairs)...)
	if words.Retirable(f) && f.Head != nil {
		parts = append(parts, retirePart(f, ""))
	}
	switch {
	case f.Check != nil && f.Check.Trace != nil:
		parts = append(parts, traceParts(words.RunLead(f.Check)+words.AsOf(f.Check.Trace)+stepByStep, f.Check.Trace, f.Refusal, drawn)...)
	case f.Head != nil && f.Head.Trace != nil && f.Head.Verdict == finding.Violated:
		parts = append(parts, traceParts(showsIt, f.Head.Trace, f.Refusal, drawn)...)
	}
	return fit(parts, limit, whole)
}

// urgency returns the rank of a contract's most important finding. Errors rank before all findings.
func urgency(c *finding.ContractReview) int {
	if len(words.HeadErrors(c)) > 0 {
		return -1
	}
	if len(slices.DeleteFunc(c.Unlinked(), func(a finding.Acceptance) bool { return !a.Blocking() })) > 0 {
		return 0
	}
	if worth, _ := words.Ranked(c.Findings); len(worth) > 0 {
		return words.Rank(worth[0].Kind)
	}
	return len(words.Reading)
}

// contractParts returns the review of one contract.
func contractParts(c *finding.ContractReview) []part {
	parts := []part{{"", "\n### " + contractTitle(c.Path, c.Name, c.Title) + "\n" + paragraph(words.Joined(" ", changedHow(c), words.CachedNote(c.Cached)))}}
	parts = append(parts, diagnosticParts(words.Alike(words.HeadErrors(c)))...)
	worth, kept := words.Ranked(c.Findings)
	parts = append(parts, findingTable(worth, kept)...)
	how := drawn
	for _, f := range worth {
		if proof := findingParts(f, how); len(proof) > 0 {
			parts, how = append(parts, proof...), folded
		}
		if words.Retirable(f) {
			parts = append(parts, retirePart(f, words.ContractGone(c)))
		}
	}
	parts = append(parts, acceptanceParts(c.Unlinked())...)
	parts = append(parts, differenceParts(c)...)
	parts = append(parts, remarksPart(words.Alike(words.NewRemarks(c)))...)
	if c.Head == nil {
		return parts
	}
	return append(parts, acceptedParts(words.Listed(c.Head), cmp.Or(c.Base, &finding.Result{}))...)
}

// changedHow describes what the amendment did to a contract. Its sizes are left to the part on the difference, if there is one.
func changedHow(c *finding.ContractReview) string {
	if c.Status == finding.Changed && c.Difference != nil {
		return words.ComparedWith(c, words.Markdown)
	}
	return words.Happened(c, words.Markdown)
}

// paragraph returns s as a paragraph, or "" if it is empty.
func paragraph(s string) string {
	if s == "" {
		return ""
	}
	return "\n" + s + "\n"
}

// strong returns s in bold type, or "" if it is empty.
func strong(s string) string {
	if s == "" {
		return ""
	}
	return "**" + s + "**"
}

// findingTable returns the table of findings: the promise, the verdicts before and now, and the cause.
func findingTable(worth []finding.Finding, kept int) []part {
	if len(worth) == 0 {
		if kept == 0 {
			return nil
		}
		return []part{{"", "\n✓ " + words.Several(kept, "promise") + " kept.\n"}}
	}
	var b strings.Builder
	shown := worth[:min(len(worth), words.MostRows)]
	reasons := words.Mapped(shown, func(f finding.Finding) string { return words.Joined(" ", Besides(f), words.Blame(f.Blame, words.Cell)) })
	explained := slices.ContainsFunc(reasons, func(s string) bool { return s != "" })
	b.WriteString(map[bool]string{true: "\n| | promise | before | now | why |\n|---|---|---|---|---|\n", false: "\n| | promise | before | now |\n|---|---|---|---|\n"}[explained])
	for i, f := range shown {
		before, after := words.BeforeAfter(f)
		fmt.Fprintf(&b, "| %s %s | %s | %s | %s |", words.KindSign(f), words.KindWord(f), promiseNamed(f, words.Cell), plainly(before), plainly(after))
		if explained {
			b.WriteString(" " + reasons[i] + " |")
		}
		b.WriteString("\n")
	}
	b.WriteString(words.AndMore(len(worth)-words.MostRows, "row"))
	if kept > 0 {
		b.WriteString("\n✓ " + words.Several(kept, "other promise") + " kept.\n")
	}
	return []part{{table, b.String()}}
}

// promiseNamed returns the text of a promise and its name.
func promiseNamed(f finding.Finding, in words.Medium) string {
	if said := text.Subject(f, in); said != "" && said != in.Code(f.Name) {
		return said + " — " + in.Name(f.Name)
	}
	return in.Name(f.Name)
}

// plainly returns the plain word for a verdict.
func plainly(verdict string) string {
	return cmp.Or(map[string]string{finding.Holds.String(): "kept", finding.Violated.String(): "**broken**", "fails": "**fails**", finding.Unknown.String(): "not decided"}[verdict], verdict)
}

// Besides describes what the verdicts before and now do not show of a finding.
func Besides(f finding.Finding) string {
	asBefore := f.Base != nil && !f.Reworded && !f.Old
	switch {
	case words.WayMeaning(f, words.Cell) != "":
		return words.WayMeaning(f, words.Cell)
	case f.Kind == finding.New && asBefore && f.Base.Verdict == finding.Holds, f.Kind == finding.Standing && asBefore,
		f.Kind == finding.Repaired && asBefore && words.Hollows(f, words.Cell) == "", f.Check != nil && f.Kind != finding.Undecided:
		return ""
	case f.Kind == finding.Weakened:
		return "The amendment drops or rewords this promise, and the contract no longer keeps what it said before."
	}
	return words.Meaning(f, words.Cell)
}

// findingParts returns the evidence for a finding that is new or weakened.
func findingParts(f finding.Finding, how showing) []part {
	switch {
	case f.Kind != finding.New && f.Kind != finding.WaiverExpired && f.Kind != finding.Weakened, words.Waived(f):
		return nil
	case f.Check != nil:
		return diagnosticPart(f.Check, &f, how)
	case f.Head != nil:
		return proofParts(f.Head, &f, how)
	}
	return nil
}

// retirePart returns the block that gives a promise up.
func retirePart(f finding.Finding, contract string) part {
	return part{run, fold(strings.TrimSuffix(words.WhereRetired(contract), ":"), escape.FencedLines(words.RetireBlock(f, contract)...))}
}

// acceptanceParts returns the acceptances that no finding depends on.
func acceptanceParts(all []finding.Acceptance) []part {
	var parts []part
	for _, a := range all {
		sign := words.WaivedSign
		if a.Blocking() {
			sign = "✗"
		}
		parts = append(parts, part{"", "\n" + sign + " " + words.UnlinkedText(a, words.Markdown) + "\n"})
	}
	return parts
}

// mostRemarks is the maximum size in bytes of the remarks in a comment, which need no answer.
const mostRemarks = CommentLimit / 4

// remarksPart returns, in a fold, the warnings, which redline does not object to.
func remarksPart(all []finding.Diagnostic) []part {
	if len(all) == 0 {
		return nil
	}
	var b strings.Builder
	left := 0
	for _, d := range all {
		var one strings.Builder
		for _, p := range diagnosticPart(&d, &finding.Finding{}, folded) {
			one.WriteString(p.text)
		}
		if b.Len()+one.Len() > mostRemarks {
			left++
			continue
		}
		b.WriteString(one.String())
	}
	return []part{{diagnosis, "\n<details><summary>" + words.Several(len(all), "remark") + ", no objection</summary>\n" + b.String() + words.AndMore(left, "remark") + "\n</details>\n"}}
}

// sameParts lists the contracts whose meaning is the same.
func sameParts(r *finding.Review) []part {
	same := text.Unchanged(r)
	if len(same) == 0 {
		return nil
	}
	more := ""
	if len(same) > words.MostRows {
		more = fmt.Sprintf(" and %d more", len(same)-words.MostRows)
		same = same[:words.MostRows]
	}
	return []part{{"", "\nNo change of meaning: " + strings.Join(words.Mapped(same, escape.MarkdownCode), ", ") + more + ".\n"}}
}
