package words

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/escape"
)

// MostRepairs is the number of repairs that are shown as text to apply.
const MostRepairs = 2

// Blame names the changes that cause a violation, with their places. If they are unknown it returns the reason, or "" if there is none.
func Blame(g *finding.Blame, in Medium) string {
	return causes(g, "Brought about by: ", in, func(b *finding.Block) string { return BlamedBlock(b, in) })
}

// Cause is Blame without places, for a cell of a table. It names the old and new values of attributes that are to blame.
func Cause(g *finding.Blame, all []diff.Change, in Medium) string {
	return causes(g, "", in, func(b *finding.Block) string {
		path := Mapped(strings.Split(b.Name, " / "), func(part string) string { return in.Prose(strings.ReplaceAll(part, `"`, "")) })
		if prose := blockProse(b, in); prose != "" {
			path[len(path)-1] += " (" + prose + ")"
		}
		slices.Reverse(path)
		return Joined(": ", strings.Join(path, " of ")+", "+in.Prose(b.Action), cmp.Or(values(b, all, in), fewNames(b.Terms, in)), became(b))
	})
}

// causes names the changes that cause a violation after lead, each with the name that it is given.
func causes(g *finding.Blame, lead string, in Medium, name func(*finding.Block) string) string {
	switch {
	case g == nil, len(g.Blocks) == 0 && g.Reason == "":
		return ""
	case len(g.Blocks) == 0:
		return WithFullStop("Which change brings it about is not known: " + in.Prose(g.Reason))
	}
	said := Mapped(g.Blocks[:min(len(g.Blocks), MostNames)], func(b finding.Block) string { return name(&b) })
	for i := range said[1:] {
		if g.Reason == "" && makesRoom(&g.Blocks[1+i]) {
			said[1+i] += ", which makes room for that"
		}
	}
	if more := len(g.Blocks) - MostNames; more > 0 {
		said = append(said, Several(more, "other change"))
	}
	together, less := ", only together with ", ""
	if g.Reason != "" { // perhaps not all of them are needed
		together, less = ", together with ", WithFullStop("Less than that may do: "+in.Prose(g.Reason))
	}
	return Joined(" ", WithFullStop(lead+Joined(together, said[0], strings.Join(said[1:], "; and "))), less)
}

// makesRoom reports whether a change is of the bounds of a counter alone. These promise nothing: without the change the text with the others would be
// ill-formed, as the counter would leave its bounds.
func makesRoom(b *finding.Block) bool {
	return b.Action == "changed" && strings.Contains(b.Name, ` / counter "`) && len(b.Terms) > 0 &&
		!slices.ContainsFunc(b.Terms, func(term string) bool { return term != "from" && term != "to" })
}

// CausePlaces lists where the changes are that cause a violation. It returns "" if they are unknown.
func CausePlaces(g *finding.Blame, in Medium) string {
	if g == nil {
		return ""
	}
	return strings.Join(Mapped(g.Blocks[:min(len(g.Blocks), MostNames)], func(b finding.Block) string { return blockPlace(&b, in) }), ", ")
}

// BroughtAbout names the changes that cause a violation, and what BesidesRun says.
func BroughtAbout(f *finding.Finding, in Medium) string {
	return Joined(" ", Blame(f.Blame, in), BesidesRun(f, in))
}

// BesidesRun says what else there is to know of the run of a violation: the one found first, other changes that it may need, and the steps that can no longer follow where it ends.
func BesidesRun(f *finding.Finding, in Medium) string {
	var other, more, lost string
	if g := f.Blame; g != nil && g.First != nil {
		run := slices.Concat(g.First.Trace.Prefix, g.First.Trace.Loop)
		other = WithFullStop("The run that shows it needs no other change; another one does: " + fewTitles(Mapped(FoldedTitles(Steps(run)), captions), in))
	}
	if f.Blame != nil && f.Blame.More {
		more = "The run that shows it may need other changes of the amendment as well."
	}
	if len(f.Lost) > 0 {
		lost = WithFullStop("Where the run that shows it ends, this could follow before the amendment: " + fewTitles(f.Lost, in))
	}
	return Joined(" ", other, more, lost)
}

// BlameText names, for a terminal, the changes that cause a violation, and returns "" if nothing is known of them.
func BlameText(g *finding.Blame) string { return Blame(g, Terminal) }

// RepairText describes the first of the repairs, and returns "" if there is none.
func RepairText(all []finding.Repair, in Medium) string {
	if len(all) == 0 {
		return ""
	}
	return "To mend it: " + WithFullStop(in.Prose(all[0].What)) + " " + Checked(all[0], 1)
}

// Checked says that a repair of n violations was checked, and what remains of the contract's violations. Remains says only the latter.
func Checked(r finding.Repair, n int) string {
	return WithFullStop(Joined(": ", "Checked in full", Remains(r, n)))
}

// Remains describes which violations of a contract remain with a repair of n of them. It returns "" if none do.
func Remains(r finding.Repair, n int) string {
	if !r.OldWays && !r.OldWording && r.Others+r.Undecided == 0 {
		return ""
	}
	gone := map[bool]string{true: "this violation is gone", false: "these violations are gone"}[n == 1]
	switch {
	case r.OldWays:
		gone = "the new way is gone, and the violation stays as it was before the amendment"
	case r.OldWording:
		gone = "the contract keeps the old wording again, which the amendment still drops or rewords"
	}
	stays := ""
	if r.Others > 0 {
		stays = Several(r.Others, "other") + " of this contract " + map[bool]string{true: "stays", false: "stay"}[r.Others == 1]
	}
	return Joined("; ", gone, stays, suffixed(SomeOf(r.Undecided, "promise"), " undecided"))
}

// blockPlace returns the place of a block, which is one before the amendment if it was removed.
func blockPlace(b *finding.Block, in Medium) string {
	if b.Action == "removed" {
		return in.Code(lineOf(b.Was)) + " before the amendment"
	}
	return in.Code(lineOf(b.Source))
}

// block names a block of the text, with its title, its clause and its place, and says what was done to it.
func block(b *finding.Block, in Medium) string {
	return Joined(": ", in.Code(b.Name)+" ("+Joined("; ", blockProse(b, in), blockPlace(b, in))+"), "+in.Prose(b.Action), fewNames(b.Terms, in))
}

// blockProse returns the title, if that is not its name, and the clause of a block. It returns "" if it has neither.
func blockProse(b *finding.Block, in Medium) string {
	title := ""
	if b.Title != "" && !strings.HasSuffix(b.Name, fmt.Sprintf(" %q", b.Title)) {
		title = "“" + in.Prose(b.Title) + "”"
	}
	return Joined(", ", title, clauseName(b.Clause, in))
}

// BlamedBlock describes a block that causes a violation.
func BlamedBlock(b *finding.Block, in Medium) string { return Joined(": ", block(b, in), became(b)) }

// became describes a block that has changed but none of its attributes has: a state that is now the initial one. It returns "" for others.
func became(b *finding.Block) string {
	if b.Action == "changed" && len(b.Terms) == 0 {
		return "it has become the first one, where its party begins"
	}
	return ""
}

// values returns the old and new values of the attributes of a block that are to blame. It returns "" if some are not among the changes of
// the text.
func values(b *finding.Block, all []diff.Change, in Medium) string {
	var said []string
	at := changeOf(b, all)
	for _, word := range b.Terms {
		i := -1
		if at >= 0 {
			i = slices.IndexFunc(all[at].Terms, func(t diff.Term) bool { return t.Word == word })
		}
		if i < 0 {
			return ""
		}
		said = append(said, term(all[at].Element, all[at].Terms[i], in))
	}
	return strings.Join(said, "; ")
}

// changeOf returns the index of the change of the text that a block is, or -1 if that is not exactly one.
func changeOf(b *finding.Block, all []diff.Change) int {
	kind, name := elementOf(b)
	found := -1
	for i, c := range all {
		if c.Element.String() != kind || c.Name != name {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}

// elementOf returns the kind and name of the element that a block declares, as changes of the text name it.
func elementOf(b *finding.Block) (kind, name string) {
	var names []string
	for part := range strings.SplitSeq(b.Name, " / ") {
		word, label, _ := strings.Cut(part, " ")
		kind, names = word, append(names, strings.Trim(label, `"`))
	}
	return kind, strings.Join(names, ".")
}

// Unblamed returns the changes of the text that cause no violation of a review. It reports false, and returns all, if a cause is unknown, is
// not among them, or has more than MostNames blocks.
func Unblamed(all []diff.Change, findings []finding.Finding) ([]diff.Change, bool) {
	rest := slices.Clone(all)
	for _, f := range findings {
		if f.Blame == nil || len(f.Blame.Blocks) == 0 || len(f.Blame.Blocks) > MostNames {
			return all, false
		}
		for i := range f.Blame.Blocks {
			b := &f.Blame.Blocks[i]
			if changeOf(b, all) < 0 {
				return all, false
			}
			rest = withoutBlock(b, rest)
		}
	}
	return rest, true
}

// withoutBlock removes from changes those that a block to blame stands for: its attributes to blame, or an added or removed block with all that
// it contains.
func withoutBlock(b *finding.Block, all []diff.Change) []diff.Change {
	kind, name := elementOf(b)
	var rest []diff.Change
	for _, c := range all {
		switch {
		case c.Element.String() == kind && c.Name == name && len(b.Terms) > 0:
			c.Terms = slices.DeleteFunc(slices.Clone(c.Terms), func(t diff.Term) bool { return slices.Contains(b.Terms, t.Word) })
			if len(c.Terms) == 0 {
				continue
			}
		case c.Element.String() == kind && c.Name == name, strings.HasPrefix(c.Name, name+"."):
			continue
		}
		rest = append(rest, c)
	}
	return rest
}

// lineOf returns the start of a range as file:line.
func lineOf(r hcl.Range) string {
	if r.Filename == "" || r.Start.Line == 0 {
		return r.Filename
	}
	return fmt.Sprintf("%s:%d", r.Filename, r.Start.Line)
}

// A Hunk is a run of whole lines of one file and the lines that replace them.
type Hunk struct {
	File          string
	Line, now     int // of the first line, before and after the repair
	old, new      []string
	before, after []string // lines around them that stay
	unended       bool     // the last line of after is the file's, and has no line end
}

// ContextLines is the number of unchanged lines that a patch has on each side, as in git and diff -u.
const ContextLines = 3

// Hunks turns edits into hunks, in the order of the text. It reports false if an edit is not of whole lines, or if a line cannot be shown
// as it is: then no patch can be shown that could be applied.
func Hunks(edits []finding.Edit) ([]Hunk, bool) {
	var all []Hunk
	shift := map[string]int{} // lines that the hunks above add
	ended := hcl.Range{}      // of the edit above
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b finding.Edit) int {
		if a.Range.Filename != b.Range.Filename {
			return strings.Compare(a.Range.Filename, b.Range.Filename)
		}
		return a.Range.Start.Byte - b.Range.Start.Byte
	})
	for _, e := range sorted {
		h := Hunk{File: e.Range.Filename, Line: e.Range.Start.Line, old: linesOf(e.Old), new: linesOf(e.New)}
		unended := !wholeLines(e.Old) && !wholeLines(e.New) && last(h.old) == last(h.new)
		if e.Range.Start.Column > 1 || !unended && (!wholeLines(e.Old) || !wholeLines(e.New)) {
			return nil, false
		}
		// an edit has ContextLines on each side, but at the ends of the file and next to another
		opens := e.Range.Start.Line == 1 || ended.Filename == h.File && ended.End.Byte == e.Range.Start.Byte
		h.trim(unended, !opens && min(len(h.old), len(h.new)) == ContextLines)
		ended = e.Range
		if slices.ContainsFunc(slices.Concat(h.old, h.new, h.before, h.after), func(l string) bool { return !Exact(l) }) {
			return nil, false
		}
		if len(h.old)+len(h.new) == 0 { // nothing changes
			continue
		}
		h.now = h.Line + shift[h.File]
		shift[h.File] += len(h.new) - len(h.old)
		all = append(all, h)
	}
	return all, true
}

// Exact reports whether a line may be shown as it is: it contains nothing that a terminal or a workflow runner would act on.
func Exact(l string) bool {
	l = strings.ReplaceAll(l, "\t", " ")
	return escape.Printable(l) == l && !escape.Commands.MatchString(l)
}

// wholeLines reports whether s is empty or ends with a line break.
func wholeLines(s string) bool { return s == "" || strings.HasSuffix(s, "\n") }

// linesOf splits s into lines without their ends.
func linesOf(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

// trim removes the lines that both sides share at either end, and keeps up to ContextLines of them as context. Where a change could as well
// be a few lines further up or down, it is where its lines are blocks or attributes of their own, the furthest down of these. It is not
// where no line would follow it, unless the file ends there: git takes that for the end of the file.
func (h *Hunk) trim(unended, ends bool) {
	n := shared(h.old, h.new)
	m := sharedAtEnd(h.old[n:], h.new[n:])
	if fewer := min(len(h.old), len(h.new)); n+m == fewer { // only removed or added
		lines, far := h.old, sharedAtEnd(h.old, h.new)
		if len(h.new) > fewer {
			lines = h.new
		}
		if m == 0 && !ends && far > 0 {
			m = 1
		}
		best := m
		for k := m; k <= far; k++ {
			if isWhole(lines[fewer-k : len(lines)-k]) {
				best = k
				break
			}
		}
		n, m = fewer-best, best
	}
	h.before, h.after = h.old[max(0, n-ContextLines):n], h.old[len(h.old)-m:len(h.old)-max(0, m-ContextLines)]
	h.unended = unended && m <= ContextLines
	h.old, h.new, h.Line = h.old[n:len(h.old)-m], h.new[n:len(h.new)-m], h.Line+n
}

// isWhole reports whether lines close what they open, and nothing else.
func isWhole(lines []string) bool {
	open := 0
	for _, l := range lines {
		for _, c := range l {
			switch c {
			case '{', '[', '(':
				open++
			case '}', ']', ')':
				open--
			}
			if open < 0 {
				return false
			}
		}
	}
	return open == 0
}

// shared returns how many lines at the beginning two texts share.
func shared(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// sharedAtEnd returns how many lines at the end two texts share.
func sharedAtEnd(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// Header returns the range line of a unified diff (POSIX, diff -U). A side without lines names the line before it.
func (h *Hunk) Header() string {
	side := func(line, n int) string {
		line, n = line-len(h.before), n+len(h.before)+len(h.after)
		if n == 0 {
			line--
		}
		return fmt.Sprintf("%d,%d", line, n)
	}
	return "@@ -" + side(h.Line, len(h.old)) + " +" + side(h.now, len(h.new)) + " @@"
}

// Patch returns the lines of a unified diff, which git apply accepts.
func Patch(all []Hunk) []string {
	var lines []string
	for i, h := range all {
		if i == 0 || h.File != all[i-1].File {
			lines = append(lines, "--- a/"+escape.Visible(h.File, escape.NameLength), "+++ b/"+escape.Visible(h.File, escape.NameLength))
		}
		lines = append(lines, h.Header())
		lines = append(lines, h.InContext()...)
	}
	return lines
}

// InContext returns the lines of a hunk with the unchanged lines around them.
func (h *Hunk) InContext() []string {
	lines := slices.Concat(prefixed(" ", h.before), h.Body(), prefixed(" ", h.after))
	if h.unended {
		lines = append(lines, `\ No newline at end of file`)
	}
	return lines
}

// prefixed puts a sign before each line.
func prefixed(sign string, lines []string) []string {
	return Mapped(lines, func(l string) string { return sign + l })
}

// Body returns the removed and the added lines of a hunk with their signs.
func (h *Hunk) Body() []string {
	return append(prefixed("-", h.old), prefixed("+", h.new)...)
}

// ShortPatch is the number of lines up to which a repair is shown before the run that explains it.
const ShortPatch = 10

// NoPatch replaces a repair that cannot be shown as text to apply.
const NoPatch = "(The text to apply is in --format json.)"

// LengthOf returns how many lines the hunks take without context.
func LengthOf(all []Hunk) int {
	n := 0
	for _, h := range all {
		n += 1 + len(h.old) + len(h.new)
	}
	return n
}

// A Suggestion is a repair in the form that GitHub offers to apply: whole lines of a file, and their replacement.
type Suggestion struct {
	File        string
	First, Last int // lines that go
	Old         []string
	Block       string // the Markdown block with the lines that replace them
}

// Suggest turns a repair into a suggestion. It reports false if the repair is not in one piece, only adds lines, or cannot be shown as it
// is: a suggestion must be exactly what the file will contain.
func Suggest(r finding.Repair) (Suggestion, bool) {
	all, ok := Hunks(r.Edits)
	if !ok || len(all) != 1 || len(all[0].old) == 0 {
		return Suggestion{}, false
	}
	h := all[0]
	if slices.ContainsFunc(h.new, func(l string) bool { return strings.Contains(l, "```") }) { // whether GitHub reads a longer fence is not documented
		return Suggestion{}, false
	}
	lines := append(append([]string{"```suggestion"}, h.new...), "```")
	return Suggestion{h.File, h.Line, h.Line + len(h.old) - 1, h.old, strings.Join(lines, "\n") + "\n"}, true
}
