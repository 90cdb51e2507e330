package engine

import (
	"slices"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/petri"
)

// What becomes of the sequences that one redline brings or takes away once the other one is made, too. Each
// is followed on the other drafts by the definitions.

// courses lists them: those of both together that neither has alone first, then A's, then B's.
func (n *negotiating) courses() {
	drafts := [3]*Draft{n.a, n.b, n.merged}
	reviews := [3]*ContractReview{n.A, n.B, n.Merge}
	for _, i := range []int{2, 0, 1} {
		if reviews[i] == nil || reviews[i].Difference == nil || i == 2 && (n.Merge == n.A || n.Merge == n.B) {
			continue
		}
		all := &reviews[i].Difference.All
		for _, s := range all.Possible {
			n.course(Course{Sequence: s}, i, drafts[i], drafts, reviews)
		}
		for _, s := range all.Impossible {
			n.course(Course{Sequence: s, Lost: true}, i, n.base, drafts, reviews)
		}
	}
}

// course finds out who has a sequence of one draft, which side i brings or takes away. What both
// together bring or take away is told only if neither does alone.
func (n *negotiating) course(c Course, i int, from *Draft, drafts [3]*Draft, reviews [3]*ContractReview) {
	has := [3]*Possibility{&c.A, &c.B, &c.Merge}
	for k, d := range drafts {
		switch {
		case k == i || d == drafts[i]:
			*has[k] = map[bool]Possibility{false: Possible, true: Impossible}[c.Lost]
		case d == nil || reviews[k] == nil:
		case reviews[k].Status == Same:
			*has[k] = map[bool]Possibility{false: Impossible, true: Possible}[c.Lost]
		case reviews[k].Head != nil && reviews[k].Head.Model.States != nil:
			*has[k] = from.shares(c.Run, d, n.budget)
		}
	}
	as := map[bool]Possibility{false: Impossible, true: Possible}[c.Lost] // as on base
	if i == 2 && (c.A != as || c.B != as) {
		return
	}
	known := func(o Course) bool { return o.Lost == c.Lost && sameRun(o.Run, c.Run) }
	if !slices.ContainsFunc(n.Courses, known) {
		n.Courses = append(n.Courses, c)
	}
}

func sameRun(a, b []Firing) bool {
	return slices.EqualFunc(a, b, func(f, g Firing) bool {
		return f.Step == g.Step && f.Event == g.Event && slices.Equal(f.Transitions, g.Transitions)
	})
}

// shares reports whether another draft has a run of this one, as far as it is observed.
func (d *Draft) shares(run []Firing, other *Draft, b Budget) Possibility {
	_, names := delta.Changes(other.Spec, d.Spec)
	x := sightsOf(other, d, naming{names: names})
	if x.time >= 0 && (d.Rule == petri.All || other.Rule == petri.All) {
		return Untold // a run does not tell where time passes beside other things
	}
	sees := x.chosen(b.Observe)
	f := newFollower(other, x.time, maxFollowing)
	for t, s := range x.of[0] {
		if sees == nil || sees(x.all[s]) {
			f.seen[t] = x.all[s].deed
		}
	}
	sequence, ok := x.heard(d, run, sees)
	if !ok {
		return Untold
	}
	switch _, refused, err := f.along(sequence); {
	case err != nil:
		return Untold
	case refused < len(sequence):
		return Impossible
	}
	return Possible
}

// heard is what is observed of a run of head.
func (x *sights) heard(head *Draft, run []Firing, sees observer) ([]observation, bool) {
	deeds, parties := positions(x.deeds), positions(x.parties)
	var list []observation
	for i, f := range run {
		if i == 0 || f.Step != run[i-1].Step {
			list = append(list, nil)
		}
		d := deed{kind: transitionDeed}
		if f.Event != "" {
			d = deed{kind: eventDeed, name: f.Event}
			if e := head.event(f.Event); e == nil || e.Moving {
				d.kind = timeDeed
			}
		} else {
			d.name = f.Transitions[0]
		}
		at, known := deeds[d]
		if !known {
			return nil, false
		}
		s := sight{deed: at}
		for _, p := range head.parties {
			if !p.IsNet && slices.Contains(f.Parties, p.Name) {
				s.who = append(s.who, parties[naming{}.of(1).reader(p)])
			}
		}
		if sees == nil || sees(s) {
			last := &list[len(list)-1]
			*last = append(*last, at)
			slices.Sort(*last)
		}
	}
	return slices.DeleteFunc(list, func(o observation) bool { return len(o) == 0 }), true
}
