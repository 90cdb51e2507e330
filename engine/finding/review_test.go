package finding_test

import (
	"testing"

	"github.com/redlinehq/redline/engine/finding"
)

// TestGivenUp: a promise is given up that is dropped, or weakened by another wording. A check is given up only as far as it is a promise with a digest.
func TestGivenUp(t *testing.T) {
	check := &finding.Diagnostic{Code: "dead-end"}
	for _, c := range []struct {
		name string
		of   finding.Finding
		want bool
	}{
		{"dropped", finding.Finding{Kind: finding.Dropped}, true},
		{"weakened", finding.Finding{Kind: finding.Weakened}, true},
		{"new", finding.Finding{Kind: finding.New, Promise: "sha256:1"}, false},
		{"dropped final states", finding.Finding{Kind: finding.Dropped, Check: check, Promise: "sha256:1"}, true},
		{"a check that fails with base's final states", finding.Finding{Kind: finding.Weakened, Check: check}, false},
	} {
		if got := c.of.GivenUp(); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}

// TestKeptDifferently: a promise is kept in another way if it rests on others, fails by another breach, or leans on norms, and only if it is kept.
func TestKeptDifferently(t *testing.T) {
	for _, c := range []struct {
		f    finding.Finding
		want bool
	}{
		{finding.Finding{Kind: finding.Kept}, false},
		{finding.Finding{Kind: finding.Kept, Rested: &finding.Rests{}}, true},
		{finding.Finding{Kind: finding.Kept, Breach: []string{"pay"}}, true},
		{finding.Finding{Kind: finding.Kept, Leans: &finding.Leaning{}}, true},
		{finding.Finding{Kind: finding.New, Rested: &finding.Rests{}, Breach: []string{"pay"}, Leans: &finding.Leaning{}}, false},
	} {
		if c.f.KeptDifferently() != c.want {
			t.Errorf("%+v: %t", c.f, !c.want)
		}
	}
}

// TestStricter: head keeps a wording that base did not keep.
func TestStricter(t *testing.T) {
	for _, c := range []struct {
		f    finding.Finding
		want bool
	}{
		{finding.Finding{Kind: finding.Kept, Reworded: true, Was: finding.Violated}, true},
		{finding.Finding{Kind: finding.New, Reworded: true, Was: finding.Violated}, false},
		{finding.Finding{Kind: finding.Kept, Was: finding.Violated}, false},
		{finding.Finding{Kind: finding.Kept, Reworded: true, Was: finding.Holds}, false},
	} {
		if c.f.Stricter() != c.want {
			t.Errorf("%+v: %t", c.f, !c.want)
		}
	}
}

// TestNovel: what a waiver accepts is new if base did not violate it, or not in this way.
func TestNovel(t *testing.T) {
	kept, broken := &finding.Requirement{Verdict: finding.Holds}, &finding.Requirement{Verdict: finding.Violated}
	for _, c := range []struct {
		f    finding.Finding
		want bool
	}{
		{finding.Finding{Kind: finding.New}, true},
		{finding.Finding{Kind: finding.Weakened}, true},
		{finding.Finding{Kind: finding.Standing, Base: kept}, false},
		{finding.Finding{Kind: finding.Waived, Base: kept}, true},
		{finding.Finding{Kind: finding.Waived, Base: broken}, false},
		{finding.Finding{Kind: finding.Waived, Base: broken, Way: &finding.Way{}}, false},
		{finding.Finding{Kind: finding.Waived, Base: broken, Way: &finding.Way{New: true}}, true},
	} {
		if c.f.Novel() != c.want {
			t.Errorf("%+v: %t", c.f, !c.want)
		}
	}
}

func TestBefore(t *testing.T) {
	base := &finding.Requirement{Verdict: finding.Holds}
	for _, c := range []struct {
		f    finding.Finding
		want finding.Verdict
	}{
		{finding.Finding{}, finding.Unknown},
		{finding.Finding{Base: base}, finding.Holds},
		{finding.Finding{Base: base, Reworded: true, Was: finding.Violated}, finding.Violated},
	} {
		if got := c.f.Before(); got != c.want {
			t.Errorf("%+v: %s before", c.f, got)
		}
	}
}

// TestInterrupted: a result that another run may change says so.
func TestInterrupted(t *testing.T) {
	for _, late := range []bool{false, true} {
		if (&finding.ContractReview{TimedOut: late}).Interrupted() != late || (&finding.Result{TimedOut: late}).Interrupted() != late {
			t.Errorf("late %t", late)
		}
	}
}

// TestEmptied: a promise is emptied if head makes it, in vain, and base made it in earnest.
func TestEmptied(t *testing.T) {
	full, empty := &finding.Requirement{Verdict: finding.Holds}, &finding.Requirement{Verdict: finding.Holds, Empty: true}
	scenario := func(stops int) *finding.Requirement {
		return &finding.Requirement{Verdict: finding.Holds, Scenario: &finding.Scenario{Expect: "impossible", Steps: []string{"order", "delivery"}, Stops: stops}}
	}
	late, early := scenario(2), scenario(1)
	for _, c := range []struct {
		f    finding.Finding
		want bool
	}{
		{finding.Finding{Base: full, Head: empty}, true},
		{finding.Finding{Base: full, Head: full}, false},
		{finding.Finding{Base: empty, Head: empty}, false},
		{finding.Finding{Base: full}, false},
		{finding.Finding{Head: empty}, false},
		{finding.Finding{Base: full, Head: empty, Old: true}, false},
		{finding.Finding{Base: late, Head: early}, true},
		{finding.Finding{Base: late, Head: early, Reworded: true}, false},
		{finding.Finding{Base: full, Head: early}, false},
		{finding.Finding{Base: early, Head: early}, false},
		{finding.Finding{Base: early, Head: late}, false},
	} {
		if c.f.Emptied() != c.want {
			t.Errorf("%+v: %t", c.f, !c.want)
		}
	}
}

// TestNewlyVacuous: a remark that base's promise has is not new, whatever it is called on head; another one is, though base's promise has some remark.
func TestNewlyVacuous(t *testing.T) {
	promise := func(formula string, v ...finding.Vacuity) *finding.Requirement {
		return &finding.Requirement{Formula: formula, Verdict: finding.Holds, Vacuous: v}
	}
	spare, never := finding.Vacuity{Subformula: "b.done", Spare: true}, finding.Vacuity{Subformula: "a.owed", Never: true}
	renamed := spare
	renamed.Subformula = "c.done"
	first, third := spare, spare
	first.Subformula, third.Subformula = "p[0].done", "p[2].done"
	north, east := spare, spare
	north.Subformula, east.Subformula = "bank[north].lent", "bank[east].lent"
	one, two, four := spare, spare, spare
	one.Subformula, two.Subformula, four.Subformula = "rent[1].lifted", "rent[2].lifted", "rent[4].lifted"
	for _, c := range []struct {
		name       string
		base, head *finding.Requirement
		want       int
	}{
		{"no base", nil, promise("f", spare), 1},
		{"as before", promise("f", spare), promise("f", spare), 0},
		{"another beside it", promise("f", spare), promise("f", spare, never), 1},
		{"another instead", promise("f", spare), promise("f", never), 1},
		{"of another part", promise("f", spare), promise("f", renamed), 1},
		{"renamed", promise("f", spare), promise("g", renamed), 0},
		{"renamed, and once more", promise("f", spare), promise("g", renamed, spare), 1},
		{"in other words, for another reason", promise("f", spare), promise("g", never), 0},
		{"in other words, and of one part more", promise("f", spare), promise("g", never, renamed), 1},
		{"of several of a kind, in other words and for another reason", promise("f", north, east), promise("g", never), 0},
		{"of another of a kind with names", promise("f", north), promise("f", east), 0},
		{"of one more of a kind", promise("f", first), promise("f", first, third), 0},
		{"of one of a kind, and another", promise("f", first), promise("f", never, third), 1},
		{"no longer", promise("f", spare), promise("f"), 0},
		{"of another occurrence of a norm", promise("f", one), promise("f", one, two), 1},
		{"of an occurrence that base has not", promise("f", one), promise("f", one, four), 0},
		{"of an occurrence, where base has no remark", promise("f"), promise("f", one), 1},
		{"of an occurrence, in other words", promise("f", one), promise("g", two), 0},
		{"of the same occurrences", promise("f", one, two), promise("f", one, two), 0},
		{"violated", promise("f"), &finding.Requirement{Formula: "f", Verdict: finding.Violated, Vacuous: []finding.Vacuity{never}}, 0},
	} {
		if f := (finding.Finding{Base: c.base, Head: c.head, Recurring: []string{"rent[1]", "rent[2]", "rent[3]"}}); len(f.NewlyVacuous()) != c.want {
			t.Errorf("%s: %+v, want %d", c.name, f.NewlyVacuous(), c.want)
		}
	}
	if f := (finding.Finding{Base: promise("f")}); f.NewlyVacuous() != nil {
		t.Error("no head")
	}
}
