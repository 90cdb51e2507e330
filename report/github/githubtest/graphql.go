package githubtest

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// A node is an object of GraphQL: what each of its fields is, given the arguments.
type node struct {
	kind   string
	fields map[string]func(args object) (any, error)
}

// A refusal is a GraphQL error with its type.
type refusal struct{ kind, message string }

func (r refusal) Error() string { return r.message }

var forbiddenThere = refusal{"FORBIDDEN", "Resource not accessible by integration"}

// graphql answers a GraphQL request; refusals come with status 200. There is no description of it here, so what
// can't be read is a problem.
func (h *Hub) graphql(c *call) (reply, string) {
	var in struct {
		Query     string
		Variables object
	}
	if c.method != http.MethodPost || !c.read(&in) {
		return fail(http.StatusBadRequest, "Problems parsing JSON"), "no GraphQL request"
	}
	kind, selection, err := parse(in.Query, in.Variables)
	root := h.query(c)
	if kind == "mutation" {
		root = h.mutation(c)
	}
	problem := ""
	if err == nil {
		var data any
		if data, err = root.pick(selection); err == nil {
			return ok(object{"data": data}), ""
		}
	}
	no, known := err.(refusal)
	if !known {
		problem = err.Error()
	}
	told := object{"message": err.Error()}
	if no.kind != "" {
		told["type"] = no.kind
	}
	return ok(object{"data": nil, "errors": []object{told}}), problem
}

// pick returns the selected fields.
func (n node) pick(selection []field) (object, error) {
	if len(selection) == 0 {
		return nil, fmt.Errorf("field must have selections (returns %s)", n.kind)
	}
	picked := object{}
	for _, f := range selection {
		get, ok := n.fields[f.name]
		if !ok {
			return nil, fmt.Errorf("field '%s' doesn't exist on type '%s'", f.name, n.kind)
		}
		value, err := get(f.args)
		if err == nil {
			picked[f.name], err = f.open(value)
		}
		if err != nil {
			return nil, err
		}
	}
	return picked, nil
}

func (f field) open(value any) (any, error) {
	switch v := value.(type) {
	case node:
		return v.pick(f.of)
	case *node:
		if v == nil {
			return nil, nil
		}
		return v.pick(f.of)
	case []node:
		all := []any{}
		for _, one := range v {
			picked, err := one.pick(f.of)
			if err != nil {
				return nil, err
			}
			all = append(all, picked)
		}
		return all, nil
	}
	if len(f.of) > 0 {
		return nil, fmt.Errorf("selections can't be made on scalars (field '%s')", f.name)
	}
	return value, nil
}

func is(value any) func(object) (any, error) {
	return func(object) (any, error) { return value, nil }
}

func (h *Hub) query(c *call) node {
	return node{"Query", map[string]func(object) (any, error){
		"viewer": func(object) (any, error) {
			if c.by.Hidden {
				return nil, forbiddenThere
			}
			return node{"User", map[string]func(object) (any, error){"login": is(c.by.Login)}}, nil // neuralinkcorp/datarepo pull request 62
		},
		"repository": func(args object) (any, error) {
			if !strings.EqualFold(fmt.Sprint(args["owner"], "/", args["name"]), h.Repository) {
				return nil, refusal{"NOT_FOUND", fmt.Sprintf("Could not resolve to a Repository with the name '%v/%v'.", args["owner"], args["name"])}
			}
			return node{"Repository", map[string]func(object) (any, error){"pullRequest": func(args object) (any, error) { return h.pullNode(c, args) }}}, nil
		},
	}}
}

func (h *Hub) pullNode(c *call, args object) (any, error) {
	n, _ := strconv.Atoi(fmt.Sprint(args["number"])) // else there is none of that number
	p := h.pulls[n]
	if p == nil {
		return nil, refusal{"NOT_FOUND", fmt.Sprintf("Could not resolve to a PullRequest with the number of %v.", args["number"])}
	}
	if !h.may(c.by, "pull-requests: read") {
		return nil, forbiddenThere
	}
	return node{"PullRequest", map[string]func(object) (any, error){
		"reviewThreads": func(args object) (any, error) { return h.threads(p, args) },
		"headRefOid":    is(p.Head.SHA),
		"author":        is(account("Actor", p.Author)),
		"commits":       func(args object) (any, error) { return h.commitNodes(p, args) },
	}}, nil
}

// threads are a page of a pull request's.
func (h *Hub) threads(p *pull, args object) (any, error) {
	var all []node
	for _, c := range h.inline {
		if c.pull == p.Number && c.InReplyTo == 0 {
			all = append(all, h.threadNode(c))
		}
	}
	return connection("PullRequestReviewThread", "reviewThreads", all, args)
}

// connection returns a page of nodes.
func connection(kind, name string, all []node, args object) (any, error) {
	first, err := strconv.Atoi(fmt.Sprint(args["first"]))
	if err != nil || first < 1 || first > 100 {
		return nil, refusal{"EXCESSIVE_PAGINATION", "Requesting records on the `" + name + "` connection must be between 1 and 100."}
	}
	from := 0
	if after, ok := args["after"].(string); ok {
		if from, err = strconv.Atoi(strings.TrimPrefix(after, "cursor:")); err != nil {
			return nil, refusal{"INVALID_CURSOR_ARGUMENTS", fmt.Sprintf("`%s` does not appear to be a valid cursor.", after)}
		}
	}
	to := min(len(all), from+first)
	return node{kind + "Connection", map[string]func(object) (any, error){
		"totalCount": is(len(all)), "nodes": is(all[min(from, to):to]),
		"pageInfo": is(node{"PageInfo", map[string]func(object) (any, error){
			"hasNextPage": is(to < len(all)), "endCursor": is(fmt.Sprint("cursor:", to)),
		}}),
	}}, nil
}

func (h *Hub) threadNode(first *ReviewComment) node {
	return node{"PullRequestReviewThread", map[string]func(object) (any, error){
		"id": is(first.Thread), "isResolved": is(first.Resolved), "isOutdated": is(first.Outdated), "path": is(first.Path),
		"comments": func(object) (any, error) {
			var all []node
			for _, c := range h.inline {
				if c.Thread == first.Thread {
					all = append(all, node{"PullRequestReviewComment", map[string]func(object) (any, error){"id": is(c.Node), "body": is(c.Body)}})
				}
			}
			return node{"PullRequestReviewCommentConnection", map[string]func(object) (any, error){"nodes": is(all)}}, nil
		},
	}}
}

func (h *Hub) mutation(c *call) node {
	return node{"Mutation", map[string]func(object) (any, error){
		"resolveReviewThread": func(args object) (any, error) {
			return h.resolve(c, "ResolveReviewThreadPayload", input(args, "threadId"), true)
		},
		"unresolveReviewThread": func(args object) (any, error) {
			return h.resolve(c, "UnresolveReviewThreadPayload", input(args, "threadId"), false)
		},
		"minimizeComment": func(args object) (any, error) { return h.minimize(c, args) },
	}}
}

func input(args object, name string) string {
	in, _ := args["input"].(object)
	text, _ := in[name].(string)
	return text
}

// resolve wants contents: write besides (github/gh-aw issue 35726; oven-sh/bun pull request 40468).
func (h *Hub) resolve(c *call, payload, id string, to bool) (any, error) {
	if !h.may(c.by, "pull-requests: write") || !h.may(c.by, "contents: write") {
		return nil, forbiddenThere
	}
	var found *ReviewComment
	for _, r := range h.inline {
		if r.Thread == id {
			r.Resolved = to
			if found == nil {
				found = r
			}
		}
	}
	if found == nil {
		return nil, refusal{"NOT_FOUND", fmt.Sprintf("Could not resolve to a node with the global id of '%s'", id)}
	}
	return node{payload, map[string]func(object) (any, error){"thread": is(h.threadNode(found))}}, nil
}

func (h *Hub) minimize(c *call, args object) (any, error) {
	if !h.may(c.by, "issues|pull-requests: write") {
		return nil, forbiddenThere
	}
	if why := input(args, "classifier"); why != "OUTDATED" && why != "RESOLVED" && why != "DUPLICATE" {
		return nil, fmt.Errorf("argument 'classifier' on InputObject 'MinimizeCommentInput' has an invalid value (%s)", why)
	}
	id := input(args, "subjectId")
	for _, one := range h.everyComment() {
		if one.Node == id {
			one.Minimized = true
			done := node{"Minimizable", map[string]func(object) (any, error){"isMinimized": is(true)}}
			return node{"MinimizeCommentPayload", map[string]func(object) (any, error){"minimizedComment": is(done)}}, nil
		}
	}
	return nil, refusal{"NOT_FOUND", fmt.Sprintf("Could not resolve to a node with the global id of '%s'", id)}
}

func (h *Hub) everyComment() []*Comment {
	all := append([]*Comment(nil), h.comments...)
	for _, r := range h.inline {
		all = append(all, &r.Comment)
	}
	return all
}
