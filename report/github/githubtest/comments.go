package githubtest

import (
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"
)

// mostCharacters is the maximum length of a comment.
const mostCharacters = 65536

const tooLong = "Body is too long (maximum is 65536 characters)"

// badBody rejects an invalid text of a comment (jmikedupont2/ai-ticket issue 51).
func badBody(resource, body string) (reply, bool) {
	switch {
	case strings.TrimSpace(body) == "":
		return invalid(resource, "data", "unprocessable", "Body cannot be blank"), true
	case utf8.RuneCountInString(body) > mostCharacters:
		return invalid(resource, "data", "unprocessable", tooLong), true
	}
	return reply{}, false
}

func (h *Hub) show(c *Comment) object {
	return object{"id": c.ID, "node_id": c.Node, "user": user(c.Author), "body": c.Body,
		"html_url": fmt.Sprintf("https://github.com/%s/pull/%d#issuecomment-%d", h.Repository, c.pull, c.ID)}
}

func (h *Hub) listComments(c *call) reply {
	p := h.pull(c)
	if p == nil {
		return notFound
	}
	var all []object
	for _, one := range h.comments {
		if one.pull == p.Number {
			all = append(all, h.show(one))
		}
	}
	return c.list(all, plain)
}

func (h *Hub) createComment(c *call) reply {
	p := h.pull(c)
	var in struct{ Body string }
	if p == nil {
		return notFound
	}
	if p.locked && c.by.app {
		return locked
	}
	if !c.read(&in) {
		return fail(http.StatusBadRequest, "Problems parsing JSON")
	}
	if no, bad := badBody("IssueComment", in.Body); bad {
		return no
	}
	return created(h.show(h.say(p.Number, c.by.Login, in.Body)))
}

func (h *Hub) comment(c *call) *Comment {
	for _, one := range h.comments {
		if one.ID == c.number(0) {
			return one
		}
	}
	return nil
}

func (h *Hub) getComment(c *call) reply {
	if one := h.comment(c); one != nil {
		return ok(h.show(one))
	}
	return notFound
}

// editComment edits anybody's comment, as GitHub lets everybody do who may write.
func (h *Hub) editComment(c *call) reply {
	one := h.comment(c)
	if one == nil {
		return notFound
	}
	if no, bad := one.edit(c, "IssueComment"); bad {
		return no
	}
	return ok(h.show(one))
}

func (one *Comment) edit(c *call, resource string) (reply, bool) {
	var in struct{ Body string }
	if !c.read(&in) {
		return fail(http.StatusBadRequest, "Problems parsing JSON"), true
	}
	if no, bad := badBody(resource, in.Body); bad {
		return no, true
	}
	one.Body, one.EditedBy = in.Body, append(one.EditedBy, c.by.Login)
	return reply{}, false
}

func (h *Hub) deleteComment(c *call) reply {
	for i, one := range h.comments {
		if one.ID == c.number(0) {
			h.comments = append(h.comments[:i:i], h.comments[i+1:]...)
			return reply{status: http.StatusNoContent}
		}
	}
	return notFound
}
