package behaviour

import (
	"errors"
	"maps"
	"slices"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/construct"
)

// Differences in the states of norms are replayed before they are shown: a run on its own draft, and all markings that the other draft can
// be in after the same observations.

// A normView has glances at norms, and the term that each observes.
type normView struct {
	glances []glance
	terms   []int
}

// look makes a follower observe the norms of its side like an observer.
func (f *follower) look(x *Observables, side int, o Observer, as aspect) {
	f.shifted, f.owed, f.exact = x.shifted(), x.normView(side, o, as), x.normView(side, o, withTicks)
	if as >= timedFates {
		f.shifted = noShift
	}
	if f.untimed = as.untimed(); f.untimed {
		f.time = -1
	}
}

// normView returns what an observer sees of the norms of one side.
func (x *Observables) normView(side int, o Observer, as aspect) (l normView) {
	for _, g := range x.glancesOf(side, as) {
		if s := x.All[g.sight]; o.sees(s) {
			l.glances, l.terms = append(l.glances, g), append(l.terms, x.termAs(s.term, as))
		}
	}
	return l
}

// glancesOf returns the glances at the norms of one side.
func (x *Observables) glancesOf(side int, as aspect) []glance {
	if as.fates() {
		return x.fates[side]
	}
	return x.glances[side]
}

// at returns the terms that are observed in a marking, sorted.
func (l *normView) at(m petri.Marking) (terms []int) {
	for i, g := range l.glances {
		if g.has(m) {
			terms = append(terms, l.terms[i])
		}
	}
	slices.Sort(terms)
	return terms
}

// shown returns the observation of a step. A step that is otherwise silent and changes the terms is observed as a shift.
func (f *follower) shown(seen Observation, before, after petri.Marking) Observation {
	if len(seen) > 0 || f.shifted == noShift || len(f.owed.glances) == 0 || slices.Equal(f.owed.at(before), f.owed.at(after)) {
		return seen
	}
	return Observation{f.shifted}
}

// noShift is the observation of a shift where there is none.
const noShift = -1

// An owedRun is a run of one side that ends with terms that the other side cannot have after the same observations.
type owedRun struct {
	walk
	untimed  bool // the other side is anywhere after the same events: see comparison.untimed
	sequence []Observation
	own      []int       // terms, with ticks, of the norms for which the other side cannot have what is observed here
	others   []int       // terms, with ticks, that the other side can have
	beside   []int       // terms, with ticks, that the same side can have after the same observations, where they differ in what is not observed
	later    map[int]int // by norm that does not bind on the other side: ticks after which it does; 0: see follower.owedLater
	lost     []int       // norms in whose state the other side falls behind before the last observation: no telling whether this end is better
	ends     [2][]ending
	over     [2]map[int][]string // by side and norm: what it has come to where it does not bind, sorted; "": it has not begun
}

// idling adds what the norms of a side have come to in a marking where they do not bind.
func (x *Observables) idling(w *owedRun, side int, m petri.Marking) {
	if w.over[side] == nil {
		w.over[side] = map[int][]string{}
	}
	for i, n := range x.norms {
		if n.of[side] == nil || n.isEnd() {
			continue
		}
		if come, idle := n.of[side].idle(m); idle && !slices.Contains(w.over[side][i], come) {
			w.over[side][i] = append(w.over[side][i], come)
			slices.Sort(w.over[side][i])
		}
	}
}

// replayNorm replays a run, and keeps it if the other side cannot have a term of its end. refused is a term, or the shift; after a shift, the
// other side is examined without it.
func (c *confirmation) replayNorm(x *Observables, follow [2]*follower, side int, run walk, refused Observation) error {
	sequence, err := follow[side].replayed(run)
	if err != nil {
		return err
	}
	before := sequence
	if refused[0] == follow[side].shifted {
		if len(sequence) == 0 || !slices.Equal(sequence[len(sequence)-1], refused) {
			return errors.New("its last step is another one")
		}
		before = sequence[:len(sequence)-1]
	}
	crowd, failed, err := follow[1-side].Along(before)
	switch {
	case errors.Is(err, errTooFar):
		c.leftOut++
		return nil
	case err != nil:
		return err
	case failed < len(before):
		return errors.New("the other draft refuses a step on the way")
	}
	w, other := owedRun{walk: run, sequence: sequence, untimed: follow[side].untimed}, follow[1-side]
	var theirs []int
	for _, m := range crowd {
		exact := other.exact.at(other.marks[m])
		x.idling(&w, 1-side, other.marks[m])
		theirs, w.others = append(theirs, other.owed.at(other.marks[m])...), append(w.others, exact...)
		if len(w.ends[1-side]) <= mostEnds {
			w.ends[1-side] = append(w.ends[1-side], ending{other.marks[m], exact})
		}
	}
	w.others = distinctSorted(w.others)
	end, differs := run.markings[len(run.markings)-1], map[int]bool{}
	w.ends[side] = []ending{{end, follow[side].exact.at(end)}}
	x.idling(&w, side, end)
	for _, t := range follow[side].owed.at(end) {
		if !slices.Contains(theirs, t) {
			differs[x.terms[t].norm] = true
		}
	}
	for _, t := range follow[side].exact.at(end) {
		if differs[x.terms[t].norm] {
			w.own = append(w.own, t)
		}
	}
	if among, _, err := follow[side].Along(before); err == nil {
		for _, m := range among {
			w.beside = append(w.beside, follow[side].exact.at(follow[side].marks[m])...)
		}
	}
	if !w.untimed {
		w.later = x.owedLater(other, crowd, w.own, w.others)
	}
	if len(w.own) == 0 { // no single run shows the difference
		c.leftOut++
		return nil
	}
	for _, norm := range slices.Sorted(maps.Keys(differs)) {
		if !x.keepsUp(follow, side, run, len(before), len(sequence), norm) {
			w.lost = append(w.lost, norm)
		}
	}
	c.owed[side] = append(c.owed[side], w)
	return nil
}

// owedLater returns, for each norm that binds by some terms and not by those of the other side, the least number of ticks after which the other side can be in
// such a term but for the ticks left, if nothing else is observed meanwhile.
func (x *Observables) owedLater(other *follower, at crowd, own, others []int) map[int]int {
	tick, later := other.tick(), map[int]int{}
	waiting := map[int][]finding.NormState{}
	for _, own := range own {
		binds := func(t int) bool { return x.terms[t].norm == x.terms[own].norm && x.terms[t].State != "" }
		if of := x.terms[own]; binds(own) && of.State != "breached" && !x.norms[of.norm].isEnd() && !slices.ContainsFunc(others, binds) {
			waiting[of.norm] = append(waiting[of.norm], withoutTicks(of.NormState))
		}
	}
	left := other.left
	other.left = min(left, mostWaiting)
	defer func() { other.left = left }()
	for n := 1; n <= longestWait && tick >= 0 && len(waiting) > 0; n++ {
		next, err := other.after(at, Observation{tick})
		if err != nil || len(next) == 0 || sameCrowd(at, next) {
			break
		}
		at = next
		for _, m := range at {
			for _, t := range other.exact.at(other.marks[m]) {
				if of := x.terms[t]; slices.Contains(waiting[of.norm], withoutTicks(of.NormState)) {
					later[of.norm] = n
					delete(waiting, of.norm)
				}
			}
		}
	}
	return later
}

// keepsUp reports whether the other side can stand as a run does in a norm, after each of the first observations of a run but the last of all. Else it is
// by what the observer does not see that the two came apart before, and what they stand in at the end belongs to different stories.
func (x *Observables) keepsUp(follow [2]*follower, side int, run walk, first, all, norm int) bool {
	own, other := follow[side], follow[1-side]
	if own.shifted == noShift || !slices.Contains(other.Seen, -1) {
		return true
	}
	state := func(f *follower, m petri.Marking) string {
		for _, t := range f.exact.at(m) {
			if x.terms[t].norm == norm {
				return x.terms[t].State
			}
		}
		return ""
	}
	crowd, err := other.start()
	for i, seen := 0, 0; seen < first && err == nil; i++ {
		word, _, failed := own.replayStep(run.markings[i], run.steps[i])
		if failed != nil || len(word) == 0 {
			continue
		}
		crowd, err = other.after(crowd, word)
		seen++
		switch stood, stands := state(own, run.markings[i]), state(own, run.markings[i+1]); {
		case seen == all && word[0] == own.shifted && stood == stands:
			return false // the last change is of another norm
		case seen < all:
			crowd = slices.DeleteFunc(crowd, func(m int) bool { return state(other, other.marks[m]) != stands })
		}
	}
	return err != nil || len(crowd) > 0
}

// concerned reports whether an observer sees anything of norms.
func (x *Observables) concerned(o Observer) bool {
	return slices.ContainsFunc(x.All[x.plain:], func(s Sight) bool { return o.sees(s) })
}

// sameNorms reports whether both drafts have the same norms for the same parties.
func (x *Observables) sameNorms() bool {
	return !slices.ContainsFunc(x.norms, func(n norm) bool {
		a, b := n.of[0], n.of[1]
		return a == nil || b == nil || a.kind != b.kind || !slices.EqualFunc(a.tenures, b.tenures, sameParties) || len(a.left) != len(b.left) || len(a.kept) != len(b.kept)
	})
}

func sameParties(a, b tenure) bool { return a.bearer == b.bearer && a.counterparty == b.counterparty }

// same sets a difference in which no observer can tell the drafts apart.
func (x *Observables) same(d *finding.Difference, all Observer) {
	x.each(d, all, x.indistinct)
	if all != nil {
		d.Whole = &finding.Behaviour{Relation: delta.Same, Owed: &finding.Owed{Relation: delta.Same}}
	}
}

// indistinct sets a behaviour in which the observer cannot tell the drafts apart.
func (x *Observables) indistinct(b *finding.Behaviour, o Observer) {
	if b.Relation = delta.Same; x.concerned(o) {
		b.Owed = &finding.Owed{Relation: delta.Same}
	}
}

// normDifference returns a difference with the names of a norm: on head, or on base if only base has it.
func (c *comparison) normDifference(i int) finding.NormDifference {
	n := c.norms[i]
	s := n.of[1]
	if s == nil {
		s = n.of[0]
	}
	return finding.NormDifference{Norm: n.name, Kind: s.kind, Title: s.title, Calls: c.calls(), Unit: c.unit}
}

// termsOf returns the states of one norm among some terms.
func (x *Observables) termsOf(terms []int, norm int) (list []finding.NormState) {
	for _, t := range terms {
		if x.terms[t].norm == norm {
			list = append(list, x.terms[t].NormState)
		}
	}
	return list
}

// weigh returns the parties for which the state of a norm is better or worse now, from its states on the side of a run and on the other. A party is
// listed only if no combination of states contradicts it. A power that only relieves others is weighed for them, not for its bearer.
func (c *comparison) weigh(i, side int, own, others []finding.NormState) (better, worse []string) {
	kind, before, after := c.normDifference(i).Kind, own, others
	if side == 1 {
		before, after = others, own
	}
	for _, p := range c.Parties {
		gains, losses := 0, 0
		for _, was := range before {
			for _, now := range after {
				was, now := c.norms[i].gainedBy(0, was), c.norms[i].gainedBy(1, now)
				for _, gain := range []int{stake(kind, now, p) - stake(kind, was, p), backing(kind, was, now, p)} {
					gains, losses = gains+verify.ZeroOrOne(gain > 0), losses+verify.ZeroOrOne(gain < 0)
				}
			}
		}
		switch {
		case gains > 0 && losses == 0:
			better = append(better, p)
		case losses > 0 && gains == 0:
			worse = append(worse, p)
		}
	}
	return better, worse
}

// gainedBy returns the state of a norm on one side as that of those whom it favours, if these are not its bearers.
func (n *norm) gainedBy(side int, s finding.NormState) finding.NormState {
	if of := n.of[side]; of != nil && of.favours != "" && s.State != "" {
		s.Bearer, s.Counterparty = of.favours, ""
	}
	return s
}

// mostTicks is greater than any deadline.
const mostTicks = 1 << 20

// backing returns 1 if more parties than before answer to a counterparty for what they owe it or may not do, or fewer hold something against it; -1
// the other way round; 0 where it is not the counterparty in both states, or where one bearer takes another's place.
func backing(kind string, was, now finding.NormState, party string) int {
	before, after := hclspec.Parted(was.Bearer), hclspec.Parted(now.Bearer)
	own := func(s finding.NormState, bearers []string) bool {
		return s.State != "" && slices.Contains(hclspec.Parted(s.Counterparty), party) && !slices.Contains(bearers, party)
	}
	within := func(some, all []string) bool {
		return !slices.ContainsFunc(some, func(p string) bool { return !slices.Contains(all, p) })
	}
	gain := 0
	switch {
	case !own(was, before) || !own(now, after) || len(before) == len(after):
	case within(before, after):
		gain = 1
	case within(after, before):
		gain = -1
	}
	if !construct.NormOf(kind).Burdens {
		gain = -gain
	}
	return gain
}

// stake returns the value of a norm to a party: greater for a beneficiary, less for a burdened party, 0 if the norm is not live or not the
// party's. An obligation weighs more the sooner it is due, less while it is suspended, and most once it is breached. Other norms with an end weigh more the longer they
// last. A breached prohibition binds no more, and its breach is held against its bearer.
func stake(kind string, s finding.NormState, party string) int {
	weight := 0
	switch {
	case s.State == "":
		return 0
	case s.State == "breached":
		weight = 2*mostTicks + 1
	case s.State == construct.Suspended && s.Ticks > 0:
		weight = mostTicks - s.Ticks
	case s.State == construct.Suspended:
		weight = 1
	case kind == "obligation" && s.Ticks > 0:
		weight = 2*mostTicks - s.Ticks
	case kind == "obligation":
		weight = mostTicks
	case s.Ticks > 0:
		weight = s.Ticks
	default:
		weight = mostTicks
	}
	if construct.NormOf(kind).Burdens {
		weight = -weight // for its bearer
	}
	switch {
	case slices.Contains(hclspec.Parted(s.Bearer), party):
		return weight
	case slices.Contains(hclspec.Parted(s.Counterparty), party):
		return -weight
	}
	return 0
}
