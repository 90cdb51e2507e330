package report

import (
	"cmp"
	"fmt"
	"path"
	"strings"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/hclspec/codes"
)

// mostRows is how many rows of a table are shown.
const mostRows = 100

// mostSteps is how many steps of a run Markdown shows.
const mostSteps = 100

// Markdown tells what was found as GitHub Markdown, for a job summary: the verdict in the heading,
// a table of requirements for each contract, and the run of each violated one. It has at most
// CommentLimit bytes and says what it leaves out.
func Markdown(results []*engine.Result) string {
	t := tallied(results)
	parts := []part{{"", fmt.Sprintf("## %s redline: %s\n\n%s\n", sign(t.verdict()), checkHeadline(t), capital(sentence(t.String())))}}
	for _, r := range results {
		parts = append(parts, resultParts(r)...)
	}
	return fit(parts, CommentLimit, "`redline check` shows it whole.")
}

func checkHeadline(t tally) string {
	bad := joined(", ", someOf(t.errors, "error"), some(t.verdicts[engine.IllFormed], "ill-formed"),
		some(t.verdicts[engine.Violated], "violated"), someOf(t.failed, "failed check"),
		some(t.verdicts[engine.Unknown], "unknown"))
	switch {
	case bad != "":
		return bad
	case t.contracts+t.nets == 0:
		return "nothing to check"
	}
	return "every requirement holds"
}

func resultParts(r *engine.Result) []part {
	head := "\n### " + contractTitle(r.Path, r.Name, r.Title) + "\n\n"
	if r.Model.Places > 0 {
		head += joined(" ", capital(sentence(joined("; ", size(r.Model), pace(r.Model)))), incomplete(r.Model, markdown), cachedNote(r.Cached)) + "\n"
	}
	parts := []part{{"", head}}
	found := Listed(r)
	parts = append(parts, diagnosticParts(ofClass(found, codes.Error))...)
	parts = append(parts, requirementTable(r.Requirements)...)
	how := drawn
	for i := range r.Requirements {
		parts = append(parts, remarkParts(&r.Requirements[i])...)
		if r.Requirements[i].Verdict == engine.Violated && !r.Requirements[i].Waived() {
			parts, how = append(parts, proofParts(&r.Requirements[i], &engine.Finding{}, how)...), folded
		}
	}
	parts = append(parts, diagnosticParts(ofClass(found, codes.Violation))...)
	parts = append(parts, diagnosticParts(ofClass(found, codes.Warning))...)
	return append(parts, acceptedParts(found, nil)...)
}

// acceptedParts lists the remarks somebody has accepted, with the reason given; those base had not
// accepted for the same reason are called new.
func acceptedParts(all []engine.Diagnostic, base *engine.Result) []part {
	var b strings.Builder
	for _, d := range all {
		if d.Accepted != "" && b.Len() < CommentLimit/4 {
			fmt.Fprintf(&b, "- %s: %s %s Reason given: %s\n", acceptedWord(d, base), MarkdownCode(string(d.Code)), sentence(MarkdownText(d.Message)), MarkdownText(d.Accepted))
		}
	}
	if b.Len() == 0 {
		return nil
	}
	return []part{{"", "\n" + b.String()}}
}

// contractTitle is a contract's title, and its directory, or its name where that says no less.
func contractTitle(where, name, long string) string {
	switch {
	case name == "":
		return MarkdownCode(where)
	case where == "" || where == "." || path.Base(where) != name:
		s := title(name, long, markdown)
		if where != "" && where != "." {
			s += " (" + MarkdownCode(where) + ")"
		}
		return s
	case long == "" || long == name:
		return MarkdownCode(where)
	}
	return MarkdownText(long) + " (" + MarkdownCode(where) + ")"
}

func ofClass(all []engine.Diagnostic, class codes.Class) []engine.Diagnostic {
	var some []engine.Diagnostic
	for _, d := range all {
		if d.Class == class && d.Accepted == "" {
			some = append(some, d)
		}
	}
	return some
}

func requirementTable(all []engine.Requirement) []part {
	if len(all) == 0 {
		return nil
	}
	var b strings.Builder
	b.WriteString("\n| verdict | requirement | what it says |\n|---|---|---|\n")
	for i := range all[:min(len(all), mostRows)] {
		r := &all[i]
		says := promise(r, cell)
		if why := reason(r, cell); why != "" {
			says = joined(" ", sentence(says), sentence(why))
		}
		if r.Waived() {
			says = joined(" ", sentence(says), waiver(r, cell))
		}
		if said := remarks(r, cell); len(said) > 0 {
			says = joined(" ", sentence(says), strings.Join(said, " "))
		}
		fmt.Fprintf(&b, "| %s %s | %s | %s |\n", verdictSign(r), verdictWord(r), markdownCell(r.Name), says)
	}
	return []part{{table, b.String() + andMore(len(all)-mostRows, "row")}}
}

// andMore says how many are not shown.
func andMore(n int, thing string) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf("\n%s more not shown here.\n", several(n, thing))
}

// remarkParts tells why a requirement that holds promises little.
func remarkParts(r *engine.Requirement) []part {
	var parts []part
	for _, v := range r.Vacuous {
		parts = append(parts, part{diagnosis, "\n**Note** on " + MarkdownCode(r.Name) + ": " + vacuity(v, markdown) + "\n"})
	}
	return parts
}

// A showing says how a run is shown.
type showing bool

const (
	drawn  showing = true  // the picture is seen at once
	folded showing = false // all of it is in folds, since another is seen
)

const (
	showsIt    = "A run that shows it, step by step"
	stepByStep = ", step by step"
)

// proofParts shows a violated requirement: what it promises, what breaks it, how that can happen, and what would mend it.
func proofParts(r *engine.Requirement, f *engine.Finding, how showing) []part {
	head := "\n#### ✗ " + cmp.Or(promise(r, markdown), MarkdownCode(r.Name)) + "\n" + paragraph(waiver(r, markdown))
	parts := append([]part{{"", head}}, guiltPart(f)...)
	if r.Trace != nil {
		parts = append(parts, traceParts(showsIt, r.Trace, f.Refusal, how)...)
	}
	for _, said := range remarks(r, markdown) {
		parts = append(parts, part{diagnosis, "\n**Note**: " + said + "\n"})
	}
	parts = append(parts, repairParts(f.Repairs)...)
	parts = append(parts, part{phrasing, wording(r, f)})
	if waivable(r) {
		parts = append(parts, part{run, fold(strings.TrimSuffix(whereWaived, ":"), fenced(waiverBlock(r)...))})
	}
	return parts
}

// wording tells in a fold how a promise is written, and where.
func wording(r *engine.Requirement, f *engine.Finding) string {
	lead := "How the promise is written"
	if f.Kind == engine.Weakened {
		lead = "How the promise was written before the amendment"
	}
	return fold(lead, joined(" — ", MarkdownCode(r.Name), formulaLine(r))+"\n")
}

// formulaLine gives the formula, its notation when it is not the usual one, and its place.
func formulaLine(r *engine.Requirement) string {
	at := ""
	if r.Source.Filename != "" {
		at = "at " + MarkdownCode(place(r.Source.Filename, r.Source.Start.Line, r.Source.Start.Column))
	}
	switch {
	case r.Formula == "", r.Says == "" && r.Title == "":
		return capital(at)
	case r.Says == "" || r.Title == "":
		return joined(" ", MarkdownCode(r.Formula)+notation(r), at)
	}
	return joined(" ", MarkdownText(r.Says), MarkdownCode(r.Formula)+notation(r), at)
}

// traceParts draws a run, and tells it in a fold. A step of it may be one that base refuses.
func traceParts(summary string, t *engine.Trace, refusal *engine.Refusal, how showing) []part {
	w := &writer{refusal: refusal}
	w.trace(t, 0)
	told := part{run, fold(summary, strings.ReplaceAll(w.String(), "\n\n\n", "\n\n"))}
	picture := picturePart(t, refusal, how)
	switch {
	case picture.text == "":
		return []part{told}
	case how == drawn:
		return []part{picture, told}
	}
	return []part{told, picture}
}

func picturePart(t *engine.Trace, refusal *engine.Refusal, how showing) part {
	text := sequenceDiagram(t, refusal)
	switch {
	case text == "" && messages(t) > MaxMessages:
		return part{picture, fmt.Sprintf("\nThe run is too long to draw: %s.\n", several(messages(t), "firing"))}
	case text == "":
		return part{}
	}
	text = "```mermaid\n" + text + "```\n"
	if how == folded {
		return part{picture, fold("The run, drawn", text)}
	}
	return part{picture, "\n" + joined(": ", "**How it can happen**", sentence(MarkdownText(t.Claim))) + "\n\n" + text}
}

// fold is Markdown that is seen only when a reader opens it.
func fold(summary, text string) string {
	return "\n<details><summary>" + summary + "</summary>\n\n" + text + "\n</details>\n"
}

// deepestNest is how many runs inside runs are told; nobody reads further.
const deepestNest = 8

// A writer writes runs.
type writer struct {
	strings.Builder
	refusal *engine.Refusal // of a step that is still to come
}

func (w *writer) trace(t *engine.Trace, depth int) {
	w.run(t.Prefix)
	if len(t.Loop) > 0 {
		w.end(t, depth)
		w.WriteString("\nFrom there, over and over for ever:\n\n")
		w.run(t.Loop)
	}
	if how := deadEnd(t); how != "" {
		w.WriteString("\n" + how + "\n")
	}
	if len(t.Loop) == 0 {
		w.end(t, depth)
	}
	if t.Claim != "" {
		w.WriteString("\nSo: " + sentence(MarkdownText(t.Claim)) + "\n")
	}
	for _, next := range t.Then {
		if depth == deepestNest {
			w.WriteString("\nFurther runs explain this; they are not shown here.\n")
			return
		}
		w.WriteString("\nThat is because in that state:\n\n")
		w.trace(next, depth+1)
	}
}

// end says where the prefix ends, unless the reader has just been told.
func (w *writer) end(t *engine.Trace, depth int) {
	if len(t.End) > 0 && (depth == 0 || len(t.Prefix) > 0) {
		w.WriteString("\n" + ending(t) + " " + sentence(state(t.End, markdown)) + "\n")
	}
}

func (w *writer) run(run []engine.Firing) {
	all := steps(run)
	for _, step := range all[:min(len(all), mostSteps)] {
		line := stepLine(step)
		if r := w.refusal; r != nil && r.Step == step[0].Step {
			line, w.refusal = line+" — **Here the old draft differs**: "+refusedInRun(r, markdown), nil
		}
		fmt.Fprintf(w, "%d. %s\n", step[0].Step, line)
	}
	w.WriteString(andMore(len(all)-mostSteps, "step"))
}

// stepLine tells one step in one line; firings of one step are joined.
func stepLine(step []engine.Firing) string {
	lines := make([]string, len(step))
	for i, f := range step {
		lines[i] = firingLine(f)
	}
	if len(lines) == 1 {
		return lines[0]
	}
	return "At the same time: " + strings.Join(lines, " — and — ")
}

func firingLine(f engine.Firing) string {
	var said []string
	for _, e := range effects(f, markdown) {
		said = append(said, e.party+": "+e.change)
	}
	return joined(" — ", happening(f, markdown), strings.Join(said, "; "))
}

// diagnosticParts shows messages about the text or the model.
func diagnosticParts(all []engine.Diagnostic) []part {
	var parts []part
	for i := range all[:min(len(all), mostRows)] {
		parts = append(parts, diagnosticPart(&all[i], &engine.Finding{}, drawn)...)
	}
	if more := andMore(len(all)-mostRows, "message"); more != "" {
		parts = append(parts, part{"", more})
	}
	return parts
}

func diagnosticPart(d *engine.Diagnostic, f *engine.Finding, how showing) []part {
	parts := append([]part{{diagnosis, diagnosticBlock(*d)}}, guiltPart(f)...)
	if d.Trace != nil {
		parts = append(parts, traceParts(runLead(d)+stepByStep, d.Trace, f.Refusal, how)...)
	}
	parts = append(parts, repairParts(f.Repairs)...)
	if acceptable(d) {
		parts = append(parts, acceptPart(d))
	}
	return parts
}

func diagnosticBlock(d engine.Diagnostic) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n**%s** %s: %s", capital(classWord(d.Class)), MarkdownCode(string(d.Code)), sentence(MarkdownText(d.Message)))
	if d.Detail != "" {
		b.WriteString(" " + sentence(MarkdownText(d.Detail)))
	}
	b.WriteString("\n")
	if d.Source.Filename != "" {
		b.WriteString("\nat " + MarkdownCode(place(d.Source.Filename, d.Source.Start.Line, d.Source.Start.Column)) + "\n")
	}
	if d.Snippet != "" {
		text, from, to := excerpt(d.Snippet, d.Source, 100)
		b.WriteString("\n" + fenced(text, strings.Repeat(" ", from)+strings.Repeat("^", max(1, to-from))))
	}
	return b.String()
}
