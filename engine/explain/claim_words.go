package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/phrase"
)

// Words for conditions in sentences about runs. A condition is a noun (“buyer: paid”), a sentence (“pay” can happen), or a formula as
// written. What a sentence presupposes, as "no longer" does, is decided on the markings that are shown. If they do not decide it, a weaker
// sentence is used.

// isNoun reports whether the words for a formula without temporal operators are a noun, not a sentence.
func isNoun(f *ctl.Formula) bool {
	switch f = inward(f); f.Op {
	case ctl.Atom:
		return f.Call == nil && f.Name != compile.IdealName && f.Name != phrase.Overstepped
	case ctl.Not:
		return f.Left.Op == ctl.Atom && f.Left.Call == nil
	case ctl.And, ctl.Or:
		return isNoun(f.Left) && isNoun(f.Right)
	}
	return false
}

// absence returns the noun for p if the formula is !p. Where a sentence can say that p ends or stays, it need not say that "not p" comes or ends.
func (t *renderer) absence(f *ctl.Formula) (string, bool) {
	if f = inward(f); f.Op != ctl.Not || f.Left.Op != ctl.Atom {
		return "", false
	}
	return t.noun(f.Left)
}

// noun renders a formula as a noun, and reports whether that is possible.
func (t *renderer) noun(f *ctl.Formula) (string, bool) {
	text, ok := t.words(f)
	return text, ok && isNoun(f)
}

// comes returns the verb for a noun: of several things that have to come at once, each of which may come by itself, the one that says so.
func comes(f *ctl.Formula, one, together string) string {
	if inward(f).Op == ctl.And {
		return together
	}
	return one
}

// sentence renders a formula as a sentence: its words, or that it holds.
func (t *renderer) sentence(f *ctl.Formula) string {
	if text, ok := t.words(f); ok && !isNoun(f) {
		return text
	}
	return t.holding(f, true)
}

// never renders that a condition never comes on a run, after the markings of the past.
func (t *renderer) never(f *ctl.Formula, past []petri.Marking) string {
	if isBreach(f) {
		return strings.TrimSpace(unbreached)
	}
	if p, ok := orBreach(f); ok {
		return t.never(p, past) + ", though" + unbreached
	}
	said := "it never comes that " + t.sentence(f)
	if event, ok := t.happening(f); ok {
		said = event + " never happens"
	} else if text, ok := t.absence(f); ok {
		said = text + " never ends"
	} else if text, ok := t.noun(f); ok {
		said = text + comes(f, " never comes", " never come together")
	}
	if t.absent(f, past) {
		return said
	}
	return "after that, " + said
}

// absent reports whether a formula is known to be false in all given markings.
func (t *renderer) absent(f *ctl.Formula, from []petri.Marking) bool {
	return !slices.ContainsFunc(from, func(m petri.Marking) bool {
		so, known := Truth(t.Draft, m, f)
		return so || !known
	})
}

// lost renders that a condition cannot come. It says "no longer" if was is set, or if the condition held in a marking of the past.
func (t *renderer) lost(f *ctl.Formula, past []petri.Marking, was bool) string {
	was = was || slices.ContainsFunc(past, func(m petri.Marking) bool {
		so, known := Truth(t.Draft, m, f)
		return so && known
	})
	f, ideal := andIdealRun(f)
	on := map[bool]string{true: withoutBreach}[ideal]
	what, named := t.noun(f)
	verb := comes(f, "be reached", "be reached together")
	if event, ok := t.happening(f); ok {
		what, named, verb = event, true, "happen"
	} else if text, ok := t.absence(f); ok {
		what, verb = text, "end"
	}
	switch {
	case !named:
		return "no state can be reached" + on + " in which " + t.sentence(f)
	case was:
		return what + " can no longer " + verb + on
	}
	return what + " can't " + verb + " from there" + on
}

// tooEarly renders that A[left W right] fails in the last marking of a run: left has ended before right has come. If left is !p, it renders
// that p came before right.
func (t *renderer) tooEarly(left, right *ctl.Formula, run, past []petri.Marking) string {
	if part := without(right, left); t.absent(part, run[:len(run)-1]) { // right may fail where left has failed, too
		right = part
	}
	early, plain := t.ended(left)
	if held, known := Truth(t.Draft, run[len(run)-2], left); !held || !known { // on a run that is not shortest, left may have ended earlier
		early, plain = t.notSo(left), false
	}
	if right.Temporal() {
		return early + " too early"
	}
	at, known := Truth(t.Draft, run[len(run)-1], right)
	again := !t.absent(right, past)
	event, happens := t.happening(right)
	name, isNamed := t.noun(right)
	still, ends := t.absence(right)
	switch {
	case !plain || at || !known || again || !happens && !isNamed:
		return early + ", and " + t.notBefore(right, again, strings.HasSuffix(early, "has happened"))
	case happens:
		return early + " before " + event + " had happened"
	case ends:
		return early + " before " + still + " had ended"
	case left.Op == ctl.Not && right.Op != ctl.And:
		return early + " before " + name
	}
	return early + " before " + name + comes(right, " came", " came together")
}

// ended renders that a formula has just stopped to hold. Plain reports whether a "before" clause can be added.
func (t *renderer) ended(f *ctl.Formula) (said string, plain bool) {
	if f.Op == ctl.Not && f.Left.Op == ctl.Not {
		f = inward(f)
	}
	if negative(f) {
		f = &ctl.Formula{Op: ctl.Not, Left: negation(f)}
	}
	if f.Op == ctl.Not {
		if event, ok := t.happening(f.Left); ok {
			return event + " has happened", true
		}
		if text, ok := t.noun(f.Left); ok {
			return text + comes(f.Left, " came", " came together"), true
		}
		return t.sentence(f.Left), false
	}
	if text, ok := t.noun(f); ok {
		return text + comes(f, " has ended", " no longer hold together"), true
	}
	return "it is no longer so that " + t.sentence(f), false
}

// notSo renders that a formula does not hold, without saying anything about earlier markings.
func (t *renderer) notSo(f *ctl.Formula) string {
	if _, ok := t.words(negation(f)); ok || f.Op == ctl.Not {
		return t.sentence(negation(f))
	}
	return "it is not so that " + t.sentence(f)
}

// notBefore renders that a condition was false before the end of a run. Again means that it may have been true before the run; too, that
// the same verb was just used of another event.
func (t *renderer) notBefore(f *ctl.Formula, again, too bool) string {
	event, happens := t.happening(f)
	name, isNamed := t.noun(f)
	still, ends := t.absence(f)
	switch {
	case happens && too:
		return event + " had not before"
	case happens:
		return event + " had not happened before"
	case ends && again:
		return still + " had not ended again before"
	case ends:
		return still + " had not ended before"
	case isNamed && again:
		return name + comes(f, " had not come again before", " had not come together again before")
	case isNamed:
		return name + comes(f, " had not come before", " had not come together before")
	case f.Op == ctl.Not:
		return "just before it was so that " + t.sentence(f.Left)
	}
	return "just before it was not so that " + t.sentence(f)
}

// without returns a conjunction without one of its conjuncts, or f itself if it lacks that conjunct.
func without(f, part *ctl.Formula) *ctl.Formula {
	switch {
	case f.Op != ctl.And:
	case ctl.Equal(f.Left, part):
		return f.Right
	case ctl.Equal(f.Right, part):
		return without(f.Left, part)
	}
	return f
}

// given renders the antecedent of an implication, which holds in a marking. It renders !p && EX p as EX p: drafters write this for "p comes about".
func (t *renderer) given(f *ctl.Formula, m petri.Marking) string {
	if f.Op == ctl.And && f.Right.Op == ctl.EX && f.Left.Op == ctl.Not && ctl.Equal(f.Left.Left, f.Right.Left) {
		f = f.Right
	}
	if f.Op != ctl.EX {
		return t.renderAt(f, m)
	}
	if text, ok := t.noun(f.Left); ok && f.Left.Op != ctl.Not {
		return text + comes(f.Left, " can come next", " can come together next")
	}
	return "there is a next step after which " + t.sentence(f.Left)
}

// yet renders that a formula does not hold in a marking, in words that follow "and yet". Was reports that it held before the last step.
func (t *renderer) yet(f *ctl.Formula, m petri.Marking, past []petri.Marking, was bool) string {
	switch f.Op {
	case ctl.Not:
		return t.renderAt(f.Left, m)
	case ctl.Atom:
		if f.Call != nil && t.asked(f.Call, false) != "" {
			return t.asked(f.Call, false)
		}
	case ctl.And:
		if part := t.missing(f, m); part != nil {
			return t.yet(part, m, past, was)
		}
		if list := f.Operands(ctl.And); listable(list) {
			return "not all of " + t.listed(list, " and ", t.render)
		}
	case ctl.Or:
		list := f.Operands(ctl.Or)
		if listable(list) {
			return "neither " + t.listed(list, " nor ", t.render)
		}
		if literals(list) {
			return t.listed(list, " and ", func(f *ctl.Formula) string { return t.yet(f, m, past, false) })
		}
	case ctl.EF:
		return t.lost(f.Left, past, was)
	case ctl.AF:
		return t.needNot(f.Left)
	case ctl.EX:
		return t.noNext(f.Left)
	}
	if f.Temporal() {
		return "it is not so that " + t.render(f)
	}
	if reasons := t.reasons(negation(f), m); f.Right != nil && reasons != nil {
		return t.render(reasons)
	}
	if f.Right != nil {
		return "not (" + compile.InNotation(f, t.notation) + ")" // as it is written
	}
	return "not " + t.render(f)
}

// noNext renders that no next step leads to a condition.
func (t *renderer) noNext(f *ctl.Formula) string {
	f, ideal := andIdealRun(f)
	on := map[bool]string{true: withoutBreach}[ideal]
	if text, ok := t.noun(f); ok && f.Op != ctl.Not {
		return "no next step" + on + " leads to " + text + comes(f, "", " together")
	}
	return "there is no next step" + on + " after which " + t.sentence(f)
}

// needNot renders that a condition need not come.
func (t *renderer) needNot(f *ctl.Formula) string {
	if p, ok := orBreach(f); ok {
		return t.needNot(p) + withoutBreach
	}
	if event, ok := t.happening(f); ok {
		return event + " need not happen"
	}
	if text, ok := t.absence(f); ok {
		return text + " need not end"
	}
	if text, ok := t.noun(f); ok {
		return text + comes(f, " need not come", " need not come together")
	}
	return "it need not come that " + t.sentence(f)
}

// stays renders that a condition holds as long as a run continues, after the markings of the past.
func (t *renderer) stays(f *ctl.Formula, past []petri.Marking) string {
	if p, ok := andIdeal(f); ok {
		return t.stays(p, past) + ", and" + unbreached
	}
	if f.Op == ctl.Not {
		return t.never(f.Left, past)
	}
	if text, ok := t.noun(f); ok {
		return text + comes(f, " stays so to the end", " stay so together to the end")
	}
	return "it stays so to the end that " + t.sentence(f)
}

// missing returns the one conjunct that is false in a marking. It returns nil if both are false, or if the marking does not decide it.
func (t *renderer) missing(f *ctl.Formula, m petri.Marking) *ctl.Formula {
	left, ok := Truth(t.Draft, m, f.Left)
	right, also := Truth(t.Draft, m, f.Right)
	switch {
	case !ok || !also || left == right:
		return nil
	case left:
		return f.Right
	}
	return f.Left
}

// negative reports whether a formula consists of negated names: of !p && !q a sentence says that p or q comes.
func negative(f *ctl.Formula) bool {
	if f = inward(f); f.Op == ctl.And || f.Op == ctl.Or {
		return negative(f.Left) && negative(f.Right)
	}
	return f.Op == ctl.Not && f.Left.Op == ctl.Atom && f.Left.Call == nil
}

// listable reports whether all formulas are plain names, which a sentence can list.
func listable(list []*ctl.Formula) bool {
	return !slices.ContainsFunc(list, func(f *ctl.Formula) bool {
		return f.Op != ctl.Atom || f.Call != nil || f.Name == compile.IdealName || f.Name == phrase.Overstepped
	})
}

// literals reports whether all formulas are atoms or negated atoms.
func literals(list []*ctl.Formula) bool {
	return !slices.ContainsFunc(list, func(f *ctl.Formula) bool {
		return f.Op != ctl.Atom && (f.Op != ctl.Not || f.Left.Op != ctl.Atom) || f.Temporal()
	})
}

// listed joins the words of several formulas.
func (t *renderer) listed(list []*ctl.Formula, between string, words func(*ctl.Formula) string) string {
	var all []string
	for _, f := range list {
		all = append(all, words(f))
	}
	return strings.Join(all, between)
}

// happening returns the title of the event if the formula is happened(e), and whether it is.
func (t *renderer) happening(f *ctl.Formula) (string, bool) {
	if f.Call == nil || f.Call.Function != "happened" {
		return "", false
	}
	return t.event(f.Call.Args[0].Name), true
}

// asked renders an atom about events, or its negation, as a sentence. It returns "" if there is none.
func (t *renderer) asked(c *ctl.Call, holds bool) string {
	event := t.event(c.Args[0].Name)
	switch {
	case c.Function == "happened" && holds:
		return event + " has happened"
	case c.Function == "happened":
		return event + " has not happened"
	case c.Function == "enabled" && holds:
		return event + " can happen"
	case c.Function == "enabled":
		return event + " can't happen"
	case holds:
		return fmt.Sprintf("%s never happens before %s", t.event(c.Args[1].Name), event)
	}
	return "" // both may happen in one step, or have happened
}

// event returns the words for an event in a sentence, with the name of an instance.
func (t *renderer) event(name string) string {
	e := t.Event(name)
	switch {
	case t.acts[name] != "":
		return t.acts[name]
	case e.Title == "":
		return "“" + name + "”"
	case e.Name != e.Of:
		return "“" + e.Title + " (" + name + ")”"
	}
	return "“" + e.Title + "”"
}
