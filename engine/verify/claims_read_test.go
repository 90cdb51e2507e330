package verify_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/internal/naive"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
)

// all labels the states with a temporal operator of what words say.
func (r *runReader) all(op ctl.Op, words string) []bool {
	return r.sat(&ctl.Formula{Op: op, Left: r.operand(words)})
}

// on does so of EX, EF or AF, and restricts it to the runs on which nothing is breached, by the definition of these.
func (r *runReader) on(op ctl.Op, words string, ideal bool) []bool {
	if !ideal {
		return r.all(op, words)
	}
	f := r.operand(words)
	if op == ctl.AF {
		goal := &ctl.Formula{Op: ctl.Or, Left: f, Right: r.formulaOf("!ideal")}
		return r.sat(&ctl.Formula{Op: ctl.AU, Left: &ctl.Formula{Op: ctl.Not, Left: r.formulaOf("AX overstepped && EX true")}, Right: goal})
	}
	return r.sat(&ctl.Formula{Op: op, Left: &ctl.Formula{Op: ctl.And, Left: f, Right: r.formulaOf("E[ideal W ideal && AX overstepped]")}})
}

// sat labels the states with a formula, on the runs that it is asked of.
func (r *runReader) sat(f *ctl.Formula) []bool {
	if r.fair.Can == nil {
		return naive.Sat(r.g, f)
	}
	return naive.FairSat(r.g, r.fair, f)
}

func (r *runReader) is(words string, s int) bool {
	sat, known := r.values[words]
	if !known {
		sat = r.sat(r.operand(words))
		r.values[words] = sat
	}
	return sat[s]
}

// operand reads words: "not" binds more than "and", and that more than "or". Without quotes it is a formula.
func (r *runReader) operand(words string) *ctl.Formula {
	for _, none := range []string{" does not hold", " do not all hold"} {
		if what, ok := strings.CutSuffix(words, none); ok {
			return &ctl.Formula{Op: ctl.Not, Left: r.operand(what)}
		}
	}
	words = strings.TrimSuffix(strings.TrimSuffix(words, " holds"), " hold")
	if strings.HasPrefix(words, "(") && strings.HasSuffix(words, ")") && strings.Contains(words, "“") {
		words = words[1 : len(words)-1]
	}
	if text, ok := strings.CutPrefix(words, "not "); ok && !strings.Contains(text, "“") {
		return r.negated(text)
	}
	if !strings.Contains(words, "“") && words != "nothing has been breached" {
		return r.formulaOf(words)
	}
	if f := r.prospect(words); f != nil {
		return f
	}
	for _, op := range []struct {
		word string
		op   ctl.Op
	}{{" or ", ctl.Or}, {" and ", ctl.And}} {
		if left, right, ok := strings.Cut(words, op.word); ok {
			return &ctl.Formula{Op: op.op, Left: r.operand(left), Right: r.operand(right)}
		}
	}
	if rest, ok := strings.CutPrefix(words, "not "); ok {
		return &ctl.Formula{Op: ctl.Not, Left: r.operand(rest)}
	}
	for form, text := range map[string]string{
		`^“(\w+): ([\w ]+)”$`: "$1.$2", `^“(\w+)” has happened$`: "happened($1)", `^“(\w+)” has not happened$`: "!happened($1)", `^“(\w+)” can happen$`: "enabled($1)",
		`^“(\w+)” can't happen$`: "!enabled($1)", `^“(\w+)” never happens before “(\w+)”$`: "before($2, $1)", `^nothing has been breached$`: "ideal", `^“something breached”$`: "!ideal", `^something forbidden has been done$`: "overstepped",
	} {
		if re := regexp.MustCompile(form); re.MatchString(words) {
			return r.formulaOf(re.ReplaceAllString(strings.ReplaceAll(words, "in force", "in_force"), text))
		}
	}
	r.t.Fatalf("%s: what is %q?", r.formula, words)
	return nil
}

// prospect reads what is said of what comes, of a state or an event; nil if words say none. None is said of things that come together.
func (r *runReader) prospect(words string) *ctl.Formula {
	if what, ok := strings.CutPrefix(words, "it is not so that "); ok {
		return &ctl.Formula{Op: ctl.Not, Left: r.operand(what)}
	}
	for _, said := range []struct {
		words, of string
		op        ctl.Op
	}{
		{" can be reached", "", ctl.EF}, {" comes whatever happens", "", ctl.AF}, {" stays so whatever happens", "", ctl.AG},
		{" can stay so for ever", "", ctl.EG}, {" can come next", "", ctl.EX}, {" comes next in any case", "", ctl.AX},
		{" can happen at some time", " has happened", ctl.EF}, {" happens in any case", " has happened", ctl.AF},
	} {
		if what, ok := strings.CutSuffix(words, said.words); ok && !strings.Contains(what, " and ") {
			return &ctl.Formula{Op: said.op, Left: r.operand(what + said.of)}
		}
	}
	return nil
}

// negated reads "not" before a formula, which has to be one in brackets, or no chain.
func (r *runReader) negated(text string) *ctl.Formula {
	f := r.formulaOf(text)
	if f.Op >= ctl.And && f.Op <= ctl.Iff && !strings.HasPrefix(text, "(") {
		r.wrong("not " + text)
	}
	return &ctl.Formula{Op: ctl.Not, Left: f}
}

// formulaOf reads a formula by definitions: what has happened is remembered in a place, and what can happen is what can fire.
func (r *runReader) formulaOf(text string) *ctl.Formula {
	f, err := ctl.Parse(text)
	if err != nil {
		r.t.Fatalf("%s: %q is neither words nor a formula", r.formula, text)
	}
	for atom := range f.Atoms() {
		r.resolve(atom)
	}
	return f
}

func (r *runReader) resolve(atom *ctl.Formula) {
	if atom.Call == nil && atom.Name == "overstepped" {
		atom.Means = &ctl.Formula{Op: ctl.False}
		for _, n := range testkit.Leavable(r.d) {
			atom.Means = &ctl.Formula{Op: ctl.Or, Left: atom.Means, Right: r.formulaOf(n.Name + "." + n.Breached().Name)}
		}
		return
	}
	if atom.Call == nil && atom.Name != "ideal" {
		if atom.Place = slices.IndexFunc(r.d.Net.Places, func(p petri.Place) bool { return p.String() == atom.Name }); atom.Place < 0 {
			r.t.Fatalf("%s: there is no %s", r.formula, atom.Name)
		}
		return
	}
	if atom.Name == "ideal" {
		atom.Means = &ctl.Formula{Op: ctl.True}
		for _, n := range r.d.Spec.Norms {
			if n.Breached() != nil {
				atom.Means = &ctl.Formula{Op: ctl.And, Left: atom.Means, Right: r.formulaOf("!" + n.Name + "." + n.Breached().Name)}
			}
		}
		return
	}
	name := atom.Call.Args[0].Name
	switch atom.Call.Function {
	case "happened":
		atom.Place = slices.IndexFunc(r.d.Net.Places, func(p petri.Place) bool { return p.Name == "happened("+name+")" })
	case "before":
		second := atom.Call.Args[1].Name
		atom.Means = r.formulaOf(fmt.Sprintf("A[!happened(%[1]s) W happened(%[2]s) && !happened(%[1]s)]", second, name))
	case "enabled":
		var some []*ctl.Formula
		for t, tr := range r.d.Net.Transitions {
			if tr.Event >= 0 && explain.Event(r.d, t).Name == name {
				some = append(some, r.canFire(t))
			}
		}
		atom.Means = &ctl.Formula{Op: ctl.False}
		for _, one := range some {
			atom.Means = &ctl.Formula{Op: ctl.Or, Left: atom.Means, Right: one}
		}
	}
}

// canFire is the disjunction of the markings in which a transition can fire, as an atom of a place that none has.
func (r *runReader) canFire(t int) *ctl.Formula {
	const after = 1_000
	holds := r.g.Holds
	r.g.Holds = func(s, p int) bool {
		if p == after+t {
			return r.d.Net.Fireable(r.markings[s], t)
		}
		return holds(s, p)
	}
	return &ctl.Formula{Op: ctl.Atom, Name: "fires", Place: after + t}
}
