package compare

import (
	"testing"

	"github.com/redlinehq/redline/engine/finding"
)

// TestSort: the rule by which a promise is sorted, case by case.
func TestSort(t *testing.T) {
	waiver := func(s finding.WaiverState) *finding.Waiver { return &finding.Waiver{State: s} }
	with := func(v finding.Verdict, w *finding.Waiver) *finding.Requirement {
		return &finding.Requirement{Verdict: v, Waiver: w}
	}
	holds, unknown, violated := with(finding.Holds, nil), with(finding.Unknown, nil), with(finding.Violated, nil)
	ill, expired := with(finding.IllFormed, nil), with(finding.Violated, waiver(finding.Expired))
	waived, other := with(finding.Violated, waiver(finding.InForce)), with(finding.Violated, waiver(finding.OtherRun))
	none, fresh, unclear := &finding.Way{}, &finding.Way{New: true, Step: 2}, &finding.Way{Unknown: "too many"}
	broken := before{own: violated, here: violated}
	for _, c := range []struct {
		name string
		was  before
		now  *finding.Requirement
		way  *finding.Way // nil: it is not asked for
		want finding.Kind
		says *finding.Way
	}{
		{"ill-formed", broken, ill, nil, finding.Meaningless, nil},
		{"kept, and new", before{}, holds, nil, finding.Kept, nil},
		{"kept, as before", before{own: holds, here: holds}, holds, nil, finding.Kept, nil},
		{"kept, and base broke another wording", before{own: violated, here: holds}, holds, nil, finding.Kept, nil},
		{"kept, and base broke it", broken, holds, nil, finding.Repaired, nil},
		{"unknown", broken, unknown, nil, finding.Undecided, nil},
		{"broken, and new", before{}, violated, nil, finding.New, nil},
		{"broken, and base kept it", before{own: holds, here: holds}, violated, nil, finding.New, nil},
		{"broken, and base kept this wording", before{own: violated, here: holds}, violated, nil, finding.New, nil},
		{"broken, and base kept its own wording", before{own: holds, here: violated}, violated, nil, finding.New, nil},
		{"broken as before", broken, violated, none, finding.Standing, none},
		{"broken in a new way", broken, violated, fresh, finding.New, fresh},
		{"broken in ways that are unknown", broken, violated, unclear, finding.Undecided, unclear},
		{"an expired waiver", broken, expired, nil, finding.WaiverExpired, nil},
		{"an expired waiver of what base kept", before{own: holds, here: holds}, expired, nil, finding.WaiverExpired, nil},
		{"waived, and base kept it", before{own: holds, here: holds}, waived, none, finding.Waived, nil},
		{"waived, and in other ways that are unknown", before{own: holds, here: holds}, waived, unclear, finding.Undecided, unclear},
		{"waived, but of another run", before{own: holds, here: holds}, other, nil, finding.New, nil},
		{"waived as before", before{own: waived, here: waived}, waived, none, finding.Waived, none},
		{"waived now", broken, waived, none, finding.Waived, none},
		{"waived in a new way", broken, waived, fresh, finding.Waived, fresh},
		{"waived, in ways that are unknown", broken, waived, unclear, finding.Undecided, unclear},
		{"waived no more", before{own: waived, here: waived}, violated, none, finding.New, nil},
		{"waived no more, in ways that are unknown", before{own: waived, here: waived}, violated, unclear, finding.Undecided, unclear},
		{"waived no more, in a new way", before{own: waived, here: waived}, violated, fresh, finding.New, fresh},
	} {
		asked := false
		kind, says := sort(c.was, c.now, func() *finding.Way { asked = true; return c.way })
		if kind != c.want || asked != (c.way != nil) || (says == nil) != (c.says == nil) || says != nil && *says != *c.says {
			t.Errorf("%s: %s, %+v, want %s, %+v; asked %t", c.name, kind, says, c.want, c.says, asked)
		}
	}
}

// TestSortAfterLooking: looking for ways can replace the run of a promise, and so the state of its waiver.
func TestSortAfterLooking(t *testing.T) {
	for _, c := range []struct {
		name     string
		own      finding.Verdict
		accepted bool // by head's waiver, before
		after    finding.WaiverState
		way      finding.Way
		want     finding.Kind
	}{
		{"another run is found that is not waived", finding.Holds, true, finding.OtherRun, finding.Way{New: true}, finding.New},
		{"a new way is not waived", finding.Violated, true, finding.OtherRun, finding.Way{New: true}, finding.New},
		{"only the new way is waived", finding.Violated, false, finding.InForce, finding.Way{New: true}, finding.Standing},
	} {
		now := &finding.Requirement{Verdict: finding.Violated, Waiver: &finding.Waiver{State: finding.OtherRun}}
		if c.accepted {
			now.Waiver.State = finding.InForce
		}
		own := &finding.Requirement{Verdict: c.own}
		kind, way := sort(before{own: own, here: own}, now, func() *finding.Way { now.Waiver.State = c.after; return &c.way })
		if kind != c.want || c.want == finding.Standing && (way == nil || *way != finding.Way{}) {
			t.Errorf("%s: %s, %+v, want %s", c.name, kind, way, c.want)
		}
	}
}
