package github

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"
)

const (
	mostTries  = 5  // of a request that is safe to repeat
	mostInARow = 10 // answers that report the rate limit
	redirects  = 5
	// mostAnswer bounds an answer, in bytes: 100 comments of CommentLimit characters fit.
	mostAnswer int64 = 64 << 20
	// tryTime bounds one try. GitHub ends a request after 10 s (docs.github.com,
	// "Troubleshooting the REST API", timeouts); the rest is for slow connections.
	tryTime = 30 * time.Second
)

// A sender is the http.RoundTripper of every request of a Client. It returns everything but a success as one of this package's errors.
type sender struct {
	token    string
	to       []*url.URL // addresses that get the token
	line     http.RoundTripper
	patience patience
	tryTime  time.Duration
	most     int64 // bytes of an answer
}

func newSender(token string, wait func(context.Context, time.Duration) error, to ...*url.URL) *sender {
	if wait == nil {
		wait = sleep
	}
	return &sender{token: token, to: to, line: http.DefaultTransport, patience: patience{wait: wait, left: MostWaiting},
		tryTime: tryTime, most: mostAnswer}
}

// harmless marks the context of a POST that is safe to repeat, and of a PATCH that is not.
type harmless struct{}

// RoundTrip makes a request of the REST API.
func (s *sender) RoundTrip(req *http.Request) (*http.Response, error) {
	repeat := req.Method != http.MethodPost
	if said, ok := req.Context().Value(harmless{}).(bool); ok {
		repeat = said
	}
	a, err := s.make(req, request{req.Method + " " + req.URL.Path, repeat, judgeREST})
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"} {
		a.Header.Del(name) // otherwise go-github would refuse the next request by itself instead of waiting
	}
	return a.Response, nil
}

// A request is the policy for an HTTP request: its name, whether to repeat it, and how to judge its answers.
type request struct {
	name   string
	repeat bool // it is safe to repeat
	judge  func(answer) verdict
}

// An answer is a response with its whole body.
type answer struct {
	*http.Response
	body []byte
}

// A verdict is the result of judging an answer.
type verdict uint8

const (
	done verdict = iota
	refused
	turnedAway // for a rate limit: not carried out
	failed     // a failure of the server: it may have been carried out
)

// make makes a request until it is answered, as long as repeating it is safe and the limits allow it.
func (s *sender) make(req *http.Request, e request) (answer, error) {
	ctx := req.Context()
	for tries, inARow := 1, 0; ; {
		a, err := s.once(req)
		what := failed
		if err == nil {
			what = e.judge(a)
		}
		switch {
		case what == done:
			return a, nil
		case what == refused:
			return a, s.refusal(a, e.name, tries)
		case what == turnedAway:
			if inARow++; inARow > mostInARow {
				return a, RateLimited{e.name, s.refusalText(a).message, waitFor(a.Header, inARow), s.patience.rest()}
			}
			if err := s.waitForLimit(ctx, a, e.name, inARow); err != nil {
				return a, err
			}
		default:
			if err := s.waitForServer(ctx, e, tries, s.cause(a, err), err); err != nil {
				return a, err
			}
			tries, inARow = tries+1, 0
		}
	}
}

func (s *sender) waitForLimit(ctx context.Context, a answer, name string, inARow int) error {
	wait := waitFor(a.Header, inARow)
	left, enough, err := s.patience.take(ctx, wait)
	if !enough && err == nil {
		return RateLimited{name, s.refusalText(a).message, wait, left}
	}
	return err
}

// waitForServer waits a second after the first failed try, and twice as long each time.
func (s *sender) waitForServer(ctx context.Context, e request, tries int, cause, line error) error {
	if !e.repeat && !neverSent(line) {
		return Uncertain{e.name, cause}
	}
	if tries == mostTries || errors.Is(line, errTooLarge) {
		return Unavailable{e.name, tries, cause}
	}
	_, enough, err := s.patience.take(ctx, time.Second<<(tries-1))
	if !enough && err == nil {
		return Unavailable{e.name, tries, cause}
	}
	return err
}

// neverSent reports whether there was no connection, so that nothing was sent.
func neverSent(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

var errTooLarge = errors.New("the answer is too large")

// once makes one try and reads the whole answer, so that a connection that breaks within an answer is a failure.
func (s *sender) once(req *http.Request) (answer, error) {
	ctx, cancel := context.WithTimeoutCause(req.Context(), s.tryTime, fmt.Errorf("no answer within %s", s.tryTime))
	defer cancel()
	try := req.Clone(ctx)
	if req.GetBody != nil {
		body, err := req.GetBody()
		if err != nil {
			return answer{}, err
		}
		try.Body = body
	}
	if s.token != "" && s.trusts(req.URL) {
		try.Header.Set("Authorization", "Bearer "+s.token)
	}
	resp, err := s.line.RoundTrip(try)
	if err == nil {
		var body []byte
		if body, err = readAll(resp.Body, s.most); err == nil {
			resp.Body = io.NopCloser(bytes.NewReader(body))
			return answer{resp, body}, nil
		}
	}
	return answer{}, err
}

func readAll(body io.ReadCloser, most int64) ([]byte, error) {
	defer func() { _ = body.Close() }() // only read from
	all, err := io.ReadAll(io.LimitReader(body, most+1))
	if err == nil && int64(len(all)) > most {
		err = errTooLarge
	}
	return all, err
}

// trusts reports whether the token may be sent to this address.
func (s *sender) trusts(u *url.URL) bool {
	for _, t := range s.to {
		if u.Scheme == t.Scheme && u.Host == t.Host {
			return true
		}
	}
	return false
}

// redirect follows GitHub's redirects for renamed repositories: on the same host, by the same method.
func (s *sender) redirect(req *http.Request, via []*http.Request) error {
	first := via[0]
	because := ""
	switch {
	case req.URL.Scheme != first.URL.Scheme || req.URL.Host != first.URL.Host:
		because = "it is redirected to another host"
	case req.Method != first.Method:
		because = "it is redirected to where only " + req.Method + " goes"
	case len(via) >= redirects:
		because = "it is redirected again and again"
	default:
		return nil
	}
	return Refused{refusal{first.Method + " " + first.URL.Path, req.Response.StatusCode, because, 1}}
}

// judgeREST accepts a success only if it is JSON. An answer of a proxy in GitHub's place, or half of an answer, is not.
func judgeREST(a answer) verdict {
	switch {
	case limited(a.StatusCode, a.Header, message(a.body)):
		return turnedAway
	case a.StatusCode >= 500:
		return failed
	case a.StatusCode >= 300 && a.StatusCode < 400 && a.Header.Get("Location") != "":
		return done // net/http follows it, if redirect allows it
	case a.StatusCode >= 300 || a.StatusCode < 200:
		return refused
	case a.StatusCode == http.StatusNoContent || json.Valid(a.body):
		return done
	}
	return failed
}
