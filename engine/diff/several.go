package diff

import (
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/phrase"
	"github.com/redlinehq/redline/hclspec"
)

// What a promise says of every one of several, or of some, depends on how many there are. One more of whom "every" speaks adds to the promise,
// and one less of whom "some" speaks narrows it; head's reading then implies base's. Otherwise the promise of base is the one about its own
// instances. The occurrences of a norm are not so: they are alike, and how many there can be is a term of the norm. A promise about them is asked
// as it is written, unless some are gone and a norm is new, which may stand in for them.

// WrittenOut returns a requirement of base with its quantifiers written out for base's instances, if head's reading of them may promise less.
// Otherwise it returns r itself. It keeps base's names.
func (n *Names) WrittenOut(r *hclspec.Requirement) *hclspec.Requirement {
	text := n.writtenOut(r.Formula)
	if text == r.Formula {
		return r
	}
	out := *r
	out.Formula = text
	return &out
}

// writtenOut is WrittenOut for a formula. Names that are reversed write nothing out: base is asked for head's wording as base would read it.
func (n *Names) writtenOut(f *hclspec.Formula) *hclspec.Formula {
	if n.reversed || f.Scenario != nil {
		return f
	}
	said, diag := phrase.ParseAsWritten(f)
	if diag != nil || !n.forth().saysLess(said, false, true) {
		return f
	}
	g, err := ctl.Expand(said, func(of string) ([]string, bool) {
		list := n.base.members(of)
		return list, list != nil
	})
	if err != nil {
		return f
	}
	print := (*ctl.Formula).CTL
	if f.Notation == hclspec.Table1 {
		print = (*ctl.Formula).Table1
	}
	return &hclspec.Formula{Text: print(g), Notation: f.Notation, Range: f.Range, Ideal: f.Ideal}
}

// saysLess reports whether a formula has a quantifier that may make it weaker on the other side. The formula occurs positively or not, or as
// both.
func (w way) saysLess(f *ctl.Formula, both, positive bool) bool {
	if f == nil {
		return false
	}
	switch f.Op {
	case ctl.Not:
		return w.saysLess(f.Left, both, !positive)
	case ctl.Implies:
		return w.saysLess(f.Left, both, !positive) || w.saysLess(f.Right, both, positive)
	case ctl.Iff:
		return w.saysLess(f.Left, true, positive) || w.saysLess(f.Right, true, positive)
	case ctl.ForAll, ctl.ForSome:
		more, fewer := w.several(f.Range.Name)
		every := (f.Op == ctl.ForAll) == positive
		if more && (both || !every) || fewer && (both || every) {
			return true
		}
	}
	return w.saysLess(f.Left, both, positive) || w.saysLess(f.Right, both, positive)
}

// several reports whether the other side has instances that this side has not, and the reverse. It leaves out occurrences of a norm, unless the
// other side has a new norm.
func (w way) several(of string) (more, fewer bool) {
	named := w.from.severalNamed(of)
	was, now := w.from.members(of), w.to.members(w.or(named, of))
	if was == nil || now == nil {
		return false, false // it can't be asked, and that is said
	}
	if named.ref > 0 && w.from.things[named.thing()].isNorm() {
		return false, len(now) < len(was) && w.newNorm()
	}
	kept := map[string]bool{}
	for _, name := range was {
		head := w.or(w.from.partyNamed(name), name)
		kept[head] = true
		fewer = fewer || !slices.Contains(now, head)
	}
	return slices.ContainsFunc(now, func(name string) bool { return !kept[name] }), fewer
}

// newNorm reports whether the other side has a norm without a counterpart on this side.
func (w way) newNorm() bool {
	for i, t := range w.to.things {
		if t.isNorm() && !slices.Contains(w.at, i) {
			return true
		}
	}
	return false
}

func (t thing) isNorm() bool { return t.element.OfNorm() }

// members returns the names of the instances over which a quantifier ranges, or nil if there are none.
func (in *inventory) members(of string) (list []string) {
	if rounds, ok := in.contract.Rounds[of]; ok {
		return rounds
	}
	for _, p := range in.contract.Parties {
		switch {
		case p.Index != "" && p.Of == of:
			list = append(list, p.Name)
		case p.Index == "" && p.Plays != "" && p.Name == of:
			return []string{of}
		}
	}
	return list
}
