package behaviour

import (
	"cmp"
	"slices"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec/construct"
)

// owing compares what is owed, and describes it. Where only the ticks of a norm differ, the parties still owe the same. So owing compares
// again by fates. That finds a run after which a norm is live for others, or breached, or over, where it was not before, or proves that there
// is none.
func (c *comparison) owing(ask func(as aspect) askedOf, reason func(error) string) *finding.Owed {
	o := c.owedOf(ask(withTicks), reason)
	if len(o.Norms) == 0 {
		return o
	}
	fates := c.owedOf(ask(withFates), reason)
	list := fates.Norms
	for _, d := range o.Norms {
		if slices.ContainsFunc(fates.Norms, d.SameNorm) {
			continue
		}
		if ticksAlone(d) {
			switch {
			case fates.Relation == delta.Unknown || fates.Reason != "":
				d.Reason = cmp.Or(fates.Reason, "it was not compared to the end")
			case fates.Unshown > 0:
				d.Reason = "something that is owed differs, and no single run shows what"
			default:
				d.TimeAlone, d.Better, d.Worse = true, nil, nil // a deadline that never comes is better for no party
			}
		}
		list = append(list, d)
	}
	at := func(d finding.NormDifference) int { // what the amendment changes itself comes before what follows from it
		i := slices.IndexFunc(c.norms, func(n norm) bool { return n.is(d) })
		if d.Amended(c.Changes) {
			return i
		}
		return len(c.norms) + i
	}
	slices.SortStableFunc(list, func(a, b finding.NormDifference) int { return at(a) - at(b) })
	o.Norms = list
	return o
}

// ticksAlone reports whether the other side can be in the state of the run's end, but for the ticks left.
func ticksAlone(d finding.NormDifference) bool {
	return slices.ContainsFunc(d.Was, func(was finding.NormState) bool {
		return slices.ContainsFunc(d.Now, func(now finding.NormState) bool { return withoutTicks(was) == withoutTicks(now) })
	})
}

// isEnd reports whether a norm is the end of the contract.
func (n *norm) isEnd() bool {
	return slices.ContainsFunc(n.of[:], func(s *normSide) bool { return s != nil && s.kind == finding.EndOfContract })
}

// is reports whether a difference is of the norm.
func (n *norm) is(d finding.NormDifference) bool {
	return n.name == d.Norm && n.isEnd() == (d.Kind == finding.EndOfContract)
}

// owedOf returns the result of one comparison as data.
func (c *comparison) owedOf(found askedOf, reason func(error) string) *finding.Owed {
	o := &finding.Owed{Relation: found.relation, Reason: found.reason}
	if found.err != nil {
		o.Reason = reason(found.err)
	}
	if found.confirmation.err != nil {
		return &finding.Owed{Reason: doesNotReplay + found.confirmation.err.Error()}
	}
	if o.Relation == delta.Same {
		o.Reason = ""
		return o
	}
	o.Norms, o.Unshown = c.normDifferences(found.owed), found.leftOut
	return o
}

// A shownNorm is a difference with the number of observations of its run.
type shownNorm struct {
	finding.NormDifference
	length int
}

// normDifferences returns, for each norm, the shortest run after which its state differs, and one of the runs that were found for each other
// way in which that is better or worse for parties.
func (c *comparison) normDifferences(runs [2][]owedRun) (list []finding.NormDifference) {
	for i := range c.norms {
		var all, kept []shownNorm
		for side, found := range runs {
			for _, w := range found {
				if own := c.termsOf(w.own, i); len(own) > 0 {
					all = append(all, shownNorm{c.shownNorm(i, side, w, own), w.length()})
				}
			}
		}
		slices.SortStableFunc(all, func(a, b shownNorm) int {
			return cmp.Or(cmp.Compare(a.length, b.length), cmp.Compare(a.elsewhere(), b.elsewhere()))
		})
		for _, s := range all {
			if !slices.ContainsFunc(kept, s.repeats) {
				kept, list = append(kept, s), append(list, s.NormDifference)
			}
		}
	}
	return list
}

// length returns the number of observations of a run, or of its steps if time is none.
func (w *owedRun) length() int {
	if w.untimed {
		return len(w.steps)
	}
	return len(w.sequence)
}

func (c *comparison) shownNorm(i, side int, w owedRun, own []finding.NormState) finding.NormDifference {
	d, others := c.normDifference(i), c.termsOf(w.others, i)
	if d.Untimed = w.untimed; w.untimed {
		others = greatest(own, others)
	}
	d.Run, d.Side = c.renderRun(side, w.walk), onlyIn(side)
	d.End = explain.PartiesAt(c.sides[side].Listed.Checked.Draft, w.markings[len(w.markings)-1])
	if d.Was, d.Now = own, others; side == 1 {
		d.Was, d.Now = others, own
	}
	d.WasOver, d.NowOver = w.over[0][i], w.over[1][i]
	d.Later = c.later(w.later[i])
	d.Ends = c.endsOf(w, &d)
	if slices.Contains(w.lost, i) || c.ownChoice(i, side, &w) {
		return d
	}
	of, end := c.norms[i].of[side], w.markings[len(w.markings)-1]
	if !w.untimed || !inTime(&d) && (of == nil || !end.Has(of.fulfilled) || of.easier(c.norms[i].of[1-side])) {
		d.Better, d.Worse = c.weigh(i, side, own, c.apart(i, w, own)) // another act in the place of one is neither better nor worse by itself
	}
	return d
}

// ownChoice reports whether a norm is over in one version alone because it was used there: a power that suspends, and may be worth more in use than held again; or by an act that counts
// for it in that version alone, and in which all take part who gain by it. Such an act is theirs to do or not, so it is no loss; nor is it known to be a gain for the others.
func (c *comparison) ownChoice(i, side int, w *owedRun) bool {
	for of, s := range c.norms[i].of {
		other := c.norms[i].of[1-of]
		if s == nil || other == nil || !slices.Equal(w.over[of][i], []string{construct.NormOf(s.kind).Done}) || len(w.over[1-of][i]) > 0 {
			continue
		}
		if s.suspends {
			return true
		}
		acts := without(s.acts, other.acts)
		for _, t := range slices.Concat(w.steps...) {
			if act := c.Actions[c.All[c.Of[side][t]].Action]; act.Kind == EventAction && slices.Contains(acts, act.Name) {
				return c.takesPart(of, act.Name, s.gain)
			}
		}
	}
	return false
}

// takesPart reports whether an event takes the act of all of some parties on a side, in each of its ways.
func (c *comparison) takesPart(side int, event string, all []string) bool {
	for t, sight := range c.Of[side] {
		act := c.Actions[c.All[sight].Action]
		if act.Kind == EventAction && act.Name == event && len(without(all, c.participants(c.sides[side].Draft, t, c.Names.Of(side)))) > 0 {
			return false
		}
	}
	return len(all) > 0
}

// easier reports whether all that fulfils an obligation on another side fulfils it, too, and more does.
func (s *normSide) easier(than *normSide) bool {
	if than == nil || len(s.acts)*len(than.acts) == 0 {
		return false
	}
	fewer := len(without(s.acts, than.acts)) == 0 // acts than the other has
	more := len(without(than.acts, s.acts)) == 0
	one, oneThere := !s.allActs, !than.allActs || len(than.acts) == 1
	switch {
	case one && oneThere:
		return more && !fewer
	case !one && !oneThere:
		return fewer && !more
	}
	return one && len(without(s.acts, than.acts)) < len(s.acts) // one is enough of all that it takes there
}

// apart returns the states of a norm that only the other side can have after a run, or all of them if the side of the run can have each, too.
func (c *comparison) apart(i int, w owedRun, own []finding.NormState) []finding.NormState {
	all := c.termsOf(w.others, i)
	if only := c.termsOf(without(w.others, w.beside), i); len(only) > 0 {
		all = only
	}
	if w.untimed {
		return greatest(own, all)
	}
	return all
}

// elsewhere returns 0 if the run is of base and the norm is live there at its end, or if it is of head and the norm is not live on base;
// else 1.
func (s *shownNorm) elsewhere() int {
	return verify.ZeroOrOne((s.Side == onlyIn(0)) != (s.Was[0].State != ""))
}

// repeats reports whether a difference shows nothing that the other does not: it is better and worse for the same parties or, if it is for
// none, of the same states.
func (s *shownNorm) repeats(o shownNorm) bool {
	if !slices.Equal(s.Better, o.Better) || !slices.Equal(s.Worse, o.Worse) {
		return false
	}
	return len(s.Better)+len(s.Worse) > 0 || slices.Equal(s.Was, o.Was) && slices.Equal(s.Now, o.Now)
}
