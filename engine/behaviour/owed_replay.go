package behaviour

import (
	"errors"
	"slices"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec/construct"
)

// Where norms stand otherwise is replayed before it is shown: a run on its own draft, and all markings that the other draft can
// be in after the same was observed.

// look makes a follower see the norms of its side as an observer does.
func (f *follower) look(x *Sights, side int, o Observer) {
	f.shifted = x.shifted()
	for _, g := range x.glances[side] {
		if s := x.All[g.sight]; o.sees(s) {
			f.glances, f.terms = append(f.glances, g), append(f.terms, s.term)
		}
	}
}

// standing is the terms that are observed in a marking, in order.
func (f *follower) standing(m petri.Marking) (terms []int) {
	for i, g := range f.glances {
		if g.has(m) {
			terms = append(terms, f.terms[i])
		}
	}
	slices.Sort(terms)
	return terms
}

// shown is what is observed of a step: if nothing else is, that other terms are to be seen than before.
func (f *follower) shown(seen Observation, before, after petri.Marking) Observation {
	if len(seen) > 0 || len(f.glances) == 0 || slices.Equal(f.standing(before), f.standing(after)) {
		return seen
	}
	return Observation{f.shifted}
}

// An owedRun is a run of one side after which it has terms that the other side can't have after the same was observed.
type owedRun struct {
	walk
	sequence []Observation
	own      []int // terms that the other side can't have
	others   []int // all that it can
}

// stand replays a run and keeps it if the other side is nowhere in the terms that it ends with. Refused is a term, or that terms change; then the
// other side is looked at where they do not.
func (c *confirmation) stand(follow [2]*follower, side int, run walk, refused Observation) error {
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
	w := owedRun{walk: run, sequence: sequence}
	for _, m := range crowd {
		w.others = append(w.others, follow[1-side].standing(follow[1-side].marks[m])...)
	}
	w.others = distinctSorted(w.others)
	for _, t := range follow[side].standing(run.markings[len(run.markings)-1]) {
		if !slices.Contains(w.others, t) {
			w.own = append(w.own, t)
		}
	}
	if len(w.own) == 0 { // it lies deeper than in one run
		c.leftOut++
		return nil
	}
	c.owed[side] = append(c.owed[side], w)
	return nil
}

// concerned reports whether an observer sees anything of norms.
func (x *Sights) concerned(o Observer) bool {
	return slices.ContainsFunc(x.All[x.plain:], func(s Sight) bool { return o.sees(s) })
}

// sameNorms reports whether both drafts have the same norms for the same parties.
func (x *Sights) sameNorms() bool {
	return !slices.ContainsFunc(x.norms, func(n norm) bool {
		a, b := n.of[0], n.of[1]
		return a == nil || b == nil || a.kind != b.kind || a.bearer != b.bearer || a.counterparty != b.counterparty || len(a.left) != len(b.left)
	})
}

// same says of a difference that nobody can tell the drafts apart.
func (x *Sights) same(d *finding.Difference, all Observer) {
	x.each(d, all, x.indistinct)
	d.Owed = &finding.Owed{Relation: delta.Same}
}

// indistinct says that an observer can't tell the drafts apart.
func (x *Sights) indistinct(b *finding.Behaviour, o Observer) {
	if b.Relation = delta.Same; x.concerned(o) {
		b.Owed = &finding.Owed{Relation: delta.Same}
	}
}

// owing tells how norms differ.
func (c *comparison) owing(found askedOf, reason func(error) string) *finding.Owed {
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

// normDifferences tells of each norm the first run of each side after which it stands otherwise; one of them where both show the same.
func (c *comparison) normDifferences(runs [2][]owedRun) (list []finding.NormDifference) {
	type shown struct {
		finding.NormDifference
		sequence []Observation
	}
	for i := range c.norms {
		var both [2]*shown
		for side, all := range runs {
			for _, w := range all {
				own, others := c.termsOf(w.own, i), c.termsOf(w.others, i)
				if len(own) == 0 || both[side] != nil {
					continue
				}
				d := c.normDifference(i)
				d.Run, d.Side = c.told(side, w.walk), onlyIn(side)
				d.End = explain.PartiesAt(c.sides[side].Listed.Checked.Draft, w.markings[len(w.markings)-1])
				if d.Was, d.Now = own, others; side == 1 {
					d.Was, d.Now = others, own
				}
				c.weigh(&d)
				both[side] = &shown{d, w.sequence}
			}
		}
		if a, b := both[0], both[1]; a != nil && b != nil && slices.Equal(a.Was, b.Was) && slices.Equal(a.Now, b.Now) && len(a.sequence) == len(b.sequence) {
			both[verify.ZeroOrOne(a.Was[0].State != "")] = nil
		}
		for _, s := range both {
			if s != nil {
				list = append(list, s.NormDifference)
			}
		}
	}
	return list
}

// normDifference is how a norm is called: on head, or on base where only base has it.
func (c *comparison) normDifference(i int) finding.NormDifference {
	n := c.norms[i]
	s := n.of[1]
	if s == nil {
		s = n.of[0]
	}
	return finding.NormDifference{Norm: n.name, Kind: s.kind, Title: s.title}
}

// termsOf is how one norm stands by some terms.
func (x *Sights) termsOf(terms []int, norm int) (list []finding.NormState) {
	for _, t := range terms {
		if x.terms[t].norm == norm {
			list = append(list, x.terms[t].NormState)
		}
	}
	return list
}

// weigh says for whom it is better and for whom worse how a norm stands now: wherever that is so for each of the ways it can stand.
func (c *comparison) weigh(d *finding.NormDifference) {
	for _, p := range c.Parties {
		better, worse := 0, 0
		for _, was := range d.Was {
			for _, now := range d.Now {
				before, after := stake(d.Kind, was, p), stake(d.Kind, now, p)
				better, worse = better+verify.ZeroOrOne(after > before), worse+verify.ZeroOrOne(after < before)
			}
		}
		switch {
		case better > 0 && worse == 0:
			d.Better = append(d.Better, p)
		case worse > 0 && better == 0:
			d.Worse = append(d.Worse, p)
		}
	}
}

// mostTicks is beyond any deadline.
const mostTicks = 1 << 20

// stake is what a norm is worth to a party: more to who benefits, less to who is burdened, 0 where it is not live or none of the party's. An
// obligation weighs more the sooner it is due, and most once it is breached; what else has an end, the longer it lasts. A prohibition that is breached binds no more, and its
// breach is held against its bearer.
func stake(kind string, s finding.NormState, party string) int {
	weight := 0
	switch {
	case s.State == "":
		return 0
	case s.State == "breached":
		weight = mostTicks + 1
	case kind == "obligation" && s.Ticks > 0:
		weight = mostTicks - s.Ticks
	case kind == "obligation":
		weight = 1
	case s.Ticks > 0:
		weight = s.Ticks
	default:
		weight = mostTicks
	}
	if construct.NormOf(kind).Burdens {
		weight = -weight // for its bearer
	}
	switch party {
	case s.Bearer:
		return weight
	case s.Counterparty:
		return -weight
	}
	return 0
}
