package text

import (
	"fmt"

	"github.com/rivo/uniseg"

	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/words"
)

// difference writes what an amendment changes besides verdicts: the text, what can happen, and for whom.
func (p *Page) difference(d *finding.Difference, findings []finding.Finding) {
	if d == nil {
		return
	}
	p.blank()
	p.put(2, bold, "What changes", "")
	for _, l := range words.ChangeLines(d.Changes, words.Terminal) {
		p.put(4, signColor(l.Sign), l.Sign+" ", l.Text)
	}
	p.blank()
	p.behaviour(d, findings)
	p.acts(d)
	for _, l := range words.StateLines(&d.States, words.Terminal) {
		p.put(4, noColor, "", l)
	}
	p.views(d)
	p.exposure(d)
	p.blank()
}

// signColor returns the colour for the sign of a change.
func signColor(sign string) color {
	return map[string]color{"+": green, "−": red, "~": yellow}[sign]
}

// behaviour writes what has become possible and what no longer is, each with a run.
func (p *Page) behaviour(d *finding.Difference, findings []finding.Finding) {
	b := &d.All
	p.Say(4, words.Relation(d, words.Terminal))
	for _, k := range words.Sequences(b) {
		p.sequences(&k)
	}
	p.Say(4, words.SequencesNotShown(b, len(b.Possible)+len(b.Impossible) > 0))
	if c := b.Choice; c != nil {
		before, after := words.Choice(c, words.Terminal)
		p.Say(4, before)
		p.writeRun(6, c.Run, 0)
		p.Say(4, after)
	}
	p.owed(d, findings)
}

// owed writes which norms differ after the same steps, each with a run unless that of a finding shows it.
func (p *Page) owed(all *finding.Difference, findings []finding.Finding) {
	b := &all.All
	p.Say(4, words.OwedLead(all, words.Terminal))
	shown := words.ShownNorms(b.Owed)
	for i := range shown {
		d := &shown[i].NormDifference
		again := words.RunAgain(shown, i, findings)
		p.Say(4, words.UntimedLead(b.Owed, i))
		title := words.Joined(", ", shown[i].Title(words.Terminal), shown[i].When(again))
		if words.ShownAbove(d, findings) {
			p.put(6, yellow, "~ ", title+": shown above.")
			continue
		}
		p.put(6, yellow, "~ ", title)
		p.Say(8, words.WithFullStop(words.WasAndIs(d, words.Terminal)))
		p.Say(8, words.WithFullStop(words.ForWhom(d, words.Terminal)))
		p.Say(8, words.Beyond(d, words.Terminal))
		if len(d.Run) > 0 && !again {
			p.writeRun(10, d.Run, 0)
		}
	}
	p.Say(6, words.MoreNorms(b.Owed))
	p.Say(4, words.UntimedOpen(b.Owed, words.Terminal))
}

// acts writes which events others bring about than before.
func (p *Page) acts(d *finding.Difference) {
	p.Say(4, words.ActsLead(d))
	for _, a := range words.ShownActs(d) {
		p.put(6, yellow, "~ ", words.ActTitle(&a, words.Terminal))
		p.Say(8, words.WithFullStop(words.ActWasAndIs(&a, words.Terminal)))
		p.Say(8, words.WithFullStop(words.ActGains(&a, words.Terminal)))
	}
	p.Say(6, words.MoreActs(d))
}

// sequences writes the first sequences of one kind, and the step that the other version refuses.
func (p *Page) sequences(k *words.SequenceKind) {
	c, all := map[bool]color{true: green, false: red}[k.Gained], k.All
	p.put(4, c, k.Lead+":", "")
	for i, s := range all[:min(len(all), words.MostSequences)] {
		shared := 0
		if i > 0 {
			shared = words.SharedSteps(all[i-1].Run, s.Run)
			p.Say(6, AfterSharedSteps(shared)+":")
		}
		p.writeRun(6, s.Run, shared, words.LastStep(s.Run))
		p.put(10, c, "↑ ", k.Refused(&s, words.Terminal))
	}
}

// AfterSharedSteps introduces another sequence. Shared is the number of steps that it has in common with the last.
func AfterSharedSteps(shared int) string {
	if shared == 0 {
		return "and"
	}
	return fmt.Sprintf("and, after the same %d steps", shared)
}

// writeRun writes a run with the titles of its steps alone. It leaves out the first steps, and folds ticks other than those of some steps.
func (p *Page) writeRun(indent int, run []finding.Firing, without int, alone ...int) {
	all := words.FoldedTitles(words.Steps(run)[without:], alone...)
	if len(all) == 0 {
		p.Say(indent, "(at the start)")
	}
	for _, step := range all {
		p.put(indent, noColor, fmt.Sprintf("%2d. ", step[0].Step), words.Happenings(step, words.Terminal))
	}
}

// views writes what each party can see of the difference.
func (p *Page) views(d *finding.Difference) {
	all := d.Views
	if len(all) == 0 {
		return
	}
	p.blank()
	if words.Unseen(d) {
		p.Say(4, "For whom: "+words.NoPartySees(d)+".")
		return
	}
	p.Say(4, "For whom:")
	width := 0
	for i := range all {
		width = max(width, uniseg.StringWidth(escape.TerminalText(words.Viewer(&all[i]))))
	}
	width = min(width, 24)
	for i := range all {
		p.put(6, viewColor(&all[i]), pad(escape.TerminalText(words.Viewer(&all[i]))+":", width+1)+" ", words.Seen(&all[i], d, words.Terminal))
	}
}

// viewColor returns the colour for a party's view.
func viewColor(v *finding.View) color {
	if v.In == diff.InBoth && v.Same() {
		return faint
	}
	return noColor
}

// exposure writes when parties have performed but have not been performed for. Details are shown only where that changed.
func (p *Page) exposure(d *finding.Difference) {
	all := d.Exposure
	if len(all) == 0 && d.Unexposed == "" {
		return
	}
	p.blank()
	p.Say(4, "Who has performed and is still owed:")
	for i := range all {
		e, who := &all[i], escape.TerminalText(words.ExposedParty(&all[i]))+": "
		if words.SameExposure(e) {
			continue
		}
		p.put(6, bold, who, words.BeforeAndNow(e, d, words.Terminal))
	}
	p.Say(6, words.SameExposures(all, words.Terminal))
	p.Say(6, words.Unexposed(d, words.Terminal))
}
