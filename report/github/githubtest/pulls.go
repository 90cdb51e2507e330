package githubtest

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
)

// mostFiles is the maximum number of listed files of a pull request (docs.github.com, REST, "List pull requests files").
const mostFiles = 3000

func (h *Hub) listPulls(c *call) reply {
	state, head, base := cmp.Or(c.query.Get("state"), "open"), c.query.Get("head"), c.query.Get("base")
	return c.list(h.showPulls(func(p *pull) bool {
		return (state == "all" || p.State == state) && (base == "" || p.Base.Ref == base) && p.from(head)
	}), plain)
}

// from reports whether head is "owner:branch" of the pull request; anything else is passed over, as GitHub does.
func (p *pull) from(head string) bool {
	owner, branch, ok := strings.Cut(head, ":")
	of, _, _ := strings.Cut(p.Head.Repository, "/")
	return !ok || (strings.EqualFold(of, owner) && p.Head.Ref == branch)
}

func (h *Hub) pullsOf(c *call) reply {
	return c.list(h.showPulls(func(p *pull) bool { return slices.Contains(p.commits, c.args[0]) || p.MergedAs == c.args[0] }), plain)
}

// showPulls shows some pull requests, newest first.
func (h *Hub) showPulls(which func(*pull) bool) []object {
	var some []*pull
	for _, p := range h.pulls {
		if which(p) {
			some = append(some, p)
		}
	}
	slices.SortFunc(some, func(a, b *pull) int { return cmp.Compare(b.Number, a.Number) })
	var shown []object
	for _, p := range some {
		shown = append(shown, p.show())
	}
	return shown
}

func (p *pull) show() object {
	o := object{
		"number": p.Number, "title": p.Title, "state": p.State, "draft": p.Draft, "locked": p.locked,
		"head": p.Head.show(), "base": p.Base.show(), "merged_at": nil,
	}
	if p.Author != "" {
		o["user"] = user(p.Author)
	}
	if p.Merged {
		o["merged_at"] = "2026-11-01T12:00:00Z"
	}
	return o
}

func (s Side) show() object {
	o := object{"sha": s.SHA, "ref": s.Ref, "repo": nil}
	if owner, name, ok := strings.Cut(s.Repository, "/"); ok {
		o["label"] = owner + ":" + s.Ref
		o["repo"] = object{"full_name": s.Repository, "name": name, "owner": user(owner)}
	}
	return o
}

func (h *Hub) pull(c *call) *pull { return h.pulls[int(c.number(0))] }

func (h *Hub) getPull(c *call) reply {
	p := h.pull(c)
	if p == nil {
		return notFound
	}
	o := p.show()
	o["merged"] = p.Merged
	return ok(o)
}

func (h *Hub) listFiles(c *call) reply {
	p := h.pull(c)
	if p == nil {
		return notFound
	}
	var all []object
	for _, f := range p.Files[:min(len(p.Files), mostFiles)] {
		o := object{"filename": f.Path, "status": cmp.Or(f.Status, "modified")}
		if f.Previous != "" {
			o["previous_filename"] = f.Previous
		}
		if f.Patch != "" {
			o["patch"] = f.Patch
		}
		all = append(all, o)
	}
	return c.list(all, plain)
}

// locked is the error for an account without write access in a locked conversation.
var locked = fail(http.StatusForbidden, "Unable to create comment because issue is locked.")
