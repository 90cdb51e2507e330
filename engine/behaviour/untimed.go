package behaviour

import (
	"cmp"
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/finding"
)

// Where an amendment moves an early step in time, or puts another before it, no run to what comes later may be left that both versions have. So where
// steps differ, what is owed is compared once more after the same events: time is hidden, and so is what one version alone has. If a norm can be in a
// state then in one version, and can't in the other, whatever time passes, that is a difference.

// sharedEvents returns the observer of the actions that both sides have, without time, and of all norms.
func (x *Observables) sharedEvents() Observer {
	var has [2]map[int]bool
	for side, of := range x.Of {
		has[side] = map[int]bool{}
		for _, s := range of {
			has[side][x.All[s].Action] = true
		}
	}
	return func(s Sight) bool {
		if s.Action == glanceAction {
			return len(s.not) == 0
		}
		return s.Action != x.Time && has[0][s.Action] && has[1][s.Action]
	}
}

// byItself returns the observer of sharedEvents and of time, but for the events that happen by themselves when they are due, if there are any and the
// versions part ways. Whatever such an event's place is among the others, after some time it has happened in one version and not in the other.
func (c *comparison) byItself(b *finding.Behaviour) (o Observer, some bool) {
	due := map[int]bool{}
	for side, d := range []*compile.Draft{c.Base.Draft, c.Head.Draft} {
		for _, e := range d.Urgent() {
			due[slices.Index(c.Actions, Action{EventAction, c.Names.Of(side).Event(e.Name)})] = true
		}
	}
	shared := c.sharedEvents()
	return func(s Sight) bool { return shared(s) && !due[s.Action] || s.Action == c.Time && c.Time >= 0 }, len(due) > 0 && b.Owed != nil && partWays(b)
}

// parts reports whether the versions part ways before all is compared of a norm that the amendment changes, by something that shared does not see.
func (c *comparison) parts(b *finding.Behaviour, shared Observer) bool {
	return b.Owed != nil && partWays(b) &&
		slices.ContainsFunc(c.norms, c.amends) && slices.ContainsFunc(c.All[:c.plain], func(s Sight) bool { return !shared(s) })
}

// partWays reports whether steps of one version are refused by the other.
func partWays(b *finding.Behaviour) bool {
	return slices.Contains([]delta.Relation{delta.More, delta.Less, delta.Both}, b.Relation)
}

// amends reports whether the amendment changes the text of a norm.
func (c *comparison) amends(n norm) bool {
	i := slices.IndexFunc(c.norms, func(o norm) bool { return o.name == n.name && o.isEnd() == n.isEnd() })
	d := c.normDifference(i)
	return !n.isEnd() && d.Amended(c.Changes)
}

// untimed adds to a behaviour the norms that bind others, or none, after the same events. Whether they are owed or breached by then is a matter of time.
// Ticks are compared of norms alone whose time is another by their text: of any other, less is left the later an event happens. Last come the norms that
// differ after the same events at the same time, whatever has happened by itself.
func (c *comparison) untimed(ctx context.Context, b *finding.Behaviour) {
	found := func(o Observer, as aspect) *finding.Owed {
		g := c.language(o, as)
		return c.owedOf(c.ask(ctx, g, "", o, len(g.words)), c.Budget.Reason)
	}
	if o := c.sharedEvents(); c.parts(b, o) {
		c.addUntimed(b.Owed, found(o, untimedBonds), c.amends)
		if slices.ContainsFunc(c.norms, norm.rescheduled) {
			c.addUntimed(b.Owed, found(o, untimedTicks), func(n norm) bool { return c.amends(n) && n.rescheduled() })
		}
	}
	if o, some := c.byItself(b); some {
		c.addUntimed(b.Owed, found(o, timedFates), func(norm) bool { return true })
	}
}

// rescheduled reports whether both sides have the norm, and not with the same time.
func (n norm) rescheduled() bool {
	was, now := n.of[0], n.of[1]
	return was != nil && now != nil && len(was.left) != len(now.left)
}

// addUntimed adds what was found of some of the norms, unless as much is known of them: what is better, or worse, for the same
// parties, or of what is neither, a difference after the same run or, where it is a matter of time, any.
func (c *comparison) addUntimed(to, found *finding.Owed, of func(norm) bool) {
	for _, d := range found.Norms {
		i := slices.IndexFunc(c.norms, func(n norm) bool { return n.is(d) })
		known := slices.ContainsFunc(to.All(), func(o finding.NormDifference) bool {
			return o.SameNorm(d) && (slices.Equal(o.Worse, d.Worse) || len(d.Better) > 0 && slices.Equal(o.Better, d.Better) || len(d.Better)+len(d.Worse) == 0 && (inTime(&d) || finding.SameRun(o.Run, d.Run)))
		})
		if of(c.norms[i]) && !known {
			to.Untimed = append(to.Untimed, d)
		}
	}
	if found.Relation == delta.Unknown || found.Reason != "" {
		to.UntimedReason = cmp.Or(found.Reason, "it was not compared to the end")
	}
}

// sameBond reports whether a norm binds the same parties in two states, breached or not, or none in both.
func sameBond(a, b finding.NormState) bool {
	return (a.State == "") == (b.State == "") && a.Bearer == b.Bearer && a.Counterparty == b.Counterparty
}

// inTime reports whether a norm is breached on one side and over on the other after the same events. The events happened at other times there, so this weighs for nobody: if a
// breach ends the contract, for instance, they can happen only where the norm was kept.
func inTime(d *finding.NormDifference) bool {
	breached := func(list []finding.NormState) bool {
		return !slices.ContainsFunc(list, func(s finding.NormState) bool { return s.State != "breached" })
	}
	over := func(come []string) bool { return len(come) > 0 && !slices.Contains(come, "") }
	return breached(d.Was) && over(d.NowOver) || breached(d.Now) && over(d.WasOver)
}

// greatest returns the states of the other side in which a norm can be after the same events: if its own state is among them but for the ticks, that one
// with the most ticks, else each without its ticks.
func greatest(own, others []finding.NormState) (list []finding.NormState) {
	for _, s := range others {
		for _, o := range own {
			if withoutTicks(o) == withoutTicks(s) && (list == nil || s.Ticks > list[0].Ticks) {
				list = []finding.NormState{s}
			}
		}
	}
	if list != nil {
		return list
	}
	for _, s := range others {
		if s = withoutTicks(s); !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}
