package behaviour

import (
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
)

// If base refuses no step of a violation's run, the versions differ at its end: base has next actions there that head does not have.

// lost returns the titles of the actions that are possible next on base at the end of such a run, and not on head, sorted. It returns nil if
// that takes too much work.
func (v *Versions) lost(x *Observables, trace *finding.Trace) []string {
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

// ending returns what can be observed next on one side at the end of a run of head.
func (v *Versions) ending(x *Observables, trace *finding.Trace, side int) ([]string, bool) {
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
	return r.describeAll(next), err == nil
}

// follow returns a follower of one side for runs of head.
func (v *Versions) follow(x *Observables, side int) *runFollower {
	draft := [2]*compile.Draft{v.Base.Draft, v.Head.Draft}[side]
	f := NewFollower(draft, x.idle, MaxFollowing)
	for t, s := range x.Of[side] {
		if x.seen(nil, x.All[s]) {
			f.Seen[t] = x.All[s].Action
		}
	}
	return &runFollower{follower: f, Observables: x, actions: Positions(x.Actions), draft: v.Head.Draft}
}
