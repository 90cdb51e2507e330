package words

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
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
	quoted := Mapped(titles[:min(len(titles), MostNames)], func(t string) string { return "“" + in.Prose(t) + "”" })
	if more := len(titles) - MostNames; more > 0 {
		quoted = append(quoted, fmt.Sprintf("%d others", more))
	}
	return strings.Join(quoted, " or ")
}

// HowLong describes how long a party is exposed, before and now. How many states that is, is in JSON: what else goes on meanwhile multiplies them.
func HowLong(e *finding.Exposure, in Medium) (before, now string) {
	return howLong(e, e.Base, in), howLong(e, e.Head, in)
}

// howLong describes how long a party is exposed in one version, in time if that is not as in the other.
func howLong(e *finding.Exposure, of *finding.Exposed, in Medium) string {
	time := ""
	if !sameTime(e) {
		time = lasting(of, e.Unit, in)
	}
	said := cmp.Or(time, endedBy(of, in))
	switch {
	case of == nil:
		return "not known"
	case of.None && of.Owes:
		return "nothing owed to it in return"
	case of.None && of.Owed:
		return "it owes nothing in return"
	case of.None:
		return "no clause exposes it"
	case of.States == 0:
		said = "never"
	case !of.Ends:
		said = Joined(", and ", time, "it may stay so for ever")
		if !sameStuck(e) {
			said += stuckAfter(of, in)
		}
	}
	if of.Early {
		said += ", not counting what it performs before it owes that"
	}
	return said
}

// stuckAfter says after which steps an exposure can't end any more. Some of them may end it in other situations.
func stuckAfter(e *finding.Exposed, in Medium) (said string) {
	ends := func(title string) bool { return slices.Contains(e.To, title) }
	if always := slices.DeleteFunc(slices.Clone(e.Stuck), ends); len(always) > 0 {
		said = ", as after " + eitherOf(always, in)
	}
	if some := slices.DeleteFunc(slices.Clone(e.Stuck), func(title string) bool { return !ends(title) }); len(some) > 0 {
		said += map[bool]string{true: ", ", false: ", or "}[said == ""] + "in some situations after " + eitherOf(some, in) + ", which ends it in others"
	}
	return said
}

// sameStuck reports whether an exposure that may last for ever does so after the same steps as before.
func sameStuck(e *finding.Exposure) bool {
	return e.Base == nil || e.Head == nil || e.Base.Ends || e.Head.Ends || slices.Equal(e.Base.Stuck, e.Head.Stuck)
}

// endedBy says who ends an exposure that may not stay so for ever, by acting when they can.
func endedBy(e *finding.Exposed, in Medium) string {
	switch {
	case e == nil || e.By == nil || len(e.By.Sets) == 0:
		return "it ends unless somebody waits for ever"
	case len(e.By.Sets[0]) == 0:
		return "it always ends"
	}
	return "it ends if " + alternatives(e.By.Sets, e.By.More, ", or if ", in, func(set []string, in Medium) string {
		who, said := slices.DeleteFunc(slices.Clone(set), func(name string) bool { return name == "time" }), ""
		if len(who) > 0 {
			said = allOf(who, in) + map[bool]string{true: " acts", false: " act"}[len(who) == 1]
		}
		return Joined(" and ", said, map[bool]string{true: "time passes"}[len(who) < len(set)])
	})
}

// Exposure describes how a party's exposure changed: how long it lasts, or whether there are more or fewer situations of it.
func Exposure(e *finding.Exposure, in Medium) string {
	before, now := HowLong(e, in)
	switch {
	case before != now:
		return "before " + before + "; now " + now
	case spanOf(e.Base, in) != spanOf(e.Head, in):
		return now + ", as before"
	case e.Head.Apart > e.Base.Apart:
		return now + ", as before, and in more situations"
	}
	return now + ", as before, and in fewer situations"
}

// lasting says how long a party is exposed at least and at most.
func lasting(e *finding.Exposed, unit string, in Medium) string {
	l := e.Lasts
	span := func(n int) string { return "for " + in.Prose(hclspec.Ticks(n, unit)) }
	least := map[bool]string{true: span(l.Least) + " at least"}[l.Least > 0]
	switch {
	case l.Limited && l.Least == l.Most:
		return span(l.Most)
	case l.Limited:
		return Joined(" and ", least, span(l.Most)+" at most")
	case e.Ends:
		return cmp.Or(least, "with no limit in time")
	}
	return least
}

// sameTime reports whether a party is exposed for as long as before, or that is not known.
func sameTime(e *finding.Exposure) bool {
	return !IsExposed(e.Base) || !IsExposed(e.Head) || e.Base.Lasts == nil || e.Head.Lasts == nil || *e.Base.Lasts == *e.Head.Lasts
}

// longer returns 1 if a party is exposed for longer than before, at least or at most, and -1 if for shorter. It returns 0 if that is as before, not known, or
// longer in one way and shorter in the other.
func longer(e *finding.Exposure) int {
	if sameTime(e) {
		return 0
	}
	was, now := e.Base.Lasts, e.Head.Lasts
	least, most := cmp.Compare(now.Least, was.Least), cmp.Or(cmp.Compare(count(was.Limited), count(now.Limited)), cmp.Compare(now.Most, was.Most))
	if least*most < 0 {
		return 0
	}
	return cmp.Or(least, most)
}

// IsExposed reports whether a party is ever exposed in a version.
func IsExposed(e *finding.Exposed) bool { return e != nil && e.States > 0 }

// ExposureGains returns the party for which its exposure became better, or worse. Exposed in one version only, it is better off where it never is, unless
// nothing is owed to it there; in how many states it is exposed says nothing of that. Exposed in both, it is better off where that always ends, if the amendment
// changes the time of obligations and events and nothing else: else it may have more of what it is owed. So it is where that ends sooner, at the earliest or at
// the latest, if the same steps begin and end it and nothing but time changes of obligations. Two things are not weighed: what a party that performs before it
// owes that has from it, and an exposure against what the party is owed less or more. Nor is it weighed where the party itself performs otherwise: it can't
// fulfil any more what exposed it, or at other times. The first does not matter to a version in which it is exposed anyhow, as
// against one in which it never is; nor where it can in both, and nothing but time changes.
func ExposureGains(e *finding.Exposure, d *finding.Difference) (better, worse []string) {
	only := func(of func(diff.Change) bool) bool {
		return !slices.ContainsFunc(d.Changes, func(c diff.Change) bool { return !of(c) })
	}
	never := func(e *finding.Exposed) bool { return !IsExposed(e) && !e.Early }
	than := 0 // 1: worse than before
	switch {
	case e.Base == nil || e.Head == nil || e.Base.None || e.Head.None || e.Less || ownTimes(e, d):
	case IsExposed(e.Base) != IsExposed(e.Head):
		than = count(never(e.Base)) - count(never(e.Head))
	case !IsExposed(e.Head) || (e.Base.Early || e.Head.Early) && !(e.Base.Early && e.Head.Early && only(retimes)):
	case e.Base.Ends != e.Head.Ends && only(retimes):
		than = count(e.Base.Ends) - count(e.Head.Ends)
	case only(sameClaims) && slices.Equal(e.Base.From, e.Head.From) && slices.Equal(e.Base.To, e.Head.To):
		than = longer(e)
	}
	switch {
	case than != 0 && claimsDiffer(e.Party, than > 0, d): // it is owed less, or more: the two are not weighed against each other
	case than < 0:
		return []string{ExposedParty(e)}, nil
	case than > 0:
		return nil, []string{ExposedParty(e)}
	}
	return nil, nil
}

// ownTimes reports whether the amendment changes when a party has to perform, or can, what exposes it.
func ownTimes(e *finding.Exposure, d *finding.Difference) bool {
	return slices.ContainsFunc(d.Changes, func(c diff.Change) bool {
		return slices.Contains(e.Own, c.Name) && slices.ContainsFunc(c.Terms, func(t diff.Term) bool { return slices.Contains(timesOf[c.Element], t.Word) })
	})
}

// timesOf has the attributes that set times.
var timesOf = map[diff.Element][]string{diff.Obligation: {"within", "by"}, diff.Event: {"not_before", "after", "within"}}

// claimsDiffer reports whether what a party is owed has become better for it, or worse: a norm differs so after the same steps, or obligations towards it are
// added, or removed.
func claimsDiffer(party string, better bool, d *finding.Difference) bool {
	if o := d.Full().Owed; o != nil && slices.ContainsFunc(o.All(), func(n finding.NormDifference) bool {
		weighs, owed := n.Worse, n.Was
		if better {
			weighs, owed = n.Better, n.Now
		}
		return n.Kind == "obligation" && slices.Contains(weighs, party) &&
			slices.ContainsFunc(owed, func(s finding.NormState) bool { return slices.Contains(hclspec.Parted(s.Counterparty), party) })
	}) {
		return true
	}
	return slices.ContainsFunc(d.Changes, func(c diff.Change) bool {
		return c.Element == diff.Obligation && c.Action == map[bool]diff.Action{true: diff.Added, false: diff.Removed}[better] &&
			slices.ContainsFunc(c.Terms, func(t diff.Term) bool {
				return t.Word == "counterparty" && slices.Contains(hclspec.Parted(cmp.Or(t.Now, t.Was)), party)
			})
	})
}

// retimes reports whether a change is of the time of an obligation or an event alone, or of a promise.
func retimes(c diff.Change) bool {
	return c.Element == diff.Requirement || len(c.Terms) > 0 && c.Action != diff.Added && c.Action != diff.Removed &&
		!slices.ContainsFunc(c.Terms, func(t diff.Term) bool { return !slices.Contains(timesOf[c.Element], t.Word) })
}

// sameClaims reports whether a change leaves alone what exposes parties: obligations but for their time, and what is declared to expose.
func sameClaims(c diff.Change) bool {
	return retimes(c) || c.Element != diff.Obligation && !slices.ContainsFunc(c.Terms, func(t diff.Term) bool { return t.Word == "exposed" })
}

// BeforeAndNow describes in one line how a party's exposure changed, and whether that is better or worse for it.
func BeforeAndNow(e *finding.Exposure, d *finding.Difference, in Medium) string {
	better, worse := ExposureGains(e, d)
	weighed := map[bool]string{true: "better for it"}[len(better) > 0] + map[bool]string{true: "worse for it"}[len(worse) > 0]
	return WithFullStop(Joined("; ", Joined(": ", Span(e, in), Exposure(e, in)), weighed))
}

// owedForLonger says in half a sentence that a party that has performed is owed for longer than before, or for shorter. It returns "" if that is not better
// or worse for it. For how long is said with its exposure.
func owedForLonger(party string, d *finding.Difference) string {
	i := slices.IndexFunc(d.Exposure, func(e finding.Exposure) bool { return e.Party == party })
	if i < 0 {
		return ""
	}
	e := &d.Exposure[i]
	better, worse := ExposureGains(e, d)
	if longer(e) == 0 || len(better)+len(worse) == 0 {
		return ""
	}
	return "has performed and is still owed for " + map[bool]string{true: "longer", false: "less long"}[longer(e) > 0]
}

// Unexposed says why the exposure of some parties is not known. It returns "" if it is known of all.
func Unexposed(d *finding.Difference, in Medium) string {
	if d.Unexposed == "" {
		return ""
	}
	return WithFullStop("Not known: " + in.Prose(d.Unexposed))
}

// SameExposures names the parties whose exposure has not changed. It returns "" if there are none.
func SameExposures(all []finding.Exposure, in Medium) string {
	var names []string
	for i := range all {
		if e := &all[i]; SameExposure(e) {
			names = append(names, in.Prose(ExposedParty(e))+" ("+howLong(e, e.Head, in)+")")
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
	return sameTime(e) && sameStuck(e) && a.Apart == b.Apart && a.None == b.None && a.Early == b.Early && a.Ends == b.Ends && endedBy(&a, Terminal) == endedBy(&b, Terminal) && slices.Equal(a.From, b.From) && slices.Equal(a.To, b.To)
}

// heldBeside says of versions with the same steps and norms that something else is held or counted after them, or may be. It returns "" if that is the same.
func heldBeside(s *finding.States, in Medium) string {
	said := ""
	switch {
	case s.Apart != nil:
		said = "Amounts, or what else the parties hold or count, differ, such as " + Joined(": ", afterWhat(s.Apart, in), differing(s.Apart.Differs, in))
	case s.SameStepsDiffer():
		said = "Amounts, or what else the parties hold or count, differ: see the states"
	case len(s.Aside) == 1:
		said = "Amounts, or what else the parties hold or count, differ: only one version has " + fewNames(s.Aside, in)
	case len(s.Aside) > 0:
		said = "Amounts, or what else the parties hold or count, differ: these are of one version only: " + fewNames(s.Aside, in)
	case s.Undecided != "":
		said = "Whether amounts, or what else the parties hold or count, differ is not decided: " + in.Prose(s.Undecided)
	default:
		return ""
	}
	return "The same steps can happen, and after each the same obligations and rights stand: proved, not guessed. " + WithFullStop(said)
}
