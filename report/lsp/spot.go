package lsp

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// A walker follows the tokens of a file and knows what they stand in. It works on tokens because a
// text that is being written is rarely one that can be parsed.
type walker struct{ frames []frame }

// A frame is one open brace, bracket, text or interpolation; the first is the file.
type frame struct {
	open      hclsyntax.TokenType
	body      bool   // of a block, or the file
	typ, name string // of the block
	line      hclsyntax.Tokens
}

func newWalker() *walker { return &walker{frames: []frame{{body: true}}} }

func (w *walker) top() *frame { return &w.frames[len(w.frames)-1] }

// see takes one token into account.
func (w *walker) see(t hclsyntax.Token) {
	switch t.Type {
	case hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenOParen, hclsyntax.TokenOQuote,
		hclsyntax.TokenOHeredoc, hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
		w.enter(t)
	case hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenCParen, hclsyntax.TokenCQuote,
		hclsyntax.TokenCHeredoc, hclsyntax.TokenTemplateSeqEnd:
		w.leave(t)
	case hclsyntax.TokenNewline:
		if w.top().body || w.top().open == hclsyntax.TokenOBrace {
			w.top().line = nil
		}
	case hclsyntax.TokenComma:
		w.top().line = nil
	case hclsyntax.TokenComment:
		if slices.Contains(t.Bytes, '\n') && w.top().body { // the line's end belongs to the comment
			w.top().line = nil
		}
	default:
		w.top().line = append(w.top().line, t)
	}
}

func (w *walker) enter(t hclsyntax.Token) {
	outer := w.top()
	inner := frame{open: t.Type}
	if t.Type == hclsyntax.TokenOBrace && outer.body && outer.equals() < 0 && len(outer.line) > 0 {
		inner.body, inner.typ, inner.name = true, string(outer.line[0].Bytes), outer.label()
	}
	w.frames = append(w.frames, inner)
}

// leave ends the innermost frame; a block ends the statement it is, too.
func (w *walker) leave(t hclsyntax.Token) {
	inner := *w.top()
	if len(w.frames) > 1 {
		w.frames = w.frames[:len(w.frames)-1]
	}
	switch {
	case inner.body:
		w.top().line = nil
	case inner.open == hclsyntax.TokenOQuote && len(inner.line) == 1:
		w.top().line = append(w.top().line, inner.line[0])
	default:
		w.top().line = append(w.top().line, t)
	}
}

// equals is where the equals sign of a statement stands; -1 when there is none yet.
func (f *frame) equals() int {
	return slices.IndexFunc(f.line, func(t hclsyntax.Token) bool {
		return t.Type == hclsyntax.TokenEqual || t.Type == hclsyntax.TokenColon
	})
}

// label is the name in the header of a block.
func (f *frame) label() string {
	if len(f.line) < 2 {
		return ""
	}
	return string(f.line[1].Bytes)
}

// attribute is the attribute whose value the next token belongs to; empty when it belongs to none.
func (w *walker) attribute() string {
	for _, f := range slices.Backward(w.frames) {
		if f.body {
			if f.equals() < 1 {
				return ""
			}
			return string(f.line[0].Bytes)
		}
	}
	return ""
}

// key is the key, inside { }, whose value the next token belongs to; empty where a key is expected.
func (w *walker) key() string {
	for _, f := range slices.Backward(w.frames) {
		switch {
		case f.body:
			return ""
		case f.open == hclsyntax.TokenOBrace:
			if f.equals() < 1 {
				return ""
			}
			return string(f.line[0].Bytes)
		}
	}
	return ""
}

// inText says whether the next token is part of a text and not of what stands in ${ } there.
func (w *walker) inText() bool {
	open := w.top().open
	return open == hclsyntax.TokenOQuote || open == hclsyntax.TokenOHeredoc
}

// blocks are the blocks that are open, the outermost first.
func (w *walker) blocks() []frame {
	var all []frame
	for _, f := range w.frames[1:] {
		if f.body {
			all = append(all, f)
		}
	}
	return all
}

// prose are the attributes whose texts are for people and mention nothing.
var prose = []string{"title", "description", "clause", "reason"}

// A spot is where in a file somebody is writing.
type spot struct {
	*walker
	path    string // the name, dots included, that ends at the spot: seller.S, or empty
	near    string // the text right before the spot
	comment bool
}

// spotAt finds out where the end of a text that goes on is.
func spotAt(before string) spot {
	s := spot{walker: newWalker(), path: pathBefore(before), near: before[max(0, len(before)-maxPath):]}
	before = closed(before)
	tokens, _ := hclsyntax.LexConfig([]byte(before), "", hcl.InitialPos)
	for _, t := range tokens {
		if t.Type == hclsyntax.TokenEOF {
			break
		}
		s.see(t)
		s.comment = t.Type == hclsyntax.TokenComment && t.Range.End.Byte == len(before) && t.Bytes[len(t.Bytes)-1] != '\n'
	}
	return s
}

// maxOpen is how many texts that were begun and left open are closed.
const maxOpen = 8

// closed ends with its line each text that goes beyond it, as somebody leaves it who writes on below.
func closed(src string) string {
	for range maxOpen {
		tokens, _ := hclsyntax.LexConfig([]byte(src), "", hcl.InitialPos)
		at := slices.IndexFunc(tokens, func(t hclsyntax.Token) bool { return t.Type == hclsyntax.TokenQuotedNewline })
		if at < 0 {
			return src
		}
		end := tokens[at].Range.Start.Byte
		src = src[:end] + `"` + src[end:]
	}
	return src
}
