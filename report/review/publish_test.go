package review

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/github"
	"github.com/redlinehq/redline/report/github/githubtest"
)

// pullRequestOn has a pull request with these files on a Hub.
func pullRequestOn(t *testing.T, files []github.File, permissions ...string) (*githubtest.Hub, *github.Client) {
	t.Helper()
	hub := githubtest.Start(t, "acme/deals")
	var all []githubtest.File
	for _, f := range files {
		all = append(all, githubtest.File{Path: f.Path, Status: f.Status, Patch: f.Patch})
	}
	hub.Open(githubtest.Pull{Number: 7, Head: githubtest.Side{SHA: sha1st, Ref: "amendment", Repository: "acme/deals"},
		Base: githubtest.Side{SHA: strings.Repeat("b", 40), Ref: "main", Repository: "acme/deals"}, Files: all})
	hub.Allow("token", githubtest.Job(permissions...))
	client, err := github.New(github.Config{API: hub.URL, Token: "token", Repository: "acme/deals", Wait: hub.Wait})
	if err != nil {
		t.Fatal(err)
	}
	return hub, client
}

func TestPublish(t *testing.T) {
	plain, broken := sale(t), sale(t, withdraw)
	hub, client := pullRequestOn(t, changed(plain, broken), "pull-requests: write", "contents: write")
	one := telling(t, plain, broken, sha1st, 1)
	if errs := Publish(t.Context(), client, one); errs != nil {
		t.Fatal(errs)
	}
	want := []string{"POST /repos/acme/deals/issues/7/comments", "POST /repos/acme/deals/pulls/7/reviews"}
	if got := hub.Writes(); !slices.Equal(got, want) {
		t.Errorf("written: %q", got)
	}
	settled := sale(t, promise2)
	hub.Push(7, sha2nd, []githubtest.File{{Path: "sale/sale.contract.hcl", Patch: changed(plain, settled)[0].Patch}})
	if errs := Publish(t.Context(), client, telling(t, plain, settled, sha2nd, 2)); errs != nil {
		t.Fatal(errs)
	}
	for _, c := range hub.ReviewComments(7) {
		if !c.Resolved || !strings.Contains(c.Body, "**Repaired**, as of "+sha2nd) {
			t.Errorf("resolved %v: %s", c.Resolved, c.Body)
		}
	}
	hub.Push(7, sha3rd, []githubtest.File{{Path: "sale/seller.contract.hcl", Patch: changed(plain, broken)[0].Patch}})
	if errs := Publish(t.Context(), client, telling(t, plain, broken, sha3rd, 3)); errs != nil {
		t.Fatal(errs)
	}
	for _, c := range hub.ReviewComments(7) {
		if c.Resolved || !strings.Contains(c.Body, "**This has come back**, as of "+sha3rd) {
			t.Errorf("resolved %v: %s", c.Resolved, c.Body)
		}
	}
	if n, m := len(hub.Comments(7)), len(hub.ReviewComments(7)); n != 1 || m != 2 {
		t.Errorf("%d comments, %d remarks", n, m)
	}
}

// A token that may not write is told of once, and where the review is.
func TestTokenMayNotWrite(t *testing.T) {
	plain, broken := sale(t), sale(t, withdraw)
	hub, client := pullRequestOn(t, changed(plain, broken), "contents: read")
	errs := Publish(t.Context(), client, telling(t, plain, broken, sha1st, 1))
	if len(errs) != 1 || !errors.As(errs[0], new(github.Forbidden)) || !strings.Contains(errs[0].Error(), "pull-requests: write") || !strings.Contains(errs[0].Error(), runPage+"1") {
		t.Errorf("%v", errs)
	}
	if n := len(hub.Writes()); n != 1 {
		t.Errorf("tried %q", hub.Writes())
	}
}

// A token that may not resolve threads says it in words.
func TestTokenMayNotResolve(t *testing.T) {
	plain, broken := sale(t), sale(t, withdraw)
	hub, client := pullRequestOn(t, changed(plain, broken), "pull-requests: write")
	if errs := Publish(t.Context(), client, telling(t, plain, broken, sha1st, 1)); errs != nil {
		t.Fatal(errs)
	}
	hub.Push(7, sha2nd, nil)
	if errs := Publish(t.Context(), client, telling(t, plain, plain, sha2nd, 2)); errs != nil {
		t.Error(errs)
	}
	for _, c := range hub.ReviewComments(7) {
		if c.Resolved || !strings.Contains(c.Body, "No longer brought about") {
			t.Errorf("resolved %v: %s", c.Resolved, c.Body)
		}
	}
	mutations := 0
	for _, r := range hub.Requests() {
		if strings.Contains(r.Body, "mutation") {
			mutations++
		}
	}
	if mutations != 1 {
		t.Errorf("%d tries to resolve", mutations)
	}
}

// GitHub sees another diff than the one it listed: one bad line refuses all, so each is tried alone, then at the file, then left to
// the summary.
func TestRefusedLines(t *testing.T) {
	plain, broken := sale(t), sale(t, withdraw)
	for name, c := range map[string]struct {
		files        []githubtest.File // at the first refusal
		line, atFile int
		said         string
	}{
		"another diff": {[]githubtest.File{{Path: "sale/seller.contract.hcl", Patch: "@@ -1 +1 @@\n x"}}, 0, 2, ""},
		"another file": {[]githubtest.File{{Path: "README.md", Patch: "@@ -1 +1 @@\n x"}}, 0, 0, "No remark at a line, because the pull request does not touch the lines they are about: `goods-not-withdrawn` of `sale`, `accept-only-available` of `sale`."},
	} {
		t.Run(name, func(t *testing.T) {
			hub, client := pullRequestOn(t, changed(plain, broken), "pull-requests: write")
			hub.Meanwhile(5, func(h *githubtest.Hub) { h.ForcePush(7, sha1st, c.files) }) // after the files were listed
			if errs := Publish(t.Context(), client, telling(t, plain, broken, sha1st, 1)); errs != nil {
				t.Error(errs)
			}
			line, atFile := 0, 0
			for _, r := range hub.ReviewComments(7) {
				if r.Side == "" {
					atFile++
				} else {
					line++
				}
			}
			if line != c.line || atFile != c.atFile {
				t.Errorf("%d at lines, %d at files", line, atFile)
			}
			if all := hub.Comments(7); len(all) != 1 || !strings.Contains(all[0].Body, c.said) {
				t.Errorf("summary %+v", all)
			}
		})
	}
}

// A pull request that is closed, or pushed to, while it is told is left alone from then on.
func TestUnderOurFeet(t *testing.T) {
	plain, broken := sale(t), sale(t, withdraw)
	for name, do := range map[string]func(*githubtest.Hub){
		"closed": func(h *githubtest.Hub) { h.Close(7) },
		"pushed": func(h *githubtest.Hub) { h.ForcePush(7, sha2nd, nil) },
	} {
		hub, client := pullRequestOn(t, changed(plain, broken), "pull-requests: write")
		hub.Meanwhile(3, do)
		errs := Publish(t.Context(), client, telling(t, plain, broken, sha1st, 1))
		if len(errs) != 1 || !strings.Contains(errs[0].Error(), "nothing was written") || len(hub.Writes()) != 0 {
			t.Errorf("%s: %v, and %q", name, errs, hub.Writes())
		}
	}
}

func TestServerIsDown(t *testing.T) {
	plain, broken := sale(t), sale(t, withdraw)
	hub, client := pullRequestOn(t, changed(plain, broken), "pull-requests: write")
	hub.Next(slices.Repeat([]githubtest.Fault{githubtest.BadGateway}, 200)...)
	errs := Publish(t.Context(), client, telling(t, plain, broken, sha1st, 1))
	if len(errs) != 1 || !strings.Contains(errs[0].Error(), runPage+"1") {
		t.Errorf("%v", errs)
	}
}

// Somebody has answered the younger of two remarks: it is folded, and nothing is lost.
func TestAnsweredDuplicate(t *testing.T) {
	plain, broken := sale(t), sale(t, withdraw)
	hub, client := pullRequestOn(t, changed(plain, broken), "pull-requests: write")
	one := telling(t, plain, broken, sha1st, 1)
	if errs := Publish(t.Context(), client, one); errs != nil {
		t.Fatal(errs)
	}
	first := hub.ReviewComments(7)[0]
	twin := hub.SayAt(7, robot, first.Path, first.Line, first.Body)
	hub.Reply(twin.ID, "alice", "Why twice?")
	if errs := Publish(t.Context(), client, one); errs != nil {
		t.Fatal(errs)
	}
	for _, c := range hub.ReviewComments(7) {
		if c.Minimized != (c.ID == twin.ID) {
			t.Errorf("%d is folded: %v", c.ID, c.Minimized)
		}
	}
}

func TestPublishChecks(t *testing.T) {
	plain, broken := sale(t), sale(t, withdraw)
	hub, client := pullRequestOn(t, changed(plain, broken), "checks: write", "statuses: write")
	r := compareTrees(t, plain, broken)
	c := &Checks{Commit: sha1st, Run: Run{id: 5, number: 1, Attempt: 1, url: runPage + "5"}, Plan: DraftReview(r, finding.FailNew), Review: r, Merged: broken, Head: broken, CheckRun: true, Status: true}
	c.Plan.Annotations = slices.Repeat([]Annotation{{Level: Error, title: strings.Repeat("t", 300), message: "m", File: "sale/seller.contract.hcl", line: 47, endLine: 48}}, 120)
	hub.Next(githubtest.None, githubtest.BadGatewayAfter)
	if errs := PublishChecks(t.Context(), client, c); errs != nil {
		t.Fatal(errs)
	}
	runs := hub.CheckRuns(sha1st)
	if len(runs) != 1 || runs[0].Conclusion != "failure" || len(runs[0].Annotations) != 120 || runs[0].Title != "✗ redline: the amendment breaks 2 promises" || !strings.Contains(runs[0].Summary, "goods-not-withdrawn") {
		t.Errorf("%d check runs; the first: %.400s", len(runs), fmt.Sprint(runs))
	}
	if a := runs[0].Annotations[119]; a.Level != "failure" || a.StartLine != 47 || a.EndLine != 48 || len([]rune(a.Title)) != 255 {
		t.Errorf("annotation %+v", a)
	}
	all := hub.Statuses(sha1st)
	if len(all) != 1 || all[0].Context != "redline/sale" || all[0].State != "failure" || all[0].Description != "2 new" || all[0].URL != runPage+"5" {
		t.Errorf("statuses %+v", all)
	}
	if errs := PublishChecks(t.Context(), client, c); errs != nil || len(hub.CheckRuns(sha1st)) != 1 || len(hub.CheckRuns(sha1st)[0].Annotations) != 120 {
		t.Errorf("again: %v", errs)
	}

	hub.Allow("token", githubtest.Job("contents: read"))
	errs := PublishChecks(t.Context(), client, c)
	if len(errs) != 2 || !strings.Contains(errs[0].Error(), "checks: write") || !strings.Contains(errs[1].Error(), "statuses: write") {
		t.Errorf("%v", errs)
	}
}

func TestStatuses(t *testing.T) {
	r := &finding.Review{}
	for i := range 30 {
		c := finding.ContractReview{Path: "deals/@" + strings.Repeat(" ", i) + "x", Status: finding.Changed, Head: &finding.Result{}}
		if i > 27 {
			c.Path = strings.Repeat("x", 300) + fmt.Sprint(i)
			c.Findings = []finding.Finding{{Kind: finding.New, Name: "r", Head: &finding.Requirement{Verdict: finding.Violated}}}
		}
		r.Contracts = append(r.Contracts, c)
	}
	r.Contracts = append(r.Contracts, finding.ContractReview{Path: "same"})
	all := draftStatuses(&Checks{Review: r})
	names := map[string]bool{}
	for _, s := range all {
		if names[s.context] || len(s.context) > 120 || len(s.description) > 140 || strings.ContainsAny(s.context, "@\n") {
			t.Errorf("%+v", s)
		}
		names[s.context] = true
	}
	if len(all) != mostStatuses+1 || all[0].state != "failure" || all[2].context != "redline/deals/-x" || all[2].state != "success" || all[mostStatuses].description != "10 more contracts; the job's summary names them" {
		t.Errorf("%d: %+v", len(all), all)
	}
	if got := draftStatuses(&Checks{}); len(got) != 1 || got[0].state != "error" {
		t.Errorf("%+v", got)
	}
}

// An annotation stands at head's line; where that is not known, it says so.
func TestCheckRunLines(t *testing.T) {
	head, merged := treeOf("a/a.contract.hcl", "party \"a\" {\n}\n"), treeOf("a/a.contract.hcl", "# base\nparty \"a\" {\n}\nparty \"b\" {\n}\n")
	c := &Checks{Merged: merged, Head: head, Plan: Plan{Status: finding.OutOfLimit, Summary: "## ? redline: x\n", Annotations: []Annotation{
		{File: "a/a.contract.hcl", line: 2, endLine: 2, message: "m"}, {File: "a/a.contract.hcl", line: 4, endLine: 4, message: "m"}, {message: "of no file"}, {File: "../x", message: "m"}}}}
	r := draftCheckRun(c)
	if r.Conclusion != "failure" || r.Title != "? redline: x" || len(r.Annotations) != 2 {
		t.Fatalf("%+v", r)
	}
	if a, b := r.Annotations[0], r.Annotations[1]; a.StartLine != 1 || b.StartLine != 1 || a.Message != "m" || b.Message != "m\n(line 4 of the merge with the base)" {
		t.Errorf("%+v", r.Annotations)
	}
	c.Plan.Annotations = slices.Repeat(c.Plan.Annotations[:1], mostAnnotated+1)
	if r := draftCheckRun(c); len(r.Annotations) != mostAnnotated || !strings.Contains(r.Text, "first 500") {
		t.Errorf("%d annotations, %q", len(r.Annotations), r.Text)
	}
}

// A request of unknown fate is looked for before it is repeated: whatever became of it, everything is said once.
func TestUnknownFate(t *testing.T) {
	plain, broken := sale(t), sale(t, withdraw)
	one := telling(t, plain, broken, sha1st, 1)
	for _, fault := range []githubtest.Fault{githubtest.BadGateway, githubtest.BadGatewayAfter, githubtest.Dropped, githubtest.DroppedAfter, githubtest.HalfAnswer, githubtest.NotJSON} {
		for at := range 2 { // the summary, the remarks
			hub, client := pullRequestOn(t, changed(plain, broken), "pull-requests: write")
			hub.Next(slices.Concat(slices.Repeat([]githubtest.Fault{githubtest.None}, 5+at), []githubtest.Fault{fault})...)
			if errs := Publish(t.Context(), client, one); errs != nil {
				t.Errorf("%s at %d: %v", fault, at, errs)
			}
			writes := map[bool]int{true: 2, false: 3}[fault.Carried()]
			if n, m, w := len(hub.Comments(7)), len(hub.ReviewComments(7)), hub.Writes(); n != 1 || m != 2 || len(w) != writes {
				t.Errorf("%s at %d: %d comments, %d remarks, by %q", fault, at, n, m, w)
			}
		}
	}
}

// A token of which GitHub does not say whose it is finds what it wrote: one summary, however many runs.
func TestHiddenIdentity(t *testing.T) {
	plain, broken := sale(t), sale(t, withdraw)
	hub, client := pullRequestOn(t, changed(plain, broken))
	app := githubtest.App("deals-robot", "pull-requests: write")
	app.Hidden = true
	hub.Allow("token", app)
	forged := hub.Say(7, "mallory", summaryMarker{sha1st, 99, 1}.String()+"all is well")
	for run := 1; run <= 3; run++ {
		if errs := Publish(t.Context(), client, telling(t, plain, broken, sha1st, run)); errs != nil {
			t.Fatal(errs)
		}
	}
	all, remarks := hub.Comments(7), hub.ReviewComments(7)
	if len(all) != 2 || all[0].Body != forged.Body || all[1].Author != "deals-robot[bot]" || !strings.Contains(all[1].Body, "run=3.1") || len(remarks) != 2 {
		t.Errorf("%d comments, %d remarks: %.200v", len(all), len(remarks), all)
	}

	hub.Say(7, "another[bot]", summaryMarker{sha1st, 1, 1}.String()+"hello")
	before := len(hub.Writes())
	errs := Publish(t.Context(), client, telling(t, plain, broken, sha1st, 4))
	if len(errs) != 1 || !strings.Contains(errs[0].Error(), "several apps") || len(hub.Writes()) != before {
		t.Errorf("%v, %q", errs, hub.Writes()[before:])
	}
}

// A list still shows the older of two summaries, and of two remarks, that somebody has just removed: the younger ones are not removed for their sake.
func TestLastOneStays(t *testing.T) {
	plain, broken := sale(t), sale(t, withdraw)
	hub, client := pullRequestOn(t, changed(plain, broken), "pull-requests: write")
	hub.Allow("alice", githubtest.Person("alice"))
	one := telling(t, plain, broken, sha1st, 1)
	older := hub.Say(7, robot, summaryMarker{sha1st, 1, 1}.String()+"older")
	said := remarkMarker{charges(one.Review)[0].identity.String(), "open", ""}.String()
	remark := hub.SayAt(7, robot, "sale/seller.contract.hcl", 1, said+"older")
	if errs := Publish(t.Context(), client, one); errs != nil {
		t.Fatal(errs)
	}
	younger := hub.Say(7, robot, hub.Comments(7)[0].Body)
	youngerRemark := hub.SayAt(7, robot, "sale/seller.contract.hcl", 1, hub.ReviewComments(7)[0].Body)
	_ = hub.Wait(t.Context(), settle)
	for _, path := range []string{fmt.Sprint("issues/comments/", older.ID), fmt.Sprint("pulls/comments/", remark.ID)} {
		r := httptest.NewRequest(http.MethodDelete, "/repos/acme/deals/"+path, nil)
		r.Header.Set("Authorization", "Bearer alice")
		hub.ServeHTTP(httptest.NewRecorder(), r)
	}
	hub.Faults = func(int) githubtest.Fault { return githubtest.StaleRows }
	if errs := Publish(t.Context(), client, one); errs != nil {
		t.Error(errs)
	}
	if all := hub.Comments(7); len(all) != 1 || all[0].ID != younger.ID {
		t.Errorf("%d summaries", len(all))
	}
	if !slices.ContainsFunc(hub.ReviewComments(7), func(c githubtest.ReviewComment) bool { return c.ID == youngerRemark.ID }) {
		t.Errorf("remarks: %.300v", hub.ReviewComments(7))
	}
}

// What GitHub takes and never shows is given up, which is said.
func TestGivenUp(t *testing.T) {
	plain, broken := sale(t), sale(t, withdraw)
	hub, client := pullRequestOn(t, changed(plain, broken), "pull-requests: write")
	one := telling(t, plain, broken, sha1st, 1)
	if errs := Publish(t.Context(), client, one); errs != nil {
		t.Fatal(errs)
	}
	_ = hub.Wait(t.Context(), settle)
	hub.Faults = func(int) githubtest.Fault { return githubtest.StaleRows }
	errs := Publish(t.Context(), client, telling(t, plain, broken, sha1st, 2))
	if len(errs) != 1 || !strings.Contains(errs[0].Error(), "editing the summary comment: given up: GitHub has taken it 3 times") {
		t.Errorf("%v", errs)
	}
	if all := hub.Comments(7); len(all) != 1 || !strings.Contains(all[0].Body, "run=2.1") {
		t.Errorf("%.200v", all)
	}
}
