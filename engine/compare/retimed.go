package compare

import (
	"fmt"
	"slices"

	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/hclspec"
)

// Versions are compared tick by tick. Where a tick is not known to be as long as before (finding.Tick), what is proved of ticks is not so of time:
// every norm that runs for a time runs for another one, or for one that is not known to be the same.

// lasting reports whether a norm itself has a duration.
func lasting(n *hclspec.Norm) bool {
	return slices.ContainsFunc(n.Terms, func(t hclspec.Term) bool {
		return slices.Contains([]string{n.Kind.Construct().Lasts, "by", "before", "every", "extends"}, t.Word) && t.Word != ""
	})
}

// inTime returns the effect of a change of a norm with that of ticks of another length, and the words for both.
func (d *declaring) inTime(what string, e effect, all ...*hclspec.Norm) (string, effect) {
	if d.review.Difference.Tick == nil || !slices.ContainsFunc(all, lasting) {
		return what, e
	}
	if e == effectNone {
		what = "Counted in ticks it is as before: proved."
	} else if what == elsewhere {
		what = "Counted in ticks: " + what
	}
	why, of := d.ticks()
	if e == effectNone {
		e = of
	}
	return what + " " + why, e
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

// retimed remarks on norms that are written as before, and that run for another time since a tick is not known to be as long as before. Where no
// norm has a duration of its own, but something happens after a time, it says so once.
func (d *declaring) retimed() {
	t := d.review.Difference.Tick
	if t == nil || len(d.head.Spec.Norms) == 0 {
		return
	}
	why, e := d.ticks()
	terms := []diff.Term{{Word: "tick", Was: t.Was, Now: t.Now}}
	for _, n := range d.head.Spec.Norms {
		if !lasting(n) || d.remarked(n) {
			continue
		}
		one := explain.NewDiagnostic(d.head, "norm-changed", n.Kind.String()+"."+n.Written(), n.Range, fmt.Sprintf("The %s %s is written as before, but its time is counted otherwise.", n.Called(), bound(n)), why)
		one.Run = changeRun(&one, terms)
		d.remark(one, e)
	}
	if len(d.said) == 0 {
		one := explain.NewDiagnostic(d.head, "norm-changed", "", d.head.Spec.Range, "What is owed depends on what happens after a time, and time is counted otherwise.", why)
		one.Run = changeRun(&one, terms)
		d.remark(one, e)
	}
}
