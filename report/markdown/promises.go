package markdown

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/text"
	"github.com/redlinehq/redline/report/words"
)

// findingParts returns the findings on a contract: a table, each cause once, and in folds their evidence, the suggested fixes, each once, and how to
// accept them. With open, the first fold is open.
func findingParts(worth []finding.Finding, c *finding.ContractReview, open bool) []part {
	if len(worth) == 0 {
		return nil
	}
	var changes []diff.Change
	if c.Difference != nil {
		changes = c.Difference.Changes
	}
	causes := causesOf(worth[:min(len(worth), words.MostRows)])
	parts := []part{promiseTable(worth, causes), causesPart(causes, changes)}
	var shown, accepts []part
	var runs []*finding.Diagnostic // of norms, that are shown
	for i := range worth {
		f := &worth[i]
		above := ""
		if f.OfNorms() {
			if above = words.RunAbove(runs, f.Check, words.Markdown); above == "" && f.Check.Trace != nil && explained(f) {
				runs = append(runs, f.Check)
			}
		}
		if explained(f) {
			shown = append(shown, details(f, above, open && len(shown) == 0)...)
		}
		if explained(f) || words.Retirable(*f) {
			accepts = append(accepts, acceptParts(f, words.ContractGone(c), len(worth) > 1)...)
		}
	}
	objected := slices.DeleteFunc(slices.Clone(worth), func(f finding.Finding) bool { return !explained(&f) })
	parts = append(parts, inOneFold(shown, fmt.Sprintf("How each of the %d can happen", len(shown)))...)
	parts = append(parts, inOneFold(repairParts(objected), choices(fixesOf(objected), len(objected)))...)
	return append(parts, inOneFold(accepts, fmt.Sprintf("How to accept each of the %d", len(accepts)))...)
}

// inOneFold puts folds in one, if there are many.
func inOneFold(all []part, summary string) []part {
	if len(all) <= mostFolds {
		return all
	}
	return slices.Concat([]part{{beginsFold, summary}}, all, []part{{endsFold, ""}})
}

// mostFolds is the number of folds of one kind beyond which they are in one.
const mostFolds = 2

// A cause is what brings some of the findings about.
type cause struct {
	*finding.Blame
	key   string // of all findings that have this cause
	label string // empty: all findings have one cause
}

// causesOf returns the causes of findings, in their order.
func causesOf(worth []finding.Finding) []cause {
	var all []cause
	without := false
	for _, f := range worth {
		key := words.Blame(f.Blame, words.Markdown)
		without = without || key == ""
		if key != "" && !slices.ContainsFunc(all, func(c cause) bool { return c.key == key }) {
			all = append(all, cause{f.Blame, key, fmt.Sprint(len(all) + 1)})
		}
	}
	if len(all) == 1 && !without {
		all[0].label = ""
	}
	return all
}

// causesPart describes each cause once, and says where it is. It is below the table: in a column of its own it would be cut on a narrow screen.
func causesPart(all []cause, changes []diff.Change) part {
	var b strings.Builder
	for _, c := range all {
		lead := strong(words.Joined(" ", "Cause", c.label))
		if at := words.CausePlaces(c.Blame, words.Markdown); at != "" {
			lead += " (" + at + ")"
		}
		if c.label != "" {
			lead = "- " + lead
		}
		b.WriteString("\n" + lead + ": " + words.WithFullStop(words.Cause(c.Blame, changes, words.Markdown)))
	}
	if b.Len() == 0 {
		return part{}
	}
	return part{"", "\n" + strings.TrimPrefix(b.String(), "\n") + "\n"}
}

// promiseTable returns the table of findings: the promise with remarks on it, the verdicts before and now, and the number of its cause, unless all
// have one. A column for that would be cut on a narrow screen.
func promiseTable(worth []finding.Finding, causes []cause) part {
	shown := worth[:min(len(worth), words.MostRows)]
	numbered := len(causes) > 0 && causes[0].label != ""
	var b strings.Builder
	what := "promise"
	ofNorm := func(f finding.Finding) bool { return f.OfNorms() }
	if slices.ContainsFunc(shown, ofNorm) {
		what = map[bool]string{true: "what is owed", false: "promise, or what is owed"}[!slices.ContainsFunc(shown, func(f finding.Finding) bool { return !ofNorm(f) })]
	}
	b.WriteString("\n| " + what + " | was | now |\n|---|---|---|\n")
	for i, f := range shown {
		before, _ := words.BeforeAfter(f)
		promise := words.Joined("<br>", promiseNamed(f, words.Cell), remarked(&shown[i]))
		now := emphasized(f, words.KindWord(f))
		if n := slices.IndexFunc(causes, func(c cause) bool { return c.key == words.Blame(f.Blame, words.Markdown) }); numbered && n >= 0 {
			now += "<br>cause " + causes[n].label
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", promise, before, now)
	}
	return part{table, b.String() + words.AndMore(len(worth)-words.MostRows, "row")}
}

// remarked returns what else there is to say of a finding, but for what its evidence says.
func remarked(f *finding.Finding) string {
	if explained(f) {
		return Besides(*f)
	}
	return words.Joined(" ", Besides(*f), words.Rested(f, words.Cell))
}

// promiseNamed returns the text of a promise and its name.
func promiseNamed(f finding.Finding, in words.Medium) string {
	if said := text.Subject(f, in); said != "" && said != in.Code(f.Name) {
		return said + " — " + in.Name(f.Name)
	}
	return in.Name(f.Name)
}

// emphasized returns a text in bold type if a finding needs an answer.
func emphasized(f finding.Finding, s string) string {
	if v := words.KindVerdict(f); f.Kind != finding.Standing && (v == finding.Violated || v == finding.IllFormed) {
		return strong(s)
	}
	return s
}

// Besides describes what the verdicts before and now do not show of a finding, apart from whom it rests on.
func Besides(f finding.Finding) string {
	asBefore := f.Base != nil && !f.Reworded && !f.Old
	switch {
	case words.WayMeaning(f, words.Cell) != "", f.Kind == finding.New && f.Head != nil && f.Head.Scenario != nil:
	case f.Kind == finding.New && asBefore && f.Base.Verdict == finding.Holds, f.Kind == finding.Standing && asBefore,
		f.Kind == finding.Repaired && asBefore && words.Hollows(f, words.Cell) == "", f.Check != nil && f.Kind != finding.Undecided:
		return ""
	case f.Kind == finding.Weakened:
		return "The amendment drops or rewords this promise, and the contract no longer keeps what it said before."
	}
	return words.Done(f, words.Cell)
}

// details returns, in a fold, the evidence for a finding that needs an answer, if there is some. Above says which run is shown in place of its own, if one is.
func details(f *finding.Finding, above string, open bool) []part {
	body := evidence(f, above)
	if body == "" {
		return nil
	}
	text := fold(nameOf(f)+": how it can happen", strings.TrimPrefix(body, "\n"))
	if open {
		text = strings.Replace(text, "<details>", "<details open>", 1)
	}
	return []part{{run, text}}
}

// nameOf returns the name of a finding, and of a check what it is about, for a summary.
func nameOf(f *finding.Finding) string {
	if f.Check != nil && f.Check.Subject != "" {
		return escape.HTMLCode(f.Name) + " of " + escape.HTMLCode(f.Check.Subject)
	}
	return escape.HTMLCode(f.Name)
}

// evidence returns what shows that a promise is broken or a check fails: the run, remarks on it, and how the promise is written.
func evidence(f *finding.Finding, above string) string {
	var b strings.Builder
	if f.Check != nil {
		b.WriteString(paragraph(escape.MarkdownText(words.WithFullStop(f.Check.Detail))) + source(f.Check))
	}
	if f.Head != nil {
		b.WriteString(paragraph(words.Waiver(words.Evident(f), words.Markdown)))
	}
	if t := traceOf(f); above == "" && t != nil {
		b.WriteString(runText(t, f))
	}
	b.WriteString(paragraph(above))
	b.WriteString(paragraph(words.BesidesRun(f, words.Markdown)))
	if f.Check != nil || f.Head == nil {
		return b.String()
	}
	b.WriteString(paragraph(words.Joined(" ", strings.Join(words.Remarks(words.Evident(f), words.Markdown), " "), words.Rested(f, words.Markdown))))
	lead := "Written"
	if f.Kind == finding.Weakened {
		lead = "Before the amendment it was written"
	}
	return b.String() + paragraph(written(lead, f.Head))
}

// traceOf returns the run that shows a finding, or nil.
func traceOf(f *finding.Finding) *finding.Trace {
	switch {
	case f.Check != nil:
		return f.Check.Trace
	case f.Head != nil && f.Head.Verdict == finding.Violated:
		return f.Head.Trace
	}
	return nil
}

// acceptParts returns, in a fold, the block that accepts a finding, and nothing if none can. Gone is the contract's path if head no longer has it. With named,
// the summary names the finding.
func acceptParts(f *finding.Finding, gone string, named bool) []part {
	offer := words.ToAccept(f, gone, words.Markdown)
	if offer.Block == nil {
		return nil
	}
	summary := offer.What
	if named {
		summary = nameOf(f) + ": t" + strings.TrimPrefix(summary, "T")
	}
	then := map[finding.AcceptanceRule]string{finding.AcceptApproved: "Somebody who neither opened the pull request nor wrote one of its commits has to approve it ([who, and how](" + howToAccept + ")).", finding.AcceptBase: "It counts once base has it: merge it before this amendment ([how](" + howToAccept + "#in-two-steps))."}[f.Rule()]
	return []part{{accept, fold(summary, words.Joined(" ", diag.Capital(offer.Where)+".", then)+"\n\n"+escape.FencedLines(offer.Block...))}}
}

// howToAccept is the address of the page on acceptances.
const howToAccept = "https://github.com/redlinehq/redline/blob/main/.github/docs/accepting.md"

// A fix is a suggested fix of findings, and each finding that it mends by its name.
type fix struct {
	finding.Repair
	key   string
	hunks []words.Hunk // nil: no patch can be shown
	of    []string
	old   []string // those of them whose old wording is kept again, and still dropped or reworded
}

// fixesOf returns the suggested fixes of findings, each once. Those that mend the same, of which one is enough, follow each other.
func fixesOf(all []finding.Finding) []fix {
	var fixes []fix
	for _, f := range all {
		for _, r := range f.Repairs[:min(len(f.Repairs), words.MostRepairs)] {
			hunks, _ := words.Hunks(r.Edits)
			reworded := r.OldWording
			r.OldWording = false
			key := words.Checked(r, 1) + r.What + strings.Join(words.Patch(hunks), "\n")
			i := slices.IndexFunc(fixes, func(x fix) bool { return x.key == key })
			if i < 0 {
				i, fixes = len(fixes), append(fixes, fix{Repair: r, key: key, hunks: hunks})
			}
			fixes[i].of = append(fixes[i].of, nameOf(&f))
			if reworded {
				fixes[i].old = append(fixes[i].old, nameOf(&f))
			}
		}
	}
	first := func(x fix) int {
		if len(x.of) == len(all) {
			return -1
		}
		return slices.IndexFunc(fixes, func(y fix) bool { return slices.Equal(x.of, y.of) })
	}
	sorted := slices.Clone(fixes)
	slices.SortStableFunc(sorted, func(x, y fix) int { return cmp.Compare(first(x), first(y)) })
	return sorted
}

// repairParts returns the suggested fixes of findings, each in a fold with a patch. A fix for some of them alone names those.
func repairParts(all []finding.Finding) []part {
	var parts []part
	fixes := fixesOf(all)
	for i, x := range fixes {
		lead := "<b>To mend it</b>"
		switch {
		case i > 0 && slices.Equal(fixes[i-1].of, x.of):
			lead = "<b>Or</b>"
		case len(x.of) < len(all):
			lead = "<b>To mend</b> " + fewOf(x.of)
		}
		parts = append(parts, part{repair, "\n<details><summary>" + lead + ": " + words.WithFullStop(escape.HTMLText(x.What)) + " " + words.Checked(x.Repair, len(x.of)) + stillReworded(x.old) + "</summary>\n\n" + patchText(x.hunks, i == 0) + jointText(x, fixes[:i]) + "\n</details>\n"})
	}
	return parts
}

// stillReworded says of which promises a fix leaves the wording as the amendment has it.
func stillReworded(old []string) string {
	if len(old) == 0 {
		return ""
	}
	return " The amendment still drops or rewords " + fewOf(old) + "."
}

// patchText returns a patch, the first one with how to apply it.
func patchText(hunks []words.Hunk, first bool) string {
	if hunks == nil {
		return "\n" + words.NoPatch + "\n"
	}
	lead := "For `git apply`:\n\n"
	if first {
		lead = "To apply it, save it as a file, say `mend.diff`, and run `git apply mend.diff` at the root of the repository:\n\n"
	}
	return lead + escape.FencedAs("diff", words.Patch(hunks)...)
}

// jointText returns the patch that does what a fix and those above do that it is refused after, since they touch the same lines. Fixes of one finding are
// alternatives. It returns "" if there are none.
func jointText(x fix, above []fix) string {
	patches, of := [][]words.Hunk{x.hunks}, []string{}
	for _, y := range above {
		if words.Near(x.hunks, y.hunks) && !slices.ContainsFunc(x.of, func(name string) bool { return slices.Contains(y.of, name) || slices.Contains(of, name) }) {
			patches, of = append(patches, y.hunks), append(of, y.of...)
		}
	}
	if len(of) == 0 {
		return ""
	}
	joint, ok := words.Joint(patches...)
	if !ok {
		return "\nIt changes the same lines as the one for " + fewOf(of) + ": apply one of the two, and see what the next review says.\n"
	}
	return "\nIt touches lines of the one for " + fewOf(of) + ": to have both, apply this in place of the two. Each is checked, both together are not.\n\n" + escape.FencedAs("diff", words.Patch(joint)...)
}

// choices says which of the suggested fixes of all findings are needed: one for all of them, or one of those that mend the same.
func choices(fixes []fix, all int) string {
	var said []string
	lead := "<b>To mend what is broken</b>: "
	for i := 0; i < len(fixes); {
		if len(said) == words.MostNames {
			said = append(said, "and so on")
			break
		}
		n := 1
		for i+n < len(fixes) && slices.Equal(fixes[i+n].of, fixes[i].of) {
			n++
		}
		said = append(said, map[bool]string{true: "one change", false: fmt.Sprintf("one of %d changes", n)}[n == 1]+" for "+fewOf(fixes[i].of))
		if i += n; i == n && len(fixes[0].of) == all && i < len(fixes) {
			lead, said = lead+said[0]+"; or ", nil
		}
	}
	return lead + strings.Join(said, "; ")
}

// fewOf lists names, the first of many.
func fewOf(names []string) string {
	said := strings.Join(names[:min(len(names), words.MostNames)], ", ")
	if more := len(names) - words.MostNames; more > 0 {
		said += fmt.Sprintf(" and %d more", more)
	}
	return said
}
