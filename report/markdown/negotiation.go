package markdown

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/words"
)

// Negotiation returns what two redlines win and lose as GitHub Markdown: the verdict in the heading, a table of promises for each contract,
// then what only both together break, with its run. It has at most CommentLimit bytes and names what it leaves out.
func Negotiation(n *finding.Negotiation) string {
	o := words.OutcomeOf(n)
	parts := []part{{"", fmt.Sprintf("## %s redline: %s\n\n%s\n\n%s\n", words.Sign(o.Verdict()), o, words.Redlines(n, words.Markdown), diag.Capital(words.WithFullStop(o.Rest())))}}
	var same []string
	for i := range n.Contracts {
		c := &n.Contracts[i]
		if words.Untouched(c) {
			same = append(same, cmp.Or(c.Name, c.Path))
			continue
		}
		parts = append(parts, negotiatedParts(c)...)
	}
	if len(same) > 0 {
		more := words.AndMore(len(same)-words.MostRows, "contract")
		parts = append(parts, part{"", "\nChanged by neither: " + strings.Join(words.Mapped(same[:min(len(same), words.MostRows)], escape.MarkdownCode), ", ") + ".\n" + more})
	}
	return fit(parts, CommentLimit, "`redline compare` shows it whole.")
}

// negotiatedParts returns the results for one contract.
func negotiatedParts(c *finding.ContractNegotiation) []part {
	parts := []part{{"", "\n### " + contractTitle(c.Path, c.Name, c.Title, words.Markdown) + "\n\n" + words.Doings(c) + "\n"}}
	parts = append(parts, conflictParts(c)...)
	parts = append(parts, answerTable(c)...)
	for _, e := range words.NegotiationErrors(c) {
		parts = append(parts, part{"", "\n" + e.Lead + "\n"})
		parts = append(parts, diagnosticParts(e.Errors)...)
	}
	for i := range c.Broken {
		parts = append(parts, jointParts(c, &c.Broken[i])...)
	}
	parts = append(parts, part{"", sideText("A", words.EffectsOf(c, c.A, words.OfA)) + sideText("B", words.EffectsOf(c, c.B, words.OfB))})
	return append(parts, behaviourParts(c)...)
}

// conflictParts returns the changes that exclude each other.
func conflictParts(c *finding.ContractNegotiation) []part {
	var parts []part
	if why := words.Unmerged(c, words.Markdown); why != "" {
		parts = append(parts, part{"", "\n**" + words.Sign(finding.IllFormed) + "** " + why + "\n"})
	}
	for i := range c.Conflicts[:min(len(c.Conflicts), words.MostRows)] {
		k := &c.Conflicts[i]
		var b strings.Builder
		b.WriteString("\n")
		if k.Prose {
			b.WriteString("Both reword this, which changes no meaning; both together keep the words of the base.\n\n")
		}
		if k.Was != "" {
			b.WriteString("- base: " + escape.MarkdownCode(words.OneLineOf(k.Was)) + "\n")
		}
		b.WriteString("- A: " + words.Clash(&k.A, k.SaysA, words.Markdown) + "\n- B: " + words.Clash(&k.B, k.SaysB, words.Markdown) + "\n")
		parts = append(parts, part{"", b.String()})
	}
	if more := words.AndMore(len(c.Conflicts)-words.MostRows, "conflict"); more != "" {
		parts = append(parts, part{"", more})
	}
	return parts
}

// answerTable returns the table of promises with the verdict of each draft.
func answerTable(c *finding.ContractNegotiation) []part {
	all := words.Rows(c)
	if len(all) == 0 {
		return nil
	}
	var b strings.Builder
	b.WriteString("\n| promise | base | A | B | both |\n|---|---|---|---|---|\n")
	for _, row := range all[:min(len(all), words.MostRows)] {
		said := words.Cells(c, row)
		fmt.Fprintf(&b, "| %s %s | %s |\n", escape.MarkdownCell(row.Name), words.PromiseText(row, words.Cell), strings.Join(said[:], " | "))
	}
	b.WriteString(words.AndMore(len(all)-words.MostRows, "row"))
	if note := words.InBrackets(c.Promises); note != "" {
		b.WriteString("\n" + note + "\n")
	}
	return []part{{table, b.String()}}
}

// jointParts returns one violation that only both redlines together cause.
func jointParts(c *finding.ContractNegotiation, j *finding.Joint) []part {
	row := &c.Promises[j.Promise]
	var b strings.Builder
	fmt.Fprintf(&b, "\n#### ✗ Only both together: %s\n\n%s\n\n%s\n\n", escape.MarkdownCode(row.Name), words.WithFullStop(words.PromiseText(row, words.Markdown)), words.Jointly(j))
	for _, side := range []struct {
		name  string
		guilt *finding.Blame
	}{{"A", j.BlameA}, {"B", j.BlameB}} {
		if said := words.PartOf(side.name, side.guilt, words.Markdown); said != "" {
			fmt.Fprintf(&b, "- by %s: %s\n", side.name, said)
		}
	}
	parts := []part{{"", b.String()}}
	if t := words.TraceOf(j.Finding); t != nil {
		parts = append(parts, part{run, runText(t, &finding.Finding{})})
	}
	for _, l := range words.RefusedAlone(j, words.Markdown) {
		parts = append(parts, part{run, "\n" + l + "\n"})
	}
	return parts
}

// sideText returns the effects of one redline.
func sideText(name string, all []words.DoneTo) string {
	if len(all) == 0 {
		return "\n" + name + " alone neither wins nor loses a promise.\n"
	}
	var b strings.Builder
	b.WriteString("\n**What " + name + " alone does**\n\n")
	for _, d := range all[:min(len(all), words.MostRows)] {
		fmt.Fprintf(&b, "- %s %s\n", words.EffectSign(d.Effect), words.Joined(" ", words.EffectWord(d.Effect, d.P), escape.MarkdownCode(d.P.Name)+":", words.WithFullStop(words.PromiseText(d.P, words.Markdown)), words.Blame(d.Blame, words.Markdown)))
	}
	return b.String() + words.AndMore(len(all)-words.MostRows, "promise")
}

// behaviourParts returns, in a fold, what can happen with each redline, and with both.
func behaviourParts(c *finding.ContractNegotiation) []part {
	lines := words.Behaviours(c, words.Markdown)
	if len(lines) == 0 {
		return nil
	}
	var b strings.Builder
	b.WriteString("\n<details><summary><b>What can happen</b></summary>\n\n")
	for _, l := range lines {
		b.WriteString("- " + l + "\n")
	}
	leads, of := words.SequenceLeads(c.Runs)
	for _, lead := range leads {
		shown := of[lead]
		for i := range shown[:min(len(shown), words.MaxSequences)] {
			b.WriteString("\n" + map[bool]string{true: lead, false: "and:"}[i == 0] + "\n\n")
			writeTitles(&b, shown[i].Run, 0)
		}
		if more := len(shown) - words.MaxSequences; more > 0 {
			fmt.Fprintf(&b, "\nand %s like these.\n", words.Several(more, "other sequence"))
		}
	}
	b.WriteString("\n</details>\n")
	return []part{{change, b.String()}}
}
