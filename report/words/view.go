package words

import (
	"cmp"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/finding"
)

// What differs for a party that by its own steps can't tell both versions apart: steps of others, and who brings them about.

// waiting says that steps of a party follow others than before, though the party can't tell.
func waiting(who, steps string) string {
	return "the same steps of its own in the same order; what others do before some of them differs, which " + who + " does not see: " + steps
}

// dependent lists the steps of a party that follow others than before, though the party can't tell. It returns "" if there are none.
func dependent(v *finding.View, d *finding.Difference, in Medium) string {
	return strings.Join(refused(d, in, func(f finding.Firing) bool { return slices.Contains(f.Parties, v.Party) && !f.Tick() }), "; ")
}

// refused lists the steps that one version has and the other refuses for all parties together, of those in which something is as asked.
func refused(d *finding.Difference, in Medium, asked func(finding.Firing) bool) (said []string) {
	for _, s := range slices.Concat(d.Full().Possible, d.Full().Impossible) {
		steps := Steps(s.Run)
		if len(steps) == 0 || !slices.ContainsFunc(last(steps), asked) {
			continue
		}
		if step := in.Prose(captions(last(steps))); !slices.Contains(said, step) {
			said = append(said, step)
		}
	}
	return said
}

// ofOthers says what differs in the steps of others, for a party whose own steps are the same. It returns "" if nothing does: proved.
func ofOthers(v *finding.View, d *finding.Difference, who string, in Medium) string {
	const own = "the same steps of its own; "
	if waits := dependent(v, d, in); waits != "" {
		return waiting(who, waits)
	}
	switch all := d.Full(); {
	case all.Relation == delta.Unknown:
		return own + "not decided whether what others can do differs"
	case all.Relation != delta.Same:
		return Joined(": ", own+"what others can do differs", strings.Join(refused(d, in, func(f finding.Firing) bool { return !f.Tick() }), "; "))
	}
	var acts []string
	for _, a := range enacted(d) {
		acts = append(acts, cmp.Or(a.Title, a.Event))
	}
	if len(acts) == 0 || roles(v, d, in) != "" {
		return ""
	}
	return own + "others than before bring about: " + fewTitles(acts, in)
}

// choices describes the choices of a party that has the same steps in the same order: what could always come next and may not now, or the other way round.
func choices(v *finding.View, d *finding.Difference, who string, in Medium) string {
	const same, elsewhere = "the same steps in the same order, but ", "what can still follow is settled at another point"
	if c := v.Choice; c != nil && len(c.Others) > 0 {
		always := slices.DeleteFunc(slices.Clone(c.Others[0]), func(step string) bool {
			return slices.Contains(c.Next, step) || slices.ContainsFunc(c.Others, func(next []string) bool { return !slices.Contains(next, step) })
		})
		if len(always) > 0 {
			how := map[bool]string{true: "this could always come next after some of them, and now may not: ", false: "this could not always come next after some of them, and now can: "}
			return same + how[c.Head] + fewTitles(always, in)
		}
	}
	if waits := dependent(v, d, in); waits != "" {
		return waiting(who, waits) + "; " + elsewhere
	}
	return same + elsewhere
}
