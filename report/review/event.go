package review

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// maxPayload is the largest event payload that is read, in bytes. GitHub caps a webhook's at 25 MB
// (docs.github.com, "Webhook events and payloads").
const maxPayload = 32 << 20

// An Event is what made a workflow run, as far as it decides what is reviewed and where it is told.
// What is in it comes from the payload as it is; Range checks the ids.
type Event struct {
	Name       string // pull_request, merge_group, push, workflow_dispatch, workflow_run, ...
	SHA        string // the commit the run is for, in a pull request the merge commit; may be empty
	Ref        string // refs/heads/..., refs/tags/... or refs/pull/...; may be empty
	Repository string // owner/name, where the workflow runs
	Run        Run    // which run this is
	payload    payload
}

// A Run is a run of a workflow. Of two runs of one workflow the later one has the greater number; of a run
// that is repeated only the attempt grows (docs.github.com, "Variables reference").
type Run struct {
	ID              int64
	Number, Attempt int
	URL             string // of its page, where the job summary is; empty: not known
}

// payload is the part of the event's JSON that is looked at. What is null there is empty here.
type payload struct {
	Before      string `json:"before"`
	PullRequest struct {
		Number     int
		Base, Head struct {
			SHA  string
			Ref  string
			Repo repository
		}
	} `json:"pull_request"`
	MergeGroup struct {
		Base    string `json:"base_sha"`
		BaseRef string `json:"base_ref"`
		HeadRef string `json:"head_ref"`
	} `json:"merge_group"`
	Review struct {
		State string
		User  struct{ Type string }
	}
	Repository struct {
		Default string `json:"default_branch"`
	}
	WorkflowRun struct {
		ID         int64
		Number     int `json:"run_number"`
		Attempt    int `json:"run_attempt"`
		Event      string
		Conclusion string
		Branch     string     `json:"head_branch"`
		SHA        string     `json:"head_sha"`
		Repository repository `json:"head_repository"`
	} `json:"workflow_run"`
}

type repository struct {
	Name string `json:"full_name"`
}

// A PullRequest is what the payload of pull_request says of it.
type PullRequest struct {
	Number                 int
	Head, Base             string // commits; Base is where the base was when the pull request last changed
	HeadBranch, BaseBranch string
	HeadRepository         string // owner/name; empty: it was deleted
	Fork                   bool   // head is in another repository: the token may only read
}

// PullRequest is the pull request the run is for, if it is for one.
func (e Event) PullRequest() (PullRequest, bool) {
	p := e.payload.PullRequest
	if e.Name != "pull_request" || p.Number <= 0 {
		return PullRequest{}, false
	}
	return PullRequest{
		Number: p.Number, Head: p.Head.SHA, Base: p.Base.SHA, HeadBranch: p.Head.Ref, BaseBranch: p.Base.Ref,
		HeadRepository: p.Head.Repo.Name, Fork: p.Head.Repo.Name != p.Base.Repo.Name,
	}, true
}

// Reviewed returns the pull request that somebody has reviewed, if the review can change what is approved: it approves, asks for changes or
// was dismissed, and is no bot's.
func (e Event) Reviewed() (PullRequest, bool) {
	if e.Name != "pull_request_review" || e.payload.Review.User.Type == "Bot" || strings.EqualFold(e.payload.Review.State, "commented") {
		return PullRequest{}, false
	}
	e.Name = "pull_request"
	return e.PullRequest()
}

// queued is the name of a merge group's branch (docs.github.com, "Managing a merge queue").
var queued = regexp.MustCompile(`^refs/heads/gh-readonly-queue/(.+)/pr-([0-9]{1,9})-[0-9a-f]{40,64}$`)

// MergeGroup returns the number of the pull request that a merge queue tries, and the branch it is to be merged into.
func (e Event) MergeGroup() (number int, base string, ok bool) {
	found := queued.FindStringSubmatch(e.payload.MergeGroup.HeadRef)
	if e.Name != "merge_group" || found == nil || "refs/heads/"+found[1] != e.payload.MergeGroup.BaseRef {
		return 0, "", false
	}
	number, err := strconv.Atoi(found[2])
	return number, found[1], err == nil && number > 0
}

// A WorkflowRun is the run of another workflow that a run of event workflow_run follows. GitHub itself says so, not the
// run: it is what to find a fork's pull request by.
type WorkflowRun struct {
	Run
	Event, Conclusion string
	Repository        string // owner/name, where its head is
	Branch, SHA       string // its head
}

// WorkflowRun is the run that this one follows, if it follows one.
func (e Event) WorkflowRun() (WorkflowRun, bool) {
	r := e.payload.WorkflowRun
	if e.Name != "workflow_run" || r.ID <= 0 {
		return WorkflowRun{}, false
	}
	run := Run{ID: r.ID, Number: r.Number, Attempt: r.Attempt}
	if at := strings.LastIndexByte(e.Run.URL, '/'); at >= 0 {
		run.URL = fmt.Sprintf("%s/%d", e.Run.URL[:at], r.ID)
	}
	return WorkflowRun{run, r.Event, r.Conclusion, r.Repository.Name, r.Branch, r.SHA}, true
}

// OnDefaultBranch reports whether the run is for the default branch, and not for a pull request to it.
func (e Event) OnDefaultBranch() bool {
	branch := e.payload.Repository.Default
	return branch != "" && e.Ref == "refs/heads/"+branch
}

// ReadEvent reads the event from the environment that GitHub's runner sets. It is an error when
// there is no GITHUB_EVENT_NAME, or when the payload at GITHUB_EVENT_PATH can't be read.
func ReadEvent(getenv func(string) string) (Event, error) {
	e := Event{Name: getenv("GITHUB_EVENT_NAME"), SHA: getenv("GITHUB_SHA"), Ref: getenv("GITHUB_REF"), Repository: getenv("GITHUB_REPOSITORY"), Run: readRun(getenv)}
	if e.Name == "" {
		return e, errors.New("GITHUB_EVENT_NAME is not set: this command is for workflows of GitHub Actions; elsewhere, use 'redline review'")
	}
	name := getenv("GITHUB_EVENT_PATH")
	if name == "" {
		return e, nil
	}
	raw, err := readFile(name, maxPayload)
	if err != nil {
		return e, fmt.Errorf("reading the event payload (GITHUB_EVENT_PATH): %w", err)
	}
	if err := json.Unmarshal(raw, &e.payload); err != nil {
		return e, fmt.Errorf("reading the event payload (GITHUB_EVENT_PATH): %w", err)
	}
	return e, nil
}

// readRun reads which run this is; what the runner does not say stays zero.
func readRun(getenv func(string) string) Run {
	var r Run
	r.ID, _ = strconv.ParseInt(getenv("GITHUB_RUN_ID"), 10, 64)
	r.Number, _ = strconv.Atoi(getenv("GITHUB_RUN_NUMBER"))
	r.Attempt, _ = strconv.Atoi(getenv("GITHUB_RUN_ATTEMPT"))
	if server, repository := getenv("GITHUB_SERVER_URL"), getenv("GITHUB_REPOSITORY"); server != "" && repository != "" && r.ID > 0 {
		r.URL = fmt.Sprintf("%s/%s/actions/runs/%d", server, repository, r.ID)
	}
	return r
}

func readFile(name string, limit int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read from
	raw, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(raw)) > limit {
		return nil, fmt.Errorf("it has more than %d bytes", limit)
	}
	return raw, err
}
