package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/redlinehq/redline/report/github/githubtest"
)

// pageWorkflow returns the first workflow of a page that has a text in it.
func pageWorkflow(t *testing.T, part string) string {
	t.Helper()
	for _, b := range workflows(t) {
		if strings.Contains(b.text, part) {
			return b.text
		}
	}
	t.Fatalf("no page has a workflow with %q", part)
	return ""
}

// deals is a repository with the sale, its pull request 7, and a workflow; the pull request's files are known to the Hub.
func (s *stage) deals(workflow string) pull {
	p := open(s.T, addWithdrawal)
	p.git("remote add origin https://github.com/acme/deals.git", "checkout -q "+p.merge)
	s.write(filepath.Join(p.origin, ".github/workflows/redline.yml"), workflow)
	s.pull(p, 7, "acme/deals")
	return p
}

// pull tells the Hub of a pull request from a repository.
func (s *stage) pull(p pull, number int, from string) {
	s.Helper()
	s.hub.Open(githubtest.Pull{Number: number, Files: changed(p),
		Head: githubtest.Side{SHA: p.head, Ref: "amendment", Repository: from}, Base: githubtest.Side{SHA: p.base, Ref: "main"}})
}

// changed lists what the pull request changes, as GitHub does: without the headers of the diff.
func changed(p pull) []githubtest.File {
	p.Helper()
	cmd := exec.Command("git", "diff", "--no-color", p.base+"..."+p.head)
	cmd.Dir = p.origin
	out, err := cmd.Output()
	if err != nil {
		p.Fatal(err)
	}
	var files []githubtest.File
	for part := range strings.SplitSeq(string(out), "diff --git ") {
		name, patch, ok := strings.Cut(part, "\n@@")
		if !ok {
			continue
		}
		_, name, _ = strings.Cut(name, "+++ b/")
		files = append(files, githubtest.File{Path: name, Patch: strings.TrimSuffix("@@"+patch, "\n")})
	}
	return files
}

// payloadFrom is the event's, of a pull request from a repository.
func payloadFrom(p pull, repository string) string {
	p.Helper()
	side := func(sha, ref, repository string) map[string]any {
		return map[string]any{"sha": sha, "ref": ref, "repo": map[string]any{"full_name": repository}}
	}
	raw, err := json.Marshal(map[string]any{
		"action": "synchronize", "number": 7, "repository": map[string]any{"full_name": "acme/deals", "default_branch": "main"},
		"pull_request": map[string]any{"number": 7, "head": side(p.head, "amendment", repository), "base": side(p.base, "main", "acme/deals")},
	})
	if err != nil {
		p.Fatal(err)
	}
	return string(raw)
}

// builds is what act says where the action builds its source.
const builds = "Run Main Build redline"

// A pull request is told once, however often its run is repeated, and told again when it is mended.
func TestActPull(t *testing.T) {
	s := newStage(t)
	s.hub.Allow(jobToken, githubtest.Job("contents: read", "pull-requests: write"))
	p := s.deals(pageWorkflow(t, "uses: redlinehq/redline@v1"))
	for range 2 {
		ok, log := s.run(p.origin, "pull_request", payloadFrom(p, "acme/deals"))
		if ok || !strings.Contains(log, "exit status 1") {
			t.Fatalf("the gate is open: %s", end(log))
		}
		if strings.Contains(log, builds) {
			t.Errorf("it is not the released binary that was run: %s", end(log))
		}
		comments, remarks := s.hub.Comments(7), s.hub.ReviewComments(7)
		if len(comments) != 1 || !strings.Contains(comments[0].Body, "goods-not-withdrawn") || comments[0].Author != "github-actions[bot]" {
			t.Fatalf("comments: %+v\n%s", comments, end(log))
		}
		if len(remarks) != 2 || remarks[0].Path != "sale/seller.contract.hcl" || remarks[0].Line == 0 {
			t.Errorf("remarks: %+v\n%s", remarks, end(log))
		}
	}
	if _, err := os.Stat(filepath.Join(s.store, "cache")); err != nil {
		t.Errorf("no verdict was kept: %v", err)
	}
	p.git("checkout -q amendment", "revert --no-edit HEAD")
	p.head = p.commit()
	p.git("checkout -q main", "checkout -q -B merge", "merge -q --no-ff -m merge amendment")
	p.merge = p.commit()
	s.hub.Push(7, p.head, changed(p))
	s.hub.Allow(jobToken, githubtest.Job("contents: write", "pull-requests: write")) // without the first, nothing is resolved
	ok, log := s.run(p.origin, "pull_request", payloadFrom(p, "acme/deals"))
	comments := s.hub.Comments(7)
	if !ok || len(comments) != 1 || strings.Contains(comments[0].Body, "**broken**") {
		t.Errorf("mended: %v, %+v\n%s", ok, comments, end(log))
	}
	for _, r := range s.hub.ReviewComments(7) {
		if !r.Resolved {
			t.Errorf("not resolved: %+v", r)
		}
	}
}
