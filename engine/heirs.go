package engine

import (
	"cmp"
	"maps"
	"slices"

	"github.com/redlinehq/redline/engine/compile"
)

// A contract of base can have several heirs on head: the contract at its old path or the path it was moved to, and every new contract with
// its name or most of its parts. Each heir is compared with it, so a decoy in its place hides nothing: a promise of the contract is kept if
// every heir keeps it.

// inherit adds each draft of base that has a counterpart under the paths of its other heirs. Both maps have drafts by path, moved ones
// under their new path.
func inherit(before, after map[string]*compile.Draft) {
	var fresh []string
	for path, d := range after {
		if before[path] == nil && d.Spec != nil {
			fresh = append(fresh, path)
		}
	}
	if len(fresh) == 0 {
		return
	}
	e := estateOf(before, after)
	heirs := map[string]*compile.Draft{}
	for _, path := range fresh {
		if d := e.of(after[path]); d != nil {
			heirs[path] = d
		}
	}
	maps.Copy(before, heirs)
}

// An estate has the drafts of base that can have other heirs than their counterparts.
type estate struct {
	named  map[string]*compile.Draft // by name; nil where two have it, where its promises are given up already, or where its counterpart is unchanged
	having map[string][]string       // by part, the paths of those that have it
	left   map[string]legacy         // by path on head
}

// A legacy is a draft of base whose counterpart lacks some of its parts.
type legacy struct {
	*compile.Draft
	parts, kept int // how many it has, and how many of them its counterpart has
}

// estateOf returns the estate of the drafts of base, given the drafts of both sides by path.
func estateOf(before, after map[string]*compile.Draft) *estate {
	e := &estate{named: map[string]*compile.Draft{}, having: map[string][]string{}, left: map[string]legacy{}}
	for _, path := range slices.Sorted(maps.Keys(before)) {
		was, now := before[path], after[path]
		if was.Spec == nil {
			continue
		}
		if _, twice := e.named[was.Spec.Name]; twice || now == nil || was.Digest != "" && was.Digest == now.Digest {
			e.named[was.Spec.Name] = nil
		} else {
			e.named[was.Spec.Name] = was
		}
		if now != nil && now.Spec != nil && was.Digest != now.Digest {
			e.leave(path, was, now)
		}
	}
	return e
}

// leave records the parts of a draft if its counterpart lacks some of them.
func (e *estate) leave(path string, was, now *compile.Draft) {
	had := partNames(was)
	kept := partsKept(had, now)
	if kept == len(had) {
		return
	}
	e.left[path] = legacy{was, len(had), kept}
	for part := range had {
		e.having[part] = append(e.having[part], path)
	}
}

// of returns the draft of base that a new draft of head is an heir of, or nil. That is the draft of the same name; else one of which it has
// more than half of the parts, and more parts than the counterpart has.
func (e *estate) of(now *compile.Draft) *compile.Draft {
	if was := e.named[now.Spec.Name]; was != nil {
		return was
	}
	shared := map[string]int{}
	for part := range partNames(now) {
		for _, path := range e.having[part] {
			shared[path]++
		}
	}
	paths := slices.SortedFunc(maps.Keys(shared), func(x, y string) int { return cmp.Or(cmp.Compare(shared[y], shared[x]), cmp.Compare(x, y)) })
	for _, path := range paths {
		if was := e.left[path]; shared[path] > was.kept && 2*shared[path] > was.parts {
			return was.Draft
		}
	}
	return nil
}

// stays reports whether the contract of a pair is in one place on both sides, and has all its parts there.
func (p Pair) stays() bool {
	if p.Base == nil || p.Head == nil || p.Base.Path != p.Head.Path || p.Base.Spec == nil || p.Head.Spec == nil {
		return false
	}
	had := partNames(p.Base)
	return partsKept(had, p.Head) == len(had)
}

// partsKept returns how many of some parts a draft has.
func partsKept(had map[string]bool, now *compile.Draft) (kept int) {
	has := partNames(now)
	for part := range had {
		if has[part] {
			kept++
		}
	}
	return kept
}

// partNames returns the names of the parties, places, transitions and events of a draft.
func partNames(d *compile.Draft) map[string]bool {
	parts := map[string]bool{}
	for i, p := range d.Parties {
		parts["net "+p.Name] = true
		for _, t := range d.Transitions[i] {
			parts["transition "+p.Name+"."+t.Name] = true
		}
		for _, place := range p.Places {
			parts["place "+p.Name+"."+place.Name] = true
		}
	}
	for _, e := range d.Spec.Events {
		parts["event "+e.Name] = true
	}
	return parts
}
