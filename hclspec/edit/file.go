package edit

import (
	"bytes"
	"slices"
	"sort"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// A file is the bytes of one file by lines of tokens. An element that HCL's grammar allows on a line of its own begins such a line and ends
// one. A heredoc or a comment is within one line, however long it is.
type file struct {
	name   string
	src    []byte
	tokens hclsyntax.Tokens
	mark   int // bytes of a byte order mark, which are on no line
	lines  []line
}

type line struct {
	start, end int // bytes; the line end is part of it
	blank      bool
	remark     bool // nothing but comments
	opens      bool // ends in an opening brace
	closes     bool // begins with a closing one
	unended    bool // no line end
}

// A span is a range of lines, without the line to.
type span struct{ from, to int }

func newFile(name string, src []byte) *file {
	f := &file{name: name, src: src, mark: len(src) - len(bytes.TrimPrefix(src, []byte("\xef\xbb\xbf")))}
	f.tokens, _ = hclsyntax.LexConfig(src, name, hcl.InitialPos) // the parser accepted them
	first := 0
	for i, t := range f.tokens {
		if endsLine(t) {
			f.line(f.tokens[first:i+1], t.Range.End.Byte)
			first = i + 1
		}
	}
	if f.end() < len(src) {
		f.line(f.tokens[first:], len(src))
	}
	return f
}

// endsLine reports whether a token is a line end, or ends with one. A # comment does.
func endsLine(t hclsyntax.Token) bool {
	return t.Type == hclsyntax.TokenNewline || t.Type == hclsyntax.TokenComment && bytes.HasSuffix(t.Bytes, []byte("\n"))
}

func (f *file) line(tokens hclsyntax.Tokens, end int) {
	l := line{start: f.end(), end: end, blank: true}
	var said hclsyntax.Tokens
	for _, t := range tokens {
		switch t.Type {
		case hclsyntax.TokenNewline, hclsyntax.TokenEOF:
		case hclsyntax.TokenComment:
			l.blank = false
		default:
			said, l.blank = append(said, t), false
		}
	}
	l.remark, l.unended = !l.blank && said == nil, f.src[end-1] != '\n'
	if said != nil {
		l.opens = said[len(said)-1].Type == hclsyntax.TokenOBrace
		l.closes = said[0].Type == hclsyntax.TokenCBrace
	}
	f.lines = append(f.lines, l)
}

// end returns the end of the lines so far.
func (f *file) end() int {
	if len(f.lines) == 0 {
		return f.mark
	}
	return f.lines[len(f.lines)-1].end
}

// lineAt returns the line of a byte.
func (f *file) lineAt(at int) int {
	return sort.Search(len(f.lines), func(i int) bool { return f.lines[i].end > at })
}

// spanOf returns the lines from one byte to another, and the comments right above.
func (f *file) spanOf(from, to int) span {
	s := span{f.lineAt(from), f.lineAt(max(from, to-1)) + 1}
	for s.from > 0 && f.lines[s.from-1].remark {
		s.from--
	}
	return s
}

// text returns the bytes of lines, with a line end.
func (f *file) text(s span) []byte {
	raw := f.src[f.lines[s.from].start:f.lines[s.to-1].end]
	if !bytes.HasSuffix(raw, []byte("\n")) {
		raw = append(bytes.Clone(raw), '\n')
	}
	return raw
}

// indent returns the blanks at the start of the line of a byte.
func (f *file) indent(at int) []byte {
	l := f.src[f.lines[f.lineAt(at)].start:]
	n := 0
	for n < len(l) && (l[n] == ' ' || l[n] == '\t') {
		n++
	}
	return l[:n]
}

// between returns the tokens that start between two bytes.
func (f *file) between(from, to int) hclsyntax.Tokens {
	i := sort.Search(len(f.tokens), func(i int) bool { return f.tokens[i].Range.Start.Byte >= from })
	j := i + sort.Search(len(f.tokens)-i, func(k int) bool { return f.tokens[i+k].Range.Start.Byte >= to })
	return f.tokens[i:j]
}

// canon returns an expression without layout and comments. Of line ends, only those that separate the items of an object stay, as commas.
func canon(tokens hclsyntax.Tokens) []byte {
	var out []byte
	var open []bool // brackets not yet closed: do line ends count?
	pending, opened := false, false
	for _, t := range tokens {
		switch {
		case t.Type == hclsyntax.TokenComma, endsLine(t):
			ends := len(open) > 0 && open[len(open)-1] && !opened
			pending = pending || t.Type == hclsyntax.TokenComma || ends
			continue
		case t.Type == hclsyntax.TokenComment:
			continue
		case closer(t.Type):
			pending = false
			open = open[:max(0, len(open)-1)]
		}
		if pending {
			out, pending = append(out, ',', 0), false
		}
		out = append(append(out, t.Bytes...), 0)
		if opened = opener(t.Type); opened {
			open = append(open, t.Type == hclsyntax.TokenOBrace)
		}
	}
	return out
}

func opener(t hclsyntax.TokenType) bool {
	return slices.Contains([]hclsyntax.TokenType{hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenOParen, hclsyntax.TokenOQuote,
		hclsyntax.TokenOHeredoc, hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl}, t)
}

func closer(t hclsyntax.TokenType) bool {
	return slices.Contains([]hclsyntax.TokenType{hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenCParen, hclsyntax.TokenCQuote,
		hclsyntax.TokenCHeredoc, hclsyntax.TokenTemplateSeqEnd}, t)
}
