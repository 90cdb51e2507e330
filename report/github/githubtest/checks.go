package githubtest

import (
	"fmt"
	"net/http"
	"unicode/utf8"
)

// A checkBody is the body of both requests that write a check run.
type checkBody struct {
	Name, Status, Conclusion string
	Head                     string `json:"head_sha"`
	External                 string `json:"external_id"`
	Output                   *struct {
		Title, Summary, Text string
		Annotations          []Annotation
	}
}

const mostAnnotations = 50

func (h *Hub) createCheck(c *call) reply {
	if !c.by.app {
		return fail(http.StatusForbidden, "You must authenticate via a GitHub App.")
	}
	r := &checkRun{author: c.by.Login, Status: "queued"}
	if no, bad := r.take(c); bad {
		return no
	}
	r.ID = h.id()
	h.checks = append(h.checks, r)
	return created(r.show())
}

func (h *Hub) updateCheck(c *call) reply {
	r := h.check(c)
	switch {
	case r == nil:
		return notFound
	case r.author != c.by.Login:
		return fail(http.StatusForbidden, "Invalid app_id for check run")
	}
	if no, bad := r.take(c); bad {
		return no
	}
	return ok(r.show())
}

// take sets the fields of a check run from a request, and appends its annotations.
func (r *checkRun) take(c *call) (reply, bool) {
	var in checkBody
	if !c.read(&in) {
		return fail(http.StatusBadRequest, "Problems parsing JSON"), true
	}
	if out := in.Output; out != nil {
		if len(out.Annotations) > mostAnnotations {
			return fail(http.StatusUnprocessableEntity, fmt.Sprintf("Invalid request.\n\nNo more than %d items are allowed; %d were supplied.", mostAnnotations, len(out.Annotations))), true
		}
		if utf8.RuneCountInString(out.Summary) > 65535 || utf8.RuneCountInString(out.Text) > 65535 {
			return invalid("CheckRun", "output", "invalid", "Only 65535 characters are allowed"), true
		}
		r.Title, r.Summary, r.text = out.Title, out.Summary, out.Text
		r.Annotations = append(r.Annotations, out.Annotations...)
	}
	for _, set := range []struct {
		to    *string
		value string
	}{{&r.name, in.Name}, {&r.head, in.Head}, {&r.External, in.External}, {&r.Status, in.Status}, {&r.Conclusion, in.Conclusion}} {
		if set.value != "" {
			*set.to = set.value
		}
	}
	if in.Conclusion != "" {
		r.Status = "completed"
	}
	return reply{}, false
}

func (r *checkRun) show() object {
	o := object{
		"id": r.ID, "name": r.name, "head_sha": r.head, "external_id": r.External, "status": r.Status, "conclusion": nil,
		"output": object{"title": r.Title, "summary": r.Summary, "text": r.text, "annotations_count": len(r.Annotations)},
	}
	if r.Conclusion != "" {
		o["conclusion"] = r.Conclusion
	}
	return o
}

func (h *Hub) check(c *call) *checkRun {
	for _, r := range h.checks {
		if r.ID == c.number(0) {
			return r
		}
	}
	return nil
}

func (h *Hub) getCheck(c *call) reply {
	if r := h.check(c); r != nil {
		return ok(r.show())
	}
	return notFound
}

func (h *Hub) listAnnotations(c *call) reply {
	r := h.check(c)
	if r == nil {
		return notFound
	}
	var all []object
	for _, a := range r.Annotations {
		all = append(all, object{"path": a.Path, "start_line": a.StartLine, "end_line": a.EndLine, "annotation_level": a.Level, "title": a.Title, "message": a.Message})
	}
	return c.list(all, plain)
}

// listChecks lists the last one of each name, or all.
func (h *Hub) listChecks(c *call) reply {
	var all []object
	last := map[string]int{}
	for _, r := range h.checks {
		if name := c.query.Get("check_name"); r.head != c.args[0] || (name != "" && name != r.name) {
			continue
		}
		if at, ok := last[r.name]; ok && c.query.Get("filter") != "all" {
			all[at] = r.show()
			continue
		}
		last[r.name] = len(all)
		all = append(all, r.show())
	}
	return c.list(all, func(some []object) any { return object{"total_count": len(all), "check_runs": some} })
}

func (h *Hub) createStatus(c *call) reply {
	var in struct {
		State, Context, Description string
		Target                      string `json:"target_url"`
	}
	if !c.read(&in) {
		return fail(http.StatusBadRequest, "Problems parsing JSON")
	}
	if utf8.RuneCountInString(in.Description) > 140 {
		return invalid("Status", "description", "custom", "description is too long (maximum is 140 characters)")
	}
	s := &Status{h.id(), c.args[0], in.Context, in.State, in.Description, in.Target, c.by.Login}
	h.statuses = append(h.statuses, s)
	return created(s.show())
}

func (s *Status) show() object {
	return object{"id": s.ID, "context": s.Context, "state": s.State, "description": s.Description, "target_url": s.URL, "creator": user(s.Creator)}
}

// listStatuses lists a commit's statuses, newest first.
func (h *Hub) listStatuses(c *call) reply {
	var all []object
	for i := len(h.statuses) - 1; i >= 0; i-- {
		if h.statuses[i].SHA == c.args[0] {
			all = append(all, h.statuses[i].show())
		}
	}
	return c.list(all, plain)
}
