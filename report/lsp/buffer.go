package lsp

import (
	"sort"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
)

// A buffer is the text of a file. It converts between byte offsets, which hcl counts, and positions in UTF-16 code units, which editors
// count.
type buffer struct {
	src   string
	lines []int // offset of each line's beginning
	ascii bool  // every byte is one code unit
}

func newBuffer(src string) *buffer {
	t := &buffer{src: src, lines: []int{0}, ascii: true}
	for i := range len(src) {
		t.ascii = t.ascii && src[i] < utf8.RuneSelf
		if src[i] == '\n' || src[i] == '\r' && (i+1 == len(src) || src[i+1] != '\n') {
			t.lines = append(t.lines, i+1)
		}
	}
	return t
}

// offset returns the byte offset of a position. Positions outside are moved to the nearest end, as the specification says of characters past
// the end of a line.
func (t *buffer) offset(p position) int {
	if p.Line < 0 {
		return 0
	}
	if p.Line >= len(t.lines) {
		return len(t.src)
	}
	at, end := t.lines[p.Line], len(t.src)
	if p.Line+1 < len(t.lines) {
		end = t.lines[p.Line+1] - 1
	}
	for units := 0; at < end && t.src[at] != '\r'; {
		r, n := utf8.DecodeRuneInString(t.src[at:])
		if units += utf16.RuneLen(r); units > p.Character {
			break
		}
		at += n
	}
	return at
}

// position is the inverse of offset.
func (t *buffer) position(offset int) position {
	offset = min(max(offset, 0), len(t.src))
	line := sort.SearchInts(t.lines, offset+1) - 1
	if t.ascii {
		return position{line, offset - t.lines[line]}
	}
	units := 0
	for _, r := range t.src[t.lines[line]:offset] {
		units += utf16.RuneLen(r)
	}
	return position{line, units}
}

func (t *buffer) span(from, to int) span { return span{t.position(from), t.position(max(from, to))} }

func (t *buffer) spanOf(r hcl.Range) span { return t.span(r.Start.Byte, r.End.Byte) }

// change returns the text after one change of the editor.
func (t *buffer) change(c contentChange) *buffer {
	if c.Range == nil {
		return newBuffer(c.Text)
	}
	from := t.offset(c.Range.Start)
	to := max(from, t.offset(c.Range.End))
	return newBuffer(t.src[:from] + c.Text + t.src[to:])
}
