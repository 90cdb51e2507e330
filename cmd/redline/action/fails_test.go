package action

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/gitfs/gittest"
	"github.com/redlinehq/redline/hclspec/settings"
	"github.com/redlinehq/redline/report/github/githubtest"
	"github.com/redlinehq/redline/report/result"
	"github.com/redlinehq/redline/report/review"
)

// A scene is a clone with two contracts in which an action runs, and a GitHub with pull request 7 of its last commit.
type scene struct {
	gittest.Repo
	hub        *githubtest.Hub
	base, head string // commits; the clone has no other
	older      string // the commit before base, in the clone's origin alone
}

const absent = "abababababababababababababababababababab"

func stage(t *testing.T) *scene {
	t.Helper()
	origin := gittest.New(t)
	s := &scene{older: origin.Commit("CODEOWNERS", "* @carol\n", "one/a.contract.hcl", gittest.Deal(1, true, ""), "two/a.contract.hcl", gittest.Deal(1, true, ""))}
	s.base = origin.Commit("CODEOWNERS", "* @dora\n")
	s.head = origin.Commit("one/a.contract.hcl", gittest.Deal(2, false, ""), "two/a.contract.hcl", gittest.Deal(2, true, ""))
	origin.Git("config", "uploadpack.allowAnySHA1InWant", "true")
	s.Repo = origin.CloneAll("--depth", "2")
	t.Chdir(s.Dir)
	s.hub = githubtest.Start(t, "acme/deals")
	s.hub.Allow("token", githubtest.Job("contents: read", "pull-requests: read"))
	s.hub.Open(githubtest.Pull{Number: 7, Author: "alice", Head: githubtest.Side{SHA: s.head, Ref: "amendment", Repository: "stranger/deals"}, Base: githubtest.Side{SHA: s.base, Ref: "main"}})
	for _, kv := range os.Environ() { // of a runner that runs this test
		if name, _, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "GITHUB_") || strings.HasPrefix(name, "INPUT_") {
			t.Setenv(name, "")
		}
	}
	for name, value := range map[string]string{"GITHUB_REPOSITORY": "acme/deals", "GITHUB_API_URL": s.hub.URL, "GITHUB_GRAPHQL_URL": s.hub.URL + "/graphql", "INPUT_TOKEN": "token",
		"GITHUB_SHA": s.head, "GITHUB_REF": "refs/heads/main", "GITHUB_RUN_ATTEMPT": "2", "GITHUB_STEP_SUMMARY": filepath.Join(s.TempDir(), "summary"), "GITHUB_OUTPUT": filepath.Join(s.TempDir(), "output")} {
		t.Setenv(name, value)
	}
	return s
}

// of is the outcome of an event so far: a review with a waiver that the amendment brings.
func (s *scene) of(name, payload string) *outcome {
	s.Helper()
	s.Setenv("GITHUB_EVENT_NAME", name)
	s.Setenv("GITHUB_EVENT_PATH", filepath.Join(s.TempDir(), "event"))
	if err := os.WriteFile(os.Getenv("GITHUB_EVENT_PATH"), []byte(payload), 0o666); err != nil {
		s.Fatal(err)
	}
	event, err := review.ReadEvent(os.Getenv)
	if err != nil {
		s.Fatal(err)
	}
	brought := finding.Acceptance{Name: "stays", Contract: "one", File: "one/a.contract.hcl", Needed: true}
	return &outcome{event: event, commits: review.Range{Base: s.base, Head: s.head}, wanted: settings.Default(),
		file: &result.File{Review: &finding.Review{Contracts: []finding.ContractReview{{Path: "one", Acceptances: []finding.Acceptance{brought}}}}}}
}

func (s *scene) pull() string {
	return fmt.Sprintf(`{"pull_request": {"number": 7, "head": {"sha": %q}, "base": {"sha": %q, "ref": "main"}}, "repository": {"default_branch": "main"}}`, s.head, s.base)
}

func (s *scene) follows(event string) string {
	return fmt.Sprintf(`{"workflow_run": {"id": 1, "event": %q, "head_branch": "amendment", "head_sha": %q, "head_repository": {"full_name": "stranger/deals"}}}`, event, s.head)
}

// lose removes an object from the clone: git can't read it any more.
func (s *scene) lose(object string) {
	s.Helper()
	id := s.Git("rev-parse", object)
	for _, pack := range strings.Fields(s.GitIn("", "rev-parse", "--git-path", "objects/pack")) {
		packs, _ := filepath.Glob(filepath.Join(pack, "*.pack"))
		for _, name := range packs {
			raw, err := os.ReadFile(name)
			if err == nil {
				err = errors.Join(os.Remove(name), os.Remove(strings.TrimSuffix(name, ".pack")+".idx"))
			}
			if err != nil {
				s.Fatal(err)
			}
			s.GitIn(string(raw), "unpack-objects", "-q")
		}
	}
	if err := os.Remove(filepath.Join(".git", "objects", id[:2], id[2:])); err != nil {
		s.Fatal(err)
	}
	s.Git("remote", "set-url", "origin", filepath.Join(s.Dir, "none"))
}

// A job that can't learn which acceptances count ends with the error: it lets nothing pass, and says why.
func TestApproveFails(t *testing.T) {
	s := stage(t)
	f := s.of("pull_request", s.pull())
	f.commits.Head = absent
	if err := newAction().approve(t.Context(), f); err == nil || !strings.Contains(err.Error(), absent) {
		t.Errorf("the amendment's settings can't be read: %v", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("the job was cancelled")
	cancel(why)
	if _, err := unreadable("no token")(ctx, finding.Acceptance{}); !errors.Is(err, why) {
		t.Errorf("cancelled: %v", err)
	}
}

// A shard asks GitHub for no approvals: the job that joins the shards does.
func TestShardAsksNobody(t *testing.T) {
	s := stage(t)
	for shard, asks := range map[string]bool{"": true, "merge": true, "1/2": false, "plan": false} {
		before := len(s.hub.Requests())
		f, a := s.of("pull_request", s.pull()), newAction()
		a.shard = shard
		if err := a.approve(t.Context(), f); err != nil || len(s.hub.Requests()) > before != asks {
			t.Errorf("shard %q: %d requests, %v", shard, len(s.hub.Requests())-before, err)
		}
	}
	f := s.of("push", "{}")
	f.file.Review = nil
	if err := newAction().approve(t.Context(), f); err != nil {
		t.Errorf("a check has nothing to approve: %v", err)
	}
}

// If approvals or base's owners can't be read, no acceptance counts, and each says why.
func TestApprovalsUnreadable(t *testing.T) {
	whole := stage(t)
	for _, c := range []struct {
		name, event string
		payload     func(*scene) string
		prepare     func(*scene, *outcome)
		says        string
	}{
		{"no token", "pull_request", (*scene).pull, func(s *scene, _ *outcome) { s.Setenv("INPUT_TOKEN", "") }, "there is no token"},
		{"no token, after a fork's run", "workflow_run", func(s *scene) string { return s.follows("pull_request") }, func(s *scene, _ *outcome) { s.Setenv("INPUT_TOKEN", "") }, "there is no token"},
		{"no pull request, after a fork's run", "workflow_run", func(s *scene) string { return strings.ReplaceAll(s.follows("pull_request"), s.head, s.base) }, nil, "0 open pull requests"},
		{"an unknown token", "push", func(*scene) string { return "{}" }, func(s *scene, _ *outcome) { s.Setenv("INPUT_TOKEN", "other") }, "/commits/"},
		{"base is nowhere", "pull_request", (*scene).pull, func(_ *scene, f *outcome) { f.commits.Base = absent }, "could not be fetched"},
		{"base's tree is gone", "pull_request", (*scene).pull, func(s *scene, _ *outcome) { s.lose(s.base + "^{tree}") }, "could not be read"},
		{"base's CODEOWNERS is gone", "pull_request", (*scene).pull, func(s *scene, _ *outcome) { s.lose(s.base + ":CODEOWNERS") }, "CODEOWNERS"},
		{"no pull request's event", "schedule", func(*scene) string { return "{}" }, nil, "of no pull request that is known"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := *whole
			s.TB = t
			if strings.HasSuffix(c.name, "gone") {
				s = *stage(t)
			}
			f := s.of(c.event, c.payload(&s))
			if c.prepare != nil {
				c.prepare(&s, f)
			}
			ask := newAction().approvals(t.Context(), f)
			if ask == nil {
				t.Fatal("nobody is asked")
			}
			got, err := ask(t.Context(), f.file.Review.Contracts[0].Acceptances[0])
			if err != nil || got.State != finding.Unreadable || !strings.Contains(got.Why, c.says) {
				t.Errorf("%v, %q, %v; want %q", got.State, got.Why, err, c.says)
			}
		})
	}
}

// Base's owners are read from a base that has to be fetched first, too.
func TestApprovalsOfAFetchedBase(t *testing.T) {
	s := stage(t)
	f := s.of("pull_request", s.pull())
	for base, owner := range map[string]string{s.base: "@dora", s.older: "@carol"} {
		f.commits.Base = base
		got, err := newAction().approvals(t.Context(), f)(t.Context(), f.file.Review.Contracts[0].Acceptances[0])
		if err != nil || got.State != finding.Pending || !slices.Equal(got.Needs, []string{owner}) {
			t.Errorf("%+v, %v; want %s", got, err, owner)
		}
	}
}

// An approved commit that can't be read is an error. It does not mean the same, nor something else.
func TestSameAtFails(t *testing.T) {
	s := stage(t)
	f := s.of("merge_group", "{}")
	for _, commit := range []string{absent, s.base} {
		if commit == s.base {
			s.lose(s.base + "^{tree}")
		}
		if same, err := newAction().sameAt(f)(t.Context(), commit, finding.Acceptance{Contract: "one"}); same || err == nil {
			t.Errorf("%s: %t, %v", commit, same, err)
		}
	}
}

// A run that is repeated says, in the log and in its result, that base has moved on, or that this could not be read.
func TestMoved(t *testing.T) {
	s := stage(t)
	for _, c := range []struct {
		name, event, payload string
		prepare              func()
		says                 string
	}{
		{"as it was", "pull_request", s.pull(), func() { s.hub.Branch("main", s.base) }, ""},
		{"moved on", "pull_request", s.pull(), func() { s.hub.Branch("main", s.head) }, "and main is at " + s.head[:7]},
		{"no branch is named", "pull_request", strings.Replace(s.pull(), `"ref": "main"`, `"ref": ""`, 1), nil, ""},
		{"no pull request", "push", s.pull(), nil, ""},
		{"the first run", "pull_request", s.pull(), func() { s.Setenv("GITHUB_RUN_ATTEMPT", "1") }, ""},
		{"no token", "pull_request", s.pull(), func() { s.Setenv("GITHUB_RUN_ATTEMPT", "2"); s.Setenv("INPUT_TOKEN", "") }, "whether main has moved on since could not be read"},
	} {
		if c.prepare != nil {
			c.prepare()
		}
		f := s.of(c.event, c.payload)
		newAction().moved(t.Context(), f)
		if said := strings.Join(f.notices, "\n"); (said == "") != (c.says == "") || !strings.Contains(said, c.says) || !slices.Equal(f.notices, f.file.Notices) {
			t.Errorf("%s: %q, %q; want %q", c.name, f.notices, f.file.Notices, c.says)
		}
	}
}

// The result has the notice of an upgrade once, next to the notices of a fork's run.
func TestUpgradeIsNoticedOnce(t *testing.T) {
	s := stage(t)
	for _, said := range [][]string{nil, {"Earlier."}, {"Earlier.", upgradeNotice}} {
		f := s.of("workflow_run", s.follows("pull_request"))
		f.file.Notices = slices.Clone(said)
		f.file.Review.Contracts[0].Base = &finding.Result{Requirements: []finding.Requirement{{Waiver: &finding.Waiver{}}}}
		policy, err := newAction().acceptance(t.Context(), f)
		if want := slices.Compact(append(slices.Clone(said), upgradeNotice)); err != nil || policy.Rule != finding.AcceptAmendment || !slices.Equal(f.file.Notices, want) {
			t.Errorf("%v, %q, %v", policy.Rule, f.file.Notices, err)
		}
	}
}

// After a review, a run that can't be repeated is an error that says what is missing.
func TestReviewedFails(t *testing.T) {
	s := stage(t)
	a := newAction()
	f := s.of("workflow_run", s.follows("pull_request_review"))
	run, _ := f.event.WorkflowRun()
	if err := a.relayReviewed(t.Context(), f, run); err == nil || !strings.Contains(err.Error(), "no run of redline.yml") {
		t.Errorf("no run: %v", err)
	}
	s.hub.Ran(githubtest.Run{ID: 5, Number: 5, Attempt: 1, Workflow: "redline.yml", Event: "pull_request", Head: s.head, Branch: "amendment", Repository: "stranger/deals", Status: "completed"})
	if err := a.relayReviewed(t.Context(), f, run); err == nil || !strings.Contains(err.Error(), "the job needs 'permissions: actions: write'") {
		t.Errorf("no permission: %v", err)
	}
	gone := run
	gone.SHA = s.base
	if err := a.relayReviewed(t.Context(), f, gone); err == nil || !strings.Contains(err.Error(), "0 open pull requests") {
		t.Errorf("no pull request: %v", err)
	}
	t.Setenv("INPUT_TOKEN", "")
	if err := a.relayReviewed(t.Context(), f, run); err == nil || !strings.Contains(err.Error(), "there is no token") {
		t.Errorf("no token: %v", err)
	}
}

// What keeps a job from looking at all contracts is its error, and nothing is found. Of a repeated run no more is said then, nor of a shard.
func TestFindFails(t *testing.T) {
	s := stage(t)
	s.hub.Branch("main", s.older)
	s.Git("checkout", "-q", "--detach", s.head)
	pushed := `{"before": "` + strings.Repeat("0", 40) + `", "repository": {"default_branch": "main"}}`
	for _, c := range []struct {
		event, payload, shard string
		flag, value           string
		says                  string // empty: no error
	}{
		{"pull_request", s.pull(), "1/2", "", "", ""},
		{"pull_request", s.pull(), "3/2", "", "", "of 2 shards the last is 2/2"},
		{"pull_request", s.pull(), "merge", "given", s.TempDir(), "no shard has left what it found"},
		{"pull_request", s.pull(), "plan", "shards", "0", "there can't be 0 shards"},
		{"push", pushed, "1/1", "", "", ""},
		{"push", pushed, "1/2", "", "", "there is no base to compare with"},
	} {
		f := s.of(c.event, c.payload)
		cmd := &cobra.Command{}
		a := New(cmd, &strings.Builder{})
		if a.shard = c.shard; c.flag != "" {
			if err := cmd.Flags().Set(c.flag, c.value); err != nil {
				t.Fatal(err)
			}
		}
		f.file = nil
		err := a.find(t.Context(), f)
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) || (f.file == nil) != (err != nil) {
			t.Errorf("%s %s: %v, want %q; %v", c.event, c.shard, err, c.says, f.file)
		}
		for _, n := range f.notices {
			if strings.Contains(n, "repeated") {
				t.Errorf("%s %s: %s", c.event, c.shard, n)
			}
		}
	}
	f := s.of("push", pushed)
	f.commits = review.Range{Head: absent}
	if err := newAction().check(t.Context(), f); err == nil {
		t.Error("of a commit that is not there every contract was checked")
	}
	a := newAction()
	a.given = pflag.NewFlagSet("", pflag.ContinueOnError)
	a.given.String("jobs", "", "")
	if err := a.given.Set("jobs", "many"); err != nil {
		t.Fatal(err)
	}
	if err := a.under(f, settings.Default(), nil); err == nil || !strings.Contains(err.Error(), "setting limits.jobs") {
		t.Errorf("an input that is no setting: %v", err)
	}
	t.Setenv("GITHUB_EVENT_NAME", "")
	if err := newAction().find(t.Context(), &outcome{}); err == nil || !strings.Contains(err.Error(), "GITHUB_EVENT_NAME is not set") {
		t.Errorf("no event: %v", err)
	}
}

// A cache directory that can't be used changes no verdict, and the log says so.
func TestCacheTrouble(t *testing.T) {
	s := stage(t)
	a := newAction()
	a.cache = filepath.Join(s.Dir, "CODEOWNERS", "below")
	for name, do := range map[string]func(context.Context, *outcome) error{"review": a.review, "check": a.check} {
		f := s.of("push", "{}")
		if err := do(t.Context(), f); err != nil || len(f.trouble) == 0 || f.trouble[0] == nil {
			t.Errorf("%s: %v, %v", name, f.trouble, err)
		}
	}
}

// The plan has a part for each contract that is amended, where there is a base, and its log says so.
func TestSplit(t *testing.T) {
	s := stage(t)
	for base, want := range map[string]string{s.base: `{"include":[{"shard":1,"of":2},{"shard":2,"of":2}]}`, "": `{"include":[{"shard":1,"of":1}]}`} {
		f := s.of("push", "{}")
		f.commits.Base = base
		if err := newAction().split(t.Context(), f); err != nil || f.outputs[0].value != want || !strings.Contains(f.log, want) {
			t.Errorf("%+v, %q, %v", f.outputs, f.log, err)
		}
	}
}

// A run that could tell and keep everything says nothing of what could not be.
func TestNothingIsMissing(t *testing.T) {
	s := stage(t)
	s.Git("checkout", "-q", "--detach", s.head)
	for summary, missing := range map[string]bool{os.Getenv("GITHUB_STEP_SUMMARY"): false, s.Dir: true} {
		t.Setenv("GITHUB_STEP_SUMMARY", summary)
		s.of("push", `{"before": "`+s.base+`"}`)
		var out strings.Builder
		if status := New(&cobra.Command{}, &out).Run(t.Context()); status != finding.Violations || strings.Contains(out.String(), "not all of it could be told") != missing {
			t.Errorf("exit status %d\n%s", status, &out)
		}
	}
}
