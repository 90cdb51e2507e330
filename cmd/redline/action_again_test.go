package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/redlinehq/redline/report/github/githubtest"
)

// alices is a Hub on which alice has opened the pull request.
func (p pull) alices(from string) (*githubtest.Hub, []string) {
	hub, env := p.hub(from, "pull-requests: write")
	hub.Open(githubtest.Pull{Number: 7, Author: "alice", Files: changed(p),
		Head: githubtest.Side{SHA: p.head, Ref: "amendment", Repository: from}, Base: githubtest.Side{SHA: p.base, Ref: "main"}})
	hub.Grant("alice", "write")
	hub.Grant("bob", "write")
	hub.Branch("main", p.base)
	return hub, env
}

// A merge of this head with another base was not made by GitHub, even though its parents look alike.
func TestActionReviewsOnlyItsOwnMergeCommit(t *testing.T) {
	p := open(t, addWithdrawal)
	p.git("checkout -q -B forged amendment~1")
	if err := addWithdrawal(filepath.Join(p.origin, "sale", "seller.contract.hcl")); err != nil {
		t.Fatal(err)
	}
	p.git("commit -q -a -m forged", "merge -q -s ours --no-ff -m merge amendment")
	forged := p.commit()
	p.sha = p.merge
	if got := p.run(forged, "pull_request", p.payload()); got.status != 2 || !strings.Contains(got.log, "is neither the commit that this run is for") {
		t.Errorf("exit status %d\n%s", got.status, got.log)
	}
}

// A run that is repeated says whether base has moved on since.
func TestActionRepeated(t *testing.T) {
	p := open(t, addWithdrawal)
	hub, env := p.alices("acme/deals")
	env = append(env, "GITHUB_RUN_ATTEMPT", "2")
	for says, do := range map[string]func(){
		"": func() {}, "and main is at aaaaaaa now": func() { hub.Branch("main", strings.Repeat("a", 40)) },
	} {
		do()
		got := p.run(p.merge, "pull_request", payloadFrom(p, "acme/deals"), env...)
		if got.status != 1 || !strings.Contains(got.log, says) || strings.Contains(got.log, "This run is repeated") != (says != "") {
			t.Errorf("%q: exit status %d\n%s", says, got.status, got.log)
		}
		hub.Branch("main", p.base)
	}
}

// After a review the gate's run is repeated, from a fork by the workflow that follows.
func TestActionAfterAReview(t *testing.T) {
	p := open(t, addWithdrawal)
	review := func(state, by, from string) string {
		return strings.TrimSuffix(payloadFrom(p, from), "}") + fmt.Sprintf(`,"review": {"state": %q, "user": {"type": %q}}}`, state, by)
	}
	follows := strings.Replace(strings.Replace(following(t, "stranger/deals", p.head), `"event":"pull_request"`, `"event":"pull_request_review"`, 1), "failure", "success", 1)
	for what, c := range map[string]struct {
		event, payload, from string
		workflow             string
		status               int
		repeated             bool
		says                 string
	}{
		"approved":         {"pull_request_review", review("approved", "User", "acme/deals"), "acme/deals", "", 0, true, "is repeated"},
		"changes":          {"pull_request_review", review("changes_requested", "User", "acme/deals"), "acme/deals", "", 0, true, "is repeated"},
		"dismissed":        {"pull_request_review", review("dismissed", "User", "acme/deals"), "acme/deals", "", 0, true, "is repeated"},
		"commented":        {"pull_request_review", review("commented", "User", "acme/deals"), "acme/deals", "", 0, false, "nothing to do"},
		"a bot":            {"pull_request_review", review("approved", "Bot", "acme/deals"), "acme/deals", "", 0, false, "nothing to do"},
		"a fork":           {"pull_request_review", review("approved", "User", "stranger/deals"), "stranger/deals", "", 0, false, "A workflow on workflow_run does"},
		"after a fork's":   {"workflow_run", follows, "stranger/deals", "", 0, true, "is repeated"},
		"another workflow": {"pull_request_review", review("approved", "User", "acme/deals"), "acme/deals", "other.yml", 2, false, "there is no run of other.yml"},
		"no workflow":      {"pull_request_review", review("approved", "User", "acme/deals"), "acme/deals", "../x.yml", 2, false, "not the file name of a workflow"},
	} {
		hub, env := p.alices(c.from)
		hub.Allow(jobToken, githubtest.Job("actions: write", "contents: read", "pull-requests: read"))
		hub.Ran(githubtest.Run{ID: 5, Number: 5, Attempt: 1, Workflow: "redline.yml", Event: "pull_request", Head: p.head, Branch: "amendment", Repository: c.from, Status: "completed"})
		got := p.run(p.base, c.event, c.payload, append(env, "INPUT_WORKFLOW", c.workflow)...)
		if got.status != c.status || !strings.Contains(got.log, c.says) || (hub.Runs(p.head)[0].Attempt == 2) != c.repeated {
			t.Errorf("%s: exit status %d, runs %+v\n%s", what, got.status, hub.Runs(p.head), got.log)
		}
		if len(hub.Comments(7)) > 0 {
			t.Errorf("%s: %+v", what, hub.Comments(7))
		}
	}
}
