package edit

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
)

// Lines widens splices to whole lines, including line ends, and joins those that touch the same lines. The resulting text is the same; a
// reader sees which lines change.
func (t Text) Lines(list []Splice) []Splice {
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(a, b Splice) int {
		return cmp.Or(cmp.Compare(a.Range.Filename, b.Range.Filename), cmp.Compare(a.Range.Start.Byte, b.Range.Start.Byte))
	})
	var out []Splice
	for len(sorted) > 0 {
		s, n := t.line(sorted)
		out, sorted = append(out, s), sorted[n:]
	}
	return out
}

// line returns the first of some sorted splices, widened, and how many of them it joins because they touch the same lines.
func (t Text) line(sorted []Splice) (wide Splice, n int) {
	file := sorted[0].Range.Filename
	src := t[file]
	wide = Splice{Range: wholeLines(src, sorted[0])}
	for n = 1; ; n++ {
		r := &wide.Range
		wide.Old, wide.New = string(src[r.Start.Byte:r.End.Byte]), spliced(src, *r, sorted[:n])
		open := wide.New != "" && !strings.HasSuffix(wide.New, "\n") && r.End.Byte < len(src) // a line end is gone
		if open {
			r.End = lineEnd(src, r.End)
		}
		more := n < len(sorted) && sorted[n].Range.Filename == file
		if more {
			next := wholeLines(src, sorted[n])
			if more = next.Start.Byte < r.End.Byte || next.Start == r.Start; more && next.End.Byte > r.End.Byte {
				r.End = next.End
			}
		}
		switch {
		case !more && !open:
			return wide, n
		case !more:
			n-- // the same splices, in more lines
		}
	}
}

// Around widens splices from Lines by up to n unchanged lines before and after each, the context of a patch. Splices with no line in between
// become one; no two overlap.
func (t Text) Around(list []Splice, n int) []Splice {
	var out []Splice
	for _, s := range list {
		if end := len(out) - 1; end >= 0 && out[end].Range.Filename == s.Range.Filename && out[end].Range.End.Byte == s.Range.Start.Byte {
			out[end].Range.End, out[end].Old, out[end].New = s.Range.End, out[end].Old+s.Old, out[end].New+s.New
			continue
		}
		out = append(out, s)
	}
	for i := range out {
		s, src := &out[i], t[out[i].Range.Filename]
		low, high := 0, len(src)
		if i > 0 && out[i-1].Range.Filename == s.Range.Filename {
			low = out[i-1].Range.End.Byte
		}
		if i+1 < len(out) && out[i+1].Range.Filename == s.Range.Filename {
			high = out[i+1].Range.Start.Byte
		}
		r := s.Range
		for k := 0; k < n && r.Start.Byte > low; k++ {
			r.Start = hcl.Pos{Byte: bytes.LastIndexByte(src[:r.Start.Byte-1], '\n') + 1, Line: r.Start.Line - 1, Column: 1}
		}
		for k := 0; k < n && r.End.Byte < high; k++ {
			r.End = lineEnd(src, r.End)
		}
		before, after := string(src[r.Start.Byte:s.Range.Start.Byte]), string(src[s.Range.End.Byte:r.End.Byte])
		s.Range, s.Old, s.New = r, before+s.Old+after, before+s.New+after
	}
	return out
}

// spliced returns a part of a file with its splices made.
func spliced(src []byte, r hcl.Range, list []Splice) string {
	var b bytes.Buffer
	at := r.Start.Byte
	for _, s := range list {
		b.Write(src[at:s.Range.Start.Byte])
		b.WriteString(s.New)
		at = s.Range.End.Byte
	}
	b.Write(src[at:r.End.Byte])
	return b.String()
}

// wholeLines returns the range of the lines that a splice touches. That is its own range if it replaces whole lines by whole lines, or inserts
// between two.
func wholeLines(src []byte, s Splice) hcl.Range {
	r, ended := s.Range, strings.HasSuffix(s.New, "\n")
	starts := func(at int) bool { return at == 0 || src[at-1] == '\n' }
	if (ended || s.New == "") && starts(r.Start.Byte) && starts(r.End.Byte) {
		return r
	}
	r.Start.Byte, r.Start.Column = bytes.LastIndexByte(src[:r.Start.Byte], '\n')+1, 1
	if ended && r.End.Byte > r.Start.Byte && starts(r.End.Byte) {
		return r
	}
	r.End = lineEnd(src, r.End)
	return r
}

// lineEnd returns the end of the line of a place, including its line end.
func lineEnd(src []byte, at hcl.Pos) hcl.Pos {
	if end := bytes.IndexByte(src[at.Byte:], '\n'); end >= 0 {
		return hcl.Pos{Byte: at.Byte + end + 1, Line: at.Line + 1, Column: 1}
	}
	line := bytes.LastIndexByte(src, '\n') + 1
	return hcl.Pos{Byte: len(src), Line: at.Line, Column: utf8.RuneCount(src[line:]) + 1}
}
