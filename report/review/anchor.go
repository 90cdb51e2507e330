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

// An anchor is the place of a remark: lines of a file in head, or the file as a whole.
type anchor struct {
	path        string
	first, last int
	suggestion  string // the Markdown block that replaces these lines; empty: none
}

// anchors finds places for remarks in a pull request: lines that comments may be attached to, and the line in head for a line of the
// reviewed text. The reviewed text is the merge of head and base, so other people's lines may be in between.
type anchors struct {
	merged, head fs.FS
	files        map[string]github.File
	read         map[string]*fileAnchors // files read so far
}

// fileAnchors has both versions of a file.
type fileAnchors struct {
	merged, head []byte
	lines        []string        // of head; split on the first use
	from, to     *hclsyntax.Body // nil where a version cannot be parsed
	hunks        []hunk
	ok           bool // both versions exist
}

// anchorsOf returns the anchors of the files that a pull request changes.
func anchorsOf(merged, head fs.FS, files []github.File) anchors {
	a := anchors{merged, head, map[string]github.File{}, map[string]*fileAnchors{}}
	for _, f := range files {
		if f.Status != "removed" {
			a.files[f.Path] = f
		}
	}
	return a
}

// anchors returns the possible places of a remark, best first: the lines of a repair that can be applied there, a line to blame, the
// promise, and the file of one of these. It returns nil if the pull request changes none of these files.
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

// line returns the anchor for a line of the reviewed text, if the diff shows that line.
func (a anchors) line(at hcl.Range) []anchor {
	n, ok := a.inHead(at)
	if !ok {
		return nil
	}
	if !inHunk(a.sheet(at.Filename).hunks, n, n) {
		return nil
	}
	return []anchor{{path: at.Filename, first: n, last: n}}
}

// takenOut returns the line where the diff shows that a block was removed.
func (a anchors) takenOut(b finding.Block) (int, bool) {
	f, ok := a.files[b.Source.Filename]
	if b.Action != "removed" || !ok || b.Was.Filename != b.Source.Filename && b.Was.Filename != f.Previous {
		return 0, false
	}
	header := b.Name[strings.LastIndex(b.Name, " / ")+1:]
	return whereGone(a.sheet(f.Path).hunks, b.Was.Start.Line, strings.TrimSpace(strings.TrimPrefix(header, "/ ")))
}

// suggested returns the lines of head that a repair replaces. They must be the same as in the reviewed text, and in one hunk.
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
	if !inHunk(a.sheet(s.File).hunks, first, last) {
		return nil
	}
	return []anchor{{s.File, first, last, s.Block}}
}

// same returns the first line of a suggestion's old lines in head: at the same place if the file is the same, or else where they occur
// once.
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

// inHead returns the line in head of a place in the reviewed text. It follows the block's type and names, and then the attribute.
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

// sheet reads both versions of a contract's file. It reads no other files, since the name may be foreign text.
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

// readText reads a regular file of limited size.
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

// bodyOf parses a contract's text. It returns nil if that fails.
func bodyOf(text []byte) *hclsyntax.Body {
	const name = "a.contract.hcl"
	bodies, _ := syntax.Parse(map[string][]byte{name: text})
	return bodies[name]
}

// follow finds the position of one text in another. It descends into blocks of the same type and names, and returns the line of the
// attribute or header at the position.
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

// counterpart returns the block among others that has the type and names of all[i], or nil. Of several, it takes the one with as many
// before it.
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

// promised returns the place in head of the promise that a finding is about.
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
