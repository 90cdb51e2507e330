package edit

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/hclspec"
)

// A patch collects the changes of one file.
type patch struct {
	file   *file
	gone   []bool // by line
	cuts   []cut
	pieces map[int][]*piece // by the line they come before; the number of lines means the end
}

// A cut replaces bytes within lines that stay.
type cut struct {
	from, to int
	text     []byte
}

// A piece is a group of lines from another text.
type piece struct {
	text         []byte
	above, below bool // a blank line was there
	first        bool // it comes before others in its place
	rank, at     int  // then by side, and by its offset in its text
	line         int
	node         *node      // the block it is; or
	attr         *attribute // the attribute
}

func newPatch(f *file) *patch {
	return &patch{file: f, gone: make([]bool, len(f.lines)), pieces: map[int][]*piece{}}
}

func (p *patch) remove(s span) {
	for i := s.from; i < s.to; i++ {
		p.gone[i] = true
	}
}

func (p *patch) cut(at hcl.Range, text []byte) {
	p.cuts = append(p.cuts, cut{at.Start.Byte, at.End.Byte, text})
}

// settle sorts cuts and pieces into the order of the file.
func (p *patch) settle() {
	slices.SortFunc(p.cuts, func(a, b cut) int { return cmp.Compare(a.from, b.from) })
	for _, list := range p.pieces {
		slices.SortFunc(list, earlier)
	}
}

// earlier orders the pieces of one place.
func earlier(a, b *piece) int {
	if a.first != b.first {
		return map[bool]int{true: -1, false: 1}[a.first]
	}
	return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.at, b.at))
}

// tidy removes the blank lines that removed lines leave: one of two, and the one at an end of a body.
func (p *patch) tidy() {
	for i := 0; i < len(p.gone); i++ {
		if !p.gone[i] {
			continue
		}
		from := i
		bare := len(p.pieces[i]) == 0
		for i+1 < len(p.gone) && p.gone[i+1] {
			i++
			bare = bare && len(p.pieces[i]) == 0
		}
		if bare && len(p.pieces[i+1]) == 0 {
			p.tidyAround(from, i+1)
		}
	}
}

// tidyAround removes the blank lines around one range of removed lines.
func (p *patch) tidyAround(from, to int) {
	lines := p.file.lines
	opens := from == 0 || lines[from-1].opens
	closes := to == len(lines) || lines[to].closes
	switch {
	case to < len(lines) && lines[to].blank && (opens || lines[from-1].blank):
		for ; to < len(lines) && lines[to].blank; to++ {
			p.gone[to] = true
		}
	case closes && from > 0:
		for ; from > 0 && lines[from-1].blank; from-- {
			p.gone[from-1] = true
		}
	}
}

// walk calls put for each replaced range of bytes in some lines, in order. Pieces before the first of the lines are not included, unless these
// are all lines.
func (p *patch) walk(s span, put func(from, to int, text []byte)) {
	all := s == span{0, len(p.file.lines)}
	cuts := p.cuts
	above := line{opens: true}
	for i := s.from; i <= s.to; i++ {
		if all || i > s.from && i < s.to {
			at := p.file.end()
			if i < len(p.gone) {
				at = p.file.lines[i].start
			}
			for k, piece := range p.pieces[i] {
				text := piece.between(above, p.below(i, k))
				above = line{blank: bytes.HasSuffix(text, []byte("\n\n"))}
				put(at, at, text)
			}
		}
		if i == s.to {
			return
		}
		l := p.file.lines[i]
		if p.gone[i] {
			put(l.start, l.end, nil)
			continue
		}
		above = l
		for len(cuts) > 0 && cuts[0].from < l.end {
			if cuts[0].from >= l.start {
				put(cuts[0].from, cuts[0].to, cuts[0].text)
			}
			cuts = cuts[1:]
		}
	}
}

// below returns the line after piece k before line i; a closing one if there is none.
func (p *patch) below(i, k int) line {
	if k+1 < len(p.pieces[i]) {
		return line{blank: p.pieces[i][k+1].above}
	}
	for i < len(p.gone) && p.gone[i] {
		i++
	}
	if i == len(p.gone) {
		return line{closes: true}
	}
	return p.file.lines[i]
}

// between returns the text of a piece with the blank lines it had, unless its neighbours provide them.
func (p *piece) between(above, below line) []byte {
	text := p.text
	if above.unended {
		text = slices.Concat([]byte("\n"), text)
	}
	if p.above && !above.blank && !above.opens {
		text = slices.Concat([]byte("\n"), text)
	}
	if p.below && !below.blank && !below.closes {
		text = slices.Concat(text, []byte("\n"))
	}
	return text
}

// render returns lines with the changes within them.
func (p *patch) render(s span) []byte {
	var out []byte
	at := p.file.lines[s.from].start
	p.walk(s, func(from, to int, text []byte) {
		out = append(append(out, p.file.src[at:from]...), text...)
		at = to
	})
	return append(out, p.file.src[at:p.file.lines[s.to-1].end]...)
}

// whole returns the changes of the file, in order; adjacent ones are joined.
func (p *patch) whole() []cut {
	var list []cut
	p.walk(span{0, len(p.file.lines)}, func(from, to int, text []byte) {
		if n := len(list); n > 0 && list[n-1].to == from {
			list[n-1].to, list[n-1].text = to, slices.Concat(list[n-1].text, text)
			return
		}
		list = append(list, cut{from, to, text})
	})
	return slices.DeleteFunc(list, func(c cut) bool { return bytes.Equal(p.file.src[c.from:c.to], c.text) })
}

// text returns the file with all changes made.
func (p *patch) text() []byte {
	var out []byte
	at := 0
	for _, c := range p.whole() {
		out = append(append(out, p.file.src[at:c.from]...), c.text...)
		at = c.to
	}
	return append(out, p.file.src[at:]...)
}

// splices returns the changes with their ranges in lines and columns.
func (p *patch) splices() []Splice {
	var list []Splice
	for _, c := range p.whole() {
		at := hcl.Range{Filename: p.file.name, Start: hclspec.PosAt(p.file.src, c.from), End: hclspec.PosAt(p.file.src, c.to)}
		list = append(list, Splice{Range: at, Old: string(p.file.src[c.from:c.to]), New: string(c.text)})
	}
	return list
}
