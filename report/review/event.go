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

// maxPayload is the maximum size of an event payload in bytes. GitHub limits a webhook's to 25 MB (docs.github.com, "Webhook events and
// payloads").
const maxPayload = 32 << 20

// An Event is what triggered a workflow run, as far as it decides what to review and where to post. Its fields are those of the payload,
// unchecked; Range checks the ids.
type Event struct {
	Name       string // pull_request, merge_group, push, workflow_dispatch, workflow_run, ...
	SHA        string // the commit the run is for, in a pull request the merge commit; may be empty
	Ref        string // refs/heads/..., refs/tags/... or refs/pull/...; may be empty
	Repository string // owner/name, where the workflow runs
	Run        Run    // which run this is
	payload    payload
}

// A Run is a run of a workflow. A later run of the same workflow has a greater number; a repeated run has the same number and a greater
// attempt (docs.github.com, "Variables reference").
type Run struct {
	id              int64
	number, Attempt int
	url             string // of its page, with the job summary; empty: not known
}

// payload is the part of the event's JSON that redline uses. Null becomes the zero value.
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

// A repository is the part of a repository's JSON that redline uses.
type repository struct {
	Name string `json:"full_name"`
}

// A pullData has the data on a pull request in the payload of pull_request.
type pullData struct {
	Number                 int
	Head, base             string // commits; base is where the base was when the pull request last changed
	HeadBranch, BaseBranch string
	HeadRepository         string // owner/name; empty: it was deleted
	Fork                   bool   // head is in another repository: the token may only read
}

// PullRequest returns the pull request that the run is for. It reports false if there is none.
func (e Event) PullRequest() (pullData, bool) {
	p := e.payload.PullRequest
	if e.Name != "pull_request" || p.Number <= 0 {
		return pullData{}, false
	}
	return pullData{
		Number: p.Number, Head: p.Head.SHA, base: p.Base.SHA, HeadBranch: p.Head.Ref, BaseBranch: p.Base.Ref,
		HeadRepository: p.Head.Repo.Name, Fork: p.Head.Repo.Name != p.Base.Repo.Name,
	}, true
}

// Reviewed returns the pull request of a review that can change what is approved: it approves, asks for changes or was dismissed, and a
// person wrote it.
func (e Event) Reviewed() (pullData, bool) {
	if e.Name != "pull_request_review" || e.payload.Review.User.Type == "Bot" || strings.EqualFold(e.payload.Review.State, "commented") {
		return pullData{}, false
	}
	e.Name = "pull_request"
	return e.PullRequest()
}

// queued matches the name of a merge group's branch (docs.github.com, "Managing a merge queue").
var queued = regexp.MustCompile(`^refs/heads/gh-readonly-queue/(.+)/pr-([0-9]{1,9})-[0-9a-f]{40,64}$`)

// MergeGroup returns the number of the pull request that a merge queue tries, and the branch to merge it into. It reports false for any
// other event.
func (e Event) MergeGroup() (number int, base string, ok bool) {
	found := queued.FindStringSubmatch(e.payload.MergeGroup.HeadRef)
	if e.Name != "merge_group" || found == nil || "refs/heads/"+found[1] != e.payload.MergeGroup.BaseRef {
		return 0, "", false
	}
	number, err := strconv.Atoi(found[2])
	return number, found[1], err == nil && number > 0
}

// A WorkflowRun is the run of another workflow that triggered a run of event workflow_run. The data come from GitHub and not from that run,
// so they may be used to find a fork's pull request.
type WorkflowRun struct {
	Run
	Event, conclusion string
	Repository        string // owner/name of the repository that has its head
	Branch, SHA       string // its head
}

// WorkflowRun returns the run that triggered this one. It reports false if there is none.
func (e Event) WorkflowRun() (WorkflowRun, bool) {
	r := e.payload.WorkflowRun
	if e.Name != "workflow_run" || r.ID <= 0 {
		return WorkflowRun{}, false
	}
	run := Run{id: r.ID, number: r.Number, Attempt: r.Attempt}
	if at := strings.LastIndexByte(e.Run.url, '/'); at >= 0 {
		run.url = fmt.Sprintf("%s/%d", e.Run.url[:at], r.ID)
	}
	return WorkflowRun{run, r.Event, r.Conclusion, r.Repository.Name, r.Branch, r.SHA}, true
}

// OnDefaultBranch reports whether the run is for the default branch, and not for a pull request to it.
func (e Event) OnDefaultBranch() bool {
	branch := e.payload.Repository.Default
	return branch != "" && e.Ref == "refs/heads/"+branch
}

// ReadEvent reads the event from the environment that GitHub's runner sets. It returns an error if GITHUB_EVENT_NAME is not set, or the
// payload at GITHUB_EVENT_PATH cannot be read.
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

// readRun reads the run from the environment. Fields that the runner does not set stay zero.
func readRun(getenv func(string) string) Run {
	var r Run
	r.id, _ = strconv.ParseInt(getenv("GITHUB_RUN_ID"), 10, 64)
	r.number, _ = strconv.Atoi(getenv("GITHUB_RUN_NUMBER"))
	r.Attempt, _ = strconv.Atoi(getenv("GITHUB_RUN_ATTEMPT"))
	if server, repository := getenv("GITHUB_SERVER_URL"), getenv("GITHUB_REPOSITORY"); server != "" && repository != "" && r.id > 0 {
		r.url = fmt.Sprintf("%s/%s/actions/runs/%d", server, repository, r.id)
	}
	return r
}

// readFile reads a file of at most limit bytes.
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
