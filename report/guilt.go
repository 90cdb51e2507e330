package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine"
)

// mostRepairs is how many repairs are shown as text to apply.
const mostRepairs = 2

// guilt says which changes bring a violation about; empty when it is not known and there is nothing
// to say of it.
func guilt(g *engine.Guilt, in medium) string {
	switch {
	case g == nil, len(g.Blocks) == 0 && g.Reason == "":
		return ""
	case len(g.Blocks) == 0:
		return sentence("Which change brings it about is not known: " + in.prose(g.Reason))
	case len(g.Blocks) == 1:
		return joined(" ", "Brought about by: "+sentence(culprit(&g.Blocks[0], in)), fewer(g, in))
	}
	said := mapped(g.Blocks[:min(len(g.Blocks), mostNames)], func(b engine.Block) string { return culprit(&b, in) })
	if more := len(g.Blocks) - mostNames; more > 0 {
		said = append(said, several(more, "other change"))
	}
	together := ", only together with "
	if g.Reason != "" { // perhaps not all of them are needed
		together = ", together with "
	}
	return joined(" ", "Brought about by: "+said[0]+together+sentence(strings.Join(said[1:], "; and ")), fewer(g, in))
}

// broughtAbout says which changes bring a violation about, and what it is that no longer comes where its run ends.
func broughtAbout(f *engine.Finding, in medium) string {
	return joined(" ", guilt(f.Guilt, in), lostThere(f.Lost, in))
}

func lostThere(lost []string, in medium) string {
	if len(lost) == 0 {
		return ""
	}
	return sentence("Where the run that shows it ends, this could follow before the amendment: " + fewTitles(lost, in))
}

// fewer says why less than what is blamed may be enough.
func fewer(g *engine.Guilt, in medium) string {
	if g.Reason == "" {
		return ""
	}
	return sentence("Less than that may do: " + in.prose(g.Reason))
}

// GuiltText says in plain text which changes bring a violation about; empty where nothing is known of it.
func GuiltText(g *engine.Guilt) string { return guilt(g, terminal) }

// RepairText says in plain text how a violation can be mended; empty where no way is known.
func RepairText(all []engine.Repair) string {
	if len(all) == 0 {
		return ""
	}
	return "To mend it: " + sentence(TerminalText(all[0].What)) + " Checked in full."
}

// block names a block of the text, its place and what was done to it.
func block(b *engine.Block, in medium) string {
	at := in.code(lineOf(b.Source))
	if b.Action == "removed" {
		at = in.code(lineOf(b.Was)) + " before the amendment"
	}
	return joined(": ", in.code(b.Name)+" ("+at+"), "+in.prose(b.Action), fewNames(b.Terms, in))
}

// culprit is block of one that is to blame. What a state may change besides its attributes is its place.
func culprit(b *engine.Block, in medium) string {
	if b.Action == "changed" && len(b.Terms) == 0 {
		return block(b, in) + ": it has become the first one, where its party begins"
	}
	return block(b, in)
}

// lineOf is where a range begins, as file:line.
func lineOf(r hcl.Range) string {
	if r.Filename == "" || r.Start.Line == 0 {
		return r.Filename
	}
	return fmt.Sprintf("%s:%d", r.Filename, r.Start.Line)
}

// A hunk is some whole lines of one file and what they become.
type hunk struct {
	file          string
	line, now     int // of the first line, before and after the repair
	old, new      []string
	before, after []string // lines around them that stay
	unended       bool     // the last line of after is the file's, and has no line end
}

// contextLines is how many lines that stay a patch has on each side, as those of git and diff -u.
const contextLines = 3

// hunks turns edits into lines that go and lines that come, in the order in which they stand; lines
// that stay are left out. It reports false where an edit is not of whole lines, or of lines that can't be
// shown as they are: then there is nothing to show that could be applied.
func hunks(edits []engine.Edit) ([]hunk, bool) {
	var all []hunk
	shift := map[string]int{} // lines that the hunks above add
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b engine.Edit) int {
		if a.Range.Filename != b.Range.Filename {
			return strings.Compare(a.Range.Filename, b.Range.Filename)
		}
		return a.Range.Start.Byte - b.Range.Start.Byte
	})
	for _, e := range sorted {
		h := hunk{file: e.Range.Filename, line: e.Range.Start.Line, old: linesOf(e.Old), new: linesOf(e.New)}
		unended := !wholeLines(e.Old) && !wholeLines(e.New) && last(h.old) == last(h.new)
		if e.Range.Start.Column > 1 || !unended && (!wholeLines(e.Old) || !wholeLines(e.New)) {
			return nil, false
		}
		h.trim(unended)
		if slices.ContainsFunc(slices.Concat(h.old, h.new, h.before, h.after), func(l string) bool { return !exact(l) }) {
			return nil, false
		}
		h.now = h.line + shift[h.file]
		shift[h.file] += len(h.new) - len(h.old)
		all = append(all, h)
	}
	return all, true
}

// exact reports whether a line may be shown as it is: it has nothing that a terminal or a runner obeys.
func exact(l string) bool {
	l = strings.ReplaceAll(l, "\t", " ")
	return printable(l) == l && !commands.MatchString(l)
}

func wholeLines(s string) bool { return s == "" || strings.HasSuffix(s, "\n") }

func linesOf(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

// trim takes what stays at both ends out, and keeps what a patch needs of it.
func (h *hunk) trim(unended bool) {
	n, m := 0, 0
	for n < len(h.old) && n < len(h.new) && h.old[n] == h.new[n] {
		n++
	}
	for n+m < len(h.old) && n+m < len(h.new) && h.old[len(h.old)-1-m] == h.new[len(h.new)-1-m] {
		m++
	}
	h.before, h.after = h.old[max(0, n-contextLines):n], h.old[len(h.old)-m:len(h.old)-max(0, m-contextLines)]
	h.unended = unended && m <= contextLines
	h.old, h.new, h.line = h.old[n:len(h.old)-m], h.new[n:len(h.new)-m], h.line+n
}

// header is the range line of a unified diff (POSIX, diff -U): a side without lines
// names the line before it.
func (h *hunk) header() string {
	side := func(line, n int) string {
		line, n = line-len(h.before), n+len(h.before)+len(h.after)
		if n == 0 {
			line--
		}
		return fmt.Sprintf("%d,%d", line, n)
	}
	return "@@ -" + side(h.line, len(h.old)) + " +" + side(h.now, len(h.new)) + " @@"
}

// patch writes a repair as a unified diff, which git apply takes.
func patch(all []hunk) []string {
	var lines []string
	for i, h := range all {
		if i == 0 || h.file != all[i-1].file {
			lines = append(lines, "--- a/"+visible(h.file, nameLength), "+++ b/"+visible(h.file, nameLength))
		}
		lines = append(lines, h.header())
		lines = append(lines, h.inContext()...)
	}
	return lines
}

func (h *hunk) inContext() []string {
	lines := slices.Concat(prefixed(" ", h.before), h.body(), prefixed(" ", h.after))
	if h.unended {
		lines = append(lines, `\ No newline at end of file`)
	}
	return lines
}

func prefixed(sign string, lines []string) []string {
	return mapped(lines, func(l string) string { return sign + l })
}

func (h *hunk) body() []string {
	return append(prefixed("-", h.old), prefixed("+", h.new)...)
}

// shortPatch is how many lines a repair may have to stand before the run that explains it.
const shortPatch = 10

// remedy says, before the run, how a violation can be mended, and shows it if it is short.
func (p *page) remedy(indent int, all []engine.Repair) {
	if len(all) == 0 {
		return
	}
	lead := "To mend it: "
	p.put(indent, green, lead, strings.TrimPrefix(RepairText(all), lead))
	switch parts, ok := hunks(all[0].Edits); {
	case !ok:
		p.say(indent+2, noPatch)
	case lengthOf(parts) <= shortPatch:
		p.patch(indent+2, parts)
	}
}

// noPatch is said of a repair that can't be shown as text to apply.
const noPatch = "(The text to apply is in --format json.)"

// remedies shows, after the run, what remedy has left out.
func (p *page) remedies(indent int, all []engine.Repair) {
	for i, r := range all[:min(len(all), mostRepairs)] {
		parts, ok := hunks(r.Edits)
		if !ok || i == 0 && lengthOf(parts) <= shortPatch {
			continue
		}
		p.put(indent, green, [...]string{"To mend it: ", "Or: "}[min(i, 1)], sentence(TerminalText(r.What)))
		p.patch(indent+2, parts)
	}
}

func lengthOf(all []hunk) int {
	n := 0
	for _, h := range all {
		n += 1 + len(h.old) + len(h.new)
	}
	return n
}

// patch shows hunks, once in a page: several violations often have one repair.
func (p *page) patch(indent int, all []hunk) {
	key := strings.Join(patch(all), "\n")
	if slices.Contains(p.patches, key) {
		p.say(indent, "(shown above)")
		return
	}
	p.patches = append(p.patches, key)
	for _, h := range all {
		p.put(indent, faint, "at ", fmt.Sprintf("%s:%d", TerminalText(h.file), h.line))
		for _, l := range h.body() {
			p.unbroken(indent, map[byte]color{'-': red, '+': green}[l[0]], l)
		}
	}
}

// guiltPart says which changes bring a violation about.
func guiltPart(f *engine.Finding) []part {
	by := broughtAbout(f, markdown)
	if by == "" {
		return nil
	}
	return []part{{"", "\n" + by + "\n"}}
}

// repairParts says how a violation can be mended, with the patches in folds.
func repairParts(all []engine.Repair) []part {
	var parts []part
	for i, r := range all[:min(len(all), mostRepairs)] {
		text := "\n" + [...]string{"**To mend it**: ", "**Or**: "}[min(i, 1)] + sentence(MarkdownText(r.What)) + [...]string{" Checked in full.", ""}[min(i, 1)] + "\n"
		if all, ok := hunks(r.Edits); ok {
			text += fold("The text to apply", fencedAs("diff", patch(all)...))
		} else {
			text += "\n" + noPatch + "\n"
		}
		parts = append(parts, part{repair, text})
	}
	return parts
}

// A Suggestion is a repair as GitHub offers it to be applied: some whole lines of a file, and what to have in their place.
type Suggestion struct {
	File        string
	First, Last int // lines that go
	Old         []string
	Block       string // a Markdown block that stands for the lines that come
}

// Suggest makes a suggestion of a repair. It reports false where the repair is not one piece, only adds lines, or can't be
// shown as it is: a suggestion says exactly what will stand in the file.
func Suggest(r engine.Repair) (Suggestion, bool) {
	all, ok := hunks(r.Edits)
	if !ok || len(all) != 1 || len(all[0].old) == 0 {
		return Suggestion{}, false
	}
	h := all[0]
	if slices.ContainsFunc(h.new, func(l string) bool { return strings.Contains(l, "```") }) { // nobody says what a longer fence does there
		return Suggestion{}, false
	}
	lines := append(append([]string{"```suggestion"}, h.new...), "```")
	return Suggestion{h.file, h.line, h.line + len(h.old) - 1, h.old, strings.Join(lines, "\n") + "\n"}, true
}
