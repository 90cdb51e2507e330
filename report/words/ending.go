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
			list = append(list, [2]string{ending(t), WithFullStop(State(Begun(t.End), in))})
		}
		return list
	}
	for _, e := range []struct {
		lead string
		at   []finding.PartyState
	}{{strings.TrimSuffix(ending(t), ":") + ", before the amendment:", t.Ends.Before}, {"Now:", t.Ends.Now}, {"As before:", Begun(t.Ends.Both)}} {
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
