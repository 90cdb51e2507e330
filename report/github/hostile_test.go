package github_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redlinehq/redline/report/github"
)

// serve is a client of a server that is no GitHub.
func serve(t *testing.T, handle http.HandlerFunc) *github.Client {
	t.Helper()
	s := httptest.NewServer(handle)
	t.Cleanup(s.Close)
	return to(t, s.URL)
}

func to(t *testing.T, address string) *github.Client {
	t.Helper()
	c, err := github.New(github.Config{API: address, Token: token, Repository: "acme/deals", Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }})
	ok(t, err)
	return c
}

func calls(t *testing.T, c *github.Client) map[string]error {
	_, get := c.Comments(t.Context(), 7)
	_, post := c.CreateComment(t.Context(), 7, "x")
	_, author := c.Author(t.Context())
	return map[string]error{"GET": get, "POST": post, "PATCH": c.EditComment(t.Context(), 1, "x"), "GraphQL": c.Resolve(t.Context(), "x"), "author": author}
}

func TestTokenStaysSecret(t *testing.T) {
	for _, status := range []int{200, 204, 301, 304, 400, 401, 403, 404, 409, 410, 422, 429, 451, 500, 502} {
		c := serve(t, func(w http.ResponseWriter, r *http.Request) {
			shown := r.Header.Get("Authorization")
			if !strings.HasSuffix(shown, token) {
				t.Error("the request has no token")
			}
			w.Header().Set("Location", "https://example.com/?token="+token)
			w.WriteHeader(status)
			fmt.Fprintf(w, `{"message": "%s\u001b[31m\n::error::\u202e", "errors": ["%s", {"message": "%s"}, {"code": "%s"}, {"type": "X", "message": "%s"}]}`, shown, shown, shown, shown, shown)
		})
		for name, err := range calls(t, c) {
			switch text := fmt.Sprintf("%v %+v %#v", err, err, err); {
			case err == nil && status >= 400 && name != "author":
				t.Errorf("%s: %d is no error", name, status)
			case strings.Contains(text, token[5:]):
				t.Errorf("%s %d shows the token: %s", name, status, text)
			case err != nil && strings.ContainsAny(err.Error(), "\n\x1b\u202e"):
				t.Errorf("%s %d shows control characters: %q", name, status, err)
			}
		}
	}
}

func TestGarbledAnswers(t *testing.T) {
	for _, answer := range []string{"", "null", "[", "{}", `[]`, `"x"`, "<html>", `[{"id": "x"}]`, `{"message": {}}`, `{"data": 1}`, `{"data": null}`, `{"errors": [{}]}`} {
		c := serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, answer) })
		for name, err := range calls(t, c) {
			if err != nil && (len(err.Error()) > 600 || err.Error() == "") {
				t.Errorf("%s, %q: %v", name, answer, err)
			}
		}
		if _, err := c.CreateComment(t.Context(), 7, "x"); err == nil {
			t.Errorf("%q is taken for a comment", answer)
		}
	}
}

func TestRedirects(t *testing.T) {
	var elsewhere, there atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
	defer other.Close()
	target := other.URL
	code, again := http.StatusMovedPermanently, 0
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/repositories/1") {
			there.Add(1)
			if r.Header.Get("Authorization") != "Bearer "+token || (r.Method == "POST" && r.ContentLength < 5) {
				t.Errorf("%s without token or body", r.Method)
			}
			fmt.Fprint(w, map[string]string{"GET": `[]`, "POST": `{"id": 1}`}[r.Method])
			return
		}
		again++
		http.Redirect(w, r, target+"/x", code)
	})
	for _, code = range []int{301, 302, 307, 308} {
		for name, err := range calls(t, c) {
			if err == nil && name != "author" { // which then takes itself for a job's
				t.Errorf("%s follows a %d to another host", name, code)
			}
		}
	}
	if elsewhere.Load() > 0 {
		t.Errorf("another host met %d requests", elsewhere.Load())
	}
	target, code = "/repositories/1", 301
	must[[]github.Comment](t)(c.Comments(t.Context(), 7))
	_, err := c.CreateComment(t.Context(), 7, "x")
	is[github.Refused](t, err) // it would become a GET
	code = 307
	must[github.Comment](t)(c.CreateComment(t.Context(), 7, "x"))
	if there.Load() != 2 {
		t.Errorf("%d requests arrived", there.Load())
	}
	target, again = "/again", 0
	_, err = c.Comments(t.Context(), 7)
	if is[github.Refused](t, err); again != 5 {
		t.Errorf("%d redirects were followed", again)
	}
}

func TestPagesWithoutEnd(t *testing.T) {
	var requests atomic.Int32
	next := func(page string) string { return "1" + page }
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		if r.URL.Path == "/graphql" {
			fmt.Fprint(w, `{"data":{"repository":{"pullRequest":{"reviewThreads":{"pageInfo":{"hasNextPage":true,"endCursor":"x"},"nodes":[]}}}}}`)
			return
		}
		w.Header().Set("Link", fmt.Sprintf(`<http://%s/x?page=%s>; rel="next"`, r.Host, next(r.URL.Query().Get("page"))))
		fmt.Fprint(w, `[{"id": 1}]`)
	})
	if _, err := c.Comments(t.Context(), 7); err == nil || requests.Load() > 100 {
		t.Errorf("pages without end: %v after %d requests", err, requests.Load())
	}
	next = func(string) string { return "1" }
	if _, err := c.Comments(t.Context(), 7); err == nil {
		t.Error("pages in a circle are no error")
	}
	once := serve(t, func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		if r.URL.Path == "/graphql" {
			fmt.Fprint(w, `{"data":{"repository":{"pullRequest":{"reviewThreads":{"pageInfo":{"hasNextPage":true,"endCursor":"x"},"nodes":[]}}}}}`)
			return
		}
		fmt.Fprint(w, `[{"id": 1}]`)
	})
	requests.Store(0)
	if _, err := once.ReviewComments(t.Context(), 7); err == nil || requests.Load() != 101 {
		t.Errorf("threads without end: %v after %d requests", err, requests.Load())
	}
}

func TestNoServer(t *testing.T) {
	s := httptest.NewServer(nil)
	s.Close()
	for name, err := range calls(t, to(t, s.URL)) {
		if e := is[github.Unavailable](t, err); e.Tries != 5 { // nothing was sent, so a POST may be repeated
			t.Errorf("%s: %v", name, e)
		}
	}
}

// GitHub says with the last request that is allowed that none is left; go-github would then refuse to make the next one.
func TestLastRequest(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-RateLimit-Limit", "1000")
		w.Header().Set("X-RateLimit-Remaining", "0")
		w.Header().Set("X-RateLimit-Reset", fmt.Sprint(time.Now().Add(time.Hour).Unix()))
		fmt.Fprint(w, `[]`)
	})
	for range 2 {
		must[[]github.Comment](t)(c.Comments(t.Context(), 7))
	}
}

func TestWithoutGraphQL(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/repos/acme/deals/pulls/7/comments" {
			fmt.Fprint(w, `[{"id": 1, "line": 3}, {"id": 2, "line": null}, {"id": 3, "line": null, "subject_type": "file"}]`)
			return
		}
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"message": "Not Found"}`)
	})
	all := must[[]github.ReviewComment](t)(c.ReviewComments(t.Context(), 7))
	if len(all) != 3 || all[0].Thread != "" || all[0].Line != 3 || all[0].Outdated || !all[1].Outdated || all[2].Outdated {
		t.Errorf("got %+v", all)
	}
	if got := must[string](t)(c.Author(t.Context())); got != "" { // neither tells
		t.Errorf("got %s", got)
	}
}

func TestGraphQLHiccup(t *testing.T) {
	said := []string{
		`{"data": null, "errors": [{"message": "Something went wrong while executing your query. This may be the result of a timeout"}]}`,
		`{"errors": [{"type": "RATE_LIMITED", "message": "API rate limit exceeded"}]}`,
		`{"data": {"viewer": {"login": "alice"}}}`,
	}
	c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, said[0])
		said = said[1:]
	})
	if got := must[string](t)(c.Author(t.Context())); got != "alice" {
		t.Errorf("got %s", got)
	}
}

func TestConfig(t *testing.T) {
	good := github.Config{Repository: "acme/deals", Token: token}
	for name, change := range map[string]func(*github.Config){
		"repository":   func(c *github.Config) { c.Repository = "deals" },
		"path":         func(c *github.Config) { c.Repository = "acme/deals/../x" },
		"token":        func(c *github.Config) { c.Token = token + "\n" },
		"scheme":       func(c *github.Config) { c.API = "ftp://example.com" },
		"no address":   func(c *github.Config) { c.API = "example.com" },
		"unreadable":   func(c *github.Config) { c.API = "https://alice:" + token + "@exam ple.com" },
		"password":     func(c *github.Config) { c.API = "https://alice:" + token + "@example.com" },
		"query":        func(c *github.Config) { c.GraphQL = "https://example.com/?a" },
		"dots in name": func(c *github.Config) { c.Repository = "acme/.." },
	} {
		bad := good
		change(&bad)
		if _, err := github.New(bad); err == nil || strings.Contains(err.Error(), token) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := github.New(good); err != nil {
		t.Error(err)
	}
}

func TestRefusals(t *testing.T) {
	status := 0
	c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"message": %q, "errors": ["one", {"resource": "R", "field": "f", "code": "c"}, {"message": "three"}]}`, strings.Repeat("é", 1000))
	})
	for _, status = range []int{400, 401, 403, 404, 409, 410, 413, 422} {
		_, err := c.Comments(t.Context(), 7)
		switch status {
		case 401, 403:
			is[github.Forbidden](t, err)
		case 404, 410:
			is[github.NotFound](t, err)
		case 422:
			if u := is[github.Unprocessable](t, err); strings.Join(u.Reasons, ", ") != "one, R f c, three" {
				t.Errorf("reasons %q", u.Reasons)
			}
		default:
			is[github.Refused](t, err)
		}
		if len(err.Error()) > 800 || !strings.Contains(err.Error(), fmt.Sprintf("GET /repos/acme/deals/issues/7/comments: %d é", status)) {
			t.Errorf("%v", err)
		}
	}
}

// GitHub passes over a filter that it can't read; what it lists then is not from that branch.
func TestPassedOverFilter(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `[{"number": 1, "head": {"ref": "other"}}, {"number": 2, "head": {"ref": "amend"}}]`)
	})
	if got := must[[]github.PullRequest](t)(c.PullRequestsFrom(t.Context(), "eve", "amend")); len(got) != 1 || got[0].Number != 2 {
		t.Errorf("got %+v", got)
	}
}
