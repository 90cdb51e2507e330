package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine"
)

// span says from which step to which a party is exposed; both before and now where that changed.
func span(e *engine.Exposure, in medium) string {
	was, now := spanOf(e.Base, in), spanOf(e.Head, in)
	switch {
	case was == now, now == "":
		return was
	case was == "":
		return now
	}
	return "before " + was + "; now " + now
}

func spanOf(e *engine.Exposed, in medium) string {
	if e == nil || e.States == 0 {
		return ""
	}
	return joined(" ", between("from", e.From, in), between("to", e.To, in))
}

func between(word string, titles []string, in medium) string {
	if len(titles) == 0 {
		return ""
	}
	return word + " " + eitherOf(titles, in)
}

// eitherOf quotes the titles of steps, any of which will do.
func eitherOf(titles []string, in medium) string {
	var quoted []string
	for _, t := range titles[:min(len(titles), mostNames)] {
		quoted = append(quoted, "“"+in.prose(t)+"”")
	}
	if more := len(titles) - mostNames; more > 0 {
		quoted = append(quoted, fmt.Sprintf("%d others", more))
	}
	return strings.Join(quoted, " or ")
}

// countOf says in how many states a party is exposed.
func countOf(e *engine.Exposed) string {
	switch {
	case e == nil:
		return "—"
	case e.States == 0:
		return "in none of " + several(e.Of, "state")
	case !e.Ends:
		return inStates(e) + ", and it may stay so for ever"
	}
	return inStates(e)
}

func inStates(e *engine.Exposed) string {
	return fmt.Sprintf("in %s of %s", grouped(fmt.Sprint(e.States)), several(e.Of, "state"))
}

// sameExposures names the parties that are exposed as before, with the count; empty when there are none.
func sameExposures(all []engine.Exposure, in medium) string {
	var names []string
	for i := range all {
		if e := &all[i]; sameExposure(e) {
			names = append(names, in.prose(e.Party)+" ("+countOf(e.Head)+")")
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "As before: " + strings.Join(names, "; ") + "."
}

// sameExposure says whether a party is exposed as before, of however many states.
func sameExposure(e *engine.Exposure) bool {
	if e.Base == nil || e.Head == nil {
		return e.Base == e.Head
	}
	a, b := *e.Base, *e.Head
	return a.States == b.States && a.Ends == b.Ends && slices.Equal(a.From, b.From) && slices.Equal(a.To, b.To)
}
