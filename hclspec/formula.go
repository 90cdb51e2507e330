package hclspec

import (
	"bytes"
	"sort"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
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
	spans   []span
}

// A span says where the bytes Text[at:] up to the next span stand in the source. Where they are not written out
// there (an escape, an interpolation), source is all that stands for them.
type span struct {
	at      int
	source  hcl.Range
	written bool // byte for byte
}

// Source is the range in the file of the bytes Text[from:to]. Offsets outside of Text are moved to its nearest end.
// What came from an escape or an interpolation has the range of all of it.
func (f *Formula) Source(from, to int) hcl.Range {
	from = min(max(from, 0), len(f.Text))
	to = min(max(to, from), len(f.Text))
	if len(f.spans) == 0 {
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
	return max(0, sort.Search(len(f.spans), func(i int) bool { return f.spans[i].at > offset })-1)
}

func (f *Formula) start(offset int) hcl.Pos {
	if offset == len(f.Text) {
		return f.spans[len(f.spans)-1].source.End
	}
	s := f.spans[f.span(offset)]
	if !s.written {
		return s.source.Start
	}
	return advance(s.source.Start, f.Text[s.at:offset])
}

func (f *Formula) end(offset int) hcl.Pos {
	s := f.spans[f.span(offset-1)]
	if !s.written {
		return s.source.End
	}
	return advance(s.source.Start, f.Text[s.at:offset])
}

// formula reads an attribute that holds a formula; nil where it is not given or wrong.
func (l *loader) formula(body *hclsyntax.Body, name string, n Notation) *Formula {
	text, ok := l.text(body, name)
	if !ok {
		return nil
	}
	e := body.Attributes[name].Expr
	return &Formula{Text: text, Notation: n, Range: e.Range(), Scope: l.scopesOf[body], spans: l.spans(e, text)}
}

// spans follows a text back to its source.
func (l *loader) spans(e hclsyntax.Expression, text string) []span {
	whole := []span{{source: e.Range()}}
	t, ok := e.(*hclsyntax.TemplateExpr)
	if !ok {
		return whole
	}
	src := l.files[e.Range().Filename]
	quoted := bytes.HasPrefix(t.SrcRange.SliceBytes(src), []byte{'"'})
	var all []span
	at := 0
	for _, part := range t.Parts {
		value, ok := l.part(part)
		if !ok || !strings.HasPrefix(text[at:], value) {
			return whole // normalisation has joined characters across parts
		}
		_, literal := part.(*hclsyntax.LiteralValueExpr)
		r := part.Range()
		raw := string(r.SliceBytes(src))
		if lit := literalSpans(raw, value, quoted, r); literal && lit != nil {
			all = appendSpans(all, at, lit)
		} else {
			all = append(all, span{at: at, source: r})
		}
		at += len(value)
	}
	return all
}

func appendSpans(all []span, at int, more []span) []span {
	for _, s := range more {
		s.at += at
		all = append(all, s)
	}
	return all
}

// part is what one part of a template, already evaluated once as a whole, adds to the text.
func (l *loader) part(e hclsyntax.Expression) (string, bool) {
	v, found := e.Value(l.context(e))
	if found.HasErrors() || v.IsNull() {
		return "", false
	}
	wrap := &hclsyntax.TemplateExpr{Parts: []hclsyntax.Expression{&hclsyntax.LiteralValueExpr{Val: v}}}
	s, found := wrap.Value(nil)
	if found.HasErrors() || s.Type() != cty.String {
		return "", false
	}
	return s.AsString(), true
}

// literalSpans follows a literal part line by line: in a heredoc started by <<- each line has lost
// some of its leading spaces. It is nil when the source does not spell the value.
func literalSpans(raw, value string, quoted bool, r hcl.Range) []span {
	var all []span
	pos, at := r.Start, 0
	for raw != "" {
		line := raw
		if i := strings.IndexByte(raw, '\n'); i >= 0 {
			line = raw[:i+1]
		}
		raw = raw[len(line):]
		rest := value[at:]
		if i := strings.IndexByte(rest, '\n'); raw != "" && i >= 0 {
			rest = rest[:i+1]
		}
		spans, end, text := spell(line, quoted, pos, r.Filename)
		cut := len(text) - len(rest)
		if !strings.HasSuffix(text, rest) || strings.TrimSpace(text[:cut]) != "" {
			return nil
		}
		all = appendSpans(all, at, dropFront(spans, cut))
		at, pos = at+len(rest), end
	}
	if at != len(value) {
		return nil
	}
	return all
}

// dropFront removes the first cut bytes, all of them spaces, from the spans of a line.
func dropFront(spans []span, cut int) []span {
	if cut == 0 || len(spans) == 0 {
		return spans
	}
	first := spans[0]
	first.source.Start.Byte += cut
	first.source.Start.Column += cut
	spans[0] = first
	for i := range spans[1:] {
		spans[i+1].at -= cut
	}
	return spans
}

// spell decodes one line of a literal into spans, the position after it, and its text.
func spell(line string, quoted bool, pos hcl.Pos, file string) ([]span, hcl.Pos, string) {
	var spans []span
	var text strings.Builder
	for line != "" {
		n, value := escape(line, quoted)
		written := n == 0
		if written {
			n = 1 + strings.IndexAny(line[1:]+"\\", `\$%`)
			value = line[:n]
		}
		end := advance(pos, line[:n])
		spans = append(spans, span{at: text.Len(), source: hcl.Range{Filename: file, Start: pos, End: end}, written: written})
		text.WriteString(value)
		line, pos = line[n:], end
	}
	return spans, pos, text.String()
}

// escape decodes the escape that s starts with, and says how many bytes it takes; none when there is none.
func escape(s string, quoted bool) (int, string) {
	if strings.HasPrefix(s, "$${") || strings.HasPrefix(s, "%%{") {
		return 3, s[1:3]
	}
	if !quoted || len(s) < 2 || s[0] != '\\' {
		return 0, ""
	}
	switch s[1] {
	case 'n':
		return 2, "\n"
	case 'r':
		return 2, "\r"
	case 't':
		return 2, "\t"
	case '"', '\\':
		return 2, s[1:2]
	case 'u':
		return hexadecimal(s, 6)
	case 'U':
		return hexadecimal(s, 10)
	}
	return 0, ""
}

func hexadecimal(s string, n int) (int, string) {
	if len(s) < n {
		return 0, ""
	}
	code, err := strconv.ParseUint(s[2:n], 16, 32)
	if err != nil {
		return 0, ""
	}
	return n, string(rune(code))
}
