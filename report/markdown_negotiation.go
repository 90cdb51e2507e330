package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/redlinehq/redline/engine"
)

// MarkdownNegotiation tells what two redlines win and lose as GitHub Markdown: the verdict in the heading, for
// each contract a table of promises, then what only both together break, with its run. It has at most
// CommentLimit bytes and says what it leaves out.
func MarkdownNegotiation(n *engine.Negotiation) string {
	o := outcomeOf(n)
	parts := []part{{"", fmt.Sprintf("## %s redline: %s\n\n%s\n\n%s\n", sign(o.verdict()), o, redlines(n, markdown), capital(sentence(o.rest())))}}
	var same []string
	for i := range n.Contracts {
		c := &n.Contracts[i]
		if untouched(c) {
			same = append(same, cmp.Or(c.Name, c.Path))
			continue
		}
		parts = append(parts, negotiatedParts(c)...)
	}
	if len(same) > 0 {
		more := andMore(len(same)-mostRows, "contract")
		parts = append(parts, part{"", "\nChanged by neither: " + strings.Join(mapped(same[:min(len(same), mostRows)], MarkdownCode), ", ") + ".\n" + more})
	}
	return fit(parts, CommentLimit, "`redline compare` shows it whole.")
}

func negotiatedParts(c *engine.ContractNegotiation) []part {
	parts := []part{{"", "\n### " + contractTitle(strings.TrimPrefix(c.Path, "."), c.Name, c.Title) + "\n\n" + doings(c) + "\n"}}
	parts = append(parts, conflictParts(c)...)
	parts = append(parts, answerTable(c)...)
	for _, e := range negotiationErrors(c) {
		parts = append(parts, part{"", "\n" + e.lead + "\n"})
		parts = append(parts, diagnosticParts(e.errors)...)
	}
	for i := range c.Broken {
		parts = append(parts, jointParts(c, &c.Broken[i])...)
	}
	parts = append(parts, part{"", sideText("A", effectsOf(c, c.A, ofA)) + sideText("B", effectsOf(c, c.B, ofB))})
	return append(parts, courseParts(c)...)
}

func conflictParts(c *engine.ContractNegotiation) []part {
	var parts []part
	if why := unmerged(c, markdown); why != "" {
		parts = append(parts, part{"", "\n**" + sign(engine.IllFormed) + "** " + why + "\n"})
	}
	for i := range c.Conflicts[:min(len(c.Conflicts), mostRows)] {
		k := &c.Conflicts[i]
		var b strings.Builder
		b.WriteString("\n")
		if k.Prose {
			b.WriteString("Both reword this, which changes no meaning; both together keep the words of the base.\n\n")
		}
		if k.Was != "" {
			b.WriteString("- base: " + MarkdownCode(oneLineOf(k.Was)) + "\n")
		}
		b.WriteString("- A: " + clash(&k.A, k.SaysA, markdown) + "\n- B: " + clash(&k.B, k.SaysB, markdown) + "\n")
		parts = append(parts, part{"", b.String()})
	}
	if more := andMore(len(c.Conflicts)-mostRows, "conflict"); more != "" {
		parts = append(parts, part{"", more})
	}
	return parts
}

func answerTable(c *engine.ContractNegotiation) []part {
	all := rows(c)
	if len(all) == 0 {
		return nil
	}
	var b strings.Builder
	b.WriteString("\n| promise | base | A | B | both |\n|---|---|---|---|---|\n")
	for _, row := range all[:min(len(all), mostRows)] {
		said := cells(c, row)
		fmt.Fprintf(&b, "| %s %s | %s |\n", markdownCell(row.Name), promiseText(row, cell), strings.Join(said[:], " | "))
	}
	b.WriteString(andMore(len(all)-mostRows, "row"))
	if note := inBrackets(c.Promises); note != "" {
		b.WriteString("\n" + note + "\n")
	}
	return []part{{table, b.String()}}
}

// jointParts tells what only both together break.
func jointParts(c *engine.ContractNegotiation, j *engine.Joint) []part {
	row := &c.Promises[j.Promise]
	var b strings.Builder
	fmt.Fprintf(&b, "\n#### ✗ Only both together: %s\n\n%s\n\n%s\n\n", MarkdownCode(row.Name), sentence(promiseText(row, markdown)), jointly(j))
	for _, side := range []struct {
		name  string
		guilt *engine.Guilt
	}{{"A", j.GuiltA}, {"B", j.GuiltB}} {
		if said := partOf(side.name, side.guilt, markdown); said != "" {
			fmt.Fprintf(&b, "- by %s: %s\n", side.name, said)
		}
	}
	parts := []part{{"", b.String()}}
	if t := traceOf(j.Finding); t != nil {
		parts = append(parts, traceParts(showsIt, t, nil, drawn)...)
	}
	for _, l := range refusedAlone(j, markdown) {
		parts = append(parts, part{run, "\n" + l + "\n"})
	}
	return parts
}

func sideText(name string, all []doneTo) string {
	if len(all) == 0 {
		return "\n" + name + " alone neither wins nor loses a promise.\n"
	}
	var b strings.Builder
	b.WriteString("\n**What " + name + " alone does**\n\n")
	for _, d := range all[:min(len(all), mostRows)] {
		fmt.Fprintf(&b, "- %s %s\n", effectSign(d.effect), joined(" ", effectWord(d.effect, d.p), MarkdownCode(d.p.Name)+":", sentence(promiseText(d.p, markdown)), guilt(d.guilt, markdown)))
	}
	return b.String() + andMore(len(all)-mostRows, "promise")
}

// courseParts tells in a fold what can happen with either, and with both.
func courseParts(c *engine.ContractNegotiation) []part {
	lines := behaviours(c, markdown)
	if len(lines) == 0 {
		return nil
	}
	var b strings.Builder
	b.WriteString("\n<details><summary><b>What can happen</b></summary>\n\n")
	for _, l := range lines {
		b.WriteString("- " + l + "\n")
	}
	leads, of := courseLeads(c.Courses)
	for _, lead := range leads {
		shown := of[lead]
		for i := range shown[:min(len(shown), mostCourses)] {
			b.WriteString("\n" + map[bool]string{true: lead, false: "and:"}[i == 0] + "\n\n")
			writeTitles(&b, shown[i].Run, 0)
		}
		if more := len(shown) - mostCourses; more > 0 {
			fmt.Fprintf(&b, "\nand %s like these.\n", several(more, "other sequence"))
		}
	}
	b.WriteString("\n</details>\n")
	return []part{{change, b.String()}}
}
