package behaviour

import (
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
)

// Where a violation's run ends and base refuses no step of it, the amendment took away what came next.

// lost says what base could do where such a run ends, and head can't: titles, sorted; none, too, where
// that is too much work.
func (v *Versions) lost(x *Sights, trace *finding.Trace) []string {
	if len(trace.Loop)+len(trace.Then) > 0 {
		return nil
	}
	then, told := v.ending(x, trace, 0)
	now, known := v.ending(x, trace, 1)
	if !told || !known {
		return nil
	}
	have := map[string]bool{}
	for _, what := range now {
		have[what] = true
	}
	var list []string
	for _, what := range then {
		if !have[what] {
			list = append(list, what)
		}
	}
	return list
}

// ending is what can be observed next on one side where a run of head ends.
func (v *Versions) ending(x *Sights, trace *finding.Trace, side int) ([]string, bool) {
	r := v.follow(x, side)
	at, err := r.start()
	for _, step := range r.observed(trace.Prefix) {
		if len(step.seen) > 0 && err == nil {
			at, err = r.after(at, step.seen)
		}
	}
	if err != nil {
		return nil, false
	}
	next, err := r.next(at, false)
	return r.says(next), err == nil
}

// follow readies one side for following runs of head.
func (v *Versions) follow(x *Sights, side int) *refusing {
	draft := [2]*compile.Draft{v.Base.Draft, v.Head.Draft}[side]
	f := NewFollower(draft, x.Time, MaxFollowing)
	for t, s := range x.Of[side] {
		f.Seen[t] = x.All[s].Deed
	}
	r := &refusing{follower: f, Sights: x, deeds: Positions(x.Deeds), draft: v.Head.Draft}
	if v.Base.Draft.Rule == petri.All || v.Head.Draft.Rule == petri.All {
		r.overlookTime()
	}
	return r
}
