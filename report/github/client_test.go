package github_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redlinehq/redline/report/github"
	"github.com/redlinehq/redline/report/github/githubtest"
)

const (
	token  = "ghs_0123456789abcdefghijklmnopqrstuvwxyz"
	patch  = "@@ -1,3 +1,4 @@\n a\n-b\n+B\n+C\n d\n@@ -20,2 +21,3 @@ party\n x\n+y\n z"
	head   = "1111111111111111111111111111111111111111"
	anyone = "mallory"
)

var everything = []string{"contents: write", "pull-requests: write", "checks: write", "statuses: write"}

// hub is a GitHub with pull request 7 and a job's token with these permissions.
func hub(t *testing.T, permissions ...string) *githubtest.Hub {
	t.Helper()
	h := githubtest.Start(t, "acme/deals")
	h.Allow(token, githubtest.Job(permissions...))
	h.Open(githubtest.Pull{
		Number: 7, Title: "Amend", Head: githubtest.Side{SHA: head, Ref: "amend", Repository: "acme/deals"}, Base: githubtest.Side{Ref: "main", Repository: "acme/deals"},
		Files: []githubtest.File{{Path: "sale/sale.contract.hcl", Patch: patch}, {Path: "large.hcl"}},
	})
	return h
}

func client(t *testing.T, h *githubtest.Hub) *github.Client {
	t.Helper()
	c, err := github.New(github.Config{API: h.URL, Token: token, Repository: h.Repository, Wait: h.Wait})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// is checks that an error is, or holds, one of the type E.
func is[E error](t *testing.T, err error) E {
	t.Helper()
	var e E
	if !errors.As(err, &e) {
		t.Fatalf("the error is %T %v, not %T", err, err, e)
	}
	return e
}

func TestPullRequest(t *testing.T) {
	h := hub(t)
	h.Open(githubtest.Pull{Number: 8, State: "closed", Merged: true, Draft: true, Head: githubtest.Side{SHA: "22", Ref: "amend", Repository: "eve/deals"}})
	h.Open(githubtest.Pull{Number: 9, Head: githubtest.Side{SHA: "33", Ref: "amend"}})
	c := client(t, h)
	want := github.PullRequest{Number: 7, State: "open", Head: github.Side{SHA: head, Ref: "amend", Repository: "acme/deals"}, Base: github.Side{Ref: "main", Repository: "acme/deals"}}
	if got := must[github.PullRequest](t)(c.PullRequest(t.Context(), 7)); got != want {
		t.Errorf("got %+v", got)
	}
	if got := must[github.PullRequest](t)(c.PullRequest(t.Context(), 8)); !got.Merged || !got.Draft || got.State != "closed" {
		t.Errorf("got %+v", got)
	}
	if got := must[github.PullRequest](t)(c.PullRequest(t.Context(), 9)); got.Head.Repository != "" {
		t.Errorf("got %+v", got)
	}
	_, err := c.PullRequest(t.Context(), 10)
	is[github.NotFound](t, err)
	from := must[[]github.PullRequest](t)(c.PullRequestsFrom(t.Context(), "eve", "amend"))
	if len(from) != 1 || from[0].Number != 8 || !from[0].Merged {
		t.Errorf("got %+v", from)
	}
	if _, err := c.PullRequestsFrom(t.Context(), "", "amend"); err == nil {
		t.Error("every pull request would be listed")
	}
}

func TestPages(t *testing.T) {
	h := hub(t)
	var files []githubtest.File
	for i := range 250 {
		files = append(files, githubtest.File{Path: fmt.Sprintf("f%d", i), Patch: "@@ -0,0 +1 @@\n+a", Status: "renamed", Previous: "g"})
		h.Say(7, anyone, fmt.Sprint(i))
		h.SayAt(7, anyone, "sale/sale.contract.hcl", 2, fmt.Sprint(i))
	}
	c := client(t, h)
	comments := must[[]github.Comment](t)(c.Comments(t.Context(), 7))
	inline := must[[]github.ReviewComment](t)(c.ReviewComments(t.Context(), 7))
	h.Push(7, "2222", files)
	changed := must[[]github.File](t)(c.Files(t.Context(), 7))
	if len(comments) != 250 || len(inline) != 250 || len(changed) != 250 {
		t.Fatalf("%d comments, %d review comments, %d files", len(comments), len(inline), len(changed))
	}
	for i := range 250 {
		if comments[i].Body != fmt.Sprint(i) || comments[i].Author != anyone || inline[i].Body != fmt.Sprint(i) || inline[i].Thread == "" {
			t.Fatalf("%d: %+v %+v", i, comments[i], inline[i])
		}
	}
	if want := (github.File{Path: "f249", Previous: "g", Status: "renamed", Patch: "@@ -0,0 +1 @@\n+a"}); changed[249] != want {
		t.Errorf("got %+v", changed[249])
	}
}

func TestComments(t *testing.T) {
	h := hub(t, everything...)
	c := client(t, h)
	forged := h.Say(7, anyone, "<!-- redline -->")
	made := must[github.Comment](t)(c.CreateComment(t.Context(), 7, "hello"))
	if made.Author != github.ActionsBot || made.Body != "hello" || made.ID == 0 || made.Node == "" {
		t.Errorf("made %+v", made)
	}
	ok(t, c.EditComment(t.Context(), made.ID, "bye"))
	ok(t, c.Minimize(t.Context(), made.Node))
	ok(t, c.DeleteComment(t.Context(), forged.ID))
	got := h.Comments(7)
	if len(got) != 1 || got[0].Body != "bye" || !got[0].Minimized || !slices.Equal(got[0].EditedBy, []string{github.ActionsBot}) {
		t.Errorf("got %+v", got)
	}
	is[github.NotFound](t, c.EditComment(t.Context(), forged.ID, "x"))
	is[github.NotFound](t, c.DeleteComment(t.Context(), forged.ID))
}

func TestReviews(t *testing.T) {
	h := hub(t, everything...)
	c := client(t, h)
	const file = "sale/sale.contract.hcl"
	ok(t, c.CreateReview(t.Context(), 7, head, []github.NewComment{{Path: file, Line: 2, Body: "one"}, {Path: file, StartLine: 2, Line: 3, Body: "two"}}))
	at := must[github.ReviewComment](t)(c.CreateReviewComment(t.Context(), 7, head, github.NewComment{Path: "large.hcl", Body: "three"}))
	alone := must[github.ReviewComment](t)(c.CreateReviewComment(t.Context(), 7, head, github.NewComment{Path: file, StartLine: 21, Line: 22, Body: "four"}))
	if at.Line != 0 || at.Outdated || alone.Line != 22 {
		t.Errorf("made %+v, %+v", at, alone)
	}
	ok(t, c.EditReviewComment(t.Context(), alone.ID, "4"))
	h.Reply(alone.ID, anyone, "why?")
	all := must[[]github.ReviewComment](t)(c.ReviewComments(t.Context(), 7))
	if len(all) != 5 || all[4].InReplyTo != alone.ID || all[4].Thread != all[3].Thread || all[3].Body != "4" || all[0].Thread == all[1].Thread {
		t.Fatalf("got %+v", all)
	}
	if r := h.Reviews(7); len(r) != 1 || r[0].Event != "COMMENT" || r[0].Commit != head {
		t.Errorf("reviews %+v", r)
	}
	ok(t, c.Resolve(t.Context(), all[0].Thread))
	h.Push(7, "2222", []githubtest.File{{Path: file, Patch: "@@ -1,3 +1,3 @@\n a\n-b\n+other\n d\n@@ -20,2 +30,3 @@\n x\n+y\n z"}})
	all = must[[]github.ReviewComment](t)(c.ReviewComments(t.Context(), 7))
	if !all[0].Outdated || !all[0].Resolved || all[0].Line != 0 || all[1].Resolved || all[3].Outdated || all[3].Line != 31 {
		t.Errorf("after a push: %+v", all)
	}
	if !all[2].Outdated || all[2].Path != "large.hcl" { // only GraphQL tells, of a comment at a file
		t.Errorf("after a push without the file: %+v", all[2])
	}
	is[github.NotFound](t, c.Resolve(t.Context(), "nothing"))
	is[github.NotFound](t, c.Minimize(t.Context(), "nothing"))
}

func TestRefusedAnchors(t *testing.T) {
	h := hub(t, everything...)
	c := client(t, h)
	const file = "sale/sale.contract.hcl"
	good := github.NewComment{Path: file, Line: 2, Body: "good"}
	for name, bad := range map[string]github.NewComment{
		"outside the diff": {Path: file, Line: 10, Body: "b"}, "another file": {Path: "x", Line: 1, Body: "b"}, "no patch": {Path: "large.hcl", Line: 1, Body: "b"},
		"another hunk": {Path: file, StartLine: 2, Line: 22, Body: "b"}, "backwards": {Path: file, StartLine: 3, Line: 3, Body: "b"}, "start outside": {Path: file, StartLine: 10, Line: 22, Body: "b"},
	} {
		if u := is[github.Unprocessable](t, c.CreateReview(t.Context(), 7, head, []github.NewComment{good, bad})); len(u.Reasons) == 0 {
			t.Errorf("%s: no reason in %v", name, u)
		}
		_, err := c.CreateReviewComment(t.Context(), 7, head, bad)
		if u := is[github.Unprocessable](t, err); len(u.Reasons) == 0 {
			t.Errorf("%s alone: no reason in %v", name, u)
		}
	}
	is[github.Unprocessable](t, c.CreateReview(t.Context(), 7, "another", []github.NewComment{good}))
	if got := h.ReviewComments(7); len(got) > 0 {
		t.Errorf("something of a refused review was kept: %+v", got)
	}
	before := len(h.Requests())
	if err := c.CreateReview(t.Context(), 7, head, []github.NewComment{{Path: file, Body: "at the file"}}); err == nil || len(h.Requests()) != before {
		t.Errorf("a review with a comment at a file as a whole: %v", err)
	}
}

func TestTooLong(t *testing.T) {
	h := hub(t, everything...)
	c := client(t, h)
	fits, long := strings.Repeat("é", github.CommentLimit), strings.Repeat("é", github.CommentLimit+1)
	made := must[github.Comment](t)(c.CreateComment(t.Context(), 7, fits))
	at := must[github.ReviewComment](t)(c.CreateReviewComment(t.Context(), 7, head, github.NewComment{Path: "sale/sale.contract.hcl", Line: 2, Body: fits}))
	before := len(h.Requests())
	_, err := c.CreateComment(t.Context(), 7, long)
	is[github.TooLong](t, err)
	_, err = c.CreateReviewComment(t.Context(), 7, head, github.NewComment{Body: long})
	is[github.TooLong](t, err)
	_, err = c.CreateCheckRun(t.Context(), github.CheckRun{Name: "redline", Text: long})
	is[github.TooLong](t, err)
	for _, err := range []error{
		c.EditComment(t.Context(), made.ID, long), c.EditReviewComment(t.Context(), at.ID, long),
		c.CreateReview(t.Context(), 7, head, []github.NewComment{{Path: "a", Line: 1, Body: long}}), c.SetStatus(t.Context(), head, "redline", "success", long[:300], ""),
	} {
		if e := is[github.TooLong](t, err); e.Length <= e.Limit {
			t.Errorf("%v", e)
		}
	}
	if len(h.Requests()) != before {
		t.Error("something too long was sent")
	}
}

func TestAuthor(t *testing.T) {
	for _, as := range []githubtest.Token{githubtest.Job(), githubtest.App("redline"), githubtest.Person("alice")} {
		h := hub(t)
		h.Allow(token, as)
		if got := must[string](t)(client(t, h).Author(t.Context())); got != as.Login {
			t.Errorf("got %s, want %s", got, as.Login)
		}
	}
}

func TestForbidden(t *testing.T) {
	h := hub(t, "contents: read", "pull-requests: read")
	c := client(t, h)
	thread := h.SayAt(7, anyone, "sale/sale.contract.hcl", 2, "x")
	_, create := c.CreateComment(t.Context(), 7, "x")
	_, check := c.CreateCheckRun(t.Context(), github.CheckRun{Name: "redline", Head: head})
	for _, err := range []error{
		create, check, c.SetStatus(t.Context(), head, "redline", "success", "", ""), c.Resolve(t.Context(), thread.Thread), c.Minimize(t.Context(), thread.Node),
		c.CreateReview(t.Context(), 7, head, nil), c.EditReviewComment(t.Context(), thread.ID, "x"),
	} {
		if f := is[github.Forbidden](t, err); !strings.Contains(f.Message, "not accessible") {
			t.Errorf("%v", f)
		}
	}
	h.Allow(token, githubtest.Job("pull-requests: write", "contents: read"))
	is[github.Forbidden](t, c.Resolve(t.Context(), thread.Thread)) // it needs contents: write
	ok(t, c.Minimize(t.Context(), thread.Node))
	if h.Waited() > 0 {
		t.Error("a refusal was taken for a rate limit")
	}
}

func TestCheckRun(t *testing.T) {
	h := hub(t, everything...)
	c := client(t, h)
	run := checkRun(120)
	id := must[int64](t)(c.CreateCheckRun(t.Context(), run))
	got := h.CheckRuns(head)
	if len(got) != 1 || got[0].ID != id || got[0].Conclusion != "failure" || got[0].Status != "completed" || got[0].External != "run-1" || !inOrder(got[0].Annotations, 120) {
		t.Fatalf("got %+v", got)
	}
	listed := must[[]github.CheckRun](t)(c.CheckRuns(t.Context(), head, "redline"))
	if len(listed) != 1 || listed[0].ID != id || listed[0].External != "run-1" || listed[0].Conclusion != "failure" || listed[0].Summary != "s" {
		t.Errorf("listed %+v", listed)
	}
	again := must[int64](t)(c.CreateCheckRun(t.Context(), github.CheckRun{Name: "redline", Head: head, External: "run-2", Conclusion: "success"}))
	if listed := must[[]github.CheckRun](t)(c.CheckRuns(t.Context(), head, "redline")); len(listed) != 2 || listed[1].ID != again {
		t.Errorf("of two runs: %+v", listed)
	}
	run.Conclusion = "success"
	ok(t, c.UpdateCheckRun(t.Context(), id, run))
	if got := h.CheckRuns(head); got[0].Conclusion != "success" || len(got[0].Annotations) != 120 {
		t.Errorf("after an update: %s, %d annotations", got[0].Conclusion, len(got[0].Annotations))
	}
}

func checkRun(annotations int) github.CheckRun {
	run := github.CheckRun{Name: "redline", Head: head, External: "run-1", Conclusion: "failure", Title: "t", Summary: "s"}
	for i := range annotations {
		run.Annotations = append(run.Annotations, github.Annotation{Path: "a", StartLine: i + 1, EndLine: i + 1, Level: "failure", Title: "t", Message: fmt.Sprint(i)})
	}
	return run
}

func inOrder(all []githubtest.Annotation, n int) bool {
	for i, a := range all {
		if a.Message != fmt.Sprint(i) {
			return false
		}
	}
	return len(all) == n
}

func TestStatus(t *testing.T) {
	h := hub(t, everything...)
	ok(t, client(t, h).SetStatus(t.Context(), head, "redline: sale", "failure", "1 new violation", "https://example.com/run"))
	want := githubtest.Status{SHA: head, Context: "redline: sale", State: "failure", Description: "1 new violation", URL: "https://example.com/run", Creator: github.ActionsBot}
	got := h.Statuses(head)
	if got[0].ID = 0; len(got) != 1 || got[0] != want {
		t.Errorf("got %+v", got)
	}
}

func TestEnterprise(t *testing.T) {
	for _, slash := range []string{"", "/"} {
		h := hub(t, everything...)
		c, err := github.New(github.Config{API: h.URL + "/api/v3" + slash, Token: token, Repository: h.Repository, Wait: h.Wait})
		ok(t, err)
		h.SayAt(7, anyone, "sale/sale.contract.hcl", 2, "x")
		if got := must[[]github.ReviewComment](t)(c.ReviewComments(t.Context(), 7)); len(got) != 1 || got[0].Thread == "" {
			t.Errorf("got %+v", got)
		}
	}
}

func TestCancelled(t *testing.T) {
	h := hub(t, everything...)
	h.Next(githubtest.Hang)
	c := client(t, h)
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(20*time.Millisecond, func() { cancel(why) })
	if _, err := c.Comments(ctx, 7); !errors.Is(err, why) {
		t.Errorf("got %v", err)
	}
}
