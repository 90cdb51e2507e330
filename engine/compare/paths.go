package compare

import "github.com/redlinehq/redline/engine/compile"

// RekeyMoved puts drafts of moved contracts under their new paths in before. A contract that is gone is paired with a new one that means the
// same, names apart, or else with a new one of the same name. Ambiguous candidates are not paired: the old contract then counts as removed,
// and its promises with it.
func RekeyMoved(before, after map[string]*compile.Draft) {
	for _, key := range []func(*compile.Draft) string{
		func(d *compile.Draft) string { return d.Unnamed },
		func(d *compile.Draft) string { return d.Spec.Name },
	} {
		gone, fresh := alone(before, after, key), alone(after, before, key)
		for k, old := range gone {
			if now := fresh[k]; old != nil && now != nil {
				delete(before, old.Path)
				before[now.Path] = old
			}
		}
	}
}

// alone returns the drafts of one side whose path the other side lacks, by a key. The draft is nil if two have the same key.
func alone(side, other map[string]*compile.Draft, key func(*compile.Draft) string) map[string]*compile.Draft {
	m := map[string]*compile.Draft{}
	for path, d := range side {
		if other[path] != nil || d.Spec == nil {
			continue
		}
		k := key(d)
		if _, twice := m[k]; twice {
			d = nil
		}
		m[k] = d
	}
	return m
}

// ByPath returns drafts by their paths.
func ByPath(drafts []*compile.Draft) map[string]*compile.Draft {
	m := map[string]*compile.Draft{}
	for _, d := range drafts {
		m[d.Path] = d
	}
	return m
}
