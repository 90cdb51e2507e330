package smv_test

import (
	"fmt"
	"slices"
	"strings"
)

// This is a reader of a part of NuSMV's input language, written from its manual (R. Cavada and others, NuSMV 2.6 User Manual, chapter 2), and
// sharing nothing with package smv. What the manual does not allow, or the part leaves out, it refuses.

// reserved are the manual's reserved keywords (section 2, at its beginning), and those of later versions.
var reserved = strings.Fields(`MODULE DEFINE MDEFINE CONSTANTS VAR IVAR FROZENVAR INIT TRANS INVAR SPEC CTLSPEC LTLSPEC PSLSPEC COMPUTE NAME
INVARSPEC FAIRNESS JUSTICE COMPASSION ISA ASSIGN CONSTRAINT SIMPWFF CTLWFF LTLWFF PSLWFF COMPWFF IN MIN MAX MIRROR PRED PREDICATES
process array of boolean integer real word word1 bool signed unsigned extend resize sizeof uwconst swconst
EX AX EF AF EG AG E F O G H X Y Z A U S V T BU EBF ABF EBG ABG
case esac mod next init union in xor xnor self TRUE FALSE count toint abs max min`)

// An smvExpr is an expression or a CTL formula: an operator, "id", or "number".
type smvExpr struct {
	op   string
	name string
	n    int
	args []*smvExpr
}

// A program is one module main.
type program struct {
	inputs, vars   []string
	values         map[string][]string // of an input or variable; none: boolean
	define         map[string]*smvExpr
	initial, nexts map[string]*smvExpr
	trans, fair    []*smvExpr
	specs          []spec
	constants      map[string]bool
}

type spec struct {
	name string
	ctl  *smvExpr
}

type smvReader struct {
	tokens []string
	at     int
	p      *program
	names  map[string]string // what a name is declared as
	ctl    bool              // a formula is being read
}

type refusal string

func refuse(format string, args ...any) { panic(refusal(fmt.Sprintf(format, args...))) }

// readSMV reads a program, or says why it is none.
func readSMV(text string) (p *program, err error) {
	defer func() {
		if r, ok := recover().(refusal); ok {
			p, err = nil, fmt.Errorf("%s", string(r))
		}
	}()
	r := &smvReader{tokens: lexSMV(text), names: map[string]string{}, p: &program{values: map[string][]string{}, define: map[string]*smvExpr{},
		initial: map[string]*smvExpr{}, nexts: map[string]*smvExpr{}, constants: map[string]bool{}}}
	r.expect("MODULE")
	r.expect("main")
	for r.at < len(r.tokens) {
		r.section()
	}
	r.check()
	return r.p, nil
}

func isLetter(c byte) bool { return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }

// lexSMV splits a text; comments go from -- to the end of the line.
func lexSMV(text string) []string {
	var tokens []string
	for i := 0; i < len(text); {
		c := text[i]
		j := i + 1
		switch {
		case strings.IndexByte(" \t\r\n", c) >= 0:
			i++
			continue
		case strings.HasPrefix(text[i:], "--"):
			for i < len(text) && text[i] != '\n' {
				i++
			}
			continue
		case isLetter(c):
			for j < len(text) && (isLetter(text[j]) || isDigit(text[j]) || strings.IndexByte("$#-", text[j]) >= 0) {
				j++
			}
		case isDigit(c):
			for j < len(text) && isDigit(text[j]) {
				j++
			}
		default:
			n := slices.IndexFunc([]string{"<->", "->", ":=", "<=", ">=", "!="}, func(s string) bool { return strings.HasPrefix(text[i:], s) })
			switch {
			case n >= 0:
				j = i + []int{3, 2, 2, 2, 2, 2}[n]
			case strings.IndexByte("(){}[]:;,=<>!&|+-*", c) < 0:
				refuse("no token begins with %q", c)
			}
		}
		tokens = append(tokens, text[i:j])
		i = j
	}
	return tokens
}

func (r *smvReader) peek() string {
	if r.at == len(r.tokens) {
		return ""
	}
	return r.tokens[r.at]
}

func (r *smvReader) next() string {
	t := r.peek()
	if t == "" {
		refuse("the text ends too soon")
	}
	r.at++
	return t
}

func (r *smvReader) take(token string) bool {
	if r.peek() == token {
		r.at++
		return true
	}
	return false
}

func (r *smvReader) expect(token string) {
	if t := r.next(); t != token {
		refuse("%q where %q was expected, after %v", t, token, r.tokens[max(0, r.at-6):r.at-1])
	}
}

func (r *smvReader) identifier() string {
	t := r.next()
	if !isLetter(t[0]) || slices.Contains(reserved, t) {
		refuse("%q is no identifier", t)
	}
	return t
}

// declare is for variables, definitions and constants, which have one namespace (section 2.3.15).
func (r *smvReader) declare(name, as string) {
	if was := r.names[name]; was != "" && !(was == "constant" && as == "constant") {
		refuse("%s is declared twice", name)
	}
	r.names[name] = as
}

// more says whether another element of a list follows, and no section.
func (r *smvReader) more() bool { return r.peek() != "" && !slices.Contains(reserved, r.peek()) }

func (r *smvReader) section() {
	switch s := r.next(); s {
	case "VAR", "IVAR":
		for n := 0; n == 0 || r.more(); n++ {
			r.variable(s)
		}
	case "DEFINE":
		for n := 0; n == 0 || r.more(); n++ {
			name := r.identifier()
			r.declare(name, "DEFINE")
			r.expect(":=")
			r.p.define[name] = r.simple(0)
			r.expect(";")
		}
	case "ASSIGN":
		for n := 0; n == 0 || r.peek() == "init" || r.peek() == "next"; n++ {
			r.assign()
		}
	case "TRANS":
		r.p.trans = append(r.p.trans, r.simple(0))
		r.take(";")
	case "FAIRNESS", "JUSTICE":
		r.p.fair = append(r.p.fair, r.simple(0))
		r.take(";")
	case "CTLSPEC":
		name := ""
		if r.take("NAME") {
			name = r.identifier()
			r.expect(":=")
		}
		r.p.specs = append(r.p.specs, spec{name, r.formula(0)})
		r.take(";")
	default:
		refuse("%q begins nothing that is read", s)
	}
}

func (r *smvReader) variable(kind string) {
	name := r.identifier()
	r.declare(name, kind)
	r.expect(":")
	if kind == "IVAR" {
		r.p.inputs = append(r.p.inputs, name)
	} else {
		r.p.vars = append(r.p.vars, name)
	}
	if r.take("{") {
		for {
			c := r.identifier()
			r.declare(c, "constant")
			r.p.values[name] = append(r.p.values[name], c)
			if !r.take(",") {
				break
			}
		}
		r.expect("}")
	} else {
		r.expect("boolean")
	}
	r.expect(";")
}

func (r *smvReader) assign() {
	to := r.p.initial
	if r.next() == "next" {
		to = r.p.nexts
	}
	r.expect("(")
	name := r.identifier()
	r.expect(")")
	r.expect(":=")
	if to[name] != nil {
		refuse("%s is assigned twice", name)
	}
	to[name] = r.simple(0)
	r.expect(";")
}

// Binary operators by strength, weakest first (section 2.2.3): all associate to the left but ->.
var strengths = [][]string{{"->"}, {"<->"}, {"|"}, {"&"}, {"=", "!=", "<", ">", "<=", ">="}, {"in"}, {"+", "-"}, {"*"}}

// simple reads an expression without temporal operators, formula one with them.
func (r *smvReader) simple(level int) *smvExpr {
	was := r.ctl
	r.ctl = false
	e := r.binary(level)
	r.ctl = was
	return e
}

func (r *smvReader) formula(level int) *smvExpr {
	r.ctl = true
	e := r.binary(level)
	r.ctl = false
	return e
}

func (r *smvReader) binary(level int) *smvExpr {
	if level == len(strengths) {
		return r.unary()
	}
	left := r.binary(level + 1)
	for slices.Contains(strengths[level], r.peek()) {
		op := r.next()
		if op == "->" {
			return &smvExpr{op: op, args: []*smvExpr{left, r.binary(level)}}
		}
		left = &smvExpr{op: op, args: []*smvExpr{left, r.binary(level + 1)}}
	}
	return left
}

func (r *smvReader) unary() *smvExpr {
	switch t := r.peek(); {
	case t == "!":
		r.next()
		return &smvExpr{op: "!", args: []*smvExpr{r.unary()}}
	case t == "(":
		r.next()
		e := r.binary(0)
		r.expect(")")
		return e
	case r.ctl && slices.Contains([]string{"EX", "AX", "EF", "AF", "EG", "AG"}, t):
		r.next()
		return &smvExpr{op: t, args: []*smvExpr{r.unary()}}
	case r.ctl && (t == "E" || t == "A"):
		r.next()
		r.expect("[")
		left := r.binary(0)
		r.expect("U")
		right := r.binary(0)
		r.expect("]")
		return &smvExpr{op: t + "U", args: []*smvExpr{left, right}}
	case t == "TRUE" || t == "FALSE":
		r.next()
		return &smvExpr{op: t}
	case t == "count":
		r.next()
		r.expect("(")
		e := &smvExpr{op: "count", args: []*smvExpr{r.simple(0)}}
		for r.take(",") {
			e.args = append(e.args, r.simple(0))
		}
		r.expect(")")
		return e
	case t == "case":
		return r.cases()
	case t == "{":
		r.next()
		e := &smvExpr{op: "{", args: []*smvExpr{r.simple(0)}}
		for r.take(",") {
			e.args = append(e.args, r.simple(0))
		}
		r.expect("}")
		return e
	case t != "" && isDigit(t[0]):
		e := &smvExpr{op: "number"}
		if _, err := fmt.Sscan(r.next(), &e.n); err != nil {
			refuse("%v", err)
		}
		return e
	}
	return &smvExpr{op: "id", name: r.identifier()}
}

func (r *smvReader) cases() *smvExpr {
	e := &smvExpr{op: r.next()}
	for !r.take("esac") {
		e.args = append(e.args, r.simple(0))
		r.expect(":")
		e.args = append(e.args, r.simple(0))
		r.expect(";")
	}
	if len(e.args) == 0 {
		refuse("a case without cases")
	}
	return e
}
