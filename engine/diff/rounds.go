package diff

import (
	"maps"
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
)

// The rounds of a phase are phases, and what stands in them are things of their own: month-1.pay, month-2.pay. A quantifier over rounds names
// none of them by its whole name, so it is read as what it says of each.

// ofRounds returns a quantifier over the rounds of a phase in the names of the other side. It stays a quantifier if one over the rounds of some phase of the other
// side says the same; otherwise it is written out. It returns nil if f is none, or too large.
func (w way) ofRounds(f *ctl.Formula, bound []variable) *ctl.Formula {
	rounds := w.from.contract.Rounds[f.Range.Name]
	if len(rounds) == 0 || tooLarge(w.from, f) {
		return nil
	}
	var said, now []*ctl.Formula
	for _, round := range rounds {
		one := ctl.Bind(f.Left, f.Name, round)
		said, now = append(said, one), append(now, w.formula(one, bound))
	}
	if w.to.contract.Rounds[f.Range.Name] != nil && slices.EqualFunc(said, now, sameText) {
		return f
	}
	for _, phase := range slices.Sorted(maps.Keys(w.to.contract.Rounds)) {
		all := *f
		all.Range.Name = phase
		if all.Left = abstracted(now, f.Name, w.to.contract.Rounds[phase]); all.Left != nil {
			return &all
		}
	}
	op := ctl.And
	if f.Op == ctl.ForSome {
		op = ctl.Or
	}
	all := now[0]
	for _, one := range now[1:] {
		all = &ctl.Formula{Op: op, Left: all, Right: one, From: f.From, To: f.To}
	}
	return all
}

// abstracted returns a formula with a variable that becomes each formula of a list when a round is put in its place, in order; nil if there is none.
func abstracted(list []*ctl.Formula, variable string, rounds []string) *ctl.Formula {
	if len(list) != len(rounds) {
		return nil
	}
	f := ctl.Bind(list[0], rounds[0], variable)
	for i, round := range rounds {
		if !sameText(ctl.Bind(f, variable, round), list[i]) {
			return nil
		}
	}
	return f
}

func sameText(f, g *ctl.Formula) bool { return f.CTL() == g.CTL() }

// tooLarge reports whether a formula with its quantifiers written out is larger than a formula may be.
func tooLarge(in *inventory, f *ctl.Formula) bool {
	_, err := ctl.Expand(f, func(of string) ([]string, bool) { return in.members(of), true })
	return err != nil
}
