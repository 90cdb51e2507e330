package compare_test

import (
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
)

// TestFinalStates: what becomes of the promise that a final state can always be reached, whoever breaks it, accepts that, or gives it up.
func TestFinalStates(t *testing.T) {
	accept := accepting("dead-end", "", "", "why")
	free := func(rest string, lost ...string) string {
		return strings.Replace(ending("", rest, lost...), " final = \"\" ", "", 1)
	}
	looping := func(text string) string { // from x nothing else is reached, for ever
		return strings.Replace(text, leads("s_x", "s", "x"), leads("s_x", "s", "x")+leads("x_y", "x", "y")+leads("y_x", "y", "x"), 1)
	}
	for _, c := range []struct {
		name, base, head string
		most             int
		engine           finding.Engine
		want             string
	}{
		{"broken in base alone", ending("a.done", "", "x"), ending("a.done", ""), 0, "", "dead-end repaired"},
		{"broken in both, accepted in head", ending("a.done", "", "x"), ending("a.done", accept+"net \"n\" {}\n", "x"), 0, "", ""},
		{"broken in base, and head is too large", ending("a.done", "", "x"), strings.Replace(ending("a.done", "", "x"), `"s_x"`, `"renamed"`, 1) + testkit.Light, 4, finding.Explicit, ""},
		{"broken in both, by unknown ways", ending("a.done", "", "x"), ending("a.done", "", "x", "y"), 0, finding.Symbolic, "dead-end undecided"},
		{"less is final, and base breaks that, too", ending("a.done || a.x", "", "x", "y"), ending("a.done", "", "x", "y"), 0, "", "dead-end standing"},
		{"more is final, and base keeps that", ending("a.done", "", "x"), ending("a.done || a.x", "", "x", "y"), 0, "", "dead-end new"},
		{"more is final, and head keeps that", ending("a.done", accept, "x"), ending("a.done || a.x", "", "x"), 0, "", "no-option-to-complete dropped"},
		{"accepted in base, and dropped", ending("a.done", accept, "x"), free("", "x"), 0, "", "no-option-to-complete dropped"},
		{"accepted in base, and deleted", ending("a.done", accept, "x"), "", 0, "", "no-option-to-complete dropped"},
		{"broken in base, and dropped", ending("a.done", "", "x"), free("", "x"), 0, "", "dead-end standing"},
		{"broken in base, dropped, and broken anew", ending("a.done", "", "x"), free("", "x", "y"), 0, "", "dead-end weakened 0"},
		{"broken in base, dropped, and maybe broken anew", ending("a.done", "", "x"), free("", "x", "y"), 0, finding.Symbolic, "dead-end undecided"},
		{"broken in base by an end, dropped, and by a circle now", ending("a.done", "", "x"), looping(free("", "x")), 0, "", "no-option-to-complete standing"},
		{"more is final, both break that, and the rest is broken anew", ending("a.done", "", "y"), ending("a.done || a.x", "", "y", "x"), 0, "", "dead-end standing, dead-end weakened 0"},
		{"more is final, and head breaks what base kept", ending("a.done", ""), ending("a.done || a.x", "", "x"), 0, "", "dead-end weakened"},
		{"base goes round, and head drops its final states", looping(ending("a.done", "", "x")), looping(free("", "x")), 0, "", "no-option-to-complete standing"},
		{"base keeps them, and is deleted", ending("a.done", ""), "", 0, "", "no-option-to-complete dropped"},
		{"base does not, and is deleted", ending("a.done", "", "x"), "", 0, "", ""},
		{"another check fails, and the final states are dropped", heldFinal([2]bool{}, "seller.d0 || !seller.d0"), heldTwice([2]bool{true, false}, ""), 0, "", "no-option-to-complete dropped, document-held-twice new"},
		{"any state is final, and then none", ending("a.s || !a.s", ""), free(""), 0, "", "no-option-to-complete dropped"},
		{"more is final, and both are lost", ending("a.done", ""), ending("a.done || a.y", "", "x"), 0, "", "dead-end new, no-option-to-complete dropped"},
		{"more is final, and a promise is weakened", ending("a.done", promise("AG !a.y")), strings.Replace(ending("a.done || a.y", "", "y"), leads("s_y", "s", "y"), leads("s_y", "s", "y")+leads("y_done", "y", "done"), 1), 0, "", "r weakened, no-option-to-complete dropped"},
		{"broken in base, and head is too large and lacks its names", ending("a.done", "", "x"), one("s x", []string{"s x"}, testkit.Light), 3, finding.Explicit, ""},
		{"broken in base, and head lacks its names", ending("a.done", "", "x"), one("s x", []string{"s x"}, ""), 0, "", "dead-end undecided"},
		{"a new way to a state that leads to an old end", ending("a.done", "", "x"), strings.Replace(ending("a.done", "", "x", "y"), leads("s_y", "s", "y"), leads("s_y", "s", "y")+leads("y_x", "y", "x"), 1), 0, "", "dead-end standing, no-option-to-complete new 0"},
	} {
		b := finding.Budget{Jobs: 1, States: c.most, Engine: c.engine}
		var head *compile.Draft
		if c.head != "" {
			head = testkit.DraftOf(t, c.head)
		}
		review := blame.Compare(t.Context(), testkit.DraftOf(t, c.base), head, b)
		var got []string
		for _, f := range review.Findings {
			got = append(got, f.Name+" "+sorted(&f))
			if f.Kind == finding.Weakened && f.Way != nil && f.Check != nil && f.Check.Run != "" {
				t.Errorf("%s: an accept could name %s, and head has no such final states", c.name, f.Check.Run)
			}
		}
		if said := strings.Join(got, ", "); said != c.want {
			t.Errorf("%s: %s, want %s", c.name, said, c.want)
		}
	}
}

func heldFinal(kept [2]bool, final string) string {
	return strings.Replace(heldTwice(kept, ""), "contract \"c\" {}", "contract \"c\" { final = \""+final+"\" }", 1)
}

// TestFinalStatesAreGivenUp: where head breaks base's final states and declares others, the check is a promise given up, with a digest of its own.
func TestFinalStatesAreGivenUp(t *testing.T) {
	base := ending("a.done", promise("AG !a.x"))
	digest := amend(t, ending("a.done", ""), "", "").Contracts[0].Findings[0].Promise
	r := amend(t, base, ending("a.done || a.x", "", "x"), "")
	got := map[string]string{}
	for _, f := range r.Contracts[0].Findings {
		got[f.Kind.String()+" "+f.RetireName()] = f.Promise
	}
	if got["weakened "+finding.FinalPromise] != digest {
		t.Errorf("%v, want %s", got, digest)
	}
	if own := got["weakened r"]; own == "" || own == digest {
		t.Errorf("the requirement has the digest %q", own)
	}
}

// TestNewWayOfACheck: a check that fails in a new way shows the run of that way, and has its fingerprint.
func TestNewWayOfACheck(t *testing.T) {
	skip := func(text string) string {
		return strings.Replace(text, "party \"bank\" {\n", "party \"bank\" {\n  transition \"skip\" { consume = [v0] }\n", 1)
	}
	again := func(text string) string {
		return strings.NewReplacer("party \"seller\" {\n", "party \"seller\" {\n  transition \"u\" { read = [d0] }\n", "party \"bank\" {\n", "party \"bank\" {\n  transition \"u\" {\n    consume = [v0]\n    produce = [d0]\n  }\n").Replace(text) +
			"event \"more\" {\n  sync = {\n    seller = u\n    bank = u\n  }\n}\n"
	}
	held := [2]bool{true, false}
	for _, c := range []struct{ name, base, head, code, last, alone string }{
		{"a document", skip(heldTwice(held, "")), again(skip(heldTwice(held, ""))), "document-held-twice", "more", again(heldTwice([2]bool{}, ""))},
		{"final states", ending("a.done", "", "x"), ending("a.done", "", "x", "y"), "dead-end", "", ending("a.done", "", "y")},
	} {
		review := blame.Compare(t.Context(), testkit.DraftOf(t, c.base), testkit.DraftOf(t, c.head), finding.Budget{Jobs: 1})
		f := review.Findings[0]
		if f.Kind != finding.New || f.Check == nil || string(f.Check.Code) != c.code {
			t.Errorf("%s: %s %s", c.name, f.Kind, f.Name)
			continue
		}
		if run := checkRun(t, c.alone, c.code); f.Check.Run != run {
			t.Errorf("%s: the run is %s, want %s", c.name, f.Check.Run, run)
		}
		trace := f.Check.Trace
		if last := trace.Prefix[len(trace.Prefix)-1].Event; last != c.last || trace.Claim != "" || trace.Then != nil {
			t.Errorf("%s: %+v", c.name, trace)
		}
	}
}
