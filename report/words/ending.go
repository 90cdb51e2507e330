package words

import (
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
)

// DeadEnd explains why a run stops. It returns "" if it goes on.
func DeadEnd(t *finding.Trace) string {
	switch {
	case t.Stops && len(t.Prefix) == 0:
		return "Nothing need happen."
	case t.Stops:
		return "Then nothing need happen any more."
	case t.DeadEnd && len(t.Prefix) == 0:
		return "Nothing can happen."
	case t.DeadEnd:
		return "Then nothing can happen any more."
	}
	return ""
}

// Because introduces a run that explains another one: it says in which state of that it begins.
func Because(t, next *finding.Trace) string {
	prefix, loop := Steps(t.Prefix), Steps(t.Loop)
	all := slices.Concat(prefix, loop)
	switch {
	case next.After == len(prefix), next.After >= len(all): // the state that is shown, which a loop comes back to
		return "That is because in that state:"
	case next.After == 0 && all[0][0].Step == 1:
		return "That is because at the start:"
	}
	return fmt.Sprintf("That is because after step %d:", all[0][0].Step-1+next.After)
}

// Endings describes the state at the end of a run's prefix: what introduces it, and the state. If versions are compared, both are described.
func Endings(t *finding.Trace, in Medium) (list [][2]string) {
	if t.Ends == nil || t.Ends.Refused {
		if len(t.End) > 0 {
			list = append(list, [2]string{ending(t), WithFullStop(State(concerned(t, t.End), in))})
		}
		return list
	}
	for _, e := range []struct {
		lead string
		at   []finding.PartyState
	}{{strings.TrimSuffix(ending(t), ":") + ", before the amendment:", t.Ends.Before}, {"Now:", t.Ends.Now}, {"As before:", concerned(t, t.Ends.Both)}} {
		if len(e.at) > 0 {
			list = append(list, [2]string{e.lead, WithFullStop(State(e.at, in))})
		}
	}
	return list
}

// Begun returns the states of the parties that have begun; of all, if none has.
func Begun(all []finding.PartyState) []finding.PartyState {
	begun := slices.DeleteFunc(slices.Clone(all), func(s finding.PartyState) bool {
		return len(s.Places) == 1 && s.Places[0] == hclspec.NotBegun
	})
	if len(begun) == 0 {
		return all
	}
	return begun
}

// concerned returns the states of the parties that have begun and that a step of the run moved or its claim names; of all that have begun, if there is none.
// Where nothing can happen any more, each has its part in that, and a run that continues another one does not have all steps: there it returns all that have begun.
func concerned(t *finding.Trace, all []finding.PartyState) []finding.PartyState {
	begun := Begun(all)
	if t.DeadEnd || t.After > 0 || len(t.Prefix) > 0 && t.Prefix[0].Step > 1 {
		return begun
	}
	moved, claims := map[string]bool{}, ""
	for list := []*finding.Trace{t}; len(list) > 0; list = append(list[1:], list[0].Then...) {
		claims += "\n" + list[0].Claim
		for _, f := range slices.Concat(list[0].Prefix, list[0].Loop) {
			for _, c := range f.Changed {
				moved[c.Party] = true
			}
		}
	}
	some := slices.DeleteFunc(slices.Clone(begun), func(s finding.PartyState) bool {
		return !moved[s.Party] && !strings.Contains(claims, s.Party) && (s.Called == "" || !strings.Contains(claims, s.Called))
	})
	if len(some) == 0 {
		return begun
	}
	return some
}

// Claim returns what a run shows, or "" if the states at its end say it already.
func Claim(t *finding.Trace) string {
	if t.Ends != nil {
		return ""
	}
	return t.Claim
}

// ending returns the words that introduce the state at the end of a run's prefix.
func ending(t *finding.Trace) string {
	switch {
	case len(t.Prefix) == 0:
		return "At the start:"
	case len(t.Loop) > 0:
		return fmt.Sprintf("After step %d:", t.Prefix[len(t.Prefix)-1].Step)
	}
	return "At the end:"
}
