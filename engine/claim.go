package engine

import (
	"fmt"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/hclspec"
)

// canonicalText prints a formula in the notation its author chose.
func canonicalText(f *ctl.Formula, n hclspec.Notation) string { return notated(f, n.String()) }

func notated(f *ctl.Formula, notation string) string {
	if notation == hclspec.Table1.String() {
		return f.Table1()
	}
	return f.CTL()
}

// claim says what a run shows about its formula, as a clause that follows "here" or "on this run".
func claim(e *ctl.Evidence, notation string) string {
	say := func(f *ctl.Formula) string { return notated(f, notation) }
	f, endless := e.Formula, e.Run.Loop >= 0 || e.Run.Dead
	switch {
	case endless && (f.Op == ctl.AF || f.Op == ctl.AU) && !e.Holds:
		return fmt.Sprintf("%s never comes", say(goal(f)))
	case endless && (f.Op == ctl.EG || f.Op == ctl.EW) && e.Holds:
		return fmt.Sprintf("%s stays true to the end", say(f.Left))
	case (f.Op == ctl.EF) && !e.Holds:
		return fmt.Sprintf("%s can no longer be reached", say(f.Left))
	case f.Op == ctl.EX && !e.Holds:
		return fmt.Sprintf("no next step leads to %s", say(f.Left))
	case f.Op == ctl.AG && e.Holds:
		return fmt.Sprintf("%s holds from here on", say(f.Left))
	case e.Holds:
		return say(f) + " holds"
	}
	return say(f) + " does not hold"
}

// goal is what an until waits for.
func goal(f *ctl.Formula) *ctl.Formula {
	if f.Op == ctl.AF {
		return f.Left
	}
	return f.Right
}
