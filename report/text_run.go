package report

import (
	"fmt"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/redlinehq/redline/engine"
)

// trace tells a run: its steps, what repeats for ever, where it ends, and what is claimed there.
func (p *page) trace(indent int, t *engine.Trace) {
	p.run(indent, t.Prefix)
	p.rest(indent, t, true)
}

// rest tells a run after its prefix; fresh says that the reader does not yet know the state there.
func (p *page) rest(indent int, t *engine.Trace, fresh bool) {
	if len(t.Loop) > 0 {
		p.whereabouts(indent, t, fresh)
		p.say(indent, "From there, over and over for ever:")
		p.run(indent, t.Loop)
	}
	p.say(indent, deadEnd(t))
	if len(t.Loop) == 0 {
		p.whereabouts(indent, t, fresh)
	}
	if t.Claim != "" {
		p.put(indent, cyan, "So: ", sentence(formulaText(t.Claim)))
	}
	for _, next := range t.Then {
		p.say(indent, "That is because in that state:")
		inner := min(indent+2, p.deepest())
		p.run(inner, next.Prefix)
		p.rest(inner, next, len(next.Prefix) > 0)
	}
}

// deepest is how far a nested run may be indented.
func (p *page) deepest() int {
	if p.style.Width == 0 {
		return 60
	}
	return max(8, p.style.Width/3)
}

// deadEnd says why a run stops; empty where it goes on.
func deadEnd(t *engine.Trace) string {
	switch {
	case t.Stops && len(t.Prefix) == 0:
		return "Nothing need happen."
	case t.Stops:
		return "Then nothing need happen any more."
	case t.DeadEnd && len(t.Prefix) == 0:
		return "Nothing can happen."
	case t.DeadEnd:
		return "Then nothing can happen any more."
	}
	return ""
}

// whereabouts says where the prefix ends.
func (p *page) whereabouts(indent int, t *engine.Trace, fresh bool) {
	if fresh && len(t.End) > 0 {
		p.put(indent, noColor, ending(t)+" ", sentence(state(t.End, terminal)))
	}
}

func ending(t *engine.Trace) string {
	switch {
	case len(t.Prefix) == 0:
		return "At the start:"
	case len(t.Loop) > 0:
		return fmt.Sprintf("After step %d:", t.Prefix[len(t.Prefix)-1].Step)
	}
	return "At the end:"
}

func (p *page) run(indent int, run []engine.Firing) {
	for _, step := range steps(run) {
		lead := fmt.Sprintf("%2d. ", step[0].Step)
		if len(step) == 1 {
			p.firing(indent, lead, step[0])
		} else {
			p.put(indent, noColor, lead, "at the same time:")
			for _, f := range step {
				p.firing(indent+len(lead), "- ", f)
			}
		}
		p.refused(indent+len(lead), step[0].Step)
	}
}

// refused marks the step that base refuses.
func (p *page) refused(indent, step int) {
	if p.refusal == nil || p.refusal.Step != step {
		return
	}
	p.put(indent, red, "↑ ", refusedInRun(p.refusal, terminal))
	p.refusal = nil
}

func (p *page) firing(indent int, lead string, f engine.Firing) {
	p.put(indent, bold, lead, happening(f, terminal))
	all := effects(f, terminal)
	width := 0
	for _, e := range all {
		width = max(width, uniseg.StringWidth(e.party))
	}
	width = min(width, 28)
	for _, e := range all {
		p.put(indent+len(lead)+2, faint, pad(e.party+":", width+1)+" ", strings.TrimSpace(e.change))
	}
}
