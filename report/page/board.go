package page

import (
	"slices"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/report/words"
)

// A board has the data that scripts read: a contract's net, its runs, and which parts of the pictures show which parts of the net. Numbers
// are those of the composed net.
type board struct {
	ID          string            `json:"id"`
	Rule        string            `json:"rule"` // one, all
	Parties     []boardParty      `json:"parties"`
	Places      []boardPlace      `json:"places"`
	Transitions []boardTransition `json:"transitions"`
	Initial     []int             `json:"initial"`
	Passages    []passage         `json:"passages"`
	Runs        []boardRun        `json:"runs"`
	Pictures    []boardPicture    `json:"pictures"`
}

// A boardParty is a party, norm or clock.
type boardParty struct {
	Called string `json:"called"`
	Quiet  bool   `json:"quiet,omitempty"` // shown only where it has something to show
}

// A boardPlace is a place of the net.
type boardPlace struct {
	Party int    `json:"party"` // -1: no party's
	Word  string `json:"word"`
	State bool   `json:"state,omitempty"` // shown before the others
	Quiet bool   `json:"quiet,omitempty"` // not shown
}

// A boardTransition is a transition of the net.
type boardTransition struct {
	Name   string      `json:"name"` // canonical, as redline replay reads it; compared and never shown
	Event  string      `json:"event,omitempty"`
	What   string      `json:"what"`
	Who    string      `json:"who"`
	In     []int       `json:"in,omitempty"`
	Out    []int       `json:"out,omitempty"`
	Read   []int       `json:"read,omitempty"`
	Marks  []int       `json:"marks,omitempty"`
	Moves  []boardMove `json:"moves,omitempty"`
	Moving bool        `json:"moving,omitempty"`
	Source []int       `json:"source,omitempty"` // passages: of the event, then of the parties
}

// A boardMove is a move of a norm's or a clock's token by a transition.
type boardMove struct {
	If   []int `json:"if,omitempty"`
	From int   `json:"from"`
	To   int   `json:"to"`
}

// A boardRun is a run that can be played.
type boardRun struct {
	Title   string      `json:"title"`
	Start   []int       `json:"start"`
	Steps   [][]int     `json:"steps"`
	Loop    int         `json:"loop"` // the step that the loop begins with; -1: none
	Texts   []boardStep `json:"told"`
	Dead    string      `json:"dead,omitempty"`
	Claim   string      `json:"claim,omitempty"`
	Because int         `json:"because"` // the run that this one explains; -1: none
}

// A boardStep is one step of a run in sentences.
type boardStep struct {
	What   []string `json:"what"`
	Who    []string `json:"who"`
	Does   []string `json:"does"`
	Beyond string   `json:"beyond,omitempty"` // a note about base
}

// newBoard returns the board of a draft's net.
func newBoard(id string, d *compile.Draft, p *passages) *board {
	b := &board{ID: id, Rule: d.Rule.String(), Initial: d.Net.Initial, Runs: []boardRun{}, Pictures: []boardPicture{}}
	b.places(d)
	for t := range d.Net.Transitions {
		b.Transitions = append(b.Transitions, transitionOf(d, t, p))
	}
	return b
}

// places adds the places and their parties.
func (b *board) places(d *compile.Draft) {
	at := map[string]int{}
	for i := range d.Net.Places {
		spec, owner, word, quiet := explain.Place(d, i)
		if spec == nil {
			b.Places = append(b.Places, boardPlace{Party: -1, Quiet: true})
			continue
		}
		if _, known := at[owner.Name]; !known {
			at[owner.Name] = len(b.Parties)
			b.Parties = append(b.Parties, boardParty{words.PlainText(explain.Called(d, owner)), compile.IsWatcher(owner)})
		}
		b.Places = append(b.Places, boardPlace{at[owner.Name], words.PlainText(word), isState(spec), quiet})
	}
}

// transitionOf describes a transition.
func transitionOf(d *compile.Draft, t int, p *passages) boardTransition {
	of := d.Net.Transitions[t]
	firing := words.DescribeRun([]finding.Firing{explain.Firing(d, 1, t, nil)})[0]
	b := boardTransition{Name: explain.TransitionName(d, t), What: firing.What[0], Who: firing.Who[0],
		In: of.In, Out: of.Out, Read: of.Read, Marks: of.Marks, Moving: of.Moving}
	for _, v := range of.Moves {
		b.Moves = append(b.Moves, boardMove{v.If, v.From, v.To})
	}
	event, _, parts := explain.Written(d, t)
	if event != nil {
		b.Event = event.Name
		b.source(p.find(event.Range))
	}
	for _, part := range parts {
		b.source(p.find(part.Range))
	}
	return b
}

// source adds a passage, unless n is -1 or known.
func (b *boardTransition) source(n int) {
	if n >= 0 && !slices.Contains(b.Source, n) {
		b.Source = append(b.Source, n)
	}
}

// run adds a staged run and those that explain it to the board. It returns the number of the run.
func (b *board) run(s *explain.Staged, title string, t *words.Entry, because int) int {
	n := len(b.Runs)
	_, dead, claim := words.DescribeEnd(s.Of)
	r := boardRun{Title: title, Start: slices.Clone(s.Start), Steps: s.Steps, Loop: s.Loop, Dead: dead, Claim: claim, Because: because}
	if r.Start == nil {
		r.Start = petri.Marking{}
	}
	if r.Steps == nil {
		r.Steps = [][]int{}
	}
	r.Texts = []boardStep{}
	for _, step := range append(words.DescribeRun(s.Of.Prefix), words.DescribeRun(s.Of.Loop)...) {
		text := boardStep{What: step.What, Who: step.Who, Does: step.Does}
		if t.Refusal != nil && t.Refusal.Step == step.Number {
			text.Beyond = t.RefusalIs
		}
		r.Texts = append(r.Texts, text)
	}
	b.Runs = append(b.Runs, r)
	for _, then := range s.Then {
		b.run(then, title, t, n)
	}
	return n
}
