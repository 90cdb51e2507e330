package compare

import (
	"cmp"
	"slices"

	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
)

// leaning adds to a promise over ideal runs that both versions keep on which norms it leans on head, and did not on base: runs that it was about are
// ideal no more. i is its number on head, which is asked only of those that hold.
func (s *Sorting) leaning(i int, f finding.Finding) finding.Finding {
	if f.Base == nil || f.Base.Verdict != finding.Holds || !f.Base.Ideal {
		return f
	}
	var on finding.Leaning
	for _, l := range s.Asked.Leans {
		if l.Requirement != i || l.Verdict != finding.Violated || l.Jointly && on.Norms != nil || s.leant(l.Norms, f.Base.Name) {
			continue
		}
		on.Run = cmp.Or(on.Run, l.Run)
		for _, n := range l.Norms {
			if name := cmp.Or(n.Of, n.Name); !slices.ContainsFunc(on.Norms, func(k finding.KeptNorm) bool { return k.Norm == name }) {
				on.Norms = append(on.Norms, finding.KeptNorm{Norm: name, Bearer: n.Keeper()})
			}
		}
	}
	if on.Norms != nil {
		f.Leans = &on
	}
	return f
}

// leant reports whether base's promise of a name leans on one of some norms of head already, or may.
func (s *Sorting) leant(norms []*hclspec.Norm, promise string) bool {
	base := s.Amended.Base.Spec
	for _, l := range s.Before.Leans {
		if l.Verdict == finding.Holds || base.Requirements[l.Requirement].Name != promise {
			continue
		}
		for _, n := range l.Norms {
			now, _ := s.Amended.Names.Head(diff.NormElement(n.Kind), cmp.Or(n.Of, n.Name))
			if slices.ContainsFunc(norms, func(n *hclspec.Norm) bool { return cmp.Or(n.Of, n.Name) == now }) {
				return true
			}
		}
	}
	return false
}
