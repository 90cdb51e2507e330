package hclspec

import (
	"sort"

	"github.com/hashicorp/hcl/v2"
)

// A Formula is formula text as the drafter wrote it, with the way back to the source. It is parsed
// in engine/ctl: this package knows HCL, not logic.
type Formula struct {
	Text     string
	Notation Notation
	Range    hcl.Range // the whole attribute value
	// Scope says, in a phase, what its template's names of parties, nets, documents and norms stand for; of events as
	// event.NAME. Those of documents are there as document.NAME, too: of title.seller the holder is renamed as well.
	Scope   map[string]string
	Pattern *Pattern // nil: Text is the formula; else it lists the pattern's operands
	Ideal   bool     // it speaks of the runs without a breach, not of all
	Spans   []Span
}

// A Span says where the bytes Text[at:] up to the next span stand in the source. Where they are not written out
// there (an escape, an interpolation), source is all that stands for them.
type Span struct {
	At      int
	Source  hcl.Range
	Written bool // byte for byte
}

// Source is the range in the file of the bytes Text[from:to]. Offsets outside of Text are moved to its nearest end.
// What came from an escape or an interpolation has the range of all of it.
func (f *Formula) Source(from, to int) hcl.Range {
	from = min(max(from, 0), len(f.Text))
	to = min(max(to, from), len(f.Text))
	if len(f.Spans) == 0 {
		return f.Range
	}
	r := hcl.Range{Filename: f.Range.Filename, Start: f.start(from)}
	if r.End = r.Start; to > from {
		r.End = f.end(to)
	}
	return r
}

// span returns the index of the last span that starts at or before offset.
func (f *Formula) span(offset int) int {
	return max(0, sort.Search(len(f.Spans), func(i int) bool { return f.Spans[i].At > offset })-1)
}

func (f *Formula) start(offset int) hcl.Pos {
	if offset == len(f.Text) {
		return f.Spans[len(f.Spans)-1].Source.End
	}
	s := f.Spans[f.span(offset)]
	if !s.Written {
		return s.Source.Start
	}
	return Advance(s.Source.Start, f.Text[s.At:offset])
}

func (f *Formula) end(offset int) hcl.Pos {
	s := f.Spans[f.span(offset-1)]
	if !s.Written {
		return s.Source.End
	}
	return Advance(s.Source.Start, f.Text[s.At:offset])
}
