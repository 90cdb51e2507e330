package lsp

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// A walker follows the tokens of a file and keeps the blocks and brackets around them. It works on tokens, since unfinished text rarely
// parses.
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

// see processes one token.
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

// leave ends the innermost frame. The end of a block also ends a statement of the frame around it.
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

// equals returns the position of a statement's equals sign, or a negative number if there is none yet.
func (f *frame) equals() int {
	return slices.IndexFunc(f.line, func(t hclsyntax.Token) bool {
		return t.Type == hclsyntax.TokenEqual || t.Type == hclsyntax.TokenColon
	})
}

// key returns what stands before the equals sign, or "" if there is none yet.
func (f *frame) key() string {
	if f.equals() < 1 {
		return ""
	}
	return string(f.line[0].Bytes)
}

// label returns the name in the header of a block.
func (f *frame) label() string {
	if len(f.line) < 2 {
		return ""
	}
	return string(f.line[1].Bytes)
}

// attribute returns the attribute whose value the next token belongs to, or "" if there is none.
func (w *walker) attribute() string {
	for _, f := range slices.Backward(w.frames) {
		if f.body {
			return f.key()
		}
	}
	return ""
}

// key returns the key, inside { }, whose value the next token belongs to, or "" where a key is expected.
func (w *walker) key() string {
	for _, f := range slices.Backward(w.frames) {
		switch {
		case f.body:
			return ""
		case f.open == hclsyntax.TokenOBrace:
			return f.key()
		}
	}
	return ""
}

// inText reports whether the next token is part of a text, and not of an interpolation ${ } in it.
func (w *walker) inText() bool {
	open := w.top().open
	return open == hclsyntax.TokenOQuote || open == hclsyntax.TokenOHeredoc
}

// blocks returns the open blocks, the outermost first.
func (w *walker) blocks() []frame {
	var all []frame
	for _, f := range w.frames[1:] {
		if f.body {
			all = append(all, f)
		}
	}
	return all
}

// prose lists the attributes whose texts are for readers and contain no references.
var prose = []string{"title", "description", "clause", "reason"}

// A spot is the place of the cursor in a file.
type spot struct {
	*walker
	path    string // the name, dots included, that ends at the spot: seller.S, or empty
	near    string // the text right before the spot
	comment bool
}

// spotAt returns the spot at the end of a text that may be unfinished.
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

// maxOpen is the maximum number of unfinished texts that closed ends.
const maxOpen = 8

// closed ends each unfinished text at the end of its line, so that what follows is not read as part of it.
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
