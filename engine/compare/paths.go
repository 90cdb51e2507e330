package compare

import "github.com/redlinehq/redline/engine/compile"

// Follow puts the drafts that were moved under their new paths: a contract that is gone and a new one which mean the same but for their
// names, or else which have one name. Where several could be meant, none is: what nobody is paired with is removed, and its promises
// with it.
func Follow(before, after map[string]*compile.Draft) {
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

// alone gives the drafts of one side whose path the other side lacks, by a key; nil where two have one key.
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

func ByPath(drafts []*compile.Draft) map[string]*compile.Draft {
	m := map[string]*compile.Draft{}
	for _, d := range drafts {
		m[d.Path] = d
	}
	return m
}
