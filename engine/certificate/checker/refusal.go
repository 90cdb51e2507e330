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
	part  *ctl.Formula  // part of the formula; nil: the certificate does not fit it
	holds bool          // the value claimed of it
	at    petri.Marking // the marking; nil: none in particular
	step  []int         // the transitions that lead to to; nil: it is not about a step
	to    petri.Marking
	Why   string // what follows "that ... holds"
	net   *petri.Net
}

// Error describes the refusal with the names of the net's places and transitions.
func (r *Refusal) Error() string {
	if r.part == nil {
		return r.Why
	}
	text := fmt.Sprintf("that %s %s %s", r.part.CTL(), map[bool]string{true: "holds", false: "fails"}[r.holds], r.Why)
	if r.at != nil {
		text += ": " + r.places(r.at)
	}
	if r.step != nil {
		var names []string
		for _, t := range r.step {
			names = append(names, r.net.Transitions[t].Name)
		}
		text += fmt.Sprintf("; %s leads from there to %s", strings.Join(names, " with "), r.places(r.to))
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
func (k *verifier) because(id int, set Node, why string) *Refusal {
	r := &Refusal{part: k.claims[id].of, holds: k.claims[id].holds, Why: why, net: k.Net}
	if set != None {
		r.at = k.first(set)
	}
	return r
}

// stepping refuses a claim because of a step from d into a set.
func (k *verifier) stepping(id int, d, lost Node, actor int) *Refusal {
	to := k.Set([]petri.Marking{k.first(lost)})
	r := k.because(id, k.pre(d, to, actor), "is claimed of a state from which a step leads where it is not shown")
	r.to = k.first(to)
	steps := &listing{Forest: k.Forest, net: k.Net, rule: k.Rule, acts: k.Acts, compete: make([]map[int]bool, len(k.Net.Transitions)), most: 1 << 20}
	steps.steps(r.at, func(step []int) bool {
		after, contact := k.Net.Fire(r.at, step)
		if contact < 0 && slices.Equal(after, r.to) && steps.by(actor, r.at, step) {
			r.step = slices.Clone(step)
		}
		return r.step == nil
	})
	return r
}
