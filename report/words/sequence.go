package words

import (
	"cmp"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/construct"
)

// A SequenceKind has the sequences of one version that the other refuses in the same way, and the sentence for the last step of each.
type SequenceKind struct {
	Lead    string
	Gained  bool // head has them
	All     []finding.Sequence
	Refused func(*finding.Sequence, Medium) string
}

// Sequences returns the sequences of a behaviour by their kind. Where the last step of one comes later in the other version, if only time passes, it does so after
// every sequence: one after which it never comes would stand in its place. So the step is possible sooner or later, and not gone.
func Sequences(b *finding.Behaviour) (kinds []SequenceKind) {
	for _, k := range []SequenceKind{
		{"Now possible", true, untilLater(b.Possible, false), gained},
		{"Now possible sooner", true, untilLater(b.Possible, true), refusedBefore},
		{"No longer possible", false, untilLater(b.Impossible, false), refusedNow},
		{"Now possible only later", false, untilLater(b.Impossible, true), refusedNow},
	} {
		if len(k.All) > 0 {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// untilLater returns the sequences that the other version has later, or the rest.
func untilLater(all []finding.Sequence, later bool) []finding.Sequence {
	return slices.DeleteFunc(slices.Clone(all), func(s finding.Sequence) bool { return s.Later.Ticks > 0 != later })
}

// steps compares in a sentence which sequences of steps are possible. It returns "" if these are the same, or that is not decided.
func steps(b *finding.Behaviour) string {
	taken := func(all []finding.Sequence) []finding.Sequence { // that time passes goes with what comes sooner or later
		return slices.DeleteFunc(slices.Clone(all), func(s finding.Sequence) bool { return waits(&s) })
	}
	possible, impossible := taken(b.Possible), taken(b.Impossible)
	alone := func(all []finding.Sequence) bool { return len(all) > 0 && len(untilLater(all, false)) == 0 }
	sooner, later := alone(possible), alone(impossible)
	switch b.Relation {
	case delta.More:
		return "Every sequence of steps that was possible still is, and " + map[bool]string{false: "more.", true: "some steps are possible sooner."}[sooner]
	case delta.Less:
		return "Nothing new is possible, and some " + map[bool]string{false: "sequences of steps no longer are.", true: "steps are possible only later."}[later]
	case delta.Both:
		switch {
		case sooner && later:
			return "Some steps are possible sooner than before, and some only later."
		case sooner && len(impossible) == 0 && b.MoreThan == 0:
			return "Some steps are possible sooner than before."
		case later && len(possible) == 0 && b.MoreThan == 0:
			return "Some steps are possible only later than before."
		}
		return "Some " + map[bool]string{false: "sequences of steps have become possible", true: "steps are possible sooner than before"}[sooner] + ", and some " +
			map[bool]string{true: "steps are possible only later.", false: map[bool]string{false: "no longer are.", true: "sequences of steps are no longer possible."}[sooner]}[later]
	}
	return ""
}

// afterWaiting says how much later a version has a step that the other has already.
func afterWaiting(l finding.Later, in Medium) string {
	return in.Prose(hclspec.Ticks(l.Ticks, l.Unit)) + " later, if nothing else happens"
}

// refusedBefore returns the sentence for the last step of a sequence, which base refuses, with the steps that base allows instead.
func refusedBefore(s *finding.Sequence, in Medium) string {
	switch {
	case waits(s):
		return WithFullStop("Before the amendment this came first: "+fewTitles(s.Instead, in)) + whoseEnd(s)
	case s.Later.Ticks > 0:
		return "Before the amendment only " + afterWaiting(s.Later, in) + "." + whoseEnd(s)
	}
	return refusedThere("Not possible here before the amendment", "nothing was", s.Instead, in) + whoseEnd(s)
}

// whoseEnd says that the contract of one version alone has ended before the last step of a sequence.
func whoseEnd(s *finding.Sequence) string {
	return map[diff.Side]string{diff.InHead: " The contract has ended by then; before the amendment it had not.", diff.InBase: " Before the amendment the contract had ended by then."}[s.Ended]
}

// gained is refusedBefore with what the last step puts an end to: a duty that it lifts binds in both versions until then, so that no row of
// what is owed tells of it.
func gained(s *finding.Sequence, in Medium) string {
	ends := Mapped(ended(s), func(c finding.Change) string {
		return in.Prose(cmp.Or(c.Called, c.Party)) + " (was " + Enumerated(c.Before, in) + ")"
	})
	if len(ends) == 0 {
		return refusedBefore(s, in)
	}
	return refusedBefore(s, in) + " This step ends " + allOfParts(ends...) + "."
}

// ended returns the norms to which the last step of a sequence puts an end.
func ended(s *finding.Sequence) (list []finding.Change) {
	for i := range s.Run {
		if s.Run[i].Step != last(s.Run).Step {
			continue
		}
		for _, c := range s.Run[i].Changed {
			if slices.ContainsFunc(construct.Norms, func(n construct.Norm) bool { return len(c.After) == 1 && c.After[0] == n.Off }) {
				list = append(list, c)
			}
		}
	}
	return list
}

// endable says to what a party is owed new steps of others can put an end; "" if to nothing. At another point the same steps may have ended it before.
func endable(party string, d *finding.Difference, in Medium) string {
	var said []string
	for i := range d.All.Possible {
		s := &d.All.Possible[i]
		steps := Steps(s.Run)
		if len(steps) == 0 || slices.ContainsFunc(last(steps), func(f finding.Firing) bool { return slices.Contains(f.Parties, party) }) {
			continue
		}
		var owed []string
		for _, c := range ended(s) {
			if slices.Contains(hclspec.Parted(c.To), party) {
				owed = append(owed, in.Prose(cmp.Or(c.Called, c.Party)))
			}
		}
		if line := allOfParts(owed...) + " (by: " + in.Prose(captions(last(steps))) + ")"; len(owed) > 0 && !slices.Contains(said, line) {
			said = append(said, line)
		}
	}
	if len(said) == 0 {
		return ""
	}
	return "what it is owed can end in more cases than before: " + strings.Join(said, "; ")
}

// refusedNow returns the sentence for the last step of a sequence, which head refuses, with the steps that head allows instead.
func refusedNow(s *finding.Sequence, in Medium) string {
	switch {
	case waits(s):
		return WithFullStop("Now this comes first: "+fewTitles(s.Instead, in)) + whoseEnd(s)
	case s.Later.Ticks > 0:
		return "Now only " + afterWaiting(s.Later, in) + "." + whoseEnd(s)
	}
	return refusedThere("No longer possible here", "nothing is", s.Instead, in) + whoseEnd(s)
}

// waits reports whether what the other version refuses is only that time passes: something else has to happen before.
func waits(s *finding.Sequence) bool {
	steps := Steps(s.Run)
	return len(steps) > 0 && len(s.Instead) > 0 && !slices.ContainsFunc(last(steps), func(f finding.Firing) bool { return !f.Tick() })
}

// inShort describes in half a sentence how the behaviour changes. The text contains no foreign words.
func inShort(b *finding.Behaviour) string {
	if b.Relation == delta.Same && !b.Same() {
		return map[bool]string{false: "the same steps, but what is owed differs", true: "the same steps; not decided whether what is owed differs"}[b.Owed.Relation == delta.Unknown]
	}
	if said := onlyWaits(b); said != "" {
		return said
	}
	return map[delta.Relation]string{
		delta.Same:      "the contract behaves as before",
		delta.More:      "more is possible, and nothing less",
		delta.Less:      "less is possible, and nothing new",
		delta.Both:      "something is newly possible, and something no longer is",
		delta.Otherwise: "the same steps, but other choices",
		delta.Unknown:   "not decided whether the contract behaves as before",
	}[b.Relation]
}

// onlyWaits describes a difference in which time alone can pass where something happens by itself first in the other version. It returns "" of any other.
func onlyWaits(b *finding.Behaviour) string {
	all := slices.Concat(b.Possible, b.Impossible)
	switch {
	case b.MoreThan > 0 || len(all) == 0 || slices.ContainsFunc(all, func(s finding.Sequence) bool { return !waits(&s) }):
		return ""
	case len(b.Impossible) == 0:
		return "time can pass where something happened by itself first"
	case len(b.Possible) == 0:
		return "something happens by itself first where time could pass"
	}
	return "what happens by itself first is something else"
}

// refusedThere appends the steps that are allowed instead, or nothing if there are none.
func refusedThere(lead, nothing string, instead []string, in Medium) string {
	if len(instead) == 0 {
		return lead + "; " + nothing + "."
	}
	return WithFullStop(lead + ". Possible instead: " + fewTitles(instead, in))
}

// RefusedInRun returns the sentence for the step of a violation's run that base refuses.
func RefusedInRun(r *finding.Refusal, in Medium) string {
	if r.Again && r.Later.Ticks == 0 {
		return refusedThere("Possible here before the amendment, but not over and over", "then nothing was", r.Instead, in)
	}
	return refusedBefore(&finding.Sequence{Instead: r.Instead, Later: r.Later}, in)
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
	hidden := b.MoreThan
	for _, k := range Sequences(b) {
		hidden += max(0, len(k.All)-MostSequences)
	}
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
	others := Mapped(c.Others, func(next []string) string { return cmp.Or(fewTitles(next, in), "nothing") })
	after = Joined(" ", there, can, "end where nothing", can, "come next.")
	if len(c.Next) > 0 {
		after = WithFullStop(Joined(" ", there, can, "end where only this", can, "come next:", fewTitles(c.Next, in)))
	}
	if len(others) > 0 {
		after += " " + WithFullStop(other+strings.Join(others, " — or: "))
	}
	return "After these steps the choices differ:", after
}

// refusals lists the steps at which the other draft refuses some sequences, each once, by kind. It returns "" if there is none. That something comes before
// time passes on is no step that is refused.
func refusals(v *finding.View, d *finding.Difference, in Medium) (line string) {
	for _, k := range Sequences(&v.Behaviour) {
		var said []string
		for _, s := range k.All {
			if waits(&s) {
				continue
			}
			step, after := refusalStep(v, &s, shownRuns(d, k.Gained), in)
			if s.Later.Ticks > 0 {
				after += "; " + map[bool]string{true: "before ", false: "now "}[k.Gained] + afterWaiting(s.Later, in)
			}
			if after = strings.TrimPrefix(after, "; "); after != "" {
				step += " (" + after + ")"
			}
			if !slices.Contains(said, step) {
				said = append(said, step)
			}
		}
		if len(said) > 0 {
			line = Joined("; ", line, strings.ToLower(k.Lead)+": "+strings.Join(said, "; "))
		}
	}
	return line
}

// shownRuns returns the runs of new sequences that a report shows for all parties together, or of those that are gone.
func shownRuns(d *finding.Difference, gained bool) (runs [][]finding.Firing) {
	for _, k := range Sequences(&d.All) {
		for _, s := range k.All[:min(len(k.All), MostSequences)] {
			if k.Gained == gained {
				runs = append(runs, s.Run)
			}
		}
	}
	return runs
}

// mostBefore is the number of steps that are listed before one that the other draft refuses. More are counted.
const mostBefore = 6

// refusalStep returns the step that the other draft refuses, and after what: all steps before it, since after some of them alone the other draft may have it,
// too. A run that is shown above is referred to, unless another that is shown ends with the same step.
func refusalStep(v *finding.View, s *finding.Sequence, shown [][]finding.Firing, in Medium) (step, after string) {
	all := Steps(s.Run)
	if len(all) == 0 {
		return in.Prose(s.Refused), ""
	}
	step = in.Prose(captions(last(all)))
	if len(all) == 1 {
		return step, "at the start"
	}
	ends := func(run []finding.Firing) bool {
		steps := Steps(run)
		return len(steps) > 0 && in.Prose(captions(last(steps))) == step
	}
	if above := slices.DeleteFunc(slices.Clone(shown), func(run []finding.Firing) bool { return !ends(run) }); len(above) == 1 && SameSteps(above[0], s.Run) {
		return step, "as above"
	}
	before := FoldedTitles(all[:len(all)-1])
	if len(before) > mostBefore {
		return step, "after " + Several(len(all)-1, "step") + ", the last of them “" + in.Prose(captions(last(before))) + "”"
	}
	for i, step := range before {
		after += map[bool]string{true: ", then"}[i > 0]
		if !slices.ContainsFunc(step, func(f finding.Firing) bool { return observes(v, f) }) {
			after += map[bool]string{true: ","}[i > 0] + " unseen by it,"
		}
		after += " " + in.Prose(captions(step))
	}
	return step, "after:" + after
}

// observes reports whether a party sees a firing: it takes part in it, or observes its event.
func observes(v *finding.View, f finding.Firing) bool {
	return slices.Contains(f.Parties, v.Party) || slices.Contains(v.Observed, f.Event)
}

// Sentences about events that other parties bring about than before, or that others see.

// mostActs is the number of events that a report shows. The rest is counted.
const mostActs = 5

// enacted returns the events that others bring about than before.
func enacted(d *finding.Difference) (list []finding.Act) {
	for _, a := range d.Acts {
		if !slices.EqualFunc(a.Was, a.Now, slices.Equal[[]string]) {
			list = append(list, a)
		}
	}
	return list
}

// ShownActs returns the events that others bring about than before and that a report shows.
func ShownActs(d *finding.Difference) []finding.Act {
	all := enacted(d)
	return all[:min(len(all), mostActs)]
}

// ActsLead introduces the events that others bring about than before. It returns "" if there are none.
func ActsLead(d *finding.Difference) string {
	if len(enacted(d)) == 0 {
		return ""
	}
	return "Whose act or consent an event takes differs:"
}

// MoreActs counts the events that are not shown. It returns "" if there are none.
func MoreActs(d *finding.Difference) string {
	if n := len(enacted(d)) - mostActs; n > 0 {
		return "and " + Several(n, "other event") + " that others bring about."
	}
	return ""
}

// ActTitle returns the title of an event, with its name.
func ActTitle(a *finding.Act, in Medium) string { return "event " + titledName(a.Event, a.Title, in) }

// ActWasAndIs says who brought an event about, and who does now.
func ActWasAndIs(a *finding.Act, in Medium) string {
	return "before: " + in.Prose(waysOf(a.Was, a.Calls)) + "; now: " + in.Prose(waysOf(a.Now, a.Calls))
}

// waysOf describes the ways to bring an event about.
func waysOf(ways [][]string, calls finding.Calls) string {
	return strings.Join(Mapped(ways, func(way []string) string {
		switch len(way) {
		case 0:
			return "by no party"
		case 1:
			return "by " + calls.Together(way)
		}
		return "by " + calls.Together(way) + " together"
	}), ", or ")
}

// ActGains describes for whom it is better and for whom worse that others bring an event about. It returns "" if for neither.
func ActGains(a *finding.Act, in Medium) string {
	return Joined("; ", forParties("better for ", a.Better, a.Calls, in), forParties("worse for ", a.Worse, a.Calls, in))
}

// roles describes in one line what a party takes part in or sees that it did not, or no longer does, and in what it has more of a say, or less.
// It returns "" if nothing differs.
func roles(v *finding.View, d *finding.Difference, in Medium) string {
	if v.In != diff.InBoth {
		return ""
	}
	leads := []string{"now takes part in", "now sees", "no longer takes part in", "no longer sees", "has more of a say in", "has less of a say in", "has another say in"}
	said := make([][]string, len(leads))
	for _, a := range d.Acts {
		before, now := a.Seen(v.Party)
		own := func(ways [][]string) [][]string {
			return slices.DeleteFunc(slices.Clone(ways), func(way []string) bool { return !slices.Contains(way, v.Party) })
		}
		was, is := own(a.Was), own(a.Now)
		better, worse := slices.Contains(a.Better, v.Party), slices.Contains(a.Worse, v.Party)
		at := -1
		switch {
		case len(is) > 0 && len(was) == 0:
			at = 0
		case len(was) > 0 && len(is) == 0:
			at = 2
		case now && !before:
			at = 1
		case before && !now:
			at = 3
		case better:
			at = 4
		case worse:
			at = 5
		case !slices.EqualFunc(was, is, slices.Equal[[]string]):
			at = 6
		}
		if at >= 0 {
			said[at] = append(said[at], in.Prose(cmp.Or(a.Title, a.Event))) // for whom that is better is said with the event
		}
	}
	line := ""
	for i, lead := range leads {
		if all := said[i]; len(all) > 0 {
			if more := len(all) - mostActs; more > 0 {
				all = append(all[:mostActs:mostActs], "and "+Several(more, "other event"))
			}
			line = Joined("; ", line, lead+": "+strings.Join(all, "; "))
		}
	}
	return line
}
