package phrase

import (
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/hclspec"
)

// Rescope puts a phase's names in place of its template's. What quantifiers around it have bound it leaves alone.
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
		f.Compare.Of.Name = unbound(f.Compare.Of.Name, scope, bound)
		f.Name = f.Compare.String()
	case f.Op == ctl.Atom:
		f.Name = unbound(f.Name, scope, bound)
	}
	Rescope(f.Left, scope, bound...)
	Rescope(f.Right, scope, bound...)
}

func unbound(name string, scope map[string]string, bound []string) string {
	if first, _ := Cut(name); slices.Contains(bound, first) {
		return name
	}
	return scoped(name, scope)
}

// scoped renames the first part of a name with dots and indices; of a document's holder, title.seller, both.
func scoped(name string, scope map[string]string) string {
	first, rest := Cut(name)
	full, ok := scope[first]
	if !ok {
		return name
	}
	if _, document := scope["document."+first]; document && strings.HasPrefix(rest, ".") {
		holder, index := Cut(rest[1:])
		if party, ok := scope[holder]; ok {
			rest = "." + hclspec.HolderName(full, party) + index
		}
	}
	return full + rest
}

func scopedEvent(name string, scope map[string]string) string {
	first, rest := Cut(name)
	if full, ok := scope["event."+first]; ok {
		return full + rest
	}
	return name
}

// Cut cuts a name before its first dot or bracket.
func Cut(name string) (first, rest string) {
	end := strings.IndexAny(name+".", ".[")
	return name[:end], name[end:]
}
