package ctl

import (
	"fmt"
	"slices"
)

// Limits of a formula's text. They bound the cost of hostile input.
const (
	maxText  = 64 << 10 // bytes
	maxDepth = 200      // brackets, prefix operators and -> inside one another
)

// A SyntaxError reports what is wrong with text[From:To] of a formula.
type SyntaxError struct {
	From, To int    // byte offsets, 0 <= From <= To <= len(text)
	Message  string // one sentence, without its full stop
	Hint     string // what to write instead; may be empty
}

func (e *SyntaxError) Error() string {
	text := fmt.Sprintf("at byte %d: %s", e.From, e.Message)
	if e.Hint != "" {
		text += "; " + e.Hint
	}
	return text
}

// Parse reads a formula in standard CTL, such as AG (p -> A[q U r]). An error is a *SyntaxError.
//
// Operators, tightest first: *; + and -; comparisons; ! and the prefix operators EX AX EF AF EG AG; && ; || ; -> (to the
// right); <->; all p in party: and some p in party:, which reach as far to the right as they can. E[p U q], A[p U q], E[p W q], A[p W q] bring their own brackets.
func Parse(text string) (*Formula, error) { return parse(text, &standard) }

// ParseTable1 reads a formula in the notation of the paper's Table 1, such as G(p -> (q AU r)). An
// error is a *SyntaxError.
//
// Operators, tightest first: *; + and -; comparisons; ! and the prefix operators E A F G; the infix Au Eu EU AU, which do
// not chain; & ; | ; -> (to the right); <->; all p in party: and some p in party:.
func ParseTable1(text string) (*Formula, error) { return parse(text, &table1) }

type parser struct {
	text     string
	notation *notation
	tok      token // the next token
	before   token // the one before it
	last     int   // where that ends
	depth    int
	err      *SyntaxError // the first one; after it, all tokens are end
}

func parse(text string, n *notation) (*Formula, error) {
	if len(text) > maxText {
		return nil, &SyntaxError{maxText, len(text), fmt.Sprintf("the formula is longer than %d bytes", maxText), ""}
	}
	p := &parser{text: text, notation: n}
	p.advance()
	if p.tok.kind == end && p.err == nil {
		return nil, &SyntaxError{0, len(text), "the formula is empty", ""}
	}
	f := p.formula(lowest)
	if p.tok.kind != end && !p.worded() {
		p.fail(p.tok, p.afterwards(), p.hint())
	}
	if p.err != nil {
		return nil, p.err
	}
	return f, nil
}

func (p *parser) afterwards() string {
	switch p.tok.kind {
	case compare:
		return fmt.Sprintf("%q means nothing here", p.tok.text)
	case closing, closeSquare:
		return fmt.Sprintf("%q closes a bracket that was never opened", p.tok.text)
	case openSquare:
		return "a square bracket belongs only to E[...] and A[...]"
	}
	return fmt.Sprintf("expected an operator or the end of the formula, found %q", p.tok.text)
}

// advance reads the next token. After an error, every token is the end.
func (p *parser) advance() {
	p.before, p.last = p.tok, p.tok.to
	tok, err := next(p.text, p.tok.to)
	if err != nil {
		p.set(err)
		return
	}
	p.tok = tok
}

func (p *parser) fail(t token, message, hint string) {
	p.set(&SyntaxError{t.from, t.to, message, hint})
}

func (p *parser) set(err *SyntaxError) {
	if p.err == nil {
		p.err = err
	}
	p.tok = token{kind: end, from: len(p.text), to: len(p.text)}
}

// deeper enters one level of nesting, and reports whether the limit allows it.
func (p *parser) deeper() bool {
	p.depth++
	if p.depth > maxDepth {
		p.fail(p.tok, fmt.Sprintf("the formula nests more than %d levels deep", maxDepth), "")
	}
	return p.err == nil
}

// Binding strengths of infix operators.
const (
	lowest = iota + 1
	strengthImplies
	strengthOr
	strengthAnd
	strengthUntil
	strengthPrefix
)

// infix returns the infix operator of a token and its strength, or 0.
func (p *parser) infix(t token) (Op, int) {
	switch t.kind {
	case iff:
		return Iff, lowest
	case implies:
		return Implies, strengthImplies
	case or:
		return Or, strengthOr
	case and:
		return And, strengthAnd
	case name:
		if op, ok := p.notation.infix[t.text]; ok {
			return op, strengthUntil
		}
	}
	return 0, 0
}

// formula reads a formula whose infix operators bind at least as strongly as min.
func (p *parser) formula(min int) *Formula { return p.truth(p.expression(min)) }

// expression reads a formula or an amount, with infix operators that bind at least as strongly as min (operator
// precedence climbing: Martin Richards, 1979, BCPL, the language and its compiler).
func (p *parser) expression(min int) *Formula {
	from := p.tok.from
	left := p.prefix()
	for {
		op, strength := p.infix(p.tok)
		if strength < min {
			return left
		}
		sign := p.tok
		p.advance()
		left = &Formula{Op: op, Left: p.truth(left), Right: p.rightOf(op, strength), From: from, To: p.last}
		if again, _ := p.infix(p.tok); strength == strengthUntil && again >= EU {
			p.fail(p.tok, fmt.Sprintf("%s after %s needs brackets: the two do not chain", p.tok.text, sign.text),
				fmt.Sprintf("write (p %s q) %s r or p %s (q %s r)", sign.text, p.tok.text, sign.text, p.tok.text))
		}
	}
}

// rightOf reads the right operand of an infix operator: -> associates to the right, others don't.
func (p *parser) rightOf(op Op, strength int) *Formula {
	if op != Implies {
		return p.formula(strength + 1)
	}
	defer func() { p.depth-- }()
	if !p.deeper() {
		return &Formula{}
	}
	return p.formula(strength)
}

// prefix reads an operand: prefix operators before an atom, a constant or a bracket.
func (p *parser) prefix() *Formula {
	t := p.tok
	switch {
	case t.kind == open, t.kind == number, t.kind == minus:
		return p.operand()
	case t.kind == bang:
		return p.unary(Not)
	case t.kind == name && t.text == "true":
		return p.leaf(True)
	case t.kind == name && t.text == "false":
		return p.leaf(False)
	case t.kind == name && (t.text == "all" || t.text == "some"):
		return p.quantifier()
	case t.kind == name && !slices.Contains(reserved, t.text):
		return p.operand()
	}
	if op, ok := p.notation.prefix[t.text]; ok {
		return p.unary(op)
	}
	if p.notation.square && (t.text == "E" || t.text == "A") {
		return p.path()
	}
	p.fail(t, p.expectedOperand(), p.notation.hints[t.text])
	return &Formula{}
}

// cutShort says what is missing at the end of a formula.
func (p *parser) cutShort() string {
	after := ""
	if p.before.text != "" {
		after = fmt.Sprintf(" after %q", p.before.text)
	}
	return "the formula ends too early: a condition, such as party.state, is missing" + after
}

func (p *parser) expectedOperand() string {
	if p.tok.kind == end {
		return p.cutShort()
	}
	if p.tok.kind == name {
		return fmt.Sprintf("%q means nothing here in %s", p.tok.text, p.notation.title)
	}
	return fmt.Sprintf("expected a place, a prefix operator or \"(\", found %q", p.tok.text)
}

func (p *parser) leaf(op Op) *Formula {
	f := &Formula{Op: op, From: p.tok.from, To: p.tok.to}
	p.advance()
	return f
}

func (p *parser) unary(op Op) *Formula {
	defer func() { p.depth-- }()
	from := p.tok.from
	if !p.deeper() {
		return &Formula{}
	}
	p.advance()
	return &Formula{Op: op, Left: p.truth(p.prefix()), From: from, To: p.last}
}

// bracket reads ( formula ) or ( amount ). Its own From and To leave the brackets out.
func (p *parser) bracket() *Formula {
	defer func() { p.depth-- }()
	if !p.deeper() {
		return &Formula{}
	}
	opening := p.tok
	p.advance()
	f := p.expression(lowest)
	p.close(opening, closing, ")")
	return f
}

func (p *parser) close(opening token, want kind, sign string) {
	if p.tok.kind == want {
		p.advance()
		return
	}
	if p.tok.kind == end {
		p.fail(opening, fmt.Sprintf("%q is never closed", opening.text), "add "+sign)
		return
	}
	if !p.worded() {
		p.fail(p.tok, fmt.Sprintf("expected %q or an operator, found %q", sign, p.tok.text), p.notation.hints[p.tok.text])
	}
}

// worded reports a word that stands for an operator, as in "ag p" and "always p", if that is the token before the next.
func (p *parser) worded() bool {
	if p.err != nil || p.before.kind != name {
		return false
	}
	hint := p.notation.meant(p.before.text)
	if hint != "" {
		p.fail(p.before, fmt.Sprintf("%q is no operator", p.before.text), hint)
	}
	return hint != ""
}

// path reads E[p U q], A[p U q], E[p W q] or A[p W q].
func (p *parser) path() *Formula {
	defer func() { p.depth-- }()
	quantifier := p.tok
	if !p.deeper() {
		return &Formula{}
	}
	p.advance()
	if p.tok.kind != openSquare {
		p.fail(quantifier, fmt.Sprintf("%s needs a square bracket", quantifier.text), p.notation.hints[quantifier.text])
		return &Formula{}
	}
	opening := p.tok
	p.advance()
	left := p.formula(lowest)
	op, ok := standardPaths[quantifier.text+p.tok.text]
	if !ok {
		p.fail(p.tok, fmt.Sprintf("expected U, W or an operator inside %s[...]", quantifier.text), p.notation.hints[quantifier.text])
		return &Formula{}
	}
	p.advance()
	right := p.formula(lowest)
	p.close(opening, closeSquare, "]")
	return &Formula{Op: op, Left: left, Right: right, From: quantifier.from, To: p.last}
}
