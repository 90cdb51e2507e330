package words

import (
	"fmt"
	"path"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/codes"
)

// mostAlike bounds the names or places that a joined diagnostic lists.
const mostAlike = 5

// Alike joins diagnostics that say one thing several times, for a report that is read from top to bottom. Diagnostics of one text that a template
// gives to several phases become the first of them, with the names of the others; a name that does not exist is one message, with the other places
// that mention it. Diagnostics with a run, and accepted ones, stay separate.
func Alike(all []finding.Diagnostic) []finding.Diagnostic {
	var out []finding.Diagnostic
	first, others := map[[3]string]int{}, map[int][]string{}
	for _, d := range all {
		key, other := sameness(d)
		at, known := first[key]
		switch {
		case key[0] == "":
		case known:
			others[at] = append(others[at], other)
			continue
		default:
			first[key] = len(out)
		}
		out = append(out, d)
	}
	for at, also := range others {
		form := "So it is with %s, too."
		if out[at].Class == codes.Error {
			form = "Also at %s."
		}
		out[at].Detail = Joined(" ", out[at].Detail, fmt.Sprintf(form, firstOf(also)))
	}
	return out
}

// sameness returns the key by which a diagnostic is joined with others, and the words for it beside the first; an empty key if it is not joined.
func sameness(d finding.Diagnostic) (key [3]string, other string) {
	place := fmt.Sprintf("%s:%d", d.Source.Filename, d.Source.Start.Line)
	switch {
	case d.Trace != nil || d.Accepted != "" || d.Source.Filename == "":
	case d.Class == codes.Error && d.Code == "unknown-name":
		return [3]string{string(d.Code), d.Message}, path.Base(place)
	case d.Class == codes.Warning && strings.Contains(d.Subject, "."):
		return [3]string{string(d.Code), place, fmt.Sprint(d.Source.Start.Column)}, strings.TrimPrefix(d.Subject, "event.")
	}
	return [3]string{}, ""
}

// firstOf enumerates the first of some names, and counts the rest.
func firstOf(names []string) string {
	if len(names) > mostAlike {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:mostAlike], ", "), len(names)-mostAlike)
	}
	return strings.Join(names, ", ")
}
