package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/delta"
)

// What is owed now and was not before, and the like, after the same steps.

// mostNorms is how many norms are told of a difference; the rest is counted.
const mostNorms = 5

// owedBeside goes on from the same steps can happen.
func owedBeside(o *engine.Owed, in medium) string {
	switch {
	case o == nil || o.Relation == delta.Same:
		return "."
	case o.Relation == delta.Unknown:
		return sentence(joined(": ", "; whether what is owed differs is not decided", in.prose(o.Reason)))
	case len(o.Norms) == 0:
		return "; what is owed differs in which choices go with it."
	}
	return "; what is owed differs:"
}

// owedLead introduces the norms that differ; empty: there are none to tell of. Of what differs in steps, too, it says whether norms do
// where both versions have the steps.
func owedLead(b *engine.Behaviour, in medium) string {
	switch o := b.Owed; {
	case o == nil || b.Same():
		return ""
	case b.Relation == delta.Same:
		return "" // it is said
	case len(o.Norms) > 0:
		return "After steps that both versions have, what is owed differs, too:"
	case b.Relation == delta.Unknown:
		return ""
	case o.Relation == delta.Unknown || o.Reason != "":
		return sentence(joined(": ", "Whether what is owed differs after steps that both versions have is not decided", in.prose(o.Reason)))
	case o.Unshown > 0:
		return "After steps that both versions have, what is owed differs, in which choices go with it."
	}
	return "After steps that both versions have, the same is owed."
}

// shownNorms are those of which a report tells.
func shownNorms(o *engine.Owed) []engine.NormDifference {
	if o == nil {
		return nil
	}
	return o.Norms[:min(len(o.Norms), mostNorms)]
}

// normTitle is a norm by its title, with what it is.
func normTitle(d *engine.NormDifference, in medium) string {
	if d.Kind == "contract" {
		return "the end of the contract"
	}
	if d.Title == "" {
		return d.Kind + " " + in.prose(d.Norm)
	}
	return in.prose(d.Title) + " (" + d.Kind + " " + in.name(d.Norm) + ")"
}

// wasAndIs says how a norm stood and stands.
func wasAndIs(d *engine.NormDifference, in medium) string {
	return "before: " + in.prose(d.Words(d.Was)) + "; now: " + in.prose(d.Words(d.Now))
}

// forWhom says for whom that is better, and for whom worse; empty: neither.
func forWhom(d *engine.NormDifference, in medium) string {
	return joined("; ", forParties("better for ", d.Better, in), forParties("worse for ", d.Worse, in))
}

func forParties(lead string, all []string, in medium) string {
	if len(all) == 0 {
		return ""
	}
	return lead + strings.Join(mapped(all, func(p string) string { return "the " + in.prose(p) }), " and ")
}

// owedInShort names the norms that differ, and says for whom that is better or worse; empty: there are none to name.
func owedInShort(o *engine.Owed, in medium) string {
	var said []string
	for i := range shownNorms(o) {
		d := &o.Norms[i]
		line := joined(", ", normTitle(d, in), forParties("better for ", d.Better, in), forParties("worse for ", d.Worse, in))
		if !slices.Contains(said, line) {
			said = append(said, line)
		}
	}
	if o != nil && len(o.Norms) > mostNorms {
		said = append(said, "and more")
	}
	return strings.Join(said, "; ")
}

// normWhen says after how many steps a norm stands otherwise.
func normWhen(d *engine.NormDifference) string {
	if len(d.Run) == 0 {
		return "at the start"
	}
	return "after " + several(last(d.Run).Step, "step")
}

// moreNorms counts those that are not told of.
func moreNorms(o *engine.Owed) string {
	if o == nil || len(o.Norms) <= mostNorms {
		return ""
	}
	return several(len(o.Norms)-mostNorms, "other difference") + " in what is owed not shown."
}

// seenOwed says in a line what a party sees of norms that differs; empty: nothing.
func seenOwed(v *engine.View, in medium) string {
	o := v.Owed
	switch {
	case o == nil || o.Relation == delta.Same || v.Relation == delta.Unknown:
		return ""
	case o.Relation == delta.Unknown:
		return joined(": ", "whether what is owed differs is not decided", sentence(in.prose(o.Reason)))
	}
	var said []string
	for i := range shownNorms(o) {
		d := &o.Norms[i]
		line := cmp.Or(in.prose(d.Title), normTitle(d, in)) + forParty(d, v.Party)
		if !slices.Contains(said, line) {
			said = append(said, line)
		}
	}
	switch {
	case len(said) > 0:
		return "owed otherwise: " + strings.Join(said, "; ")
	case v.Relation == delta.Same:
		return "what is owed differs, in which choices go with it"
	}
	return ""
}

func forParty(d *engine.NormDifference, party string) string {
	switch {
	case slices.Contains(d.Better, party):
		return " (better)"
	case slices.Contains(d.Worse, party):
		return " (worse)"
	}
	return ""
}

// owedOtherwise reports whether something else is owed than before under a contract, and, if not, whether that is not decided.
func owedOtherwise(c *engine.ContractReview) (differs, unsure bool) {
	d := c.Difference
	if d == nil {
		return false, false
	}
	look := func(o *engine.Owed) {
		if o != nil {
			differs = differs || len(o.Norms)+o.Unshown > 0
			unsure = unsure || o.Relation == delta.Unknown
		}
	}
	look(d.All.Owed)
	for i := range d.Views {
		look(d.Views[i].Owed)
	}
	return differs, unsure && !differs
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// owes says in one line that what is owed changes, or that this is not decided, and that no promise is broken by it; empty: the same is owed.
func (b balance) owes() string {
	said := map[bool]string{true: "what is owed changes", false: "whether the same is owed is not decided"}[b.owed > 0]
	switch {
	case b.owed+b.unsure == 0:
		return ""
	case b.excused > 0:
		return said
	case b.kinds[engine.Standing]+b.kinds[engine.RestsAsBefore]+b.kinds[engine.Waived] > 0:
		return "no promise is newly broken, but " + said
	}
	return "no promise is broken, but " + said
}
