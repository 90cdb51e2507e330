package words

import (
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
)

// Span describes from which step to which a party is exposed, both before and now if that changed.
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

// spanOf describes the span of one version. It returns "" if the party is never exposed.
func spanOf(e *finding.Exposed, in Medium) string {
	if !IsExposed(e) {
		return ""
	}
	return Joined(" ", between("from", e.From, in), between("to", e.To, in))
}

// between returns the titles of steps after a preposition, or "" if there are none.
func between(word string, titles []string, in Medium) string {
	if len(titles) == 0 {
		return ""
	}
	return word + " " + eitherOf(titles, in)
}

// eitherOf quotes the titles of steps, joined by "or".
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

// CountOf describes in how many states a party is exposed.
func CountOf(e *finding.Exposed) string {
	switch {
	case e == nil:
		return "not counted"
	case e.None:
		return "nothing owed to it in return"
	case e.States == 0:
		return "in none of " + Several(e.Of, "state")
	case !e.Ends:
		return inStates(e) + ", and it may stay so for ever"
	}
	return inStates(e)
}

// inStates returns the number of exposed states and of all states.
func inStates(e *finding.Exposed) string {
	return fmt.Sprintf("in %s of %s", finding.Grouped(fmt.Sprint(e.States)), Several(e.Of, "state"))
}

// IsExposed reports whether a party is ever exposed in a version.
func IsExposed(e *finding.Exposed) bool { return e != nil && e.States > 0 }

// ExposureGains returns the party if it is exposed in one version only: it is better off where it never is, unless nothing is owed to it there. How many
// states it is exposed in says nothing of that. Exposed in both, it is better off where that always ends, if the amendment changes the time of obligations
// and nothing else: else it may have more of what it is owed.
func ExposureGains(e *finding.Exposure, changes []diff.Change) (better, worse []string) {
	switch {
	case e.Base == nil || e.Head == nil || e.Base.None || e.Head.None:
	case IsExposed(e.Base) && !IsExposed(e.Head):
		return []string{ExposedParty(e)}, nil
	case !IsExposed(e.Base) && IsExposed(e.Head):
		return nil, []string{ExposedParty(e)}
	case !IsExposed(e.Head) || e.Base.Ends == e.Head.Ends || slices.ContainsFunc(changes, func(c diff.Change) bool { return !retimes(c) }):
	case e.Head.Ends:
		return []string{ExposedParty(e)}, nil
	default:
		return nil, []string{ExposedParty(e)}
	}
	return nil, nil
}

// retimes reports whether a change is of the time of an obligation alone, or of a promise.
func retimes(c diff.Change) bool {
	return c.Element == diff.Requirement || c.Element == diff.Obligation && len(c.Terms) > 0 && c.Action != diff.Added && c.Action != diff.Removed &&
		!slices.ContainsFunc(c.Terms, func(t diff.Term) bool { return t.Word != "within" && t.Word != "by" })
}

// BeforeAndNow describes in one line how a party's exposure changed, and whether that is better or worse for it.
func BeforeAndNow(e *finding.Exposure, changes []diff.Change, in Medium) string {
	better, worse := ExposureGains(e, changes)
	weighed := map[bool]string{true: "better for it"}[len(better) > 0] + map[bool]string{true: "worse for it"}[len(worse) > 0]
	return WithFullStop(Joined("; ", Joined(": ", Span(e, in), "before "+CountOf(e.Base)+", now "+CountOf(e.Head)), weighed))
}

// SameExposures names the parties whose exposure has not changed, with the count. It returns "" if there are none.
func SameExposures(all []finding.Exposure, in Medium) string {
	var names []string
	for i := range all {
		if e := &all[i]; SameExposure(e) {
			count := CountOf(e.Head)
			if e.Head != nil && e.Base.States != e.Head.States {
				count = map[bool]string{true: "it ends", false: "it may stay so for ever"}[e.Head.Ends]
			}
			names = append(names, in.Prose(e.Party)+" ("+count+")")
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "As before: " + strings.Join(names, "; ") + "."
}

// SameExposure reports whether a party's exposure has not changed. The number of all states does not matter, nor what else differs in those in which it
// is exposed.
func SameExposure(e *finding.Exposure) bool {
	if e.Base == nil || e.Head == nil {
		return e.Base == e.Head
	}
	a, b := *e.Base, *e.Head
	return a.Apart == b.Apart && a.None == b.None && a.Ends == b.Ends && slices.Equal(a.From, b.From) && slices.Equal(a.To, b.To)
}
