package compare_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compare"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/report/words"
)

func accepting(code, on, run, reason string) string {
	text := fmt.Sprintf("accept %q {\n", code)
	for _, a := range [][2]string{{"on", on}, {"run", run}, {"reason", reason}} {
		if a[0] == "on" && on != "" {
			text += "  on = " + on + "\n"
		} else if a[1] != "" {
			text += fmt.Sprintf("  %s = %q\n", a[0], a[1])
		}
	}
	return text + "}\n"
}

// TestWaiversOfNewPromises: a waiver is needed if base did not break the promise that it waives, even if nothing changes that can happen.
func TestWaiversOfNewPromises(t *testing.T) {
	const never = "AG !a.bad"
	states, sale := "s ok bad x", []string{"s ok", "s bad"}
	waiver := waiving(never, "why", "", runOf(t, one(states, sale, promise(never))))
	twice := append(slices.Clone(sale), "s x", "x bad")
	runs := []string{runOf(t, one(states, sale, promise(never))), runOf(t, one(states, []string{"s x", "x bad"}, promise(never)))}
	unused := strings.Replace(waiving("AG !a.x", "why", "", "sha256:"+strings.Repeat("0", 64)), `"r"`, `"q"`, 1)
	for _, c := range []struct {
		name, base, head string
		want             string
	}{
		{"a promise is added with its waiver", one(states, sale, ""), one(states, sale, waiver), "pending 1, pending 1, by-amendment 0"},
		{"base kept another promise of that name", one(states, sale, promise("AG !a.x")), one(states, sale, waiver), "pending 1, pending 1, by-amendment 1"},
		{"base broke it, and head in a new way that the waiver names", one(states, sale, promise(never)), one(states, twice, waiving(never, "why", "", runs...)), "pending 1, pending 1, by-amendment 0"},
		{"only one of two is violated", one(states, sale, ""), one(states, sale, waiver+unused), "pending pending 1, idle pending 1, by-amendment by-amendment 0"},
	} {
		if got := accepted(t, amend(t, c.base, c.head, ""), finding.AcceptancePolicy{}); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestWaiverOfAnotherThing: base's waiver does not count if its promise, in the same words, is about something else on head.
func TestWaiverOfAnotherThing(t *testing.T) {
	const never = "AG !a.bad"
	base := one("s bad", []string{"s bad"}, "")
	renamed := strings.Replace(one("t s bad", []string{"s bad"}, ""), `party "a"`, `party "b"`, 1)
	net := "net \"a\" {\n  place \"s\" { marked = true }\n  place \"bad\" {}\n  transition \"s_bad\" {\n    consume = [s]\n    produce = [bad]\n  }\n}\n"
	waiver := waiving(never, "why", "", runOf(t, base+promise(never)))
	if got := accepted(t, amend(t, base+waiver, base+"net \"n\" {}\n"+waiver, ""), finding.AcceptancePolicy{}); got != "by-base 0, by-base 0, by-base 0" {
		t.Errorf("of the same thing: %s", got)
	}
	if got := accepted(t, amend(t, base+waiver, renamed+net+waiver, ""), finding.AcceptancePolicy{}); !strings.HasPrefix(got, "pending 1, pending 1, by-amendment") {
		t.Errorf("of another thing: %s", got)
	}
}

// ending writes a contract that ends in a.done, and may come to an end elsewhere.
func ending(final string, rest string, lost ...string) string {
	steps := []string{"s done"}
	for _, to := range lost {
		steps = append(steps, "s "+to)
	}
	return strings.Replace(one("s done x y", steps, rest), "contract \"c\" {}", "contract \"c\" { final = \""+final+"\" }", 1)
}

// TestAcceptsOfChecks: an accept of a check needs an approval unless base has the same accept, and failed the check in the same way or named the run.
func TestAcceptsOfChecks(t *testing.T) {
	const more = "net \"n\" {}\n"
	run := checkRun(t, ending("a.done", "", "x"), "dead-end")
	other := "sha256:" + strings.Repeat("0", 64)
	onlyY := checkRun(t, ending("a.done", "", "y"), "dead-end")
	bothRuns := accepting("dead-end", "", run+" "+onlyY, "why")
	all, named := accepting("dead-end", "", "", "why"), accepting("dead-end", "", run, "why")
	clash := accepting("obliged-and-forbidden", "", "", "why")
	one, both := [2]bool{true, false}, [2]bool{true, true}
	held := func(on, reason string) string { return accepting("document-held-twice", on, "", reason) }
	const byBase, brought, idle = "by-base 0, by-base 0, by-base 0", "pending 1, pending 1, by-amendment 0", "pending 1, idle 0, by-amendment 0"
	const refused = "by-base 1, by-base 1, by-base 1"
	for _, c := range []struct {
		name, base, head string
		want             string
	}{
		{"as it was", ending("a.done", all, "x"), ending("a.done", all+more, "x"), byBase},
		{"as it was, by its run", ending("a.done", named, "x"), ending("a.done", named+more, "x"), byBase},
		{"with its run", ending("a.done", all, "x"), ending("a.done", named+more, "x"), brought},
		{"with another run", ending("a.done", accepting("dead-end", "", other, "why"), "x"), ending("a.done", named+more, "x"), brought},
		{"of what base failed", ending("a.done", "", "x"), ending("a.done", all+more, "x"), brought},
		{"of what base failed, and nothing else changes", ending("a.done", "", "x"), ending("a.done", all, "x"), idle},
		{"of what fails as other states are final", ending("a.done || a.x", "", "x"), ending("a.done", named, "x"), brought},
		{"by its run before it fails", ending("a.done", named), ending("a.done", named, "x"), byBase},
		{"for whatever fails", ending("a.done", all), ending("a.done", all, "x"), brought},
		{"in another way", ending("a.done", all, "x"), ending("a.done", all, "x", "y"), brought},
		{"of what base failed by the other check", ending("a.done", accepting("no-option-to-complete", "", "", "why"), "x"), loopingAt("x", ending("a.done", accepting("no-option-to-complete", "", "", "why"), "x")), brought},
		{"in another way that base's accept names", ending("a.done", bothRuns, "x"), ending("a.done", bothRuns, "x", "y"), byBase},
		{"as it was, though head's final states are fewer", ending("a.done || a.x", all, "x", "y"), ending("a.done", all, "x", "y"), byBase},
		{"in another way, by the same steps", forbidding("buyer", "seller", clash), forbidding("seller", "buyer", clash), brought},
		{"of one check, and of another that does not fail", heldTwice([2]bool{}, ""), heldTwice(one, held("document.d0", "why")+all), "pending pending 1, idle pending 1, by-amendment by-amendment 0"},
		{"of one document, now of all", heldTwice(one, held("document.d0", "why")), heldTwice(one, held("", "why")), brought},
		{"of another check", heldTwice(one, accepting("dead-end", "", "", "why")), heldTwice(one, held("", "why")), idle},
		{"for another reason", heldTwice(both, held("", "why")), heldTwice(both, held("", "because")), brought},
		{"of a run that is not the one shown", ending("a.done", "", "x"), ending("a.done", accepting("dead-end", "", onlyY, "why"), "x", "y"), brought},
		{"in a way that base's accept does not name", ending("a.done", named, "x"), ending("a.done", named, "x", "y"), refused},
		{"by its run before it fails, and by another", ending("a.done", named), ending("a.done", named, "x", "y"), refused},
		{"of a warning, by a run", heldTwice(one, ""), heldTwice(one, accepting("transition-never-fires", "", other, "why")), "0, 0, 0"},
		{"of a warning", heldTwice(one, ""), heldTwice(one, accepting("transition-never-fires", "", "", "why")), "0, 0, 0"},
	} {
		if got := accepted(t, amend(t, c.base, c.head, ""), finding.AcceptancePolicy{}); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// loopingAt adds a step from a state to itself.
func loopingAt(state, text string) string {
	return strings.Replace(text, "  transition", leads("again", state, state)+"  transition", 1)
}

// TestAcceptOfUnknownWays: base's accept that names a run does not count where it is unknown whether there are other ways.
func TestAcceptOfUnknownWays(t *testing.T) {
	named := accepting("dead-end", "", checkRun(t, ending("a.done", "", "x"), "dead-end"), "why")
	for by, want := range map[finding.Engine]string{finding.Explicit: "by-base 0, by-base 0, by-base 0", finding.Symbolic: "pending 1, pending 1, by-amendment 0"} {
		c := blame.Compare(t.Context(), testkit.DraftOf(t, ending("a.done", named)), testkit.DraftOf(t, ending("a.done", named, "x")), finding.Budget{Jobs: 1, Engine: by})
		if got := accepted(t, &finding.Review{Contracts: []finding.ContractReview{c}}, finding.AcceptancePolicy{}); got != want {
			t.Errorf("%s: %s, want %s", by, got, want)
		}
	}
}

// forbidding writes a contract in which delivery is owed, and is forbidden to one party at first and to another after a claim.
func forbidding(first, later, rest string) string {
	text := strings.Replace(owing, `party "buyer" {}`, "party \"buyer\" {\n  state \"B0\" {}\n  state \"B1\" {}\n"+leads("ask", "B0", "B1")+"}", 1)
	text += "event \"claim\" {\n  sync = { buyer = ask }\n}\n" + strings.Replace(owed, "  within        = 3\n  ends_contract = true\n", "", 1)
	text += fmt.Sprintf("prohibition \"at-first\" {\n  bearer = %s\n  of     = delivery\n  until  = claim\n}\n", first)
	return text + fmt.Sprintf("prohibition \"later\" {\n  bearer = %s\n  of     = delivery\n  from   = claim\n}\n", later) + rest
}

// checkRun returns the run of a failed check, by which an accept names it.
func checkRun(t *testing.T, text, code string) string {
	t.Helper()
	for _, d := range verify.Check(t.Context(), testkit.DraftOf(t, text), finding.Budget{Jobs: 1}).Diagnostics {
		if string(d.Code) == code && d.Run != "" {
			return d.Run
		}
	}
	t.Fatalf("no %s", code)
	return ""
}

// TestAcceptsOfNorms: an accept of a dropped norm that names the change is listed, and can be approved, before the gate looks at norms. Any other
// counts only if it does.
func TestAcceptsOfNorms(t *testing.T) {
	run := blame.Compare(t.Context(), testkit.DraftOf(t, owing+owed), testkit.DraftOf(t, owing), finding.Budget{Jobs: 1, Owed: true}).Findings[0].Check.Run
	for _, c := range []struct {
		name, run     string
		before, norms bool // base has the accept, too; the gate looks at norms
		want          string
	}{
		{"any change", "", false, false, "0, 0, 0"},
		{"this change", run, false, false, "pending 1, idle 0, by-amendment 0"},
		{"any change, and norms count", "", false, true, "pending 1, pending 1, by-amendment 0"},
		{"this change, and norms count", run, false, true, "pending 1, pending 1, by-amendment 0"},
		{"any change, as before, and norms count", "", true, true, "pending 1, pending 1, by-amendment 0"},
		{"this change, as before, and norms count", run, true, true, "by-base 0, by-base 0, by-base 0"},
	} {
		accept := accepting("norm-dropped", "obligation.deliver", c.run, "why")
		base := owing + owed
		if c.before {
			base += accept
		}
		one := blame.Compare(t.Context(), testkit.DraftOf(t, base), testkit.DraftOf(t, owing+accept), finding.Budget{Jobs: 1, Owed: c.norms})
		if got := accepted(t, &finding.Review{Contracts: []finding.ContractReview{one}}, finding.AcceptancePolicy{}); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestRetiresOfBase: a retire is base's if it has the same name, digest and reason there.
func TestRetiresOfBase(t *testing.T) {
	retire := func(name, digit, reason string) string {
		return fmt.Sprintf("retire %q {\n  digest = \"sha256:%s\"\n  reason = %q\n}\n", name, strings.Repeat(digit, 64), reason)
	}
	const brought = "pending 1, idle 0, by-amendment 0"
	for _, c := range []struct{ name, head, want string }{
		{"as it was", retire("q", "0", "why"), "0, 0, 0"},
		{"by another name", retire("r", "0", "why"), brought},
		{"of another promise", retire("q", "1", "why"), brought},
		{"for another reason", retire("q", "0", "because"), brought},
	} {
		if got := accepted(t, amend(t, owing+retire("q", "0", "why"), owing+"net \"n\" {}\n"+c.head, ""), finding.AcceptancePolicy{}); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestRetireOfBaseThatCounts: base gave up a promise that it still made, and the amendment drops it.
func TestRetireOfBaseThatCounts(t *testing.T) {
	states, steps := "s ok bad", []string{"s ok"}
	dropped := amend(t, one(states, steps, promise("AG !a.bad")), one(states, steps, ""), "").Contracts[0].Findings
	retire := fmt.Sprintf("retire \"r\" {\n  digest = %q\n  reason = \"why\"\n}\n", dropped[0].Promise)
	r := amend(t, one(states, steps, promise("AG !a.bad")+retire), one(states, steps, retire), "")
	if got := accepted(t, r, finding.AcceptancePolicy{}); got != "by-base 0, by-base 0, by-base 0" || !r.Contracts[0].Acceptances[0].InBase {
		t.Errorf("%s, %+v", got, r.Contracts[0].Acceptances)
	}
}

// TestWaivedPromiseIsDropped: a waiver accepts a run, and not that its promise goes.
func TestWaivedPromiseIsDropped(t *testing.T) {
	const never = "AG !a.bad"
	states, steps := "s ok bad", []string{"s ok", "s bad"}
	waiver := waivedPromise(never, runOf(t, one(states, steps, promise(never))))
	if got := findingsOf(amend(t, one(states, steps, waiver), one(states, steps, ""), "").Contracts[0]); got != "dropped r" {
		t.Error(got)
	}
}

// TestNormsOfARemovedContract: a norm that recurs is one.
func TestNormsOfARemovedContract(t *testing.T) {
	recurring := strings.Replace(owed, "  ends_contract = true\n", "  every         = 5\n  times         = 3\n", 1)
	c := blame.Compare(t.Context(), testkit.DraftOf(t, owing+recurring+strings.Replace(owed, "deliver", "other", 1)), nil, finding.Budget{Jobs: 1, Owed: true})
	if got := findingsOf(c); got != "dropped norm-dropped on obligation.deliver, dropped norm-dropped on obligation.other" {
		t.Error(got)
	}
}

// TestAcceptancesOfAnAddedContract: base has none of them, and no file that they concern.
func TestAcceptancesOfAnAddedContract(t *testing.T) {
	retire := fmt.Sprintf("retire %q {\n  digest = \"sha256:%s\"\n  reason = \"why\"\n}\n", finding.FinalPromise, strings.Repeat("0", 64))
	waiver := waivedPromise("AG !(bank.d0 && bank.v1)", runOf(t, heldTwice([2]bool{true, false}, promise("AG !(bank.d0 && bank.v1)"))))
	for _, base := range []*compile.Draft{nil, illFormed(t)} {
		c := blame.Compare(t.Context(), base, testkit.DraftOf(t, heldTwice([2]bool{true, false}, retire+waiver+accepting("document-held-twice", "document.d0", "", "why"))), finding.Budget{Jobs: 1})
		r := &finding.Review{Contracts: []finding.ContractReview{c}}
		if got, want := accepted(t, r, finding.AcceptancePolicy{}), "pending pending pending 1, pending pending idle 1, by-amendment by-amendment by-amendment 0"; got != want {
			t.Errorf("%s, want %s", got, want)
		}
		for _, a := range r.Contracts[0].Acceptances {
			if a.BaseFile != "" {
				t.Errorf("%s %s: base file %s", a.Kind, a.Name, a.BaseFile)
			}
		}
	}
}

// TestFilesOfAcceptances: an acceptance concerns the file of base that has what it accepts: the norm, the final states, or the contract.
func TestFilesOfAcceptances(t *testing.T) {
	retire := fmt.Sprintf("retire %q {\n  digest = \"sha256:%s\"\n  reason = \"why\"\n}\n", finding.FinalPromise, strings.Repeat("0", 64))
	norms := strings.Replace(owed, "deliver", "other", 1) + owed
	recurring := strings.Replace(owed, "  ends_contract = true\n", "  every         = 5\n  times         = 3\n", 1)
	final := strings.Replace(owing, "contract \"c\" {}", "contract \"c\" { final = \"seller.S1\" }", 1)
	for _, c := range []struct {
		name, accept string
		base         map[string]string
		want         string
	}{
		{"a norm", accepting("norm-dropped", "obligation.deliver", "", "why"), map[string]string{"c": owing, "norms": norms}, "x/norms.contract.hcl"},
		{"each of several norms", accepting("norm-dropped", "obligation.deliver", "", "why"), map[string]string{"c": owing, "norms": recurring}, "x/norms.contract.hcl"},
		{"a check", accepting("document-held-twice", "document.receipt", "", "why"), map[string]string{"c": owing, "norms": norms}, "x/c.contract.hcl"},
		{"final states", retire, map[string]string{"c": final, "norms": norms}, "x/c.contract.hcl"},
		{"no promise", strings.Replace(retire, finding.FinalPromise, "q", 1), map[string]string{"c": final, "norms": norms}, ""},
		{"no final states", retire, map[string]string{"c": owing, "norms": norms}, ""},
	} {
		one := blame.Compare(t.Context(), draftOf(t, c.base), draftOf(t, map[string]string{"c": owing, "accepts": c.accept}), finding.Budget{Jobs: 1, Owed: true})
		at := slices.IndexFunc(one.Acceptances, func(a finding.Acceptance) bool { return a.File == "x/accepts.contract.hcl" })
		if at < 0 || one.Acceptances[at].BaseFile != c.want {
			t.Errorf("%s: %+v", c.name, one.Acceptances)
		}
	}
}

// TestAcceptancesInOrder: acceptances are listed by kind, then by name.
func TestAcceptancesInOrder(t *testing.T) {
	var text string
	for _, name := range []string{"z", "a", "m"} {
		text += fmt.Sprintf("retire %q {\n  digest = \"sha256:%s\"\n  reason = \"why\"\n}\n", name, strings.Repeat("0", 64))
	}
	for _, on := range []string{"document.d1", "document.d0"} {
		text += accepting("document-held-twice", on, "", "why")
	}
	var got []string
	for _, a := range amend(t, heldTwice([2]bool{}, ""), heldTwice([2]bool{true, true}, text), "").Contracts[0].Acceptances {
		got = append(got, a.Kind.String()+" "+a.Name)
	}
	if want := "accept document-held-twice on document.d0, accept document-held-twice on document.d1, retire a, retire m, retire z"; strings.Join(got, ", ") != want {
		t.Errorf("%s, want %s", strings.Join(got, ", "), want)
	}
}

// draftOf reads a contract of several files.
func draftOf(t *testing.T, files map[string]string) *compile.Draft {
	t.Helper()
	tree := fstest.MapFS{}
	for name, text := range files {
		tree["x/"+name+".contract.hcl"] = &fstest.MapFile{Data: []byte(text)}
	}
	all, err := engine.Tree{FS: tree, Root: "."}.Drafts(t.Context(), nil, 1)
	if err != nil || len(all) != 1 || all[0].Spec == nil {
		t.Fatalf("%v, %+v", err, all)
	}
	return all[0]
}

// TestWaiversOfAnUnchangedContract: its waivers are listed, and what they waive, whatever is amended. Base has them, too.
func TestWaiversOfAnUnchangedContract(t *testing.T) {
	states, steps := "s ok bad", []string{"s ok", "s bad"}
	waiver := waivedPromise("AG !a.bad", runOf(t, one(states, steps, promise("AG !a.bad"))))
	text := one(states, steps, waiver+strings.Replace(promise("AG !a.ok"), `"r"`, `"q"`, 1))
	for _, c := range []struct {
		name string
		b    finding.Budget
		want string
		exit finding.ExitStatus
	}{
		{"waived", finding.Budget{Jobs: 1}, "waived r", finding.Clean},
		{"unknown", finding.Budget{Jobs: 1, States: 1, Engine: finding.Explicit}, "undecided r", finding.OutOfLimit},
	} {
		one := blame.Compare(t.Context(), testkit.DraftOf(t, text), testkit.DraftOf(t, text), c.b)
		r := &finding.Review{Contracts: []finding.ContractReview{one}}
		if err := r.Settle(t.Context(), finding.AcceptancePolicy{}, nil); err != nil {
			t.Fatal(err)
		}
		if got := findingsOf(one); got != c.want || r.Gate(finding.FailNew) != c.exit || !r.BaseAccepts() {
			t.Errorf("%s: %s, exit status %d, base accepts %t", c.name, got, r.Gate(finding.FailNew), r.BaseAccepts())
		}
	}
}

// illFormed returns a draft without a meaning.
func illFormed(t *testing.T) *compile.Draft {
	t.Helper()
	tree := fstest.MapFS{"x/c.contract.hcl": &fstest.MapFile{Data: []byte("contract \"c\" {\n")}}
	all, err := engine.Tree{FS: tree, Root: "."}.Drafts(t.Context(), nil, 1)
	if err != nil || len(all) != 1 || all[0].Spec != nil {
		t.Fatalf("%v, %+v", err, all)
	}
	return all[0]
}

// TestIllFormedBaseIsRemoved: what means nothing promised nothing.
func TestIllFormedBaseIsRemoved(t *testing.T) {
	ill := illFormed(t)
	if got := findingsOf(blame.Compare(t.Context(), ill, nil, finding.Budget{Jobs: 1, Owed: true})); got != "" {
		t.Error(got)
	}
	if !compare.NothingToReview(ill, ill) {
		t.Error("there is something to review in what means nothing on both sides")
	}
}

// TestPromisesOfUnknownVerdict: base may have kept what is unknown on it, so it is given up if its contract goes.
func TestPromisesOfUnknownVerdict(t *testing.T) {
	c := blame.Compare(t.Context(), testkit.DraftOf(t, one("s ok bad", []string{"s ok", "s bad"}, promise("AG !a.bad"))), nil, finding.Budget{Jobs: 1, States: 1, Engine: finding.Explicit})
	if got := findingsOf(c); got != "dropped r" {
		t.Error(got)
	}
}

// TestAcceptancesOfBaseThatCoverLess: what base has, too, is never called the amendment's own, and the run that it would have to name is shown.
func TestAcceptancesOfBaseThatCoverLess(t *testing.T) {
	all := accepting("dead-end", "", "", "why")
	onlyX, onlyY := checkRun(t, ending("a.done", "", "x"), "dead-end"), checkRun(t, ending("a.done", "", "y"), "dead-end")
	waiver := waivedPromise("AG !a.bad", runOf(t, one("s ok bad", []string{"s ok", "s bad"}, promise("AG !a.bad"))))
	worded := one("s ok bad", []string{"s ok", "s bad"}, waiver)
	const own, too = "The amendment accepts this itself", "Base has this "
	for _, c := range []struct{ name, base, head, run, says, not string }{
		{"the amendment's own", ending("a.done", "", "x"), ending("a.done", all+"net \"n\" {}\n", "x"), "", own, too},
		{"the amendment's own, beside what failed", ending("a.done", "", "x"), ending("a.done", all, "x", "y"), "", own, too},
		{"another way", ending("a.done", all, "x"), ending("a.done", all, "x", "y"), onlyY, too + "accept too, but it covers only what failed there, and this is new", own},
		{"whatever fails", ending("a.done", all), ending("a.done", all, "x"), onlyX, too + "accept too", own},
		{"a waiver of another promise", worded, strings.Replace(worded, "AG !a.bad", "AG !(a.bad && !a.ok)", 1), "", too + "waiver too, but of a promise that reads otherwise there", own},
	} {
		r := amend(t, c.base, c.head, "")
		if err := r.Settle(t.Context(), finding.AcceptancePolicy{}, nil); err != nil {
			t.Fatal(err)
		}
		got := r.Contracts[0].Acceptances
		if len(got) != 1 || got[0].Run != c.run {
			t.Errorf("%s: %+v, want one with the run %q", c.name, got, c.run)
			continue
		}
		if said := words.AcceptanceText(got[0]); !strings.Contains(said, c.says) || strings.Contains(said, c.not) || !strings.Contains(said, c.run) {
			t.Errorf("%s: %s, want %q, and not %q", c.name, said, c.says, c.not)
		}
	}
}

func reviewOf(t *testing.T, base, head string, b finding.Budget) finding.ContractReview {
	t.Helper()
	var was *compile.Draft
	if base != "" {
		was = testkit.DraftOf(t, base)
	}
	return blame.Compare(t.Context(), was, testkit.DraftOf(t, head), b)
}

// TestWaiverOfWhatStood: a waiver that the amendment brings for what base violates, too, is not needed, and hides what stood. Which reason base's waiver gave
// is told if it is another one.
func TestWaiverOfWhatStood(t *testing.T) {
	const never = "AG !a.bad"
	steps := []string{"s ok", "s bad"}
	run := verify.Check(t.Context(), testkit.DraftOf(t, one("s ok bad x", steps, promise(never))), finding.Budget{Jobs: 1}).Requirements[0].Run
	waived := one("s ok bad x", steps, waivedPromise(never, run))
	other := one("s ok bad x", steps, "requirement \"r\" {\n  ctl = \""+never+"\"\n  waiver {\n    reason   = \"known\"\n    approver = \"R. Roe\"\n    run      = \""+run+"\"\n  }\n}\n")
	for _, c := range []struct {
		name, base, head string
		stood            bool
		gave             string
	}{
		{"of a violation that stood", one("s ok bad x", steps, promise(never)), waived, true, ""},
		{"of a new violation", one("s ok bad x", steps[:1], promise(never)), waived, false, ""},
		{"for another reason", waived, other, false, "settled"},
		{"approved by another, for the same reason", waived, strings.Replace(other, "known", "settled", 1), false, ""},
	} {
		r := reviewOf(t, c.base, c.head, finding.Budget{Jobs: 1})
		if len(r.Acceptances) != 1 || r.Acceptances[0].Stood != c.stood || r.Acceptances[0].Needed == c.stood || r.Acceptances[0].Gave != c.gave {
			t.Errorf("%s: %+v", c.name, r.Acceptances)
		}
	}
	for name, c := range map[string][2]string{
		"as before, without a waiver": {one("s ok bad x", steps, promise(never)), one("s ok bad x", steps, promise(never))},
		"as before, with one":         {waived, waived},
		"another step":                {one("s ok bad x", steps[:1], promise(never)), one("s ok bad x", steps, promise(never))},
		"an accept for another reason": {
			one("s ok bad x", steps, "accept \"dead-end\" { reason = \"one\" }\n"), one("s ok bad x", steps, "accept \"dead-end\" { reason = \"another\" }\n"),
		},
		"the same accept": {
			one("s ok bad x", steps, "accept \"dead-end\" { reason = \"one\" }\n"), one("s ok bad x", steps, "accept \"dead-end\" { reason = \"one\" }\n"),
		},
	} {
		want := name == "as before, without a waiver" || name == "the same accept"
		if got := compare.NothingToReview(testkit.DraftOf(t, c[0]), testkit.DraftOf(t, c[1])); got != want {
			t.Errorf("%s: nothing to review: %t", name, got)
		}
	}
}

// TestAcceptOfWhatStood: so it is with an accept of a check that base fails, too.
func TestAcceptOfWhatStood(t *testing.T) {
	final := func(steps []string, rest string) string {
		return "contract \"c\" { final = \"a.ok\" }\n" + one("s ok bad x", steps, rest)[len("contract \"c\" {}\n"):]
	}
	failing, fine := []string{"s ok", "s bad"}, []string{"s ok"}
	const accept, unused = "accept \"dead-end\" { reason = \"known\" }\n", "accept \"state-never-reached\" { reason = \"known\" }\n"
	for _, c := range []struct {
		name, base, head string
		stood            bool
	}{
		{"failed before", final(failing, ""), final(failing, accept), true},
		{"failed before, and another check is accepted", final(failing, unused), final(failing, unused+accept), true},
		{"passed before", final(fine, ""), final(failing, accept), false},
	} {
		r := reviewOf(t, c.base, c.head, finding.Budget{Jobs: 1})
		if len(r.Acceptances) != 1 || r.Acceptances[0].Stood != c.stood || r.Acceptances[0].Needed == c.stood {
			t.Errorf("%s: %+v", c.name, r.Acceptances)
		}
	}
	for _, c := range []struct {
		name  string
		base  string
		limit int
		want  finding.Verdict
	}{
		{"kept", final(fine, ""), 0, finding.Holds},
		{"not known", final([]string{"s x", "x ok"}, ""), 1, finding.Unknown},
	} {
		r := reviewOf(t, c.base, one("s ok bad x", fine, ""), finding.Budget{Jobs: 1, States: c.limit, Engine: finding.Explicit})
		i := slices.IndexFunc(r.Findings, func(f finding.Finding) bool { return f.Kind == finding.Dropped })
		if i < 0 || r.Findings[i].Was != c.want {
			t.Errorf("final states that were %s: %+v", c.name, r.Findings)
		}
	}
}
