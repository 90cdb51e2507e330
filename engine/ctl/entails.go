package ctl

// MostElementary limits the tableau of Entails, which has 2 to the power of that many types and compares them in pairs.
const MostElementary = 10

// Entails reports whether every state that satisfies f satisfies g, in every model, over maximal paths. Atoms with the same name are equal,
// and otherwise unrelated. Up to a bound on the size of both formulas a tableau decides. Beyond it, true is still correct, and false means
// unknown.
func Entails(f, g *Formula, name func(atom *Formula) string) bool {
	t := newTableau(name)
	claim := t.and(t.node(f), t.not(t.node(g)))
	if len(t.elementary) <= MostElementary {
		return !t.satisfiable(claim)
	}
	return entails(f, g, name)
}

// entails reports whether f implies g by their structure: operators are monotone.
func entails(f, g *Formula, name func(atom *Formula) string) bool {
	in := func(f, g *Formula) bool { return entails(f, g, name) }
	switch {
	case f.Op == False, g.Op == True:
		return true
	case f.Op == Atom && g.Op == Atom:
		return name(f) == name(g)
	case g.Op == And:
		return in(f, g.Left) && in(f, g.Right)
	case f.Op == Or:
		return in(f.Left, g) && in(f.Right, g)
	case f.Op == And && (in(f.Left, g) || in(f.Right, g)), g.Op == Or && (in(f, g.Left) || in(f, g.Right)):
		return true
	case f.Op == AG && g.Op != AG:
		return in(f.Left, g)
	case f.Op != g.Op:
		return false
	}
	switch f.Op {
	case EX, AX, EF, AF, EG, AG:
		return in(f.Left, g.Left)
	case EU, AU, EW, AW:
		return in(f.Left, g.Left) && in(f.Right, g.Right)
	case Not:
		return in(g.Left, f.Left)
	case Implies:
		return in(g.Left, f.Left) && in(f.Right, g.Right)
	case Iff:
		return Equal(f, g)
	}
	return false
}

// A tableau decides whether a formula has a model: E. Emerson, J. Halpern (1985), Decision procedures and expressiveness in the temporal
// logic of branching time, section 4. Its types are the truth assignments to elementary formulas: atoms, and EX formulas. A type is dropped
// if it lacks a successor that it needs, or if no successors can fulfil one of its eventualities. A path may end here, so EX true is
// elementary, too.
type tableau struct {
	name       func(atom *Formula) string
	nodes      []tableauNode
	at         map[tableauNode]int
	atoms      map[string]int
	elementary []int    // nodes
	truth      [][]bool // by node and type
	alive      []bool   // by type

	next   []int    // the nodes h of the elementary EX h
	needs  []uint16 // by type, which EX h it has, by position in next
	values []uint16 // by type, which h are true in it
}

// tableauNode is a formula over nodes.
type tableauNode struct {
	op          Op // True, Atom, Not, And, EX, EU, AU
	left, right int
}

func newTableau(name func(atom *Formula) string) *tableau {
	return &tableau{name: name, at: map[tableauNode]int{}, atoms: map[string]int{}}
}

func (t *tableau) add(n tableauNode) int {
	if i, known := t.at[n]; known {
		return i
	}
	i := len(t.nodes)
	t.nodes, t.at[n] = append(t.nodes, n), i
	switch n.op {
	case Atom, EX:
		t.elementary = append(t.elementary, i)
	case EU: // p U q is q, or p and EX of it
		t.ex(i)
	case AU: // q, or p, a successor, and no EX of its opposite
		t.ex(t.not(i))
		t.ex(t.truly())
	}
	return i
}

func (t *tableau) truly() int   { return t.add(tableauNode{op: True}) }
func (t *tableau) ex(a int) int { return t.add(tableauNode{op: EX, left: a}) }
func (t *tableau) and(a, b int) int {
	return t.add(tableauNode{op: And, left: min(a, b), right: max(a, b)})
}
func (t *tableau) or(a, b int) int { return t.not(t.and(t.not(a), t.not(b))) }
func (t *tableau) until(op Op, a, b int) int {
	return t.add(tableauNode{op: op, left: a, right: b})
}

func (t *tableau) not(a int) int {
	if t.nodes[a].op == Not {
		return t.nodes[a].left
	}
	return t.add(tableauNode{op: Not, left: a})
}

// weak returns the dual of an until: E[p W q] is not A[!q U !p & !q], and vice versa.
func (t *tableau) weak(until Op, p, q int) int {
	return t.not(t.until(until, t.not(q), t.and(t.not(p), t.not(q))))
}

// node converts a formula to the operators of a tableau.
func (t *tableau) node(f *Formula) int {
	if f == nil {
		return t.truly()
	}
	if f.Op == Atom {
		key := t.name(f)
		if _, known := t.atoms[key]; !known {
			t.atoms[key] = len(t.atoms)
		}
		return t.add(tableauNode{op: Atom, left: t.atoms[key]})
	}
	a, b := t.node(f.Left), t.node(f.Right)
	switch f.Op {
	case False:
		return t.not(t.truly())
	case Not:
		return t.not(a)
	case And:
		return t.and(a, b)
	case Or:
		return t.or(a, b)
	case Implies:
		return t.or(t.not(a), b)
	case Iff:
		return t.or(t.and(a, b), t.and(t.not(a), t.not(b)))
	case EX:
		return t.ex(a)
	case AX:
		return t.not(t.ex(t.not(a)))
	case EF:
		return t.until(EU, t.truly(), a)
	case AF:
		return t.until(AU, t.truly(), a)
	case EG:
		return t.weak(AU, a, t.not(t.truly()))
	case AG:
		return t.weak(EU, a, t.not(t.truly()))
	case EU, AU:
		return t.until(f.Op, a, b)
	case EW:
		return t.weak(AU, a, b)
	case AW:
		return t.weak(EU, a, b)
	}
	return t.truly() // True
}

// satisfiable reports whether a node is true somewhere in some model.
func (t *tableau) satisfiable(claim int) bool {
	types := 1 << len(t.elementary)
	t.evaluate(types)
	for dropped := true; dropped; {
		dropped = t.drop(t.lacking)
		for i, n := range t.nodes {
			if n.op == EU || n.op == AU {
				fulfilled := t.fulfilled(i)
				dropped = t.drop(func(v int) bool { return t.truth[i][v] && !fulfilled[v] }) || dropped
			}
		}
	}
	for v := range types {
		if t.alive[v] && t.truth[claim][v] {
			return true
		}
	}
	return false
}

func (t *tableau) drop(when func(v int) bool) (dropped bool) {
	for v, alive := range t.alive {
		if alive && when(v) {
			t.alive[v], dropped = false, true
		}
	}
	return dropped
}

// evaluate computes the truth of every node in every type. Nodes come after their operands, except for the EX of an until.
func (t *tableau) evaluate(types int) {
	t.truth, t.alive = make([][]bool, len(t.nodes)), make([]bool, types)
	bit := map[int]int{}
	for k, i := range t.elementary {
		bit[i] = k
		if t.nodes[i].op == EX {
			t.next = append(t.next, t.nodes[i].left)
		}
	}
	has := func(node, v int) bool { return v>>bit[node]&1 == 1 }
	for i, n := range t.nodes {
		t.truth[i] = make([]bool, types)
		for v := range types {
			switch n.op {
			case True:
				t.truth[i][v] = true
			case Not:
				t.truth[i][v] = !t.truth[n.left][v]
			case And:
				t.truth[i][v] = t.truth[n.left][v] && t.truth[n.right][v]
			case EU:
				t.truth[i][v] = t.truth[n.right][v] || t.truth[n.left][v] && has(t.ex(i), v)
			case AU:
				t.truth[i][v] = t.truth[n.right][v] || t.truth[n.left][v] && has(t.ex(t.truly()), v) && !has(t.ex(t.not(i)), v)
			default:
				t.truth[i][v] = has(i, v)
			}
		}
	}
	t.needs, t.values = make([]uint16, types), make([]uint16, types)
	for v := range types {
		t.alive[v] = true
		for k, h := range t.next {
			if has(t.ex(h), v) {
				t.needs[v] |= 1 << k
			}
			if t.truth[h][v] {
				t.values[v] |= 1 << k
			}
		}
	}
}

// follows reports whether type u may be a successor of v: v has EX of everything that is true in u.
func (t *tableau) follows(v, u int) bool { return t.alive[u] && t.values[u]&^t.needs[v] == 0 }

// lacking reports whether a type lacks a successor that it needs.
func (t *tableau) lacking(v int) bool { return !t.provided(v, t.alive) }

// provided reports whether successors among some types cover all that a type needs.
func (t *tableau) provided(v int, among []bool) bool {
	left := t.needs[v]
	for u := range among {
		if left == 0 {
			return true
		}
		if among[u] && t.follows(v, u) {
			left &^= t.values[u]
		}
	}
	return left == 0
}

// fulfilled returns the types in which an until can be fulfilled.
func (t *tableau) fulfilled(until int) []bool {
	n := t.nodes[until]
	done := make([]bool, len(t.alive))
	for more := true; more; {
		more = false
		for v, alive := range t.alive {
			if !alive || done[v] || !t.truth[until][v] {
				continue
			}
			if t.truth[n.right][v] || t.onward(n.op, v, done) {
				done[v], more = true, true
			}
		}
	}
	return done
}

// onward reports whether an until can be fulfilled in the successors of a type: in all it needs, or in one.
func (t *tableau) onward(op Op, v int, done []bool) bool {
	if op == AU {
		return t.provided(v, done)
	}
	for u := range done {
		if done[u] && t.follows(v, u) {
			return true
		}
	}
	return false
}
