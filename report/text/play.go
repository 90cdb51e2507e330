package text

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/redlinehq/redline/engine/conform"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/play"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/words"
)

// Position writes the position of a game: each party's state, what is owed, and whether the contract may end there.
func Position(w io.Writer, g *play.Game, style Style) error {
	p := &Page{Style: style}
	p.position(g)
	_, err := io.WriteString(w, p.String())
	return err
}

// Choices lists the steps that can be taken in a game and their parties, with the numbers, from 1, by which they are chosen.
func Choices(w io.Writer, g *play.Game, style Style) error {
	p := &Page{Style: style}
	p.choices(g)
	_, err := io.WriteString(w, p.String())
	return err
}

// position writes the position of a game.
func (p *Page) position(g *play.Game) {
	if g.Steps() == 0 {
		p.put(0, bold, "At the start", "")
	} else {
		p.put(0, bold, fmt.Sprintf("After step %d", g.Steps()), "")
	}
	for _, s := range g.States() {
		p.put(2, faint, escape.TerminalText(cmp.Or(s.Called, s.Party))+": ", cmp.Or(words.Enumerated(s.Places, words.Terminal), "nothing"))
	}
	var dues []conform.Due
	for _, d := range g.Dues() {
		dues = append(dues, conform.Due{Due: d})
	}
	p.dues(2, dues)
	p.Say(2, ends(&conform.Answer{Final: g.Final()}))
}

// choices lists the steps that can be taken.
func (p *Page) choices(g *play.Game) {
	steps, more := g.Choices()
	if len(steps) == 0 {
		p.put(2, yellow, "Nothing can happen any more.", "")
		return
	}
	p.Say(0, "What can happen:")
	for i, step := range steps {
		p.put(2, bold, fmt.Sprintf("%2d  ", i+1), Choice(g, step))
	}
	if more {
		p.Say(2, "and more")
	}
}

// Choice describes in one line a step that can be taken, and the parties that take it.
func Choice(g *play.Game, step []int) string {
	told := g.FiringsOf(step)
	text := words.Happenings(told, words.Terminal)
	var people []string
	for _, f := range told {
		for i := range f.Parties {
			if who := words.Calling(f, i); f.Event != "" && !slices.Contains(people, who) {
				people = append(people, who)
			}
		}
	}
	if e := explain.Event(g.Draft, step[0]); len(step) == 1 && e != nil && e.Due != nil {
		return text + ", by itself"
	}
	if len(people) > 0 {
		text += ", by " + words.Enumerated(people, words.Terminal)
	}
	return text
}

// Steps writes the steps of a game from the given one on, counted from 0, and the requirements that they decide.
func Steps(w io.Writer, g *play.Game, from int, style Style) error {
	p := &Page{Style: style}
	p.run(0, g.Firings(from))
	for _, s := range g.Outcomes() {
		if s.Value != play.Open && s.Step > from {
			p.saying(0, g, s)
		}
	}
	_, err := io.WriteString(w, p.String())
	return err
}

// Sayings writes for each requirement what the run of a game shows about it.
func Sayings(w io.Writer, g *play.Game, style Style) error {
	p := &Page{Style: style}
	for _, s := range g.Outcomes() {
		p.saying(0, g, s)
	}
	_, err := io.WriteString(w, p.String())
	return err
}

// saying writes what a run shows about one requirement.
func (p *Page) saying(indent int, g *play.Game, s play.Outcome) {
	r := g.Draft.Spec.Requirements[s.Requirement]
	name := requirementNamed(r)
	at := ""
	if s.Value != play.Open && s.Step > 0 {
		at = fmt.Sprintf(" (step %d)", s.Step)
	}
	switch s.Value {
	case play.Broken:
		p.put(indent, red, "✗ ", "Broken here: "+name+at)
	case play.Shown:
		p.put(indent, green, "✓ ", "Shown to hold: "+name+at)
	default:
		p.put(indent, faint, "· ", "Open: "+name)
	}
}
