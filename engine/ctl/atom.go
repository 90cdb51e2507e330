package ctl

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// arity has the functions of events and their numbers of arguments.
var arity = map[string]int{"happened": 1, "enabled": 1, "before": 2}

const calls = "happened(e), enabled(e), before(e1, e2)"

// atom reads a name, and the call that it begins.
func (p *parser) atom() *Formula {
	t := p.tok
	f := &Formula{Op: Atom, Name: strings.Clone(t.text), From: t.from, To: t.to}
	p.advance()
	if p.tok.kind == open {
		p.call(f, t)
	}
	return f
}

// call reads (e1, e2) after a function's name.
func (p *parser) call(f *Formula, function token) {
	want, known := arity[function.text]
	if hint := p.notation.meant(function.text); !known && hint != "" {
		p.fail(function, fmt.Sprintf("%q is no operator", function.text), hint)
		return
	}
	if !known {
		p.fail(function, fmt.Sprintf("%q cannot be asked of events", function.text), "there are "+calls)
		return
	}
	c := &Call{Function: f.Name}
	opening := p.tok
	for p.tok.kind == open && c.Args == nil || p.tok.kind == comma {
		p.advance()
		if p.tok.kind != name {
			p.fail(p.tok, fmt.Sprintf("the name of an event is expected after %q", p.text[function.from:p.last]), "there are "+calls)
			return
		}
		c.Args = append(c.Args, ref(p.tok))
		p.advance()
	}
	if p.tok.kind != closing && p.tok.kind != end {
		p.fail(p.tok, fmt.Sprintf("expected \",\" or \")\", found %q", p.tok.text), "there are "+calls)
	}
	p.close(opening, closing, ")")
	if p.err == nil && len(c.Args) != want {
		p.set(&SyntaxError{f.From, p.last, fmt.Sprintf("%s needs the names of events: %d, not %d", f.Name, want, len(c.Args)), "there are " + calls})
	}
	f.Call, f.To = c, p.last
	f.Name = c.String()
}

func (c *Call) String() string {
	var args []string
	for _, a := range c.Args {
		args = append(args, a.Name)
	}
	return c.Function + "(" + strings.Join(args, ", ") + ")"
}

func ref(t token) Ref { return Ref{strings.Clone(t.text), t.from, t.to} }

// hint returns what to write instead of the next token.
func (p *parser) hint() string {
	if p.tok.kind == compare {
		return comparisonHint(p.tok.text)
	}
	if p.tok.kind == name && p.before.kind == name {
		return cmp.Or(p.notation.hints[p.tok.text], "a formula names states and flags as party.state, and joins them by &&, || or ->; words go into title")
	}
	if p.tok.kind == colon && p.before.kind == name {
		return "a state is written party.state, by its name and not by its title"
	}
	return p.notation.hints[p.tok.text]
}

func comparisonHint(sign string) string {
	switch sign {
	case "=", "==":
		return "write a state or flag alone: party.state; for \"both or neither\" write <->"
	case "!=":
		return "write !party.state for \"not in that state\"; for \"exactly one of both\" write !(p <-> q)"
	}
	return "a counter is compared with a number or another counter: party.counter >= 2"
}

// quantifier reads all p in party: formula, or some p in party: formula.
func (p *parser) quantifier() *Formula {
	defer func() { p.depth-- }()
	word := p.tok
	f := &Formula{Op: ForAll, From: word.from}
	if word.text == "some" {
		f.Op = ForSome
	}
	if !p.deeper() {
		return f
	}
	p.advance()
	f.Name = p.variable(word).Name
	p.want(name, "in", word)
	f.Range = p.party(word)
	p.want(colon, ":", word)
	f.Left = p.formula(lowest)
	f.To = p.last
	return f
}

// variable reads a name of one word.
func (p *parser) variable(after token) Ref {
	r := p.party(after)
	if strings.ContainsRune(r.Name, '.') {
		p.misquantified(after)
	}
	return r
}

// party reads a name without an index: that of a party in a phase has a dot.
func (p *parser) party(after token) Ref {
	t := p.tok
	if t.kind != name || strings.ContainsRune(t.text, '[') || slices.Contains(reserved, t.text) {
		p.misquantified(after)
		return Ref{}
	}
	p.advance()
	return ref(t)
}

func (p *parser) want(k kind, text string, after token) {
	if p.tok.kind != k || p.tok.text != text {
		p.misquantified(after)
		return
	}
	p.advance()
}

func (p *parser) misquantified(word token) {
	p.fail(word, fmt.Sprintf("%q needs a name and whose instances it stands for", word.text),
		fmt.Sprintf("write %s p in party: ... p.state ...", word.text))
}
