package expr

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/diag"
)

// Formula reads an attribute that holds a formula. It is nil if the attribute is not given or wrong.
func (ev *Evaluator) Formula(body *hclsyntax.Body, name string, n hclspec.Notation) *hclspec.Formula {
	if attr := body.Attributes[name]; attr != nil && ev.Unquoted(name, attr.Expr) {
		return nil
	}
	text, ok := ev.Text(body, name)
	if !ok {
		return nil
	}
	e := body.Attributes[name].Expr
	return &hclspec.Formula{Text: text, Notation: n, Range: e.Range(), Spans: ev.Spans(e, text)}
}

// Unquoted reports a formula without quotes that HCL can read: one of names that are no values.
func (ev *Evaluator) Unquoted(name string, e hclsyntax.Expression) bool {
	for _, t := range e.Variables() {
		if slices.Contains(valueRoots, t.RootName()) {
			return false
		}
	}
	switch e := e.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		if len(e.Traversal) == 1 {
			return false
		}
	case *hclsyntax.FunctionCallExpr:
		if !slices.Contains(temporal, e.Name) {
			return false
		}
	case *hclsyntax.BinaryOpExpr, *hclsyntax.UnaryOpExpr:
	default:
		return false
	}
	ev.Mistake(diag.Syntax, e.Range(), "A formula stands in quotes.", fmt.Sprintf("Write %s = %q.", name, e.Range().SliceBytes(ev.content[e.Range().Filename])))
	return true
}

// valueRoots lists the first words of references to values, and temporal the operators that HCL reads as functions.
var (
	valueRoots = []string{"local", "var", "param", "count", "each"}
	temporal   = []string{"AG", "AF", "AX", "EG", "EF", "EX", "A", "E", "F", "G", "happened", "enabled", "before"}
)

// Spans maps the value of an expression back to the source.
func (ev *Evaluator) Spans(e hclsyntax.Expression, text string) []hclspec.Span {
	whole := []hclspec.Span{{Source: e.Range()}}
	t, ok := e.(*hclsyntax.TemplateExpr)
	if !ok {
		return whole
	}
	src := ev.content[e.Range().Filename]
	quoted := bytes.HasPrefix(t.SrcRange.SliceBytes(src), []byte{'"'})
	var all []hclspec.Span
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
			all = AppendSpans(all, at, lit)
		} else {
			all = append(all, hclspec.Span{At: at, Source: r})
		}
		at += len(value)
	}
	return all
}

// AppendSpans appends spans, shifted by an offset.
func AppendSpans(all []hclspec.Span, at int, more []hclspec.Span) []hclspec.Span {
	for _, s := range more {
		s.At += at
		all = append(all, s)
	}
	return all
}

// part returns the text that one part of a template adds. The template as a whole is evaluated already.
func (ev *Evaluator) part(e hclsyntax.Expression) (string, bool) {
	v, found := e.Value(ev.Context(e))
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

// literalSpans maps a literal part line by line: in a heredoc started by <<- each line has lost some of its leading spaces. It is nil if the
// source does not spell the value.
func literalSpans(raw, value string, quoted bool, r hcl.Range) []hclspec.Span {
	var all []hclspec.Span
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
		all = AppendSpans(all, at, dropFront(spans, cut))
		at, pos = at+len(rest), end
	}
	if at != len(value) {
		return nil
	}
	return all
}

// dropFront removes the first cut bytes, all of them spaces, from the spans of a line.
func dropFront(spans []hclspec.Span, cut int) []hclspec.Span {
	if cut == 0 || len(spans) == 0 {
		return spans
	}
	first := spans[0]
	first.Source.Start.Byte += cut
	first.Source.Start.Column += cut
	spans[0] = first
	for i := range spans[1:] {
		spans[i+1].At -= cut
	}
	return spans
}

// spell decodes one line of a literal into spans, the position after it, and its text.
func spell(line string, quoted bool, pos hcl.Pos, file string) ([]hclspec.Span, hcl.Pos, string) {
	var spans []hclspec.Span
	var text strings.Builder
	for line != "" {
		n, value := escape(line, quoted)
		written := n == 0
		if written {
			n = 1 + strings.IndexAny(line[1:]+"\\", `\$%`)
			value = line[:n]
		}
		end := hclspec.Advance(pos, line[:n])
		spans = append(spans, hclspec.Span{At: text.Len(), Source: hcl.Range{Filename: file, Start: pos, End: end}, Written: written})
		text.WriteString(value)
		line, pos = line[n:], end
	}
	return spans, pos, text.String()
}

// escape decodes the escape that s starts with, and returns its length in bytes; 0 if there is none.
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

// spelled returns the source of an expression in the canonical layout.
func (ev *Evaluator) spelled(e hclsyntax.Expression) string {
	return Layout(e.Range().SliceBytes(ev.content[e.Range().Filename]))
}

// Layout returns the text of an expression in the canonical layout, on one line and without comments.
func Layout(text []byte) string {
	tokens, _ := hclsyntax.LexExpression(text, "", hcl.InitialPos)
	var line []byte
	before := hclsyntax.TokenNewline
	for _, t := range tokens {
		switch t.Type {
		case hclsyntax.TokenEOF, hclsyntax.TokenNewline, hclsyntax.TokenComment:
			continue
		case hclsyntax.TokenQuotedLit, hclsyntax.TokenCQuote, hclsyntax.TokenTemplateInterp: // a blank would be part of a text
		default:
			if before != hclsyntax.TokenOQuote && before != hclsyntax.TokenQuotedLit {
				line = append(line, ' ')
			}
		}
		line, before = append(line, t.Bytes...), t.Type
	}
	return strings.TrimSpace(string(hclwrite.Format(line)))
}
