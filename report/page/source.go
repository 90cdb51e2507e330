package page

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec/load"
	"github.com/redlinehq/redline/report/words"
)

// maxLines is the number of lines of a block that are shown.
const maxLines = 30

// A passage is a block of a contract's source text.
type passage struct {
	At   string `json:"at"` // file:line
	Text string `json:"text"`
}

// passages finds blocks of a contract's source text, each once.
type passages struct {
	source *load.Source
	files  map[string]*fileText
	at     map[hcl.Range]int
	list   []passage
}

// A fileText is the text of a file and its syntax tree.
type fileText struct {
	body  *hclsyntax.Body // nil if it cannot be parsed
	lines []string
}

// passagesOf returns the passages of a contract's source.
func passagesOf(s *load.Source) *passages {
	return &passages{source: s, files: map[string]*fileText{}, at: map[hcl.Range]int{}}
}

// find returns the number of the block whose header is at a range, or -1 if no text has it.
func (p *passages) find(header hcl.Range) int {
	header.End = hcl.Pos{}
	if n, known := p.at[header]; known {
		return n
	}
	file := p.file(header.Filename)
	if file == nil || header.Start.Line == 0 {
		return -1
	}
	n := len(p.list)
	p.at[header], p.list = n, append(p.list, passage{
		At:   fmt.Sprintf("%s:%d", words.PlainText(header.Filename), header.Start.Line),
		Text: excerpt(file.lines, file.block(header)),
	})
	return n
}

// file parses a file once. It returns nil if there is none of that name.
func (p *passages) file(name string) *fileText {
	if f, known := p.files[name]; known {
		return f
	}
	text, ok := p.source.Files[name]
	if !ok {
		return nil
	}
	f := &fileText{lines: strings.Split(string(text), "\n")}
	if parsed, _ := hclsyntax.ParseConfig(text, name, hcl.InitialPos); parsed != nil { // its errors are reported elsewhere
		f.body, _ = parsed.Body.(*hclsyntax.Body)
	}
	p.files[name] = f
	return f
}

// block returns the whole block that begins with a header, or the header's line.
func (f *fileText) block(header hcl.Range) hcl.Range {
	if found := blockAt(f.body, header.Start.Byte); found != nil {
		return found.Range()
	}
	return hcl.Range{Start: header.Start, End: header.Start}
}

// blockAt returns the block that begins at a byte, or nil. Blocks are in the order of the text.
func blockAt(body *hclsyntax.Body, at int) *hclsyntax.Block {
	for body != nil {
		next, same := slices.BinarySearchFunc(body.Blocks, at, func(b *hclsyntax.Block, at int) int { return b.TypeRange.Start.Byte - at })
		if same {
			return body.Blocks[next]
		}
		if next == 0 || at >= body.Blocks[next-1].Range().End.Byte {
			return nil
		}
		body = body.Blocks[next-1].Body
	}
	return nil
}

// excerpt returns the lines of a range without the indentation of the first.
func excerpt(all []string, r hcl.Range) string {
	first, last := r.Start.Line-1, max(r.Start.Line, r.End.Line)
	if first < 0 || first >= len(all) {
		return ""
	}
	lines := all[first:min(last, len(all))]
	more := len(lines) - maxLines
	lines = lines[:min(len(lines), maxLines)]
	margin := len(lines[0]) - len(strings.TrimLeft(lines[0], " \t"))
	out := make([]string, 0, len(lines)+1)
	for _, l := range lines {
		cut := min(margin, len(l)-len(strings.TrimLeft(l, " \t")))
		out = append(out, words.PlainCode(l[cut:]))
	}
	if more > 0 {
		out = append(out, "…")
	}
	return strings.Join(out, "\n")
}
