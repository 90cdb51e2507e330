package store

import (
	"strings"
	"testing"
)

// wrong are the kinds of what is wrong, each once a problem.
func wrong(found *Report) (kinds []string) {
	for _, p := range found.Problems {
		kinds = append(kinds, p.Kind.String())
	}
	return kinds
}

func TestSquash(t *testing.T) {
	r := newRepo(t)
	r.Commit("a/x.contract.hcl", deal(0, true))
	r.attest("HEAD")
	r.Git("checkout", "-q", "-b", "amendment")
	r.Commit("a/x.contract.hcl", deal(1, true))
	r.Commit("a/x.contract.hcl", deal(2, false))
	branch := r.attest("HEAD")[0]
	r.Git("checkout", "-q", "main")
	r.Git("merge", "-q", "--squash", "amendment")
	r.Git("commit", "-q", "-m", "squashed")
	r.Git("branch", "-q", "-D", "amendment")
	r.Git("reflog", "expire", "--expire=now", "--all")
	r.Git("gc", "-q", "--prune=now")
	found := r.fine(r.verify("HEAD"))
	if d := found.Drafts[0]; d.On || d.Card.Ref != branch.Ref {
		t.Errorf("%+v", d)
	}
	// The commit of the branch is gone; its draft is in the record.
	if here, err := At(r.Dir).ExistingCommits(t.Context(), []string{branch.commit}); err != nil || here[branch.commit] {
		t.Errorf("%v, %v", here, err)
	}
	// Once recorded itself, it follows what was on the branch before.
	kept := r.attest("HEAD")[0]
	if !kept.New || r.records()[kept.Ref].Draft().When.Previous == nil {
		t.Errorf("%+v", kept)
	}
	r.fine(r.verify("HEAD"))
}

func TestRebase(t *testing.T) {
	r := newRepo(t)
	r.Commit("README", "one")
	r.Commit("a/x.contract.hcl", deal(0, true))
	first := r.attest("HEAD")[0]
	r.Commit("a/x.contract.hcl", deal(0, false))
	second := r.attest("HEAD")[0]
	// Every commit becomes another one.
	r.Git("-c", "core.editor=true", "rebase", "-q", "--root", "--exec", "git commit -q --amend --no-edit --date=2002-02-02T02:02:02Z")
	found := r.verify("HEAD") // the log is of the branch as it was
	if d := found.Drafts[0]; d.On || d.Card.Ref != second.Ref || strings.Join(wrong(found), " ") != "misplaced" {
		t.Errorf("%+v", found)
	}
	r.Commit("a/x.contract.hcl", deal(3, true))
	kept := r.attest("HEAD")[0]
	if p := r.records()[kept.Ref].Draft().When.Previous; p == nil || p.Record != second.Ref {
		t.Errorf("%+v", p)
	}
	if r.fine(r.verify("HEAD")).Records != 3 {
		t.Error("a record got lost")
	}
	r.Git("update-ref", "-d", first.Ref)
	if got := wrong(r.verify("HEAD")); strings.Join(got, " ") != "missing missing" { // by the next record and by the log
		t.Errorf("%v", got)
	}
}

func TestRename(t *testing.T) {
	r := newRepo(t)
	r.Commit("a/x.contract.hcl", deal(0, true))
	before := r.attest("HEAD")[0]
	r.Git("mv", "a", "moved")
	r.Commit()
	r.fine(r.verify("HEAD~1"))
	if found := r.fine(r.verify("HEAD")); found.Drafts[0].Card.Ref != before.Ref { // the draft is the same, elsewhere
		t.Errorf("%+v", found.Drafts)
	}
	kept := r.attest("HEAD")[0]
	if p := r.records()[kept.Ref].Draft().When.Previous; p == nil || p.Record != before.Ref || p.Path != "a" {
		t.Errorf("%+v", p)
	}
	r.fine(r.verify("HEAD"))
}

func TestShallowClone(t *testing.T) {
	r := newRepo(t)
	for i := range 3 {
		r.Commit("a/x.contract.hcl", deal(i, true))
		r.attest("HEAD")
	}
	r.Commit("README", "new")
	shallow := r.clone("--depth=1")
	found := shallow.fine(shallow.verify("HEAD"))
	if found.Records != 3 || found.Drafts[0].On {
		t.Errorf("%+v", found)
	}
}

// TestPartialClone: what is missing is told, and is no reason to take a record for a wrong one.
func TestPartialClone(t *testing.T) {
	r := newRepo(t)
	for i := range 3 {
		r.Commit("a/x.contract.hcl", deal(i, true))
		r.attest("HEAD")
	}
	for _, filter := range []string{"blob:none", "tree:0"} {
		partial := r.clone("--filter=" + filter)
		r.Git("config", "uploadpack.allowAnySHA1InWant", "true")
		found := partial.verify("HEAD")
		if len(found.Problems) == 0 {
			t.Errorf("%s: nothing is missing", filter)
		}
		for _, p := range found.Problems {
			if p.Kind != Unsettled || p.Ref == "" || !strings.Contains(p.What, errElsewhere.Error()) {
				t.Errorf("%s: %+v", filter, p)
			}
		}
		if len(found.Drafts) != 1 || found.Drafts[0].Card == nil || found.Records != 3 {
			t.Errorf("%s: %+v", filter, found)
		}
	}
}

func TestSHA256(t *testing.T) {
	r := newRepo(t, "--object-format=sha256")
	origin := newRepo(t, "--object-format=sha256", "--bare")
	to := func(a *Attestation) { a.Remote = "file://" + origin.Dir }
	r.Commit("a/x.contract.hcl", deal(0, true))
	r.attest("HEAD", to)
	r.Commit("a/x.contract.hcl", deal(1, true))
	r.attest("HEAD", to, signedBy(newKey(t)))
	if found := r.fine(r.verify("HEAD")); found.Records != 2 || len(found.Commit) != 64 {
		t.Errorf("%+v", found)
	}
	if fsck := r.Git("fsck", "--strict"); fsck != "" {
		t.Error(fsck)
	}
}
