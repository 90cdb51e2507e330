package smv_test

import (
	"fmt"
	"slices"
	"strings"
)

// This evaluates what was read, one state after the other, by the definitions: values of inputs are tried, TRANS says which may be
// taken, ASSIGN what comes next; formulas are fixpoints over states, on fair paths if there is FAIRNESS.

// unknown is a value that inputs not yet chosen decide.
const unknown = -1

// An evaluator holds one state and one choice of inputs.
type evaluator struct {
	p        *program
	slot     map[string]int // of variables and inputs
	value    []int
	symbol   map[string]int
	compiled map[string]func() int // definitions
	known    map[string]int        // values of definitions without inputs, in this state
}

type model struct {
	states [][]int
	succ   [][]int
	fair   [][]bool
}

func newEvaluator(p *program) *evaluator {
	e := &evaluator{p: p, slot: map[string]int{}, symbol: map[string]int{}, compiled: map[string]func() int{}, known: map[string]int{}}
	for _, v := range append(slices.Clone(p.vars), p.inputs...) {
		e.slot[v] = len(e.value)
		e.value = append(e.value, unknown)
		for _, c := range p.values[v] {
			e.symbol[c] = len(e.symbol)
		}
	}
	return e
}

// compile makes an expression a function of the values held.
func (e *evaluator) compile(x *smvExpr) func() int {
	if x.op == "id" {
		return e.compileName(x.name)
	}
	if x.op == "in" {
		of, set := e.compile(x.args[0]), map[int]bool{}
		for _, a := range x.args[1].args {
			set[e.symbol[a.name]] = true
		}
		return func() int {
			if v := of(); v != unknown {
				return truth(set[v])
			}
			return unknown
		}
	}
	args := make([]func() int, len(x.args))
	for i, a := range x.args {
		args[i] = e.compile(a)
	}
	switch x.op {
	case "TRUE", "FALSE":
		v := truth(x.op == "TRUE")
		return func() int { return v }
	case "number":
		return func() int { return x.n }
	case "case":
		return func() int {
			for i := 0; i < len(args); i += 2 {
				switch args[i]() {
				case unknown:
					return unknown
				case 1:
					return args[i+1]()
				}
			}
			panic("a case without a value")
		}
	case "count":
		return func() int {
			n := 0
			for _, a := range args {
				v := a()
				if v == unknown {
					return unknown
				}
				n += v
			}
			return n
		}
	case "!":
		return func() int {
			if v := args[0](); v != unknown {
				return 1 - v
			}
			return unknown
		}
	case "&", "|", "->":
		return lazily(x.op, args[0], args[1])
	}
	return func() int {
		a, b := args[0](), args[1]()
		if a == unknown || b == unknown {
			return unknown
		}
		switch x.op {
		case "<->", "=":
			return truth(a == b)
		case "!=":
			return truth(a != b)
		case "<":
			return truth(a < b)
		case ">":
			return truth(a > b)
		case "<=":
			return truth(a <= b)
		case ">=":
			return truth(a >= b)
		case "+":
			return a + b
		case "*":
			return a * b
		}
		panic(x.op)
	}
}

func lazily(op string, left, right func() int) func() int {
	ends := map[string]int{"&": 0, "|": 1, "->": 0}[op] // a left side that decides all
	result := map[string]int{"&": 0, "|": 1, "->": 1}[op]
	return func() int {
		a := left()
		if a == ends {
			return result
		}
		b := right()
		switch {
		case op == "&" && b == 0, op != "&" && b == 1:
			return b
		case a == unknown:
			return unknown
		}
		return b
	}
}

func (e *evaluator) compileName(name string) func() int {
	if at, ok := e.slot[name]; ok {
		return func() int { return e.value[at] }
	}
	if v, ok := e.symbol[name]; ok {
		return func() int { return v }
	}
	if e.compiled[name] == nil {
		inner := e.compile(e.p.define[name])
		e.compiled[name] = func() int {
			if v, ok := e.known[name]; ok {
				return v
			}
			v := inner()
			if v != unknown {
				e.known[name] = v // package smv defines nothing by inputs, which newModel checks
			}
			return v
		}
	}
	return e.compiled[name]
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// explored enumerates the states, up to a limit; ok says that there are no more.
func explored(p *program, limit int) (m *model, e *evaluator, ok bool) {
	e = newEvaluator(p)
	m = &model{}
	nexts := make([]func() int, len(p.vars))
	first := make([]int, len(p.vars))
	for i, v := range p.vars {
		nexts[i] = e.compile(p.nexts[v])
		first[i] = e.compile(p.initial[v])()
	}
	var trans []func() int
	for _, t := range p.trans {
		trans = append(trans, e.compile(t))
	}
	seen := map[string]int{}
	number := func(s []int) int {
		key := fmt.Sprint(s)
		if _, known := seen[key]; !known {
			seen[key] = len(m.states)
			m.states = append(m.states, s)
		}
		return seen[key]
	}
	number(first)
	for s := 0; s < len(m.states); s++ {
		if len(m.states) > limit {
			return nil, nil, false
		}
		var succ []int
		e.enter(m.states[s])
		e.choose(0, trans, func() {
			to := make([]int, len(p.vars))
			for i := range nexts {
				to[i] = nexts[i]()
			}
			succ = append(succ, number(to))
		})
		if len(succ) == 0 {
			panic(refusal(fmt.Sprintf("state %d has no successor", s)))
		}
		m.succ = append(m.succ, succ)
	}
	for _, f := range p.fair {
		m.fair = append(m.fair, m.where(e, e.compile(f)))
	}
	return m, e, true
}

func (e *evaluator) enter(state []int) {
	copy(e.value, state)
	for i := len(state); i < len(e.value); i++ {
		e.value[i] = unknown
	}
	clear(e.known)
}

// choose tries every value of every input, and goes no further where a constraint fails already.
func (e *evaluator) choose(input int, trans []func() int, taken func()) {
	for _, t := range trans {
		if t() == 0 {
			return
		}
	}
	if input == len(e.p.inputs) {
		taken()
		return
	}
	name := e.p.inputs[input]
	at := e.slot[name]
	values := []int{0, 1}
	if list := e.p.values[name]; list != nil {
		values = nil
		for _, c := range list {
			values = append(values, e.symbol[c])
		}
	}
	for _, v := range values {
		e.value[at] = v
		e.choose(input+1, trans, taken)
	}
	e.value[at] = unknown
}

func (m *model) where(e *evaluator, f func() int) []bool {
	set := make([]bool, len(m.states))
	for s := range set {
		e.enter(m.states[s])
		set[s] = f() == 1
	}
	return set
}

// sat is the set of states in which a formula holds (E. Clarke, E. Emerson, A. Sistla, 1986); on fair paths as E. Emerson and C.-L. Lei
// (1987) have it.
func (m *model) sat(e *evaluator, x *smvExpr) []bool {
	if !strings.Contains(" EX AX EF AF EG AG EU AU ! & | -> <-> ", " "+x.op+" ") {
		return m.where(e, e.compile(x))
	}
	p := m.sat(e, x.args[0])
	q := p
	if len(x.args) == 2 {
		q = m.sat(e, x.args[1])
	}
	n := len(p)
	all := slices.Repeat([]bool{true}, n)
	not := func(a []bool) []bool { return zip(a, a, func(v, _ bool) bool { return !v }) }
	and := func(a, b []bool) []bool { return zip(a, b, func(v, w bool) bool { return v && w }) }
	switch x.op {
	case "!":
		return not(p)
	case "&":
		return and(p, q)
	case "|":
		return zip(p, q, func(v, w bool) bool { return v || w })
	case "->":
		return zip(p, q, func(v, w bool) bool { return !v || w })
	case "<->":
		return zip(p, q, func(v, w bool) bool { return v == w })
	}
	fair := m.forever(all)
	switch x.op {
	case "EX":
		return m.before(and(p, fair))
	case "AX":
		return not(m.before(and(not(p), fair)))
	case "EF":
		return m.until(all, and(p, fair))
	case "AG":
		return not(m.until(all, and(not(p), fair)))
	case "EG":
		return m.forever(p)
	case "AF":
		return not(m.forever(not(p)))
	case "EU":
		return m.until(p, and(q, fair))
	}
	bad := m.until(not(q), and(and(not(p), not(q)), fair))
	return zip(not(bad), m.forever(not(q)), func(v, w bool) bool { return v && !w })
}

func zip(a, b []bool, f func(v, w bool) bool) []bool {
	c := make([]bool, len(a))
	for i := range a {
		c[i] = f(a[i], b[i])
	}
	return c
}

func (m *model) before(a []bool) []bool {
	set := make([]bool, len(a))
	for s, succ := range m.succ {
		set[s] = slices.ContainsFunc(succ, func(t int) bool { return a[t] })
	}
	return set
}

// until is the least set with q, and with what is in p and leads there.
func (m *model) until(p, q []bool) []bool {
	set := slices.Clone(q)
	for grown := true; grown; {
		grown = false
		for s := len(set) - 1; s >= 0; s-- {
			if !set[s] && p[s] && slices.ContainsFunc(m.succ[s], func(t int) bool { return set[t] }) {
				set[s], grown = true, true
			}
		}
	}
	return set
}

// forever is the greatest set in p from whose states a path within it comes to each fair set, again and again.
func (m *model) forever(p []bool) []bool {
	set := slices.Clone(p)
	fair := m.fair
	if len(fair) == 0 {
		fair = [][]bool{slices.Repeat([]bool{true}, len(p))}
	}
	for {
		was := slices.Clone(set)
		for _, f := range fair {
			reach := m.until(p, zip(set, f, func(v, w bool) bool { return v && w }))
			set = zip(set, m.before(reach), func(v, w bool) bool { return v && w })
		}
		if slices.Equal(was, set) {
			return set
		}
	}
}
