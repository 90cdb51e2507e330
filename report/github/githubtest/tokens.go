package githubtest

import (
	"net/http"
	"strings"
	"time"
)

// A Token is what a request shows to say who it is.
type Token struct {
	Login       string
	app         bool              // a GitHub App's or a job's, else a person's
	permissions map[string]string // by the names that workflows use: read or write
	Hidden      bool              // neither GraphQL nor REST shows its holder
}

// Job is the token of a workflow's job with these permissions, each written as in a workflow:
// "pull-requests: write".
func Job(permissions ...string) Token { return App("github-actions", permissions...) }

// App is the token of a GitHub App's installation.
func App(slug string, permissions ...string) Token {
	t := Token{Login: slug + "[bot]", app: true, permissions: map[string]string{}}
	for _, p := range permissions {
		name, level, _ := strings.Cut(p, ": ")
		t.permissions[name] = level
	}
	return t
}

// Person returns a token of a person with all permissions.
func Person(login string) Token { return Token{Login: login} }

type holder struct {
	Token
	used    int // requests of this hour
	since   time.Time
	created []time.Time
}

// Allow makes a token known, or gives it other permissions.
func (h *Hub) Allow(token string, as Token) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if known := h.tokens[token]; known != nil {
		known.Token = as
		return
	}
	h.tokens[token] = &holder{Token: as}
}

// may reports whether a token has one of the permissions in need, as "issues|pull-requests: write".
func (h *Hub) may(t Token, need string) bool {
	names, level, _ := strings.Cut(need, ": ")
	if need == "" || (level == "read" && !h.Private) || !t.app {
		return true
	}
	for name := range strings.SplitSeq(names, "|") {
		if has := t.permissions[name]; has == level || has == "write" {
			return true
		}
	}
	return false
}

// forbidden is the error for an app or a job without the permission
// (actions/create-github-app-token issue 258).
var forbidden = fail(http.StatusForbidden, "Resource not accessible by integration")

// holder returns the holder of the token of a request.
func (h *Hub) holder(r *http.Request) *holder {
	_, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return h.tokens[token]
}
