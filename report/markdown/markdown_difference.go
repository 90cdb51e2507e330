package markdown

import (
	"fmt"
	"strings"

	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/text"
	"github.com/redlinehq/redline/report/words"
)

// differenceParts returns, in a fold, what an amendment changes besides verdicts: the text, what can happen, a picture, and for whom.
func differenceParts(c *finding.ContractReview) []part {
	d := c.Difference
	if d == nil {
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n<details><summary><b>What changes</b>: %s</summary>\n", words.DifferenceInShort(d))
	writeChanges(&b, d.Changes)
	writeBehaviour(&b, d)
	b.WriteString(paragraph(words.Happened(c, words.Markdown)))
	b.WriteString(DifferencePicture(d.Picture))
	writeViews(&b, d.Views)
	writeExposure(&b, d.Exposure)
	b.WriteString("\n</details>\n")
	return []part{{change, b.String()}}
}

// writeChanges writes the changes of the text.
func writeChanges(b *strings.Builder, all []diff.Change) {
	lines := words.ChangeLines(all, words.Markdown)
	if len(lines) == 0 {
		return
	}
	b.WriteString("\n**In the text**\n\n")
	for _, l := range lines {
		fmt.Fprintf(b, "- %s\n", l.Text)
	}
}

// writeBehaviour writes what has become possible and what no longer is, each with a run.
func writeBehaviour(b *strings.Builder, d *finding.Difference) {
	b.WriteString("\n**In what can happen**\n\n" + words.Relation(d, words.Markdown) + "\n")
	writeSequences(b, "Now possible", d.All.Possible, words.RefusedBefore)
	writeSequences(b, "No longer possible", d.All.Impossible, words.RefusedNow)
	if hidden := text.HiddenSequences(&d.All); hidden > 0 {
		fmt.Fprintf(b, "\n%s like these not shown.\n", words.Several(hidden, "other sequence"))
	}
	if c := d.All.Choice; c != nil {
		before, after := words.Choice(c, words.Markdown)
		b.WriteString("\n" + before + "\n\n")
		writeTitles(b, c.Run, 0)
		b.WriteString("\n" + after + "\n")
	}
	writeOwed(b, &d.All)
	for i, l := range words.StateLines(&d.States, words.Markdown) {
		b.WriteString(map[bool]string{true: "\n"}[i == 0] + "- " + l + "\n")
	}
}

// writeOwed writes which norms differ after the same steps, each with a run.
func writeOwed(b *strings.Builder, all *finding.Behaviour) {
	b.WriteString(paragraph(words.OwedLead(all, words.Markdown)))
	for i := range words.ShownNorms(all.Owed) {
		d := &all.Owed.Norms[i]
		fmt.Fprintf(b, "\n**%s**, %s: %s\n", words.NormTitle(d, words.Markdown), words.NormWhen(d), words.Joined(" ", words.WithFullStop(words.Joined("; ", words.WasAndIs(d, words.Markdown), words.ForWhom(d, words.Markdown))), words.Beyond(d, words.Markdown)))
		if len(d.Run) > 0 {
			b.WriteString("\n")
			writeTitles(b, d.Run, 0)
		}
	}
	b.WriteString(paragraph(words.MoreNorms(all.Owed)))
}

// writeSequences writes the first sequences of one kind, and the step that the other version refuses.
func writeSequences(b *strings.Builder, lead string, all []finding.Sequence, refused func([]string, words.Medium) string) {
	for i, s := range all[:min(len(all), words.MostSequences)] {
		shared := 0
		if i > 0 {
			shared = words.SharedSteps(all[i-1].Run, s.Run)
			lead = text.And(shared)
		}
		b.WriteString("\n" + lead + ":\n\n")
		writeTitles(b, s.Run, shared, words.LastStep(s.Run))
		b.WriteString("\n↑ " + refused(s.Instead, words.Markdown) + "\n")
	}
}

// writeTitles writes a run with the titles of its steps alone. It leaves out the first steps, and folds ticks other than those of some steps.
func writeTitles(b *strings.Builder, run []finding.Firing, without int, alone ...int) {
	all := words.FoldedTitles(words.Steps(run)[without:], alone...)
	if len(all) == 0 {
		b.WriteString("(at the start)\n")
	}
	n := without
	for _, step := range all[:min(len(all), mostSteps)] {
		fmt.Fprintf(b, "%s%d. %s\n", numbered(&n, step[0].Step), step[0].Step, words.Happenings(step, words.Markdown))
	}
	b.WriteString(words.AndMore(len(all)-mostSteps, "step"))
}

// writeViews writes what each party can see of the difference.
func writeViews(b *strings.Builder, all []finding.View) {
	if len(all) == 0 {
		return
	}
	if words.Unseen(all) {
		b.WriteString("\n**For whom**: " + words.NoPartySees + ".\n")
		return
	}
	b.WriteString("\n**For whom**\n\n| party | what it can see of the change |\n|---|---|\n")
	for i := range all[:min(len(all), words.MostRows)] {
		fmt.Fprintf(b, "| %s | %s |\n", escape.MarkdownText(words.Viewer(&all[i])), words.Seen(&all[i], words.Cell))
	}
	b.WriteString(words.AndMore(len(all)-words.MostRows, "party"))
}

// writeExposure writes when parties have performed but have not been performed for.
func writeExposure(b *strings.Builder, all []finding.Exposure) {
	if len(all) == 0 {
		return
	}
	b.WriteString("\n**Who has performed and has not been performed for**\n")
	rows := 0
	for i := range all {
		e := &all[i]
		if words.SameExposure(e) || rows == words.MostRows {
			continue
		}
		if rows++; rows == 1 {
			b.WriteString("\n| party | exposed | before | after |\n|---|---|---|---|\n")
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", escape.MarkdownText(words.ExposedParty(e)), words.Span(e, words.Cell), words.CountOf(e.Base), words.CountOf(e.Head))
	}
	if same := words.SameExposures(all, words.Markdown); same != "" {
		b.WriteString("\n" + same + "\n")
	}
}
