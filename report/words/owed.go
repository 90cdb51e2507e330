package words

import (
	"cmp"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
)

// Sentences about norms whose state differs after the same steps.

// mostNorms and mostUntimed are the numbers of norms of a difference that are shown: after the same steps, and after the same events. The rest is counted.
const (
	mostNorms   = 5
	mostUntimed = 3
)

// owedBeside continues the sentence "The same steps can happen" with what is owed after them.
func owedBeside(b *finding.Behaviour, in Medium) string {
	switch o := b.Owed; {
	case o == nil || o.Relation == delta.Same:
		return "."
	case o.Relation == delta.Unknown:
		return WithFullStop(Joined(": ", "; whether what is owed differs is not decided", in.Prose(o.Reason)))
	case len(o.Norms) == 0 && b.Observed != nil:
		return "; what they tell of what is owed differs: that depends on steps that are not looked at."
	case len(o.Norms) == 0 && o.Relation == delta.Otherwise:
		return "; the same is owed after them, but at what point it is settled what will be owed differs."
	case len(o.Norms) == 0:
		return "; what is owed differs, but no single run shows it."
	}
	return "; what is owed differs:"
}

// OwedLead introduces the norms that differ. It returns "" if no sentence is needed. If the steps differ as well, it says whether norms
// differ after steps that both versions allow, unless something else that is said of them differs.
func OwedLead(d *finding.Difference, in Medium) string {
	b := &d.All
	switch o := b.Owed; {
	case o == nil || b.Same():
		return ""
	case b.Relation == delta.Same:
		return "" // Relation says it
	case len(o.Norms) > 0:
		return "After steps that both versions have, what is owed differs, too:"
	case b.Relation == delta.Unknown:
		return ""
	case o.Relation == delta.Unknown || o.Reason != "":
		return WithFullStop(Joined(": ", "Whether what is owed differs after steps that both versions have is not decided", in.Prose(o.Reason)))
	case o.Unshown > 0:
		return "After steps that both versions have, what is owed differs, but no single run shows it."
	case len(o.Untimed) > 0, slices.ContainsFunc(d.Views, func(v finding.View) bool { return len(concerning(&v, d)) > 0 }):
		return ""
	}
	return "After steps that both versions have, the same is owed."
}

// UntimedLead introduces the norms that differ after the same events, before the first shown of each kind. It returns "" before others.
func UntimedLead(o *finding.Owed, i int) string {
	shown, first := ShownNorms(o), min(len(occurrencesOf(o.Norms)), mostNorms)
	if i < first || i > first && shown[i-1].Untimed == shown[i].Untimed {
		return ""
	}
	too := map[bool]string{false: ":", true: ", too:"}[i > 0]
	if !shown[i].Untimed {
		return "After the same events in the same time, leaving aside what happens by itself and what one version alone has, what is owed differs" + too
	}
	return "After the same events at other times, or with what one version alone has between them, what is owed differs" + too
}

// A shownNorm is a norm whose state differs, or several occurrences of one that differ alike: of these it is the first.
type shownNorm struct {
	finding.NormDifference
	also []finding.NormDifference // the other occurrences
}

// ShownNorms returns the norms of a difference that a report shows.
func ShownNorms(o *finding.Owed) []shownNorm {
	if o == nil {
		return nil
	}
	timed, untimed := occurrencesOf(o.Norms), occurrencesOf(o.Untimed)
	return slices.Concat(timed[:min(len(timed), mostNorms)], untimed[:min(len(untimed), mostUntimed)])
}

// occurrencesOf joins the occurrences of a norm that differ alike: by the same states, for the same parties.
func occurrencesOf(all []finding.NormDifference) (list []shownNorm) {
	for _, d := range all {
		i := -1
		if written(&d) != d.Kind+"."+d.Norm {
			i = slices.IndexFunc(list, func(s shownNorm) bool {
				return written(&s.NormDifference) == written(&d) && s.Norm != d.Norm && WasAndIs(&s.NormDifference, Terminal) == WasAndIs(&d, Terminal) &&
					slices.Equal(s.Better, d.Better) && slices.Equal(s.Worse, d.Worse) && Beyond(&s.NormDifference, Terminal) == Beyond(&d, Terminal)
			})
		}
		if i < 0 {
			list = append(list, shownNorm{NormDifference: d})
			continue
		}
		list[i].also = append(list[i].also, d)
	}
	return list
}

// Title returns the title of a norm, with its kind and name, and of occurrences that differ alike their numbers.
func (s *shownNorm) Title(in Medium) string {
	if len(s.also) == 0 {
		return normTitle(&s.NormDifference, in)
	}
	of := s.NormDifference
	of.Norm, _, _ = strings.Cut(of.Norm, "[")
	of.Title = strings.TrimSuffix(of.Title, " ("+hclspec.Ordinal(s.Occurrence())+")")
	numbers := []int{s.Occurrence()}
	for i := range s.also {
		numbers = append(numbers, s.also[i].Occurrence())
	}
	slices.Sort(numbers)
	return normTitle(&of, in) + ", " + hclspec.Ordinals(slices.Compact(numbers))
}

// When returns after what the state of a norm differs: of the first of several occurrences, or after the steps written last, if again.
func (s *shownNorm) When(again bool) string {
	if len(s.also) == 0 {
		return normWhen(&s.NormDifference, again)
	}
	return "the " + hclspec.Ordinal(s.Occurrence()) + " " + normWhen(&s.NormDifference, again)
}

// OtherRemarks returns the NewRemarks that the difference of a contract does not show: it lists each norm that differs, with a run, and what can never
// happen any more. Of that, what others follow from stays: Alike says those with it.
func OtherRemarks(c *finding.ContractReview) []finding.Diagnostic {
	all := NewRemarks(c)
	if c.Difference == nil {
		return all
	}
	died := c.Difference.States.Died
	died = died[:min(len(died), MostNames)]
	isDead := func(d finding.Diagnostic) bool {
		return (d.Code == "event-never-happens" || d.Code == "transition-never-fires") &&
			slices.ContainsFunc(died, func(l finding.Clause) bool { return l.Name == strings.TrimPrefix(d.Subject, "event.") })
	}
	leads := func(d finding.Diagnostic) bool {
		return slices.ContainsFunc(all, func(o finding.Diagnostic) bool { return o.Follows == d.Subject && !isDead(o) })
	}
	return slices.DeleteFunc(slices.Clone(all), func(d finding.Diagnostic) bool {
		return isDead(d) && !leads(d) || OfNorms(&d) && d.Trace != nil && listed(c.Difference.All.Owed, d.Subject)
	})
}

// listed reports whether a report shows all differences of a norm, of which there is one at least.
func listed(o *finding.Owed, subject string) bool {
	if o == nil {
		return false
	}
	of := func(list []finding.NormDifference) (n int) {
		for _, d := range list {
			n += count(d.Kind+"."+d.Norm == subject || written(&d) == subject) // a remark on a norm that recurs is on all occurrences
		}
		return n
	}
	shown := of(allShown(o))
	return shown > 0 && shown == of(o.All())
}

// ShownAbove reports whether a finding that is shown with the run of a norm's difference is about that norm.
func ShownAbove(d *finding.NormDifference, findings []finding.Finding) bool {
	return slices.ContainsFunc(findings, func(f finding.Finding) bool {
		return f.OfNorms() && f.Kind == finding.New && !Waived(f) && f.Check.Trace != nil && f.Check.Subject == d.Kind+"."+d.Norm && SameSteps(f.Check.Trace.Prefix, d.Run)
	})
}

// normTitle returns the title of a norm, with its kind and name.
func normTitle(d *finding.NormDifference, in Medium) string {
	if d.Kind == "contract" {
		return "the end of the contract"
	}
	if d.Title == "" {
		return d.Kind + " " + in.Prose(d.Norm)
	}
	return in.Prose(d.Title) + " (" + d.Kind + " " + in.Name(d.Norm) + ")"
}

// WasAndIs describes the state of a norm in both versions.
func WasAndIs(d *finding.NormDifference, in Medium) string {
	was, now := d.States()
	return "before: " + in.Prose(was) + "; now: " + in.Prose(now)
}

// ForWhom describes for whom a difference is better and for whom worse. It returns "" if for neither.
func ForWhom(d *finding.NormDifference, in Medium) string {
	return Joined("; ", forParties("better for ", d.Better, d.Calls, in), forParties("worse for ", d.Worse, d.Calls, in))
}

// Beyond says, where only the ticks left are seen to differ, whether more ever does. It returns "" elsewhere.
func Beyond(d *finding.NormDifference, in Medium) string { return in.Prose(d.Beyond()) }

// forParties lists parties after lead, or returns "" if there are none.
func forParties(lead string, all []string, calls finding.Calls, in Medium) string {
	if len(all) == 0 {
		return ""
	}
	return lead + in.Prose(calls.Together(all))
}

// owedInShort names the norms that differ, and for whom that is better or worse. It returns "" if there are none.
func owedInShort(o *finding.Owed, in Medium) string {
	var said []string
	shown := ShownNorms(o)
	for i := range shown {
		d := &shown[i]
		line := Joined(", ", d.Title(in), forParties("better for ", d.Better, d.Calls, in), forParties("worse for ", d.Worse, d.Calls, in))
		if !slices.Contains(said, line) {
			said = append(said, line)
		}
	}
	if MoreNorms(o) != "" {
		said = append(said, "and more")
	}
	return strings.Join(said, "; ")
}

// RunAgain reports whether norm i of those shown differs after the very steps that are written for the one before it.
func RunAgain(shown []shownNorm, i int, findings []finding.Finding) bool {
	return i > 0 && len(shown[i].Run) > 0 && !ShownAbove(&shown[i-1].NormDifference, findings) && SameSteps(shown[i-1].Run, shown[i].Run)
}

// normWhen returns after what the state of a norm differs: after the steps written last, if again.
func normWhen(d *finding.NormDifference, again bool) string {
	if again {
		return "after the same steps"
	}
	return d.When()
}

// MoreNorms counts the differences of norms that are not shown. It returns "" if there are none.
func MoreNorms(o *finding.Owed) string {
	if o == nil || len(o.All()) == len(allShown(o)) {
		return ""
	}
	return Several(len(o.All())-len(allShown(o)), "other difference") + " in what is owed not shown: --format json has all."
}

// allShown returns the differences that a report shows, each occurrence for itself.
func allShown(o *finding.Owed) (all []finding.NormDifference) {
	for _, s := range ShownNorms(o) {
		all = append(append(all, s.NormDifference), s.also...)
	}
	return all
}

// UntimedOpen says why what is owed after the same events is not decided, or returns "".
func UntimedOpen(o *finding.Owed, in Medium) string {
	if o == nil || o.UntimedReason == "" {
		return ""
	}
	return WithFullStop("What is owed after the same events at other times is not decided: " + in.Prose(o.UntimedReason))
}

// seenOwed describes in one line which norms differ for a party. It returns "" if none do.
func seenOwed(v *finding.View, d *finding.Difference, in Medium) string {
	o, all := v.Owed, concerning(v, d)
	if len(all) == 0 {
		switch {
		case o == nil || o.Relation == delta.Same || v.Relation == delta.Unknown || stepsAgree(d):
			return ""
		case o.Relation == delta.Unknown:
			return Joined(": ", "whether what is owed differs is not decided", WithFullStop(in.Prose(o.Reason)))
		case v.Relation == delta.Same && sameOwed(d):
			return "the same is owed as before, but the steps that it sees tell it more of that, or less, than before"
		case v.Relation == delta.Same && o.Relation == delta.Otherwise:
			return "the same can be owed after them, but at what point it is settled what will be owed differs"
		case v.Relation == delta.Same:
			return "what can be owed after the steps that it sees differs"
		}
		return ""
	}
	whole := slices.Clone(all)
	all = slices.DeleteFunc(all, func(n finding.NormDifference) bool { // said with whom it is better or worse for
		return forParty(&n, v.Party) == "" && slices.ContainsFunc(whole, func(o finding.NormDifference) bool { return o.SameNorm(n) && forParty(&o, v.Party) != "" })
	})
	weighs := func(n finding.NormDifference) bool { // as a norm that is shown above
		return slices.ContainsFunc(allShown(d.All.Owed), func(o finding.NormDifference) bool {
			return o.SameNorm(n) && forParty(&o, v.Party) == forParty(&n, v.Party)
		})
	}
	title := func(n finding.NormDifference) string { return in.Prose(n.Title) }
	var said []string
	if slices.ContainsFunc(all, weighs) {
		said, all = append(said, "as above"), slices.DeleteFunc(slices.Clone(all), weighs)
	}
	for i := range all[:min(len(all), mostNorms)] {
		n := &all[i]
		name := title(*n)
		if name == "" || slices.ContainsFunc(all, func(o finding.NormDifference) bool { return title(o) == name && !n.SameNorm(o) }) {
			name = normTitle(n, in)
		}
		if line := name + weighed(n, whole, v.Party); !slices.Contains(said, line) {
			said = append(said, line)
		}
	}
	if more := len(all) - mostNorms; more > 0 {
		said = append(said, "and "+Several(more, "other difference"))
	}
	return "owed otherwise: " + strings.Join(said, "; ")
}

// sameOwed reports whether the same is owed after all steps that both versions have: proved.
func sameOwed(d *finding.Difference) bool {
	o := d.Full().Owed
	return o != nil && o.Relation != delta.Unknown && o.Reason == "" && len(o.All())+o.Unshown == 0
}

// stepsAgree reports whether both versions have the same steps, and it is decided after which of them norms differ.
func stepsAgree(d *finding.Difference) bool {
	all := d.Full()
	return all.Relation == delta.Same && all.Owed != nil && all.Owed.Relation != delta.Unknown
}

// concerning returns the norms that differ for a party. Where both versions have the same steps, these are the norms that differ after them and that are the
// party's: what it sees less of than all together would let others seem to differ. Elsewhere, what it does not see itself may be better or worse for it, too;
// and of what seems to differ only for what it does not see, a norm counts that the amendment changes itself, unless the party's own steps differ: then it may
// differ for what has come to be impossible alone. Nor does an occurrence count if others of the same norm differ for all together, and it does not; and where
// all together see a difference that is better or worse for the party, that is what is weighed.
func concerning(v *finding.View, d *finding.Difference) (all []finding.NormDifference) {
	agree, whole := stepsAgree(d), d.Full().Owed
	if v.Owed != nil && !agree && v.Relation != delta.Unknown {
		all = slices.Clone(v.Owed.Norms)
	}
	if whole == nil {
		return all
	}
	if whole.Relation != delta.Unknown {
		all = slices.DeleteFunc(all, func(n finding.NormDifference) bool {
			same := func(o finding.NormDifference) bool { return o.SameNorm(n) }
			if slices.ContainsFunc(whole.Norms, same) {
				return slices.ContainsFunc(whole.Norms, func(o finding.NormDifference) bool { return same(o) && forParty(&o, v.Party) != "" })
			}
			return v.Relation != delta.Same || !n.Amended(d.Changes) || slices.ContainsFunc(whole.Norms, func(o finding.NormDifference) bool { return written(&o) == written(&n) })
		})
	}
	seen := all
	for _, n := range whole.All() {
		weighed := slices.Contains(n.Better, v.Party) || slices.Contains(n.Worse, v.Party)
		if own := n.Untimed && partyTo(&n, v.Party); agree && (weighed || partyTo(&n, v.Party)) || (weighed || own) && !slices.ContainsFunc(seen, n.SameNorm) {
			all = append(all, n)
		}
	}
	return all
}

// written returns the kind of a norm and its name in the source, which its occurrences share.
func written(n *finding.NormDifference) string {
	name, _, _ := strings.Cut(n.Norm, "[")
	return n.Kind + "." + name
}

// partyTo reports whether a party bears a norm that differs, or is its counterparty, on either side. The end of the contract is everybody's.
func partyTo(n *finding.NormDifference, party string) bool {
	return n.Kind == "contract" || slices.ContainsFunc(slices.Concat(n.Was, n.Now), func(s finding.NormState) bool {
		return slices.Contains(hclspec.Parted(s.Bearer), party) || slices.Contains(hclspec.Parted(s.Counterparty), party)
	})
}

// weighed returns whether the differences of a norm are better or worse for a party, in brackets.
func weighed(n *finding.NormDifference, all []finding.NormDifference, party string) string {
	first := forParty(n, party)
	if first != "" && slices.ContainsFunc(all, func(o finding.NormDifference) bool {
		other := forParty(&o, party)
		return o.SameNorm(*n) && other != "" && other != first
	}) {
		return " (better after some steps, worse after others)"
	}
	return first
}

// forParty returns whether a difference is better or worse for a party, in brackets.
func forParty(d *finding.NormDifference, party string) string {
	switch {
	case slices.Contains(d.Better, party):
		return " (better)"
	case slices.Contains(d.Worse, party):
		return " (worse)"
	}
	return ""
}

// owedOtherwise reports whether what is owed under a contract has changed, and if it has not, whether that is uncertain.
func owedOtherwise(c *finding.ContractReview) (differs, unsure bool) {
	d := c.Difference
	if d == nil {
		return false, false
	}
	if o := d.Full().Owed; o != nil {
		differs, unsure = len(o.All())+o.Unshown > 0, o.Relation == delta.Unknown
	}
	for i := range d.Views { // as the report says for whom
		v := &d.Views[i]
		open := v.Owed != nil && v.Owed.Relation == delta.Unknown
		differs = differs || len(concerning(v, d)) > 0 || !open && !sameOwed(d) && seenOwed(v, d, Terminal) != ""
		unsure = unsure || open
	}
	if d.Tick != nil {
		differs, unsure = differs || d.Tick.Known(), true
	}
	return differs, unsure && !differs
}

// alters reports whether what is owed or what can happen changes, or may change.
func (b balance) alters() bool {
	return b.owed+b.unsure+b.moved+b.unproved+b.seen+b.held+b.uncounted+b.enacted+b.hollow+b.shifted+b.breaches > 0
}

// alteration says which promises have become vacuous or rest on others, and whether what is owed or what can happen changes, or may change. It
// returns "" if nothing does.
func (b balance) alteration() string {
	behaviour := ""
	switch {
	case b.owed > 0:
		behaviour = "what is owed changes"
	case b.moved > 0:
		behaviour = "what can happen changes"
	case b.unsure > 0:
		behaviour = "whether the same is owed is not decided"
	case b.seen > 0 && b.enacted == 0:
		behaviour = "what a party takes part in or sees changes"
	case b.held > 0:
		behaviour = "amounts, or what else the parties hold or count, change"
	case b.uncounted > 0:
		behaviour = "whether amounts, or what else the parties hold or count, change is not decided"
	case b.unproved > 0:
		behaviour = "whether the same can happen is not decided"
	}
	become := map[bool]string{true: " becomes vacuous", false: " become vacuous"}[b.hollow == 1]
	rest := map[bool]string{true: " rests on others than before", false: " rest on others than before"}[b.shifted == 1]
	return allOfParts(suffixed(SomeOf(b.hollow, "promise"), become), suffixed(SomeOf(b.shifted, "promise"), rest),
		suffixed(SomeOf(b.breaches, "promise"), map[bool]string{true: " is", false: " are"}[b.breaches == 1]+" kept by another breach"), behaviour,
		map[bool]string{true: "whose act an event takes changes"}[b.enacted > 0])
}

// altered says in one line that no promise is newly broken, and what changes though. It returns "" if nothing does.
func (b balance) altered() string {
	said := b.alteration()
	switch {
	case b.excused > 0:
		return Joined("; ", Several(b.excused, "promise")+map[bool]string{true: " is", false: " are"}[b.excused == 1]+" newly broken"+b.byWaiver(), said)
	case said == "":
		return ""
	case b.kinds[finding.Standing]+b.kinds[finding.RestsAsBefore]+b.kinds[finding.Waived] > 0:
		return "no promise is newly broken, but " + said
	}
	return "no promise is broken, but " + said
}

// pairedStates shows a new state and the old one that the same steps lead to, by what differs. It returns "" if no such pair is known, or if there are
// states on one side only.
func pairedStates(said string, now, was []finding.Situation, in Medium) string {
	if len(now) == 0 || len(was) == 0 || len(now[0].Differs) == 0 {
		return ""
	}
	return said + ", such as " + afterWhat(&now[0], in) + ": " + WithFullStop(differing(now[0].Differs, in))
}

// differing lists what differs between two states that the same steps lead to.
func differing(all []finding.Change, in Medium) string {
	return strings.Join(Mapped(all, func(c finding.Change) string {
		was, now := Enumerated(c.Before, in), Enumerated(c.After, in)
		if of, value, found := strings.Cut(was, ": "); found && len(c.Before) == 1 && strings.HasPrefix(now, of+": ") {
			was = value // of one counter
		}
		return in.Prose(cmp.Or(c.Called, c.Party)) + ": " + cmp.Or(now, noneOf(was)) + " (before: " + cmp.Or(was, noneOf(now)) + ")"
	}), "; ")
}

// noneOf returns the words for a party or a norm that has nothing of what the other state says: a time that runs there is no deadline here.
func noneOf(other string) string {
	if strings.HasSuffix(other, " left") {
		return "no deadline"
	}
	return "nothing"
}

// unitChange says in which unit the durations of a contract were and are; "" is a contract without durations in words.
func unitChange(was, now string) string {
	switch {
	case was == "":
		return "durations in words are now in " + now + "s"
	case now == "":
		return "durations in words were in " + was + "s, and there are none now"
	}
	return "durations were in " + was + "s, now in " + now + "s"
}
