package github

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// ActionsBot is the account of a job's own token.
const ActionsBot = "github-actions[bot]"

// Author returns the account of this token, in the form of a comment's author. GraphQL has it for every
// kind of token, also for an app's, whose name ends in [bot]. A job's token may not ask REST
// (GET /user is 403). It is empty if neither has it.
func (c *Client) Author(ctx context.Context) (string, error) {
	var data struct{ Viewer struct{ Login string } }
	err := c.ask(ctx, "viewer", `query{viewer{login}}`, nil, &data)
	if err == nil && data.Viewer.Login != "" {
		return data.Viewer.Login, nil
	}
	if err != nil && !may(err) {
		return "", err
	}
	u, _, err := c.rest.Users.Get(ctx, "")
	switch err = plain(ctx, err); {
	case err == nil && u.GetLogin() != "":
		return u.GetLogin(), nil
	case err != nil && !may(err):
		return "", err
	}
	return "", nil
}

// may reports whether an error means only that this token may not ask.
func may(err error) bool {
	return errors.As(err, new(Forbidden)) || errors.As(err, new(NotFound)) || errors.As(err, new(Refused))
}

// A thread is a thread of comments at one place, as GraphQL describes it.
type thread struct {
	ID                     string
	IsResolved, IsOutdated bool
}

const listThreads = `query($owner:String!,$name:String!,$number:Int!,$after:String){
repository(owner:$owner,name:$name){pullRequest(number:$number){reviewThreads(first:100,after:$after){
pageInfo{hasNextPage endCursor} nodes{id isResolved isOutdated comments(first:1){nodes{id}}}}}}}`

// threads returns a pull request's threads, by their first comments.
func (c *Client) threads(ctx context.Context, n int) (map[string]thread, error) {
	all := map[string]thread{}
	variables := map[string]any{"owner": c.owner, "name": c.name, "number": n}
	for range mostPages {
		var data threadsData
		if err := c.ask(ctx, "reviewThreads", listThreads, variables, &data); err != nil {
			return nil, err
		}
		found := data.Repository.PullRequest.ReviewThreads
		for _, t := range found.Nodes {
			if len(t.Comments.Nodes) > 0 {
				all[t.Comments.Nodes[0].ID] = t.thread
			}
		}
		if !found.PageInfo.HasNextPage {
			return all, nil
		}
		variables["after"] = found.PageInfo.EndCursor
	}
	return nil, fmt.Errorf("listing review threads: there are more than %d", mostPages*perPage)
}

type threadsData struct {
	Repository struct {
		PullRequest struct {
			ReviewThreads struct {
				PageInfo struct {
					HasNextPage bool
					EndCursor   string
				}
				Nodes []struct {
					thread
					Comments struct{ Nodes []struct{ ID string } }
				}
			}
		}
	}
}

// Resolve resolves a thread. A job's token needs contents: write besides pull-requests: write
// (github/gh-aw issue 35726, oven-sh/bun pull request 40468); otherwise the error is Forbidden.
func (c *Client) Resolve(ctx context.Context, thread string) error {
	const text = `mutation($id:ID!){resolveReviewThread(input:{threadId:$id}){thread{isResolved}}}`
	var data struct {
		ResolveReviewThread struct{ Thread struct{ IsResolved bool } }
	}
	return c.ask(ctx, "resolveReviewThread", text, map[string]any{"id": thread}, &data)
}

// Minimize folds a comment of either kind as outdated. It needs pull-requests: write.
func (c *Client) Minimize(ctx context.Context, node string) error {
	const text = `mutation($id:ID!){minimizeComment(input:{subjectId:$id,classifier:OUTDATED}){minimizedComment{isMinimized}}}`
	var data struct {
		MinimizeComment struct{ MinimizedComment struct{ IsMinimized bool } }
	}
	return c.ask(ctx, "minimizeComment", text, map[string]any{"id": node}, &data)
}

// ask makes a GraphQL request. All requests of this package are safe to repeat.
func (c *Client) ask(ctx context.Context, name, text string, variables map[string]any, into any) error {
	body, err := json.Marshal(map[string]any{"query": text, "variables": variables})
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.graphql, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "redline")
	name = fmt.Sprintf("POST %s (%s)", req.URL.Path, name)
	a, err := c.send.make(req, request{name, true, judgeGraphQL})
	if err != nil {
		return plain(ctx, err)
	}
	var told reply
	if err := json.Unmarshal(a.body, &told); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if len(told.Errors) > 0 {
		return told.refusal(c.send, name)
	}
	return json.Unmarshal(told.Data, into)
}

// A reply is the body of a GraphQL answer. It may have errors although the HTTP status is a success.
type reply struct {
	Data   json.RawMessage
	Errors []struct{ Type, Message string }
}

func (r reply) refusal(s *sender, name string) error {
	no := refusal{name, http.StatusOK, s.clean(r.Errors[0].Message), 1}
	switch r.Errors[0].Type {
	case "FORBIDDEN", "INSUFFICIENT_SCOPES":
		return Forbidden{no}
	case "NOT_FOUND":
		return NotFound{no}
	case "UNPROCESSABLE":
		return Unprocessable{refusal: no}
	}
	return Refused{no}
}

// judgeGraphQL recognises the rate limit and the timeouts that come with status 200 (docs.github.com,
// "Rate limits and query limits for the GraphQL API"; yanyongyu/githubkit issue 271 for the other name).
func judgeGraphQL(a answer) verdict {
	if a.StatusCode != http.StatusOK {
		if what := judgeREST(a); what != done {
			return what
		}
		return refused // a redirect
	}
	var told reply
	if json.Unmarshal(a.body, &told) != nil || (len(told.Data) == 0 && len(told.Errors) == 0) {
		return failed
	}
	for _, e := range told.Errors {
		switch said := strings.ToLower(e.Message); {
		case e.Type == "RATE_LIMITED" || e.Type == "RATE_LIMIT" || strings.Contains(said, "secondary rate limit"):
			return turnedAway
		case e.Type == "" && strings.HasPrefix(said, "something went wrong"):
			return failed
		}
	}
	return done
}
