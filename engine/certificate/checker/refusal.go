package checker

import (
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
)

// A Refusal reports the first condition that a certificate fails.
type Refusal struct {
	Part  *ctl.Formula  // part of the formula; nil: the certificate does not fit it
	Holds bool          // the value claimed of it
	At    petri.Marking // the marking; nil: none in particular
	Step  []int         // the transitions that lead to To; nil: it is not about a step
	To    petri.Marking
	Why   string // what follows "that ... holds"
	net   *petri.Net
}

// Error describes the refusal with the names of the net's places and transitions.
func (r *Refusal) Error() string {
	if r.Part == nil {
		return r.Why
	}
	text := fmt.Sprintf("that %s %s %s", r.Part.CTL(), map[bool]string{true: "holds", false: "fails"}[r.Holds], r.Why)
	if r.At != nil {
		text += ": " + r.places(r.At)
	}
	if r.Step != nil {
		var names []string
		for _, t := range r.Step {
			names = append(names, r.net.Transitions[t].Name)
		}
		text += fmt.Sprintf("; %s leads from there to %s", strings.Join(names, " with "), r.places(r.To))
	}
	return text
}

func (r *Refusal) places(m petri.Marking) string {
	var names []string
	for _, p := range m {
		names = append(names, r.net.Places[p].String())
	}
	if len(names) == 0 {
		return "where no place is marked"
	}
	return strings.Join(names, ", ")
}

// because refuses a claim at the first marking of a set.
func (k *checking) because(id int, set Node, why string) *Refusal {
	r := &Refusal{Part: k.claims[id].Of, Holds: k.claims[id].Holds, Why: why, net: k.Net}
	if set != None {
		r.At = k.first(set)
	}
	return r
}

// stepping refuses a claim because of a step from d into a set.
func (k *checking) stepping(id int, d, lost Node, actor int) *Refusal {
	to := k.Set([]petri.Marking{k.first(lost)})
	r := k.because(id, k.pre(d, to, actor), "is claimed of a state from which a step leads where it is not shown")
	r.To = k.first(to)
	steps := &listing{Forest: k.Forest, net: k.Net, rule: k.Rule, acts: k.Acts, compete: make([]map[int]bool, len(k.Net.Transitions)), most: 1 << 20}
	steps.steps(r.At, func(step []int) bool {
		after, contact := k.Net.Fire(r.At, step)
		if contact < 0 && slices.Equal(after, r.To) && steps.by(actor, r.At, step) {
			r.Step = slices.Clone(step)
		}
		return r.Step == nil
	})
	return r
}
