package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
)

// idle finds what can fire again and again without changing anything: a run may do that for ever.
func (d *Draft) idle() []Diagnostic {
	var list []Diagnostic
	told := make([]bool, len(d.events))
	for _, t := range d.Net.Transitions {
		if len(t.In)+len(t.Out)+len(t.Moves) > 0 || t.Moving || t.Event >= 0 && told[t.Event] {
			continue
		}
		if t.Event >= 0 {
			told[t.Event] = true // once, however many combinations of transitions it has
			e := d.events[t.Event]
			list = append(list, d.finding("idle-self-loop", "event."+e.Name, e.Range,
				fmt.Sprintf("Event %q changes nothing, so it may happen for ever %s.", e.Name, d.meanwhile()),
				"A requirement that something must come (AF, AU) then fails on that run."))
			continue
		}
		name := d.named(t.Parts[0])
		list = append(list, d.finding("idle-self-loop", name, d.part(t.Parts[0]).Range,
			fmt.Sprintf("%s changes nothing and no event mentions it, so it may happen for ever %s.", name, d.meanwhile()),
			"It tests a state for an event to use. Was that event removed? Then a requirement that something must come (AF, AU) fails."))
	}
	return list
}

// meanwhile says when something that changes nothing may happen for ever. Where all that can happen together does, others do not wait.
func (d *Draft) meanwhile() string {
	if d.Rule == petri.All {
		return "where nothing else can happen beside it"
	}
	return "while everybody waits"
}

// withoutIdle drops remarks on what changes nothing and never happens.
func (c *checked[S]) withoutIdle(list []Diagnostic, seen survey) []Diagnostic {
	happens := map[string]bool{}
	for i, t := range c.Net.Transitions {
		switch {
		case !seen.fired[i]:
		case t.Event >= 0:
			happens["event."+c.events[t.Event].Name] = true
		default:
			happens[c.named(t.Parts[0])] = true
		}
	}
	return slices.DeleteFunc(list, func(d Diagnostic) bool { return d.Code == "idle-self-loop" && !happens[d.Subject] })
}

// idleAtTimes finds events that move no party and change a clause or a clock at times only: where they change nothing they can happen for ever.
func (c *checked[S]) idleAtTimes(ctx context.Context) ([]Diagnostic, error) {
	var idle []int
	var groups [][]int
	for i, t := range c.Net.Transitions {
		if t.Event >= 0 && len(t.In)+len(t.Out) == 0 && len(t.Moves) > 0 && !t.Moving {
			idle, groups = append(idle, i), append(groups, []int{i})
		}
	}
	if len(idle) == 0 {
		return nil, nil
	}
	fireable, err := c.model.firing(ctx, groups)
	if err != nil {
		return nil, err
	}
	var list []Diagnostic
	found := map[int]bool{}
	for i, t := range idle {
		e := c.Net.Transitions[t].Event
		changes, err := c.unbounded().Sat(ctx, c.moves(&c.Net.Transitions[t]))
		if err != nil {
			return nil, err
		}
		x := c.model.sets()
		still := x.Minus(fireable[i], changes)
		if found[e] || x.Equal(still, x.Minus(still, still)) {
			continue
		}
		found[e] = true
		list = append(list, c.finding("idle-self-loop", "event."+c.events[e].Name, c.events[e].Range,
			fmt.Sprintf("Event %q can happen without changing anything, so it may happen for ever %s.", c.events[e].Name, c.meanwhile()),
			"A requirement that something must come (AF, AU) then fails on that run."))
	}
	return list, c.model.sets().Err()
}

// moves says that firing a transition would move something that watches its event.
func (d *Draft) moves(t *petri.Transition) *ctl.Formula {
	var some []*ctl.Formula
	for _, v := range t.Moves {
		var all []*ctl.Formula
		for _, p := range slices.Concat(v.If, []int{v.From}) {
			all = append(all, d.marked(p))
		}
		some = append(some, join(ctl.And, all))
	}
	return join(ctl.Or, some)
}
