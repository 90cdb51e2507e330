package text

import (
	"fmt"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/words"
)

// trace writes a run: its steps, the loop, the state at its end, and the claim about that state.
func (p *Page) trace(indent int, t *finding.Trace) {
	p.run(indent, t.Prefix)
	p.rest(indent, t, true)
}

// shown writes the run that shows a violation. Of a run without steps, in a contract without states, there is only what it shows.
func (p *Page) shown(indent int, t *finding.Trace) {
	if len(t.Prefix)+len(t.Loop)+len(t.Then)+len(words.Endings(t, words.Terminal)) > 0 || words.DeadEnd(t) != "" {
		p.Say(indent, "A run that shows it:")
		indent += 2
	}
	p.trace(indent, t)
}

// rest writes a run after its prefix. Fresh reports that the state there has not been shown yet.
func (p *Page) rest(indent int, t *finding.Trace, fresh bool) {
	if len(t.Loop) > 0 {
		p.whereabouts(indent, t, fresh)
		p.Say(indent, "From there, over and over for ever:")
		p.run(indent, t.Loop)
	}
	p.Say(indent, words.DeadEnd(t))
	if len(t.Loop) == 0 {
		p.whereabouts(indent, t, fresh)
	}
	if claim := words.Claim(t); claim != "" {
		p.put(indent, cyan, "So: ", words.WithFullStop(words.FormulaText(claim)))
	}
	for _, next := range t.Then {
		p.Say(indent, words.Because(t, next))
		inner := min(indent+2, p.deepest())
		p.run(inner, next.Prefix)
		p.rest(inner, next, len(next.Prefix) > 0)
	}
}

// deepest returns how far a nested run may be indented.
func (p *Page) deepest() int {
	if p.Style.Width == 0 {
		return 60
	}
	return max(8, p.Style.Width/3)
}

// whereabouts writes the state at the end of the prefix.
func (p *Page) whereabouts(indent int, t *finding.Trace, fresh bool) {
	if !fresh {
		return
	}
	for _, e := range words.Endings(t, words.Terminal) {
		p.put(indent, noColor, e[0]+" ", e[1])
	}
}

// run writes the steps of a run.
func (p *Page) run(indent int, run []finding.Firing) {
	for _, step := range words.Folded(words.Steps(run), words.MarkedStep(p.Refusal)) {
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
func (p *Page) refused(indent, step int) {
	if p.Refusal == nil || p.Refusal.Step != step {
		return
	}
	p.put(indent, red, "↑ ", words.RefusedInRun(p.Refusal, words.Terminal))
	p.Refusal = nil
}

// firing writes one firing and its effects.
func (p *Page) firing(indent int, lead string, f finding.Firing) {
	p.put(indent, bold, lead, words.Happening(f, words.Terminal))
	all := words.Effects(f, words.Terminal)
	width := 0
	for _, e := range all {
		width = max(width, uniseg.StringWidth(e.Party))
	}
	width = min(width, 28)
	for _, e := range all {
		p.put(indent+len(lead)+2, faint, pad(e.Party+":", width+1)+" ", strings.TrimSpace(e.Change))
	}
}
