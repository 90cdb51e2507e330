package hclspec

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
)

// formula reads an attribute that holds a formula. It is nil if the attribute is not given or wrong.
func (ev *evaluator) formula(body *hclsyntax.Body, name string, n Notation) *Formula {
	text, ok := ev.text(body, name)
	if !ok {
		return nil
	}
	e := body.Attributes[name].Expr
	return &Formula{Text: text, Notation: n, Range: e.Range(), spans: ev.spans(e, text)}
}

// spans traces the value of an expression back to the source.
func (ev *evaluator) spans(e hclsyntax.Expression, text string) []span {
	whole := []span{{source: e.Range()}}
	t, ok := e.(*hclsyntax.TemplateExpr)
	if !ok {
		return whole
	}
	src := ev.content[e.Range().Filename]
	quoted := bytes.HasPrefix(t.SrcRange.SliceBytes(src), []byte{'"'})
	var all []span
	at := 0
	for _, part := range t.Parts {
		value, ok := ev.part(part)
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

// appendSpans appends spans that start at an offset.
func appendSpans(all []span, at int, more []span) []span {
	for _, s := range more {
		s.at += at
		all = append(all, s)
	}
	return all
}

// part returns what one part of a template adds to the text. The template has been evaluated as a whole already.
func (ev *evaluator) part(e hclsyntax.Expression) (string, bool) {
	v, found := e.Value(ev.context(e))
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

// spelled returns an expression as the source has it, in the canonical layout.
func (ev *evaluator) spelled(e hclsyntax.Expression) string {
	r := e.Range()
	tokens, _ := hclsyntax.LexExpression(r.SliceBytes(ev.content[r.Filename]), r.Filename, r.Start)
	var words [][]byte
	for _, t := range tokens {
		switch t.Type {
		case hclsyntax.TokenEOF, hclsyntax.TokenNewline, hclsyntax.TokenComment:
		default:
			words = append(words, t.Bytes)
		}
	}
	return strings.TrimSpace(string(hclwrite.Format(bytes.Join(words, []byte{' '}))))
}
