package compare

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec/codes"
)

// TestSort: the rule by which a promise is sorted, case by case.
func TestSort(t *testing.T) {
	with := func(v finding.Verdict, w *finding.Waiver) *finding.Requirement {
		return &finding.Requirement{Verdict: v, Waiver: w, Run: "1"}
	}
	violatedWith := func(s finding.WaiverState, runs string) *finding.Requirement {
		return with(finding.Violated, &finding.Waiver{State: s, Run: runs})
	}
	holds, unknown, broke := with(finding.Holds, nil), with(finding.Unknown, nil), with(finding.Violated, nil)
	unknown.Reason = "too large"
	ill, expired, undated := with(finding.IllFormed, nil), violatedWith(finding.Expired, "1"), violatedWith(finding.Undated, "1")
	waived, other := violatedWith(finding.InForce, "1"), violatedWith(finding.OtherRun, "2")
	longer := violatedWith(finding.OtherRun, "1") // it names base's run, and head is violated by another
	longer.Run = "3"
	renewed := violatedWith(finding.InForce, "3") // it names head's run, and not base's
	renewed.Run = "3"
	none, fresh, unclear := &finding.Way{}, &finding.Way{New: true, Step: 2}, &finding.Way{Unknown: "too many"}
	broken := before{own: broke, here: broke}
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
		{"kept, and base broke another wording", before{own: broke, here: holds}, holds, nil, finding.Kept, nil},
		{"kept, and base kept its own wording, but not this", before{own: holds, here: broke}, holds, nil, finding.Kept, nil},
		{"kept, and base's own wording is unknown", before{own: unknown, here: broke}, holds, nil, finding.Kept, nil},
		{"kept, and base broke it", broken, holds, nil, finding.Repaired, nil},
		{"unknown", broken, unknown, nil, finding.Undecided, nil},
		{"broken, and new", before{}, broke, nil, finding.New, nil},
		{"broken, and base kept it", before{own: holds, here: holds}, broke, nil, finding.New, nil},
		{"broken, and base kept this wording", before{own: broke, here: holds}, broke, nil, finding.New, nil},
		{"broken, and base kept its own wording", before{own: holds, here: broke}, broke, nil, finding.New, nil},
		{"broken, and unknown on base", before{own: unknown, here: unknown}, broke, nil, finding.Undecided, &finding.Way{Unknown: "too large"}},
		{"broken, and base's own wording is unknown", before{own: unknown, here: broke}, broke, nil, finding.Undecided, &finding.Way{Unknown: "too large"}},
		{"broken, and this wording is unknown on base", before{own: broke, here: unknown}, broke, nil, finding.Undecided, &finding.Way{Unknown: "too large"}},
		{"broken, base kept its own wording, and this is unknown", before{own: holds, here: unknown}, broke, nil, finding.New, nil},
		{"broken, and base means nothing", before{own: ill, here: unknown}, broke, nil, finding.New, nil},
		{"broken as before", broken, broke, none, finding.Standing, none},
		{"broken in a new way", broken, broke, fresh, finding.New, fresh},
		{"broken in ways that are unknown", broken, broke, unclear, finding.Undecided, unclear},
		{"an expired waiver", broken, expired, nil, finding.WaiverExpired, nil},
		{"an expired waiver, and base kept this wording", before{own: broke, here: holds}, expired, nil, finding.WaiverExpired, nil},
		{"an expired waiver, and base kept its own wording", before{own: holds, here: broke}, expired, nil, finding.WaiverExpired, nil},
		{"an expired waiver of what base kept", before{own: holds, here: holds}, expired, nil, finding.New, nil},
		{"waived, and base kept it", before{own: holds, here: holds}, waived, none, finding.Waived, nil},
		{"waived, and in other ways that are unknown", before{own: holds, here: holds}, waived, unclear, finding.Undecided, unclear},
		{"waived, but of another run", before{own: holds, here: holds}, other, nil, finding.New, nil},
		{"waived as before", before{own: waived, here: waived}, waived, none, finding.Waived, none},
		{"waived now", broken, waived, none, finding.Waived, none},
		{"waived in a new way", broken, waived, fresh, finding.Waived, fresh},
		{"waived, in ways that are unknown", broken, waived, unclear, finding.Undecided, unclear},
		{"waived no more", before{own: waived, here: waived}, broke, nil, finding.New, nil},
		{"waived no more, but of another run", before{own: waived, here: waived}, other, nil, finding.New, nil},
		{"waived no more, after it expired", before{own: expired, here: expired}, broke, nil, finding.New, nil},
		{"waived no more, on a day that is not known", before{own: undated, here: undated}, broke, nil, finding.New, nil},
		{"waived by another waiver, and not in every way", before{own: waived, here: waived}, renewed, unclear, finding.Undecided, unclear},
		{"waived by another waiver, in every way", before{own: expired, here: expired}, renewed, none, finding.Waived, nil},
		{"waived as before, on a day that is not known", before{own: undated, here: undated}, undated, none, finding.Standing, none},
		{"waived again, after it expired", before{own: expired, here: expired}, waived, none, finding.Waived, none},
		{"by a longer run", before{own: waived, here: waived}, longer, nil, finding.New, nil},
		{"by a longer run, after it expired", before{own: expired, here: expired}, longer, nil, finding.New, nil},
		{"a waiver of another run", before{own: other, here: other}, broke, none, finding.Standing, none},
	} {
		asked, of := false, false
		kind, says := sort(c.was, c.now, func(both bool) *finding.Way { asked, of = true, both; return c.way })
		if asked && of != (violated(c.was.own) && violated(c.was.here) && !c.now.TakesWaiver(c.was.own)) {
			t.Errorf("%s: asked for the ways of both: %t", c.name, of)
		}
		if kind != c.want || asked != (c.way != nil) || (says == nil) != (c.says == nil) || says != nil && *says != *c.says {
			t.Errorf("%s: %s, %+v, want %s, %+v; asked %t", c.name, kind, says, c.want, c.says, asked)
		}
	}
}

// TestSortAfterLooking: looking for ways can replace the run of a promise, and so the state of its waiver.
func TestSortAfterLooking(t *testing.T) {
	waivedBefore := func(s finding.WaiverState) finding.Requirement {
		return finding.Requirement{Verdict: finding.Violated, Run: "1", Waiver: &finding.Waiver{State: s, Run: "1"}}
	}
	for _, c := range []struct {
		name     string
		own      finding.Requirement // of base
		accepted bool                // by head's waiver, before
		names    string              // the runs that head's waiver names
		after    finding.WaiverState
		way      finding.Way
		want     finding.Kind
	}{
		{"another run is found that is not waived", finding.Requirement{Verdict: finding.Holds}, true, "2", finding.OtherRun, finding.Way{New: true}, finding.New},
		{"a new way is not waived", finding.Requirement{Verdict: finding.Violated}, true, "2", finding.OtherRun, finding.Way{New: true}, finding.New},
		{"only the new way is waived", finding.Requirement{Verdict: finding.Violated}, false, "2", finding.InForce, finding.Way{New: true}, finding.Standing},
		{"the new way is waived, and base's as before", waivedBefore(finding.InForce), true, "1 2", finding.InForce, finding.Way{New: true}, finding.Waived},
		{"the new way is waived, and base's again", waivedBefore(finding.Expired), true, "1 2", finding.InForce, finding.Way{New: true}, finding.Waived},
		{"the new way is waived, and base's by another run", waivedBefore(finding.InForce), false, "1 2", finding.InForce, finding.Way{New: true}, finding.New},
		{"the new way is waived, and base's no more", waivedBefore(finding.InForce), false, "2", finding.InForce, finding.Way{New: true}, finding.New},
		{"the run found first is waived, and base's no more", waivedBefore(finding.InForce), true, "2", finding.OtherRun, finding.Way{New: true}, finding.New},
	} {
		now := &finding.Requirement{Verdict: finding.Violated, Waiver: &finding.Waiver{State: finding.OtherRun, Run: c.names}}
		if c.accepted {
			now.Waiver.State = finding.InForce
		}
		kind, way := sort(before{own: &c.own, here: &c.own}, now, func(bool) *finding.Way { now.Waiver.State = c.after; return &c.way })
		if kind != c.want || c.want == finding.Standing && (way == nil || *way != finding.Way{}) {
			t.Errorf("%s: %s, %+v, want %s", c.name, kind, way, c.want)
		}
	}
}

// TestWaysThatAreUnknown: where states were not looked at one by one, or a version lacks the names, ways are unknown.
func TestWaysThatAreUnknown(t *testing.T) {
	now := &finding.Requirement{Verdict: finding.Violated}
	none, only := &Sorting{}, &Sorting{Base: &verify.Listed{}}
	for name, w := range map[string]*finding.Way{
		"of an old wording": none.oldWay(t.Context(), now), "of head": only.oldWay(t.Context(), now), "of head alone": none.besides(t.Context(), 0, now),
		"without the names": none.compared(t.Context(), now, pledge{}, false),
	} {
		if w == nil || w.Unknown == "" {
			t.Errorf("%s: %+v", name, w)
		}
	}
}

// TestOtherBreach: a scenario that leaves a party in breach as before, by whatever name, is no other one.
func TestOtherBreach(t *testing.T) {
	duties := func(names ...string) *compile.Draft {
		text := "contract \"c\" {}\nparty \"seller\" {}\n"
		for i, name := range names {
			text += fmt.Sprintf("obligation %q {\n  bearer = seller\n  within = %d\n}\n", name, i+1)
		}
		return testkit.DraftOf(t, text)
	}
	by := func(norms ...string) *finding.Requirement {
		return &finding.Requirement{Scenario: &finding.Scenario{Of: norms}}
	}
	s := &Sorting{Amended: compile.Amend(duties("notify", "ship", "pack"), duties("warn", "ship"))}
	for _, c := range []struct {
		name     string
		was, now *finding.Requirement
		want     []string
	}{
		{"a new one", nil, by("ship"), nil},
		{"base did not run it", &finding.Requirement{}, by("ship"), nil},
		{"head does not run it", by("ship"), &finding.Requirement{}, nil},
		{"nothing was to be breached", by(), by("ship"), nil},
		{"nothing is to be breached", by("ship"), by(), nil},
		{"as before", by("ship"), by("ship"), nil},
		{"by another name", by("notify and ship", "notify"), by("ship and warn", "warn"), nil},
		{"by another norm", by("ship"), by("warn"), []string{"ship"}},
		{"by one that is dropped", by("pack"), by("ship"), []string{"pack"}},
	} {
		if got := s.otherBreach(c.was, c.now); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestHeldAsBefore: a document that head leaves in two of its former places at once is a failed check of head, unless head says so itself or base did not keep it.
func TestHeldAsBefore(t *testing.T) {
	held := func(on ...string) (list []finding.Diagnostic) {
		for _, subject := range on {
			code, name, _ := strings.Cut(subject, " ")
			list = append(list, finding.Diagnostic{Code: codes.Code(code), Subject: name, Class: codes.Violation})
		}
		return list
	}
	const twice, other = "document-held-twice document.", "document-dropped document."
	for _, c := range []struct {
		name              string
		base, head, asked []finding.Diagnostic
		want              []finding.Diagnostic
	}{
		{"base kept it", nil, held(twice + "z"), held(twice + "d"), held(twice+"d", twice+"z")},
		{"head says so", nil, held(twice + "d"), held(twice + "d"), held(twice + "d")},
		{"base did not keep it", held(twice + "d"), nil, held(twice + "d"), nil},
		{"base did not keep another one", held(twice + "e"), nil, held(twice + "d"), held(twice + "d")},
		{"base said something else of it", held(other + "d"), nil, held(twice + "d"), held(twice + "d")},
	} {
		s := &Sorting{Review: &finding.ContractReview{Base: &finding.Result{Diagnostics: c.base}, Head: &finding.Result{Diagnostics: c.head}}, Draft: testkit.DraftOf(t, promising()), Asked: &verify.Answers{Twice: c.asked}}
		s.heldAsBefore()
		if got := s.Review.Head.Diagnostics; !slices.EqualFunc(got, c.want, func(a, b finding.Diagnostic) bool { return a.Code == b.Code && a.Subject == b.Subject }) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// TestFinalBefore: base broke the promise of its final states if it failed one of both checks, accepted or not, and kept it if it failed none.
func TestFinalBefore(t *testing.T) {
	for _, c := range []struct {
		code   codes.Code
		states *big.Int
		want   finding.Verdict
	}{
		{"dead-end", big.NewInt(3), finding.Violated},
		{"no-option-to-complete", big.NewInt(3), finding.Violated},
		{"state-never-reached", big.NewInt(3), finding.Holds},
		{"state-never-reached", nil, finding.Unknown},
	} {
		r := &finding.Result{Model: finding.Model{States: c.states}, Diagnostics: []finding.Diagnostic{{Code: c.code, Accepted: "why"}}}
		if got := finalBefore(r); got != c.want {
			t.Errorf("%s, %v states: %s, want %s", c.code, c.states, got, c.want)
		}
	}
}
