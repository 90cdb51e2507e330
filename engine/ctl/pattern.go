package ctl

// Kind is the kind of a pattern, after Dwyer, Avrunin and Corbett (1999, Patterns in property specifications for finite-state verification).
type Kind uint8

const (
	Absence          Kind = iota // never Of
	Universality                 // always Of
	Existence                    // Of comes
	BoundedExistence             // at most Times times Of
	Response                     // whenever Of, By follows; of several in a row each comes after the one before
	Precedence                   // no Of without By first; likewise
)

// String returns the name of the kind in the language.
func (k Kind) String() string {
	return [...]string{"absence", "universality", "existence", "bounded existence", "response", "precedence"}[k]
}

// A Pattern is a requirement on each maximal path, or on segments of it. Its operands have no
// temporal operators. A segment starts at the path's beginning, or where After holds; it ends just
// before End comes, or never. If Must, a segment in which End never comes is none. Segments do not overlap: the next one
// starts where After holds for the first time after the end of the one before. So the scopes are in Dwyer, Avrunin and Corbett's
// figure and text; their published formulas for between and after-until start one at every After, which asks for more of existence and
// precedence.
//
//	After End Must
//	               globally
//	      R   yes  before R
//	      R        until R
//	Q              after Q, that is from the first Q on
//	Q     R   yes  between Q and R: the first state with Q, and without R, starts a segment; so does the first after each R
//	Q     R        after Q until R: likewise
//
// What a pattern says of one segment of states:
//
//   - absence: none has Of. Universality: all have. Existence: some has.
//   - bounded existence: those with Of, taken together where they follow each other, are at most Times.
//   - response: whenever Of[0], strictly later Of[1], and so on, then from the last of them on By[0],
//     strictly later By[1], and so on. Dwyer and others ask this only of the first Of[1] after Of[0].
//   - precedence: whenever Of[0], strictly later Of[1], and so on, then By[0], strictly later By[1], and
//     so on, no later than Of[0]: as in the published precedence chains, the causes precede the first effect.
type Pattern struct {
	Kind       Kind
	Of, By     []*Formula // one at least; By only of Response and Precedence
	Times      int        // of BoundedExistence
	After, End *Formula   // nil: none
	Must       bool
}

// Formula returns the formula that holds in a state if all maximal paths from it satisfy the pattern. It is exact, dead ends included. Not
// all published formulas are: they assume that every state has a successor, and response before and between ask for too much. A violation is
// always a chain of segments, each of which continues from the end of the one before: E[p U q && E[...]]. Formula returns its negation with
// negations pushed inwards.
func (p *Pattern) Formula() *Formula {
	f := p.segment()
	switch {
	case p.After == nil:
		return f
	case p.Kind != Existence && p.Kind != Precedence: // if these hold of a segment, they hold of its suffixes: a segment may start at every After
		return unary(AG, implied(p.start(), f))
	case p.End == nil:
		return p.first(f)
	}
	return conj(p.first(f), unary(AG, implied(copied(p.End), p.first(p.segment()))))
}

// start returns the formula of the states in which a segment may start.
func (p *Pattern) start() *Formula {
	if p.End == nil {
		return copied(p.After)
	}
	return conj(copied(p.After), p.noEnd())
}

// first returns the formula that f holds where the next segment starts, if any does.
func (p *Pattern) first(f *Formula) *Formula {
	return binary(AW, not(p.start()), conj(p.start(), f))
}

func (p *Pattern) segment() *Formula {
	switch p.Kind {
	case Absence:
		return p.avoid(p.unlike(p.Of[0]))
	case Universality:
		return p.universality()
	case Existence:
		return p.comes(copied(p.Of[0]))
	case BoundedExistence:
		return p.bounded()
	case Response:
		return p.response()
	}
	return p.precedence(p.By)
}

func (p *Pattern) universality() *Formula {
	if !p.Must {
		return p.avoid(copied(p.Of[0]))
	}
	return p.avoid(binary(Or, copied(p.Of[0]), unary(AG, p.noEnd())))
}

// bounded returns the formula that Of never comes again after Times groups of consecutive states with Of.
func (p *Pattern) bounded() *Formula {
	of := p.Of[0]
	f := p.avoid(p.unlike(of))
	for range p.Times {
		f = p.avoid(implied(copied(of), p.avoid(binary(Or, copied(of), f))))
	}
	return f
}

func (p *Pattern) response() *Formula {
	f := p.answer(p.By)
	for i := len(p.Of) - 1; i >= 0; i-- {
		if i < len(p.Of)-1 {
			f = unary(AX, f)
		}
		f = p.avoid(implied(copied(p.Of[i]), f))
	}
	return f
}

// answer returns the formula that the given operands come, each strictly after the one before. If End need not come, a state in which only
// some of them have come may not be a dead end.
func (p *Pattern) answer(by []*Formula) *Formula {
	q := copied(by[0])
	if len(by) > 1 {
		if !p.Must {
			q = conj(q, unary(EX, constant(true)))
		}
		q = conj(q, unary(AX, p.answer(by[1:])))
	}
	return p.comes(q)
}

// precedence returns the formula that no effects begin until the remaining causes have come.
func (p *Pattern) precedence(causes []*Formula) *Formula {
	cause := copied(causes[0])
	if len(causes) > 1 {
		cause = conj(conj(cause, p.noEffects(p.Of)), unary(AX, p.precedence(causes[1:])))
	}
	if p.End != nil {
		cause = binary(Or, cause, copied(p.End))
	}
	return binary(AW, p.noEffects(p.Of), cause)
}

// noEffects returns the formula that the sequence of effects does not begin here.
func (p *Pattern) noEffects(of []*Formula) *Formula {
	if len(of) == 1 {
		return p.unlike(of[0])
	}
	return implied(copied(of[0]), unary(AX, p.avoid(p.noEffects(of[1:]))))
}

// avoid returns the formula that f holds in every state of the segment.
func (p *Pattern) avoid(f *Formula) *Formula {
	if p.End == nil {
		return unary(AG, f)
	}
	return binary(AW, f, copied(p.End))
}

// comes returns the formula that q holds in some state of the segment.
func (p *Pattern) comes(q *Formula) *Formula {
	switch {
	case p.End == nil:
		return unary(AF, q)
	case p.Must:
		return binary(AW, p.noEnd(), conj(q, p.noEnd()))
	}
	return binary(AU, p.noEnd(), conj(q, p.noEnd()))
}

// unlike returns the formula that f does not hold here, or that this is no segment because its end will not come.
func (p *Pattern) unlike(f *Formula) *Formula {
	if !p.Must {
		return not(copied(f))
	}
	return implied(copied(f), unary(AG, p.noEnd()))
}

func (p *Pattern) noEnd() *Formula { return not(copied(p.End)) }

// copied returns a deep copy. A formula in which an operand occurs more than once so remains a tree.
func copied(f *Formula) *Formula {
	if f == nil {
		return nil
	}
	g := *f
	g.Left, g.Right, g.Means = copied(f.Left), copied(f.Right), copied(f.Means)
	return &g
}

func unary(op Op, f *Formula) *Formula { return &Formula{Op: op, Left: f, From: f.From, To: f.To} }

func binary(op Op, a, b *Formula) *Formula {
	return &Formula{Op: op, Left: a, Right: b, From: a.From, To: a.To}
}

func conj(a, b *Formula) *Formula    { return binary(And, a, b) }
func implied(a, b *Formula) *Formula { return binary(Implies, a, b) }
