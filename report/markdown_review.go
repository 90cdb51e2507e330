package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine"
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
	parts := []part{{"", fmt.Sprintf("## %s redline: %s\n\n%s\n", sign(b.verdict()), b, joined(" ", strong(lead(b)), capital(sentence(b.rest()))))}}
	all := slices.Clone(r.Contracts)
	slices.SortStableFunc(all, func(a, b engine.ContractReview) int { return cmp.Compare(urgency(&a), urgency(&b)) })
	for i := range all {
		if worthTelling(&all[i]) {
			parts = append(parts, contractParts(&all[i])...)
		}
	}
	parts = append(parts, sameParts(r)...)
	parts = append(parts, acceptanceParts(r.Unplaced)...)
	return fit(parts, limit, whole)
}

// MarkdownFinding tells one finding by itself, for a comment at the line it is about. It has at most
// limit bytes, and a text of our own says where it is whole.
func MarkdownFinding(f engine.Finding, limit int, whole string) string {
	parts := []part{{"", fmt.Sprintf("%s **%s**: %s\n", kindSign(f), kindWord(f), promiseNamed(f, markdown))}}
	parts = append(parts, part{"", "\n" + joined(" ", meaning(f, markdown), broughtAbout(&f, markdown)) + "\n"})
	parts = append(parts, repairParts(f.Repairs)...)
	if retirable(f) && f.Head != nil {
		parts = append(parts, retirePart(f, ""))
	}
	switch {
	case f.Check != nil && f.Check.Trace != nil:
		parts = append(parts, traceParts(runLead(f.Check)+stepByStep, f.Check.Trace, f.Refusal, drawn)...)
	case f.Head != nil && f.Head.Trace != nil && f.Head.Verdict == engine.Violated:
		parts = append(parts, traceParts(showsIt, f.Head.Trace, f.Refusal, drawn)...)
	}
	return fit(parts, limit, whole)
}

// urgency is the rank of a contract's most important finding; errors come before all.
func urgency(c *engine.ContractReview) int {
	if len(headErrors(c)) > 0 {
		return -1
	}
	if len(slices.DeleteFunc(c.Unlinked(), func(a engine.Acceptance) bool { return !a.Open() })) > 0 {
		return 0
	}
	if worth, _ := ranked(c.Findings); len(worth) > 0 {
		return rank(worth[0].Kind)
	}
	return len(reading)
}

func contractParts(c *engine.ContractReview) []part {
	parts := []part{{"", "\n### " + contractTitle(c.Path, c.Name, c.Title) + "\n" + paragraph(joined(" ", changedHow(c), cachedNote(c.Cached)))}}
	parts = append(parts, diagnosticParts(headErrors(c))...)
	worth, kept := ranked(c.Findings)
	parts = append(parts, findingTable(worth, kept)...)
	how := drawn
	for _, f := range worth {
		if proof := findingParts(f, how); len(proof) > 0 {
			parts, how = append(parts, proof...), folded
		}
		if retirable(f) {
			parts = append(parts, retirePart(f, contractGone(c)))
		}
	}
	parts = append(parts, acceptanceParts(c.Unlinked())...)
	parts = append(parts, differenceParts(c)...)
	parts = append(parts, remarksPart(NewRemarks(c))...)
	if c.Head == nil {
		return parts
	}
	return append(parts, acceptedParts(Listed(c.Head), cmp.Or(c.Base, &engine.Result{}))...)
}

// changedHow says what the amendment did to a contract. How large it was and is stands with the difference, where there is one.
func changedHow(c *engine.ContractReview) string {
	if c.Status == engine.Changed && c.Difference != nil {
		return comparedWith(c)
	}
	return happened(c)
}

func paragraph(s string) string {
	if s == "" {
		return ""
	}
	return "\n" + s + "\n"
}

func strong(s string) string {
	if s == "" {
		return ""
	}
	return "**" + s + "**"
}

// findingTable says each promise in its drafter's words, what became of it, and through what.
func findingTable(worth []engine.Finding, kept int) []part {
	if len(worth) == 0 {
		if kept == 0 {
			return nil
		}
		return []part{{"", "\n✓ " + several(kept, "promise") + " kept.\n"}}
	}
	var b strings.Builder
	shown := worth[:min(len(worth), mostRows)]
	reasons := mapped(shown, func(f engine.Finding) string { return joined(" ", besides(f), guilt(f.Guilt, cell)) })
	explained := slices.ContainsFunc(reasons, func(s string) bool { return s != "" })
	b.WriteString(map[bool]string{true: "\n| | promise | before | now | why |\n|---|---|---|---|---|\n", false: "\n| | promise | before | now |\n|---|---|---|---|\n"}[explained])
	for i, f := range shown {
		before, after := beforeAfter(f)
		fmt.Fprintf(&b, "| %s %s | %s | %s | %s |", kindSign(f), kindWord(f), promiseNamed(f, cell), plainly(before), plainly(after))
		if explained {
			b.WriteString(" " + reasons[i] + " |")
		}
		b.WriteString("\n")
	}
	b.WriteString(andMore(len(worth)-mostRows, "row"))
	if kept > 0 {
		b.WriteString("\n✓ " + several(kept, "other promise") + " kept.\n")
	}
	return []part{{table, b.String()}}
}

// promiseNamed is what is promised, and its name.
func promiseNamed(f engine.Finding, in medium) string {
	if said := subject(f, in); said != "" && said != in.code(f.Name) {
		return said + " — " + in.name(f.Name)
	}
	return in.name(f.Name)
}

// plainly is a verdict in words that need no logic.
func plainly(verdict string) string {
	return cmp.Or(map[string]string{engine.Holds.String(): "kept", engine.Violated.String(): "**broken**", "fails": "**fails**", engine.Unknown.String(): "not decided"}[verdict], verdict)
}

// besides is what the verdicts before and now don't say of a finding.
func besides(f engine.Finding) string {
	asBefore := f.Base != nil && !f.Reworded() && !f.Old
	switch {
	case wayMeaning(f, cell) != "":
		return wayMeaning(f, cell)
	case f.Kind == engine.New && asBefore && f.Base.Verdict == engine.Holds, f.Kind == engine.Standing && asBefore,
		f.Kind == engine.Repaired && asBefore && hollows(f, cell) == "", f.Check != nil && f.Kind != engine.Undecided:
		return ""
	case f.Kind == engine.Weakened:
		return "The amendment drops or rewords this promise, and the contract no longer keeps what it said before."
	}
	return meaning(f, cell)
}

// findingParts shows the proof of what is new or weakened.
func findingParts(f engine.Finding, how showing) []part {
	switch {
	case f.Kind != engine.New && f.Kind != engine.WaiverExpired && f.Kind != engine.Weakened, waived(f):
		return nil
	case f.Check != nil:
		return diagnosticPart(f.Check, &f, how)
	case f.Head != nil:
		return proofParts(f.Head, &f, how)
	}
	return nil
}

// retirePart shows what to commit to have a promise given up.
func retirePart(f engine.Finding, contract string) part {
	return part{run, fold(strings.TrimSuffix(whereRetired(contract), ":"), fenced(retireBlock(f, contract)...))}
}

// acceptanceParts tell of acceptances that are of no finding.
func acceptanceParts(all []engine.Acceptance) []part {
	var parts []part
	for _, a := range all {
		sign := waivedSign
		if a.Open() {
			sign = "✗"
		}
		parts = append(parts, part{"", "\n" + sign + " " + unlinkedText(a, markdown) + "\n"})
	}
	return parts
}

// mostRemarks is how many bytes of a comment remarks take that nobody has to answer.
const mostRemarks = CommentLimit / 4

// remarksPart tells in a fold what redline remarks on, and does not object to.
func remarksPart(all []engine.Diagnostic) []part {
	if len(all) == 0 {
		return nil
	}
	var b strings.Builder
	left := 0
	for _, d := range all {
		var one strings.Builder
		for _, p := range diagnosticPart(&d, &engine.Finding{}, folded) {
			one.WriteString(p.text)
		}
		if b.Len()+one.Len() > mostRemarks {
			left++
			continue
		}
		b.WriteString(one.String())
	}
	return []part{{diagnosis, "\n<details><summary>" + several(len(all), "remark") + ", no objection</summary>\n" + b.String() + andMore(left, "remark") + "\n</details>\n"}}
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
