package expr

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// A local is one value of a locals block.
type local struct {
	attr    *hclsyntax.Attribute
	needs   []string // the locals it refers to
	value   cty.Value
	weight  int  // final, with or without a value
	ready   bool // value is valid
	settled bool // nothing more will happen to it
}

// DefineLocals evaluates all locals in the order of their dependencies (Kahn, Topological sorting of large networks, 1962).
func (ev *Evaluator) DefineLocals(blocks []*hclsyntax.Block) {
	var order []string
	taken := syntax.Names{}
	for _, b := range blocks {
		if b.Type != "locals" {
			continue
		}
		for _, a := range syntax.SortedAttributes(b.Body.Attributes) {
			if ev.Declare(taken, "local value", a.Name, a.NameRange) {
				ev.locals[a.Name] = &local{attr: a, needs: localsIn(a.Expr)}
				order = append(order, a.Name)
			}
		}
	}
	ev.settle(order)
	ev.cycles(order)
}

// settle evaluates the locals that are in no cycle.
func (ev *Evaluator) settle(order []string) {
	waits, users := map[string]int{}, map[string][]string{}
	var free []string
	for _, name := range order {
		for _, need := range ev.locals[name].needs {
			if ev.locals[need] != nil {
				waits[name]++
				users[need] = append(users[need], name)
			}
		}
		if waits[name] == 0 {
			free = append(free, name)
		}
	}
	for len(free) > 0 {
		name := free[0]
		free = free[1:]
		ev.define(ev.locals[name])
		for _, user := range users[name] {
			if waits[user]--; waits[user] == 0 {
				free = append(free, user)
			}
		}
	}
}

func (ev *Evaluator) define(v *local) {
	v.settled = true
	if v.value, v.ready = ev.Evaluate(v.attr.Expr); v.ready {
		v.weight = measure(v.value)
	}
}

// cycles reports each cycle among the locals that could not be settled, once. It does not report those that only lead into a cycle.
func (ev *Evaluator) cycles(order []string) {
	seen := map[string]bool{}
	for _, start := range order {
		var path []string
		at := map[string]int{}
		name := start
		for name != "" && !ev.locals[name].settled && !seen[name] {
			seen[name] = true
			at[name] = len(path)
			path = append(path, name)
			name = ev.stuckNeed(name)
		}
		if i, closed := at[name]; closed {
			ev.cycle(path[i:])
		}
	}
}

// stuckNeed returns the first local that name waits for in vain.
func (ev *Evaluator) stuckNeed(name string) string {
	for _, need := range ev.locals[name].needs {
		if v := ev.locals[need]; v != nil && !v.settled {
			return need
		}
	}
	return ""
}

// circle returns the sentence on a cycle of local values.
func circle(path []string) string {
	switch n := len(path); {
	case n == 1:
		return fmt.Sprintf("Local value %s refers to itself.", path[0])
	case n == 2:
		return fmt.Sprintf("Local values %s and %s refer to each other.", path[0], path[1])
	case n <= 10:
		return fmt.Sprintf("Local values %s and %s refer to each other in a circle.", strings.Join(path[:n-1], ", "), path[n-1])
	}
	return fmt.Sprintf("Local value %s refers to itself, by way of %d others.", path[0], len(path)-1)
}

func (ev *Evaluator) cycle(path []string) {
	shown := make([]string, 0, 12)
	for _, name := range path[:min(len(path), 10)] {
		shown = append(shown, "local."+name)
	}
	if len(path) > 10 {
		shown = append(shown, "...")
	}
	shown = append(shown, "local."+path[0])
	ev.Mistake(diag.ReferenceCycle, ev.locals[path[0]].attr.NameRange, circle(path),
		strings.Join(shown, " -> ")+".")
}
