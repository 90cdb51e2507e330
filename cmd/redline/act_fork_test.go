package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/redlinehq/redline/report/github/githubtest"
)

const fork = "stranger/deals"

// A fork's run gates and may not write. The second workflow tells its pull request, and no other, whatever the artifact says.
func TestActFork(t *testing.T) {
	s := newStage(t)
	s.hub.Allow(jobToken, githubtest.Job("contents: read"))
	p := s.deals(pageWorkflow(t, "uses: redlinehq/redline@v1"))
	s.pull(p, 7, fork)
	s.hub.Open(githubtest.Pull{Number: 8, Head: githubtest.Side{SHA: strings.Repeat("8", 40), Ref: "other", Repository: fork}, Base: githubtest.Side{SHA: p.base, Ref: "main"}})
	ok, log := s.run(p.origin, "pull_request", payloadFrom(p, fork))
	if ok || len(s.hub.Requests()) > 0 {
		t.Fatalf("the fork's run: %v, %v\n%s", ok, s.hub.Requests(), end(log))
	}
	if _, err := os.Stat(filepath.Join(s.store, "cache")); !os.IsNotExist(err) {
		t.Errorf("the fork's run has kept verdicts: %v", err)
	}
	artifact := filepath.Join(s.store, "artifacts/1/redline/redline.json")
	whole := s.read(artifact)

	p.git("checkout -q main") // which has no workflow, and no action but the release's
	if err := os.RemoveAll(filepath.Join(p.origin, ".github")); err != nil {
		t.Fatal(err)
	}
	s.write(filepath.Join(p.origin, ".github/workflows/forks.yml"), pageWorkflow(t, "workflow_run"))
	s.hub.Allow(jobToken, githubtest.Job("actions: read", "pull-requests: write"))
	for what, c := range map[string]struct {
		artifact, head string
		fails          bool
		says           string
	}{
		"a claim of another pull request": {strings.Replace(whole, `{"Format"`, `{"Number":8,"Format"`, 1), p.head, true, "what the fork"},
		"Markdown of its own":             {strings.TrimSuffix(whole, "}\n") + `,"Summary":"all is well"}`, p.head, true, "what the fork"},
		"a push since":                    {whole, strings.Repeat("9", 40), false, ""},
		"a branch of our own":             {whole, "", false, "has told its pull request itself"},
		"nothing":                         {"", p.head, false, "has left no review"},
	} {
		t.Run(what, func(t *testing.T) {
			s := *s
			s.T = t
			if err := os.Remove(artifact); err != nil {
				t.Fatal(err)
			}
			if c.artifact != "" {
				s.write(artifact, c.artifact)
			}
			from := fork
			if c.head == "" {
				from, c.head = "acme/deals", p.head
			}
			ok, log := s.run(p.origin, "workflow_run", following(t, from, c.head))
			skipped := from != fork // by the workflow's own condition
			if ok == c.fails || !skipped && !strings.Contains(log, c.says) || len(s.hub.Writes()) > 0 {
				t.Errorf("%v, %v\n%s", ok, s.hub.Writes(), end(log))
			}
			s.write(artifact, whole)
		})
	}
	for range 2 {
		ok, log = s.run(p.origin, "workflow_run", following(t, fork, p.head))
		comments := s.hub.Comments(7)
		if !ok || len(comments) != 1 || !strings.Contains(comments[0].Body, "goods-not-withdrawn") || !strings.Contains(comments[0].Body, "own run") {
			t.Fatalf("told: %v, %+v\n%s", ok, comments, end(log))
		}
	}
	if len(s.hub.Comments(8))+len(s.hub.ReviewComments(8)) > 0 || len(s.hub.ReviewComments(7)) == 0 {
		t.Errorf("on 8: %+v; on 7: %+v", s.hub.Comments(8), s.hub.ReviewComments(7))
	}
}

// following is the event of a run that follows another one, by what GitHub says of that.
func following(t *testing.T, repository, head string) string {
	t.Helper()
	raw, err := json.Marshal(map[string]any{
		"action": "completed", "repository": map[string]any{"full_name": "acme/deals", "default_branch": "main"},
		"workflow_run": map[string]any{"id": 1, "run_number": 1, "run_attempt": 1, "event": "pull_request", "conclusion": "failure",
			"head_branch": "amendment", "head_sha": head, "head_repository": map[string]any{"full_name": repository}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
