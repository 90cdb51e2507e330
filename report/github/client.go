package github

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	gh "github.com/google/go-github/v60/github"
)

// publicAPI is the address of GitHub's own API. That of an Enterprise server is https://host/api/v3.
const publicAPI = "https://api.github.com"

// A Config has the address of the API, the repository and the token.
type Config struct {
	API        string // GITHUB_API_URL, with or without a final slash; empty: PublicAPI
	GraphQL    string // GITHUB_GRAPHQL_URL; empty: the one that belongs to API
	Token      string // empty: requests have no token
	Repository string // owner/name

	// Wait replaces waiting; nil waits. It returns context.Cause once ctx is done.
	Wait func(ctx context.Context, d time.Duration) error
}

// A Client makes requests to GitHub about one repository. It is safe for concurrent use.
type Client struct {
	owner, name string
	graphql     string
	rest        *gh.Client
	send        *sender
}

var (
	repository = regexp.MustCompile(`^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$`)
	token      = regexp.MustCompile(`^[!-~]*$`)
)

// New returns a Client. It makes no request.
func New(c Config) (*Client, error) {
	owner, name, _ := strings.Cut(c.Repository, "/")
	if !repository.MatchString(c.Repository) || strings.Trim(owner, ".") == "" || strings.Trim(name, ".") == "" {
		return nil, fmt.Errorf("%q is no repository: it should be owner/name", c.Repository)
	}
	if !token.MatchString(c.Token) {
		return nil, errors.New("the token contains a blank, a line end or another character that tokens don't have: copy it again")
	}
	api, err := address(c.API, publicAPI)
	if err != nil {
		return nil, fmt.Errorf("the API's address (GITHUB_API_URL): %w", err)
	}
	graphql, err := address(c.GraphQL, graphqlOf(api))
	if err != nil {
		return nil, fmt.Errorf("the address of GraphQL (GITHUB_GRAPHQL_URL): %w", err)
	}
	send := newSender(c.Token, c.Wait, api, graphql)
	rest := gh.NewClient(&http.Client{Transport: send, CheckRedirect: send.redirect})
	rest.BaseURL, rest.UserAgent = api.JoinPath("/"), "redline"
	return &Client{owner: owner, name: name, graphql: graphql.String(), rest: rest, send: send}, nil
}

// address parses an address of http or https without credentials.
func address(given, otherwise string) (*url.URL, error) {
	if given == "" {
		given = otherwise
	}
	u, err := url.Parse(given)
	switch {
	case err != nil:
		return nil, errors.New("it can't be read") // the error would show all of it
	case u.User != nil:
		return nil, errors.New("it contains a user name or a password: leave them out")
	case (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" || u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("%q is no address like %s", given, publicAPI)
	}
	u.Path = strings.TrimRight(u.Path, "/")
	return u, nil
}

// graphqlOf returns the address of GraphQL for a REST API: https://host/api/graphql for
// https://host/api/v3 (docs.github.com, Enterprise Server, "Forming calls with GraphQL").
func graphqlOf(api *url.URL) string {
	beside := *api
	beside.Path = strings.TrimSuffix(api.Path, "/v3") + "/graphql"
	return beside.String()
}

// CommentLimit is the maximum length of a comment, in characters (GitHub's error is "body is
// too long (maximum is 65536 characters)").
const CommentLimit = 65536

// fits returns a TooLong error for a text that GitHub would refuse.
func fits(what, text string, limit int) error {
	if n := utf8.RuneCountInString(text); n > limit {
		return TooLong{what, n, limit}
	}
	return nil
}

const (
	perPage   = 100 // GitHub's maximum
	mostPages = 100
)

// pages requests one page after the other and returns what of makes of their rows, each once. GitHub counts rows anew for each page. So a row that
// is added or removed meanwhile moves others to a page that was read already, or that is read next, and these are listed twice. Of two
// rows with one id, the later one counts.
func pages[T, R any, ID comparable](ctx context.Context, what string, id func(T) ID, of func(T) R, ask func(gh.ListOptions) ([]T, *gh.Response, error)) ([]R, error) {
	var all []R
	at := map[ID]int{}
	for page := 1; page <= mostPages; {
		some, answer, err := ask(gh.ListOptions{Page: page, PerPage: perPage})
		if err != nil {
			return nil, plain(ctx, err)
		}
		for _, row := range some {
			if i, again := at[id(row)]; again {
				all[i] = of(row)
				continue
			}
			at[id(row)] = len(all)
			all = append(all, of(row))
		}
		if answer.NextPage == 0 {
			return all, nil
		}
		if answer.NextPage <= page {
			return nil, fmt.Errorf("listing %s: the page after %d is said to be %d", what, page, answer.NextPage)
		}
		page = answer.NextPage
	}
	return nil, fmt.Errorf("listing %s: there are more than %d", what, mostPages*perPage)
}

// made returns the error of a request that creates something. An answer without an id, which is never 0, does not prove that it was created.
func made(ctx context.Context, what string, id int64, err error) error {
	if err == nil && id == 0 {
		return Uncertain{"making " + what, errors.New("the answer has no id")}
	}
	return plain(ctx, err)
}

// plain removes what net/http wraps around errors of this package.
func plain(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var outer *url.Error
	if errors.As(err, &outer) {
		return outer.Err
	}
	return err
}
