package store

import (
	"context"
	"strings"
	"testing"
	"time"
)

// TestNotesRefThatHoldsNone: whatever else the ref of notes names is damage, and nothing is built on it.
func TestNotesRefThatHoldsNone(t *testing.T) {
	r := newRepo(t)
	r.Commit("a/x.contract.hcl", deal(0, true))
	r.attest("HEAD")
	if noted, _, err := At(r.Dir).IndexAll(t.Context(), "", noon); noted != 1 || err != nil {
		t.Fatalf("%d noted: %v", noted, err)
	}
	r.fine(r.verify("HEAD"))
	notes := r.Git("rev-parse", notesRef)
	for what, id := range map[string]string{
		"a blob":                             r.GitIn("x", "hash-object", "-w", "--stdin"),
		"a tree":                             r.Git("rev-parse", notes+"^{tree}"),
		"a commit of ours":                   r.Git("rev-parse", "HEAD"),
		"a commit of nothing":                r.GitIn("", "commit-tree", "-m", "empty", r.GitIn("", "mktree")),
		"a directory that notes could be in": r.GitIn("", "commit-tree", "-m", "x", r.GitIn("040000 tree "+r.Git("rev-parse", "HEAD:a")+"\tab\n", "mktree")),
	} {
		r.Git("update-ref", notesRef, id)
		found := r.verify("HEAD").Problems
		if len(found) != 1 || found[0].Kind != damaged || found[0].Ref != notesRef || !strings.Contains(found[0].What, "holds no notes") {
			t.Errorf("%s: %+v", what, found)
		}
		if _, _, err := At(r.Dir).IndexAll(context.Background(), "", time.Unix(0, 0)); err == nil || !strings.Contains(err.Error(), "holds no notes") {
			t.Errorf("%s: indexing says %v", what, err)
		}
		if now := r.Git("rev-parse", notesRef); now != id {
			t.Errorf("%s: the ref has moved to %s", what, now)
		}
	}
	r.Git("update-ref", "-d", notesRef)
	r.Git("update-ref", notesRef+"/x", notes)
	if found := r.verify("HEAD").Problems; len(found) != 1 || found[0].Kind != damaged || found[0].Ref != notesRef {
		t.Errorf("a ref below it: %+v", found)
	}
	r.Git("update-ref", "-d", notesRef+"/x")
	if _, _, err := At(r.Dir).IndexAll(context.Background(), "", time.Unix(0, 0)); err != nil {
		t.Error(err)
	}
	r.fine(r.verify("HEAD"))
}
