package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/diag"
)

// Versions are compared tick by tick. Where a tick is not known to be as long as before (finding.Tick), what is proved of ticks is not so of time:
// every norm that runs for a time runs for another one, or for one that is not known to be the same. Where the start has moved, what is counted from it is on other days.

// lasting reports whether a norm itself has a duration.
func lasting(n *hclspec.Norm) bool {
	return slices.ContainsFunc(n.Terms, func(t hclspec.Term) bool {
		return slices.Contains([]string{n.Kind.Construct().Lasts, "by", "before", "every", "extends"}, t.Word)
	})
}

// A timing is what another start of the contract and ticks of another length do to a norm.
type timing struct {
	counted string // how its time is counted as before
	said    []string
	terms   []diff.Term
	effect  effect
}

// timing returns what becomes of the time of a norm. Of one whose text is changed it takes both versions, and whether the change names other days.
func (d *declaring) timing(dates bool, now *hclspec.Norm, was ...*hclspec.Norm) timing {
	t := timing{effect: effectNone}
	if from, to, moved := d.review.Difference.Start(); moved && (dates || d.onOtherDays(now)) {
		t.counted, t.effect = "from the start", effectSome
		t.said = append(t.said, fmt.Sprintf("But the start was %s, now %s, so it is on other days.", cmp.Or(from, leftOut), cmp.Or(to, leftOut)))
		t.terms = append(t.terms, diff.Term{Word: "start", Was: from, Now: to})
	}
	if tick := d.review.Difference.Tick; tick != nil && slices.ContainsFunc(append(was, now), lasting) {
		why, e := d.ticks()
		t.counted, t.effect = cmp.Or(t.counted, "in ticks"), t.effect.with(e)
		t.said, t.terms = append(t.said, why), append(t.terms, diff.Term{Word: "tick", Was: tick.Was, Now: tick.Now})
	}
	return t
}

// besides returns the words for what a change of a norm does, and its effect, with those of its timing.
func (t timing) besides(what string, e effect) (string, effect) {
	switch {
	case len(t.said) == 0:
		return what, e
	case e == effectNone:
		what = "Counted " + t.counted + " it is as before: proved."
	case what == elsewhere:
		what = "Counted " + t.counted + ": " + what
	}
	return what + " " + strings.Join(t.said, " "), e.with(t.effect)
}

// with returns the effect of a change together with that of another time, which is never none.
func (e effect) with(time effect) effect {
	if e == effectSome || time == effectSome {
		return effectSome
	}
	return effectUnknown
}

// ticks describes ticks of another length, and returns their effect.
func (d *declaring) ticks() (string, effect) {
	switch t := d.review.Difference.Tick; {
	case t.Was == "":
		return fmt.Sprintf("Before, nothing said how long a tick is; now it is a %s. Whether that is as long is not known.", t.Now), effectUnknown
	case t.Now == "":
		return fmt.Sprintf("A tick was a %s; now nothing says how long it is. Whether that is as long is not known.", t.Was), effectUnknown
	default:
		return fmt.Sprintf("But a tick was a %s, and is a %s now, so it is for another time.", t.Was, t.Now), effectSome
	}
}

// onOtherDays reports whether a norm is on other days where the start of the contract has moved, and counted from there it is as before: it runs from the start, or
// names an event whose day has moved with it.
func (d *declaring) onOtherDays(n *hclspec.Norm) bool {
	return len(n.Starts) == 0 || slices.ContainsFunc(d.amended.Changes, func(c diff.Change) bool {
		return slices.ContainsFunc(c.Terms, dated) && slices.ContainsFunc(n.Terms, func(t hclspec.Term) bool { return slices.Contains(strings.Split(t.Value, ", "), c.Name) })
	})
}

// dated reports whether a term names another day.
func dated(t diff.Term) bool { return hclspec.IsDay(t.Now) }

// retimed remarks on norms that are written as before and stand as before, but at other times. If ticks are of another length and something happens by itself after a
// time, or it is known of no norm that it runs for one, it says so once.
func (d *declaring) retimed() {
	for _, n := range d.head.Spec.Norms {
		if t := d.timing(false, n); len(t.said) > 0 && !d.remarked(n) {
			one := explain.NewDiagnostic(d.head, "norm-changed", n.Kind.String()+"."+n.Written(), n.Range, fmt.Sprintf("The %s %s is written as before, but is at another time.", n.Called(), bound(n)),
				strings.TrimPrefix(strings.Join(t.said, " "), "But "))
			one.Detail = diag.Capital(one.Detail)
			one.Run = changeRun(&one, t.terms)
			d.remark(one, t.effect)
		}
	}
	t := d.review.Difference.Tick
	if t != nil && len(d.head.Spec.Norms) > 0 && (!slices.ContainsFunc(d.head.Spec.Norms, lasting) || len(d.base.Urgent())+len(d.head.Urgent()) > 0) {
		why, e := d.ticks()
		one := explain.NewDiagnostic(d.head, "norm-changed", "", d.head.Spec.Range, "What is owed depends on what happens after a time, and time is counted otherwise.", strings.TrimPrefix(why, "But "))
		one.Detail = diag.Capital(one.Detail)
		one.Run = changeRun(&one, []diff.Term{{Word: "tick", Was: t.Was, Now: t.Now}})
		d.remark(one, e)
	}
}
