package markdown

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/report/draw"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/text"
	"github.com/redlinehq/redline/report/words"
)

// mostSteps is the number of steps of a run that Markdown shows.
const mostSteps = 100

// Results returns the results of a check as GitHub Markdown, for a job summary: the verdict in the heading, a table of requirements for
// each contract, and the run of each violation. It has at most CommentLimit bytes and names what it leaves out.
func Results(results []*finding.Result) string {
	t := words.Tallied(results)
	parts := []part{{"", fmt.Sprintf("## %s redline: %s\n\n%s\n", words.Sign(t.Verdict()), words.CheckHeadline(t), diag.Capital(words.WithFullStop(t.String())))}}
	for _, r := range results {
		parts = append(parts, resultParts(r)...)
	}
	return fit(parts, CommentLimit, "`redline check` shows it whole.")
}

// resultParts returns the results for one contract.
func resultParts(r *finding.Result) []part {
	head := "\n### " + contractTitle(r.Path, r.Name, r.Title, words.Markdown) + "\n\n"
	if r.Model.Places > 0 {
		head += words.Joined(" ", diag.Capital(words.WithFullStop(words.Joined("; ", words.Size(r.Model), words.Pace(r.Model)))), words.Incomplete(r, words.Markdown), words.NotLookedFor(r), words.CachedNote(r.Cached)) + "\n"
	}
	parts := []part{{"", head}}
	found := words.Alike(words.Listed(r))
	parts = append(parts, diagnosticParts(ofClass(found, codes.Error))...)
	parts = append(parts, requirementTable(r.Requirements)...)
	open := true
	for i := range r.Requirements {
		q := &r.Requirements[i]
		parts = append(parts, remarkParts(q)...)
		if q.Verdict == finding.Violated && !q.Waived() {
			f := &finding.Finding{Kind: finding.New, Name: q.Name, Head: q}
			parts, open = slices.Concat(parts, details(f, "", open), acceptParts(f, "", true)), false
		}
	}
	parts = append(parts, diagnosticParts(ofClass(found, codes.Violation))...)
	parts = append(parts, diagnosticParts(ofClass(found, codes.Warning))...)
	return append(parts, acceptedParts(found, nil)...)
}

// acceptedParts lists the accepted diagnostics with their reasons. An acceptance that base does not have is called new, unless base is nil.
func acceptedParts(all []finding.Diagnostic, base *finding.Result) []part {
	var b strings.Builder
	for i, d := range all {
		if d.Accepted != "" && b.Len() < CommentLimit/4 {
			fmt.Fprintf(&b, "- %s: %s %s Reason given: %s\n", words.AcceptedWord(d, base), escape.MarkdownCode(string(d.Code)), words.WithFullStop(escape.MarkdownText(d.Message)), escape.MarkdownText(d.Accepted))
			if d.Trace != nil && words.NewlyAccepted(d, base) {
				b.WriteString(runText(d.Trace, &finding.Finding{Check: &all[i]}))
			}
		}
	}
	if b.Len() == 0 {
		return nil
	}
	return []part{{"", "\n" + b.String()}}
}

// contractTitle returns a contract's title and directory, and its name unless the directory ends with it.
func contractTitle(where, name, long string, in words.Medium) string {
	switch {
	case name == "":
		return in.Code(where)
	case where == "" || where == "." || path.Base(where) != name:
		s := words.Title(name, long, in)
		if where != "" && where != "." {
			s += " (" + in.Code(where) + ")"
		}
		return s
	case long == "" || long == name:
		return in.Code(where)
	}
	return in.Prose(long) + " (" + in.Code(where) + ")"
}

// ofClass returns the diagnostics of one class that are not accepted.
func ofClass(all []finding.Diagnostic, class codes.Class) []finding.Diagnostic {
	var some []finding.Diagnostic
	for _, d := range all {
		if d.Class == class && d.Accepted == "" {
			some = append(some, d)
		}
	}
	return some
}

// requirementTable returns the table of requirements.
func requirementTable(all []finding.Requirement) []part {
	if len(all) == 0 {
		return nil
	}
	var b strings.Builder
	b.WriteString("\n| verdict | requirement | what it says |\n|---|---|---|\n")
	for i := range all[:min(len(all), words.MostRows)] {
		r := &all[i]
		says := words.Promise(r, words.Cell)
		if why := words.Reason(r, words.Cell); why != "" {
			says = words.Joined(" ", words.WithFullStop(says), words.WithFullStop(why))
		}
		if r.Waived() {
			says = words.Joined(" ", words.WithFullStop(says), words.Waiver(r, words.Cell))
		}
		if said := words.Remarks(r, words.Cell); len(said) > 0 {
			says = words.Joined(" ", words.WithFullStop(says), strings.Join(said, " "))
		}
		fmt.Fprintf(&b, "| %s %s | %s | %s |\n", words.VerdictSign(r), words.VerdictWord(r), escape.MarkdownCell(r.Name), says)
	}
	return []part{{table, b.String() + words.AndMore(len(all)-words.MostRows, "row")}}
}

// remarkParts returns a note for each vacuous part of a requirement that holds.
func remarkParts(r *finding.Requirement) []part {
	var parts []part
	for _, said := range words.Vacuities(r.Vacuous, words.Markdown) {
		parts = append(parts, part{diagnosis, "\n**Note** on " + escape.MarkdownCode(r.Name) + ": " + said + "\n"})
	}
	return parts
}

// written says how and where a promise is written, after lead. It leaves out what stands for a missing title.
func written(lead string, r *finding.Requirement) string {
	as, at, says := "", "", ""
	if r.Formula != "" && !r.Verbatim && (r.Title != "" || r.Says != "") && (r.Pattern == "" || r.Title == "" || r.Says == "") { // of a pattern, what it says is enough
		as = "as " + escape.MarkdownCode(r.Formula) + words.NotationLabel(r)
	}
	if r.Source.Filename != "" {
		at = "at " + escape.MarkdownCode(words.Place(r.Source.Filename, r.Source.Start.Line, r.Source.Start.Column))
	}
	if r.Title != "" && r.Says != "" {
		says = "It says: " + words.WithFullStop(escape.MarkdownText(r.Says))
	}
	if as+at == "" {
		return says
	}
	return words.Joined(" ", words.WithFullStop(words.Joined(" ", lead, as, at)), says)
}

// runText returns what the run of a finding shows, a picture of it, and its steps in a fold. It marks the step that base refuses.
func runText(t *finding.Trace, f *finding.Finding) string {
	w := &writer{refusal: f.Refusal}
	w.trace(t, 0)
	lead := "Step by step"
	if f.Check != nil {
		lead = words.RunLead(f.Check) + words.AsOf(t) + ", step by step"
	}
	picture := ""
	if f.Check == nil || f.Check.Class != codes.Warning { // the steps of a remark are enough
		picture = drawing(t, f)
	}
	return paragraph(escape.MarkdownText(words.WithFullStop(words.Claim(t)))) + picture + fold(lead, strings.TrimPrefix(strings.ReplaceAll(w.String(), "\n\n\n", "\n\n"), "\n"))
}

// mostLost is the number of lost steps that a picture names.
const mostLost = 3

// ending returns what a picture notes at the end of the run of a finding, if it marks no step: the steps that are lost there, or that
// the promise fails.
func ending(f *finding.Finding) []string {
	switch {
	case !explained(f):
		return nil
	case f.OfNorms():
		return []string{"here what is owed differs"}
	case len(f.Lost) == 0:
		return []string{"so it fails"}
	}
	all := append([]string{"no longer possible here:"}, f.Lost[:min(len(f.Lost), mostLost)]...)
	if more := len(f.Lost) - mostLost; more > 0 {
		all = append(all, fmt.Sprintf("and %d more", more))
	}
	return all
}

// drawing returns the picture of a run, or a note that it is too long to draw.
func drawing(t *finding.Trace, f *finding.Finding) string {
	text := draw.SequenceDiagram(t, f.Refusal, ending(f)...)
	switch {
	case text == "" && draw.Messages(t) > draw.MaxMessages:
		return fmt.Sprintf("\nThe run is too long to draw: %s.\n", words.Several(draw.Messages(t), "firing"))
	case text == "":
		return ""
	}
	return "\n```mermaid\n" + text + "```\n"
}

// fold returns Markdown that is hidden until a reader opens it.
func fold(summary, text string) string {
	return "\n<details><summary>" + summary + "</summary>\n\n" + text + "\n</details>\n"
}

// deepestNest is the maximum depth of runs inside runs that are shown.
const deepestNest = 8

// A writer writes the steps of runs.
type writer struct {
	strings.Builder
	refusal *finding.Refusal // for a step that has not been written yet
}

// trace writes a run and, up to deepestNest, the runs inside it.
func (w *writer) trace(t *finding.Trace, depth int) {
	w.run(t.Prefix)
	if len(t.Loop) > 0 {
		w.end(t, depth)
		w.WriteString("\nFrom there, over and over for ever:\n\n")
		w.run(t.Loop)
	}
	if how := words.DeadEnd(t); how != "" {
		w.WriteString("\n" + how + "\n")
	}
	if len(t.Loop) == 0 {
		w.end(t, depth)
	}
	if claim := words.Claim(t); claim != "" && depth > 0 { // that of the outermost run is above its picture
		w.WriteString("\nSo: " + words.WithFullStop(escape.MarkdownText(claim)) + "\n")
	}
	for _, next := range t.Then {
		if depth == deepestNest {
			w.WriteString("\nFurther runs explain this; they are not shown here.\n")
			return
		}
		w.WriteString("\n" + words.Because(t, next) + "\n\n")
		w.trace(next, depth+1)
	}
}

// end writes the state at the end of the prefix, unless it was just shown.
func (w *writer) end(t *finding.Trace, depth int) {
	if depth > 0 && len(t.Prefix) == 0 {
		return
	}
	for _, e := range words.Endings(t, words.Markdown) {
		w.WriteString("\n" + e[0] + " " + e[1] + "\n")
	}
}

// run writes the steps of a run as a list.
func (w *writer) run(run []finding.Firing) {
	all, n := words.Folded(words.Steps(run), words.MarkedStep(w.refusal)), 0
	if len(all) > 0 {
		n = all[0][0].Step - 1
	}
	for _, step := range all[:min(len(all), mostSteps)] {
		line := stepLine(step)
		if r := w.refusal; r != nil && r.Step == step[0].Step {
			line, w.refusal = line+" — "+strong(words.RefusedInRun(r, words.Markdown)), nil
		}
		fmt.Fprintf(w, "%s%d. %s\n", numbered(&n, step[0].Step), step[0].Step, line)
	}
	w.WriteString(words.AndMore(len(all)-mostSteps, "step"))
}

// numbered returns what has to stand before the item of a list if its number does not follow the last: Markdown counts on by itself within one
// list, and a comment ends it.
func numbered(last *int, number int) string {
	follows := number == *last+1
	if *last = number; follows {
		return ""
	}
	return "\n<!-- -->\n\n"
}

// stepLine describes one step in one line, with its firings joined.
func stepLine(step []finding.Firing) string {
	lines := make([]string, len(step))
	for i, f := range step {
		lines[i] = firingLine(f)
	}
	if len(lines) == 1 {
		return lines[0]
	}
	return "At the same time: " + strings.Join(lines, " — and — ")
}

// firingLine describes one firing and its effects.
func firingLine(f finding.Firing) string {
	var said []string
	for _, e := range words.Effects(f, words.Markdown) {
		said = append(said, e.Party+": "+e.Change)
	}
	return words.Joined(" — ", words.Happening(f, words.Markdown), strings.Join(said, "; "))
}

// diagnosticParts returns messages about the text or the model.
func diagnosticParts(all []finding.Diagnostic) []part {
	var parts []part
	for i := range all[:min(len(all), words.MostRows)] {
		parts = append(parts, diagnosticPart(&all[i]))
	}
	if more := words.AndMore(len(all)-words.MostRows, "message"); more != "" {
		parts = append(parts, part{"", more})
	}
	return parts
}

// diagnosticPart returns one message with its run, and the block that accepts it.
func diagnosticPart(d *finding.Diagnostic) part {
	text := diagnosticBlock(*d)
	if d.Trace != nil {
		text += runText(d.Trace, &finding.Finding{Check: d})
	}
	return part{diagnosis, text + textOf(acceptParts(&finding.Finding{Check: d}, "", false))}
}

// diagnosticBlock returns a message with its place and source line.
func diagnosticBlock(d finding.Diagnostic) string {
	detail := ""
	if d.Detail != "" {
		detail = " " + words.WithFullStop(escape.MarkdownText(d.Detail))
	}
	return fmt.Sprintf("\n**%s** %s: %s%s\n", diag.Capital(words.ClassWord(d.Class)), escape.MarkdownCode(string(d.Code)), words.WithFullStop(escape.MarkdownText(d.Message)), detail) + source(&d)
}

// source returns the place of a diagnostic and its source line.
func source(d *finding.Diagnostic) string {
	said := ""
	if d.Source.Filename != "" {
		said = "\nat " + escape.MarkdownCode(words.Place(d.Source.Filename, d.Source.Start.Line, d.Source.Start.Column)) + "\n"
	}
	if d.Snippet != "" {
		text, from, to := text.Excerpt(d.Snippet, d.Source, 100)
		said += "\n" + escape.FencedLines(text, strings.Repeat(" ", from)+strings.Repeat("^", max(1, to-from)))
	}
	return said
}
