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
// heading, a table of several contracts, and for each contract a table of promises, the run of each broken one in a fold, the suggested
// fixes, and what else changes. Contracts that need an answer come first. It has at most CommentLimit bytes and names what it leaves out.
func Review(r *finding.Review) string {
	return ReviewWithin(r, CommentLimit, "`redline review` shows it whole, `redline report` as a page.")
}

// ReviewWithin is Review in at most limit bytes. Whole is a sentence, free of foreign text, on where the whole text can be seen.
func ReviewWithin(r *finding.Review, limit int, whole string) string {
	b := words.Balanced(r)
	parts := []part{{"", fmt.Sprintf("## %s redline: %s\n\n%s\n", words.Sign(b.Verdict()), words.VerdictLine(b), diag.Capital(words.WithFullStop(words.Counts(b))))}}
	parts = append(parts, acceptanceParts(r.Unplaced)...)
	all := slices.DeleteFunc(slices.Clone(r.Contracts), func(c finding.ContractReview) bool { return !text.Noteworthy(&c) })
	slices.SortStableFunc(all, func(a, b finding.ContractReview) int { return cmp.Compare(urgency(&a), urgency(&b)) })
	parts = append(parts, contractTable(all)...)
	open := brokenOf(all) <= mostOpen
	rendered := map[*finding.ContractReview][]part{}
	for i, g := range words.Groups(all, func(c *finding.ContractReview) string {
		rendered[c] = contractParts(c, false)
		return textOf(rendered[c])
	}) {
		title := g.Title
		if len(all) > 1 { // the table has it
			title = ""
		}
		parts = append(parts, part{"", "\n### " + contractTitle(g.Path, g.Name, title, words.Markdown) + "\n" + paragraph(g.Also(words.Markdown))})
		if open && i == 0 {
			rendered[g.ContractReview] = contractParts(g.ContractReview, true)
		}
		parts = append(parts, rendered[g.ContractReview]...)
	}
	parts = append(parts, sameParts(r)...)
	return fit(parts, limit, whole)
}

// mostOpen is the number of broken promises up to which the run of the first is visible at once.
const mostOpen = 3

// brokenOf counts the findings that have evidence.
func brokenOf(all []finding.ContractReview) int {
	n := 0
	for _, c := range all {
		for i := range c.Findings {
			n += map[bool]int{true: 1}[explained(&c.Findings[i])]
		}
	}
	return n
}

// explained reports whether a finding is shown with its evidence.
func explained(f *finding.Finding) bool { return words.Explained(*f) }

// Finding returns one finding as GitHub Markdown, for a comment at its line. It has at most limit bytes. Whole is a sentence, free of
// foreign text, on where the whole text can be seen.
func Finding(f finding.Finding, limit int, whole string) string {
	remarks := ""
	if f.Check == nil && f.Head != nil {
		remarks = strings.Join(words.Remarks(words.Evident(&f), words.Markdown), " ")
	}
	parts := []part{{"", fmt.Sprintf("%s **%s**: %s\n", words.KindSign(f), words.KindWord(f), promiseNamed(f, words.Markdown))},
		{"", paragraph(words.Joined(" ", Besides(f), remarks, words.Rested(&f, words.Markdown), words.BroughtAbout(&f, words.Markdown)))}}
	if t := traceOf(&f); t != nil {
		parts = append(parts, part{run, runText(t, &f)})
	}
	parts = append(parts, repairParts([]finding.Finding{f})...)
	if words.Retirable(f) && f.Head != nil {
		parts = append(parts, acceptParts(&f, "", false)...)
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

// contractTable returns a table of several contracts with the number of promises of each kind, or nil for one contract.
func contractTable(all []finding.ContractReview) []part {
	if len(all) < 2 {
		return nil
	}
	var b strings.Builder
	b.WriteString("\n| contract | promises |\n|---|---|\n")
	for i := range all[:min(len(all), words.MostRows)] {
		c := &all[i]
		fmt.Fprintf(&b, "| %s | %s %s |\n", contractTitle(c.Path, c.Name, c.Title, words.Cell), words.Sign(words.Balanced(&finding.Review{Contracts: all[i : i+1]}).Verdict()), promisesOf(c))
	}
	return []part{{table, b.String() + words.AndMore(len(all)-words.MostRows, "contract")}}
}

// promisesOf counts the findings on a contract by their words.
func promisesOf(c *finding.ContractReview) string {
	worth, kept := words.Ranked(c.Findings)
	said := []string{map[finding.Status]string{finding.Added: "new contract", finding.Removed: "contract removed"}[c.Status]}
	if n := len(words.Alike(words.HeadErrors(c))); n > 0 {
		said = append(said, strong(words.Several(n, "error")))
	}
	for i := 0; i < len(worth); {
		now, n := emphasized(worth[i], words.KindWord(worth[i])), 0
		for ; i < len(worth) && emphasized(worth[i], words.KindWord(worth[i])) == now; i++ {
			n++
		}
		word := fmt.Sprintf("%d %s", n, words.KindWord(worth[i-1]))
		if words.KindWord(worth[i-1]) == "fails" {
			word = words.Several(n, "failed check")
		}
		said = append(said, emphasized(worth[i-1], word))
	}
	if kept > 0 {
		said = append(said, fmt.Sprintf("%d kept", kept))
	}
	return cmp.Or(words.Joined(", ", said...), "none")
}

// textOf returns parts as one text.
func textOf(parts []part) string {
	return strings.Join(words.Mapped(parts, func(p part) string { return p.text }), "")
}

// contractParts returns the review of one contract, below its title. With open, the run of its first broken promise is visible at once.
func contractParts(c *finding.ContractReview, open bool) []part {
	parts := []part{{"", paragraph(words.Joined(" ", changedHow(c), words.CachedNote(c.Cached)))}}
	parts = append(parts, diagnosticParts(words.Alike(words.HeadErrors(c)))...)
	worth, _ := words.Ranked(c.Findings)
	parts = append(parts, findingParts(worth, c, open)...)
	parts = append(parts, acceptanceParts(c.Unlinked())...)
	parts = append(parts, differenceParts(c)...)
	parts = append(parts, remarksPart(words.Alike(words.OtherRemarks(c)))...)
	if c.Head == nil {
		return parts
	}
	return append(parts, acceptedParts(words.ListedNow(c), words.Before(c))...)
}

// changedHow describes what the amendment did to a contract. Its sizes are left to the part on the difference, if there is one.
func changedHow(c *finding.ContractReview) string {
	if c.Status == finding.Changed && c.Difference != nil {
		return words.Joined(" ", words.ComparedWith(c, words.Markdown), words.NotLookedForNow(c))
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
		one := diagnosticPart(&d).text
		if b.Len()+len(one) > mostRemarks {
			left++
			continue
		}
		b.WriteString(one)
	}
	return []part{{diagnosis, fold(words.Several(len(all), "remark")+", no objection", strings.TrimPrefix(b.String(), "\n")+words.AndMore(left, "remark"))}}
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
