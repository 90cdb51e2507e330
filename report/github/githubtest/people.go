package githubtest

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// people holds permissions of accounts, and authors of commits.
type people struct {
	access  map[string]string          // admin, write, read; by login in lower case
	teams   map[string]map[string]bool // by organisation/team
	commits map[string]Commit
}

// A Commit as GraphQL shows it.
type Commit struct {
	SHA, Message      string
	Author, Committer Actor
	CoAuthors         []Actor // that GitHub finds in the message
}

// An Actor is the author or committer of a commit.
type Actor struct {
	Login       string // empty: GitHub knows no account with this address
	name, Email string
}

// Grant gives an account access to the repository: admin, write or read.
func (h *Hub) Grant(login, level string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.people.access == nil {
		h.people.access = map[string]string{}
	}
	h.people.access[strings.ToLower(login)] = level
}

// Team makes a team of an organisation.
func (h *Hub) Team(organisation, team string, members ...string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.people.teams == nil {
		h.people.teams = map[string]map[string]bool{}
	}
	in := map[string]bool{}
	for _, m := range members {
		in[strings.ToLower(m)] = true
	}
	h.people.teams[strings.ToLower(organisation+"/"+team)] = in
}

// Commit says who made a commit. One of which nothing is said was made by who opened the pull request.
func (h *Hub) Commit(c Commit) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.people.commits == nil {
		h.people.commits = map[string]Commit{}
	}
	h.people.commits[c.SHA] = c
}

// review adds a review of a pull request: APPROVE, REQUEST_CHANGES or COMMENT. An empty commit means its head.
func (h *Hub) Review(n int, author, event, commit string) review {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := &review{ID: h.id(), pull: n, author: author, Event: event, Commit: cmp.Or(commit, h.pulls[n].Head.SHA)}
	h.reviews = append(h.reviews, r)
	return *r
}

// Dismiss dismisses a review, which keeps its id.
func (h *Hub) Dismiss(id int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, r := range h.reviews {
		r.dismissed = r.dismissed || r.ID == id
	}
}

// getPermission returns read for an account without a permission of its own, since the repository is public, as GitHub does.
func (h *Hub) getPermission(c *call) reply {
	level := cmp.Or(h.people.access[strings.ToLower(c.args[0])], "read")
	return ok(object{"permission": level, "role_name": level, "user": user(c.args[0])})
}

// mayReadTeams is the permission that a job's token never has.
func (h *Hub) mayReadTeams(t Token) bool { return !t.app || t.permissions["members"] != "" }

func (h *Hub) getTeam(c *call) reply {
	if !h.mayReadTeams(c.by) {
		return forbidden
	}
	if _, ok := h.people.teams[strings.ToLower(c.args[0]+"/"+c.args[1])]; !ok {
		return notFound
	}
	return ok(object{"slug": c.args[1], "name": c.args[1]})
}

func (h *Hub) getMembership(c *call) reply {
	if !h.mayReadTeams(c.by) {
		return forbidden
	}
	if !h.people.teams[strings.ToLower(c.args[0]+"/"+c.args[1])][strings.ToLower(c.args[2])] {
		return notFound
	}
	return ok(object{"state": "active", "role": "member", "url": "https://api.github.com/teams/1/memberships/" + c.args[2]})
}

// account returns an account as GraphQL shows it; nil if there is none.
func account(kind, login string) *node {
	if login == "" {
		return nil
	}
	return &node{kind, map[string]func(object) (any, error){"login": is(login)}}
}

func (a Actor) node() node {
	login := a.Login
	if strings.HasSuffix(login, "]") { // a bot is no User, which is what the field is
		login = ""
	}
	return node{"GitActor", map[string]func(object) (any, error){"name": is(a.name), "email": is(a.Email), "user": is(account("User", login))}}
}

func (h *Hub) commitNodes(p *pull, args object) (any, error) {
	var all []node
	for _, sha := range p.commits {
		made, said := h.people.commits[sha]
		if !said {
			made = Commit{SHA: sha, Message: "amend", Author: Actor{Login: p.Author, name: p.Author, Email: p.Author + "@users.noreply.github.com"}}
			made.Committer = made.Author
		}
		authors := []node{made.Author.node()}
		for _, a := range made.CoAuthors {
			authors = append(authors, a.node())
		}
		commit := node{"Commit", map[string]func(object) (any, error){
			"oid": is(sha), "message": is(made.Message), "committer": is(made.Committer.node()),
			"authors": func(args object) (any, error) { return connection("GitActor", "authors", authors, args) },
		}}
		all = append(all, node{"PullRequestCommit", map[string]func(object) (any, error){"commit": is(commit)}})
	}
	return connection("PullRequestCommit", "commits", all, args)
}

// A Run of a workflow.
type Run struct {
	ID                                      int64
	Workflow                                string // its file's name
	Event, Head, Branch, Repository, Status string
	Number, Attempt                         int
}

// Ran adds a run of a workflow.
func (h *Hub) Ran(r Run) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.runs = append(h.runs, &r)
}

// Complete ends the runs that are under way.
func (h *Hub) Complete() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, r := range h.runs {
		r.Status = "completed"
	}
}

// Runs are all of a commit's, oldest first.
func (h *Hub) Runs(head string) []Run {
	h.mu.Lock()
	defer h.mu.Unlock()
	return copies(h.runs, func(r Run) bool { return r.Head == head })
}

// Branch says where a branch is.
func (h *Hub) Branch(name, sha string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.branches == nil {
		h.branches = map[string]string{}
	}
	h.branches[name] = sha
}

func (h *Hub) getBranch(c *call) reply {
	sha, known := h.branches[c.args[0]]
	if !known {
		return notFound
	}
	return ok(object{"ref": "refs/heads/" + c.args[0], "object": object{"sha": sha, "type": "commit"}})
}

func (r *Run) show() object {
	return object{"id": r.ID, "event": r.Event, "head_sha": r.Head, "head_branch": r.Branch, "status": r.Status, "run_number": r.Number,
		"run_attempt": r.Attempt, "path": ".github/workflows/" + r.Workflow, "head_repository": object{"full_name": r.Repository}}
}

// listRuns lists a workflow's runs, newest first.
func (h *Hub) listRuns(c *call) reply {
	var all []object
	for _, r := range slices.Backward(h.runs) {
		if event, head := c.query.Get("event"), c.query.Get("head_sha"); r.Workflow == c.args[0] && (event == "" || event == r.Event) && (head == "" || head == r.Head) {
			all = append(all, r.show())
		}
	}
	return c.list(all, func(some []object) any { return object{"total_count": len(all), "workflow_runs": some} })
}

func (h *Hub) run(c *call) *Run {
	for _, r := range h.runs {
		if r.ID == c.number(0) {
			return r
		}
	}
	return nil
}

func (h *Hub) getRun(c *call) reply {
	if r := h.run(c); r != nil {
		return ok(r.show())
	}
	return notFound
}

// rerun repeats a run that is over; one that is not is 403 (cli/cli issue 9221).
func (h *Hub) rerun(c *call) reply {
	r := h.run(c)
	switch {
	case r == nil:
		return notFound
	case r.Status != "completed":
		return fail(http.StatusForbidden, fmt.Sprintf("This workflow is already running (run %d)", r.ID))
	}
	r.Status, r.Attempt = "queued", r.Attempt+1
	return created(object{})
}
