package report

import (
	"fmt"
	"strings"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/delta"
)

// differenceParts tells in a fold what an amendment changes, verdicts apart: the text, what can
// happen, a picture, for whom.
func differenceParts(c *engine.ContractReview) []part {
	d := c.Difference
	if d == nil {
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n<details><summary><b>What changes</b>: %s</summary>\n", inShort(&d.All))
	writeChanges(&b, d.Changes)
	writeBehaviour(&b, d)
	b.WriteString(paragraph(happened(c)))
	b.WriteString(differencePicture(d.Picture))
	writeViews(&b, d.Views)
	writeExposure(&b, d.Exposure)
	b.WriteString("\n</details>\n")
	return []part{{change, b.String()}}
}

// inShort says in words of our own what becomes of the behaviour.
func inShort(b *engine.Behaviour) string {
	if b.Relation == delta.Same && !b.Same() {
		return map[bool]string{false: "the same steps, but what is owed differs", true: "the same steps; not decided whether what is owed differs"}[b.Owed.Relation == delta.Unknown]
	}
	return map[delta.Relation]string{
		delta.Same:      "the contract behaves as before",
		delta.More:      "more is possible, and nothing less",
		delta.Less:      "less is possible, and nothing new",
		delta.Both:      "something is newly possible, and something no longer is",
		delta.Otherwise: "the same steps, but other choices",
		delta.Unknown:   "not decided whether the contract behaves as before",
	}[b.Relation]
}

func writeChanges(b *strings.Builder, all []delta.Change) {
	lines := changeLines(all, markdown)
	if len(lines) == 0 {
		return
	}
	b.WriteString("\n**In the text**\n\n")
	for _, l := range lines {
		fmt.Fprintf(b, "- %s\n", l.text)
	}
}

func writeBehaviour(b *strings.Builder, d *engine.Difference) {
	b.WriteString("\n**In what can happen**\n\n" + relation(&d.All, markdown) + "\n")
	writeSequences(b, "Now possible", d.All.Possible, refusedBefore)
	writeSequences(b, "No longer possible", d.All.Impossible, refusedNow)
	if hidden := hiddenSequences(&d.All); hidden > 0 {
		fmt.Fprintf(b, "\n%s like these not shown.\n", several(hidden, "other sequence"))
	}
	if c := d.All.Choice; c != nil {
		before, after := choice(c, markdown)
		b.WriteString("\n" + before + "\n\n")
		writeTitles(b, c.Run, 0)
		b.WriteString("\n" + after + "\n")
	}
	writeOwed(b, &d.All)
	for i, l := range stateLines(&d.States, markdown) {
		b.WriteString(map[bool]string{true: "\n"}[i == 0] + "- " + l + "\n")
	}
}

// writeOwed tells which norms stand otherwise after the same steps, each with a run.
func writeOwed(b *strings.Builder, all *engine.Behaviour) {
	b.WriteString(paragraph(owedLead(all, markdown)))
	for i := range shownNorms(all.Owed) {
		d := &all.Owed.Norms[i]
		fmt.Fprintf(b, "\n**%s**, %s: %s\n", normTitle(d, markdown), normWhen(d), sentence(joined("; ", wasAndIs(d, markdown), forWhom(d, markdown))))
		if len(d.Run) > 0 {
			b.WriteString("\n")
			writeTitles(b, d.Run, 0)
		}
	}
	b.WriteString(paragraph(moreNorms(all.Owed)))
}

func writeSequences(b *strings.Builder, lead string, all []engine.Sequence, refused func([]string, medium) string) {
	for i, s := range all[:min(len(all), mostSequences)] {
		shared := 0
		if i > 0 {
			shared = sharedSteps(all[i-1].Run, s.Run)
			lead = and(shared)
		}
		b.WriteString("\n" + lead + ":\n\n")
		writeTitles(b, s.Run, shared)
		b.WriteString("\n↑ " + refused(s.Instead, markdown) + "\n")
	}
}

// writeTitles is a run in titles alone, without so many steps at its beginning.
func writeTitles(b *strings.Builder, run []engine.Firing, without int) {
	all := steps(run)[without:]
	if len(all) == 0 {
		b.WriteString("(at the start)\n")
	}
	for _, step := range all[:min(len(all), mostSteps)] {
		fmt.Fprintf(b, "%d. %s\n", step[0].Step, happenings(step, markdown))
	}
	b.WriteString(andMore(len(all)-mostSteps, "step"))
}

func writeViews(b *strings.Builder, all []engine.View) {
	if len(all) == 0 {
		return
	}
	if unseen(all) {
		b.WriteString("\n**For whom**: " + nobody + ".\n")
		return
	}
	b.WriteString("\n**For whom**\n\n| party | what it can see of the change |\n|---|---|\n")
	for i := range all[:min(len(all), mostRows)] {
		fmt.Fprintf(b, "| %s | %s |\n", MarkdownText(viewer(&all[i])), seen(&all[i], cell))
	}
	b.WriteString(andMore(len(all)-mostRows, "party"))
}

func writeExposure(b *strings.Builder, all []engine.Exposure) {
	if len(all) == 0 {
		return
	}
	b.WriteString("\n**Who has performed and has not been performed for**\n")
	rows := 0
	for i := range all {
		e := &all[i]
		if sameExposure(e) || rows == mostRows {
			continue
		}
		if rows++; rows == 1 {
			b.WriteString("\n| party | exposed | before | after |\n|---|---|---|---|\n")
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", MarkdownText(exposedParty(e)), span(e, cell), countOf(e.Base), countOf(e.Head))
	}
	if same := sameExposures(all, markdown); same != "" {
		b.WriteString("\n" + same + "\n")
	}
}
