package phrase

import (
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/hclspec"
)

// Rescope replaces the names of a template by those of its phase, in place. It leaves names alone that a quantifier binds, within f or in
// bound.
func Rescope(f *ctl.Formula, scope map[string]string, bound ...string) {
	if f == nil || len(scope) == 0 {
		return
	}
	f.Range.Name = scoped(f.Range.Name, scope)
	switch {
	case f.Op == ctl.ForAll || f.Op == ctl.ForSome:
		bound = append(bound[:len(bound):len(bound)], f.Name)
	case f.Call != nil:
		for i, event := range f.Call.Args {
			f.Call.Args[i].Name = scopedEvent(event.Name, scope)
		}
		f.Name = f.Call.String()
	case f.Compare != nil:
		f.Compare = f.Compare.Renamed(func(name string) string { return unbound(name, scope, bound) })
		f.Name = f.Compare.String()
	case f.Op == ctl.Atom:
		f.Name = unbound(f.Name, scope, bound)
	}
	Rescope(f.Left, scope, bound...)
	Rescope(f.Right, scope, bound...)
}

// unbound is scoped for a name that may begin with a bound variable, which it keeps.
func unbound(name string, scope map[string]string, bound []string) string {
	if first, _ := Cut(name); slices.Contains(bound, first) {
		return name
	}
	return scoped(name, scope)
}

// scoped replaces the first part of a name. In title.seller it replaces both the document and its holder.
func scoped(name string, scope map[string]string) string {
	first, rest := Cut(name)
	full, ok := scope[first]
	if !ok {
		return name
	}
	for _, held := range []string{"." + hclspec.BorneBy, "." + hclspec.OwedTo} { // deliver.by-carrier: a norm that is borne by a party, or owed to it
		if role, is := strings.CutPrefix(rest, held); is {
			holder, index := Cut(role)
			if party, ok := scope[holder]; ok {
				rest = held + hclspec.HolderName(full, party) + index
			}
		}
	}
	if _, document := scope["document."+first]; document && strings.HasPrefix(rest, ".") {
		holder, index := Cut(rest[1:])
		if party, ok := scope[holder]; ok {
			rest = "." + hclspec.HolderName(full, party) + index
		}
	}
	return full + rest
}

// scopedEvent replaces the first part of an event's name.
func scopedEvent(name string, scope map[string]string) string {
	first, rest := Cut(name)
	if full, ok := scope["event."+first]; ok {
		return full + rest
	}
	whole, index, indexed := strings.Cut(name, "[")
	if full, ok := scope["event."+whole]; ok { // param.delivery
		if indexed {
			full += "[" + index
		}
		return full
	}
	return name
}

// Cut splits a name before its first dot or bracket.
func Cut(name string) (first, rest string) {
	end := strings.IndexAny(name+".", ".[")
	return name[:end], name[end:]
}
