package store

import (
	"crypto/rand"
	"errors"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/record"
	"github.com/redlinehq/redline/report/record/log"
)

func newKey(t testing.TB) *record.Key {
	t.Helper()
	k, err := record.NewKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func keysOf(t testing.TB, lines ...string) record.Keys {
	t.Helper()
	keys, err := record.ParseKeys([]byte(strings.Join(lines, "\n")), "keys")
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// records reads them all, by ref; each has to be one.
func (r repo) records() map[string]*Record {
	r.Helper()
	all := map[string]*Record{}
	err := At(r.Dir).each(r.Context(), func(f ReadResult) error {
		all[f.Ref] = f.Record
		return f.Wrong
	})
	if err != nil {
		r.Fatal(err)
	}
	return all
}

func TestAttestTwiceDoublesNothing(t *testing.T) {
	r := newRepo(t)
	r.Commit("a/x.contract.hcl", deal(0, true), "b/x.contract.hcl", deal(1, false))
	first := r.attest("HEAD")
	later := func(a *Attestation) { a.Now = a.Now.AddDate(0, 0, 1) }
	second := r.attest("HEAD", later)
	for i := range first {
		if !first[i].New || second[i].New || first[i].object != second[i].object {
			t.Errorf("first %+v, second %+v", first[i], second[i])
		}
	}
	if first[0].Result != "PASSED" || first[1].Result != "FAILED" {
		t.Errorf("%+v", first)
	}
	// An empty commit has no new draft; another author's commit of the same draft has none either.
	r.Commit()
	if third := r.attest("HEAD", later); third[0].New || third[1].New {
		t.Errorf("%+v", third)
	}
	// What is missing of a commit is completed, with what the log has.
	r.Git("update-ref", "-d", first[1].Ref)
	if again := r.attest("HEAD~1"); again[0].New || !again[1].New || again[1].object != first[1].object {
		t.Errorf("%+v", again)
	}
	r.fine(r.verify("HEAD"))
	if n := len(r.records()); n != 2 {
		t.Errorf("%d records", n)
	}
	if fsck := r.Git("fsck", "--strict", "--no-dangling"); fsck != "" {
		t.Error(fsck)
	}
}

func TestChainAndChange(t *testing.T) {
	r := newRepo(t)
	r.Commit("a/x.contract.hcl", deal(0, true))
	one := r.attest("HEAD")[0]
	r.Commit("a/x.contract.hcl", deal(0, false))
	two := r.attest("HEAD")[0]
	r.Commit("a/x.contract.hcl", deal(0, true)) // the first draft again is a draft of its own
	three := r.attest("HEAD")[0]
	all := r.records()
	if len(all) != 3 || !three.New {
		t.Fatalf("%d records, %+v", len(all), three)
	}
	before := all[two.Ref].Draft().When
	if before.Previous == nil || before.Previous.Record != one.Ref || all[two.Ref].Parent != one.object {
		t.Errorf("%+v", before.Previous)
	}
	if c := before.Change; c == nil || len(c.Verdicts) != 1 || c.Verdicts[0] != (record.VerdictChange{Name: "stays", Was: "holds", Now: "violated"}) || c.Relation != "same" {
		t.Errorf("%+v", c)
	}
	if p := all[three.Ref].Draft().When.Previous; p == nil || p.Record != two.Ref {
		t.Errorf("%+v", p)
	}
	found := r.fine(r.verify("HEAD"))
	if found.Records != 3 || found.Drafts[0].Card.Ref != three.Ref {
		t.Errorf("%+v", found)
	}
	// Without the third, the draft of HEAD has no record, though the first one is of the same text.
	r.Git("update-ref", "-d", three.Ref)
	r.Git("update-ref", "-d", log.Refs+"3")
	if found := r.verify("HEAD"); len(found.Problems) != 1 || found.Problems[0].Kind != unrecorded {
		t.Errorf("%+v", found.Problems)
	}
}

func TestSignedRecords(t *testing.T) {
	r := newRepo(t)
	r.Commit("a/x.contract.hcl", deal(0, true))
	unsigned := r.attest("HEAD")[0]
	alice, bob, mallory := newKey(t), newKey(t), newKey(t)
	keys := keysOf(t, "# who signs", alice.Line("alice")+" until=2026-04-30", bob.Line("bob"))
	under := func(v *Verification) { v.Keys = keys }
	if found := r.verify("HEAD", under); len(found.Problems) != 2 { // it is refused, and so HEAD has none
		t.Errorf("%+v", found.Problems)
	}
	accepting := func(a *Attestation) { a.Keys = keys }
	signed := r.attest("HEAD", signedBy(alice), accepting)[0]
	if !signed.New || signed.Ref == unsigned.Ref {
		t.Errorf("%+v", signed)
	}
	if found := r.fine(r.verify("HEAD", under)); found.Accepted != 1 || found.Drafts[0].Card.By != "alice" {
		t.Errorf("%+v", found)
	}
	// The next one is bob's: alice's last day is over, and her records stay good.
	r.Commit("a/x.contract.hcl", deal(0, false))
	later := func(a *Attestation) { a.Now = noon.AddDate(0, 2, 0) }
	r.attest("HEAD", signedBy(bob), accepting, later)
	r.fine(r.verify("HEAD", under))
	again := r.attest("HEAD", signedBy(mallory), accepting, later)[0]
	r.fine(r.verify("HEAD", under)) // bob says the same, whoever mallory is
	r.Git("update-ref", "-d", again.Ref)
	r.Git("update-ref", "-d", log.Refs+"4")
	lie := func(a *Attestation) { a.Results[0].Requirements[0].Verdict = finding.Holds }
	late := r.attest("HEAD", signedBy(alice), accepting, later, lie)[0]
	forged := r.attest("HEAD", signedBy(mallory), accepting, later, lie)[0]
	got := map[string]string{}
	for _, p := range r.verify("HEAD", under).Problems {
		got[p.Ref] += p.What
	}
	if len(got) != 2 || !strings.Contains(got[late.Ref], "after its last day") || !strings.Contains(got[forged.Ref], "not listed") {
		t.Errorf("%v", got)
	}
}

// TestShallowIsNoNewChain: a chain never begins anew only because the clone does not show what came before.
func TestShallowIsNoNewChain(t *testing.T) {
	r := newRepo(t)
	r.Commit("a/x.contract.hcl", deal(0, true))
	r.attest("HEAD")
	r.Commit("a/x.contract.hcl", deal(0, false))
	shallow := r.clone("--depth=1")
	_, _, err := shallow.attestation("HEAD").Keep(t.Context())
	if err == nil || !strings.Contains(err.Error(), "fetch-depth: 0") {
		t.Errorf("%v", err)
	}
	shallow.Git("fetch", "-q", "--unshallow")
	if kept := shallow.attest("HEAD")[0]; shallow.records()[kept.Ref].Parent == "" {
		t.Error("the chain begins anew")
	}
}

func TestPushedByOneAndTheOther(t *testing.T) {
	r := newRepo(t)
	r.Commit("a/x.contract.hcl", deal(0, true), "b/x.contract.hcl", deal(1, true))
	origin := r.clone("--bare")
	to := func(a *Attestation) { a.Remote = "file://" + origin.Dir }
	r.Git("remote", "add", "origin", "file://"+origin.Dir)
	local := r.attest("HEAD") // not pushed yet
	one, two := origin.clone(), origin.clone()
	one.attest("HEAD", to, func(a *Attestation) { a.Now = noon.AddDate(0, 0, 1) })
	two.attest("HEAD", to)
	pushed := r.attest("HEAD", to) // the same record, made at another time: the one that others have stands
	if pushed[0].object == local[0].object || pushed[0].object != two.records()[pushed[0].Ref].Object {
		t.Errorf("%+v and %+v", local[0], pushed[0])
	}
	r.Commit("a/x.contract.hcl", deal(0, false))
	r.attest("HEAD") // stays here until the next one is pushed
	r.Commit("a/x.contract.hcl", deal(2, true))
	r.attest("HEAD", to)
	for _, repo := range []repo{r, origin} {
		if n := len(repo.records()); n != 4 {
			t.Errorf("%d records in %s", n, repo.Dir)
		}
	}
	r.Git("push", "-q", "file://"+origin.Dir, "main")
	whole := origin.clone()
	whole.fine(whole.verify("HEAD"))
}

func TestRemoteThatHasAnother(t *testing.T) {
	r := newRepo(t)
	r.Commit("a/x.contract.hcl", deal(0, true))
	origin := r.clone("--bare")
	to := func(a *Attestation) { a.Remote = "file://" + origin.Dir }
	kept := r.attest("HEAD", to)[0]
	origin.Git("update-ref", kept.Ref, origin.Git("rev-parse", "HEAD"))
	a := r.attestation("HEAD")
	to(a)
	if _, _, err := a.Keep(t.Context()); err == nil || !strings.Contains(err.Error(), kept.Ref) {
		t.Errorf("%v", err)
	}
	a.Remote = "-x"
	if _, _, err := a.Keep(t.Context()); err == nil || errors.Is(err, errRaced) {
		t.Errorf("%v", err)
	}
}
