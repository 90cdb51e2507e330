// Package play fires a draft's net by hand, one step after the other. It lists the steps taken, the steps that are possible, the norms that
// bind, and the value of each requirement on the run so far. It is independent of terminals and pages.
package play

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/conform"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/phrase"
)

// MaxSteps bounds a run.
const MaxSteps = 20_000

// A Game is a run of a draft, with its current marking. It is not safe for concurrent use.
type Game struct {
	Draft    *compile.Draft
	markings []petri.Marking // before each step, and now
	run      [][]int         // what fired in each step, sorted
	next     []*choices      // by marking; nil: not computed yet
	idle     []int           // ticks that passed in each marking and changed nothing
	duties   *explain.Duties
	watches  []*watch // by requirement
}

// New starts a draft's game in its initial marking.
func New(d *compile.Draft) (*Game, error) {
	switch {
	case d.Spec == nil:
		return nil, errors.New("the contract is ill-formed: 'redline check' says where")
	case d.Unbuilt() != "":
		return nil, errors.New(d.Unbuilt())
	}
	g := &Game{Draft: d, duties: explain.DutiesOf(d)}
	for _, f := range d.Formulas {
		if phrase.ScriptOf(f) != nil {
			f = nil // no run of the game decides it
		}
		g.watches = append(g.watches, newWatch(f))
	}
	g.arrive(petri.Marking(d.Net.Initial))
	return g, nil
}

func (g *Game) arrive(m petri.Marking) {
	g.markings, g.next, g.idle = append(g.markings, m), append(g.next, nil), append(g.idle, 0)
}

// Steps returns the number of steps taken.
func (g *Game) Steps() int { return len(g.run) }

// Marking returns the marking at the end of the run.
func (g *Game) Marking() petri.Marking { return g.markings[len(g.run)] }

// Fire takes a step: transitions that can fire at once, sorted.
func (g *Game) Fire(step []int) error {
	if len(g.run) == MaxSteps {
		return fmt.Errorf("the run has %d steps, which is the maximum", MaxSteps)
	}
	if !g.Draft.Net.IsStep(g.Marking(), g.Draft.Rule, step) {
		return errors.New("that can't happen here")
	}
	after, contact := g.Draft.Net.Fire(g.Marking(), step)
	if contact >= 0 {
		return fmt.Errorf("the contract is ill-formed, since then %s: 'redline check' says more", explain.Collision(g.Draft, contact))
	}
	g.run = append(g.run, slices.Clone(step))
	g.arrive(after)
	return nil
}

// Undo takes the last step back. It returns false if there is none.
func (g *Game) Undo() bool {
	if len(g.run) == 0 {
		return false
	}
	g.run = g.run[:len(g.run)-1]
	g.markings, g.next, g.idle = g.markings[:len(g.run)+1], g.next[:len(g.run)+1], g.idle[:len(g.run)+1]
	for _, w := range g.watches {
		w.forget(len(g.run))
	}
	return true
}

// Random takes one of the possible steps, each with the same probability. It returns false if there is none.
func (g *Game) Random(r *rand.Rand) (bool, error) {
	all, _ := g.Choices()
	if len(all) == 0 {
		return false, nil
	}
	return true, g.Fire(all[r.IntN(len(all))])
}

// Follow takes the steps of a run that conform.Replay has found.
func (g *Game) Follow(ctx context.Context, run []conform.Step) error {
	for i, step := range run {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if len(step.Fired) == 0 {
			g.idle[len(g.run)]++
		} else if err := g.Fire(step.Fired); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return nil
}

// Text returns the run as a log, which can be shared.
func (g *Game) Text() string { return conform.Text(g.Draft, g.log()) }

// Scenario returns the run as the block of a scenario. The error says that no event has happened.
func (g *Game) Scenario(name string) (string, error) {
	block := conform.Scenario(g.Draft, g.log(), name)
	if block == "" {
		return "", errors.New("no event has happened yet")
	}
	return block, nil
}

// log returns the run with the ticks that changed nothing, each a step without transitions.
func (g *Game) log() [][]int {
	var steps [][]int
	for i, idle := range g.idle {
		steps = append(steps, make([][]int, idle)...)
		steps = append(steps, g.run[i:min(i+1, len(g.run))]...)
	}
	return steps
}

// Firings describes the steps from the given one on, counted from 0.
func (g *Game) Firings(from int) []finding.Firing {
	var list []finding.Firing
	for i := from; i < len(g.run); i++ {
		list = append(list, g.firings(i, g.run[i])...)
	}
	return list
}

// FiringsOf describes a step that can be taken now.
func (g *Game) FiringsOf(step []int) []finding.Firing { return g.firings(len(g.run), step) }

func (g *Game) firings(i int, step []int) []finding.Firing {
	var list []finding.Firing
	for _, t := range step {
		list = append(list, explain.Firing(g.Draft, i+1, t, g.markings[i]))
	}
	ticks := 0
	for _, step := range g.run[:i] {
		if slices.ContainsFunc(step, func(t int) bool { return g.Draft.Net.Transitions[t].Moving }) {
			ticks++
		}
	}
	explain.Date(g.Draft, list, ticks)
	return list
}

// States returns the state of each party.
func (g *Game) States() []finding.PartyState { return explain.PartiesAt(g.Draft, g.Marking()) }

// Dues returns the norms that bind or are breached.
func (g *Game) Dues() []explain.Due { return g.duties.In(g.Marking()) }

// Final reports whether the contract may end here.
func (g *Game) Final() conform.Final {
	if g.Draft.Spec.Final == nil {
		return conform.Undeclared
	}
	if g.Draft.Final != nil {
		switch value, known := explain.Truth(g.Draft, g.Marking(), g.Draft.Final); {
		case known && value:
			return conform.IsFinal
		case known:
			return conform.NotFinal
		}
	}
	return conform.Undecided
}
