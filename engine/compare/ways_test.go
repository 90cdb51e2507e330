package compare_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compare"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/verify"
)

// leads writes a transition.
func leads(name, from, to string) string {
	return fmt.Sprintf("  transition %q {\n    from = %s\n    to   = %s\n  }\n", name, from, to)
}

// one writes a contract of one party: its states, its steps as "from to" or "from to name", and what follows.
func one(states string, steps []string, rest string) string {
	text := "contract \"c\" {}\nparty \"a\" {\n"
	for _, s := range strings.Fields(states) {
		text += "  state \"" + s + "\" {}\n"
	}
	for _, s := range steps {
		words := strings.Fields(s)
		from, to, name := words[0], words[1], words[0]+"_"+words[1]
		if len(words) == 3 {
			name = words[2]
		}
		text += leads(name, from, to)
	}
	return text + "}\n" + rest
}

func promise(ctl string) string { return "requirement \"r\" { ctl = \"" + ctl + "\" }\n" }

// waivedPromise writes a promise with a waiver that names some runs.
func waivedPromise(ctl string, runs ...string) string {
	return "requirement \"r\" {\n  ctl = \"" + ctl + "\"\n  waiver {\n    reason   = \"settled\"\n    approver = \"R. Roe\"\n    run      = \"" +
		strings.Join(runs, " ") + "\"\n  }\n}\n"
}

// TestNewWays: what was violated is new where it is violated in a way that base did not have.
func TestNewWays(t *testing.T) {
	never, comes := promise("AG !a.bad"), promise("AF a.ok")
	sale := []string{"s ok", "s bad"}
	for _, c := range []struct {
		name, base, head string
		want             string // the kind, and of a new way the step that base refuses
	}{
		{"same", one("s ok bad x", sale, never), one("s ok bad x", append(sale, "ok x"), never), "standing"},
		{"second way", one("s ok bad x", sale, never), one("s ok bad x", append(sale, "ok x", "x bad"), never), "new 0"},
		{"another last step", one("s ok bad x", sale, never), one("s ok bad x", append(sale, "ok bad"), never), "new 0"},
		{"a step sooner", one("s x ok bad", []string{"s x", "x bad", "x ok"}, never), one("s x ok bad", []string{"s x", "x bad", "x ok", "s bad"}, never), "new 0"},
		{"a detour", one("s x ok bad", sale, never), one("s x ok bad", append(sale, "s x", "x s"), never), "standing"},
		{"by another step back", one("s ok bad", append(sale, "ok s"), never), one("s ok bad x", append(sale, "ok x", "x s"), never), "new 4, base lacks 2"},
		{"two at once", one("s m ok bad", []string{"s m", "s ok", "m bad", "m ok"}, never),
			one("s m ok bad y", []string{"s m", "s ok", "m bad", "ok y", "y m"}, never), "new 4, base lacks 2"},
		{"light", one("s ok bad", sale, never), one("s ok bad", sale, testkit.Light+never), "standing"},
		{"light, and what comes", one("s ok bad", sale, comes), one("s ok bad", sale, testkit.Light+comes), "standing"},
		{"light, and waiting", one("s ok", []string{"s s", "s ok"}, comes), one("s ok", []string{"s s", "s ok"}, testkit.Light+comes), "standing"},
		{"ends elsewhere", one("s ok bad x", sale, comes), one("s ok bad x", append(sale, "s x"), comes), "new 0"},
		{"goes on after it is lost", one("s ok bad x", sale, comes), one("s ok bad x", append(sale, "bad x", "x bad"), comes), "standing"},
		{"for ever", one("s ok bad x", sale, comes), one("s ok bad x", append(sale, "s x", "x s"), comes), "new 0"},
		{"stays where it is", one("s ok bad x", sale, comes), one("s ok bad x", append(sale, "s s"), comes), "rests-as-before"}, // a puts off what it does otherwise
		{"after a step that base can't take there", one("s ok bad x", append(sale, "x x t"), never), one("s ok bad x", append(sale, "s s t"), never), "new 1"},
		{"no run", one("s ok bad x", []string{"s ok"}, promise("EF a.bad")), one("s ok bad x", []string{"s ok", "s x"}, promise("EF a.bad")), "standing unshown"},
		{"response", one("s ok p bad x", []string{"s p", "p ok", "p bad"}, promise("AG(a.p -> AF a.ok)")),
			one("s ok p bad x", []string{"s p", "p ok", "p bad", "p x"}, promise("AG(a.p -> AF a.ok)")), "new 0"},
		{"response, elsewhere", one("s ok p bad x", []string{"s p", "p ok", "p bad"}, promise("AG(a.p -> AF a.ok)")),
			one("s ok p bad x", []string{"s p", "p ok", "p bad", "s x"}, promise("AG(a.p -> AF a.ok)")), "standing"},
		{"next, by a step that base can't take there", one("s ok bad x", append(sale, "x bad t"), promise("AX a.ok")), one("s ok bad x", append(sale, "s bad t"), promise("AX a.ok")), "new 1"},
		{"next, by a step that base takes", one("s ok bad x", append(sale, "s x t"), promise("AX a.ok")), one("s ok bad x", append(sale, "s bad t"), promise("AX a.ok")), "standing"},
		{"reworded, kept before", one("s ok bad x", sale, comes), one("s ok bad x", append(sale, "s x"), promise("AG !a.x")), "new"},
		{"reworded, as broken before", one("s ok bad x", sale, comes), one("s ok bad x", append(sale, "ok x"), never), "standing"},
		{"reworded, as broken, but kept as it was", one("s ok bad x", sale, promise("AG !a.x")), one("s ok bad x", sale, never), "new"},
		{"reworded, kept, and violated before", one("s ok bad", sale, comes), one("s ok bad", sale, promise("EF a.ok")), "kept"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for name, budget := range map[string]finding.Budget{"auto": {Jobs: 1}, "explicit": {Jobs: 1, Engine: finding.Explicit}} {
				review := blame.Compare(context.Background(), testkit.DraftOf(t, c.base), testkit.DraftOf(t, c.head), budget)
				i := slices.IndexFunc(review.Findings, func(f finding.Finding) bool { return f.Name == "r" && !f.Old })
				if got := sorted(&review.Findings[i]); got != c.want {
					t.Errorf("%s: %s, want %s", name, got, c.want)
				}
			}
		})
	}
}

// sorted tells a finding's kind, and how it was compared.
func sorted(f *finding.Finding) string {
	said := f.Kind.String()
	switch w := f.Way; {
	case w == nil:
	case w.New:
		said += fmt.Sprint(" ", w.Step)
		if w.Lacks > 0 {
			said += fmt.Sprint(", base lacks ", w.Lacks)
		}
	case w.Unshown:
		said += " unshown"
	}
	return said
}

// TestAStepByAnother: base could take the second step after the first, which is another party's there.
func TestAStepByAnother(t *testing.T) {
	const text = `
contract "c" {}
party "seller" {}
party "buyer" {}
event "payment" {
  by = buyer
}
event "theft" {
  by = buyer
}
event "delivery" {
  by         = seller
  only_while = any(happened(payment), happened(theft))
}
requirement "r" {
  no      = "happened(delivery)"
  without = "happened(payment)"
}
`
	head := strings.Replace(text, "event \"theft\" {\n  by = buyer", "event \"theft\" {\n  by = seller", 1)
	review := blame.Compare(context.Background(), testkit.DraftOf(t, text), testkit.DraftOf(t, head), finding.Budget{Jobs: 1})
	if got := sorted(&review.Findings[0]); got != "new 2, base lacks 1" {
		t.Error(got)
	}
}

// TestNewWayIsBlamed: a new way has its own run, what brings it about, and a repair that leaves the old ones.
func TestNewWayIsBlamed(t *testing.T) {
	base := one("s ok bad x", []string{"s ok", "s bad"}, promise("AG !a.bad"))
	head := one("s ok bad x", []string{"s ok", "s bad", "ok x", "x bad"}, promise("AG !a.bad"))
	f := blame.Compare(context.Background(), testkit.DraftOf(t, base), testkit.DraftOf(t, head), finding.Budget{Jobs: 1}).Findings[0]
	if n := len(f.Head.Trace.Prefix); n != 3 {
		t.Errorf("the run has %d steps, want 3", n)
	}
	if f.Refusal == nil || f.Refusal.Step != 2 {
		t.Errorf("refused: %+v, want at step 2", f.Refusal)
	}
	if f.Blame == nil || len(f.Blame.Blocks) != 2 {
		t.Errorf("blamed: %+v, want both transitions", f.Blame)
	}
	if len(f.Repairs) == 0 {
		t.Error("no repair")
	}
}

// TestNewWayEndsWithItsClaim: where the evidence goes on below a premise, the claim at the end of a run is about the end of that run.
func TestNewWayEndsWithItsClaim(t *testing.T) {
	base := one("s m n ok", []string{"s m", "m ok"}, testkit.Light+promise("AG (EX a.ok -> a.ok)"))
	head := one("s m n ok", []string{"s m", "m ok", "s n", "n ok"}, testkit.Light+promise("AG (EX a.ok -> a.ok)"))
	f := blame.Compare(context.Background(), testkit.DraftOf(t, base), testkit.DraftOf(t, head), finding.Budget{Jobs: 1}).Findings[0]
	if want := "“a: ok” can come next, and yet not “a: ok”"; f.Kind != finding.New || f.Head.Trace.Claim != want {
		t.Errorf("%s: %s; want %s", f.Kind, f.Head.Trace.Claim, want)
	}
}

// TestCompletionIsOnePromise: that no final state can be reached any more is one violation, whichever check reports it.
func TestCompletionIsOnePromise(t *testing.T) {
	final := func(text string) string {
		return strings.Replace(text, "contract \"c\" {}", "contract \"c\" { final = \"a.done\" }", 1)
	}
	base := final(one("s done x y", []string{"s done", "s x"}, ""))
	for _, c := range []struct {
		name  string
		steps []string
		rest  string
		want  string
	}{
		{"later", []string{"s done", "s x", "x y"}, "", "dead-end standing, no-option-to-complete standing"},
		{"for ever", []string{"s done", "s x", "x y", "y x"}, "", "no-option-to-complete standing"},
		{"elsewhere", []string{"s done", "s x", "s y"}, "", "dead-end new 0"},
		{"elsewhere, for ever", []string{"s done", "s x", "s y", "y y"}, "", "dead-end standing, no-option-to-complete new 0"},
		{"light", []string{"s done", "s x"}, testkit.Light, "no-option-to-complete standing"},
	} {
		review := blame.Compare(context.Background(), testkit.DraftOf(t, base), testkit.DraftOf(t, final(one("s done x y", c.steps, c.rest))), finding.Budget{Jobs: 1})
		var got []string
		for _, f := range review.Findings {
			got = append(got, f.Name+" "+sorted(&f))
		}
		if said := strings.Join(got, ", "); said != c.want {
			t.Errorf("%s: %s, want %s", c.name, said, c.want)
		}
	}
}

// TestLostByAnotherCheck: other final states weaken nothing that base had lost already, whichever check reports it.
func TestLostByAnotherCheck(t *testing.T) {
	final := func(states, text string) string {
		return strings.Replace(text, "contract \"c\" {}", "contract \"c\" { final = \""+states+"\" }", 1)
	}
	base := final("a.done", one("s done", nil, ""))
	head := final("a.done || a.s", one("s done", []string{"s s"}, ""))
	review := blame.Compare(context.Background(), testkit.DraftOf(t, base), testkit.DraftOf(t, head), finding.Budget{Jobs: 1})
	var got []string
	for _, f := range review.Findings {
		got = append(got, f.Name+" "+sorted(&f))
	}
	if said := strings.Join(got, ", "); said != "no-option-to-complete standing" {
		t.Error(said)
	}
}

// TestSecondWayIsNotWaived: a waiver accepts the runs it names; a way that the amendment adds needs a name of its own.
func TestSecondWayIsNotWaived(t *testing.T) {
	waiver := func(runs ...string) string { return waivedPromise("AG !a.bad", runs...) }
	plain, second := []string{"s ok", "s bad"}, []string{"s ok", "s bad", "ok x", "x bad"}
	compare := func(base, head string) finding.Finding {
		return blame.Compare(context.Background(), testkit.DraftOf(t, base), testkit.DraftOf(t, head), finding.Budget{Jobs: 1}).Findings[0]
	}
	never := promise("AG !a.bad")
	fresh := compare(one("s ok bad x", plain, never), one("s ok bad x", second, never))
	old, added := fresh.Base.Run, fresh.Head.Run
	if old == added {
		t.Fatal("both ways have one fingerprint")
	}
	for _, c := range []struct {
		name       string
		base, head string
		want       finding.Kind
	}{
		{"nothing added", one("s ok bad x", plain, waiver(old)), one("s ok bad x", append(plain, "ok x"), waiver(old)), finding.Waived},
		{"light added", one("s ok bad x", plain, waiver(old)), one("s ok bad x", plain, testkit.Light+waiver(old)), finding.Waived},
		{"second way added", one("s ok bad x", plain, waiver(old)), one("s ok bad x", second, waiver(old)), finding.New},
		{"second way added, and named", one("s ok bad x", plain, waiver(old)), one("s ok bad x", second, waiver(old, added)), finding.Waived},
		{"first way named no more", one("s ok bad x", plain, waiver(old)), one("s ok bad x", append(plain, "ok x"), never), finding.New},
		{"only the second way named", one("s ok bad x", plain, never), one("s ok bad x", second, waiver(added)), finding.Standing},
		{"nothing waived", one("s ok bad x", plain, never), one("s ok bad x", append(plain, "ok x"), waiver(old)), finding.Waived},
	} {
		f := compare(c.base, c.head)
		if f.Kind != c.want {
			t.Errorf("%s: %s, want %s", c.name, f.Kind, c.want)
		}
		if c.name == "second way added, and named" && (f.Head.Run != added || f.Way == nil || !f.Way.New) {
			t.Errorf("%s: the run is %s, %+v; want that of the new way", c.name, f.Head.Run, f.Way)
		}
	}
}

// TestWaiverIsTakenAway: an amendment takes no waiver away without an objection, on whatever day, be it that it names other runs or makes the run another one.
func TestWaiverIsTakenAway(t *testing.T) {
	const never = "AG !a.bad"
	plain, second, longer := []string{"s ok", "s bad"}, []string{"s ok", "s bad", "ok x", "x bad"}, []string{"s ok", "s x", "x bad s_bad"}
	run := func(steps ...string) string {
		return verify.Check(context.Background(), testkit.DraftOf(t, one("s ok bad x y", steps, promise(never))), finding.Budget{Jobs: 1}).Requirements[0].Run
	}
	old, added := run(plain...), run("s ok", "ok x", "x bad")
	both, sooner := append(longer, "ok y", "y bad"), []string{"s ok", "s bad a_first", "s bad"}
	until := func(day string, runs ...string) string {
		return strings.Replace(waivedPromise(never, runs...), "    run ", "    expires  = \""+day+"\"\n    run ", 1)
	}
	for _, c := range []struct {
		name       string
		was        string
		head       []string
		now        string
		today      finding.Date
		want       finding.Kind
		wantStatus finding.ExitStatus
	}{
		{"expired", until("2026-03-31", old), plain, promise(never), "2026-04-01", finding.New, finding.Violations},
		{"of a day that is not known", until("2026-03-31", old), plain, promise(never), "", finding.New, finding.Violations},
		{"for a new way", waivedPromise(never, old), second, waivedPromise(never, added), "", finding.New, finding.Violations},
		{"for a new way, after it expired", until("2026-03-31", old), second, waivedPromise(never, added), "2026-04-01", finding.New, finding.Violations},
		{"for a new way that is found first", waivedPromise(never, old), sooner, waivedPromise(never, run(sooner...)), "", finding.New, finding.Violations},
		{"by a step more", until("2026-03-31", old), longer, until("2026-03-31", old), "2026-04-01", finding.New, finding.Violations},
		{"by a step more, on a day that is not known", until("2026-03-31", old), longer, until("2026-03-31", old), "", finding.New, finding.Violations},
		{"by a step more, and a new way is named", waivedPromise(never, old), both, waivedPromise(never, old, run("s ok", "ok y", "y bad")), "", finding.New, finding.Violations},
		{"by a step more, and a new way is named, after it expired", until("2026-03-31", old), both, waivedPromise(never, old, run("s ok", "ok y", "y bad")), "2026-04-01", finding.New, finding.Violations},
		{"as it was, on a day that is not known", until("2026-03-31", old), append(plain, "ok x"), until("2026-03-31", old), "", finding.Standing, finding.Clean},
		{"with what is violated", waivedPromise(never, old), []string{"s ok"}, promise(never), "", finding.Repaired, finding.Clean},
	} {
		r := blame.Compare(context.Background(), testkit.DraftOf(t, one("s ok bad x y", plain, c.was)), testkit.DraftOf(t, one("s ok bad x y", c.head, c.now)), finding.Budget{Jobs: 1, Today: c.today})
		review := finding.Review{Contracts: []finding.ContractReview{r}}
		if err := review.Settle(t.Context(), finding.AcceptancePolicy{Rule: finding.AcceptAmendment}, nil); err != nil {
			t.Fatal(err)
		}
		shown := run(c.head...)
		if strings.Contains(c.now, shown) { // what a waiver names is not shown as new
			shown = old
		}
		if f := r.Findings[0]; f.Kind != c.want || review.Gate(finding.FailNew) != c.wantStatus || c.want == finding.New && f.Head.Run != shown {
			t.Errorf("%s: %s, exit status %d, by run %s", c.name, f.Kind, review.Gate(finding.FailNew), f.Head.Run)
		}
	}
}

// TestEveryWayIsWaived: a waiver accepts what it names, and what does the same with something between; any other way that is not base's is new.
func TestEveryWayIsWaived(t *testing.T) {
	const never, comes = "AG !a.bad", "AF a.ok"
	kept, old := []string{"s ok"}, []string{"s ok", "s bad"}
	with := func(steps []string, more ...string) []string { return append(slices.Clone(steps), more...) }
	for _, c := range []struct {
		name, ctl  string
		base, head []string
		want       int // how many fingerprints it takes
	}{
		{"kept before", never, kept, old, 1},
		{"two ways", never, kept, with(old, "ok bad"), 2},
		{"three ways", never, kept, with(old, "ok bad", "s x", "x bad"), 3},
		{"a detour", never, kept, with(old, "s x", "x s"), 1},
		{"round, and the same way", never, kept, with(kept, "ok bad", "s x", "x s"), 1},
		{"there and back", never, kept, with(old, "ok x", "x s"), 1},
		{"one way more", never, old, with(old, "ok bad"), 2},
		{"two ways more", never, old, with(old, "ok bad", "ok x", "x bad"), 3},
		{"round, by what base leaves it by", never, []string{"s x t", "s s u", "s bad z"}, []string{"s s t", "s s u", "s bad z"}, 1},
		{"it never comes", comes, kept, old, 1},
		{"nor after a while", comes, kept, with(kept, "s x", "x bad"), 1},
		{"nor by two ways", comes, kept, with(old, "s x"), 2},
		{"it is waited for, as before", comes, kept, with(kept, "s s"), 0},
		{"in two ways", comes, kept, with(kept, "s s", "s x", "x s"), 2},
		{"waiting, and an end", comes, kept, with(old, "s s"), 2},
		{"waiting more", comes, with(kept, "s s"), with(kept, "s s", "s x", "x s"), 2},
		{"next", "AX a.ok", kept, with(old, "s x"), 2},
		{"after something", "AG (a.x -> AF a.ok)", with(kept, "s x", "x ok"), with(kept, "s x", "x ok", "x bad"), 1},
		{"after something, in two ways", "AG (a.x -> AF a.ok)", with(kept, "s x", "x ok"), with(kept, "s x", "x ok", "x bad", "x x"), 2},
		{"after something, where it could not come before", "AG (a.x -> AF a.ok)", []string{"s bad"}, []string{"s bad", "s x"}, 1},
		{"both", "AG !a.bad && AF a.ok", kept, with(old, "s x", "ok bad"), 4}, // that by which both are broken is named for each
		{"no run", "EF a.bad", with(old), kept, 1},
	} {
		var runs []string
		was := func(ctl string) string {
			if f := verify.Check(context.Background(), testkit.DraftOf(t, one("s ok bad x", c.base, promise(ctl))), finding.Budget{Jobs: 1}).Requirements[0]; f.Verdict == finding.Violated {
				runs = append(runs, f.Run)
				return waivedPromise(ctl, f.Run)
			}
			return promise(ctl)
		}(c.ctl)
		for range 8 {
			rest := promise(c.ctl)
			if len(runs) > 0 {
				rest = waivedPromise(c.ctl, runs...)
			}
			f := blame.Compare(context.Background(), testkit.DraftOf(t, one("s ok bad x", c.base, was)), testkit.DraftOf(t, one("s ok bad x", c.head, rest)), finding.Budget{Jobs: 1}).Findings[0]
			if f.Kind == finding.Waived || f.Kind == finding.RestsAsBefore {
				break
			}
			if f.Kind != finding.New || slices.Contains(runs, f.Head.Run) {
				t.Errorf("%s: %s with %d runs named: %+v", c.name, f.Kind, len(runs), f.Way)
				break
			}
			runs = append(runs, f.Head.Run)
		}
		if len(runs) != c.want {
			t.Errorf("%s: it takes %d fingerprints, want %d", c.name, len(runs), c.want)
		}
	}
}

// TestLeastWayIsShown: of the ways that are asked for, one is shown that has no other within it, so that it is as no run that a waiver names, whatever else that names.
func TestLeastWayIsShown(t *testing.T) {
	for _, c := range []struct {
		name, ctl  string
		base, head []string
		want       []string // what happens in each way that it takes a fingerprint for
	}{
		{"base can't go on", "AG !a.bad", []string{"s x t", "s s u", "s bad z"}, []string{"s s t", "s s u", "s bad z"}, []string{"t z"}},
		{"nor by two steps", "AG !a.bad", []string{"s x t", "s x u", "s bad z"}, []string{"s s t", "s s u", "s bad z"}, []string{"t z", "u z"}},
		{"until something comes", "A[!a.bad W a.ok]", []string{"s x t", "s s u", "s bad z"}, []string{"s s t", "s s u", "s bad z"}, []string{"t z"}},
		{"after it is lost", "AF a.ok", []string{"s ok t", "s bad z"}, []string{"s s t", "s ok u", "s bad z", "s x v", "x y w"}, []string{"t t", "t z", "v w"}},
		{"after something", "AG (a.y -> AX !a.bad)", []string{"s x t", "s s u", "s y v", "y bad z"}, []string{"s s t", "s s u", "s y v", "y bad z"}, []string{"t v z"}},
	} {
		review := func(runs ...string) finding.Finding {
			rest := promise(c.ctl)
			if len(runs) > 0 {
				rest = waivedPromise(c.ctl, runs...)
			}
			return blame.Compare(context.Background(), testkit.DraftOf(t, one("s ok bad x y", c.base, promise(c.ctl))), testkit.DraftOf(t, one("s ok bad x y", c.head, rest)), finding.Budget{Jobs: 1}).Findings[0]
		}
		var runs, shown []string
		for range 8 {
			f := review(runs...)
			if f.Kind != finding.New {
				if f.Kind != finding.Standing { // what base had is not named
					t.Errorf("%s: %s, and %q named", c.name, f.Kind, shown)
				}
				break
			}
			var does []string
			for _, d := range f.Head.Trace.Prefix {
				does = append(does, strings.TrimPrefix(testkit.FiringName(d), "a."))
			}
			runs, shown = append(runs, f.Head.Run), append(shown, strings.Join(does, " "))
		}
		if slices.Sort(shown); !slices.Equal(shown, c.want) {
			t.Errorf("%s: %q, want %q", c.name, shown, c.want)
		}
	}
}

// TestUnknownWaysDoNotPass: where ways can't be looked for, what both versions violate is undecided, waived or not.
func TestUnknownWaysDoNotPass(t *testing.T) {
	steps := []string{"s ok", "s bad"}
	run := verify.Check(context.Background(), testkit.DraftOf(t, one("s ok bad x", steps, promise("AG !a.bad"))), finding.Budget{Jobs: 1}).Requirements[0].Run
	for name, rest := range map[string]string{"not waived": promise("AG !a.bad"), "waived": waivedPromise("AG !a.bad", run)} {
		base, head := one("s ok bad x", steps, rest), one("s ok bad x", append(steps, "ok x"), rest)
		for engineName, want := range map[finding.Engine]finding.ExitStatus{finding.Explicit: finding.Clean, finding.Symbolic: finding.OutOfLimit} {
			c := blame.Compare(context.Background(), testkit.DraftOf(t, base), testkit.DraftOf(t, head), finding.Budget{Jobs: 1, Engine: engineName})
			if got := (&finding.Review{Contracts: []finding.ContractReview{c}}).Gate(finding.FailNew); got != want {
				t.Errorf("%s, %s: %d, want %d", name, engineName, got, want)
			}
			if f := c.Findings[0]; engineName == finding.Symbolic && (f.Kind != finding.Undecided || f.Way == nil || f.Way.Unknown == "" || f.Head.Run != run) {
				t.Errorf("%s, %s: %s, %+v", name, engineName, f.Kind, f.Way)
			}
		}
	}
}

// TestUnknownAfterAWaivedWay: where a run that a waiver names can't be told apart from others, it is unknown whether there are more ways.
func TestUnknownAfterAWaivedWay(t *testing.T) {
	const either = "AG !a.bad || AG !a.x" // a violation shows two runs
	head := func(rest string) string { return one("s ok bad x", []string{"s ok", "s bad", "s x"}, rest) }
	run := verify.Check(t.Context(), testkit.DraftOf(t, head(promise(either))), finding.Budget{Jobs: 1}).Requirements[0].Run
	for name, base := range map[string]string{"kept": one("s ok bad x", []string{"s ok"}, promise(either)), "violated": one("s ok bad x", []string{"s ok", "s x bad", "bad x"}, promise(either))} {
		f := blame.Compare(t.Context(), testkit.DraftOf(t, base), testkit.DraftOf(t, head(waivedPromise(either, run))), finding.Budget{Jobs: 1}).Findings[0]
		if f.Kind != finding.Undecided || f.Way == nil || f.Way.Unknown == "" {
			t.Errorf("%s before: %s, %+v", name, f.Kind, f.Way)
		}
	}
}

// TestWaiverOfManyRuns: a waiver can name 64 ways; whether there are more is unknown if it names more than those.
func TestWaiverOfManyRuns(t *testing.T) {
	for _, n := range []int{64, 65} {
		states, steps, formula := "s", []string{}, "AG (a.s"
		for i := range n {
			states, steps = fmt.Sprint(states, " x", i), append(steps, fmt.Sprint("s x", i))
		}
		formula += ")"
		d := testkit.DraftOf(t, one(states, steps, promise(formula)))
		var runs []string
		for i := range n {
			one := finding.Trace{Prefix: []finding.Firing{{Step: 1, Parties: []string{"a"}, Transitions: []string{fmt.Sprint("a.s_x", i)}}}}
			runs = append(runs, d.Fingerprint(verify.CanonicalMeaning(d, d.Formulas[0], compile.TermsOf(d.Spec.Requirements[0])), &one))
		}
		f := blame.Compare(t.Context(), testkit.DraftOf(t, one(states, nil, promise(formula))), testkit.DraftOf(t, one(states, steps, waivedPromise(formula, runs...))), finding.Budget{Jobs: 1}).Findings[0]
		if want := map[int]finding.Kind{64: finding.Waived, 65: finding.Undecided}[n]; f.Kind != want {
			t.Errorf("%d runs: %s, %+v; want %s", n, f.Kind, f.Way, want)
		}
	}
}

// TestLesserRunOfAnotherPart: a run that is shown has no other within it that violates the same part; one that violates a part by two runs is no lesser one.
func TestLesserRunOfAnotherPart(t *testing.T) {
	const parts = "AG !a.bad && (AG !a.x || AG !a.s) && AG !a.ok"
	base, head := one("s ok bad x y", []string{"s ok w", "s y t"}, promise(parts)), one("s ok bad x y", []string{"s ok w", "s x t", "x bad z"}, promise(parts))
	review, _ := compare.Compared(t.Context(), testkit.DraftOf(t, base), testkit.DraftOf(t, head), finding.Budget{Jobs: 1})
	f := review.Findings[0]
	if f.Kind != finding.New || len(f.Head.Trace.Then) == 0 && len(f.Head.Trace.Prefix) != 2 {
		t.Errorf("%s by %+v", f.Kind, f.Head.Trace)
	}
}

// TestMoreOccurrencesAreComparedWithFewer: a promise about each occurrence has one alternative more where there is one more. What it broke before is still broken:
// the run that is shown needs the third.
func TestMoreOccurrencesAreComparedWithFewer(t *testing.T) {
	lease := func(times string) string {
		return `contract "k" {}
party "landlord" {}
party "tenant" {}
obligation "rent" {
  bearer = tenant
  times  = ` + times + `
  every  = "1 month"
  within = "1 month"
}
requirement "once" {
  at_most = 1
  times   = "some r in rent: r.owed"
  before  = "some r in rent: r.breached"
}
`
	}
	r := blame.Compare(t.Context(), testkit.DraftOf(t, lease("2")), testkit.DraftOf(t, lease("3")), finding.Budget{Jobs: 1})
	f, steps := r.Findings[0], 0
	for all := []*finding.Trace{f.Head.Trace}; len(all) > 0; all = all[0].Then {
		steps += len(all[0].Prefix)
	}
	if f.Kind != finding.New || steps != 5 {
		t.Errorf("%s by %d steps, want 5", f.Kind, steps)
	}
}
