package page

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/report"
)

// maxLines is how much of a block of the text is shown.
const maxLines = 30

// A Passage is a block of a contract's text, as it stands there.
type Passage struct {
	At   string `json:"at"` // file:line
	Text string `json:"text"`
}

// passages finds blocks of a contract's text, each once.
type passages struct {
	source *hclspec.Source
	bodies map[string]*hclsyntax.Body // by file, nil where it can't be parsed
	at     map[hcl.Range]int
	list   []Passage
}

func passagesOf(s *hclspec.Source) *passages {
	return &passages{source: s, bodies: map[string]*hclsyntax.Body{}, at: map[hcl.Range]int{}}
}

// find numbers the block whose header is at a range; -1: it is in no text.
func (p *passages) find(header hcl.Range) int {
	header.End = hcl.Pos{}
	if n, known := p.at[header]; known {
		return n
	}
	text, ok := p.source.Files[header.Filename]
	if !ok || header.Start.Line == 0 {
		return -1
	}
	n := len(p.list)
	p.at[header], p.list = n, append(p.list, Passage{
		At:   fmt.Sprintf("%s:%d", report.PlainText(header.Filename), header.Start.Line),
		Text: excerpt(text, p.block(header, text)),
	})
	return n
}

// block is the whole block that begins with a header, or the header's line.
func (p *passages) block(header hcl.Range, text []byte) hcl.Range {
	body, known := p.bodies[header.Filename]
	if !known {
		file, _ := hclsyntax.ParseConfig(text, header.Filename, hcl.InitialPos) // what is wrong with it is told elsewhere
		if file != nil {
			body, _ = file.Body.(*hclsyntax.Body)
		}
		p.bodies[header.Filename] = body
	}
	if found := blockAt(body, header.Start.Byte); found != nil {
		return found.Range()
	}
	return hcl.Range{Start: header.Start, End: header.Start}
}

func blockAt(body *hclsyntax.Body, at int) *hclsyntax.Block {
	if body == nil {
		return nil
	}
	for _, b := range body.Blocks {
		if b.TypeRange.Start.Byte == at {
			return b
		}
		if r := b.Range(); r.Start.Byte < at && at < r.End.Byte {
			return blockAt(b.Body, at)
		}
	}
	return nil
}

// excerpt is the lines of a range, without the indentation that all of them have.
func excerpt(text []byte, r hcl.Range) string {
	all := strings.Split(string(text), "\n")
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
		out = append(out, report.PlainCode(l[cut:]))
	}
	if more > 0 {
		out = append(out, "…")
	}
	return strings.Join(out, "\n")
}
