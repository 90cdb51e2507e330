package ctl

import "context"

// Vacuity of patterns. A drafter writes operands, and each may occur in the pattern's formula more than once. So a part of an operand is
// replaced in all places at once, in each by the worst constant there.

// A spread is a part of an operand, with all its copies in the formula.
type spread struct {
	formula *Formula          // the first copy
	worst   map[*Formula]bool // by copy, the constant that counts most against the whole formula
}

// Patterned reports whether f was made from a pattern, which shows in the roles of its operands.
func Patterned(f *Formula) bool {
	for g := range f.parts() {
		if g.Role != "" {
			return true
		}
	}
	return false
}

// vacuousPattern is Vacuous for a pattern's formula.
func (c *Checker[S]) vacuousPattern(ctx context.Context, f *Formula) (found []Vacuity) {
	all := spreads(f)
	if len(all) > maxOccurrences {
		return nil
	}
	var needless []*spread
	for _, s := range all {
		if s.insideOf(needless) {
			continue
		}
		if c.holdsBriefly(ctx, replaced(f, s.worst)) {
			needless = append(needless, s)
		}
	}
	for _, s := range needless {
		found = append(found, c.remarkOn(ctx, f, s, all))
	}
	return tidy(found)
}

// holdsBriefly decides f and caches none of its sets.
func (c *Checker[S]) holdsBriefly(ctx context.Context, f *Formula) bool {
	defer c.forget(len(c.sets))
	return c.holds(ctx, f)
}

// spreads returns the parts of a pattern's operands, larger ones before their own parts. It leaves out constants, and parts within <->.
func spreads(f *Formula) []*spread {
	type part struct {
		role, text string // the texts differ between instances of a party
		from, to   int
	}
	at := map[part]*spread{}
	var list []*spread
	var visit func(f *Formula, positive bool)
	visit = func(f *Formula, positive bool) {
		if f == nil {
			return
		}
		if f.Role != "" && f.Op > False {
			key := part{f.Role, f.CTL(), f.From, f.To}
			s := at[key]
			if s == nil {
				s = &spread{f, map[*Formula]bool{}}
				at[key], list = s, append(list, s)
			}
			s.worst[f] = !positive
		}
		if f.Op == Iff {
			return
		}
		visit(f.Left, positive != (f.Op == Not || f.Op == Implies))
		visit(f.Right, positive)
	}
	visit(f, true)
	return list
}

// insideOf reports whether every copy of s is, or is part of, a copy of one of the others.
func (s *spread) insideOf(others []*spread) bool {
	for _, o := range others {
		if s.shared(o) == len(s.worst) {
			return true
		}
	}
	return false
}

// shared counts the copies of s that are, or are part of, a copy of o.
func (s *spread) shared(o *spread) (n int) {
	for g := range o.worst {
		for f := range g.parts() {
			if _, ok := s.worst[f]; ok {
				n++
			}
		}
	}
	return n
}

// remarkOn describes a part of an operand that makes no difference. Its reason is another part with one value in all reachable states, if
// the formula with that value in its place simplifies to one without s.
func (c *Checker[S]) remarkOn(ctx context.Context, f *Formula, s *spread, all []*spread) Vacuity {
	r := Vacuity{Sub: s.formula, Replacement: s.worst[s.formula]}
	if count(f, s.formula) > len(s.worst) {
		r.Role = s.formula.Role
	}
	r.Never, r.Always = c.constant(ctx, s.formula)
	for _, o := range all {
		if o.shared(s)+s.shared(o) > 0 {
			continue
		}
		never, always := c.constant(ctx, o.formula)
		if (never || always) && !keeps(folded(replaced(f, o.all(always))), s) {
			r.Because, r.Value = o.formula, always
			break
		}
	}
	return r
}

// all maps every copy to one value.
func (s *spread) all(value bool) map[*Formula]bool {
	m := map[*Formula]bool{}
	for f := range s.worst {
		m[f] = value
	}
	return m
}

// keeps reports whether f has a copy of s.
func keeps(f *Formula, s *spread) bool {
	for g := range f.parts() {
		if _, ok := s.worst[g]; ok {
			return true
		}
	}
	return false
}

// replaced returns f with constants in the place of some of its nodes. It shares unchanged nodes with f.
func replaced(f *Formula, by map[*Formula]bool) *Formula {
	if f == nil {
		return nil
	}
	if value, ok := by[f]; ok {
		return constant(value)
	}
	left, right := replaced(f.Left, by), replaced(f.Right, by)
	if left == f.Left && right == f.Right {
		return f
	}
	g := *f
	g.Left, g.Right, g.Role = left, right, ""
	return &g
}

// folded simplifies f, a pattern's formula with constants in it. The result is equivalent to f on maximal paths. Copies of operands stay as
// they are.
func folded(f *Formula) *Formula {
	if f == nil || f.Role != "" {
		return f
	}
	left, right := folded(f.Left), folded(f.Right)
	is := func(f *Formula, op Op) bool { return f.Op == op }
	switch op := f.Op; {
	case op == Not && is(left, False), op == AX && is(left, True), op == Or && is(left, True),
		(op == Or || op == Implies || op == AW || op == AU) && is(right, True), op == Implies && is(left, False), op == AW && is(left, True):
		return constant(true)
	case op == Not && is(left, True), op == And && is(left, False), (op == And || op == AU) && is(right, False):
		return constant(false)
	case (op == And || op == Implies) && is(left, True), (op == Or || op == AW || op == AU) && is(left, False):
		return right
	case op == And && is(right, True), op == Or && is(right, False), (op == AF || op == AG) && (is(left, True) || is(left, False)):
		return left
	}
	g := *f
	g.Left, g.Right = left, right
	return &g
}
