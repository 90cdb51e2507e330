package review

import (
	"bytes"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/syntax"
	"github.com/redlinehq/redline/report/github"
	"github.com/redlinehq/redline/report/words"
)

// An anchor is where a remark stands: at lines of head's file, or, without a line, at the file.
type anchor struct {
	path        string
	first, last int
	suggestion  string // the block that stands for these lines; empty: none
}

// anchors finds places in the pull request's files: lines that comments may be attached to, and the line of head's file for a line of what
// was reviewed. That is the merge of head and base, where other people's lines come between.
type anchors struct {
	merged, head fs.FS
	files        map[string]github.File
	read         map[string]*fileAnchors // files that were read, once each
}

// fileAnchors is both versions of a file.
type fileAnchors struct {
	merged, head []byte
	lines        []string        // of head; split on the first use
	from, to     *hclsyntax.Body // nil where a version is no HCL
	hunks        []hunk
	ok           bool // both are there
}

func anchorsOf(merged, head fs.FS, files []github.File) anchors {
	a := anchors{merged, head, map[string]github.File{}, map[string]*fileAnchors{}}
	for _, f := range files {
		if f.Status != "removed" {
			a.files[f.Path] = f
		}
	}
	return a
}

// anchors lists where a remark may stand, best first: at the lines of a repair that can be applied there; at a line to blame;
// at the promise; at the file of one of these. It is empty where the pull request changes none of these files.
func (a anchors) anchors(f *finding.Finding, promise hcl.Range, suggest bool) []anchor {
	var all []anchor
	if suggest {
		all = append(all, a.suggested(f.Repairs)...)
	}
	var blamed []finding.Block
	if f.Blame != nil {
		blamed = f.Blame.Blocks
	}
	var at []hcl.Range
	for _, b := range blamed {
		at = append(at, b.Source)
		if line, ok := a.takenOut(b); ok {
			all = append(all, anchor{path: b.Source.Filename, first: line, last: line})
		}
		all = append(all, a.line(b.Source)...)
	}
	at = append(at, promise)
	all = append(all, a.line(promise)...)
	for _, r := range at {
		if _, ok := a.files[r.Filename]; ok {
			all = append(all, anchor{path: r.Filename})
		}
	}
	return all
}

// line is where a line of what was reviewed stands in head's file, if the diff shows it.
func (a anchors) line(at hcl.Range) []anchor {
	n, ok := a.inHead(at)
	if !ok {
		return nil
	}
	if _, ok := holding(a.sheet(at.Filename).hunks, n, n); !ok {
		return nil
	}
	return []anchor{{path: at.Filename, first: n, last: n}}
}

// takenOut finds where the diff shows that a block was removed.
func (a anchors) takenOut(b finding.Block) (int, bool) {
	f, ok := a.files[b.Source.Filename]
	if b.Action != "removed" || !ok || b.Was.Filename != b.Source.Filename && b.Was.Filename != f.Previous {
		return 0, false
	}
	header := b.Name[strings.LastIndex(b.Name, " / ")+1:]
	return whereGone(a.sheet(f.Path).hunks, b.Was.Start.Line, strings.TrimSpace(strings.TrimPrefix(header, "/ ")))
}

// suggested lists the lines of head's file that a repair puts others in place of, if they stand there as they stood in what was
// reviewed, and in one hunk.
func (a anchors) suggested(all []finding.Repair) []anchor {
	if len(all) == 0 {
		return nil
	}
	s, ok := words.Suggest(all[0])
	if !ok {
		return nil
	}
	first, ok := a.same(s)
	if !ok {
		return nil
	}
	last := first + s.Last - s.First
	if _, ok := holding(a.sheet(s.File).hunks, first, last); !ok {
		return nil
	}
	return []anchor{{s.File, first, last, s.Block}}
}

// same finds the lines of a suggestion in head's file: at their place, or where they stand once.
func (a anchors) same(s words.Suggestion) (int, bool) {
	at := a.sheet(s.File)
	if !at.ok {
		return 0, false
	}
	if at.lines == nil {
		at.lines = strings.Split(string(at.head), "\n")
	}
	lines, found, same := at.lines, 0, bytes.Equal(at.merged, at.head)
	for i := 0; i+len(s.Old) <= len(lines); i++ {
		if !slices.Equal(lines[i:i+len(s.Old)], s.Old) {
			continue
		}
		if same && i+1 == s.First {
			return s.First, true
		}
		if found != 0 {
			found = -1
		} else {
			found = i + 1
		}
	}
	return found, found > 0 && !same
}

// inHead finds a place of what was reviewed in head's file: the block, known by its type and names, and in it the attribute.
func (a anchors) inHead(at hcl.Range) (int, bool) {
	s := a.sheet(at.Filename)
	switch {
	case !s.ok || at.Start.Line < 1:
		return 0, false
	case bytes.Equal(s.merged, s.head):
		return at.Start.Line, true
	case s.from == nil || s.to == nil:
		return 0, false
	}
	return follow(s.from, s.to, at.Start)
}

// fileAnchors reads both versions of a contract's file. Nothing else is read: names may come from a stranger.
func (a anchors) sheet(name string) *fileAnchors {
	if s := a.read[name]; s != nil {
		return s
	}
	s := &fileAnchors{hunks: hunksOf(a.files[name].Patch)}
	a.read[name] = s
	if a.merged == nil || a.head == nil || !strings.HasSuffix(name, ".contract.hcl") {
		return s
	}
	var has bool
	s.merged, has = readText(a.merged, name)
	if s.head, s.ok = readText(a.head, name); !has {
		s.ok = false
	}
	if s.ok && !bytes.Equal(s.merged, s.head) {
		s.from, s.to = bodyOf(s.merged), bodyOf(s.head)
	}
	return s
}

func readText(tree fs.FS, name string) ([]byte, bool) {
	if !fs.ValidPath(name) {
		return nil, false
	}
	info, err := fs.Stat(tree, name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > hclspec.MaxFileSize {
		return nil, false
	}
	raw, err := fs.ReadFile(tree, name)
	return raw, err == nil
}

func bodyOf(text []byte) *hclsyntax.Body {
	const name = "a.contract.hcl"
	bodies, _ := syntax.Parse(map[string][]byte{name: text})
	return bodies[name]
}

// follow walks into the blocks of one text that hold a position, and into those of the same type and names in another. It
// returns the line of the attribute, or of the header, that the position is at.
func follow(from, to *hclsyntax.Body, at hcl.Pos) (int, bool) {
	line := 0
	for {
		i := slices.IndexFunc(from.Blocks, func(b *hclsyntax.Block) bool { return within(b.Range(), at) })
		if i < 0 {
			break
		}
		same := counterpart(from.Blocks, i, to.Blocks)
		if same == nil {
			return 0, false
		}
		line, from, to = same.TypeRange.Start.Line, from.Blocks[i].Body, same.Body
	}
	for name, attr := range from.Attributes {
		other := to.Attributes[name]
		if within(attr.SrcRange, at) && other != nil {
			height := other.SrcRange.End.Line - other.SrcRange.Start.Line
			return other.SrcRange.Start.Line + min(height, at.Line-attr.SrcRange.Start.Line), true
		}
	}
	return line, line > 0
}

// within reports whether a range holds a position, by lines and columns.
func within(r hcl.Range, at hcl.Pos) bool {
	before := func(a, b hcl.Pos) bool { return a.Line < b.Line || a.Line == b.Line && a.Column < b.Column }
	return !before(at, r.Start) && before(at, r.End)
}

// counterpart is the block among others that has the type and names of all[i]; of several such, the one with as many before it.
func counterpart(all []*hclsyntax.Block, i int, others []*hclsyntax.Block) *hclsyntax.Block {
	like := func(b *hclsyntax.Block) bool { return b.Type == all[i].Type && slices.Equal(b.Labels, all[i].Labels) }
	before := 0
	for _, b := range all[:i] {
		if like(b) {
			before++
		}
	}
	for _, b := range others {
		if like(b) {
			if before == 0 {
				return b
			}
			before--
		}
	}
	return nil
}

// promised is where what a finding breaks is promised, on head.
func promised(m *matter) hcl.Range {
	if m.contract.Head == nil || m.finding.Head == nil && m.finding.Check == nil {
		return hcl.Range{}
	}
	at := placeOf(*m.finding, m.contract.Head)
	if at.Filename == "" || path.Clean(at.Filename) != at.Filename {
		return hcl.Range{}
	}
	return at
}
