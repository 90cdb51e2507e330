package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/report/record"
	"github.com/redlinehq/redline/report/record/log"
)

// entered returns the words and refs of all records that the log names, in order.
func (r repo) entered() (list []string) {
	r.Helper()
	l, err := At(r.Dir).log(r.Context())
	if err != nil {
		r.Fatal(err)
	}
	if err := l.broken(); err != nil || l.damaged != nil {
		r.Fatal(err, l.damaged)
	}
	for _, e := range l.entries {
		for _, one := range e.Records {
			list = append(list, fmt.Sprintf("%d before=%t %s", e.Position, one.Before, one.Ref))
		}
	}
	return list
}

func (r repo) checkpoint() log.Found {
	r.Helper()
	c, err := At(r.Dir).Checkpoint(r.Context())
	if err != nil {
		r.Fatal(err)
	}
	return log.Found{Checkpoint: *c, Where: r.Dir}
}

// withLog holds a log to checkpoints.
func withLog(list ...log.Found) func(*Verification) {
	return func(v *Verification) { v.Checkpoints = list }
}

// old makes records as they were before there was a log: of n drafts, pending at a clone of origin, and pushed by git.
func old(t *testing.T, n int) (origin, r repo) {
	origin = newRepo(t, "--bare")
	r = newRepo(t)
	r.Git("remote", "add", "origin", "file://"+origin.Dir)
	for i := range n {
		r.Commit("a/x.contract.hcl", deal(i, true))
		if k := r.attest("HEAD")[0]; r.records()[k.Ref].Draft().When.Log != nil {
			t.Fatal("it is in a log")
		}
	}
	if len(r.entered()) > 0 {
		t.Fatal("there is a log")
	}
	r.Git("push", "-q", "origin", "main", "refs/redline/*:refs/redline/*")
	return origin, r
}

// TestOldRepository: records without a log are in order, and are entered once, each after the one that it follows.
func TestOldRepository(t *testing.T) {
	origin, r := old(t, 3)
	found := r.fine(r.verify("HEAD"))
	if found.Records != 3 || found.Entries != 0 || !told(found, "notice", "3 records are in no log yet") {
		t.Errorf("%+v", found)
	}
	chain := []string{}
	all := r.records()
	for ref := found.Drafts[0].Card.Ref; ref != ""; {
		chain = append(chain, ref)
		if p := all[ref].Draft().When.Previous; p == nil {
			ref = ""
		} else {
			ref = p.Record
		}
	}
	slices.Reverse(chain)
	r.Commit("a/x.contract.hcl", deal(3, true))
	to := func(a *Attestation) { a.Remote = "origin" }
	last := r.attest("HEAD", to)[0].Ref
	want := []string{}
	for _, ref := range chain {
		want = append(want, "1 before=true "+ref)
	}
	want = append(want, "1 before=false "+last)
	for _, at := range []repo{r, origin} {
		if got := at.entered(); !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	r.Commit("a/x.contract.hcl", deal(4, true))
	r.attest("HEAD", to)
	if got := r.entered(); len(got) != 5 || !strings.HasPrefix(got[4], "2 before=false ") {
		t.Errorf("%q", got)
	}
	r.Git("push", "-q", "origin", "main")
	whole := origin.clone()
	if found := whole.fine(whole.verify("HEAD")); found.Entries != 3 || found.Notices != nil {
		t.Errorf("%+v", found)
	}
	for _, s := range whole.records() {
		if h := s.Draft().When.Log; (h == nil) != slices.Contains(chain, s.Ref) {
			t.Errorf("%s: %+v", s.Ref, h)
		}
	}
}

// TestOldFormat: what older versions wrote is read, by the same name; it has no log.
func TestOldFormat(t *testing.T) {
	r := newRepo(t)
	r.Commit("a/x.contract.hcl", deal(0, true))
	k := r.attest("HEAD")[0]
	s := *r.records()[k.Ref].Statement
	for _, c := range []struct {
		format int
		head   *record.LogHead
		says   string
	}{{1, nil, ""}, {2, nil, ""}, {2, s.Draft().When.Log, ""}, {1, s.Draft().When.Log, "a log, which its format has not"}, {3, nil, "knows 1 to 2"}, {2, &record.LogHead{}, "log has no entry"}} {
		s.Predicate.Draft.Format, s.Predicate.Draft.When.Log = c.format, c.head
		again, err := record.DecodeStatement(s.Encode())
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) || err == nil && again.Ref("") != k.Ref {
			t.Errorf("format %d, %+v: %v, %+v", c.format, c.head, err, again)
		}
	}
}

// TestManyOldRecords: more than one entry names them, in one push.
func TestManyOldRecords(t *testing.T) {
	r := newRepo(t)
	r.Commit("a/x.contract.hcl", deal(0, true))
	r.attest("HEAD")
	p := &planner{Attestation: r.attestation("HEAD")}
	var err error
	if p.book, err = At(r.Dir).book(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	last := p.book.log.last()
	var list []entrant
	for i := range 2*log.Most + 1 {
		list = append(list, entrant{log.Entered{Ref: fmt.Sprintf("%s%064x/%064x", record.Refs, i, i), Digest: record.Sum(nil)}, last.Object})
	}
	names, err := p.enter(t.Context(), extension{enters: true, last: last}, list)
	if err != nil || len(names) != 3 {
		t.Fatal(names, err)
	}
	if err := At(r.Dir).create(t.Context(), names); err != nil {
		t.Fatal(err)
	}
	if got := r.entered(); len(got) != 1+len(list) || !strings.HasPrefix(got[len(got)-1], "4 ") {
		t.Errorf("%d entered", len(got))
	}
}

// TestLogOfFork: it is a prefix of the log it was cloned with, and then another one.
func TestLogOfFork(t *testing.T) {
	r := newRepo(t)
	r.Commit("a/x.contract.hcl", deal(0, true))
	r.attest("HEAD")
	common := r.checkpoint()
	fork := r.clone()
	fork.Git("remote", "remove", "origin")
	for i, one := range []repo{r, fork} {
		one.Commit("a/x.contract.hcl", deal(1+i, true))
		one.attest("HEAD")
		one.fine(one.verify("HEAD", withLog(common)))
	}
	ours, theirs := r.checkpoint(), fork.checkpoint()
	if ours.Identity != theirs.Identity || ours.Size != theirs.Size || ours.Root == theirs.Root {
		t.Errorf("%+v and %+v", ours, theirs)
	}
	found := r.verify("HEAD", withLog(theirs, common))
	if len(found.Problems) != 1 || found.Problems[0].Kind != replaced || !strings.Contains(found.Problems[0].What, "extends an earlier checkpoint, so another one was there at position 2") {
		t.Errorf("%+v", found.Problems)
	}
	// One can't be pushed to the other.
	r.Commit("a/x.contract.hcl", deal(3, true))
	a := r.attestation("HEAD")
	a.Remote = "file://" + fork.Dir
	if _, _, err := a.Keep(t.Context()); err == nil || !strings.Contains(err.Error(), "is another one than here, from refs/redline/log/2") {
		t.Error(err)
	}
	if err := At(r.Dir).FetchLog(t.Context(), a.Remote); err == nil || !strings.Contains(err.Error(), "is another one than here, from refs/redline/log/2") {
		t.Error(err)
	}
}

// TestFetchLog: a clone without records gets a log from which its checkpoint is made; a shallow one gets the entries, and not what they name.
func TestFetchLog(t *testing.T) {
	r := newRepo(t)
	r.Commit("a/x.contract.hcl", deal(0, true))
	from := "file://" + r.Dir
	if err := At(r.Dir).FetchLog(t.Context(), from); !errors.Is(err, ErrNoLog) {
		t.Error(err)
	}
	k := r.attest("HEAD")[0]
	r.Commit("a/x.contract.hcl", deal(1, true))
	r.attest("HEAD")
	for _, c := range []struct {
		depth string
		has   bool
	}{{"--depth=1", false}, {"--depth=9", true}} {
		clone := newRepo(t)
		clone.Git("fetch", "-q", c.depth, from, "main")
		if err := At(clone.Dir).FetchLog(t.Context(), from); err != nil {
			t.Fatal(err)
		}
		if got := clone.checkpoint(); got.Checkpoint != r.checkpoint().Checkpoint {
			t.Errorf("%+v", got)
		}
		if here, err := At(clone.Dir).ExistingCommits(t.Context(), []string{k.object}); err != nil || here[k.object] != c.has {
			t.Errorf("%s: %v, %v", c.depth, here, err)
		}
	}
	if err := At(r.Dir).FetchLog(t.Context(), "-x"); err == nil {
		t.Error("an option is no remote")
	}
}

// TestTransfer: a repository keeps its log wherever it goes, by whatever name.
func TestTransfer(t *testing.T) {
	r := newRepo(t)
	r.Commit("a/x.contract.hcl", deal(0, true))
	r.attest("HEAD")
	was := r.checkpoint()
	moved := repo{r.Repo.Clone("--mirror")}
	next := moved.clone()
	next.Git("mv", "a", "b")
	next.Commit("b/x.contract.hcl", deal(1, true))
	next.attest("HEAD", func(a *Attestation) { a.Remote = "origin" })
	next.fine(next.verify("HEAD", withLog(was)))
	if got := moved.entered(); len(got) != 2 {
		t.Errorf("%q", got)
	}
}

// TestLogInClones: a shallow clone extends a log that is there and begins none; SHA-256 makes no difference.
func TestLogInClones(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		origin := newRepo(t, "--bare", "--object-format="+format)
		r := newRepo(t, "--object-format="+format)
		r.Git("remote", "add", "origin", "file://"+origin.Dir)
		r.Commit("README", "one")
		r.Commit("a/x.contract.hcl", deal(0, true))
		r.Git("push", "-q", "origin", "main")
		to := func(a *Attestation) { a.Remote = "origin" }
		shallow := origin.clone("--depth=1")
		a := shallow.attestation("HEAD")
		to(a)
		if _, notices, err := a.Keep(t.Context()); err != nil || len(notices) != 1 || !strings.Contains(notices[0], "too shallow to tell the first commit") {
			t.Errorf("%v: %q", err, notices)
		}
		r.attest("HEAD", to)
		if got := origin.entered(); len(got) != 1 || !strings.Contains(got[0], "before=true") {
			t.Errorf("%q", got)
		}
		r.Commit("b/x.contract.hcl", deal(1, true))
		r.Git("push", "-q", "origin", "main")
		shallow = origin.clone("--depth=1")
		shallow.attest("HEAD", to)
		if got := origin.entered(); len(got) != 3 || !strings.HasPrefix(got[1], "2 before=false") {
			t.Errorf("%q", got)
		}
		shallow.fine(shallow.verify("HEAD", withLog(origin.checkpoint())))
		whole := origin.clone()
		whole.fine(whole.verify("HEAD", withLog(shallow.checkpoint())))
		origin.Git("config", "uploadpack.allowFilter", "true")
		partial := origin.clone("--filter=tree:0")
		for _, p := range partial.verify("HEAD", withLog(whole.checkpoint())).Problems {
			if p.Kind != Unsettled {
				t.Errorf("%+v", p)
			}
		}
		if fsck := origin.Git("fsck", "--strict"); fsck != "" {
			t.Error(fsck)
		}
	}
}

// TestUnrelatedBranch: the log takes note of each first commit, and is of no repository that has none of them.
func TestUnrelatedBranch(t *testing.T) {
	r := newRepo(t)
	r.Commit("a/x.contract.hcl", deal(0, true))
	r.attest("HEAD")
	r.Git("checkout", "-q", "--orphan", "other")
	r.Commit("a/x.contract.hcl", deal(1, true))
	if found := r.verify("HEAD"); !told(found, "misplaced", "it is the log of another repository, or commits were rewritten") {
		t.Errorf("%+v", found)
	}
	r.attest("HEAD")
	r.fine(r.verify("HEAD"))
	r.fine(r.verify("main"))
}

// TestBrokenLog: nothing is entered in a log that has a gap or something else in it, and verify names it.
func TestBrokenLog(t *testing.T) {
	r := newRepo(t)
	for i := range 3 {
		r.Commit("a/x.contract.hcl", deal(i, true))
		r.attest("HEAD")
	}
	r.Commit("a/x.contract.hcl", deal(4, true))
	refs := r.Git("for-each-ref", "--format=update %(refname) %(objectname)", log.Refs)
	for what, c := range map[string]struct {
		spoil      []string
		kind, says string
		attests    bool
	}{
		"a gap":                     {[]string{"-d", log.Refs + "1"}, "missing", log.Refs + "1", false},
		"a beginning that is gone":  {[]string{"-d", log.Refs + "0"}, "missing", log.Refs + "0", false},
		"an entry twice":            {[]string{log.Refs + "2", log.Refs + "1"}, "damaged", "it is the entry at position 1", false},
		"something else at its end": {[]string{log.Refs + "4", "HEAD"}, "damaged", "it is no entry of a log", false},
		"something else far away":   {[]string{log.Refs + "40", "HEAD"}, "damaged", "it is no entry of a log", true},
		"no position":               {[]string{log.Refs + "x/y", log.Refs + "1"}, "damaged", "its name is no position", true},
	} {
		r.Git(append([]string{"update-ref"}, c.spoil...)...)
		if found := r.verify("HEAD"); !told(found, c.kind, c.says) || told(found, "misplaced", "another repository") {
			t.Errorf("%s: %+v", what, found.Problems)
		}
		_, _, err := r.attestation("HEAD").Keep(t.Context())
		if (err == nil) != c.attests || err != nil && !strings.Contains(err.Error(), "the log") {
			t.Errorf("%s: %v", what, err)
		}
		if c.attests {
			r.Git("update-ref", "-d", r.verify("HEAD").Drafts[0].Card.Ref)
			r.Git("update-ref", "-d", log.Refs+"4")
		}
		if c.spoil[0] != "-d" {
			r.Git("update-ref", "-d", c.spoil[0])
		}
		r.GitIn(refs+"\n", "update-ref", "--stdin")
	}
}
