package hclspec

import (
	"sort"

	"github.com/hashicorp/hcl/v2"
)

// A Formula is formula text as the drafter wrote it, with its origin in the source. engine/ctl parses it: this package knows HCL, not logic.
type Formula struct {
	Text     string
	Notation Notation
	Range    hcl.Range // the whole attribute value
	// Scope maps, in a phase, the template's names of parties, nets, documents and norms to their full names. Events are listed as event.NAME.
	// Documents are also listed as document.NAME: in title.seller the holder is renamed as well.
	Scope    map[string]string
	Pattern  *Pattern  // nil: Text is the formula; else it lists the pattern's operands
	Scenario *Scenario // nil: it is no scenario; else Text is what has to be so after its steps, or empty
	Ideal    bool      // over the runs without a breach, not over all runs
	Spans    []Span
}

// A Span maps the bytes Text[at:], up to the next span, to the source. If they are not written literally there (an escape, an interpolation),
// Source is the whole construct that produced them.
type Span struct {
	At      int
	Source  hcl.Range
	Written bool // byte for byte
}

// Source returns the range in the file of the bytes Text[from:to]. Offsets outside of Text are moved to its nearest end. Bytes from an escape
// or an interpolation have the range of the whole construct.
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
