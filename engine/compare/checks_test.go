package compare

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec/codes"
)

// losing writes a contract that ends in done, and can be led elsewhere: "x", or "y x" for first to y and from there to x.
func losing(final, rest string, lost ...string) string {
	text := "contract \"c\" { final = \"" + final + "\" }\nparty \"a\" {\n"
	for _, s := range []string{"s", "done", "x", "y", "z"} {
		text += "  state \"" + s + "\" {}\n"
	}
	for _, l := range append([]string{"s done"}, lost...) {
		from, to, two := strings.Cut(l, " ")
		if !two {
			from, to = "s", l
		}
		text += "  transition \"" + from + "_" + to + "\" {\n    from = " + from + "\n    to   = " + to + "\n  }\n"
	}
	return text + "}\n" + rest
}

// TestAcceptedAnew: new ways of a check that head accepts are findings, or covered by an accept: by one that names their run, or by one of whatever
// fails. So are all ways, if base passed the check.
func TestAcceptedAnew(t *testing.T) {
	const warns = "accept \"state-never-reached\" { reason = \"why\" }\n"
	accepts := func(code string, runs ...string) string {
		text := "accept \"" + code + "\" {\n  reason = \"why\"\n"
		if len(runs) > 0 {
			text += "  run = \"" + strings.Join(runs, " ") + "\"\n"
		}
		return text + "}\n"
	}
	ends := accepts("dead-end")
	// The fingerprint of the run that leads to a state and perhaps ends there.
	run := func(to string, end bool) string {
		d := testkit.DraftOf(t, losing("a.done", "", to))
		step := finding.Firing{Step: 1, Parties: []string{"a"}, Transitions: []string{"a.s_" + to}}
		code := map[bool]string{true: "dead-end", false: "no-option-to-complete"}[end]
		return d.Fingerprint("check "+code+" "+d.Meaning(d.Spec.Final), &finding.Trace{Prefix: []finding.Firing{step}, DeadEnd: end})
	}
	x, y, z, toY, toZ := run("x", true), run("y", true), run("z", true), run("y", false), run("z", false)
	names := map[string]string{x: "to x", y: "to y", z: "to z", toY: "by y"}
	for _, c := range []struct {
		name, base, head string
		engine           finding.Engine
		want             string // the new findings; those covered
	}{
		{"as before", losing("a.done", "", "x"), losing("a.done", ends+warns, "x", "x z"), "", "; "},
		{"a new end", losing("a.done", "", "x"), losing("a.done", ends, "x", "y"), "", "; to x"},
		{"a new way, not to its end", losing("a.done", "", "x"), losing("a.done", ends, "x", "y", "y x"), "", "; to x"},
		{"not accepted", losing("a.done", "", "x"), losing("a.done", "", "x", "y"), "", "to y; "},
		{"base failed another check", losing("a.done", "", "x", "x z", "z x"), losing("a.done", ends, "x", "x z", "z x", "y"), "", "; to y"},
		{"an accepted remark", losing("a.done", warns, "x"), losing("a.done", warns, "x", "x z"), "", "; "},
		{"a new end of which the one check, and a way on of which the other is accepted", losing("a.done", "", "x", "z", "z z"), losing("a.done", ends+accepts("no-option-to-complete"), "x", "z", "z z", "y", "y y"), "", "; by y"},
		{"unknown", losing("a.done", "", "x"), losing("a.done", ends, "x", "y"), finding.Symbolic, "; to x unknown"},
		{"a new end that is named", losing("a.done", "", "x"), losing("a.done", accepts("dead-end", x, y), "x", "y"), "", "; to y"},
		{"one of two new ends is named", losing("a.done", "", "x"), losing("a.done", accepts("dead-end", x, y), "x", "y", "z"), "", "to z; to y"},
		{"a new end is not named", losing("a.done", "", "x"), losing("a.done", accepts("dead-end", x), "x", "y"), "", "to y; "},
		{"a new end is not named, and remarks are accepted", losing("a.done", "", "x"), losing("a.done", accepts("dead-end", x)+warns, "x", "y"), "", "to y; "},
		{"another block names it", losing("a.done", "", "x"), losing("a.done", accepts("dead-end", x)+accepts("dead-end", y), "x", "y"), "", "; to y"},
		{"only the new end is named", losing("a.done", "", "x"), losing("a.done", accepts("dead-end", y), "x", "y"), "", "; to y"},
		{"a way on to an old end is named", losing("a.done", "", "x"), losing("a.done", accepts("dead-end", x)+accepts("no-option-to-complete", toY), "x", "y", "y x"), "", "; by y"},
		{"the other check is accepted", losing("a.done", ends, "x", "y", "y y"), losing("a.done", ends, "x", "y", "y y", "z"), "", "; to x"},
		{"base fails nothing", losing("a.done", ""), losing("a.done", accepts("dead-end", x, y), "x", "y"), "", "; to x, to y"},
		{"base fails nothing, and one of two is named", losing("a.done", ""), losing("a.done", accepts("dead-end", x), "x", "y"), "", "to y; to x"},
		{"base fails nothing, and it is unknown", losing("a.done", ""), losing("a.done", accepts("dead-end", x), "x"), finding.Symbolic, "; to x unknown"},
		{"not accepted, and it is unknown", losing("a.done", "", "x"), losing("a.done", "", "x", "y"), finding.Symbolic, "; "},
		{"a new way of the other check, which is not accepted", losing("a.done", "", "x", "z", "z z"), losing("a.done", accepts("dead-end", x), "x", "z", "z z", "y", "y y"), "", "by y; "},
		{"a new way of the other check, which is accepted", losing("a.done", "", "x", "z", "z z"), losing("a.done", ends+accepts("no-option-to-complete", toZ), "x", "z", "z z", "y", "y y"), "", "by y; "},
		{"base went on, where head ends", losing("a.done", "", "y", "y y", "z", "z z"), losing("a.done", accepts("dead-end", y), "y", "z"), "", "; "},
		{"base has no such state, and accepts what does not fail", "contract \"c\" {}\nparty \"a\" {\n  state \"s\" {}\n}\n" + ends, losing("a.done", accepts("dead-end", x), "x"), "", "; to x"},
	} {
		review, _ := Compared(t.Context(), testkit.DraftOf(t, c.base), testkit.DraftOf(t, c.head), finding.Budget{Jobs: 1, Engine: c.engine})
		var fresh, covered []string
		for _, f := range review.Findings {
			if f.Kind == finding.New {
				fresh = append(fresh, names[f.Check.Run])
			}
			if f.Kind == finding.New && c.name == "a new end is not named" && !strings.HasPrefix(f.Check.Message, "There is a state,") {
				t.Errorf("%s: of one way it says: %s", c.name, f.Check.Message)
			}
		}
		for _, w := range review.Anew {
			if c.name == "a new way, not to its end" && w.Way != "" {
				t.Errorf("%s: an accept of the end can't name %s", c.name, w.Way)
			}
			covered = append(covered, names[w.Run]+map[bool]string{true: " unknown"}[w.Unknown])
		}
		slices.Sort(covered)
		if got := strings.Join(fresh, ", ") + "; " + strings.Join(slices.Compact(covered), ", "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestAcceptOfManyRuns: an accept can name 64 ways; whether there are more is unknown if it names more than those.
func TestAcceptOfManyRuns(t *testing.T) {
	for _, n := range []int{64, 65} {
		text := func(rest string, n int) string {
			var b strings.Builder
			b.WriteString("contract \"c\" { final = \"a.s\" }\nparty \"a\" {\n  state \"s\" {}\n")
			for i := range n {
				fmt.Fprintf(&b, "  state \"x%d\" {}\n  transition \"t%d\" {\n    from = s\n    to   = x%d\n  }\n", i, i, i)
			}
			return b.String() + "}\n" + rest
		}
		d := testkit.DraftOf(t, text("", n))
		var runs []string
		for i := range n {
			one := finding.Trace{DeadEnd: true, Prefix: []finding.Firing{{Step: 1, Parties: []string{"a"}, Transitions: []string{fmt.Sprint("a.t", i)}}}}
			runs = append(runs, d.Fingerprint("check dead-end "+d.Meaning(d.Spec.Final), &one))
		}
		accept := "accept \"dead-end\" {\n  reason = \"why\"\n  run = \"" + strings.Join(runs, " ") + "\"\n}\n"
		review, _ := Compared(t.Context(), testkit.DraftOf(t, text("", 0)), testkit.DraftOf(t, text(accept, n)), finding.Budget{Jobs: 1})
		unknown := slices.ContainsFunc(review.Anew, func(w finding.AcceptedWay) bool { return w.Unknown })
		if len(review.Findings) > 0 || len(review.Anew) < 64 || unknown != (n > 64) {
			t.Errorf("%d runs: %d ways accepted, unknown %t, %+v", n, len(review.Anew), unknown, review.Findings)
		}
	}
}

// TestAcceptedOnOneDocument: a document that is held twice in base excuses no other one on head, by whatever steps.
func TestAcceptedOnOneDocument(t *testing.T) {
	text := func(arcs, accepts string) string {
		both := func(name string) string {
			return "  transition \"" + name + "\" {\n" + arcs + "  }\n"
		}
		return "contract \"c\" {}\ndocument \"d\" {}\ndocument \"e\" {}\nparty \"p\" {\n  place \"d\" {\n    document = d\n    marked = true\n  }\n  place \"e\" {\n    document = e\n    marked = true\n  }\n" +
			both("t") + both("u") + "}\nparty \"q\" {\n  place \"d\" { document = d }\n  place \"e\" { document = e }\n  place \"v\" { marked = true }\n" +
			strings.NewReplacer("X", "t").Replace(taking) + strings.NewReplacer("X", "u").Replace(taking) + "}\n" +
			"event \"one\" {\n  sync = {\n    p = t\n    q = t\n  }\n}\nevent \"other\" {\n  sync = {\n    p = u\n    q = u\n  }\n}\n" + accepts
	}
	base := text("    read = [d]\n    consume = [e]\n", "")
	accepts := func(on, run string) string {
		return "accept \"document-held-twice\" {\n  on = document." + on + "\n  reason = \"why\"\n  run = \"" + run + "\"\n}\n"
	}
	both := "    read = [d, e]\n"
	head := verify.Check(t.Context(), testkit.DraftOf(t, text(both, "")), finding.Budget{Jobs: 1})
	run := ""
	for _, d := range head.Diagnostics {
		if d.Subject == "document.e" {
			run = d.Run
		}
	}
	review, _ := Compared(t.Context(), testkit.DraftOf(t, base), testkit.DraftOf(t, text(both, accepts("e", run))), finding.Budget{Jobs: 1})
	var got []string
	for _, f := range review.Findings {
		got = append(got, f.Kind.String()+" "+f.Check.Subject)
	}
	if said := strings.Join(got, ", "); run == "" || said != "standing document.d, new document.e" {
		t.Errorf("run %q: %s", run, said)
	}
}

// taking is a transition by which a party gets both documents.
const taking = "  transition \"X\" {\n    consume = [v]\n    produce = [d, e]\n  }\n"

// TestCheckWaysThatAreUnknown: ways of a check are unknown where states were not looked at one by one, and where a version has nothing to check.
func TestCheckWaysThatAreUnknown(t *testing.T) {
	now := &finding.Diagnostic{Code: "document-held-twice", Subject: "document.d", Class: codes.Violation}
	if w, _ := (&Sorting{}).checkWay(context.Background(), now, now.Subject); w == nil || w.Unknown == "" {
		t.Errorf("without states: %+v", w)
	}
	lost := &finding.Diagnostic{Code: "dead-end", Class: codes.Violation}
	with, without := listed(t, losing("a.done", "")), listed(t, strings.Replace(losing("", ""), " final = \"\" ", "", 1))
	for name, f := range map[string]*stepwise{"base": {head: with, base: without}, "head": {head: without, base: with}} {
		s := &Sorting{Base: f.base, Head: f.head, Before: &verify.Answers{}, steps: f}
		if w, _ := s.checkWay(context.Background(), lost, ""); w == nil || w.Unknown == "" {
			t.Errorf("%s has no final states: %+v", name, w)
		}
	}
}

// TestChecksThatAreSilent: that a check does not fail on head means nothing if it can't be asked there, is accepted, or the other check fails with the same run.
func TestChecksThatAreSilent(t *testing.T) {
	list := func(all ...codes.Code) (d []finding.Diagnostic) {
		for _, code := range all {
			d = append(d, finding.Diagnostic{Code: code})
		}
		return d
	}
	const ends, lost = codes.Code("dead-end"), codes.Code("no-option-to-complete")
	for _, c := range []struct {
		name  string
		head  []finding.Diagnostic
		asked verify.Answers
		want  bool
	}{
		{"neither fails", nil, verify.Answers{}, false},
		{"base's final states can't be asked", nil, verify.Answers{LostFinal: &finding.Diagnostic{}}, true},
		{"the other fails", list(ends), verify.Answers{}, true},
		{"the other fails, and this one of base's final states", list(ends), verify.Answers{Completion: list(lost)}, false},
	} {
		head := &finding.Result{Model: finding.Model{States: big.NewInt(1)}, Diagnostics: c.head}
		s := &Sorting{Review: &finding.ContractReview{Base: &finding.Result{}, Head: head}, Asked: &c.asked}
		if got := s.silent(lost); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
		if head.Model.States = nil; !s.silent(lost) {
			t.Errorf("%s, and head has no states: false", c.name)
		}
	}
}

// TestWhatBaseFailed: base's final states weaken nothing on head that base lost itself, and another check on the same element is another thing.
func TestWhatBaseFailed(t *testing.T) {
	again := &finding.Diagnostic{Code: "dead-end"}
	for code, want := range map[codes.Code]finding.Kind{"dead-end": finding.Standing, "no-option-to-complete": finding.Standing, "document-held-twice": finding.Weakened} {
		base := &finding.Result{Diagnostics: []finding.Diagnostic{{Code: code, Subject: "document.d"}}}
		s := &Sorting{Review: &finding.ContractReview{Base: base}}
		if _, kind := s.formerly(nil, again); kind != want {
			t.Errorf("base failed %s: %s, want %s", code, kind, want)
		}
		if was := s.formerSubject(&finding.Diagnostic{Code: "norm-never-arises", Subject: "document.d"}); was != "" {
			t.Errorf("base failed %s, which is no norm: %s", code, was)
		}
	}
}

// TestSubjects: a draft has the documents and norms that it declares, by kind and name, and whatever else a check is about.
func TestSubjects(t *testing.T) {
	const norms = "party \"a\" {\n  state \"s\" {}\n  state \"u\" {}\n  transition \"t\" {\n    from = s\n    to   = u\n  }\n}\nevent \"e\" {\n  sync = { a = t }\n}\nprohibition \"n\" {\n  bearer = a\n  of     = e\n}\n"
	d := testkit.DraftOf(t, "contract \"c\" {}\ndocument \"d\" {\n  moves = { e = { to = a } }\n}\nobligation \"rent\" {\n  bearer = a\n  times = 2\n  every = 2\n  within = 1\n}\n"+norms)
	for subject, want := range map[string]bool{
		"document.d": true, "document.n": false, "prohibition.n": true, "obligation.rent": true, "obligation.rent[2]": true, "prohibition.d": false, "obligation.n": false, "permission.n": false, "": true, "event.e": true, "event.other": false, "a.other": true,
	} {
		if Has(d, subject) != want {
			t.Errorf("it has %q: %t", subject, !want)
		}
	}
	r := &finding.Result{Diagnostics: []finding.Diagnostic{{Code: "document-held-twice", Subject: "document.d"}}}
	for _, c := range []struct {
		code    codes.Code
		subject string
		want    bool
	}{{"document-held-twice", "document.d", true}, {"document-held-twice", "document.e", false}, {"norm-never-arises", "document.d", false}} {
		if has(r, c.code, c.subject) != c.want {
			t.Errorf("it fails %s on %s: %t", c.code, c.subject, !c.want)
		}
	}
}

// TestChecksOfElements: what becomes of checks that are about one element each.
func TestChecksOfElements(t *testing.T) {
	kept := func(arc string, rest string) string {
		return "contract \"c\" {}\ndocument \"d\" {}\nparty \"p\" {\n  place \"d\" {\n    document = d\n    marked   = true\n  }\n  transition \"t\" { " + arc + " = [d] }\n}\n" +
			"party \"q\" {\n  place \"d\" { document = d }\n  place \"v\" { marked = true }\n  transition \"t\" {\n    consume = [v]\n    produce = [d]\n  }\n}\nevent \"e\" {\n  sync = {\n    p = t\n    q = t\n  }\n}\n" + rest
	}
	none := strings.Replace(strings.ReplaceAll(strings.Replace(kept("read", ""), "document \"d\" {}\n", "", 1), "    document = d\n", ""), " document = d ", "", 1)
	final := func(text, formula string) string {
		return strings.Replace(text, "contract \"c\" {}", "contract \"c\" { final = \""+formula+"\" }", 1)
	}
	for _, c := range []struct {
		name, base, head string
		states           int
		want             string
	}{
		{"as before", kept("read", ""), kept("read", "net \"n\" {}\n"), 0, "standing document-held-twice"},
		{"fails", kept("consume", ""), kept("read", ""), 0, "new document-held-twice"},
		{"fails no more", kept("read", ""), kept("consume", ""), 0, "repaired document-held-twice"},
		{"is dropped", kept("read", ""), none, 0, ""},
		{"head is too large", kept("read", ""), kept("consume", testkit.Light), 2, ""},
		{"as before, and other states are final", final(kept("read", ""), "q.d"), final(kept("read", ""), "q.d || q.v"), 0, "dropped no-option-to-complete, standing document-held-twice"},
	} {
		b := finding.Budget{Jobs: 1}
		if c.states > 0 {
			b.States, b.Engine = c.states, finding.Explicit
		}
		review, _ := Compared(t.Context(), testkit.DraftOf(t, c.base), testkit.DraftOf(t, c.head), b)
		var got []string
		for _, f := range review.Findings {
			got = append(got, f.Kind.String()+" "+f.Name)
		}
		if said := strings.Join(got, ", "); said != c.want {
			t.Errorf("%s: %s, want %s", c.name, said, c.want)
		}
	}
}

func listed(t *testing.T, text string) *verify.Listed {
	t.Helper()
	f := verify.Decide(t.Context(), testkit.DraftOf(t, text), finding.Budget{Jobs: 1, Engine: finding.Explicit}, nil, verify.ProposeNothing)
	if f.Listed == nil {
		t.Fatal("no states")
	}
	return f.Listed
}
