package play

import (
	"sort"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/phrase"
)

// Value is the value of a formula at the start of a run, as far as the run so far decides it.
type Value uint8

const (
	Open   Value = iota // not decided
	Shown               // it holds, and the run shows it
	Broken              // it does not hold, and the run shows it
)

func (v Value) String() string { return [...]string{"open", "shown", "broken"}[v] }

// An Outcome is the value of a requirement on the run so far.
type Outcome struct {
	Requirement int // index in the contract
	Value       Value
	Step        int // the step that decided it; 0: the start
}

// Outcomes returns the value of each requirement that is no scenario, in source order.
func (g *Game) Outcomes() []Outcome {
	var list []Outcome
	for i, w := range g.watches {
		if phrase.ScriptOf(g.Draft.Formulas[i]) == nil { // a scenario is of one course of events, and no run decides it
			w.observe(g)
			list = append(list, Outcome{i, w.value, w.step})
		}
	}
	return list
}

// A watch follows one formula along the run. Once the formula is decided, its value stays, since further steps do not change earlier ones.
//
// A value is decided only if the run so far decides it for all runs. So AG p is broken where p fails, but it is shown only in a dead end. A
// progress assumption makes no difference, because every run so far can be continued in a way that satisfies it.
type watch struct {
	formula *ctl.Formula // nil: it is ill-formed
	value   Value
	step    int // the step that decided it
	open    int // it was not decided after this many steps
}

func newWatch(f *ctl.Formula) *watch { return &watch{formula: f, open: -1} }

// observe evaluates the formula after the new steps, and finds the first step that decides it.
func (w *watch) observe(g *Game) {
	if w.formula == nil || w.value != Open || w.open == len(g.run) {
		return
	}
	after := func(steps int) Value {
		e := &evaluation{Game: g, last: steps}
		return e.along(w.formula)[0]
	}
	if w.value = after(len(g.run)); w.value == Open {
		w.open = len(g.run)
		return
	}
	w.step = w.open + 1 + sort.Search(len(g.run)-w.open-1, func(i int) bool { return after(w.open+1+i) != Open })
}

// forget takes back a decision made after a step.
func (w *watch) forget(step int) {
	if w.value != Open && w.step > step {
		w.value, w.step = Open, 0
	}
	w.open = min(w.open, step)
}

// An evaluation computes one formula on the run so far.
type evaluation struct {
	*Game
	last int
}

// along returns the value of a formula at every marking of the run. Cost: linear in the formula and the run.
func (e *evaluation) along(f *ctl.Formula) []Value {
	switch {
	case f.Op == ctl.Atom && f.Means != nil && f.Means.Temporal():
		return e.along(f.Means)
	case f.Op < ctl.Not:
		return e.each(func(i int) Value { return e.state(e.markings[i], f) })
	}
	l := e.along(f.Left)
	switch f.Op {
	case ctl.Not:
		return e.each(func(i int) Value { return opposite(l[i]) })
	case ctl.And, ctl.Or, ctl.Implies, ctl.Iff:
		r := e.along(f.Right)
		return e.each(func(i int) Value { return combine(f.Op, l[i], r[i]) })
	case ctl.EX, ctl.AX:
		return e.each(func(i int) Value { return e.next(f, l, i) })
	case ctl.AF, ctl.EF:
		return e.until(f.Op, e.each(func(int) Value { return Shown }), l)
	case ctl.AG, ctl.EG:
		return e.until(f.Op, l, e.each(func(int) Value { return Broken }))
	}
	return e.until(f.Op, l, e.along(f.Right))
}

func (e *evaluation) each(value func(i int) Value) []Value {
	list := make([]Value, e.last+1)
	for i := range list {
		list[i] = value(i)
	}
	return list
}

// state returns the value of a formula in one marking, as far as that marking alone decides it.
func (e *evaluation) state(m petri.Marking, f *ctl.Formula) Value {
	value, known := explain.Truth(e.Draft, m, f)
	return map[[2]bool]Value{{true, true}: Shown, {false, true}: Broken}[[2]bool{value, known}]
}

func opposite(v Value) Value { return [...]Value{Open, Broken, Shown}[v] }

// combine applies Kleene's strong three-valued logic (1952, Introduction to Metamathematics, section 64).
func combine(op ctl.Op, a, b Value) Value {
	switch {
	case op == ctl.Or:
		return opposite(combine(ctl.And, opposite(a), opposite(b)))
	case op == ctl.Implies:
		return opposite(combine(ctl.And, a, opposite(b)))
	case op == ctl.Iff && (a == Open || b == Open):
		return Open
	case op == ctl.Iff && a == b:
		return Shown
	case op == ctl.Iff, a == Broken, b == Broken:
		return Broken
	case a == Open || b == Open:
		return Open
	}
	return Shown
}

// next returns the value of EX and AX. The run has one successor; looking one step ahead gives all of them.
func (e *evaluation) next(f *ctl.Formula, l []Value, i int) Value {
	decisive := Shown // one successor decides
	if f.Op == ctl.AX {
		decisive = Broken
	}
	if i < e.last && l[i+1] == decisive {
		return decisive
	}
	if f.Left.Temporal() && !e.dead(i) {
		return Open
	}
	all, complete := e.successors(i)
	for _, m := range all {
		switch v := e.state(m, f.Left); {
		case m != nil && v == decisive:
			return decisive
		case m != nil && v == Open:
			complete = false
		}
	}
	if !complete {
		return Open
	}
	return opposite(decisive)
}

// until returns the values of U and W, and of the operators that are special cases of them. It works backwards from the last marking.
func (e *evaluation) until(op ctl.Op, l, r []Value) []Value {
	all := op == ctl.AF || op == ctl.AG || op == ctl.AU || op == ctl.AW
	weak := op == ctl.AG || op == ctl.EG || op == ctl.AW || op == ctl.EW
	v := make([]Value, e.last+1)
	for i := e.last; i >= 0; i-- {
		then := Open
		switch {
		case i == e.last && e.dead(i):
			then = Broken
			if weak {
				then = Shown
			}
		case i < e.last && v[i+1] == Broken && all, i < e.last && v[i+1] == Shown && !all:
			then = v[i+1] // one run decides
		}
		v[i] = combine(ctl.Or, r[i], combine(ctl.And, l[i], then))
	}
	return v
}

// dead reports whether a marking of the run is a dead end.
func (e *evaluation) dead(i int) bool {
	c := e.choices(i)
	return len(c.steps) == 0 && !c.more
}
