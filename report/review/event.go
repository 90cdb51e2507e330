package review

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// maxPayload is the largest event payload that is read, in bytes. GitHub caps a webhook's at 25 MB
// (docs.github.com, "Webhook events and payloads").
const maxPayload = 32 << 20

// An Event is what made a workflow run, as far as it decides what is reviewed. Ids in it come from
// the payload as they are; Range checks them.
type Event struct {
	Name    string // pull_request, merge_group, push, workflow_dispatch, ...
	SHA     string // the commit the run is for, in a pull request the merge commit; may be empty
	payload payload
}

// payload is the part of the event's JSON that is looked at.
type payload struct {
	Before      string `json:"before"`
	PullRequest struct {
		Base, Head struct {
			SHA string `json:"sha"`
		}
	} `json:"pull_request"`
	MergeGroup struct {
		Base string `json:"base_sha"`
	} `json:"merge_group"`
}

// ReadEvent reads the event from the environment that GitHub's runner sets. It is an error when
// there is no GITHUB_EVENT_NAME, or when the payload at GITHUB_EVENT_PATH can't be read.
func ReadEvent(getenv func(string) string) (Event, error) {
	e := Event{Name: getenv("GITHUB_EVENT_NAME"), SHA: getenv("GITHUB_SHA")}
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
