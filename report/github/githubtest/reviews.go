package githubtest

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"
)

func (h *Hub) listReviews(c *call) reply {
	p := h.pull(c)
	if p == nil {
		return notFound
	}
	var all []object
	for _, r := range h.reviews {
		if r.pull == p.Number {
			all = append(all, r.show())
		}
	}
	return c.list(all, plain)
}

func (r *review) show() object {
	state := map[string]string{"COMMENT": "COMMENTED", "APPROVE": "APPROVED", "REQUEST_CHANGES": "CHANGES_REQUESTED"}[r.Event]
	if r.dismissed {
		state = "DISMISSED"
	}
	return object{"id": r.ID, "node_id": fmt.Sprintf("PRR_%d", r.ID), "user": user(r.author), "body": r.body, "state": cmp.Or(state, "PENDING"), "commit_id": r.Commit}
}

func (h *Hub) getReview(c *call) reply {
	for _, r := range h.reviews {
		if r.pull == int(c.number(0)) && r.ID == c.number(1) {
			return ok(r.show())
		}
	}
	return notFound
}

// createReview takes all of a review or nothing of it. A comment on nothing in particular needs a body (hubtty/hubtty
// pull request 128).
func (h *Hub) createReview(c *call) reply {
	p := h.pull(c)
	var in struct {
		Body, Event string
		Commit      string `json:"commit_id"`
		Comments    []anchor
	}
	switch {
	case p == nil:
		return notFound
	case p.locked && c.by.app:
		return locked
	case !c.read(&in):
		return fail(http.StatusBadRequest, "Problems parsing JSON")
	}
	in.Commit = cmp.Or(in.Commit, p.Head.SHA)
	objections := p.objections(in.Commit, in.Comments)
	if in.Body == "" && len(in.Comments) == 0 {
		objections = append(objections, "Review body can't be blank")
	}
	if utf8.RuneCountInString(in.Body) > mostCharacters {
		objections = append(objections, tooLong)
	}
	if len(objections) > 0 {
		return fail(http.StatusUnprocessableEntity, "Unprocessable Entity", sentence(objections))
	}
	r := &review{ID: h.id(), pull: p.Number, author: c.by.Login, body: in.Body, Event: in.Event, Commit: in.Commit}
	h.reviews = append(h.reviews, r)
	for _, a := range in.Comments {
		h.sayAt(p, c.by.Login, in.Commit, r.ID, a.sided(), a.Body)
	}
	return ok(r.show())
}

// objections do not say of which comment they are. A commit that a forced push took away is none of the pull
// request's any more (packsaddle/ruby-saddler issue 45).
func (p *pull) objections(commit string, comments []anchor) []string {
	if !slices.Contains(p.commits, commit) {
		return []string{"commit_id is not part of the pull request"}
	}
	var all []string
	for _, a := range comments {
		all = append(all, a.sided().objections(p.files[commit])...)
		if _, bad := badBody("", a.Body); bad {
			all = append(all, tooLong)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// sided returns the anchor with its default side filled in.
func (a anchor) sided() anchor {
	a.Side = cmp.Or(a.Side, right)
	return a
}

// sentence joins objections as GitHub does.
func sentence(all []string) string {
	if len(all) > 2 {
		return strings.Join(all[:len(all)-1], ", ") + ", and " + all[len(all)-1]
	}
	return strings.Join(all, " and ")
}

func (h *Hub) sayAt(p *pull, author, commit string, review int64, a anchor, body string) *ReviewComment {
	id := h.id()
	c := &ReviewComment{
		Comment: Comment{ID: id, Node: fmt.Sprintf("PRRC_%d", id), pull: p.Number, Author: author, Body: body},
		Path:    a.Path, startLine: a.StartLine, Line: a.Line, Side: a.Side, Commit: commit, review: review, Thread: fmt.Sprintf("PRRT_%d", id),
	}
	for _, f := range p.files[commit] {
		if l, ok := find(lines(f.Patch), a.Line, a.Side); ok && f.Path == a.Path {
			c.text = l.text
		}
	}
	if commit != p.Head.SHA {
		c.follow(p.Files)
	}
	h.inline = append(h.inline, c)
	return c
}

func (c *ReviewComment) show() object {
	o := object{
		"id": c.ID, "node_id": c.Node, "user": user(c.Author), "body": c.Body, "path": c.Path, "commit_id": c.Commit,
		"pull_request_review_id": c.review, "subject_type": "file",
	}
	if c.InReplyTo != 0 {
		o["in_reply_to_id"] = c.InReplyTo
	}
	if c.Side == "" {
		return o
	}
	o["subject_type"], o["side"] = "line", c.Side
	if !c.Outdated { // the description lets the line be absent; GitHub says null
		o["line"] = c.Line
	}
	if c.startLine != 0 {
		o["start_line"], o["start_side"] = c.startLine, c.Side
	}
	return o
}

func (h *Hub) listInline(c *call) reply {
	p := h.pull(c)
	if p == nil {
		return notFound
	}
	var all []object
	for _, one := range h.inline {
		if one.pull == p.Number {
			all = append(all, one.show())
		}
	}
	return c.list(all, plain)
}

// createInline makes a comment by itself, or an answer to one.
func (h *Hub) createInline(c *call) reply {
	p := h.pull(c)
	var in struct {
		anchor
		Commit    string `json:"commit_id"`
		Subject   string `json:"subject_type"`
		InReplyTo int64  `json:"in_reply_to"`
	}
	switch {
	case p == nil:
		return notFound
	case p.locked && c.by.app:
		return locked
	case !c.read(&in):
		return fail(http.StatusBadRequest, "Problems parsing JSON")
	}
	const resource = "PullRequestReviewComment"
	if no, bad := badBody(resource, in.Body); bad {
		return no
	}
	if !slices.Contains(p.commits, in.Commit) {
		return invalid(resource, "commit_id", "custom", "commit_id is not part of the pull request")
	}
	at := in.sided()
	if in.Subject == "file" {
		if !slices.ContainsFunc(p.files[in.Commit], func(f File) bool { return f.Path == in.Path }) {
			return invalid(resource, "pull_request_review_thread.path", "invalid", "")
		}
		at = anchor{Path: in.Path}
	} else if no := at.objections(p.files[in.Commit]); len(no) > 0 {
		return alone(at, no)
	}
	return created(h.sayAt(p, c.by.Login, in.Commit, h.id(), at, in.Body).show())
}

// alone returns the validation errors of a single comment, by field.
func alone(a anchor, objections []string) reply {
	var errors []any
	for _, text := range objections {
		text = strings.TrimPrefix(text, "Pull request review thread ")
		field := "line"
		for _, name := range []string{"start line", "diff hunk", "path"} {
			if strings.HasPrefix(text, name) {
				field = strings.ReplaceAll(name, " ", "_")
			}
		}
		field = "pull_request_review_thread." + field
		_, rest, _ := strings.Cut(text, strings.ReplaceAll(field[len("pull_request_review_thread."):], "_", " "))
		errors = append(errors, object{"resource": "PullRequestReviewComment", "code": "custom", "field": field, "message": field + rest})
	}
	return fail(http.StatusUnprocessableEntity, "Validation Failed", errors...)
}

func (h *Hub) getInline(c *call) reply {
	if one := h.inlineBy(c.number(0)); one != nil {
		return ok(one.show())
	}
	return notFound
}

func (h *Hub) editInline(c *call) reply {
	one := h.inlineBy(c.number(0))
	if one == nil {
		return notFound
	}
	if no, bad := one.edit(c, "PullRequestReviewComment"); bad {
		return no
	}
	return ok(one.show())
}

func (h *Hub) deleteInline(c *call) reply {
	if h.inlineBy(c.number(0)) == nil {
		return notFound
	}
	h.inline = slices.DeleteFunc(h.inline, func(one *ReviewComment) bool { return one.ID == c.number(0) })
	return reply{status: http.StatusNoContent}
}
