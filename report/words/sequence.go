package words

import (
	"cmp"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
)

// RefusedBefore returns the sentence for a step that base refuses, with the steps that base allows instead.
func RefusedBefore(instead []string, in Medium) string {
	return refusedThere("Not possible here before the amendment", "nothing was", instead, in)
}

// RefusedNow returns the sentence for a step that head refuses, with the steps that head allows instead.
func RefusedNow(instead []string, in Medium) string {
	return refusedThere("No longer possible here", "nothing is", instead, in)
}

// refusedThere appends the steps that are allowed instead, or nothing if there are none.
func refusedThere(lead, nothing string, instead []string, in Medium) string {
	if len(instead) == 0 {
		return lead + "; " + nothing + "."
	}
	return WithFullStop(lead + ", only: " + fewTitles(instead, in))
}

// RefusedInRun returns the sentence for the step of a violation's run that base refuses.
func RefusedInRun(r *finding.Refusal, in Medium) string {
	if r.Again {
		return refusedThere("Possible here before the amendment, but not over and over; then", "nothing was", r.Instead, in)
	}
	return RefusedBefore(r.Instead, in)
}

// SharedSteps returns how many steps at the beginning of run need not be shown again, because the run shown before begins with the same. It
// returns 0 if they are fewer than three.
func SharedSteps(told, run []finding.Firing) int {
	a, b := Steps(told), Steps(run)
	n := 0
	for n < min(len(a), len(b)-1) && slices.EqualFunc(a[n], b[n], sameFiring) {
		n++
	}
	if n < 3 {
		return 0
	}
	return n
}

// SameSteps reports whether two runs are of the same steps.
func SameSteps(a, b []finding.Firing) bool {
	return slices.EqualFunc(Steps(a), Steps(b), func(a, b []finding.Firing) bool { return slices.EqualFunc(a, b, sameFiring) })
}

// sameFiring reports whether two firings have the same event and the same transitions.
func sameFiring(a, b finding.Firing) bool {
	return a.Event == b.Event && slices.Equal(a.Transitions, b.Transitions)
}

// SequencesNotShown counts the sequences that neither the engine nor the report shows, beside those that it does. It returns "" if there are none.
func SequencesNotShown(b *finding.Behaviour, some bool) string {
	hidden := b.MoreThan + max(0, len(b.Possible)-MostSequences) + max(0, len(b.Impossible)-MostSequences)
	switch {
	case hidden == 0:
		return ""
	case some:
		return Several(hidden, "other sequence") + " like these not shown."
	}
	return "No sequence is shown: to replay one would take too many steps."
}

// Choice describes a state in which other choices are open than before: one sentence before its run is shown, and one after.
func Choice(c *finding.Choice, in Medium) (before, after string) {
	there, can, other := "Now these steps", "can", "Before the amendment they never did; what could come next was: "
	if !c.Head {
		there, can, other = "Before the amendment these steps", "could", "Now they never do; what can come next is: "
	}
	var others []string
	for _, o := range c.Others {
		others = append(others, orNothing(o, in))
	}
	after = Joined(" ", there, can, "end where nothing", can, "come next.")
	if len(c.Next) > 0 {
		after = WithFullStop(Joined(" ", there, can, "end where only this", can, "come next:", fewTitles(c.Next, in)))
	}
	if len(others) > 0 {
		after += " " + WithFullStop(other+strings.Join(others, " — or: "))
	}
	return "After these steps the choices differ:", after
}

// orNothing lists the titles of the steps that can come next, or returns "nothing".
func orNothing(next []string, in Medium) string {
	if len(next) == 0 {
		return "nothing"
	}
	return fewTitles(next, in)
}

// dependent lists the steps of a party that follow others than before, though the party can't tell. It returns "" if there are none.
func dependent(v *finding.View, d *finding.Difference, in Medium) string {
	var said []string
	all := d.Full()
	for _, s := range slices.Concat(all.Possible, all.Impossible) {
		steps := Steps(s.Run)
		if len(steps) == 0 || !slices.ContainsFunc(last(steps), func(f finding.Firing) bool { return slices.Contains(f.Parties, v.Party) && !f.Tick() }) {
			continue
		}
		if step := in.Prose(captions(last(steps))); !slices.Contains(said, step) {
			said = append(said, step)
		}
	}
	return strings.Join(said, "; ")
}

// refusals lists the steps at which the other draft refuses some sequences, each once. It returns "" if there is none.
func refusals(lead string, v *finding.View, all []finding.Sequence, in Medium) string {
	var said []string
	for _, s := range all {
		if step := refusalStep(v, &s, in); !slices.Contains(said, step) {
			said = append(said, step)
		}
	}
	if len(said) == 0 {
		return ""
	}
	return lead + ": " + strings.Join(said, "; ")
}

// refusalStep names the step that the other draft refuses, and the last step before it that the party observes; if time passes in that, the one before it, too,
// since time passes often. If the party observes none of them, the last is named, since the step need not be possible at the start.
func refusalStep(v *finding.View, s *finding.Sequence, in Medium) string {
	all := Steps(s.Run)
	if len(all) == 0 {
		return in.Prose(s.Refused)
	}
	said := in.Prose(captions(last(all)))
	seen := FoldedTitles(slices.DeleteFunc(slices.Clone(all[:len(all)-1]), func(step []finding.Firing) bool {
		return !slices.ContainsFunc(step, func(f finding.Firing) bool { return observes(v, f) })
	}))
	switch n := len(seen); {
	case n > 1 && seen[n-1][0].Tick():
		return said + " (after: " + in.Prose(captions(seen[n-2])) + ", then " + in.Prose(captions(seen[n-1])) + ")"
	case n > 0:
		return said + " (after: " + in.Prose(captions(seen[n-1])) + ")"
	case len(all) > 1:
		return said + " (after: " + in.Prose(captions(all[len(all)-2])) + ", which " + in.Prose(cmp.Or(v.Called, "the "+v.Party)) + " does not see)"
	}
	return said + " (at the start)"
}

// observes reports whether a party sees a firing: it takes part in it, or observes its event.
func observes(v *finding.View, f finding.Firing) bool {
	return slices.Contains(f.Parties, v.Party) || slices.Contains(v.Observed, f.Event)
}
