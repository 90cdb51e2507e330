package review

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/redlinehq/redline/hclspec/examples/corpus"
	"github.com/redlinehq/redline/hclspec/gitfs"
	"github.com/redlinehq/redline/hclspec/gitfs/gittest"
)

// A repo is a repository of which a runner checks out commits.
type repo struct{ gittest.Repo }

func newRepo(t *testing.T) repo { return repo{gittest.New(t)} }

// commit commits a file. Its message looks like a commit's parents.
func (r repo) commit(file string) string {
	r.Helper()
	r.Write(file, file)
	return r.CommitAs("parent 1111111111111111111111111111111111111111\n\nparent 2222222222222222222222222222222222222222\n" + file)
}

// checkout does what actions/checkout does: one commit, at some depth, detached.
func (r repo) checkout(commit string, depth int) repo {
	r.Helper()
	to := repo{r.In(r.TempDir())}
	to.Git("init", "-q")
	to.Git("remote", "add", "origin", "file://"+filepath.ToSlash(r.Dir))
	to.Git("fetch", "-q", "--no-tags", fmt.Sprintf("--depth=%d", depth), "origin", commit)
	to.Git("checkout", "-q", "--detach", commit)
	return to
}

func (r repo) has(commit string) bool {
	_, err := gitfs.Resolve(r.Context(), r.Dir, commit)
	return err == nil
}

// A story is a pull request that was opened at start, while main went on to base.
type story struct {
	origin                         repo
	start, base, head, merge, tied string // tied: the branch after its author merged main into it
}

func tell(t *testing.T) story {
	t.Helper()
	s := story{origin: newRepo(t)}
	o := s.origin
	s.start = o.commit("start")
	o.Git("checkout", "-q", "-b", "amendment")
	s.head = o.commit("amendment")
	o.Git("checkout", "-q", "main")
	s.base = o.commit("others")
	o.Git("checkout", "-q", "-b", "merge")
	o.Git("merge", "-q", "--no-ff", "-m", "merge", "amendment")
	s.merge = o.Git("rev-parse", "HEAD")
	o.Git("checkout", "-q", "amendment")
	o.Git("merge", "-q", "--no-ff", "-m", "catch up", "main")
	s.tied = o.Git("rev-parse", "HEAD")
	return s
}

// event makes an Event by way of the environment, as a runner gives it.
func event(t *testing.T, name, sha, payload string) Event {
	t.Helper()
	file := filepath.Join(t.TempDir(), "event.json")
	if err := os.WriteFile(file, []byte(payload), 0o666); err != nil {
		t.Fatal(err)
	}
	e, err := ReadEvent(environ("GITHUB_EVENT_NAME", name, "GITHUB_SHA", sha, "GITHUB_EVENT_PATH", file, "GITHUB_REF", "refs/heads/main"))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func environ(pairs ...string) func(string) string {
	m := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	return func(name string) string { return m[name] }
}

func pullRequest(base, head string) string {
	return fmt.Sprintf(`{"number": 7, "pull_request": {"base": {"sha": %q}, "head": {"sha": %q}}}`, base, head)
}

func TestRange(t *testing.T) {
	s := tell(t)
	for name, c := range map[string]struct {
		event, sha, payload string
		checkout, base      string
		notice              string
	}{
		"the merge commit's parent, not the payload's stale base": {
			"pull_request", s.merge, pullRequest(s.start, s.head), s.merge, s.base, ""},
		"head checked out": {
			"pull_request", s.merge, pullRequest(s.start, s.head), s.head, s.start, "not the merge commit"},
		"head checked out, itself a merge": {
			"pull_request", s.merge, pullRequest(s.base, s.tied), s.tied, s.base, "not the merge commit"},
		"a local run on head, itself a merge": {
			"pull_request", s.tied, pullRequest(s.base, s.tied), s.tied, s.base, "not the merge commit"},
		"merge group":        {"merge_group", s.merge, `{"merge_group": {"base_sha": "` + s.base + `"}}`, s.merge, s.base, ""},
		"push":               {"push", s.merge, `{"before": "` + s.start + `"}`, s.merge, s.start, ""},
		"first push":         {"push", s.base, `{"before": "` + strings.Repeat("0", 40) + `", "repository": {"default_branch": "main"}}`, s.base, "", "The branch is new"},
		"dispatched by hand": {"workflow_dispatch", s.base, `{"inputs": null, "repository": {"default_branch": "main"}}`, s.base, "", ""},
		"on a schedule":      {"schedule", s.base, `{"repository": {"default_branch": "main"}}`, s.base, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			clone := s.origin.checkout(c.checkout, 1)
			r, err := event(t, c.event, c.sha, c.payload).Range(t.Context(), clone.Dir)
			if err != nil {
				t.Fatal(err)
			}
			if r.Base != c.base || r.Head != c.checkout {
				t.Errorf("base %q, head %q; want %q, %q", r.Base, r.Head, c.base, c.checkout)
			}
			if (r.Notice == "") != (c.notice == "") || !strings.Contains(r.Notice, c.notice) {
				t.Errorf("notice %q; want %q", r.Notice, c.notice)
			}
			if c.base != "" && !clone.has(c.base) {
				t.Error("the base was not fetched")
			}
			if c.base == s.base && c.checkout == s.merge && clone.has(s.start) {
				t.Error("history was fetched, not one commit")
			}
		})
	}
}

func TestDepthTwoNeedsNoNetwork(t *testing.T) {
	s := tell(t)
	clone := s.origin.checkout(s.merge, 2)
	clone.Git("remote", "remove", "origin")
	r, err := event(t, "pull_request", s.merge, pullRequest(s.start, s.head)).Range(t.Context(), clone.Dir)
	if err != nil || r.Base != s.base {
		t.Errorf("base %q, %v", r.Base, err)
	}
}

func TestBaseThatCannotBeHad(t *testing.T) {
	s := tell(t)
	clone := s.origin.checkout(s.merge, 1)
	gone := strings.Repeat("ab", 20)
	for name, c := range map[string]struct{ event, payload, want string }{
		"unknown to origin": {"push", `{"before": "` + gone + `"}`, "'fetch-depth: 0' every base"},
		"none in payload":   {"push", `{}`, "names no commit as the base"},
		"an option":         {"push", `{"before": "--upload-pack=touch /tmp/x"}`, "names no commit as the base"},
		"a branch":          {"merge_group", `{"merge_group": {"base_sha": "main"}}`, "names no commit as the base"},
		"too long":          {"push", `{"before": "` + gone + `0"}`, "names no commit as the base"},
		"wrong event":       {"pull_request_target", pullRequest(s.start, s.head), "let the workflow run on pull_request"},
		"no pull request":   {"pull_request", `{}`, "names no commit as the base"},
		// The clone has GitHub's merge commit, but the run is for another commit, or for none that is known.
		"a merge commit that is not this run's": {"pull_request", pullRequest(s.start, s.head), "neither the commit that this run is for"},
		"a merge group of another commit":       {"merge_group", `{"merge_group": {"base_sha": "` + s.base + `"}}`, "neither the commit that this run is for"},
		"a push of another commit":              {"push", `{"before": "` + s.start + `"}`, "neither the commit that this run is for"},
		"first push of another branch":          {"push", `{"before": "` + strings.Repeat("0", 40) + `", "repository": {"default_branch": "trunk"}}`, "has no base"},
		"by hand on another branch":             {"workflow_dispatch", `{"repository": {"default_branch": "trunk"}}`, "has no base"},
		"a review":                              {"pull_request_review", pullRequest(s.start, s.head), "has no base"},
		"a comment":                             {"issue_comment", `{}`, "has no base"},
	} {
		t.Run(name, func(t *testing.T) {
			sha := s.start
			if name == "unknown to origin" {
				sha = s.merge
			}
			r, err := event(t, c.event, sha, c.payload).Range(t.Context(), clone.Dir)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("range %+v, error %v; want %q", r, err, c.want)
			}
		})
	}
}

func TestRangeWithoutRepository(t *testing.T) {
	newRepo(t)
	if _, err := event(t, "schedule", "", "{}").Range(t.Context(), t.TempDir()); !errors.Is(err, gitfs.ErrNotRepository) {
		t.Errorf("error %v", err)
	}
}

func TestCancelledFetch(t *testing.T) {
	s := tell(t)
	clone := s.origin.checkout(s.merge, 1)
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("the job was cancelled")
	cancel(why)
	if err := EnsureCommit(ctx, clone.Dir, s.base); !errors.Is(err, why) {
		t.Errorf("error %v", err)
	}
}

// A hook's git points to its own repository; the directory counts.
func TestSurroundingGit(t *testing.T) {
	s := tell(t)
	clone := s.origin.checkout(s.merge, 1)
	t.Setenv("GIT_DIR", filepath.Join(newRepo(t).Dir, ".git"))
	ids, err := parents(t.Context(), clone.Dir, s.merge)
	if err != nil || len(ids) != 2 || ids[0] != s.base || ids[1] != s.head {
		t.Errorf("parents %v, %v", ids, err)
	}
}

func TestReadEvent(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "event.json")
	if err := os.WriteFile(broken, []byte(`{"before": `), 0o666); err != nil {
		t.Fatal(err)
	}
	for want, getenv := range map[string]func(string) string{
		"GITHUB_EVENT_NAME is not set":   environ(),
		"no such file":                   environ("GITHUB_EVENT_NAME", "push", "GITHUB_EVENT_PATH", broken+"x"),
		"unexpected end of JSON":         environ("GITHUB_EVENT_NAME", "push", "GITHUB_EVENT_PATH", broken),
		"reading the event payload (GIT": environ("GITHUB_EVENT_NAME", "push", "GITHUB_EVENT_PATH", t.TempDir()),
	} {
		if _, err := ReadEvent(getenv); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v; want %q", err, want)
		}
	}
	if _, err := readFile(broken, 3); err == nil || !strings.Contains(err.Error(), "more than 3 bytes") {
		t.Errorf("a payload that is too large: %v", err)
	}
}

// What GitHub's own examples say of where a run is told.
func TestGitHubsPayloadsSayWhere(t *testing.T) {
	dir := corpus.Need(t, "github/webhooks")
	read := func(file, name, ref string) Event {
		e, err := ReadEvent(environ("GITHUB_EVENT_NAME", name, "GITHUB_EVENT_PATH", filepath.Join(dir, file), "GITHUB_REF", ref, "GITHUB_REPOSITORY", "acme/deals",
			"GITHUB_SERVER_URL", "https://github.com", "GITHUB_RUN_ID", "77", "GITHUB_RUN_NUMBER", "5", "GITHUB_RUN_ATTEMPT", "2"))
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	const head, base = "ec26c3e57ca3a959ca5aad62de7213c562f8c821", "f95f852bd8fca8fcc58a9a2d6c842781e32a215e"
	for _, action := range []string{"opened", "reopened", "synchronize"} {
		e := read("pull_request."+action+".json", "pull_request", "refs/pull/2/merge")
		got, ok := e.PullRequest()
		want := pullData{Number: 2, Head: head, base: base, HeadBranch: "changes", BaseBranch: "master", HeadRepository: "Codertocat/Hello-World"}
		if !ok || got != want || e.OnDefaultBranch() {
			t.Errorf("%s: %+v, %v", action, got, ok)
		}
	}
	if run := read("push.json", "push", "").Run; run != (Run{77, 5, 2, "https://github.com/acme/deals/actions/runs/77"}) {
		t.Errorf("run %+v", run)
	}
	followed, ok := read("workflow_run.completed.json", "workflow_run", "refs/heads/main").WorkflowRun()
	want := WorkflowRun{Run: Run{1589141559, 36, 1, "https://github.com/acme/deals/actions/runs/1589141559"}, Event: "workflow_dispatch",
		Repository: "octo-org/octo-repo", Branch: "main", SHA: "5779607b49aab1200488439f02372c57b4f75444"}
	if want.conclusion = followed.conclusion; !ok || followed != want {
		t.Errorf("%+v, %v", followed, ok)
	}
	for file, name := range map[string]string{"merge_group.checks_requested.json": "merge_group", "push.json": "push", "workflow_dispatch.json": "workflow_dispatch"} {
		e := read(file, name, "refs/heads/main")
		if _, ok := e.PullRequest(); ok {
			t.Errorf("%s is taken for a pull request", name)
		}
		if _, ok := e.WorkflowRun(); ok {
			t.Errorf("%s is taken for a run that follows one", name)
		}
		if want := name != "push"; e.OnDefaultBranch() != want { // the push is to a repository whose default is master
			t.Errorf("%s: on the default branch is %v", name, !want)
		}
	}
}

// A fork is another repository, or none any more.
func TestForks(t *testing.T) {
	for from, want := range map[string]bool{`{"full_name": "acme/deals"}`: false, `{"full_name": "mallory/deals"}`: true, "null": true} {
		payload := `{"number": 7, "pull_request": {"number": 7, "base": {"sha": "b", "repo": {"full_name": "acme/deals"}}, "head": {"sha": "h", "repo": ` + from + `}}}`
		if got, ok := event(t, "pull_request", "", payload).PullRequest(); !ok || got.Fork != want {
			t.Errorf("from %s: %+v, %v", from, got, ok)
		}
		if _, ok := event(t, "push", "", payload).PullRequest(); ok {
			t.Error("a push is no pull request")
		}
	}
}

// GitHub's own examples say the same in the places that are read.
func TestGitHubsPayloads(t *testing.T) {
	dir := corpus.Need(t, "github/webhooks")
	for file, field := range map[string]struct {
		event string
		path  []string
	}{
		"pull_request.opened.json":          {"pull_request", []string{"pull_request", "base", "sha"}},
		"pull_request.reopened.json":        {"pull_request", []string{"pull_request", "base", "sha"}},
		"pull_request.synchronize.json":     {"pull_request", []string{"pull_request", "base", "sha"}},
		"merge_group.checks_requested.json": {"merge_group", []string{"merge_group", "base_sha"}},
		"push.json":                         {"push", []string{"before"}},
		"workflow_dispatch.json":            {"workflow_dispatch", nil},
		"workflow_run.completed.json":       {"workflow_run", nil},
	} {
		t.Run(file, func(t *testing.T) {
			raw, err := os.ReadFile(filepath.Join(dir, file))
			if err != nil {
				t.Fatal(err)
			}
			e := event(t, field.event, "", string(raw))
			got := map[string]string{"pull_request": e.payload.PullRequest.Base.SHA, "merge_group": e.payload.MergeGroup.Base, "push": e.payload.Before}[e.Name]
			if want := dig(t, raw, field.path); got != want {
				t.Errorf("base %q; want %q", got, want)
			}
		})
	}
}

func dig(t *testing.T, raw []byte, path []string) string {
	t.Helper()
	if len(path) == 0 {
		return ""
	}
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		t.Fatal(err)
	}
	for _, name := range path {
		value = value.(map[string]any)[name]
	}
	return value.(string)
}

func TestMergeGroup(t *testing.T) {
	const tip = "929f8209d40f77f4abc622a499c93a83babdbe64"
	for ref, want := range map[string]int{
		"refs/heads/gh-readonly-queue/main/pr-104-" + tip: 104, "refs/heads/gh-readonly-queue/main/pr-104": 0, "refs/heads/gh-readonly-queue/other/pr-104-" + tip: 0,
		"refs/heads/main/pr-104-" + tip: 0, "refs/heads/gh-readonly-queue/main/pr-0-" + tip: 0, "refs/heads/gh-readonly-queue/main/pr-9999999999-" + tip: 0,
	} {
		payload := fmt.Sprintf(`{"merge_group": {"head_ref": %q, "base_ref": "refs/heads/main"}}`, ref)
		if n, base, ok := event(t, "merge_group", "", payload).MergeGroup(); ok != (want > 0) || ok && (n != want || base != "main") {
			t.Errorf("%s: %d, %s, %v", ref, n, base, ok)
		}
		if _, _, ok := event(t, "push", "", payload).MergeGroup(); ok {
			t.Error("a push is no merge group")
		}
	}
}

func TestReviewed(t *testing.T) {
	for review, want := range map[string]bool{
		`{"state": "approved", "user": {"type": "User"}}`: true, `{"state": "changes_requested", "user": {"type": "User"}}`: true, `{"state": "dismissed", "user": {"type": "User"}}`: true,
		`{"state": "commented", "user": {"type": "User"}}`: false, `{"state": "approved", "user": {"type": "Bot"}}`: false,
	} {
		payload := `{"review": ` + review + `, "pull_request": {"number": 7, "base": {"sha": "b", "ref": "main", "repo": {"full_name": "acme/deals"}}, "head": {"sha": "h", "repo": {"full_name": "acme/deals"}}}}`
		if got, ok := event(t, "pull_request_review", "", payload).Reviewed(); ok != want || ok && (got.Number != 7 || got.Head != "h" || got.Fork) {
			t.Errorf("%s: %+v, %v", review, got, ok)
		}
		if _, ok := event(t, "pull_request_review", "", payload).PullRequest(); ok {
			t.Error("a review is taken for the pull request's own run")
		}
	}
}
