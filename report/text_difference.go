package report

import (
	"fmt"

	"github.com/rivo/uniseg"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/delta"
)

// difference tells what an amendment changes, verdicts apart: the text, what can happen, and for whom.
func (p *page) difference(d *engine.Difference) {
	if d == nil {
		return
	}
	p.blank()
	p.put(2, bold, "What changes", "")
	for _, l := range changeLines(d.Changes, terminal) {
		p.put(4, signColor(l.sign), l.sign+" ", l.text)
	}
	p.blank()
	p.behaviour(&d.All)
	for _, l := range stateLines(&d.States, terminal) {
		p.put(4, noColor, "", l)
	}
	p.views(d.Views)
	p.exposure(d.Exposure)
	p.blank()
}

func signColor(sign string) color {
	return map[string]color{"+": green, "−": red, "~": yellow}[sign]
}

// behaviour tells what has become possible and what no longer is, a run each.
func (p *page) behaviour(b *engine.Behaviour) {
	p.say(4, relation(b, terminal))
	p.sequences("Now possible:", b.Possible, green, refusedBefore)
	p.sequences("No longer possible:", b.Impossible, red, refusedNow)
	if hidden := hiddenSequences(b); hidden > 0 {
		p.say(4, several(hidden, "other sequence")+" like these not shown.")
	}
	if c := b.Choice; c != nil {
		before, after := choice(c, terminal)
		p.say(4, before)
		p.told(6, c.Run, 0)
		p.say(4, after)
	}
	p.owed(b)
}

// owed tells which norms stand otherwise after the same steps, each with a run.
func (p *page) owed(b *engine.Behaviour) {
	p.say(4, owedLead(b, terminal))
	for i := range shownNorms(b.Owed) {
		d := &b.Owed.Norms[i]
		p.put(6, yellow, "~ ", joined(", ", normTitle(d, terminal), normWhen(d)))
		p.say(8, sentence(wasAndIs(d, terminal)))
		p.say(8, sentence(forWhom(d, terminal)))
		if len(d.Run) > 0 {
			p.told(10, d.Run, 0)
		}
	}
	p.say(6, moreNorms(b.Owed))
}

// hiddenSequences counts what neither the engine nor the report shows.
func hiddenSequences(b *engine.Behaviour) int {
	return b.MoreThan + max(0, len(b.Possible)-mostSequences) + max(0, len(b.Impossible)-mostSequences)
}

func (p *page) sequences(lead string, all []engine.Sequence, c color, refused func([]string, medium) string) {
	if len(all) == 0 {
		return
	}
	p.put(4, c, lead, "")
	for i, s := range all[:min(len(all), mostSequences)] {
		shared := 0
		if i > 0 {
			shared = sharedSteps(all[i-1].Run, s.Run)
			p.say(6, and(shared)+":")
		}
		p.told(6, s.Run, shared)
		p.put(10, c, "↑ ", refused(s.Instead, terminal))
	}
}

// and leads over to another sequence.
func and(shared int) string {
	if shared == 0 {
		return "and"
	}
	return fmt.Sprintf("and, after the same %d steps", shared)
}

// told is a run in titles alone, without so many steps at its beginning.
func (p *page) told(indent int, run []engine.Firing, without int) {
	all := steps(run)[without:]
	if len(all) == 0 {
		p.say(indent, "(at the start)")
	}
	for _, step := range all {
		p.put(indent, noColor, fmt.Sprintf("%2d. ", step[0].Step), happenings(step, terminal))
	}
}

func (p *page) views(all []engine.View) {
	if len(all) == 0 {
		return
	}
	p.blank()
	if unseen(all) {
		p.say(4, "For whom: "+nobody+".")
		return
	}
	p.say(4, "For whom:")
	width := 0
	for i := range all {
		width = max(width, uniseg.StringWidth(TerminalText(viewer(&all[i]))))
	}
	width = min(width, 24)
	for i := range all {
		p.put(6, viewColor(&all[i]), pad(TerminalText(viewer(&all[i]))+":", width+1)+" ", seen(&all[i], terminal))
	}
}

func viewColor(v *engine.View) color {
	if v.In == delta.InBoth && v.Same() {
		return faint
	}
	return noColor
}

// exposure tells when parties have performed and have not been performed for: in full where that changed.
func (p *page) exposure(all []engine.Exposure) {
	if len(all) == 0 {
		return
	}
	p.blank()
	p.say(4, "Who has performed and has not been performed for:")
	for i := range all {
		e, who := &all[i], TerminalText(exposedParty(&all[i]))+": "
		if sameExposure(e) {
			continue
		}
		p.put(6, bold, who, joined(": ", span(e, terminal), "before "+countOf(e.Base)+", now "+sentence(countOf(e.Head))))
	}
	p.say(6, sameExposures(all, terminal))
}
