package format

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// A linePlace classifies a line of a source by its place among its neighbours.
type linePlace uint8

const (
	inside   linePlace = iota // in the middle of an expression
	blank                     // nothing but a line end, anywhere
	remark                    // nothing but comments, in a body
	argument                  // the first line of an attribute
	oneLine                   // a whole block
	opening                   // the header of a block of several lines
	closing                   // its last line
)

// A line holds the tokens up to a line end, with their classification.
type line struct {
	tokens hclsyntax.Tokens
	place  linePlace
	typ    string // the type of the block, for oneLine
}

// endsLine reports whether t is a line end, or ends with one. A # comment does.
func endsLine(t hclsyntax.Token) bool {
	return t.Type == hclsyntax.TokenNewline || t.Type == hclsyntax.TokenComment && bytes.HasSuffix(t.Bytes, []byte("\n"))
}

// splitLines cuts tokens into lines, each with its line end.
func splitLines(tokens hclsyntax.Tokens) []line {
	var lines []line
	start := 0
	for i, t := range tokens {
		if endsLine(t) {
			lines = append(lines, line{tokens: tokens[start : i+1]})
			start = i + 1
		}
	}
	if rest := tokens[start : len(tokens)-1]; len(rest) > 0 { // the last token is the end of file
		end := hclsyntax.Token{Type: hclsyntax.TokenNewline, Bytes: []byte("\n"), Range: tokens[len(tokens)-1].Range}
		if last := &rest[len(rest)-1]; last.Type == hclsyntax.TokenComment && !bytes.HasPrefix(last.Bytes, []byte("/*")) {
			last.Bytes = append(bytes.Clone(last.Bytes), '\n')
			return append(lines, line{tokens: rest})
		}
		lines = append(lines, line{tokens: append(rest[:len(rest):len(rest)], end)})
	}
	return lines
}

// blockBraces returns the byte offsets of the opening braces of all blocks under body. Every other brace belongs to an expression.
func blockBraces(body *hclsyntax.Body) map[int]bool {
	braces := map[int]bool{}
	for todo := []*hclsyntax.Body{body}; len(todo) > 0; {
		last := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, b := range last.Blocks {
			braces[b.OpenBraceRange.Start.Byte] = true
			todo = append(todo, b.Body)
		}
	}
	return braces
}

// classify sets the place of each line.
func classify(lines []line, braces map[int]bool) []line {
	var open []bool // brackets not yet closed: is it a block's?
	for i := range lines {
		l := &lines[i]
		before := len(open)
		inBody := before == 0 || open[before-1]
		header := false
		for _, t := range l.tokens {
			switch {
			case opens(t):
				open = append(open, braces[t.Range.Start.Byte])
				header = header || inBody && braces[t.Range.Start.Byte]
			case closes(t):
				open = open[:len(open)-1]
			}
		}
		l.place = l.in(inBody, header, before, len(open))
		if l.place == oneLine {
			l.typ = string(l.first().Bytes)
		}
	}
	return lines
}

// in returns the place of the line, given whether it begins in a body, whether it has a block's header, and how many brackets are open before
// and after it.
func (l *line) in(body, header bool, before, after int) linePlace {
	first := l.first()
	switch {
	case first.Type == hclsyntax.TokenNil && len(l.tokens) == 1 && l.tokens[0].Type == hclsyntax.TokenNewline:
		return blank
	case !body:
		return inside
	case first.Type == hclsyntax.TokenNil:
		return remark
	case first.Type == hclsyntax.TokenCBrace:
		return closing
	case header && before == after:
		return oneLine
	case header:
		return opening
	}
	return argument
}

// first returns the first token that is neither comment nor line end, or the zero Token.
func (l *line) first() hclsyntax.Token {
	for _, t := range l.tokens {
		if t.Type != hclsyntax.TokenComment && t.Type != hclsyntax.TokenNewline {
			return t
		}
	}
	return hclsyntax.Token{Type: hclsyntax.TokenNil, Range: hcl.Range{}}
}

// last returns the last such token, or the zero Token.
func (l *line) last() hclsyntax.Token {
	for i := len(l.tokens) - 1; i >= 0; i-- {
		if t := l.tokens[i]; t.Type != hclsyntax.TokenComment && t.Type != hclsyntax.TokenNewline {
			return t
		}
	}
	return hclsyntax.Token{Type: hclsyntax.TokenNil}
}

func opens(t hclsyntax.Token) bool {
	switch t.Type {
	case hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenOParen, hclsyntax.TokenOQuote,
		hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
		return true
	}
	return false
}

func closes(t hclsyntax.Token) bool {
	switch t.Type {
	case hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenCParen, hclsyntax.TokenCQuote, hclsyntax.TokenTemplateSeqEnd:
		return true
	}
	return false
}
