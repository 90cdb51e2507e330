package engine

import (
	"strings"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/hclspec"
)

// rescope puts a phase's names in place of its template's.
func rescope(f *ctl.Formula, scope map[string]string) {
	if f == nil || len(scope) == 0 {
		return
	}
	f.Range.Name = scoped(f.Range.Name, scope)
	switch {
	case f.Call != nil:
		for i, event := range f.Call.Args {
			f.Call.Args[i].Name = scopedEvent(event.Name, scope)
		}
		f.Name = f.Call.String()
	case f.Compare != nil:
		f.Compare.Of.Name = scoped(f.Compare.Of.Name, scope)
		f.Name = f.Compare.String()
	case f.Op == ctl.Atom:
		f.Name = scoped(f.Name, scope)
	}
	rescope(f.Left, scope)
	rescope(f.Right, scope)
}

// scoped renames the first part of a name with dots and indices; of a document's holder, title.seller, both.
func scoped(name string, scope map[string]string) string {
	first, rest := cutName(name)
	full, ok := scope[first]
	if !ok {
		return name
	}
	if _, document := scope["document."+first]; document && strings.HasPrefix(rest, ".") {
		holder, index := cutName(rest[1:])
		if party, ok := scope[holder]; ok {
			rest = "." + hclspec.HolderName(full, party) + index
		}
	}
	return full + rest
}

func scopedEvent(name string, scope map[string]string) string {
	first, rest := cutName(name)
	if full, ok := scope["event."+first]; ok {
		return full + rest
	}
	return name
}

// cutName cuts a name before its first dot or bracket.
func cutName(name string) (first, rest string) {
	end := strings.IndexAny(name+".", ".[")
	return name[:end], name[end:]
}
