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

// PublicAPI is where GitHub's own API is; an Enterprise server's is https://host/api/v3.
const PublicAPI = "https://api.github.com"

// A Config says where the API is, for which repository, and as whom.
type Config struct {
	API        string // GITHUB_API_URL, with or without a slash at its end; empty: PublicAPI
	GraphQL    string // GITHUB_GRAPHQL_URL; empty: the one that belongs to API
	Token      string // empty: requests go out without one
	Repository string // owner/name

	// Wait takes the place of waiting; nil waits. It returns context.Cause when ctx is done.
	Wait func(ctx context.Context, d time.Duration) error
}

// A Client talks to GitHub about one repository. It may be used by several goroutines.
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

// New makes a Client. It makes no request.
func New(c Config) (*Client, error) {
	owner, name, _ := strings.Cut(c.Repository, "/")
	if !repository.MatchString(c.Repository) || strings.Trim(owner, ".") == "" || strings.Trim(name, ".") == "" {
		return nil, fmt.Errorf("%q is no repository: it should be owner/name", c.Repository)
	}
	if !token.MatchString(c.Token) {
		return nil, errors.New("the token has a blank, a line end or another character that no token has")
	}
	api, err := address(c.API, PublicAPI)
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

// address reads an address of http or https that holds no secret of its own.
func address(given, otherwise string) (*url.URL, error) {
	if given == "" {
		given = otherwise
	}
	u, err := url.Parse(given)
	switch {
	case err != nil:
		return nil, errors.New("it can't be read") // the cause would show all of it
	case u.User != nil:
		return nil, errors.New("it holds a user's name or password")
	case (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" || u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("%q is no address like %s", given, PublicAPI)
	}
	u.Path = strings.TrimRight(u.Path, "/")
	return u, nil
}

// graphqlOf is where GraphQL is beside the REST API: https://host/api/graphql beside
// https://host/api/v3 (docs.github.com, Enterprise Server, "Forming calls with GraphQL").
func graphqlOf(api *url.URL) string {
	beside := *api
	beside.Path = strings.TrimSuffix(api.Path, "/v3") + "/graphql"
	return beside.String()
}

// CommentLimit is how long a comment's text may be, in characters (GitHub's own words are "body is
// too long (maximum is 65536 characters)").
const CommentLimit = 65536

// fits refuses what GitHub would refuse, before it is sent.
func fits(what, text string, limit int) error {
	if n := utf8.RuneCountInString(text); n > limit {
		return TooLong{what, n, limit}
	}
	return nil
}

const (
	perPage   = 100 // the most GitHub gives
	mostPages = 100
)

// pages asks for page after page and returns the rows of all of them, each once. GitHub counts rows anew for each page, so a row that
// is added or removed meanwhile moves others to a page that was read already, or that is read next: they are listed twice. Of two
// rows with one id the later one counts, since it was read later.
func pages[T any, ID comparable](ctx context.Context, what string, id func(T) ID, ask func(gh.ListOptions) ([]T, *gh.Response, error)) ([]T, error) {
	var all []T
	at := map[ID]int{}
	for page := 1; page <= mostPages; {
		some, answer, err := ask(gh.ListOptions{Page: page, PerPage: perPage})
		if err != nil {
			return nil, plain(ctx, err)
		}
		for _, row := range some {
			if i, again := at[id(row)]; again {
				all[i] = row
				continue
			}
			at[id(row)] = len(all)
			all = append(all, row)
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

// made is the error of a request that makes something: an answer without an id, which is never 0, does not say
// that it was made.
func made(ctx context.Context, what string, id int64, err error) error {
	if err == nil && id == 0 {
		return Uncertain{"making " + what, errors.New("the answer has no id")}
	}
	return plain(ctx, err)
}

// plain takes the errors of this package out of what net/http wraps around them.
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
