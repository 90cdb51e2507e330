package engine

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/redlinehq/redline/engine/delta"
)

// rested compares on whom a requirement rests on head with what base says to the same wording. A violation that comes about only while
// somebody waits on whom it rested already is none that the amendment brings: on the runs on which those act, head keeps it as base does.
// What a waiver of base accepted is left as it is, and so is a requirement
// that says on whom it may rest: then somebody waits on whom it may not.
func (q *Requirement) rested(m *amendment, f Finding) Finding {
	if q == nil || f.Base == nil || !q.Rests.known() || !f.Head.Rests.known() {
		return f
	}
	was := q.Rests.in(m.names)
	if was.More || f.Head.Rests.More { // sets that are not named may be the others
		return f
	}
	if !reflect.DeepEqual(was, f.Head.Rests.in(nil)) {
		f.Rested = was
		return f
	}
	if (f.Kind == New || f.Kind == Weakened || f.Kind == Undecided && f.Way != nil) && len(was.Sets) > 0 && !f.Base.Waived() && !f.Head.Resting {
		f.Kind, f.Way = RestsAsBefore, nil
	}
	return f
}

func (r *Rests) known() bool { return r != nil && r.Unknown == "" }

// in returns the same in head's names and in their order.
func (r *Rests) in(names *delta.Names) *Rests {
	head := func(e delta.Element, name string) string {
		if names != nil {
			if now, ok := names.Head(e, name); ok {
				return now
			}
		}
		return name
	}
	renamed := &Rests{More: r.More, NoRuns: r.NoRuns}
	for _, set := range r.Sets {
		members := []string{}
		for _, name := range set {
			members = append(members, head(delta.Party, name))
		}
		slices.SortFunc(members, timeLast)
		renamed.Sets = append(renamed.Sets, members)
	}
	for _, set := range r.Norms {
		var kept []KeptNorm
		for _, n := range set {
			name := n.Norm
			for _, e := range []delta.Element{delta.Obligation, delta.Prohibition} {
				name = head(e, name)
			}
			kept = append(kept, KeptNorm{name, head(delta.Party, n.Bearer)})
		}
		slices.SortFunc(kept, func(a, b KeptNorm) int { return natural(a.Norm, b.Norm) })
		renamed.Norms = append(renamed.Norms, kept)
	}
	inOrder(renamed.Sets, timeLast)
	inOrder(renamed.Norms, func(a, b KeptNorm) int { return natural(a.Norm, b.Norm) })
	return renamed
}

// timeLast compares names as Rests lists them.
func timeLast(a, b string) int {
	switch {
	case a == b:
		return 0
	case a == "time":
		return 1
	case b == "time":
		return -1
	}
	return natural(a, b)
}

// inOrder sorts sets, the smallest first.
func inOrder[T any](sets [][]T, compare func(a, b T) int) {
	slices.SortFunc(sets, func(a, b []T) int { return cmp.Or(cmp.Compare(len(a), len(b)), slices.CompareFunc(a, b, compare)) })
}
