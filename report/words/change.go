package words

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
)

// Limits on how much of a difference is shown. The rest is counted.
const (
	MostChanges   = 20 // lines
	MostNames     = 8  // in a line
	mostTerms     = 4  // of a rewired element
	MostSequences = 3  // of a kind
)

// A changeLine describes one or more changes of the text. Its sign is +, −, ~ or empty, and adds nothing to the text.
type changeLine struct{ Sign, Text string }

// ChangeLines describes changes. Additions in a row are grouped by kind of element, and so are removals; each renamed or rewired element
// has a line of its own. Beyond MostChanges lines the rest is counted.
func ChangeLines(all []diff.Change, in Medium) []changeLine {
	var lines []changeLine
	told := 0
	for i := 0; i < len(all) && len(lines) < MostChanges; {
		n := alikes(all[i:])
		lines = append(lines, changeLine{changeSign(all[i].Action), ChangeText(all[i:i+n], in)})
		i += n
		told = i
	}
	if more := len(all) - told; more > 0 {
		lines = append(lines, changeLine{" ", "and " + Several(more, "other change")})
	}
	return lines
}

// alikes returns how many changes at the beginning of a list share one line.
func alikes(all []diff.Change) int {
	n := 1
	for a := all[0]; n < len(all) && oneLine(a) && oneLine(all[n]) && all[n].Action == a.Action && all[n].ElementWord() == a.ElementWord(); {
		n++
	}
	return n
}

// oneLine reports whether a change can share a line with others of its kind.
func oneLine(c diff.Change) bool {
	return (c.Action == diff.Added || c.Action == diff.Removed) && effects(c, Terminal) == ""
}

// changeSign returns "+", "−" or "~", or "" for any other action.
func changeSign(a diff.Action) string {
	return map[diff.Action]string{diff.Added: "+", diff.Removed: "−"}[a] + map[bool]string{true: "~"}[a == diff.Renamed || a == diff.Rewired]
}

// ChangeText describes one change, or several of the same action and kind of element. The list must not be empty.
func ChangeText(some []diff.Change, in Medium) string {
	c := some[0]
	switch {
	case len(some) > 1:
		names := Mapped(some, func(one diff.Change) string { return one.Name })
		return plural(c.ElementWord()) + " " + c.Action.String() + ": " + fewNames(names, in)
	case c.Action == diff.Renamed:
		return c.ElementWord() + " " + in.Prose(c.Was) + " is now called " + in.Prose(c.Name) + terms(c, ", and ", in)
	case c.Action == diff.Rewired:
		return elementName(c, in) + " changed" + terms(c, ": ", in)
	}
	return elementName(c, in) + " " + c.Action.String() + effects(c, in)
}

// effects describes what an added or removed power does to other norms and to the contract, and what an event moves beside those who bring it about. It
// returns "" if it does nothing of the kind.
func effects(c diff.Change, in Medium) string {
	has := map[string]string{}
	for _, t := range c.Terms {
		has[t.Word] = in.Prose(cmp.Or(t.Now, t.Was))
	}
	if c.Element == diff.Event && has["by"] != "" && has["sync"] != "" {
		return ", with " + has["sync"]
	}
	if c.Element != diff.Power {
		return ""
	}
	var does []string
	for _, verb := range []string{"lifts", "suspends", "extends", "assigns"} {
		if has[verb] == "" {
			continue
		}
		said := verb + " " + strings.ReplaceAll(has[verb], " = ", " by ") // a duration is that of an extension
		if verb == "assigns" && has["to"] != "" {
			said += " to " + has["to"]
		}
		does = append(does, said)
	}
	if has["ends_contract"] == "true" {
		does = append(does, "ends the contract")
	}
	if len(does) == 0 {
		return ""
	}
	if c.Action == diff.Removed {
		for i := range does {
			does[i] = "no longer " + does[i]
		}
	}
	return ": " + has["exercise"] + " " + strings.Join(does, ", and ")
}

// mostReworded is the number of elements that are called otherwise that a report lists.
const mostReworded = 3

// calledOtherwise says which elements are called otherwise and mean the same. It returns "" if none are.
func calledOtherwise(all []diff.Change, in Medium) string {
	var said []string
	for _, c := range all[:min(len(all), mostReworded)] {
		for _, t := range c.Terms {
			was, now := "none", "none"
			if t.Was != "" {
				was = "“" + in.Prose(t.Was) + "”"
			}
			if t.Now != "" {
				now = "“" + in.Prose(t.Now) + "”"
			}
			said = append(said, t.Word+" of "+elementName(c, in)+" was "+was+", now "+now)
		}
	}
	if len(said) == 0 {
		return ""
	}
	if more := len(all) - mostReworded; more > 0 {
		said = append(said, "and "+Several(more, "other element"))
	}
	return WithFullStop("In words alone: " + strings.Join(said, "; "))
}

// elementName returns the kind and name of an element. An element that is unique in a contract has only its kind.
func elementName(c diff.Change, in Medium) string {
	if c.Element == diff.TheContract || c.Element == diff.FinalStates {
		return c.Element.String()
	}
	return Joined(" ", c.ElementWord(), in.Prose(c.Name))
}

// terms lists which terms of an element differ, after lead. It returns "" if none do.
func terms(c diff.Change, lead string, in Medium) string {
	said := Mapped(c.Terms[:min(len(c.Terms), mostTerms)], func(t diff.Term) string { return term(c.Element, t, in) })
	if more := len(c.Terms) - mostTerms; more > 0 {
		said = append(said, Several(more, "other term"))
	}
	if len(said) == 0 {
		return ""
	}
	return lead + strings.Join(said, "; ")
}

// term describes how one term of an element differs.
func term(of diff.Element, t diff.Term, in Medium) string {
	switch {
	case of == diff.State && t.Word == "marked" && t.Was == "": // it has become the initial state
		return "the party now begins here"
	case of == diff.State && t.Word == "marked" && t.Now == "":
		return "the party no longer begins here"
	case of == diff.Event && t.Word == "due_after":
		return dueAfter(in.Prose(t.Was), in.Prose(t.Now))
	case of == diff.TheContract && t.Word == "tick":
		return unitChange(in.Prose(t.Was), in.Prose(t.Now))
	case of == diff.TheContract && t.Word == "holidays":
		return holidayChange(t.Was, t.Now, func(days []string) string { return fewNames(days, in) })
	case t.Was == "":
		return in.Prose(t.Word) + " is now " + in.Prose(t.Now)
	case t.Now == "":
		return in.Prose(t.Word) + " was " + in.Prose(t.Was) + " and is left out"
	}
	return in.Prose(t.Word) + " was " + in.Prose(t.Was) + ", now " + in.Prose(t.Now)
}

// dueAfter says which of the events that happen by themselves comes before another where both are due; "" is none.
func dueAfter(was, now string) string {
	after := func(event string) string {
		if event == "" {
			return "before all others"
		}
		return "after " + event
	}
	return "of what is due at once it happened " + after(was) + ", now " + after(now)
}

// plural returns the plural of an English noun.
func plural(word string) string {
	switch {
	case strings.HasSuffix(word, "y"):
		return strings.TrimSuffix(word, "y") + "ies"
	case strings.HasSuffix(word, "s"):
		return word
	}
	return word + "s"
}

// fewNames lists the first names, and counts the rest.
func fewNames(names []string, in Medium) string {
	if len(names) <= MostNames {
		return Enumerated(names, in)
	}
	return Enumerated(names[:MostNames], in) + fmt.Sprintf(" and %d more", len(names)-MostNames)
}

// fewTitles lists the first titles, and counts the rest. It separates them with semicolons, since a title may contain commas.
func fewTitles(titles []string, in Medium) string {
	said := strings.Join(Mapped(titles[:min(len(titles), MostNames)], in.Prose), "; ")
	if more := len(titles) - MostNames; more > 0 {
		said += fmt.Sprintf("; and %d more", more)
	}
	return said
}

// Relation compares the behaviour of both versions in a sentence: which sequences of steps are possible, and what is owed after the same
// steps.
func Relation(d *finding.Difference, in Medium) string {
	b := &d.All
	said := map[delta.Relation]string{
		delta.Same:      "The same steps can happen" + owedBeside(b, in),
		delta.More:      steps(b),
		delta.Less:      steps(b),
		delta.Both:      steps(b),
		delta.Otherwise: "The same sequences of steps are possible as before, but after one of them what can still follow is settled otherwise.",
		delta.Unknown:   WithFullStop(Joined(": ", "Whether the contract behaves as before is not decided", in.Prose(b.Reason))),
	}[b.Relation]
	switch {
	case b.Same() && b.Observed == nil && seenOtherwise(d):
		said = "Of all parties together, the same steps can happen, and the same is owed: proved."
		if ActsLead(d) == "" {
			said += " What a single party takes part in or sees differs: see for whom."
		}
	case b.Same() && heldBeside(&d.States, in) != "":
		said = heldBeside(&d.States, in)
	case b.Same():
		said = "The contract behaves as before: proved, not guessed."
		if from := countedFrom(d); from != "" {
			said = "Counted " + from + ", the contract behaves as before: proved, not guessed."
		}
	}
	said = Joined(" ", said, recounted(d, in))
	if b.Observed == nil {
		return said
	}
	return "Looking only at " + fewNames(b.Observed, in) + ": " + said
}

// seenOtherwise reports whether a party of both versions sees a change, or takes part in other events than before.
func seenOtherwise(d *finding.Difference) bool {
	return len(d.Acts) > 0 || slices.ContainsFunc(d.Views, func(v finding.View) bool { return v.In == diff.InBoth && v.Relation != delta.Unknown && !v.Same() })
}

// Unseen reports whether no party can see any change, none concerns one, and all together see none either.
func Unseen(d *finding.Difference) bool {
	return d.Full().Same() && len(enacted(d)) == 0 && !slices.ContainsFunc(d.Views, func(v finding.View) bool {
		return v.In != diff.InBoth || !v.Same() || len(concerning(&v, d)) > 0 || roles(&v, d, Terminal) != "" || endable(v.Party, d, Terminal)+owedForLonger(v.Party, d) != ""
	})
}

// Viewer returns the display name of the party that a view belongs to, or its identifier if it has none.
func Viewer(v *finding.View) string { return cmp.Or(v.Called, v.Party) }

// ExposedParty returns the display name of an exposed party, or its identifier if it has none.
func ExposedParty(e *finding.Exposure) string { return cmp.Or(e.Called, e.Party) }

// Seen describes in one line what a party can see of the difference, and what concerns it.
func Seen(v *finding.View, d *finding.Difference, in Medium) string {
	who := in.Prose(cmp.Or(v.Called, hclspec.WithArticle("the ", v.Party)))
	switch {
	case v.In == diff.InBase:
		return "no longer a party"
	case v.In == diff.InHead:
		return "a new party"
	}
	owed, has := Joined("; ", seenOwed(v, d, in), endable(v.Party, d, in), owedForLonger(v.Party, d)), roles(v, d, in)
	if v.Same() && owed == "" {
		if from := countedFrom(d); from != "" {
			return Joined("; ", has, "the same steps, and the same is owed, counted "+from)
		}
		if others := ofOthers(v, d, who, in); others != "" {
			return Joined("; ", has, others)
		}
		return cmp.Or(suffixed(has, "; otherwise the same steps"), "no change that "+who+" can see")
	}
	said := ""
	switch v.Relation {
	case delta.Same:
		said = "the same steps"
		if waits := dependent(v, d, in); waits != "" && d.Full().Relation != delta.Same {
			said = waiting(who, waits)
		}
	case delta.Unknown:
		said = Joined(": ", "not decided", in.Prose(strings.TrimSuffix(v.Reason, ".")))
		if owed == "" {
			said = WithFullStop(said)
		}
	case delta.Otherwise:
		switch same := d.Full().Relation == delta.Same; {
		case same && has != "": // that others bring something about is what settles it for the party
			said = "otherwise the same steps in the same order"
		case same:
			said = "the same steps, of which " + who + " takes part in others, or sees others"
		default:
			said = choices(v, d, who, in)
		}
	default:
		if d.Full().Relation == delta.Same { // what can happen has not changed, but who has a part in it
			said = "the same steps, of which " + who + " takes part in others, or sees others"
			break
		}
		if said = refusals(v, d, in); said == "" {
			said = inShort(&v.Behaviour)
			break
		}
		if v.MoreThan > 0 {
			said += fmt.Sprintf("; and %d more", v.MoreThan)
		}
	}
	return Joined("; ", has, said, owed)
}

// captions joins the captions of the firings of one step.
func captions(step []finding.Firing) string {
	return strings.Join(Mapped(step, Caption), " + ")
}

// StateLines describes the states, dead ends and clauses that an amendment adds or removes, a sentence each.
func StateLines(s *finding.States, in Medium) []string {
	if s.Unknown != "" {
		return []string{WithFullStop("Which states appear and vanish is not decided: " + in.Prose(s.Unknown))}
	}
	var lines []string
	add := func(said string) {
		if said != "" {
			lines = append(lines, said)
		}
	}
	n := s.Counts()
	if paired := pairedStates(severalOf(n.Appeared, "state")+" appeared and "+Figure(n.Vanished)+" vanished", s.AppearedShown, s.VanishedShown, in); paired != "" {
		add(paired)
	} else {
		add(stateLine(n.Appeared, "appeared", s.AppearedShown, in))
		add(stateLine(n.Vanished, "vanished", s.VanishedShown, in))
	}
	if paired := pairedStates(severalOf(n.NewDead, "new dead end")+" and "+Figure(n.LostDead)+" gone", s.NewDeadEnds, s.LostDeadEnds, in); paired != "" {
		add(paired)
	} else {
		add(deadEnds(severalOf(n.NewDead, "new dead end"), s.NewDead, s.NewDeadEnds, in))
		add(deadEnds(severalOf(n.LostDead, "dead end")+" gone", s.LostDead, s.LostDeadEnds, in))
	}
	if s.Merged && len(lines) > 0 { // the numbers of all states differ by others
		lines[0] = "Leaving aside what only one version has, " + lines[0]
	}
	add(clausesLine("Can never happen any more: ", s.Died, in))
	add(clausesLine("Can happen now, and never could before: ", s.Alive, in))
	return lines
}

// afterWhat names the steps to a state by their number and the last of them.
func afterWhat(s *finding.Situation, in Medium) string {
	if len(s.Run) == 0 {
		return "at the start"
	}
	return "after " + Several(last(s.Run).Step, "step") + ", the last of them “" + in.Prose(captions(last(Steps(s.Run)))) + "”"
}

// stateLine counts states that appeared or vanished, and shows one. It returns "" if there are none.
func stateLine(n *big.Int, did string, shown []finding.Situation, in Medium) string {
	if n.Sign() == 0 {
		return ""
	}
	said := severalOf(n, "state") + " " + did
	switch {
	case len(shown) > 0 && len(shown[0].Differs) > 0:
		said += ", such as " + afterWhat(&shown[0], in) + ": " + differing(shown[0].Differs, in)
	case len(shown) > 0:
		said += ", such as " + stateAfter(&shown[0], in)
	}
	return WithFullStop(said)
}

// deadEnds describes the dead ends that are new or gone, and shows one. It returns "" if there are none.
func deadEnds(said string, n int, shown []finding.Situation, in Medium) string {
	switch {
	case n == 0:
		return ""
	case len(shown) == 0:
		return said + "."
	case n == 1:
		return said + ": " + stateAfter(&shown[0], in)
	}
	return said + ", such as " + stateAfter(&shown[0], in)
}

// stateAfter describes the run to a state, and where the parties are in it.
func stateAfter(s *finding.Situation, in Medium) string {
	if len(s.End) == 0 { // no party has states, and no norm has begun
		return WithFullStop(afterWhat(s, in))
	}
	return afterWhat(s, in) + " (" + State(s.End, in) + ")."
}

// last returns the last element of a list that is not empty.
func last[T any](all []T) T { return all[len(all)-1] }

// clausesLine lists elements with their titles, names and clauses. It returns "" if there are none.
func clausesLine(what string, all []finding.Clause, in Medium) string {
	listed := Mapped(all[:min(len(all), MostNames)], func(c finding.Clause) string {
		return Joined(" ", titledName(c.Name, c.Title, in), clause(c.Clause, in))
	})
	switch more := len(all) - len(listed); {
	case len(all) == 0:
		return ""
	case more > 0:
		listed = append(listed, Several(more, "other"))
	}
	return WithFullStop(what + strings.Join(listed, "; "))
}

// titledName returns the title of a thing with its name beside it, or the name alone.
func titledName(name, title string, in Medium) string {
	if title == "" || title == name {
		return in.Prose(name)
	}
	return in.Prose(title) + " " + in.Name(name)
}

// HasChanges reports whether a picture shows any change.
func HasChanges(p *finding.Picture) bool {
	return p != nil && (slices.ContainsFunc(p.Arcs, func(a finding.PictureArc) bool { return a.In != diff.InBoth }) ||
		slices.ContainsFunc(p.States, func(s finding.PictureState) bool { return s.Stuck || s.In != diff.InBoth }))
}

// MostDrawn is the number of steps that a picture of a difference shows at most.
const MostDrawn = 60

// Legend explains the colours and signs of a picture.
func Legend(p *finding.Picture) string {
	said := "The states of the contract and the steps between them: + (green, thick) is new, − (red, dashed) is gone."
	if slices.ContainsFunc(p.States, func(s finding.PictureState) bool { return s.Stuck }) {
		said += " What has become a dead end is yellow and thick."
	}
	switch p.Extent {
	case finding.AroundIt:
		said += " Only what is around the change is drawn."
	case finding.ChangesOnly:
		said += " Only steps that are new or gone are drawn"
		if more := p.First(MostDrawn).More; more > 0 {
			said += ", and " + Several(more, "more such step") + " not"
		}
		said += "."
	}
	return said
}

// DifferenceInShort describes in half a sentence how the behaviour of all parties together changes, or that of a single one.
func DifferenceInShort(d *finding.Difference) string {
	if d.All.Same() && seenOtherwise(d) {
		return "the same steps in all, but not for each party"
	}
	if d.All.Same() && d.States.HeldOtherwise() {
		return "the same steps, obligations and rights; amounts, or what else the parties hold or count, differ"
	}
	if d.All.Same() && d.States.Undecided != "" {
		return "the same steps, obligations and rights; whether amounts, or what else the parties hold or count, differ is not decided"
	}
	if from := countedFrom(d); from != "" && d.All.Same() {
		return "the contract behaves as before, counted " + from
	}
	return inShort(&d.All)
}
