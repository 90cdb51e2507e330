package negotiate

import (
	"slices"

	"github.com/redlinehq/redline/engine/behaviour"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
)

// This file follows each sequence that a redline adds or removes on the other drafts, by the definitions, and reports which of them have it.

// sequences adds the sequences: first those that only both redlines together add or remove, then A's, then B's.
func (n *negotiator) sequences() {
	drafts := [3]*compile.Draft{n.a, n.b, n.merged}
	reviews := [3]*finding.ContractReview{n.A, n.B, n.Merge}
	for _, i := range []int{2, 0, 1} {
		if reviews[i] == nil || reviews[i].Difference == nil || i == 2 && (n.Merge == n.A || n.Merge == n.B) {
			continue
		}
		all := &reviews[i].Difference.All
		for _, s := range all.Possible {
			n.sequence(finding.JointRun{Sequence: s}, i, drafts[i], drafts, reviews)
		}
		for _, s := range all.Impossible {
			n.sequence(finding.JointRun{Sequence: s, Lost: true}, i, n.base, drafts, reviews)
		}
	}
}

// sequence adds a sequence that side i adds or removes, and which drafts have it. A sequence that the merge adds or removes is left out if a
// redline alone does so too.
func (n *negotiator) sequence(c finding.JointRun, i int, from *compile.Draft, drafts [3]*compile.Draft, reviews [3]*finding.ContractReview) {
	has := [3]*finding.Possibility{&c.A, &c.B, &c.Merge}
	for k, d := range drafts {
		switch {
		case k == i || d == drafts[i]:
			*has[k] = map[bool]finding.Possibility{false: finding.Possible, true: finding.Impossible}[c.Lost]
		case d == nil || reviews[k] == nil:
		case reviews[k].Status == finding.Same:
			*has[k] = map[bool]finding.Possibility{false: finding.Impossible, true: finding.Possible}[c.Lost]
		case reviews[k].Head != nil && reviews[k].Head.Model.States != nil:
			*has[k] = shares(from, c.Run, d, n.budget)
		}
	}
	as := map[bool]finding.Possibility{false: finding.Impossible, true: finding.Possible}[c.Lost] // as on base
	if i == 2 && (c.A != as || c.B != as) {
		return
	}
	known := func(o finding.JointRun) bool { return o.Lost == c.Lost && finding.SameRun(o.Run, c.Run) }
	if !slices.ContainsFunc(n.Runs, known) {
		n.Runs = append(n.Runs, c)
	}
}

// shares returns whether another draft has a run of this one, as far as it is observed.
func shares(d *compile.Draft, run []finding.Firing, other *compile.Draft, b finding.Budget) finding.Possibility {
	_, names := diff.Changes(other.Spec, d.Spec)
	x := behaviour.ObservablesOf(other, d, compile.Naming{Names: names})
	if x.Time >= 0 && (d.Rule == petri.All || other.Rule == petri.All) {
		return finding.PossibilityUnknown // a run does not show where time passes beside other events
	}
	sees := x.Chosen(b.Observe)
	f := behaviour.NewFollower(other, x.Time, behaviour.MaxFollowing)
	for t, s := range x.Of[0] {
		if sees == nil || sees(x.All[s]) {
			f.Seen[t] = x.All[s].Action
		}
	}
	sequence, ok := heard(x, d, run, sees)
	if !ok {
		return finding.PossibilityUnknown
	}
	switch _, refused, err := f.Along(sequence); {
	case err != nil:
		return finding.PossibilityUnknown
	case refused < len(sequence):
		return finding.Impossible
	}
	return finding.Possible
}

// heard returns the observations of a run of head. It returns false if an action of the run is unknown.
func heard(x *behaviour.Observables, head *compile.Draft, run []finding.Firing, sees behaviour.Observer) ([]behaviour.Observation, bool) {
	actions, parties := behaviour.Positions(x.Actions), behaviour.Positions(x.Parties)
	var list []behaviour.Observation
	for i, f := range run {
		if i == 0 || f.Step != run[i-1].Step {
			list = append(list, nil)
		}
		d := behaviour.Action{Kind: behaviour.TransitionAction}
		if f.Event != "" {
			d = behaviour.Action{Kind: behaviour.EventAction, Name: f.Event}
			if e := head.Event(f.Event); e == nil || e.Moving {
				d.Kind = behaviour.TimeAction
			}
		} else {
			d.Name = f.Transitions[0]
		}
		at, known := actions[d]
		if !known {
			return nil, false
		}
		s := behaviour.Sight{Action: at}
		for _, p := range head.Parties {
			if !p.IsNet && slices.Contains(f.Parties, p.Name) {
				s.Who = append(s.Who, parties[compile.Naming{}.Of(1).Reader(p)])
			}
		}
		if sees == nil || sees(s) {
			last := &list[len(list)-1]
			*last = append(*last, at)
			slices.Sort(*last)
		}
	}
	return slices.DeleteFunc(list, func(o behaviour.Observation) bool { return len(o) == 0 }), true
}
