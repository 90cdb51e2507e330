package behaviour

import (
	"maps"
	"slices"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
)

// An event takes the consent of all who take part in it, so who takes part matters even if the same events happen. Here the participants of each event
// that both drafts have are compared. Each composed transition of the event is one way to bring it about.

// An enactment is how an event comes about in one draft.
type enactment struct {
	ways [][]string      // the parties that each way takes, each way once
	seen map[string]bool // parties that see it, or take part in it
}

// acts returns the events that both sides have and that others bring about or see. fired has the transitions that can fire, by side; nil: all may.
func (x *Observables) acts(drafts [2]*compile.Draft, n compile.Naming, calls finding.Calls, fired [2][]bool) (list []finding.Act) {
	var found [2]map[int]*enactment
	for side, d := range drafts {
		found[side] = map[int]*enactment{}
		follower := followers(d)
		for t, s := range x.Of[side] {
			of := x.All[s]
			if x.Actions[of.Action].Kind != EventAction || fired[side] != nil && !fired[side][t] {
				continue
			}
			e := found[side][of.Action]
			if e == nil {
				e = &enactment{seen: map[string]bool{}}
				found[side][of.Action] = e
			}
			for _, p := range x.partakers(d, t, n.Of(side), follower) { // not who sees only what is owed: that is said with the norm
				if !x.oneMore(x.Parties[p]) {
					e.seen[x.Parties[p]] = true
				}
			}
			way := x.participants(d, t, n.Of(side))
			if !slices.ContainsFunc(e.ways, func(o []string) bool { return slices.Equal(o, way) }) {
				e.ways = append(e.ways, way)
			}
		}
	}
	for at, action := range x.Actions {
		was, now := found[0][at], found[1][at]
		if was == nil || now == nil {
			continue
		}
		for _, e := range []*enactment{was, now} {
			slices.SortFunc(e.ways, slices.Compare[[]string])
		}
		if maps.Equal(was.seen, now.seen) && slices.EqualFunc(was.ways, now.ways, slices.Equal[[]string]) {
			continue
		}
		act := finding.Act{Event: action.Name, Title: x.titles[at], Calls: calls, Was: was.ways, Now: now.ways,
			SeenBefore: slices.SortedFunc(maps.Keys(was.seen), hclspec.Natural), SeenNow: slices.SortedFunc(maps.Keys(now.seen), hclspec.Natural)}
		for _, p := range x.Parties {
			if !x.in[0][p] || !x.in[1][p] {
				continue
			}
			more, less := moreSay(was.ways, now.ways, p), moreSay(now.ways, was.ways, p)
			if alone := []string{p}; slices.ContainsFunc(was.ways, func(way []string) bool { return slices.Equal(way, alone) }) && owes(drafts[1], n.Of(1), action.Name, p) {
				more = false // it could perform its duty alone before; that others can't any more is no gain
			}
			switch {
			case more && !less:
				act.Better = append(act.Better, p)
			case less && !more && !relieved(drafts, n, was, now, action.Name, p):
				act.Worse = append(act.Worse, p)
			}
		}
		list = append(list, act)
	}
	return list
}

// participants returns the parties that a transition takes, sorted. What happens by itself takes none, and that a phase begins is no act of who plays in it.
func (x *Observables) participants(d *compile.Draft, t int, to compile.SideNaming) []string {
	all := []string{}
	if e := explain.Event(d, t); e != nil && e.Due != nil {
		return all
	}
	for _, p := range d.Net.Transitions[t].Parts {
		if party := d.Parties[p.Net]; !party.IsNet && !d.Part(p).Passive && slices.Contains(x.Parties, to.Reader(party)) {
			all = append(all, to.Reader(party))
		}
	}
	slices.SortFunc(all, hclspec.Natural)
	return slices.Compact(all)
}

// relieved reports whether an event performs an obligation that a party does not owe any more, or that others can perform now, too, while the party can as before. A
// party is not worse off by being relieved of its duty.
func relieved(drafts [2]*compile.Draft, n compile.Naming, was, now *enactment, event, party string) bool {
	if !owes(drafts[1], n.Of(1), event, party) {
		return owes(drafts[0], n.Of(0), event, party)
	}
	return !slices.ContainsFunc(was.ways, func(way []string) bool {
		return !slices.ContainsFunc(now.ways, func(o []string) bool { return slices.Equal(o, way) })
	})
}

// owes reports whether an event performs an obligation that a party bears.
func owes(d *compile.Draft, of compile.SideNaming, event, party string) bool {
	return slices.ContainsFunc(d.Spec.Norms, func(o *hclspec.Norm) bool {
		return o.Kind == hclspec.Obligation && slices.ContainsFunc(o.Acts, func(e *hclspec.Event) bool { return of.Event(e.Name) == event }) &&
			slices.ContainsFunc(d.Parties, func(p *hclspec.Party) bool { return of.Reader(p) == party && o.Borne(p) })
	})
}

// oneMore reports whether one draft alone has a party, which is one of several of a kind that both have: that there are more of them is said elsewhere.
func (x *Observables) oneMore(party string) bool {
	kind := compile.WithoutIndex(party)
	alike := func(in map[string]bool) bool {
		for p := range in {
			if compile.WithoutIndex(p) == kind {
				return true
			}
		}
		return false
	}
	return kind != party && x.in[0][party] != x.in[1][party] && alike(x.in[0]) && alike(x.in[1])
}

// moreSay reports whether a party can bring an event about now with fewer others than before, or with others, or whether it is needed now in every way
// and was not.
func moreSay(was, now [][]string, party string) bool {
	takes := func(way []string) bool { return slices.Contains(way, party) }
	needed := func(ways [][]string) bool {
		return !slices.ContainsFunc(ways, func(way []string) bool { return !takes(way) })
	}
	return needed(now) && !needed(was) || slices.ContainsFunc(now, func(way []string) bool {
		return takes(way) && !slices.ContainsFunc(was, func(o []string) bool { return takes(o) && len(without(o, way)) == 0 })
	})
}

// A sameSteps has prospects that are compared after the same steps: those that both versions have, but for the events that take the act of fewer now.
type sameSteps struct {
	of    []int                 // numbers of the prospects
	freer map[string][][]string // those events, and whose act they took
	kept  Observer              // of all other steps that both have
}

// sameSteps returns which prospects of a list are compared after which steps. Both sides of an obligation lose if its bearers need others, so no consent
// excuses that: then an event counts as the same if it did not take the act of those whom the obligation is about, or still does.
func (c *comparison) sameSteps(d *finding.Difference, list []prospect) (all []sameSteps) {
	shared := c.shared()
	for i, of := range list {
		freer := map[string][][]string{}
		for _, a := range d.Acts {
			same := func(way []string) bool { return c.consent(of, way, a.Was) }
			if a.Freer() && (of.how != finding.TurnFulfilledAlone || slices.ContainsFunc(a.Now, func(way []string) bool { return !same(way) })) {
				freer[a.Event] = a.Was
			}
		}
		at := slices.IndexFunc(all, func(g sameSteps) bool {
			return maps.EqualFunc(g.freer, freer, func(a, b [][]string) bool { return true })
		})
		if at < 0 {
			at = len(all)
			all = append(all, sameSteps{nil, freer, func(s Sight) bool { return shared(s) && (s.Action < 0 || freer[c.Actions[s.Action].Name] == nil) }})
		}
		all[at].of = append(all[at].of, i)
	}
	return all
}

// consents reports whether a prospect is given up by the last step of a pairing.
func (l *outlook) consents(of prospect, p pairing) bool {
	step, _ := l.sides[1].fires(int(l.all[p.parent].own), p.arc)
	return l.giveUp(of, step, l.freer[l.Actions[l.lastSeen(p)[0]].Name])
}

// giveUp reports whether those who lose a prospect by a step of head give it up. Ways has those that base has for its event, if it takes the act of fewer now.
func (c *comparison) giveUp(of prospect, step []int, ways [][]string) bool {
	var who []string
	for _, t := range step {
		who = append(who, c.participants(c.sides[1].Draft, t, c.Names.Of(1))...)
	}
	return of.how != finding.TurnFulfilledAlone && c.consent(of, who, ways)
}

// consent reports whether all who gain by a norm are among some, or whether others could bring about an event without any of them, by the ways that base has. If it is about what takes
// nobody else, those who bear the norm are asked, too.
func (c *comparison) consent(of prospect, who []string, ways [][]string) bool {
	s := c.norms[of.norm].of[1]
	agree := func(all []string) bool {
		lacks := func(way []string) bool {
			return !slices.ContainsFunc(all, func(name string) bool { return slices.Contains(way, name) })
		}
		return len(all) > 0 && len(without(all, who)) == 0 || slices.ContainsFunc(ways, lacks)
	}
	return agree(s.gain) && (of.how != finding.TurnFulfilledAlone || agree(s.bear))
}

// An event that is due comes by itself, before all others. So one version may have a step at once, and the other in the same instant after such an event: nothing is lost by that.

// due returns the actions of a side that come by themselves.
func (c *comparison) due(side int) map[int]bool {
	due := map[int]bool{}
	for t, sight := range c.Of[side] {
		if e := explain.Event(c.sides[side].Draft, t); e != nil && e.Due != nil {
			due[c.All[sight].Action] = true
		}
	}
	return due
}

// allDue reports whether all of an observation comes by itself.
func allDue(seen Observation, due map[int]bool) bool {
	return !slices.ContainsFunc(seen, func(a int) bool { return !due[a] })
}

// firstByItself says why something is not known on diagrams, where one run to it is looked at.
func firstByItself(what string) string {
	return "on diagrams one run is looked at, and before the last step of that to " + what + " something comes first by itself"
}

// later follows a step from a pairing that the other side has only after what comes by itself.
func (s *pairSearch) later(p pairing, next *pairing, word uint32) (err error) {
	due := s.due(1 - s.side)
	if len(due) == 0 || len(next.others) > 0 || word == delta.Silent {
		return nil
	}
	words := []uint32{delta.Silent}
	for w, seen := range s.words {
		if len(seen) > 0 && allDue(seen, due) {
			words = append(words, uint32(w))
		}
	}
	states, err := s.with(slices.Clone(p.others), words)
	if err == nil {
		next.others, err = s.after(states, word)
	}
	return err
}

// comes adds the markings that are reachable by what comes by itself.
func (f *follower) comes(from crowd, due map[int]bool) (crowd, error) {
	all := slices.Clone(from)
	f.round++
	for _, m := range all {
		f.first(m)
	}
	for i := 0; i < len(all); i++ {
		moves, err := f.moves(all[i])
		if err != nil {
			return nil, err
		}
		for _, v := range moves {
			if allDue(v.seen, due) && f.first(v.to) {
				all = append(all, v.to)
			}
		}
	}
	return all, nil
}

// comesThen reports whether a side has a step that turns a norm after what comes by itself in some of its markings.
func (c *comparison) comesThen(f *follower, side int, t turnBy, step Observation, from []petri.Marking) (bool, error) {
	due, p := c.due(side), c.postures(side)
	if len(due) == 0 {
		return false, nil
	}
	var all crowd
	for _, m := range from {
		all = append(all, f.numbered(m))
	}
	all, err := f.comes(all, due)
	for i := 0; err == nil && i < len(all); i++ {
		var moves []move
		moves, err = f.moves(all[i])
		for _, v := range moves {
			turns := c.norms[t.norm].of[side].turns(c.Actions[t.action].Name, p.of(f.marks[all[i]])[t.norm], p.of(f.marks[v.to])[t.norm])
			if slices.Equal(v.seen, step) && slices.Contains(turns, t.how) {
				return true, nil
			}
		}
	}
	return false, err
}
