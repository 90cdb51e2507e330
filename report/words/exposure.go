package words

import (
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
)

// Span says from which step to which a party is exposed; both before and now where that changed.
func Span(e *finding.Exposure, in Medium) string {
	was, now := spanOf(e.Base, in), spanOf(e.Head, in)
	switch {
	case was == now, now == "":
		return was
	case was == "":
		return now
	}
	return "before " + was + "; now " + now
}

func spanOf(e *finding.Exposed, in Medium) string {
	if e == nil || e.States == 0 {
		return ""
	}
	return Joined(" ", between("from", e.From, in), between("to", e.To, in))
}

func between(word string, titles []string, in Medium) string {
	if len(titles) == 0 {
		return ""
	}
	return word + " " + eitherOf(titles, in)
}

// eitherOf quotes the titles of steps, any of which will do.
func eitherOf(titles []string, in Medium) string {
	var quoted []string
	for _, t := range titles[:min(len(titles), MostNames)] {
		quoted = append(quoted, "“"+in.Prose(t)+"”")
	}
	if more := len(titles) - MostNames; more > 0 {
		quoted = append(quoted, fmt.Sprintf("%d others", more))
	}
	return strings.Join(quoted, " or ")
}

// CountOf says in how many states a party is exposed.
func CountOf(e *finding.Exposed) string {
	switch {
	case e == nil:
		return "—"
	case e.States == 0:
		return "in none of " + Several(e.Of, "state")
	case !e.Ends:
		return inStates(e) + ", and it may stay so for ever"
	}
	return inStates(e)
}

func inStates(e *finding.Exposed) string {
	return fmt.Sprintf("in %s of %s", Grouped(fmt.Sprint(e.States)), Several(e.Of, "state"))
}

// SameExposures names the parties that are exposed as before, with the count; empty when there are none.
func SameExposures(all []finding.Exposure, in Medium) string {
	var names []string
	for i := range all {
		if e := &all[i]; SameExposure(e) {
			names = append(names, in.Prose(e.Party)+" ("+CountOf(e.Head)+")")
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "As before: " + strings.Join(names, "; ") + "."
}

// SameExposure says whether a party is exposed as before, of however many states.
func SameExposure(e *finding.Exposure) bool {
	if e.Base == nil || e.Head == nil {
		return e.Base == e.Head
	}
	a, b := *e.Base, *e.Head
	return a.States == b.States && a.Ends == b.Ends && slices.Equal(a.From, b.From) && slices.Equal(a.To, b.To)
}
