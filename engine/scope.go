package engine

import (
	"strings"

	"github.com/redlinehq/redline/engine/ctl"
)

// rescope puts a phase's names of parties, nets and events in place of its template's.
func rescope(f *ctl.Formula, scope map[string]string) {
	if f == nil || len(scope) == 0 {
		return
	}
	f.Range.Name = scoped(f.Range.Name, scope)
	switch {
	case f.Call != nil:
		for i, event := range f.Call.Args {
			f.Call.Args[i].Name = scoped(event.Name, scope)
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

// scoped renames the first part of a name with dots and indices.
func scoped(name string, scope map[string]string) string {
	end := strings.IndexAny(name+".", ".[")
	full, ok := scope[name[:end]]
	if !ok {
		return name
	}
	return full + name[end:]
}
