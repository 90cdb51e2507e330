package page

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"

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
	lines  map[string][]string // of each file
	at     map[hcl.Range]int
	list   []passage
}

// passagesOf returns the passages of a contract's source.
func passagesOf(s *load.Source) *passages {
	return &passages{source: s, lines: map[string][]string{}, at: map[hcl.Range]int{}}
}

// find returns the number of the block whose header is at a range, or -1 if no text has it.
func (p *passages) find(header hcl.Range) int {
	header.End = hcl.Pos{}
	if n, known := p.at[header]; known {
		return n
	}
	lines := p.file(header.Filename)
	if lines == nil || header.Start.Line == 0 {
		return -1
	}
	n := len(p.list)
	p.at[header], p.list = n, append(p.list, passage{
		At:   fmt.Sprintf("%s:%d", words.PlainText(header.Filename), header.Start.Line),
		Text: excerpt(lines, p.source.Block(header)),
	})
	return n
}

// file returns the lines of a file, split once. It returns nil if there is none of that name.
func (p *passages) file(name string) []string {
	lines, known := p.lines[name]
	if text, ok := p.source.Files[name]; ok && !known {
		lines = strings.Split(string(text), "\n")
		p.lines[name] = lines
	}
	return lines
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
