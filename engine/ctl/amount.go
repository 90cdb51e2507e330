package ctl

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// An Amount is a sum of counters, each times a number, and of a number: seller.delay + 2 * buyer.delay - 3.
type Amount struct {
	Terms  []term
	Number int
}

// A term is a counter times a number.
type term struct {
	Times int
	Of    Ref // party.counter
}

// A Comparison compares two amounts.
type Comparison struct {
	Left  Amount
	Sign  string // == != < <= > >=
	Right Amount
}

// Refs returns the counters that are compared, in source order, each occurrence separately.
func (c *Comparison) Refs() []Ref {
	var all []Ref
	for _, side := range []Amount{c.Left, c.Right} {
		for _, t := range side.Terms {
			all = append(all, t.Of)
		}
	}
	return all
}

// Renamed returns a copy in which every counter has the name that a function gives it.
func (c *Comparison) Renamed(name func(string) string) *Comparison {
	return c.mapped(func(r Ref) Ref { return Ref{name(r.Name), r.From, r.To} })
}

func (c *Comparison) mapped(ref func(Ref) Ref) *Comparison {
	return &Comparison{c.Left.mapped(ref), c.Sign, c.Right.mapped(ref)}
}

func (a Amount) mapped(ref func(Ref) Ref) Amount {
	b := Amount{Number: a.Number}
	for _, t := range a.Terms {
		b.Terms = append(b.Terms, term{t.Times, ref(t.Of)})
	}
	return b
}

// Plain returns the counter and the number of a comparison of one counter with a number, as in seller.paid >= 2.
func (c *Comparison) Plain() (of Ref, number int, ok bool) {
	if len(c.Left.Terms) != 1 || len(c.Right.Terms) != 0 || c.Left.Number != 0 || c.Left.Terms[0].Times != 1 {
		return Ref{}, 0, false
	}
	return c.Left.Terms[0].Of, c.Right.Number, true
}

func (c *Comparison) String() string {
	name := func(r Ref) string { return r.Name }
	return c.Spelled(name)
}

// Spelled returns the text of a comparison in which a function spells the counters.
func (c *Comparison) Spelled(of func(Ref) string) string {
	return c.Left.spelled(of) + " " + c.Sign + " " + c.Right.spelled(of)
}

func (a Amount) spelled(of func(Ref) string) string {
	var b strings.Builder
	for i, t := range a.Terms {
		b.WriteString(joint(i == 0, t.Times < 0))
		if t.Times != 1 && t.Times != -1 {
			fmt.Fprintf(&b, "%d * ", magnitude(t.Times))
		}
		b.WriteString(of(t.Of))
	}
	if a.Number != 0 || len(a.Terms) == 0 {
		b.WriteString(joint(len(a.Terms) == 0, a.Number < 0))
		fmt.Fprint(&b, magnitude(a.Number))
	}
	return b.String()
}

// joint returns the sign before a part of a sum.
func joint(first, negative bool) string {
	switch {
	case first && negative:
		return "-"
	case first:
		return ""
	case negative:
		return " - "
	}
	return " + "
}

func magnitude(n int) uint {
	if n < 0 {
		return -uint(n)
	}
	return uint(n)
}

// maxNumber bounds the numbers of an amount, either way, so that nothing overflows that is computed from a few of them.
const maxNumber = 1 << 53

// words says what + and * do not mean.
const words = `for "or" write ||, for "and" &&`

// operand reads a name, a call, a bracket or a comparison. What it reads may be an amount, which only a bracket around it may use.
func (p *parser) operand() *Formula {
	from := p.tok.from
	left := p.sum()
	if p.tok.kind != compare {
		return left
	}
	sign := p.tok
	p.advance()
	if !p.opensAmount() {
		hint := comparisonHint(sign.text)
		if plain := map[string]string{"true": "", "false": "!"}; p.tok.kind == name && left.Name != "" && sign.text != "!=" {
			if not, is := plain[p.tok.text]; is {
				hint = fmt.Sprintf("write %s%s alone", not, left.Name)
			}
		}
		p.fail(sign, fmt.Sprintf("%q means nothing here", sign.text), hint)
		return left
	}
	c := &Comparison{Left: p.amountOf(left), Sign: sign.text}
	c.Right = p.amountOf(p.sum())
	if c.Sign == "=" {
		c.Sign = "=="
	}
	if _, _, plain := c.Plain(); !plain {
		p.bounded(sign, c.Left.Number)
		p.bounded(sign, c.Right.Number)
	}
	if p.tok.kind == compare {
		p.fail(p.tok, fmt.Sprintf("%s after %s needs &&: the two do not chain", p.tok.text, sign.text), "write p < q && q < r")
	}
	return &Formula{Op: Atom, Name: c.String(), Compare: c, From: from, To: p.last}
}

// opensAmount reports whether an amount may begin with the next token.
func (p *parser) opensAmount() bool {
	switch p.tok.kind {
	case number, minus, open:
		return true
	}
	return p.tok.kind == name && !slices.Contains(reserved, p.tok.text)
}

// sum reads parts joined by + and -.
func (p *parser) sum() *Formula {
	from := p.tok.from
	left := p.product()
	for p.tok.kind == plus || p.tok.kind == minus {
		sign := p.tok
		a := p.amountOf(left)
		p.advance()
		b := p.amountOf(p.product())
		if sign.kind == minus {
			b = p.times(sign, b, Amount{Number: -1})
		}
		a.Terms, a.Number = append(a.Terms, b.Terms...), p.bounded(sign, p.bounded(sign, a.Number)+p.bounded(sign, b.Number))
		left = &Formula{amount: &a, From: from, To: p.last}
	}
	return left
}

// product reads factors joined by *, all but one of which are numbers.
func (p *parser) product() *Formula {
	from := p.tok.from
	left := p.factor()
	for p.tok.kind == times {
		sign := p.tok
		a := p.amountOf(left)
		p.advance()
		b := p.times(sign, a, p.amountOf(p.factor()))
		left = &Formula{amount: &b, From: from, To: p.last}
	}
	return left
}

// factor reads a number, a name, a call or a bracket, with a sign before it or none.
func (p *parser) factor() *Formula {
	t := p.tok
	switch t.kind {
	case number:
		n, err := strconv.Atoi(t.text)
		if err != nil {
			p.fail(t, "the number is too large", "")
		}
		p.advance()
		return &Formula{amount: &Amount{Number: n}, From: t.from, To: t.to}
	case minus:
		defer func() { p.depth-- }()
		if !p.deeper() {
			return &Formula{}
		}
		p.advance()
		a := p.times(t, p.amountOf(p.factor()), Amount{Number: -1})
		return &Formula{amount: &a, From: t.from, To: p.last}
	case open:
		return p.bracket()
	}
	if t.kind != name || slices.Contains(reserved, t.text) {
		p.fail(t, fmt.Sprintf("a counter or a number is expected after %q", p.before.text), cmp.Or(p.notation.hints[t.text], words))
		return &Formula{}
	}
	return p.atom()
}

// times returns the product of two amounts, one of which must be a number.
func (p *parser) times(sign token, a, b Amount) Amount {
	if len(a.Terms) > 0 {
		a, b = b, a
	}
	if len(a.Terms) > 0 {
		p.fail(sign, "a counter is multiplied by numbers only", "compare each counter by itself, or count the product")
		return Amount{}
	}
	c := Amount{Number: p.multiplied(sign, a.Number, b.Number)}
	for _, t := range b.Terms {
		c.Terms = append(c.Terms, term{p.multiplied(sign, a.Number, t.Times), t.Of})
	}
	return c
}

func (p *parser) multiplied(sign token, a, b int) int {
	if high, low := bits.Mul(magnitude(a), magnitude(b)); high > 0 || low > maxNumber && magnitude(a) != 1 && magnitude(b) != 1 {
		return p.bounded(sign, maxNumber+1)
	}
	return a * b
}

// bounded returns a number, and reports one that is too large.
func (p *parser) bounded(sign token, n int) int {
	if magnitude(n) > maxNumber {
		p.fail(sign, "the number is too large", "")
		return 0
	}
	return n
}

// amountOf returns what a part of a comparison adds up to: of a name, the counter.
func (p *parser) amountOf(f *Formula) Amount {
	switch {
	case f.amount != nil:
		return *f.amount
	case p.err == nil && f.Op == Atom && f.Call == nil && f.Compare == nil:
		return Amount{Terms: []term{{1, Ref{f.Name, f.From, f.To}}}}
	case p.err == nil:
		p.set(&SyntaxError{f.From, f.To, fmt.Sprintf("%q is true or false, and only numbers are added and compared", p.text[f.From:f.To]), "for \"both or neither\" write <->, " + words})
	}
	return Amount{}
}

// truth returns a formula, and reports an amount that nothing compares.
func (p *parser) truth(f *Formula) *Formula {
	if f.amount == nil || p.err != nil {
		return f
	}
	p.set(&SyntaxError{f.From, f.To, fmt.Sprintf("%q is a number, neither true nor false", p.text[f.From:f.To]),
		"compare it, as in a.paid + b.paid >= 2; " + words})
	return &Formula{}
}
