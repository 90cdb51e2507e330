package ctl

import "strings"

// CTL returns f in standard CTL, with as few brackets as possible. Parse reads it back.
func (f *Formula) CTL() string {
	var out strings.Builder
	printStandard.write(&out, f, anywhere)
	return out.String()
}

// Table1 returns f in the notation of the paper's Table 1, with as few brackets as possible. ParseTable1 reads it back. EG p and AF p have
// no letter there and are written as the equivalent p Eu false and true AU p.
func (f *Formula) Table1() string {
	var out strings.Builder
	printTable1.write(&out, f, anywhere)
	return out.String()
}

// A printer spells the operators of one notation.
type printer struct {
	words  map[Op]string
	gap    string // between a prefix operator and a round bracket
	square bool   // E[p U q] rather than p EU q
}

var printStandard = printer{
	words: map[Op]string{
		And: "&&", Or: "||", Implies: "->", Iff: "<->",
		EX: "EX", AX: "AX", EF: "EF", AF: "AF", EG: "EG", AG: "AG",
		EU: "U", AU: "U", EW: "W", AW: "W",
	},
	gap:    " ",
	square: true,
}

var printTable1 = printer{
	words: map[Op]string{
		And: "&", Or: "|", Implies: "->", Iff: "<->",
		EX: "E", AX: "A", EF: "F", AG: "G",
		EU: "EU", AU: "AU", EW: "Eu", AW: "Au",
	},
}

// write prints f. It adds brackets if the outermost operator binds less strongly than min.
func (p *printer) write(out *strings.Builder, f *Formula, min int) {
	f = p.expressible(f)
	if p.strength(f) < min {
		out.WriteByte('(')
		defer out.WriteByte(')')
	}
	switch {
	case f.Op == True:
		out.WriteString("true")
	case f.Op == False:
		out.WriteString("false")
	case f.Op == Atom:
		out.WriteString(f.Name)
	case f.Op == ForAll || f.Op == ForSome:
		p.writeQuantifier(out, f)
	case f.Right == nil:
		p.writePrefix(out, f)
	case p.square && f.Op >= EU:
		p.writeSquare(out, f)
	default:
		p.writeInfix(out, f)
	}
}

// expressible rewrites an operator that the notation does not have.
func (p *printer) expressible(f *Formula) *Formula {
	switch {
	case p.words[f.Op] != "":
	case f.Op == EG:
		return &Formula{Op: EW, Left: f.Left, Right: &Formula{Op: False}}
	case f.Op == AF:
		return &Formula{Op: AU, Left: &Formula{Op: True}, Right: f.Left}
	}
	return f
}

// anywhere is the strength below which no operator binds: there a quantifier needs no brackets.
const anywhere = lowest - 1

func (p *printer) strength(f *Formula) int {
	switch op := f.Op; {
	case op == ForAll || op == ForSome:
		return anywhere
	case f.Compare != nil:
		return strengthUntil // !(a >= 2) reads better than !a >= 2
	case op == Iff:
		return lowest
	case op == Implies:
		return strengthImplies
	case op == Or:
		return strengthOr
	case op == And:
		return strengthAnd
	case op >= EU && !p.square:
		return strengthUntil
	}
	return strengthPrefix
}

func (p *printer) writePrefix(out *strings.Builder, f *Formula) {
	if f.Op == Not {
		out.WriteByte('!')
	} else {
		out.WriteString(p.words[f.Op])
		if p.strength(p.expressible(f.Left)) < strengthPrefix {
			out.WriteString(p.gap)
		} else {
			out.WriteByte(' ')
		}
	}
	p.write(out, f.Left, strengthPrefix)
}

func (p *printer) writeQuantifier(out *strings.Builder, f *Formula) {
	word := "all "
	if f.Op == ForSome {
		word = "some "
	}
	out.WriteString(word + f.Name + " in " + f.Range.Name + ": ")
	p.write(out, f.Left, anywhere)
}

func (p *printer) writeSquare(out *strings.Builder, f *Formula) {
	quantifier := byte('E')
	if f.Op == AU || f.Op == AW {
		quantifier = 'A'
	}
	out.WriteByte(quantifier)
	out.WriteByte('[')
	p.write(out, f.Left, anywhere)
	out.WriteString(" " + p.words[f.Op] + " ")
	p.write(out, f.Right, anywhere)
	out.WriteByte(']')
}

func (p *printer) writeInfix(out *strings.Builder, f *Formula) {
	left := p.strength(f)
	right := left + 1
	if f.Op == Implies || f.Op >= EU {
		left++
	}
	if f.Op == Implies {
		right--
	}
	p.write(out, f.Left, left)
	out.WriteString(" " + p.words[f.Op] + " ")
	p.write(out, f.Right, right)
}
