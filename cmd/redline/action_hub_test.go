package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redlinehq/redline/cmd/redline/action"
	"github.com/redlinehq/redline/report/github/githubtest"
	"github.com/redlinehq/redline/report/result"
)

// hub is a GitHub that knows the pull request as number 7, and the environment that leads there.
func (p pull) hub(from string, permissions ...string) (*githubtest.Hub, []string) {
	p.Helper()
	h := githubtest.Start(p.T, "acme/deals")
	h.Allow(jobToken, githubtest.Job(permissions...))
	h.Open(githubtest.Pull{Number: 7, Files: changed(p),
		Head: githubtest.Side{SHA: p.head, Ref: "amendment", Repository: from}, Base: githubtest.Side{SHA: p.base, Ref: "main"}})
	return h, []string{"GITHUB_REPOSITORY", "acme/deals", "GITHUB_API_URL", h.URL, "GITHUB_GRAPHQL_URL", h.URL + "/graphql", "INPUT_TOKEN", jobToken,
		"GITHUB_RUN_ID", "1", "GITHUB_RUN_NUMBER", "1", "GITHUB_RUN_ATTEMPT", "1", "GITHUB_SERVER_URL", "https://github.com"}
}

// What the pull request can't be told changes neither the verdict nor what the runner is told.
func TestActionVerdictDependsOnNoPost(t *testing.T) {
	p := open(t, addWithdrawal)
	for what, c := range map[string]struct {
		permissions []string
		prepare     func(*githubtest.Hub)
		comments    int
		says        string
	}{
		"it may":           {[]string{"pull-requests: write"}, nil, 1, ""},
		"it may not":       {[]string{"contents: read"}, nil, 0, "pull-requests: write"},
		"closed meanwhile": {[]string{"pull-requests: write"}, func(h *githubtest.Hub) { h.Close(7) }, 0, "the pull request is closed"},
		"pushed meanwhile": {[]string{"pull-requests: write"}, func(h *githubtest.Hub) { h.Push(7, strings.Repeat("a", 40), nil) }, 0, "has moved on"},
	} {
		t.Run(what, func(t *testing.T) {
			p := p
			p.T = t
			h, env := p.hub("acme/deals", c.permissions...)
			if c.prepare != nil {
				c.prepare(h)
			}
			got := p.run(p.merge, "pull_request", payloadFrom(p, "acme/deals"), env...)
			if got.status != 1 || !strings.Contains(got.summary, "goods-not-withdrawn") || !strings.Contains(got.output, "\nviolations\n") {
				t.Errorf("exit status %d, %s", got.status, got.output)
			}
			if n := len(h.Comments(7)); n != c.comments || !strings.Contains(got.log, c.says) {
				t.Errorf("%d comments\n%s", n, got.log)
			}
		})
	}
}

// A page of the review is kept with the result, and the comment leads there; what changes no contract has none.
func TestActionKeepsPage(t *testing.T) {
	const link = "`redline.html` in the [artifacts of the run](https://github.com/acme/deals/actions/runs/1#artifacts)"
	for what, c := range map[string]struct {
		edit   func(string) error
		result string
		pages  int
	}{
		"a broken promise": {addWithdrawal, "result", 1},
		"no result":        {addWithdrawal, "", 0},
		"no change": {func(seller string) error {
			return os.WriteFile(filepath.Join(filepath.Dir(seller), "notes.txt"), nil, 0o666)
		}, "result", 0},
	} {
		t.Run(what, func(t *testing.T) {
			p := open(t, func(seller string) error { // which commits what is known to git
				if err := c.edit(seller); err != nil {
					return err
				}
				p := pull{T: t, origin: filepath.Dir(filepath.Dir(seller))}
				p.git("add .")
				return nil
			})
			dir := ""
			if c.result != "" {
				dir = filepath.Join(t.TempDir(), action.ResultName)
			}
			h, env := p.hub("acme/deals", "pull-requests: write")
			got := p.run(p.merge, "pull_request", payloadFrom(p, "acme/deals"), append(env, "INPUT_RESULT", dir)...)
			page, err := os.ReadFile(filepath.Join(filepath.Dir(dir), action.PageName))
			if n := strings.Count(string(page), "<title>What the amendment does</title>"); n != c.pages || (err == nil) != (n > 0) || strings.Contains(got.output, "page=") != (n > 0) {
				t.Errorf("%d pages, %v, %s", n, err, got.output)
			}
			for _, one := range h.Comments(7) {
				if n := strings.Count(one.Body, link); n != c.pages {
					t.Errorf("%d links: %s", n, one.Body)
				}
			}
			if n := len(h.Comments(7)); n > 1 || n < c.pages {
				t.Errorf("%d comments", n)
			}
		})
	}
}

// Inputs turn off what the settings turn on.
func TestActionInputsOutweighSettings(t *testing.T) {
	p := open(t, addWithdrawal)
	h, env := p.hub("acme/deals", "pull-requests: write", "checks: write", "statuses: write")
	got := p.run(p.merge, "pull_request", payloadFrom(p, "acme/deals"),
		append(env, "INPUT_COMMENT", "false", "INPUT_INLINE", "false", "INPUT_CHECK_RUN", "true", "INPUT_STATUS", "true", "INPUT_SARIF", "out/r.sarif")...)
	if len(h.Comments(7))+len(h.ReviewComments(7)) > 0 {
		t.Errorf("%+v, %+v", h.Comments(7), h.ReviewComments(7))
	}
	runs, statuses := h.CheckRuns(p.head), h.Statuses(p.head)
	if len(runs) != 1 || runs[0].Conclusion != "failure" || len(runs[0].Annotations) == 0 || len(statuses) == 0 {
		t.Errorf("%+v, %+v\n%s", runs, statuses, got.log)
	}
	if !strings.Contains(got.output, "sarif=out/r.sarif\n") {
		t.Error(got.output)
	}
	if raw, err := os.ReadFile("out/r.sarif"); err != nil || !bytes.Contains(raw, []byte("2.1.0")) {
		t.Errorf("%.80s, %v", raw, err)
	}
}

// What is pushed, queued, or run by hand has no pull request to be told, and may have a check run.
func TestActionWithoutPullRequest(t *testing.T) {
	p := open(t, addWithdrawal)
	for event, payload := range map[string]string{
		"push":              fmt.Sprintf(`{"before": %q}`, p.base),
		"merge_group":       fmt.Sprintf(`{"merge_group": {"base_sha": %q}}`, p.base),
		"workflow_dispatch": `{"inputs": null, ` + byMain + `}`,
	} {
		t.Run(event, func(t *testing.T) {
			p := p
			p.T = t
			h, env := p.hub("acme/deals", "checks: write")
			got := p.run(p.merge, event, payload, env...)
			if got.status != 1 || len(h.Requests()) > 0 {
				t.Errorf("exit status %d, %v", got.status, h.Requests())
			}
			got = p.run(p.merge, event, payload, append(env, "INPUT_CHECK_RUN", "true")...)
			if runs := h.CheckRuns(p.merge); got.status != 1 || len(runs) != 1 || len(h.Comments(7)) > 0 {
				t.Errorf("exit status %d, %+v\n%s", got.status, runs, got.log)
			}
		})
	}
}

// A file of the amendment's where SARIF is to be written leads nowhere else.
func TestActionSARIFFollowsNoLink(t *testing.T) {
	victim := filepath.Join(t.TempDir(), "victim")
	if err := os.WriteFile(victim, []byte("precious"), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, link := range map[string]string{"r.sarif": victim, "out": filepath.Dir(victim)} {
		p := open(t, func(seller string) error {
			if err := os.Symlink(link, filepath.Join(filepath.Dir(seller), "..", name)); err != nil {
				return err
			}
			return addWithdrawal(seller)
		})
		p.merged("checkout -q amendment", "add .", "commit -q -m link")
		got := p.run(p.merge, "pull_request", p.payload(), "INPUT_SARIF", map[string]string{"r.sarif": "r.sarif", "out": "out/victim"}[name])
		if got.status != 1 || p.read(victim) != "precious" {
			t.Errorf("%s: exit status %d, %q", name, got.status, p.read(victim))
		}
		if wrote := strings.Contains(got.output, "sarif="); wrote != (name == "r.sarif") {
			t.Errorf("%s: %s\n%s", name, got.output, got.log)
		}
	}
}

// A run that is cancelled, whenever that is, tells what it knows and passes nothing.
func TestActionCancelled(t *testing.T) {
	p := open(t, addWithdrawal)
	h, env := p.hub("acme/deals", "pull-requests: write")
	p.run(p.merge, "pull_request", payloadFrom(p, "acme/deals"), env...) // sets the environment and the directory
	before := len(h.Writes())
	for _, after := range []time.Duration{0, 30, 60, 90, 120, 150} {
		for _, name := range []string{"GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT"} {
			if err := os.Remove(os.Getenv(name)); err != nil {
				t.Fatal(err)
			}
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		why := errors.New("the job was cancelled")
		if after == 0 {
			cancel(why)
		}
		timer := time.AfterFunc(after*time.Millisecond, func() { cancel(why) })
		var out bytes.Buffer
		cmd := actionCommand(streams{out: &out, err: &out})
		cmd.SetArgs([]string{})
		err := cmd.ExecuteContext(ctx)
		timer.Stop()
		if summary, outputs := p.read(os.Getenv("GITHUB_STEP_SUMMARY")), p.read(os.Getenv("GITHUB_OUTPUT")); err == nil || summary == "" || !strings.Contains(outputs, "status<<") {
			t.Errorf("after %d ms: %v\n%s\n%s\n%s", after, err, summary, outputs, &out)
		}
		if after == 0 && (len(h.Writes()) > before || !strings.Contains(out.String(), why.Error())) {
			t.Errorf("the pull request was written to, or nobody is told why:\n%s", &out)
		}
	}
}

// A second workflow takes the file of the first one as it is, or not at all.
func TestActionRelays(t *testing.T) {
	p := open(t, addWithdrawal)
	h, env := p.hub(fork, "pull-requests: write")
	dir := t.TempDir()
	file := filepath.Join(dir, action.ResultName)
	first := p.run(p.merge, "pull_request", payloadFrom(p, fork), append(env, "INPUT_RESULT", file)...)
	if first.status != 1 || len(h.Requests()) > 0 || !strings.Contains(first.output, "result="+file+"\n") {
		t.Fatalf("exit status %d, %v\n%s", first.status, h.Requests(), first.output)
	}
	env = append(env, "INPUT_GIVEN", dir)
	whole := p.read(file)
	for what, c := range map[string]struct {
		change func() error
		event  string
		status int
		writes int
	}{
		"cut short":       {func() error { return os.WriteFile(file, []byte(whole[:len(whole)/2]), 0o666) }, following(t, fork, p.head), 2, 0},
		"a link":          {func() error { return linked(file, whole) }, following(t, fork, p.head), 2, 0},
		"a directory":     {func() error { return os.Mkdir(file, 0o777) }, following(t, fork, p.head), 2, 0},
		"a shard":         {func() error { return shardOf(file, whole) }, following(t, fork, p.head), 2, 0},
		"nothing":         {func() error { return nil }, following(t, fork, p.head), 0, 0},
		"another head":    {func() error { return os.WriteFile(file, []byte(whole), 0o666) }, following(t, fork, p.base), 0, 0},
		"another fork":    {func() error { return os.WriteFile(file, []byte(whole), 0o666) }, following(t, "other/deals", p.head), 0, 0},
		"its other fork":  {func() error { return os.WriteFile(file, []byte(whole), 0o666) }, following(t, "stranger/other", p.head), 0, 0},
		"our own branch":  {func() error { return os.WriteFile(file, []byte(whole), 0o666) }, following(t, "acme/deals", p.head), 0, 0},
		"a deleted fork":  {func() error { return os.WriteFile(file, []byte(whole), 0o666) }, following(t, "", p.head), 0, 0},
		"as it should be": {func() error { return os.WriteFile(file, []byte(whole), 0o666) }, following(t, fork, p.head), 0, 1},
	} {
		if err := os.RemoveAll(file); err != nil {
			t.Fatal(err)
		}
		if err := c.change(); err != nil {
			t.Fatal(err)
		}
		before := len(h.Writes())
		got := p.run(p.base, "workflow_run", c.event, env...)
		if wrote := len(h.Writes()) - before; got.status != c.status || (wrote > 0) != (c.writes > 0) || strings.Contains(got.log, "file=sale") {
			t.Errorf("%s: exit status %d, %d writes\n%s", what, got.status, wrote, got.log)
		}
		if what == "our own branch" && !strings.Contains(got.summary, "has told its pull request itself") {
			t.Errorf("%s: %s", what, got.summary)
		}
	}
	if all := h.Comments(7); len(all) != 1 || !strings.Contains(all[0].Body, "own run") {
		t.Errorf("%+v", all)
	}
	for _, r := range h.ReviewComments(7) {
		if r.Line == 0 {
			t.Errorf("a remark without a line: %+v", r)
		}
	}
}

func linked(name, whole string) error {
	other := name + ".other"
	if err := os.WriteFile(other, []byte(whole), 0o666); err != nil {
		return err
	}
	return os.Symlink(other, name)
}

func shardOf(name, whole string) error {
	f, err := result.Read(strings.NewReader(whole))
	if err != nil {
		return err
	}
	f.Shards = 2
	return result.Save(name, f)
}

// Shards tell nobody and gate nothing; their join tells and gates, and fails closed.
func TestActionShards(t *testing.T) {
	p := open(t, addWithdrawal)
	h, env := p.hub("acme/deals", "pull-requests: write")
	dir := t.TempDir()
	plan := p.run(p.merge, "pull_request", payloadFrom(p, "acme/deals"), append(env, "INPUT_SHARD", "plan", "INPUT_TODAY", "2027-03-31")...)
	if plan.status != 0 || !strings.Contains(plan.output, `matrix={"include":[{"shard":1,"of":1}]}`+"\n") || !strings.Contains(plan.output, "today=2027-03-31\n") {
		t.Fatalf("exit status %d\n%s", plan.status, plan.output)
	}
	for _, shard := range []string{"1/2", "2/2"} {
		got := p.run(p.merge, "pull_request", payloadFrom(p, "acme/deals"), append(env, "INPUT_SHARD", shard, "INPUT_RESULT", filepath.Join(dir, shard[:1], "redline.json"))...)
		if got.status != 0 || len(h.Requests()) > 0 || strings.Contains(got.log, "::error") || !strings.Contains(got.output, "part=-shard-"+shard[:1]+"\n") {
			t.Errorf("%s: exit status %d, %v\n%s\n%s", shard, got.status, h.Requests(), got.output, got.log)
		}
	}
	merge := append(slices.Clone(env), "INPUT_SHARD", "merge", "INPUT_GIVEN", dir, "INPUT_RESULT", "")
	if got := p.run(p.merge, "pull_request", payloadFrom(p, "acme/deals"), merge...); got.status != 1 || len(h.Comments(7)) != 1 || !strings.Contains(got.log, "::error") {
		t.Errorf("exit status %d, %+v\n%s", got.status, h.Comments(7), got.log)
	}
	if got := p.run(p.head, "pull_request", payloadFrom(p, "acme/deals"), merge...); got.status != 2 || !strings.Contains(got.log, "the shards reviewed") {
		t.Errorf("of another commit: exit status %d\n%s", got.status, got.log)
	}
	for _, c := range []struct{ gone, says string }{{"2", "shard 2 of 2 is missing"}, {"1", "no shard has left"}} {
		if err := os.RemoveAll(filepath.Join(dir, c.gone)); err != nil {
			t.Fatal(err)
		}
		got := p.run(p.merge, "pull_request", payloadFrom(p, "acme/deals"), append(merge, "INPUT_FAIL_ON", "never")...)
		if got.status != 2 || !strings.Contains(got.summary, c.says) {
			t.Errorf("without %s: exit status %d\n%s", c.gone, got.status, got.summary)
		}
	}
}

// A verdict that an earlier run kept is told as such.
func TestActionCache(t *testing.T) {
	p := open(t, addWithdrawal)
	dir := t.TempDir()
	for i, want := range []string{"verdicts=new\n", ""} {
		got := p.run(p.merge, "pull_request", p.payload(), "INPUT_CACHE", dir)
		if got.status != 1 || strings.Contains(got.output, "verdicts=new\n") != (want != "") {
			t.Errorf("run %d: exit status %d\n%s", i+1, got.status, got.output)
		}
	}
}
