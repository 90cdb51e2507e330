package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/redlinehq/redline/cmd/redline/action"
	"github.com/redlinehq/redline/report/github/githubtest"
)

var promised = regexp.MustCompile(`(?s)requirement "discharge" \{.*?\n\}\n`)

// dropping takes a promise of the sale away and puts a block in its place.
func dropping(block string) func(string) error {
	return func(seller string) error {
		name := filepath.Join(filepath.Dir(seller), "sale.contract.hcl")
		raw, err := os.ReadFile(name)
		if err == nil && !promised.Match(raw) {
			err = fmt.Errorf("the sale has no such promise")
		}
		if err != nil {
			return err
		}
		return os.WriteFile(name, []byte(promised.ReplaceAllString(string(raw), "")+block), 0o666)
	}
}

// givenUp is a pull request of alice's, number 7, that takes a promise away and gives it up with a retire: all rests on who approves. Base
// is given what others has besides.
func givenUp(t *testing.T, others func(top string) error) pull {
	t.Helper()
	readDigest.Do(func() {
		p := open(t, dropping(""))
		if found := digest.FindStringSubmatch(p.run(p.merge, "pull_request", p.payload()).summary); found != nil {
			discharge = found[1]
		}
	})
	if discharge == "" {
		t.Fatal("the review names no digest by which the promise could be given up")
	}
	return openBeside(t, others, dropping("\nretire \"discharge\" {\n  digest = \""+discharge+"\"\n  reason = \"Agreed on 3 March.\"\n}\n"))
}

// discharge is the digest by which the promise can be given up, as a review names it.
var (
	discharge  string
	readDigest sync.Once
	digest     = regexp.MustCompile(`digest *= "(sha256:[0-9a-f]{64})"`)
)

// What an amendment accepts for itself counts once a person who may has approved it, for as long as that is so.
func TestActionApprovals(t *testing.T) {
	p := givenUp(t, nil)
	for _, from := range []string{"acme/deals", "stranger/deals"} {
		hub, env := p.alices(from)
		gate := func(what string, status int, says string) {
			t.Helper()
			got := p.run(p.merge, "pull_request", payloadFrom(p, from), env...)
			if got.status != status || !strings.Contains(strings.ReplaceAll(got.summary, "\u200b", ""), says) {
				t.Errorf("%s, from %s: exit status %d, and no %q in\n%s", what, from, got.status, says, got.summary)
			}
			for _, c := range hub.Comments(7) {
				if !strings.Contains(strings.ReplaceAll(c.Body, "\u200b", ""), says) {
					t.Errorf("%s: the comment lacks %q:\n%s", what, says, c.Body)
				}
			}
		}
		gate("nobody", 1, fmt.Sprintf("on commit %.7s", p.head))
		hub.Review(7, "alice", "APPROVE", "")
		gate("the author", 1, "alice has opened the pull request")
		hub.Review(7, "mallory", "APPROVE", "")
		gate("a stranger", 1, "mallory may not write")
		hub.Review(7, "bob", "COMMENT", "")
		gate("a comment", 1, "not yet approved")
		approval := hub.Review(7, "bob", "APPROVE", "")
		gate("approved", 0, fmt.Sprintf("on commit %.7s", p.head))
		hub.Review(7, "bob", "COMMENT", "")
		gate("commented since", 0, "")
		hub.Dismiss(approval.ID)
		gate("dismissed", 1, "not yet approved")
		hub.Review(7, "bob", "REQUEST_CHANGES", "")
		gate("changes wanted", 1, "bob has asked for changes")
		hub.Review(7, "bob", "APPROVE", strings.Repeat("a", 40))
		gate("of an older commit", 1, "bob approved commit")
		if n := len(hub.Comments(7)); (n == 1) != (from == "acme/deals") {
			t.Errorf("from %s: %d comments", from, n)
		}
	}
}

// Base says who may approve, and the amendment does not: neither by settings nor by CODEOWNERS of its own.
func TestActionApprovers(t *testing.T) {
	write := func(name, text string) func(string) error {
		return func(top string) error {
			if err := os.MkdirAll(filepath.Dir(filepath.Join(top, name)), 0o777); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(top, name), []byte(text), 0o666)
		}
	}
	for what, c := range map[string]struct {
		base   func(string) error
		status int
		says   string
	}{
		"CODEOWNERS names him":           {write("CODEOWNERS", "* @carol\n/sale/ @bob\n"), 0, "bob"},
		"CODEOWNERS names another":       {write(".github/CODEOWNERS", "* @bob\n/sale/ @carol\n"), 1, "carol"},
		"CODEOWNERS names a team":        {write("CODEOWNERS", "* @acme/legal\n"), 1, "Members: read"},
		"settings name him":              {write(".github/redline.hcl", `approvers = ["sale @bob"]`), 0, "bob"},
		"settings name another":          {write(".github/redline.hcl", `approvers = ["sale @carol"]`), 1, "carol"},
		"base only":                      {write(".github/redline.hcl", `acceptance = "base"`), 1, ""},
		"whatever the amendment accepts": {write(".github/redline.hcl", `acceptance = "amendment"`), 0, ""},
	} {
		p := givenUp(t, c.base)
		approved := func(lead string) {
			hub, env := p.alices("acme/deals")
			hub.Review(7, "bob", "APPROVE", "")
			got := p.run(p.merge, "pull_request", payloadFrom(p, "acme/deals"), env...)
			if got.status != c.status || !strings.Contains(got.summary, c.says) {
				t.Errorf("%s%s: exit status %d\n%s", what, lead, got.status, got.summary)
			}
		}
		approved("")
		if c.status == 0 {
			continue
		}
		p.git("checkout -q amendment") // the amendment names him itself
		for name, text := range map[string]string{".github/CODEOWNERS": "* @bob\n", "CODEOWNERS": "* @bob\n", ".github/redline.hcl": "acceptance = \"amendment\"\napprovers = [\"** @bob\"]\n"} {
			if err := write(name, text)(p.origin); err != nil {
				t.Fatal(err)
			}
		}
		p.merged("add .", "commit -q -m owners")
		approved(", and the amendment names him")
	}
}

// In a merge queue an approval counts for what was approved. Without GitHub's word nothing counts.
func TestActionApprovalsInAMergeQueue(t *testing.T) {
	p := givenUp(t, nil)
	group := func(number int, branch string) string {
		return fmt.Sprintf(`{"merge_group": {"base_sha": %q, "base_ref": "refs/heads/main", "head_ref": "refs/heads/gh-readonly-queue/%s/pr-%d-%s"}}`, p.base, branch, number, p.base)
	}
	p.git("checkout -q -B other merge")
	if err := addWithdrawal(filepath.Join(p.origin, "sale", "seller.contract.hcl")); err != nil {
		t.Fatal(err)
	}
	p.git("commit -q -a -m other")
	other := p.commit()
	for what, c := range map[string]struct {
		checkout, event, payload string
		token                    string
		status                   int
		says                     string
	}{
		"approved":             {p.merge, "merge_group", group(7, "main"), jobToken, 0, "bob"},
		"another meaning":      {other, "merge_group", group(7, "main"), jobToken, 1, "means something else"},
		"another pull request": {p.merge, "merge_group", group(8, "main"), jobToken, 1, "could not be read"},
		"another branch":       {p.merge, "merge_group", group(7, "trunk"), jobToken, 1, "no pull request that is known"},
		"without a token":      {p.merge, "merge_group", group(7, "main"), "", 1, "there is no token"},
		"pushed":               {p.merge, "push", fmt.Sprintf(`{"before": %q}`, p.base), jobToken, 1, "was pushed without a pull request"},
		"merged":               {p.merge, "push", fmt.Sprintf(`{"before": %q}`, p.base), "merged", 0, "bob"},
		"merged with more":     {other, "push", fmt.Sprintf(`{"before": %q}`, p.base), "merged", 1, "means something else"},
		"merged elsewhere":     {p.merge, "push", fmt.Sprintf(`{"before": %q}`, p.base), "elsewhere", 1, "was pushed without a pull request"},
		"closed":               {p.merge, "push", fmt.Sprintf(`{"before": %q}`, p.base), "closed", 1, "was pushed without a pull request"},
		"merged by two":        {p.merge, "push", fmt.Sprintf(`{"before": %q}`, p.base), "two", 1, "several pull requests"},
	} {
		hub, env := p.alices("acme/deals")
		hub.Review(7, "bob", "APPROVE", "")
		if c.token != "" && c.token != jobToken {
			base := githubtest.Side{SHA: p.base, Ref: map[bool]string{true: "trunk", false: "main"}[c.token == "elsewhere"]}
			one := githubtest.Pull{Number: 7, Author: "alice", State: "closed", Merged: c.token != "closed", MergedAs: c.checkout,
				Head: githubtest.Side{SHA: p.head, Ref: "amendment", Repository: "acme/deals"}, Base: base}
			hub.Open(one)
			if one.Number = 9; c.token == "two" {
				hub.Open(one)
			}
			c.token = jobToken
		}
		got := p.run(c.checkout, c.event, c.payload, append(env, "INPUT_TOKEN", c.token)...)
		if got.status != c.status || !strings.Contains(got.summary, c.says) {
			t.Errorf("%s: exit status %d, and no %q in\n%s", what, got.status, c.says, got.summary)
		}
	}
}

// What a fork's run says of approvals is not repeated: the workflow that follows asks GitHub itself.
func TestActionRelaysNoApproval(t *testing.T) {
	p := givenUp(t, nil)
	hub, env := p.alices("stranger/deals")
	given := t.TempDir()
	env = append(env, "INPUT_RESULT", filepath.Join(given, action.ResultName), "INPUT_GIVEN", given)
	approval := hub.Review(7, "bob", "APPROVE", "")
	if got := p.run(p.merge, "pull_request", payloadFrom(p, "stranger/deals"), env...); got.status != 0 {
		t.Fatalf("exit status %d\n%s", got.status, got.log)
	}
	for _, says := range []string{"Approved by", "not yet approved"} {
		got := p.run(p.base, "workflow_run", following(t, "stranger/deals", p.head), env...)
		if all := hub.Comments(7); len(all) != 1 || !strings.Contains(all[0].Body, says) {
			t.Errorf("%q: %+v\n%s", says, all, got.log)
		}
		hub.Dismiss(approval.ID)
	}
}

// Whose acceptance counts is for base's settings to say, also where the run of a fork is followed. Where no approval counts, none is said to be missing.
func TestActionLetsNoApprovalCount(t *testing.T) {
	p := givenUp(t, func(top string) error {
		if err := os.MkdirAll(filepath.Join(top, ".github"), 0o777); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(top, ".github", "redline.hcl"), []byte("acceptance = \"base\"\n"), 0o666)
	})
	hub, env := p.alices("stranger/deals")
	given := t.TempDir()
	env = append(env, "INPUT_RESULT", filepath.Join(given, action.ResultName), "INPUT_GIVEN", given)
	hub.Review(7, "bob", "APPROVE", "")
	const says = "it counts once base has it: merge it first, by itself"
	if got := p.run(p.merge, "pull_request", payloadFrom(p, "stranger/deals"), env...); !strings.Contains(got.summary, says) || strings.Contains(got.summary, "pproved") {
		t.Errorf("exit status %d\n%s", got.status, got.summary)
	}
	got := p.run(p.base, "workflow_run", following(t, "stranger/deals", p.head), env...)
	if all := hub.Comments(7); len(all) != 1 || !strings.Contains(all[0].Body, says) || strings.Contains(all[0].Body, "pproved") {
		t.Errorf("%+v\n%s", all, got.log)
	}
}

// An amendment that only makes later reviews less strict says so, and is approved like anything else that it accepts.
func TestActionLoosened(t *testing.T) {
	p := givenUp(t, nil)
	p.git("checkout -q -B amendment main")
	if err := os.MkdirAll(filepath.Join(p.origin, ".github"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(p.origin, ".github", "redline.hcl"), []byte("acceptance = \"amendment\"\nfail-on = \"never\"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	p.merged("add .", "commit -q -m loose")
	hub, env := p.alices("acme/deals")
	gate := func(status int, says ...string) {
		t.Helper()
		got := p.run(p.merge, "pull_request", payloadFrom(p, "acme/deals"), env...)
		for _, s := range says {
			if got.status != status || !strings.Contains(got.summary, s) {
				t.Errorf("exit status %d, and no %q in\n%s", got.status, s, got.summary)
			}
		}
	}
	gate(1, "changes how later ones are judged, not yet approved", "`fail-on` was \"new\", now \"never\"", "`acceptance` was not set, now \"amendment\"")
	hub.Review(7, "bob", "APPROVE", "")
	gate(0, "but changes how later ones are judged", "Approved by")
	if got := p.run(p.merge, "push", fmt.Sprintf(`{"before": %q}`, p.base), env...); got.status != 0 || strings.Contains(got.summary, "how later ones are judged") {
		t.Errorf("pushed, and judged by its own settings: exit status %d\n%s", got.status, got.summary)
	}
}

// Where base accepts something and its settings say of nobody whether that counts, what an amendment accepts for itself still does, and a notice says so.
func TestActionUpgrade(t *testing.T) {
	const known = "requirement \"known\" {\n  ctl = \"AG seller.S0\"\n  waiver {\n    reason = \"Known.\"\n    approver = \"R. Roe\"\n    run = \"sha256:"
	for settings, status := range map[string]int{"": 0, "acceptance = \"base\"\n": 1, "acceptance = \"approved\"\n": 1} {
		p := givenUp(t, func(top string) error {
			name := filepath.Join(top, "sale", "sale.contract.hcl")
			raw, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			if err := os.WriteFile(name, append(raw, known+strings.Repeat("0", 64)+"\"\n  }\n}\n"...), 0o666); err != nil || settings == "" {
				return err
			}
			if err := os.MkdirAll(filepath.Join(top, ".github"), 0o777); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(top, ".github", "redline.hcl"), []byte(settings), 0o666)
		})
		_, env := p.alices("acme/deals")
		got := p.run(p.merge, "pull_request", payloadFrom(p, "acme/deals"), env...)
		if noticed := strings.Contains(got.log, "In this release what an amendment accepts"); got.status != status || noticed != (status == 0) {
			t.Errorf("%q: exit status %d, noticed %t\n%s", settings, got.status, noticed, got.log)
		}
	}
}
