package words

import (
	"cmp"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/compare"
	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/finding"
)

// What is owed now and was not before, and the like, after the same steps.

// mostNorms is how many norms are told of a difference; the rest is counted.
const mostNorms = 5

// owedBeside goes on from the same steps can happen.
func owedBeside(o *finding.Owed, in Medium) string {
	switch {
	case o == nil || o.Relation == delta.Same:
		return "."
	case o.Relation == delta.Unknown:
		return Sentence(Joined(": ", "; whether what is owed differs is not decided", in.Prose(o.Reason)))
	case len(o.Norms) == 0:
		return "; what is owed differs in which choices go with it."
	}
	return "; what is owed differs:"
}

// OwedLead introduces the norms that differ; empty: there are none to tell of. Of what differs in steps, too, it says whether norms do
// where both versions have the steps.
func OwedLead(b *finding.Behaviour, in Medium) string {
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
		return Sentence(Joined(": ", "Whether what is owed differs after steps that both versions have is not decided", in.Prose(o.Reason)))
	case o.Unshown > 0:
		return "After steps that both versions have, what is owed differs, in which choices go with it."
	}
	return "After steps that both versions have, the same is owed."
}

// ShownNorms are those of which a report tells.
func ShownNorms(o *finding.Owed) []finding.NormDifference {
	if o == nil {
		return nil
	}
	return o.Norms[:min(len(o.Norms), mostNorms)]
}

// NormTitle is a norm by its title, with what it is.
func NormTitle(d *finding.NormDifference, in Medium) string {
	if d.Kind == "contract" {
		return "the end of the contract"
	}
	if d.Title == "" {
		return d.Kind + " " + in.Prose(d.Norm)
	}
	return in.Prose(d.Title) + " (" + d.Kind + " " + in.Name(d.Norm) + ")"
}

// WasAndIs says how a norm stood and stands.
func WasAndIs(d *finding.NormDifference, in Medium) string {
	return "before: " + in.Prose(compare.Words(d, d.Was)) + "; now: " + in.Prose(compare.Words(d, d.Now))
}

// ForWhom says for whom that is better, and for whom worse; empty: neither.
func ForWhom(d *finding.NormDifference, in Medium) string {
	return Joined("; ", forParties("better for ", d.Better, in), forParties("worse for ", d.Worse, in))
}

func forParties(lead string, all []string, in Medium) string {
	if len(all) == 0 {
		return ""
	}
	return lead + strings.Join(Mapped(all, func(p string) string { return "the " + in.Prose(p) }), " and ")
}

// owedInShort names the norms that differ, and says for whom that is better or worse; empty: there are none to name.
func owedInShort(o *finding.Owed, in Medium) string {
	var said []string
	for i := range ShownNorms(o) {
		d := &o.Norms[i]
		line := Joined(", ", NormTitle(d, in), forParties("better for ", d.Better, in), forParties("worse for ", d.Worse, in))
		if !slices.Contains(said, line) {
			said = append(said, line)
		}
	}
	if o != nil && len(o.Norms) > mostNorms {
		said = append(said, "and more")
	}
	return strings.Join(said, "; ")
}

// NormWhen says after how many steps a norm stands otherwise.
func NormWhen(d *finding.NormDifference) string {
	if len(d.Run) == 0 {
		return "at the start"
	}
	return "after " + Several(last(d.Run).Step, "step")
}

// MoreNorms counts those that are not told of.
func MoreNorms(o *finding.Owed) string {
	if o == nil || len(o.Norms) <= mostNorms {
		return ""
	}
	return Several(len(o.Norms)-mostNorms, "other difference") + " in what is owed not shown."
}

// seenOwed says in a line what a party sees of norms that differs; empty: nothing.
func seenOwed(v *finding.View, in Medium) string {
	o := v.Owed
	switch {
	case o == nil || o.Relation == delta.Same || v.Relation == delta.Unknown:
		return ""
	case o.Relation == delta.Unknown:
		return Joined(": ", "whether what is owed differs is not decided", Sentence(in.Prose(o.Reason)))
	}
	var said []string
	for i := range ShownNorms(o) {
		d := &o.Norms[i]
		line := cmp.Or(in.Prose(d.Title), NormTitle(d, in)) + forParty(d, v.Party)
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

func forParty(d *finding.NormDifference, party string) string {
	switch {
	case slices.Contains(d.Better, party):
		return " (better)"
	case slices.Contains(d.Worse, party):
		return " (worse)"
	}
	return ""
}

// owedOtherwise reports whether something else is owed than before under a contract, and, if not, whether that is not decided.
func owedOtherwise(c *finding.ContractReview) (differs, unsure bool) {
	d := c.Difference
	if d == nil {
		return false, false
	}
	look := func(o *finding.Owed) {
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
	case b.kinds[finding.Standing]+b.kinds[finding.RestsAsBefore]+b.kinds[finding.Waived] > 0:
		return "no promise is newly broken, but " + said
	}
	return "no promise is broken, but " + said
}
