package words

import (
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
)

// Remarks returns the other sentences about a verdict: that it holds only because every run breaches something, that time may stop in the
// run, and on whom the promise rests.
func Remarks(r *finding.Requirement, in Medium) []string {
	var all []string
	if said := empty(r, in); said != "" {
		all = append(all, said)
	}
	if r.Timely {
		all = append(all, "Time need not pass in this run: with "+in.Code(progressOfTime(r))+" it holds.")
	}
	if r.Rests != nil {
		all = append(all, Joined(" ", onlyWaiting(r), restsOn(r.Rests, in)))
	}
	return all
}

// empty says of a promise over ideal runs that it is kept only because no such run comes to where it asks for something, and of a scenario that is to be
// impossible that it is so before its last step. It returns "" for any other.
func empty(r *finding.Requirement, in Medium) string {
	switch s := r.Scenario; {
	case r.StopsEarly():
		return fmt.Sprintf("Step %d of %d is impossible already: %s. What comes after it is not asked.", s.Stops, len(s.Steps), in.Prose(s.Steps[s.Stops-1]))
	case r.NoRuns && r.Resting && len(r.RestsOn) > 0:
		return "Holds only because something is breached on every run on which " + acting(r.RestsOn, in) + "."
	case r.NoRuns && len(r.Assuming) > 0:
		return "Holds only because something is breached on every run on which " + progressWords(r.Assuming, in) + "."
	case r.NoRuns:
		return "Holds only because nobody can keep this contract: on every run something is breached."
	case r.Empty:
		return "Holds only because something is breached on every run that comes to where it asks for something."
	}
	return ""
}

// onlyWaiting returns a sentence for a violation that requires a party or time to wait, and "" for any other.
func onlyWaiting(r *finding.Requirement) string {
	sets := r.Rests.Sets
	switch {
	case r.Verdict != finding.Violated || len(sets) == 0 || len(sets[0]) == 0:
		return ""
	case len(sets) == 1 && onTime(sets[0]):
		return "It fails only if time stands still."
	case slices.ContainsFunc(sets, func(set []string) bool { return slices.Contains(set, "time") }):
		return "It fails only if somebody waits for ever or time stands still."
	}
	return "It fails only if somebody waits for ever."
}

// onTime reports whether a set contains time alone.
func onTime(set []string) bool { return len(set) == 1 && set[0] == "time" }

// progressOfTime writes an assumption as source text: the requirement's own names, and time.
func progressOfTime(r *finding.Requirement) string {
	return "assuming = progress(" + strings.Join(append(slices.Clone(r.Assuming), "time"), ", ") + ")"
}

// restsOn describes on whom a promise rests. The words do not depend on the verdict, but say if they are about runs without a breach.
func restsOn(r *finding.Rests, in Medium) string {
	without := ""
	if r.Ideal {
		without = "without a breach, "
	}
	switch {
	case r.Unknown != "":
		return WithFullStop("On whom it rests is not known: " + in.Prose(r.Unknown))
	case len(r.Norms) > 0:
		return "Acting alone is not enough; enough if " + keptWith(r, in) + "."
	case len(r.Sets) == 0:
		return "Acting is not enough: " + fails(r, false) + "."
	case len(r.Sets[0]) == 0:
		return "Rests on nobody: " + without + "however long anybody waits."
	}
	return "Rests " + restingOn(r, in) + ": " + without + keptBy(r, in)
}

// fails describes a promise that can fail no matter who acts.
func fails(r *finding.Rests, past bool) string {
	switch {
	case r.NoRuns && past:
		return "something was breached wherever nothing was put off for ever"
	case r.NoRuns:
		return "something is breached wherever nothing is put off for ever"
	case r.Ideal && past:
		return "it could fail even if nothing was breached and nothing else was put off for ever"
	case r.Ideal:
		return "it can fail even if nothing is breached and nothing else is put off for ever"
	case past:
		return "it could fail even if nothing was put off for ever"
	}
	return "it can fail even if nothing is put off for ever"
}

// keptWith describes which norms have to be kept.
func keptWith(r *finding.Rests, in Medium) string {
	return alternatives(r.Norms, r.More, ", or ", in, keeping) + ", provided nothing is put off for ever"
}

// Rested compares on whom a promise rested before the amendment and rests now, and says so if it fails only if somebody waits for ever; or by what a scenario
// left a party in breach, and does now. It returns "" if that has not changed.
func Rested(f *finding.Finding, in Medium) string {
	if len(f.Breach) > 0 {
		return "Afterwards " + in.Prose(f.Head.Scenario.Whose) + " is in breach of " + in.Prose(strings.Join(f.Head.Scenario.Of, ", or ")) + "; before the amendment it was of " + WithFullStop(in.Prose(strings.Join(f.Breach, ", or ")))
	}
	if f.Rested == nil || hollowed(*f) && len(f.Head.Rests.Sets) > 0 && len(f.Head.Rests.Sets[0]) == 0 { // it rests on nobody since it asks for nothing
		return leaning(f.Leans, in)
	}
	return Joined(" ", onlyWaiting(f.Head), WithFullStop("Before the amendment "+resting(f.Rested, in, true)+"; now "+resting(f.Head.Rests, in, false)), unbound(f.Unbound, in), leaning(f.Leans, in))
}

// unbound describes parties whom no obligation binds. It returns "" if there are none.
func unbound(parties []string, in Medium) string {
	if len(parties) == 0 {
		return ""
	}
	return "No obligation binds " + allOf(parties, in) + "."
}

// leaning describes which norms have to be kept for a promise that was kept without them. It returns "" for nil.
func leaning(l *finding.Leaning, in Medium) string {
	if l == nil {
		return ""
	}
	said := "It is now kept only as long as " + keeping(l.Norms, in) + ", which was not needed before."
	if l.Run == nil {
		return said
	}
	steps := func(run []finding.Firing) string {
		return in.Prose(strings.Join(Mapped(FoldedTitles(Steps(run)), captions), ", "))
	}
	said += " A run that breaches nothing else and violates it: " + steps(l.Run.Prefix)
	if len(l.Run.Loop) > 0 {
		said += ", and for ever " + steps(l.Run.Loop)
	}
	return WithFullStop(said)
}

// RestedText is Rested for a terminal.
func RestedText(f *finding.Finding) string { return Rested(f, Terminal) }

// RestsText returns the Remarks for a terminal in one line.
func RestsText(r *finding.Requirement) string { return strings.Join(Remarks(r, Terminal), " ") }

// resting describes in half a sentence on whom a promise rests, or rested.
func resting(r *finding.Rests, in Medium, past bool) string {
	rests, is := "it rests ", "it is "
	if past {
		rests, is = "it rested ", "it was "
	}
	switch {
	case len(r.Norms) > 0:
		return is + "kept as long as " + keptWith(r, in)
	case len(r.Sets) == 0:
		return fails(r, past)
	}
	return rests + restingOn(r, in)
}

// restingOn describes, to follow a verb, on whom a promise rests. The promise must have at least one set of actors that keep it.
func restingOn(r *finding.Rests, in Medium) string {
	if len(r.Sets[0]) == 0 {
		return "on nobody"
	}
	if len(r.Sets) == 1 && !r.More {
		return "on " + allOf(r.Sets[0], in)
	}
	return "on " + alternatives(r.Sets, r.More, ", or on ", in, allTogether)
}

// alternatives joins sets of which one is enough.
func alternatives[T any](sets [][]T, more bool, or string, in Medium, name func([]T, Medium) string) string {
	said := strings.Join(Mapped(sets, func(s []T) string { return name(s, in) }), or)
	if more { // or may be
		said += ", or perhaps" + strings.TrimPrefix(or, ", or") + "others"
	}
	return said
}

// allOf names the members of a set, joined by "and".
func allOf(set []string, in Medium) string {
	last := len(set) - 1
	if last == 0 {
		return in.Prose(set[0])
	}
	return Enumerated(set[:last], in) + " and " + in.Prose(set[last])
}

// allTogether is allOf for a set that is one of several.
func allTogether(set []string, in Medium) string {
	if len(set) == 1 {
		return in.Prose(set[0])
	}
	return allOf(set, in) + " together"
}

// keeping names norms and the bearers that keep them.
func keeping(set []finding.KeptNorm, in Medium) string {
	return strings.Join(Mapped(set, func(n finding.KeptNorm) string {
		keeps := map[bool]string{false: " keeps ", true: " together keep "}[strings.Contains(n.Bearer, " and ")]
		return in.Prose(n.Bearer) + keeps + in.Name(n.Norm)
	}), " and ")
}

// keptBy describes what is enough for a promise to be kept.
func keptBy(r *finding.Rests, in Medium) string {
	const others = ", whoever else waits."
	switch {
	case len(r.Sets) == 1 && onTime(r.Sets[0]) && !r.More:
		return "enough if time passes, whoever waits."
	case len(r.Sets) == 1 && !r.More:
		return "enough if " + goingOn(r.Sets[0], in) + others
	}
	passing := ""
	if slices.ContainsFunc(r.Sets, func(set []string) bool { return slices.Contains(set, "time") }) {
		passing = " (time acts by passing)"
	}
	return "one of these is enough, if it acts when it can" + passing + others
}

// goingOn describes that the members of a set act.
func goingOn(set []string, in Medium) string {
	passes := set[len(set)-1] == "time"
	switch {
	case passes && len(set) == 2:
		return "time passes and " + in.Prose(set[0]) + " acts when it can"
	case passes:
		return "time passes and the others of these act when they can"
	case len(set) == 1:
		return "it acts when it can"
	}
	return "they act when they can"
}

// Vacuities explains which parts of a requirement that holds make no difference, and why: one sentence each. Parts that differ in the instances
// they are about only are explained once, with the other instances.
func Vacuities(all []finding.Vacuity, in Medium) []string {
	var said []string
	for i, v := range all {
		alike := func(other finding.Vacuity) bool { return v.OfAny() == other.OfAny() }
		if slices.ContainsFunc(all[:i], alike) {
			continue
		}
		var others []string
		for _, other := range all[i+1:] {
			if alike(other) {
				others = append(others, in.Code(otherInstance(v, other)))
			}
		}
		line := vacuity(v, in)
		if len(others) > 0 {
			line += " So it is with " + firstOf(others) + "."
		}
		said = append(said, line)
	}
	return said
}

// otherInstance returns the first instance that a remark names in place of another one in a remark of its kind.
func otherInstance(v, other finding.Vacuity) string {
	was, now := v.Instances(), other.Instances()
	for i := range was {
		if was[i] != now[i] {
			return now[i]
		}
	}
	return other.Subformula
}

// vacuity explains which part of a requirement that holds makes no difference, and why.
func vacuity(v finding.Vacuity, in Medium) string {
	sub := in.Code(v.Subformula)
	if v.Nth > 0 {
		sub = "the " + hclspec.Ordinal(v.Nth) + " " + sub
	}
	if v.In != "" {
		sub += " in " + in.Code(v.In)
	}
	constant := map[bool]string{true: "is always true", false: "is never true"}
	one := v.Never || v.Always
	switch {
	case v.Because != "" && v.Spare:
		return Joined(" ", "Holds, but", in.Code(v.Because), constant[v.Value]+":", sub, "makes no difference and may be left out if the rest stays.")
	case v.Because != "":
		return Joined(" ", "Holds, but", in.Code(v.Because), constant[v.Value]+":", sub, "makes no difference.")
	case v.Spare && one:
		return "Holds without " + sub + ", which " + constant[v.Always] + ": that part is not needed and may be left out if the rest stays."
	case v.Spare:
		return "Holds without " + sub + ", too: that part is not needed and may be left out if the rest stays."
	case one:
		return "Holds whatever " + sub + " is, and it " + constant[v.Always] + ": that part makes no difference."
	}
	return "Holds whatever " + sub + " is: that part makes no difference."
}
