package review

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/settings"
	"github.com/redlinehq/redline/report/codeowners"
	"github.com/redlinehq/redline/report/github"
	"github.com/redlinehq/redline/report/github/githubtest"
)

// acceptedHere is an acceptance of a pull request.
var acceptedHere = finding.Acceptance{Kind: finding.AcceptWaiver, Contract: "sale", Name: "r", File: "sale/sale.contract.hcl", BaseFile: "sale/sale.contract.hcl", Digest: "sha256:1", Needed: true}

// alicesOnHub is her pull request on a Hub, which bob, carol and dave could approve, and eve, who is nobody's, could not.
func alicesOnHub(t *testing.T, permissions ...string) (*githubtest.Hub, *Approvals) {
	t.Helper()
	hub := githubtest.Start(t, "acme/deals")
	hub.Private = true
	hub.Open(githubtest.Pull{Number: 7, Author: "alice", Head: githubtest.Side{SHA: sha1st, Ref: "amendment", Repository: "acme/deals"}, Base: githubtest.Side{SHA: sha3rd, Ref: "main"}})
	for _, who := range []string{"alice", "bob", "carol", "dave", "robot[bot]"} {
		hub.Grant(who, "write")
	}
	hub.Team("acme", "legal", "bob")
	if permissions == nil {
		permissions = []string{"contents: read", "pull-requests: read"}
	}
	hub.Allow("token", githubtest.Job(permissions...))
	return hub, &Approvals{Hub: clientOf(t, hub), Number: 7, Head: sha1st, Owners: Owners{settings: settings.Default()}}
}

func clientOf(t *testing.T, hub *githubtest.Hub) *github.Client {
	t.Helper()
	client, err := github.New(github.Config{API: hub.URL, Token: "token", Repository: "acme/deals", Wait: hub.Wait})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func TestApprovals(t *testing.T) {
	for name, c := range map[string]struct {
		do    func(*githubtest.Hub, *Approvals)
		token []string // its permissions
		want  finding.AcceptanceState
		why   string
	}{
		"nobody":    {do: func(*githubtest.Hub, *Approvals) {}},
		"approved":  {do: func(h *githubtest.Hub, _ *Approvals) { h.Review(7, "bob", "APPROVE", "") }, want: finding.ByApproval},
		"dismissed": {do: func(h *githubtest.Hub, _ *Approvals) { h.Dismiss(h.Review(7, "bob", "APPROVE", "").ID) }},
		"pushed since": {do: func(h *githubtest.Hub, p *Approvals) {
			h.Review(7, "bob", "APPROVE", "")
			h.Push(7, sha2nd, nil)
			p.Head = sha2nd
		}, why: "approved commit 1111111"},
		"pushed, and this run is of the older": {do: func(h *githubtest.Hub, p *Approvals) { h.Review(7, "bob", "APPROVE", ""); h.Push(7, sha2nd, nil) }, want: finding.Unreadable,
			why: "has moved on from commit 1111111"},
		"commented since": {do: func(h *githubtest.Hub, _ *Approvals) {
			h.Review(7, "bob", "APPROVE", "")
			h.Review(7, "bob", "COMMENT", "")
		}, want: finding.ByApproval},
		"changes wanted since": {do: func(h *githubtest.Hub, _ *Approvals) {
			h.Review(7, "bob", "APPROVE", "")
			h.Review(7, "bob", "REQUEST_CHANGES", "")
		}, want: finding.Refused, why: "@bob has asked for changes."},
		"the author": {do: func(h *githubtest.Hub, _ *Approvals) { h.Review(7, "alice", "APPROVE", "") }, why: "has opened"},
		"the author of a commit": {do: func(h *githubtest.Hub, p *Approvals) {
			h.Push(7, sha2nd, nil)
			p.Head = sha2nd
			h.Commit(githubtest.Commit{SHA: sha1st, Author: githubtest.Actor{Login: "bob", Email: "bob@acme.example"}, Committer: githubtest.Actor{Email: "noreply@github.com"}})
			h.Review(7, "bob", "APPROVE", "")
		}, why: "@bob has had a hand in commit 1111111"},
		"a committer": {do: made(githubtest.Commit{Author: githubtest.Actor{Login: "alice", Email: "a@x"}, Committer: githubtest.Actor{Login: "bob", Email: "b@x"}}), why: "had a hand"},
		"a co-author": {do: made(githubtest.Commit{Author: githubtest.Actor{Login: "alice", Email: "a@x"}, Committer: githubtest.Actor{Login: "alice", Email: "a@x"}, Message: "x\n\nCo-authored-by: Bob <b@x>\n",
			CoAuthors: []githubtest.Actor{{Login: "bob", Email: "b@x"}}}), why: "had a hand"},
		"a co-author in the middle": {do: made(githubtest.Commit{Author: githubtest.Actor{Login: "alice", Email: "a@x"}, Committer: githubtest.Actor{Login: "alice", Email: "a@x"},
			Message: "x\n\n co-authored-BY: Bob <77+Bob@users.noreply.github.com>\n\nand more"}), why: "had a hand"},
		"an unknown co-author": {do: made(githubtest.Commit{Author: githubtest.Actor{Login: "alice", Email: "a@x"}, Committer: githubtest.Actor{Login: "alice", Email: "a@x"},
			Message: "x\n\nCo-authored-by: Somebody <else@where>"}), want: finding.Unreadable, why: `names "Somebody <else@where>"`},
		"a commit of a bot's":         {do: made(githubtest.Commit{Author: githubtest.Actor{Login: "renovate[bot]", Email: "29139614+renovate[bot]@users.noreply.github.com"}, Committer: githubtest.Actor{Email: "noreply@github.com"}}), want: finding.ByApproval},
		"a bot":                       {do: func(h *githubtest.Hub, _ *Approvals) { h.Review(7, "robot[bot]", "APPROVE", "") }, why: "is a bot"},
		"a stranger":                  {do: func(h *githubtest.Hub, _ *Approvals) { h.Review(7, "eve", "APPROVE", "") }, why: "@eve may not write"},
		"who may only read":           {do: func(h *githubtest.Hub, _ *Approvals) { h.Grant("eve", "read"); h.Review(7, "eve", "APPROVE", "") }, why: "@eve may not write"},
		"owned by another":            {do: owned("sale/ @carol"), why: "@bob is not among those"},
		"owned":                       {do: owned("* @carol\n/sale/ @bob"), want: finding.ByApproval},
		"a team, with a job's token":  {do: owned("* @acme/legal"), want: finding.Unreadable, why: "'Members: read'"},
		"a team, with an app's token": {do: owned("* @acme/legal"), token: []string{"contents: read", "pull-requests: read", "members: read"}, want: finding.ByApproval},
		"another team":                {do: func(h *githubtest.Hub, p *Approvals) { h.Team("acme", "sales", "carol"); owned("* @acme/sales")(h, p) }, token: []string{"contents: read", "pull-requests: read", "members: read"}, why: "not among those"},
		"a token without rights":      {do: func(h *githubtest.Hub, _ *Approvals) { h.Review(7, "bob", "APPROVE", "") }, token: []string{"contents: read"}, want: finding.Unreadable, why: "pull-requests: read"},
		"in a merge queue": {do: func(h *githubtest.Hub, p *Approvals) {
			h.Review(7, "bob", "APPROVE", "")
			p.Head, p.Base, p.Same = "", "main", sames(true)
		}, want: finding.ByApproval},
		"in a merge queue, with another meaning": {do: func(h *githubtest.Hub, p *Approvals) {
			h.Review(7, "bob", "APPROVE", "")
			p.Head, p.Base, p.Same = "", "main", sames(false)
		}, why: "means something else"},
		"in the queue of another branch": {do: func(h *githubtest.Hub, p *Approvals) {
			h.Review(7, "bob", "APPROVE", "")
			p.Head, p.Base, p.Same = "", "trunk", sames(true)
		}, want: finding.Unreadable, why: "not the one that is to be merged"},
		"closed": {do: func(h *githubtest.Hub, p *Approvals) { h.Review(7, "bob", "APPROVE", ""); h.Close(7) }, want: finding.Unreadable, why: "is closed"},
		"merged": {do: func(h *githubtest.Hub, _ *Approvals) {
			h.Open(githubtest.Pull{Number: 7, State: "closed", Merged: true, Author: "alice", Head: githubtest.Side{SHA: sha1st, Ref: "amendment", Repository: "acme/deals"}, Base: githubtest.Side{SHA: sha3rd, Ref: "main"}})
			h.Review(7, "bob", "APPROVE", "")
		}, want: finding.ByApproval},
		"in a merge queue, and not approved": {do: func(_ *githubtest.Hub, p *Approvals) { p.Head, p.Base, p.Same = "", "main", sames(false) }},
		"changes wanted, and pushed since": {do: func(h *githubtest.Hub, p *Approvals) {
			h.Review(7, "bob", "REQUEST_CHANGES", "")
			h.Push(7, sha2nd, nil)
			p.Head = sha2nd
		}, want: finding.Refused, why: "@bob has asked for changes."},
		"behind, and dismissed": {do: func(h *githubtest.Hub, p *Approvals) { // the list still has the approval
			was := h.Review(7, "bob", "APPROVE", "")
			h.Allow("bob", githubtest.Person("bob"))
			if _, err := clientOf2(h, "bob").CreateComment(context.Background(), 7, "x"); err != nil {
				panic(err)
			}
			h.Dismiss(was.ID)
			h.Faults = func(int) githubtest.Fault { return githubtest.StaleRows }
		}},
		"rows twice": {do: func(h *githubtest.Hub, _ *Approvals) {
			h.Review(7, "bob", "APPROVE", "")
			h.Faults = func(int) githubtest.Fault { return githubtest.TwiceRows }
		}, want: finding.ByApproval},
		"a rate limit": {do: func(h *githubtest.Hub, _ *Approvals) {
			h.Review(7, "bob", "APPROVE", "")
			h.Next(githubtest.SecondaryLimit, githubtest.BadGateway, githubtest.None, githubtest.PrimaryLimit)
		}, want: finding.ByApproval},
		"a server that fails": {do: func(h *githubtest.Hub, _ *Approvals) {
			h.Faults = func(int) githubtest.Fault { return githubtest.BadGateway }
		}, want: finding.Unreadable, why: "tried 5 times"},
		"many": {do: func(h *githubtest.Hub, p *Approvals) {
			for i := range 260 {
				p.Head = fmt.Sprintf("%040x", i)
				h.Push(7, p.Head, nil)
				h.Review(7, fmt.Sprint("visitor", i%50), "COMMENT", "")
			}
			h.Review(7, "bob", "APPROVE", "")
			h.Commit(githubtest.Commit{SHA: fmt.Sprintf("%040x", 255), Author: githubtest.Actor{Login: "carol", Email: "c@x"}, Committer: githubtest.Actor{Login: "carol", Email: "c@x"}})
			h.Review(7, "carol", "APPROVE", "")
		}, want: finding.ByApproval},
	} {
		t.Run(name, func(t *testing.T) {
			hub, p := alicesOnHub(t, c.token...)
			c.do(hub, p)
			got, err := p.Approve(t.Context(), acceptedHere)
			if err != nil || got.State != c.want || !strings.Contains(got.Why, c.why) || c.why == "" && got.Why != "" {
				t.Errorf("%+v, %v", got, err)
			}
			if by := strings.Join(got.By, " "); (c.want == finding.ByApproval) != (by == "@bob") {
				t.Errorf("by %s", by)
			}
			asked := len(hub.Requests())
			if again, err := p.Approve(t.Context(), acceptedHere); err != nil || again.State != got.State || len(hub.Requests()) != asked {
				t.Errorf("asked again: %+v, %v, %d requests", again, err, len(hub.Requests())-asked)
			}
			if len(hub.Writes()) > 0 && name != "behind, and dismissed" {
				t.Errorf("written: %q", hub.Writes())
			}
		})
	}
}

// TestApprovalsNeedEveryAnswer: where any of the requests gets no answer, it is not known who has approved.
func TestApprovalsNeedEveryAnswer(t *testing.T) {
	for from := range 5 { // the pull request, its commits, the list of reviews, the review, who may write
		hub, p := alicesOnHub(t)
		hub.Review(7, "bob", "APPROVE", "")
		before := len(hub.Requests())
		hub.Faults = func(n int) githubtest.Fault {
			if n < before+from {
				return githubtest.None
			}
			return githubtest.BadGateway
		}
		if got, err := p.Approve(t.Context(), acceptedHere); err != nil || got.State != finding.Unreadable || !strings.Contains(got.Why, "tried 5 times") {
			t.Errorf("no answer from request %d on: %+v, %v", from, got, err)
		}
	}
}

// TestApprovalsEndWithTheContext: when the context ends there is no answer, but the reason of its end.
func TestApprovalsEndWithTheContext(t *testing.T) {
	reason := errors.New("the job was stopped")
	for at := range 6 { // the last request asks for the membership in a team
		hub, p := alicesOnHub(t, "contents: read", "pull-requests: read", "members: read")
		owned("* @acme/legal")(hub, p)
		ctx, stop := context.WithCancelCause(t.Context())
		hub.Faults = func(n int) githubtest.Fault {
			if n < at {
				return githubtest.None
			}
			stop(reason)
			return githubtest.Hang
		}
		if got, err := p.Approve(ctx, acceptedHere); !errors.Is(err, reason) {
			t.Errorf("stopped in request %d: %+v, %v", at, got, err)
		}
	}
}

// TestApprovalOfUndecidedMeaning: that the meaning of the approved commit cannot be decided is an error.
func TestApprovalOfUndecidedMeaning(t *testing.T) {
	hub, p := alicesOnHub(t)
	hub.Review(7, "bob", "APPROVE", "")
	reason := errors.New("out of time")
	p.Same = func(context.Context, string, finding.Acceptance) (bool, error) { return false, reason }
	if got, err := p.Approve(t.Context(), acceptedHere); !errors.Is(err, reason) {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestApprovalsAskNoMore: a review that cannot count is not read once more, and of one whose author may not write no team is read.
func TestApprovalsAskNoMore(t *testing.T) {
	hub, p := alicesOnHub(t, "contents: read", "pull-requests: read", "members: read")
	hub.Review(7, "carol", "APPROVE", "")
	hub.Push(7, sha2nd, nil)
	p.Head = sha2nd
	hub.Review(7, "eve", "APPROVE", "")
	hub.Review(7, "robot[bot]", "APPROVE", "")
	owned("* @acme/legal")(hub, p)
	if got, err := p.Approve(t.Context(), acceptedHere); err != nil || got.State != finding.ByApproval {
		t.Fatalf("%+v, %v", got, err)
	}
	var single, members []string
	for _, r := range hub.Requests() {
		if _, id, ok := strings.Cut(r.Path, "/reviews/"); ok {
			single = append(single, id)
		}
		if _, who, ok := strings.Cut(r.Path, "/memberships/"); ok {
			members = append(members, who)
		}
	}
	if len(single) != 2 || !slices.Equal(members, []string{"bob"}) {
		t.Errorf("reviews read one by one: %q, members: %q", single, members)
	}
}

// TestApprovalDeleted: a review that is still listed, and is not there, approves nothing.
func TestApprovalDeleted(t *testing.T) {
	hub, p := alicesOnHub(t)
	hub.Review(7, "bob", "APPROVE", "")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "/reviews/") {
			http.Error(w, `{"message": "Not Found"}`, http.StatusNotFound)
			return
		}
		hub.ServeHTTP(w, r)
	}))
	defer server.Close()
	hub.URL = server.URL
	p.Hub = clientOf(t, hub)
	if got, err := p.Approve(t.Context(), acceptedHere); err != nil || got.State != finding.Pending || got.Why != "" {
		t.Errorf("%+v, %v", got, err)
	}
}

// made has the one commit made by others than alice, and bob approve it.
func made(c githubtest.Commit) func(*githubtest.Hub, *Approvals) {
	return func(h *githubtest.Hub, _ *Approvals) {
		c.SHA = sha1st
		h.Commit(c)
		h.Review(7, "bob", "APPROVE", "")
	}
}

// owned has base's CODEOWNERS say this, and bob approve.
func owned(text string) func(*githubtest.Hub, *Approvals) {
	return func(h *githubtest.Hub, p *Approvals) {
		p.Owners, _ = ReadOwners(fstest.MapFS{"docs/CODEOWNERS": {Data: []byte("* @nobody")}, "CODEOWNERS": {Data: []byte(text)}}, settings.Default())
		h.Review(7, "bob", "APPROVE", "")
	}
}

func sames(same bool) func(context.Context, string, finding.Acceptance) (bool, error) {
	return func(_ context.Context, commit string, a finding.Acceptance) (bool, error) {
		return same && commit == sha1st && a.Contract == "sale", nil
	}
}

func clientOf2(hub *githubtest.Hub, token string) *github.Client {
	client, _ := github.New(github.Config{API: hub.URL, Token: token, Repository: "acme/deals", Wait: hub.Wait})
	return client
}

// Settings say who may approve before CODEOWNERS does, and where neither names anybody, nobody may.
func TestOwners(t *testing.T) {
	s := settings.Default()
	s.Approvers = []settings.Approvers{{Pattern: "sale/**", Who: []string{"@ada"}}}
	both, err := ReadOwners(fstest.MapFS{".github/CODEOWNERS": {Data: []byte("* @all\n/rent/")}, "CODEOWNERS": {Data: []byte("* @other")}}, s)
	if err != nil {
		t.Fatal(err)
	}
	large := fstest.MapFS{"CODEOWNERS": {Data: []byte("* @all\n" + strings.Repeat("#", 3<<20))}}
	tooLarge, err := ReadOwners(large, settings.Default())
	if err != nil {
		t.Fatal(err)
	}
	none, err := ReadOwners(fstest.MapFS{}, s)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		owners Owners
		file   string
		who    string
		anyone bool
	}{
		{both, "sale/a.hcl", "@ada", false}, {both, "lease/a.hcl", "@all", false}, {both, "rent/a.hcl", "", false}, {tooLarge, "a", "", false},
		{none, "sale/a.hcl", "@ada", false}, {none, "lease/a.hcl", "", false}, {Owners{settings: settings.Default()}, "a", "", true},
	} {
		if got := c.owners.of(c.file); strings.Join(got.who, " ") != c.who || got.anyone != c.anyone {
			t.Errorf("%s: %+v", c.file, got)
		}
	}
	if got := both.EligibleApprovers(acceptedHere); !slices.Equal(got.Needs, []string{"@ada"}) {
		t.Errorf("%+v", got)
	}
	added := acceptedHere
	added.BaseFile = ""
	if got := both.named(added); len(got) != 1 {
		t.Errorf("%+v", got)
	}
	moved := acceptedHere
	moved.BaseFile = "lease/a.hcl"
	if got := both.named(moved); len(got) != 2 || got[0].who[0] != "@ada" || got[1].who[0] != "@all" {
		t.Errorf("%+v", got)
	}
}

// A broken file system has files that cannot be found or read.
type broken struct {
	fstest.MapFS
	stat, read error
}

func (b broken) Stat(name string) (fs.FileInfo, error) {
	if b.stat != nil {
		return nil, b.stat
	}
	return b.MapFS.Stat(name)
}

func (b broken) ReadFile(string) ([]byte, error) { return nil, b.read }

// TestOwnersAreRead: the first CODEOWNERS counts, whatever it is, and one that cannot be read is an error.
func TestOwnersAreRead(t *testing.T) {
	lines := func(size int) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("* @all\n" + strings.Repeat("#", size-7))}
	}
	for name, c := range map[string]struct {
		base fs.FS
		who  string
		err  string
	}{
		"a directory":       {base: fstest.MapFS{"CODEOWNERS/x": lines(10), "docs/CODEOWNERS": lines(10)}},
		"as large as loads": {base: fstest.MapFS{"CODEOWNERS": lines(codeowners.MaxSize - 1)}, who: "@all"},
		"just too large":    {base: fstest.MapFS{"CODEOWNERS": lines(codeowners.MaxSize)}},
		"it is not found":   {base: broken{stat: fs.ErrPermission}, err: "reading .github/CODEOWNERS of base: permission denied"},
		"it cannot be read": {base: broken{MapFS: fstest.MapFS{"CODEOWNERS": lines(10)}, read: fs.ErrPermission}, err: "reading CODEOWNERS of base: permission denied"},
	} {
		owners, err := ReadOwners(c.base, settings.Default())
		if c.err != "" {
			if err == nil || err.Error() != c.err {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if got := owners.of("a"); err != nil || strings.Join(got.who, " ") != c.who || got.anyone {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// After a review the last run of the gate is repeated, once it has ended.
func TestAgain(t *testing.T) {
	pull := github.PullRequest{Number: 7, Head: github.Side{SHA: sha1st, Ref: "amendment", Repository: "acme/deals"}}
	run := func(id int64, workflow, event, head, from, status string) githubtest.Run {
		return githubtest.Run{ID: id, Number: int(id), Attempt: 1, Workflow: workflow, Event: event, Head: head, Branch: "amendment", Repository: from, Status: status}
	}
	for name, c := range map[string]struct {
		runs  []githubtest.Run
		token []string
		do    func(*githubtest.Hub)
		again int64 // which is repeated
		says  string
	}{
		"ended": {runs: []githubtest.Run{run(1, "redline.yml", "pull_request", sha1st, "acme/deals", "completed"), run(2, "redline.yml", "pull_request", sha1st, "acme/deals", "completed")}, again: 2, says: "Run 2 of redline.yml on commit 1111111 is repeated"},
		"others": {runs: []githubtest.Run{run(1, "redline.yml", "pull_request", sha1st, "acme/deals", "completed"), run(2, "other.yml", "pull_request", sha1st, "acme/deals", "completed"),
			run(3, "redline.yml", "push", sha1st, "acme/deals", "completed"), run(4, "redline.yml", "pull_request", sha2nd, "acme/deals", "completed"), run(5, "redline.yml", "pull_request", sha1st, "eve/deals", "completed")}, again: 1},
		"under way":          {runs: []githubtest.Run{run(1, "redline.yml", "pull_request", sha1st, "acme/deals", "in_progress")}, do: func(h *githubtest.Hub) { h.Meanwhile(3, (*githubtest.Hub).Complete) }, again: 1},
		"under way for ever": {runs: []githubtest.Run{run(1, "redline.yml", "pull_request", sha1st, "acme/deals", "queued")}, says: "has not ended in the time that is waited"},
		"none":               {says: "there is no run of redline.yml on commit 1111111"},
		"without the right":  {runs: []githubtest.Run{run(1, "redline.yml", "pull_request", sha1st, "acme/deals", "completed")}, token: []string{"actions: read"}, says: "Resource not accessible"},
		"an unlucky line":    {runs: []githubtest.Run{run(1, "redline.yml", "pull_request", sha1st, "acme/deals", "completed")}, do: func(h *githubtest.Hub) { h.Next(githubtest.BadGateway, githubtest.None, githubtest.DroppedAfter) }, again: 1},
	} {
		t.Run(name, func(t *testing.T) {
			hub, p := alicesOnHub(t)
			if c.token == nil {
				c.token = []string{"actions: write"}
			}
			hub.Allow("token", githubtest.Job(c.token...))
			for _, r := range c.runs {
				hub.Ran(r)
			}
			if c.do != nil {
				c.do(hub)
			}
			said, err := Rerun(t.Context(), p.Hub, "redline.yml", pull)
			if (err == nil) != (c.again > 0) || !strings.Contains(fmt.Sprint(said, err), c.says) {
				t.Errorf("%q, %v", said, err)
			}
			for _, r := range append(hub.Runs(sha1st), hub.Runs(sha2nd)...) {
				if want := r.ID == c.again; (r.Attempt == 2) != want {
					t.Errorf("run %d: attempt %d", r.ID, r.Attempt)
				}
			}
		})
	}
}
