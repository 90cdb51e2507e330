package smv_test

import "slices"

// check holds the program to the rules on types, and on where inputs may stand (sections 2.2 and 2.3).
func (r *smvReader) check() {
	for _, v := range append(slices.Clone(r.p.vars), r.p.inputs...) {
		input := slices.Contains(r.p.inputs, v)
		if (r.p.initial[v] == nil || r.p.nexts[v] == nil) != input {
			refuse("%s: only variables are assigned, and here all of them are", v)
		}
	}
	for name := range r.p.initial {
		r.is("bool", r.p.initial[name], false)
		r.is("bool", r.p.nexts[name], true)
		if r.names[name] != "VAR" {
			refuse("%s is no variable, and is assigned", name)
		}
	}
	for _, e := range r.p.define { // the manual lets inputs in; the evaluator does not
		r.is("bool", e, false)
	}
	for _, e := range r.p.trans {
		r.is("bool", e, true)
	}
	for _, e := range r.p.fair {
		r.is("bool", e, false)
	}
	names := map[string]bool{}
	for _, s := range r.p.specs {
		if s.name != "" && (names[s.name] || r.names[s.name] != "") {
			refuse("two things are named %s", s.name)
		}
		names[s.name] = true
		r.is("ctl", s.ctl, false)
	}
}

// is wants a type; a formula may be a truth value. What is asked of states has no inputs in it.
func (r *smvReader) is(want string, e *smvExpr, inputs bool) {
	have := r.typeOf(e, inputs)
	if have != want && !(want == "ctl" && have == "bool") {
		refuse("%s %s is %s, and %s was expected", e.op, e.name, have, want)
	}
}

func (r *smvReader) typeOf(e *smvExpr, inputs bool) string {
	all := func(want string, result string) string {
		for _, a := range e.args {
			r.is(want, a, inputs)
		}
		return result
	}
	switch e.op {
	case "TRUE", "FALSE":
		return "bool"
	case "number":
		return "int"
	case "id":
		return r.typeOfName(e.name, inputs)
	case "!", "&", "|", "->", "<->":
		result := "bool"
		for _, a := range e.args { // each once: formulas are deep
			switch have := r.typeOf(a, inputs); have {
			case "ctl":
				result = have
			case "bool":
			default:
				refuse("%s of what is %s", e.op, have)
			}
		}
		return result
	case "=", "!=":
		have := r.typeOf(e.args[0], inputs)
		if r.is(have, e.args[1], inputs); have == "ctl" {
			refuse("formulas are compared")
		}
		return "bool"
	case "<", ">", "<=", ">=":
		return all("int", "bool")
	case "+", "*":
		return all("int", "int")
	case "count":
		return all("bool", "int")
	case "{":
		return all("enum", "set")
	case "in":
		r.is("enum", e.args[0], inputs)
		r.is("set", e.args[1], inputs)
		return "bool"
	case "case":
		for i, a := range e.args {
			if r.is("bool", a, inputs); i == len(e.args)-2 && a.op != "TRUE" {
				refuse("a case that may have no value")
			}
		}
		return "bool"
	case "EX", "AX", "EF", "AF", "EG", "AG", "EU", "AU":
		return all("ctl", "ctl")
	}
	refuse("%q has no type", e.op)
	return ""
}

func (r *smvReader) typeOfName(name string, inputs bool) string {
	switch r.names[name] {
	case "IVAR":
		if !inputs {
			refuse("the input %s stands where only variables may", name)
		}
		if r.p.values[name] != nil {
			return "enum"
		}
		return "bool"
	case "VAR":
		if r.p.values[name] != nil {
			return "enum"
		}
		return "bool"
	case "DEFINE":
		if !inputs && !r.pure(r.p.define[name]) {
			refuse("%s, which depends on inputs, stands where only variables may", name)
		}
		return "bool"
	case "constant":
		return "enum"
	}
	refuse("%s is not declared", name)
	return ""
}

// pure says that an expression does not depend on inputs. Definitions may not depend on themselves.
func (r *smvReader) pure(e *smvExpr) bool {
	if e.op == "id" {
		switch r.names[e.name] {
		case "IVAR":
			return false
		case "DEFINE":
			d := r.p.define[e.name]
			if d.n == 1 {
				refuse("%s is defined by itself", e.name)
			}
			if d.op != "number" && d.n == 0 {
				d.n = 1
				pure := r.pure(d)
				d.n = 0
				return pure
			}
		}
	}
	return !slices.ContainsFunc(e.args, func(a *smvExpr) bool { return !r.pure(a) })
}
