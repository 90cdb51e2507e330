package checker

import "github.com/redlinehq/redline/engine/ctl"

// A Kind is a kind of claim.
type Kind uint8

const (
	True Kind = iota
	False
	Place    // the place is marked
	NotPlace // it is not
	Sum      // the sum is at most its bound
	NotSum   // the sum exceeds its bound
	And
	Or
	EX    // Left in some next state
	AX    // Left in every next state
	EU    // E[Left U Right]
	AU    // A[Left U Right], on fair paths if progress is assumed
	EW    // E[Left W Right], never with an assumption
	AW    // A[Left W Right]
	Round // Left for ever, on a fair path; only with an assumption
)

// Temporal reports whether a claim of this kind needs sets in the certificate.
func (k Kind) Temporal() bool { return k >= EX }

// A Claim is a formula in which only atoms are negated. Left and Right are numbers of claims.
type Claim struct {
	Kind        Kind
	Place       int
	Sum         *ctl.Sum
	Left, Right int
	of          *ctl.Formula // its origin, and
	holds       bool         // the value claimed of it
}

// Claims returns the claims that make up a formula, or its negation if holds is false. The formula's atoms must be resolved. The last claim
// is the whole, and each consists of earlier ones. Equal claims are merged. If fair, only fair paths count among the infinite ones.
//
// A negation goes inwards by the dualities of CTL, which hold on maximal paths, dead ends included:
//
//	!EX p = AX !p    !E[p U q] = A[!q W !p && !q]    !E[p W q] = A[!q U !p && !q]
//
// and a fair E[p W q] is E[p U q || Round p].
func Claims(f *ctl.Formula, holds, fair bool) []Claim {
	n := &normal{fair: fair, known: map[goal]int{}, at: map[Claim]int{}}
	root := n.claim(f, holds)
	if root != len(n.list)-1 { // an equal claim was made on the way: the whole comes last all the same
		c := n.list[root]
		n.list = append(n.list, Claim{Kind: And, Left: root, Right: root, of: c.of, holds: c.holds})
	}
	return n.list
}

type goal struct {
	f     *ctl.Formula
	holds bool
}

type normal struct {
	fair  bool
	list  []Claim
	known map[goal]int
	at    map[Claim]int // by claim without its origin
}

func (n *normal) claim(f *ctl.Formula, holds bool) int {
	if f.Means != nil {
		return n.claim(f.Means, holds)
	}
	if id, ok := n.known[goal{f, holds}]; ok {
		return id
	}
	id := n.make(f, holds)
	n.known[goal{f, holds}] = id
	return id
}

// add returns the number of a claim, made because f has the value holds.
func (n *normal) add(c Claim, f *ctl.Formula, holds bool) int {
	if id, ok := n.at[c]; ok {
		return id
	}
	id := len(n.list)
	n.at[c] = id
	c.of, c.holds = f, holds
	n.list = append(n.list, c)
	return id
}

func (n *normal) make(f *ctl.Formula, holds bool) int {
	add := func(kind Kind, left, right int) int {
		return n.add(Claim{Kind: kind, Left: left, Right: right}, f, holds)
	}
	switch f.Op {
	case ctl.True, ctl.False:
		return n.constant(f, (f.Op == ctl.True) == holds)
	case ctl.Atom:
		return n.atom(f, holds)
	case ctl.Not:
		return n.claim(f.Left, !holds)
	case ctl.And, ctl.Or, ctl.Implies:
		left, right := n.claim(f.Left, holds != (f.Op == ctl.Implies)), n.claim(f.Right, holds)
		return add(either((f.Op == ctl.And) == holds), left, right)
	case ctl.Iff:
		both := add(And, n.claim(f.Left, true), n.claim(f.Right, holds))
		neither := add(And, n.claim(f.Left, false), n.claim(f.Right, !holds))
		return add(Or, both, neither)
	case ctl.EX, ctl.AX:
		return add(map[bool]Kind{true: EX, false: AX}[(f.Op == ctl.EX) == holds], n.claim(f.Left, holds), 0)
	}
	return n.path(f, holds)
}

func either(and bool) Kind {
	if and {
		return And
	}
	return Or
}

func (n *normal) constant(f *ctl.Formula, value bool) int {
	kind := False
	if value {
		kind = True
	}
	return n.add(Claim{Kind: kind}, f, true)
}

func (n *normal) atom(f *ctl.Formula, holds bool) int {
	c := Claim{Kind: Place, Place: f.Place}
	if f.Sum != nil {
		c = Claim{Kind: Sum, Sum: f.Sum}
	}
	if !holds {
		c.Kind++
	}
	return n.add(c, f, holds)
}

// path makes the claims of the until operators, F and G included.
func (n *normal) path(f *ctl.Formula, holds bool) int {
	var left, right int // p and q of [p U q] or [p W q], when f holds; else their negations
	switch f.Op {
	case ctl.EF, ctl.AF:
		left, right = n.constant(f, holds), n.claim(f.Left, holds)
	case ctl.EG, ctl.AG:
		left, right = n.claim(f.Left, holds), n.constant(f, !holds)
	default:
		left, right = n.claim(f.Left, holds), n.claim(f.Right, holds)
	}
	some := f.Op == ctl.EF || f.Op == ctl.EG || f.Op == ctl.EU || f.Op == ctl.EW
	weak := f.Op == ctl.EG || f.Op == ctl.AG || f.Op == ctl.EW || f.Op == ctl.AW
	if !holds {
		some, weak = !some, !weak
		left, right = right, n.both(f, left, right)
	}
	if some && weak && n.fair {
		round := n.add(Claim{Kind: Round, Left: left}, f, holds)
		some, weak, right = true, false, n.add(Claim{Kind: Or, Left: right, Right: round}, f, holds)
	}
	kinds := map[[2]bool]Kind{{true, false}: EU, {true, true}: EW, {false, false}: AU, {false, true}: AW}
	return n.add(Claim{Kind: kinds[[2]bool{some, weak}], Left: left, Right: right}, f, holds)
}

// both makes a conjunction, or drops a constant from it.
func (n *normal) both(f *ctl.Formula, left, right int) int {
	for _, pair := range [][2]int{{left, right}, {right, left}} {
		switch n.list[pair[0]].Kind {
		case True:
			return pair[1]
		case False:
			return pair[0]
		}
	}
	return n.add(Claim{Kind: And, Left: left, Right: right}, f, false)
}
