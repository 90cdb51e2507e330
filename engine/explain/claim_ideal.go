package explain

import (
	"fmt"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/phrase"
)

// Words for what phrase.OverIdeal adds to a formula: that nothing is ever breached on the run that is shown, or on those that are possible.

const (
	unbreached    = " nothing is ever breached"
	withoutBreach = " on a run without a breach"
)

// isBreach reports whether f is !ideal.
func isBreach(f *ctl.Formula) bool {
	return f.Op == ctl.Not && f.Left.Op == ctl.Atom && f.Left.Name == compile.IdealName
}

// isIdeal reports whether f is ideal.
func isIdeal(f *ctl.Formula) bool { return f.Op == ctl.Atom && f.Name == compile.IdealName }

// ends returns p for AF p, and for A[EX !o U p] with o for overstepped, as phrase.OverIdeal writes it where runs may end without what is forbidden.
func ends(f *ctl.Formula) (*ctl.Formula, bool) {
	switch {
	case f.Op == ctl.AF:
		return f.Left, true
	case f.Op == ctl.AU && f.Left.Op == ctl.EX && f.Left.Left.Op == ctl.Not && f.Left.Left.Left.Name == phrase.Overstepped:
		return f.Right, true
	}
	return nil, false
}

// isIdealRun reports whether f is that an ideal run begins.
func isIdealRun(f *ctl.Formula) bool {
	if f.Op != ctl.Not {
		return f.Op == ctl.EG && isIdeal(f.Left)
	}
	p, ok := ends(f.Left)
	return ok && isBreach(p)
}

// rests reports whether a run ends where all that can follow is forbidden, so that nothing more has to happen.
func rests(e *ctl.Evidence) bool {
	f, holds := e.Formula, e.Holds
	for f.Op == ctl.Not {
		f, holds = f.Left, !holds
	}
	_, ok := ends(f)
	return ok && f.Op == ctl.AU && !holds && e.Run.Loop < 0 && !e.Run.Dead
}

// stripped returns p for an f that is p op q with a q that is the restriction to ideal runs, and whether it is.
func stripped(f *ctl.Formula, op ctl.Op, restricts func(*ctl.Formula) bool) (*ctl.Formula, bool) {
	if f.Op == op && f.Right != nil && restricts(f.Right) {
		return f.Left, true
	}
	return f, false
}

// orBreach returns p for p || !ideal.
func orBreach(f *ctl.Formula) (*ctl.Formula, bool) { return stripped(f, ctl.Or, isBreach) }

// andIdeal returns p for p && ideal.
func andIdeal(f *ctl.Formula) (*ctl.Formula, bool) { return stripped(f, ctl.And, isIdeal) }

// andIdealRun returns p for p && an ideal run begins.
func andIdealRun(f *ctl.Formula) (*ctl.Formula, bool) {
	return stripped(f, ctl.And, isIdealRun)
}

// orBreachedRun returns p for p || no ideal run begins.
func orBreachedRun(f *ctl.Formula) (*ctl.Formula, bool) {
	return stripped(f, ctl.Or, func(q *ctl.Formula) bool {
		p, ok := ends(q)
		return ok && isBreach(p)
	})
}

// ofIdealRun renders the claim of a run on which nothing is ever breached and which shows that a formula fails that is restricted to such runs.
// It returns "" for any other. The condition of the formula fails after the given step, and past has the markings before the run.
func (t *renderer) ofIdealRun(e *ctl.Evidence, step int, past []petri.Marking) string {
	if e.Holds {
		return ""
	}
	last := e.Run.Markings[len(e.Run.Markings)-1:]
	said := ""
	switch e.Formula.Op {
	case ctl.Or:
		p, ok := orBreachedRun(e.Formula)
		if !ok {
			return ""
		}
		said = t.claimed(&ctl.Evidence{Formula: p, Run: ctl.Run{Markings: last, Loop: -1}}, past, false)
	case ctl.AW:
		p, ok := orBreachedRun(e.Formula.Left)
		if !ok || len(e.Run.Steps) == 0 || p.Temporal() {
			return ""
		}
		said = t.tooEarly(p, e.Formula.Right, e.Run.Markings, past)
	default:
		return ""
	}
	if said == "" {
		return ""
	}
	at := "at the start, "
	switch {
	case t.apart: // the line above the run says where
		at = "there, "
	case step > 0:
		at = fmt.Sprintf("after step %d, ", step)
	}
	return at + said + ", though" + unbreached
}
