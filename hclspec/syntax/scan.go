package syntax

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/diag"
)

// The parser and the evaluator recurse, so a loop over tokens bounds the depth first.
const (
	maxNesting   = 64    // brackets, braces, texts and interpolations open at once
	maxOperators = 1_000 // operators one inside the other, in one expression
	maxDigits    = 100   // of one number: reading digits takes quadratic time
	maxPieces    = 1_000 // lines or pieces of one text: the parser joins them in quadratic time
)

// Scan reports whether a file may be parsed. If not, it reports the mistake to the sink.
func Scan(s *diag.Sink, name string, src []byte) bool {
	if at := firstInvalid(src); at >= 0 {
		s.Mistake(diag.NotUTF8, hclspec.RangeAt(name, src, at, 1), "The file is not UTF-8 text.",
			fmt.Sprintf("Byte 0x%02x cannot stand here. Save the file as UTF-8.", src[at]))
		return false
	}
	if at, r := FirstHidden(string(src)); at >= 0 {
		s.Mistake(diag.HiddenCharacter, hclspec.RangeAt(name, src, at, utf8.RuneLen(r)),
			fmt.Sprintf("The file contains the hidden character U+%04X.", r), HiddenDetail)
		return false
	}
	tokens, _ := hclsyntax.LexConfig(src, name, hcl.InitialPos) // the parser reports what the lexer finds
	return scanTokens(s, tokens)
}

// HiddenDetail is the hint on a hidden character.
const HiddenDetail = "It makes text look different from what it says. Remove it."

func firstInvalid(src []byte) int {
	if utf8.Valid(src) {
		return -1
	}
	for at := 0; ; {
		r, n := utf8.DecodeRune(src[at:])
		if r == utf8.RuneError && n <= 1 {
			return at
		}
		at += n
	}
}

// FirstHidden returns the place and the rune of the first hidden character, -1 if there is none: NUL and the characters that reorder text
// without showing (Boucher and Anderson, Trojan Source: Invisible Vulnerabilities, 2021).
func FirstHidden(text string) (int, rune) {
	for at, r := range text {
		if r == 0 || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 {
			return at, r
		}
	}
	return -1, 0
}

// A level is one open bracket, brace, text or interpolation.
type level struct {
	open      hclsyntax.TokenType
	operators int // since the last comma, or the last line end if that ends an expression
	pieces    int
}

// A depth tracks the open levels through the tokens.
type depth struct {
	levels    []level
	operators int // over all levels
}

// scanTokens reports whether nesting, operators, numbers and texts are within their limits. It reports the first mistake.
func scanTokens(s *diag.Sink, tokens hclsyntax.Tokens) bool {
	d := depth{levels: []level{{open: hclsyntax.TokenOBrace}}}
	for _, t := range tokens {
		d.see(t)
		top := d.levels[len(d.levels)-1]
		switch {
		case t.Type == hclsyntax.TokenTemplateControl:
			s.Mistake(diag.Unsupported, t.Range, "A text contains a template directive.",
				"Only ${...} is understood in texts. Write %%{ for the characters %{.")
		case len(d.levels) > maxNesting+1:
			s.Mistake(diag.NestedTooDeep, t.Range, "Brackets are nested too deep.",
				"At most 64 brackets, braces, texts and ${ may be open at once.")
		case d.operators > maxOperators:
			s.Mistake(diag.ExpressionTooLong, t.Range, "An expression is too long.",
				"An expression has at most 1,000 operators. Give parts of it names in a locals block.")
		case t.Type == hclsyntax.TokenNumberLit && len(t.Bytes) > maxDigits:
			s.Mistake(diag.ValueTooLarge, t.Range, "A number is too long.", "A number has at most 100 digits.")
		case t.Type == hclsyntax.TokenNumberLit && outsized(string(t.Bytes)):
			refuseOutsized(s, t)
		case top.pieces > maxPieces:
			s.Mistake(diag.ValueTooLarge, t.Range, "A text has too many lines.",
				"A text has at most 1,000 lines.")
		default:
			continue
		}
		return false
	}
	return true
}

// outsized reports whether a number has an exponent beyond a thousand.
func outsized(number string) bool {
	_, exponent, _ := strings.Cut(strings.ToLower(number), "e")
	n, err := strconv.Atoi(exponent)
	return exponent != "" && (err != nil || max(n, -n) > 1000)
}

// refuseOutsized reports a number with an exponent beyond a thousand.
func refuseOutsized(s *diag.Sink, t hclsyntax.Token) {
	limit := "large; the largest exponent is 1000, as in 1e1000."
	if strings.Contains(string(t.Bytes), "-") {
		limit = "small; the smallest exponent is -1000, as in 1e-1000."
	}
	s.Mistake(diag.ValueTooLarge, t.Range, fmt.Sprintf("Number %s is too %s", t.Bytes, limit), "")
}

// see updates the levels by one token.
func (d *depth) see(t hclsyntax.Token) {
	top := &d.levels[len(d.levels)-1]
	switch t.Type {
	case hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenOParen, hclsyntax.TokenOQuote,
		hclsyntax.TokenOHeredoc, hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
		d.count(top)
		d.levels = append(d.levels, level{open: t.Type})
	case hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenCParen, hclsyntax.TokenCQuote,
		hclsyntax.TokenCHeredoc, hclsyntax.TokenTemplateSeqEnd:
		d.leave()
	case hclsyntax.TokenComma:
		d.restart(top)
	case hclsyntax.TokenNewline, hclsyntax.TokenComment:
		if top.open == hclsyntax.TokenOBrace {
			d.restart(top)
		}
	case hclsyntax.TokenQuotedLit, hclsyntax.TokenStringLit:
		top.pieces++
	case hclsyntax.TokenIdent, hclsyntax.TokenNumberLit, hclsyntax.TokenEqual, hclsyntax.TokenEOF:
	default:
		d.count(top)
	}
}

func (d *depth) count(top *level) {
	top.operators++
	d.operators++
}

func (d *depth) restart(top *level) {
	d.operators -= top.operators
	top.operators = 0
}

func (d *depth) leave() {
	d.restart(&d.levels[len(d.levels)-1])
	if len(d.levels) > 1 {
		d.levels = d.levels[:len(d.levels)-1]
	}
}
