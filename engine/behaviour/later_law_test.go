package behaviour_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
)

// TestLaterLaw: a step that one version refuses is possible there after as many ticks as is said, and no sooner; where nothing is said, not by waiting. A
// version is said to have ended alone where it has, and only there.
func TestLaterLaw(t *testing.T) {
	draws.SkipForRaces(t)
	each := 300
	if draws.All() {
		each = 5000
	}
	later, never, ended := 0, 0, 0
	for n := range each {
		r := rand.New(rand.NewPCG(11, uint64(n)))
		base, head := drawWaiting(r)
		drafts := [2]*compile.Draft{testkit.DraftOf(t, base), testkit.DraftOf(t, head)}
		d := blame.Compare(t.Context(), drafts[0], drafts[1], finding.Budget{Jobs: 1}).Difference
		if d == nil {
			continue
		}
		for side, all := range [2][]finding.Sequence{d.All.Possible, d.All.Impossible} { // which the draft of that number refuses
			for _, s := range all {
				last := s.Run[len(s.Run)-1].Event
				want := 0
				at := markingsAfter(drafts[side], s.Run[:len(s.Run)-1])
				for k := 1; k < 12 && last != "tick"; k++ {
					if at = stepsFrom(drafts[side], at, "tick"); len(stepsFrom(drafts[side], at, last)) > 0 {
						want = k
						break
					}
				}
				over := [2]bool{}
				for of, d := range drafts {
					at := markingsAfter(d, s.Run[:len(s.Run)-1])
					over[of] = slices.ContainsFunc(d.AllPlaces, func(p *hclspec.Place) bool { return p.Name == "ended" && at[0].Has(slices.Index(d.AllPlaces, p)) })
				}
				alone := diff.InBoth
				if over[0] != over[1] {
					alone = map[bool]diff.Side{true: diff.InBase, false: diff.InHead}[over[0]]
					ended++
				}
				if s.Later.Ticks != want || s.Ended != alone {
					t.Fatalf("%d: %+v, naively %d, ended %d\n%s\n%s", n, s, want, alone, base, head)
				}
				later += min(1, want)
				never += 1 - min(1, want)
			}
		}
	}
	if later < each/5 || never < each/5 || ended < each/10 {
		t.Errorf("%d later, %d not; one of the two has ended: %d", later, never, ended)
	}
}

// drawWaiting draws two versions of a contract that differ in how long its events wait, and in whether one of them can happen.
func drawWaiting(r *rand.Rand) (base, head string) {
	contract := func() string {
		return []string{"contract \"c\" {}", fmt.Sprintf("contract \"c\" { ends = [e%d] }", r.IntN(4))}[r.IntN(2)]
	}
	const text = "\nparty \"a\" {}\nparty \"b\" {}\nevent \"e0\" { by = a }\n"
	was := contract()
	base, head = was+text, was+text
	if r.IntN(3) == 0 {
		head = contract() + text
	}
	for i := 1; i < 4; i++ {
		block := func() string {
			kind, by := []string{"not_before", "within", "after"}[r.IntN(3)], fmt.Sprintf("  by = %s\n", []string{"a", "b"}[i%2])
			if kind == "after" {
				by = ""
			}
			return fmt.Sprintf("event \"e%d\" {\n%s  %s = { e%d = %d }\n}\n", i, by, kind, r.IntN(i), 1+r.IntN(4))
		}
		was = block()
		base += was
		if r.IntN(2) == 0 {
			was = block()
		}
		head += was
	}
	return base, head
}

// markingsAfter returns the markings that are possible after a run of events.
func markingsAfter(d *compile.Draft, run []finding.Firing) []petri.Marking {
	at := []petri.Marking{d.Net.Initial}
	for _, f := range run {
		at = stepsFrom(d, at, f.Event)
	}
	return at
}

// stepsFrom returns the markings to which an event leads. Time passes also where no clock runs and nothing is due.
func stepsFrom(d *compile.Draft, from []petri.Marking, event string) (to []petri.Marking) {
	for _, m := range from {
		found := false
		for i, tr := range d.Net.Transitions {
			if tr.Event >= 0 && d.Events[tr.Event].Name == event && d.Net.Fireable(m, i) {
				next, _ := d.Net.Fire(m, []int{i})
				to, found = append(to, next), true
			}
		}
		due := false
		for _, tr := range d.Net.Transitions {
			for _, p := range tr.Read {
				due = due || tr.Moving && !m.Has(p)
			}
		}
		if event == "tick" && !found && !due {
			to = append(to, m)
		}
	}
	return to
}
