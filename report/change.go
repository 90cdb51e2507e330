package report

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/delta"
)

// How much of what an amendment changes is told; the rest is counted.
const (
	mostChanges   = 20 // lines
	mostNames     = 8  // in a line
	mostTerms     = 4  // of a rewired element
	mostSequences = 3  // of a kind
)

// A changeLine tells some changes of the text: its sign, which says no more than the text, is +, − or ~.
type changeLine struct{ sign, text string }

// changeLines groups what was added and what was removed by kind of element; what is renamed or
// rewired has a line each. Beyond mostChanges the rest is counted.
func changeLines(all []delta.Change, in medium) []changeLine {
	var lines []changeLine
	told := 0
	for i := 0; i < len(all) && len(lines) < mostChanges; {
		n := alikes(all[i:])
		lines = append(lines, changeLine{changeSign(all[i].Action), changeText(all[i:i+n], in)})
		i += n
		told = i
	}
	if more := len(all) - told; more > 0 {
		lines = append(lines, changeLine{" ", "and " + several(more, "other change")})
	}
	return lines
}

// alikes is how many changes at the beginning are told in one line.
func alikes(all []delta.Change) int {
	n := 1
	for a := all[0]; n < len(all) && oneLine(a) && oneLine(all[n]) && all[n].Action == a.Action && all[n].Element == a.Element; {
		n++
	}
	return n
}

func oneLine(c delta.Change) bool { return c.Action == delta.Added || c.Action == delta.Removed }

func changeSign(a delta.Action) string {
	return map[delta.Action]string{delta.Added: "+", delta.Removed: "−"}[a] + map[bool]string{true: "~"}[a == delta.Renamed || a == delta.Rewired]
}

func changeText(some []delta.Change, in medium) string {
	c := some[0]
	switch {
	case len(some) > 1:
		var names []string
		for _, one := range some {
			names = append(names, one.Name)
		}
		return plural(c.Element.String()) + " " + c.Action.String() + ": " + fewNames(names, in)
	case c.Action == delta.Renamed:
		return c.Element.String() + " " + in.prose(c.Was) + " is now called " + in.prose(c.Name) + terms(c, ", and ", in)
	case c.Action == delta.Rewired:
		return elementName(c, in) + " changed" + terms(c, ": ", in)
	}
	return elementName(c, in) + " " + c.Action.String()
}

// elementName names an element; of some a contract has no more than one.
func elementName(c delta.Change, in medium) string {
	if c.Element == delta.TheContract || c.Element == delta.FinalStates {
		return c.Element.String()
	}
	return joined(" ", c.Element.String(), in.prose(c.Name))
}

// terms says what of an element differs.
func terms(c delta.Change, lead string, in medium) string {
	var said []string
	for _, t := range c.Terms[:min(len(c.Terms), mostTerms)] {
		said = append(said, term(c.Element, t, in))
	}
	if more := len(c.Terms) - mostTerms; more > 0 {
		said = append(said, several(more, "other term"))
	}
	if len(said) == 0 {
		return ""
	}
	return lead + strings.Join(said, "; ")
}

func term(of delta.Element, t delta.Term, in medium) string {
	switch {
	case of == delta.State && t.Word == "marked" && t.Was == "": // it has become the first one
		return "the party now begins here"
	case of == delta.State && t.Word == "marked" && t.Now == "":
		return "the party no longer begins here"
	case t.Was == "":
		return in.prose(t.Word) + " is now " + in.prose(t.Now)
	case t.Now == "":
		return in.prose(t.Word) + " was " + in.prose(t.Was) + " and is left out"
	}
	return in.prose(t.Word) + " was " + in.prose(t.Was) + ", now " + in.prose(t.Now)
}

func plural(word string) string {
	switch {
	case strings.HasSuffix(word, "y"):
		return strings.TrimSuffix(word, "y") + "ies"
	case strings.HasSuffix(word, "s"):
		return word
	}
	return word + "s"
}

// fewNames lists names, and counts those beyond the first few.
func fewNames(names []string, in medium) string {
	if len(names) <= mostNames {
		return listed(names, in)
	}
	return listed(names[:mostNames], in) + fmt.Sprintf(" and %d more", len(names)-mostNames)
}

// fewTitles lists titles, which may have commas of their own, and counts those beyond the first few.
func fewTitles(titles []string, in medium) string {
	said := strings.Join(mapped(titles[:min(len(titles), mostNames)], in.prose), "; ")
	if more := len(titles) - mostNames; more > 0 {
		said += fmt.Sprintf("; and %d more", more)
	}
	return said
}

// relation says how what can happen now stands to what could happen before, and what is owed to what was.
func relation(b *engine.Behaviour, in medium) string {
	said := map[delta.Relation]string{
		delta.Same:      "The same steps can happen" + owedBeside(b.Owed, in),
		delta.More:      "Every sequence of steps that was possible still is, and more.",
		delta.Less:      "Nothing new is possible, and some sequences of steps no longer are.",
		delta.Both:      "Some sequences of steps have become possible, and some no longer are.",
		delta.Otherwise: "The same sequences of steps are possible as before, but one of them leaves other choices open.",
		delta.Unknown:   sentence(joined(": ", "Whether the contract behaves as before is not decided", in.prose(b.Reason))),
	}[b.Relation]
	if b.Same() {
		said = "The contract behaves as before: proved, not guessed."
	}
	if b.Observed == nil {
		return said
	}
	return "Looking only at " + fewNames(b.Observed, in) + ": " + said
}

// unseen says whether no party can see any change.
func unseen(all []engine.View) bool {
	return !slices.ContainsFunc(all, func(v engine.View) bool { return v.In != delta.InBoth || !v.Same() })
}

// nobody is said where no party can see any change.
const nobody = "no party can see a change"

// viewer is what people call the party whose view it is.
func viewer(v *engine.View) string { return cmp.Or(v.Called, v.Party) }

func exposedParty(e *engine.Exposure) string { return cmp.Or(e.Called, e.Party) }

// seen says in a line what a party can see of the difference.
func seen(v *engine.View, in medium) string {
	who := in.prose(cmp.Or(v.Called, "the "+v.Party))
	switch {
	case v.In == delta.InBase:
		return "no longer a party"
	case v.In == delta.InHead:
		return "a new party"
	}
	if v.Same() {
		return "no change that " + who + " can see"
	}
	said := ""
	switch v.Relation {
	case delta.Same:
		said = "the same steps"
	case delta.Unknown:
		said = joined(": ", "not decided", sentence(in.prose(v.Reason)))
	case delta.Otherwise:
		said = "the same steps in the same order, but other choices are left open"
	default:
		said = joined("; ", refusals("now possible", v, v.Possible, in), refusals("no longer possible", v, v.Impossible, in))
		said = joined("; ", cmp.Or(said, inShort(&v.Behaviour)), more(v.MoreThan))
	}
	return joined("; ", said, seenOwed(v, in))
}

// refusals lists the steps at which the other draft refuses some sequences, and after what, each once.
func refusals(lead string, v *engine.View, all []engine.Sequence, in medium) string {
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

// refusalStep names what the other draft refuses, and what its observer sees before that.
func refusalStep(v *engine.View, s *engine.Sequence, in medium) string {
	all := steps(s.Run)
	if len(all) == 0 {
		return in.prose(s.Refused)
	}
	said := in.prose(captions(last(all)))
	for _, step := range slices.Backward(all[:len(all)-1]) {
		if slices.ContainsFunc(step, func(f engine.Firing) bool { return observes(v, f) }) {
			return said + " (after: " + in.prose(captions(step)) + ")"
		}
	}
	return said + " (at the start)"
}

// observes says whether a party sees a firing: it takes part in it.
func observes(v *engine.View, f engine.Firing) bool {
	return slices.Contains(f.Parties, v.Party) || slices.Contains(v.Observed, f.Event)
}

func more(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("and %d more", n)
}

func captions(step []engine.Firing) string {
	var names []string
	for _, f := range step {
		names = append(names, caption(f))
	}
	return strings.Join(names, " + ")
}

// refusedBefore and refusedNow say of a step that the other draft refuses it, and what it allows there.
func refusedBefore(instead []string, in medium) string {
	return refusedThere("Not possible here before the amendment", "nothing was", instead, in)
}

func refusedNow(instead []string, in medium) string {
	return refusedThere("No longer possible here", "nothing is", instead, in)
}

func refusedThere(lead, nothing string, instead []string, in medium) string {
	if len(instead) == 0 {
		return lead + "; " + nothing + "."
	}
	return sentence(lead + ", only: " + fewTitles(instead, in))
}

// refusedInRun says of a step of a violation's run that base refuses it.
func refusedInRun(r *engine.Refusal, in medium) string {
	if r.Again {
		return refusedThere("Possible here before the amendment, but not over and over; then", "nothing was", r.Instead, in)
	}
	return refusedBefore(r.Instead, in)
}

// sharedSteps is how many steps at the beginning of a run need not be told again after another run,
// because they are the same and there are some.
func sharedSteps(told, run []engine.Firing) int {
	a, b := steps(told), steps(run)
	n := 0
	for n < min(len(a), len(b)-1) && slices.EqualFunc(a[n], b[n], sameFiring) {
		n++
	}
	if n < 3 {
		return 0
	}
	return n
}

func sameFiring(a, b engine.Firing) bool {
	return a.Event == b.Event && slices.Equal(a.Transitions, b.Transitions)
}

// choice says after which steps other choices are left open; the steps are told after it.
func choice(c *engine.Choice, in medium) (before, after string) {
	now, then := "Now", "before the amendment"
	if !c.Head {
		now, then = "Before the amendment", "now"
	}
	var others []string
	for _, o := range c.Others {
		others = append(others, orNothing(o, in))
	}
	before = "After these steps the choices differ:"
	after = sentence(now + ", what can come next may be only: " + orNothing(c.Next, in))
	if len(others) > 0 {
		after += " " + sentence(capital(then)+" it was never so; it could only be: "+strings.Join(others, " — or: "))
	}
	return before, after
}

func orNothing(next []string, in medium) string {
	if len(next) == 0 {
		return "nothing"
	}
	return fewTitles(next, in)
}

// stateLines tell which states came and went, and dead ends, and clauses that died or came alive.
func stateLines(s *engine.States, in medium) []string {
	if s.Unknown != "" {
		return []string{sentence("Which states appear and vanish is not decided: " + in.prose(s.Unknown))}
	}
	var lines []string
	add := func(said string) {
		if said != "" {
			lines = append(lines, said)
		}
	}
	n := s.Counts()
	add(stateLine(n.Appeared, "appeared", s.AppearedShown, in))
	add(stateLine(n.Vanished, "vanished", s.VanishedShown, in))
	add(deadEnds(severalOf(n.NewDead, "new dead end"), s.NewDead, s.NewDeadEnds, in))
	add(deadEnds(severalOf(n.LostDead, "dead end")+" gone", s.LostDead, s.LostDeadEnds, in))
	for _, c := range s.Died[:min(len(s.Died), mostNames)] {
		lines = append(lines, "Can never happen any more: "+clauseWords(&c, in))
	}
	for _, c := range s.Alive[:min(len(s.Alive), mostNames)] {
		lines = append(lines, "Can happen now, and never could before: "+clauseWords(&c, in))
	}
	return lines
}

func stateLine(n *big.Int, did string, shown []engine.Situation, in medium) string {
	if n.Sign() == 0 {
		return ""
	}
	said := severalOf(n, "state") + " " + did
	if len(shown) > 0 {
		said += ", such as: " + state(shown[0].End, in)
	}
	return sentence(said)
}

// deadEnds tells of so many dead ends that came or went.
func deadEnds(said string, n int, shown []engine.Situation, in medium) string {
	switch {
	case n == 0:
		return ""
	case len(shown) == 0:
		return said + "."
	case n == 1:
		return said + ": " + deadEndLine(&shown[0], in)
	}
	return said + ", such as " + deadEndLine(&shown[0], in)
}

func deadEndLine(s *engine.Situation, in medium) string {
	where := "(" + state(s.End, in) + ")."
	if len(s.Run) == 0 {
		return "at the start " + where
	}
	return "after " + several(last(s.Run).Step, "step") + ", the last of them “" + in.prose(captions(last(steps(s.Run)))) + "” " + where
}

func last[T any](all []T) T { return all[len(all)-1] }

func clauseWords(c *engine.Clause, in medium) string {
	return sentence(joined(" ", titledName(c.Name, c.Title, in), clause(c.Clause, in)))
}

// titledName is a thing's title with its name beside it, or its name.
func titledName(name, title string, in medium) string {
	if title == "" || title == name {
		return in.prose(name)
	}
	return in.prose(title) + " " + in.name(name)
}
