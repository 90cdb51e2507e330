package markdown

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/text"
	"github.com/redlinehq/redline/report/words"
)

// differenceParts returns what an amendment changes besides what breaks promises: the text in a sentence, and in a fold what can happen, a
// picture, and for whom.
func differenceParts(c *finding.ContractReview) []part {
	d := c.Difference
	if d == nil {
		return nil
	}
	lines, lead := changeLines(c)
	var b strings.Builder
	if len(lines) > mostInSentence {
		b.WriteString("\n**In the text, too**\n\n")
		for _, l := range lines[mostInSentence:] {
			b.WriteString("- " + l + "\n")
		}
		lines = append(lines[:mostInSentence:mostInSentence], "and more, below")
	}
	sentence := ""
	if len(lines) > 0 {
		sentence = paragraph("**" + lead + "**: " + words.WithFullStop(strings.Join(lines, "; ")))
	}
	sentence += paragraph(words.NotCompared(c.Defaults, words.Markdown))
	writeBehaviour(&b, d, c.Findings)
	b.WriteString(paragraph(words.Became(c, words.Markdown)))
	b.WriteString(DifferencePicture(d.Picture))
	writeViews(&b, d)
	writeExposed(&b, d)
	return []part{{"", sentence}, {table, gains(d, c.Findings)}, {change, fold("<b>What can happen</b>: "+strings.TrimSuffix(words.Relation(d, summary), ":"), strings.TrimPrefix(b.String(), "\n"))}}
}

// gains returns a table of the norms whose states differ after the same steps, and of the events that others bring about, with the parties for which that is better or worse, without
// those that a finding shows, and of the parties whose exposure changed. It returns "" if there are none.
func gains(d *finding.Difference, findings []finding.Finding) string {
	var b strings.Builder
	shown := words.ShownNorms(d.All.Owed)
	for i := range shown {
		d := &shown[i].NormDifference
		if words.ShownAbove(d, findings) {
			continue
		}
		fmt.Fprintf(&b, "| %s, %s: %s | %s | %s |\n", shown[i].Title(words.Cell), shown[i].When(false), words.WasAndIs(d, words.Cell), partiesCell(d.Better, d.Calls), partiesCell(d.Worse, d.Calls))
	}
	of := "change of what is owed"
	for _, a := range words.ShownActs(d) {
		of = "change"
		fmt.Fprintf(&b, "| %s: %s | %s | %s |\n", words.ActTitle(&a, words.Cell), words.ActWasAndIs(&a, words.Cell), partiesCell(a.Better, a.Calls), partiesCell(a.Worse, a.Calls))
	}
	writeExposure(&b, d)
	more := paragraph(words.MoreNorms(d.All.Owed))
	if b.Len() == 0 {
		return more
	}
	return "\n| " + of + " | better for | worse for |\n|---|---|---|\n" + b.String() + more
}

// partiesCell lists parties in a cell of a table.
func partiesCell(all []string, calls finding.Calls) string {
	return cmp.Or(strings.Join(words.Mapped(all, func(p string) string { return words.Cell.Prose(cmp.Or(calls.Of(p), p)) }), ", "), "—")
}

// summary is the medium of the line of a fold that is visible.
var summary = words.Medium{Prose: escape.HTMLText, Code: escape.HTMLCode, Name: escape.HTMLCode}

// mostInSentence is the number of changes of the text that are listed above the fold.
const mostInSentence = 8

// changeLines describes the changes of the text that break no promise, with what to call them.
func changeLines(c *finding.ContractReview) (lines []string, lead string) {
	var broken []finding.Finding
	for _, f := range c.Findings {
		if explained(&f) {
			broken = append(broken, f)
		}
	}
	rest, apart := words.Unblamed(c.Difference.Changes, broken)
	if lead = "What changes"; apart && len(broken) > 0 {
		lead = "What else changes"
	}
	for _, l := range words.ChangeLines(rest, words.Markdown) {
		lines = append(lines, l.Text)
	}
	return lines, lead
}

// writeBehaviour writes what has become possible and what no longer is, each with a run unless that of a finding shows it.
func writeBehaviour(b *strings.Builder, d *finding.Difference, findings []finding.Finding) {
	all := d.All
	all.Possible = nil
	var above []string
	for _, s := range d.All.Possible {
		if i := slices.IndexFunc(findings, func(f finding.Finding) bool { return explained(&f) && shows(&f, &s) }); i < 0 {
			all.Possible = append(all.Possible, s)
		} else {
			above = append(above, fmt.Sprintf("step %d of the run of %s", findings[i].Refusal.Step, escape.MarkdownCode(findings[i].Name)))
		}
	}
	if len(above) > 0 {
		b.WriteString("\nNow possible: " + words.WithFullStop(strings.Join(above, ", ")) + "\n")
	}
	for _, k := range words.Sequences(&all) {
		writeSequences(b, &k)
	}
	if hidden := words.SequencesNotShown(&all, len(d.All.Possible)+len(d.All.Impossible) > 0); hidden != "" {
		b.WriteString("\n" + hidden + "\n")
	}
	if c := d.All.Choice; c != nil {
		before, after := words.Choice(c, words.Markdown)
		b.WriteString("\n" + before + "\n\n")
		writeTitles(b, c.Run, 0)
		b.WriteString("\n" + after + "\n")
	}
	writeOwed(b, d, findings)
	for i, l := range words.StateLines(&d.States, words.Markdown) {
		b.WriteString(map[bool]string{true: "\n"}[i == 0] + "- " + l + "\n")
	}
}

// shows reports whether the run of a finding begins with a sequence and marks its last step.
func shows(f *finding.Finding, s *finding.Sequence) bool {
	if f.Refusal == nil || f.Refusal.Again {
		return false
	}
	var run []finding.Firing
	for t := traceOf(f); t != nil; {
		for _, step := range slices.Concat(t.Prefix, t.Loop) {
			if step.Step <= f.Refusal.Step {
				run = append(run, step)
			}
		}
		if len(t.Then) != 1 {
			break
		}
		t = t.Then[0]
	}
	return words.SameSteps(run, s.Run)
}

// writeOwed writes after which steps norms differ, each with a run unless that of a finding shows it. The table of gains says how, and for
// whom that is better.
func writeOwed(b *strings.Builder, of *finding.Difference, findings []finding.Finding) {
	all := &of.All
	b.WriteString(paragraph(words.OwedLead(of, words.Markdown)))
	shown := words.ShownNorms(all.Owed)
	for i := range shown {
		d := &shown[i].NormDifference
		b.WriteString(paragraph(words.UntimedLead(all.Owed, i)))
		if words.ShownAbove(d, findings) {
			fmt.Fprintf(b, "\n**%s**, %s: shown above.\n", shown[i].Title(words.Markdown), shown[i].When(false))
			continue
		}
		if of := begins(d.Run, findings); of != "" {
			b.WriteString(paragraph(words.Joined(" ", strong(shown[i].Title(words.Markdown))+fmt.Sprintf(", after step %d of the run of %s.", words.LastStep(d.Run), of), words.Beyond(d, words.Markdown))))
			continue
		}
		again := words.RunAgain(shown, i, findings)
		b.WriteString(paragraph(words.Joined(" ", strong(shown[i].Title(words.Markdown))+", "+words.WithFullStop(shown[i].When(again)), words.Beyond(d, words.Markdown))))
		if len(d.Run) > 0 && !again {
			b.WriteString("\n")
			writeTitles(b, d.Run, 0)
		}
	}
	b.WriteString(paragraph(words.UntimedOpen(all.Owed, words.Markdown)))
}

// begins returns the name of the finding whose run begins with some steps, as they are shown above; "" if there is none.
func begins(steps []finding.Firing, findings []finding.Finding) string {
	for i := range findings {
		t := traceOf(&findings[i])
		if t == nil || !explained(&findings[i]) {
			continue
		}
		n := slices.IndexFunc(t.Prefix, func(f finding.Firing) bool { return f.Step > words.LastStep(steps) })
		if n > 0 && words.SameSteps(t.Prefix[:n], steps) {
			return escape.MarkdownCode(findings[i].Name)
		}
	}
	return ""
}

// writeSequences writes the first sequences of one kind, and the step that the other version refuses.
func writeSequences(b *strings.Builder, k *words.SequenceKind) {
	lead, all := k.Lead, k.All
	for i, s := range all[:min(len(all), words.MostSequences)] {
		shared := 0
		if i > 0 {
			shared = words.SharedSteps(all[i-1].Run, s.Run)
			lead = text.AfterSharedSteps(shared)
		}
		b.WriteString("\n" + lead + ":\n\n")
		writeTitles(b, s.Run, shared, words.LastStep(s.Run))
		b.WriteString("\n↑ " + k.Refused(&s, words.Markdown) + "\n")
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
func writeViews(b *strings.Builder, d *finding.Difference) {
	all := d.Views
	if len(all) == 0 {
		return
	}
	if words.Unseen(d) {
		b.WriteString("\n**For whom**: " + words.NoPartySees(d) + ".\n")
		return
	}
	b.WriteString("\n**For whom**\n\n| party | what it can see of the change |\n|---|---|\n")
	for i := range all[:min(len(all), words.MostRows)] {
		fmt.Fprintf(b, "| %s | %s |\n", escape.MarkdownText(words.Viewer(&all[i])), words.Seen(&all[i], d, words.Cell))
	}
	b.WriteString(words.AndMore(len(all)-words.MostRows, "party"))
}

// writeExposure writes rows for parties that have performed but have not been performed for, if that has become better or worse for somebody.
func writeExposure(b *strings.Builder, d *finding.Difference) {
	for _, e := range changedExposures(d.Exposure) {
		better, worse := words.ExposureGains(&e, d)
		if len(better)+len(worse) == 0 {
			continue
		}
		before, now := words.HowLong(&e, words.Cell)
		fmt.Fprintf(b, "| %s has performed and is still owed: before %s; now %s | %s | %s |\n", words.Cell.Prose(words.ExposedParty(&e)), before, now,
			partiesCell(better, nil), partiesCell(worse, nil))
	}
}

// changedExposures returns the exposures that have changed, without parties that are never exposed, and as many as a table has rows.
func changedExposures(all []finding.Exposure) []finding.Exposure {
	all = slices.DeleteFunc(slices.Clone(all), func(e finding.Exposure) bool {
		return words.SameExposure(&e) || !words.IsExposed(e.Base) && !words.IsExposed(e.Head)
	})
	return all[:min(len(all), words.MostRows)]
}

// writeExposed writes from which step to which parties are exposed, if that changed, and whose exposure is as before.
func writeExposed(b *strings.Builder, d *finding.Difference) {
	var lines []string
	all := d.Exposure
	for _, e := range changedExposures(all) {
		count := ""
		if better, worse := words.ExposureGains(&e, d); len(better)+len(worse) == 0 { // else the table has it
			count = words.Exposure(&e, words.Markdown)
		}
		span := words.Span(&e, words.Markdown)
		if count != "" && span != "" {
			span = "(" + span + ")"
		}
		if said := words.Joined(" ", count, span); said != "" {
			lines = append(lines, escape.MarkdownText(words.ExposedParty(&e))+": "+words.WithFullStop(said))
		}
	}
	for _, said := range []string{words.SameExposures(all, words.Markdown), words.Unexposed(d, words.Markdown)} {
		if said != "" {
			lines = append(lines, said)
		}
	}
	if len(lines) > 0 {
		b.WriteString("\n**Who has performed and is still owed**\n\n- " + strings.Join(lines, "\n- ") + "\n")
	}
}
