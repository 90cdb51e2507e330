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
	mostTries  = 5  // of what may be repeated
	mostInARow = 10 // answers that say the rate limit is reached
	redirects  = 5
	// mostAnswer bounds an answer, in bytes: 100 comments of CommentLimit characters fit in.
	mostAnswer int64 = 64 << 20
	// tryTime is how long one try may take. GitHub gives up on a request after 10 s (docs.github.com,
	// "Troubleshooting the REST API", timeouts); the rest is for slow lines.
	tryTime = 30 * time.Second
)

// A sender is the http.RoundTripper that every request of a Client goes through. Whatever is no
// success comes out of it as one of this package's errors.
type sender struct {
	token    string
	to       []*url.URL // who may see the token
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

// harmless marks the context of a POST that may be made twice, and one of a PATCH that may not.
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
		a.Header.Del(name) // go-github would refuse by itself to make the next request, instead of waiting
	}
	return a.Response, nil
}

// An errand is what a request is for.
type request struct {
	name   string
	repeat bool // it does no harm to make it twice
	judge  func(answer) verdict
}

// An answer is a response that was read to its end.
type answer struct {
	*http.Response
	body []byte
}

// A verdict is what an answer comes to.
type verdict uint8

const (
	done verdict = iota
	refused
	turnedAway // for a rate limit: nothing was carried out
	failed     // the server did: it may have been carried out
)

// make makes a request until it is answered, as often as that does no harm and patience lasts.
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
				return a, RateLimited{e.name, s.said(a).Message, waitFor(a.Header, inARow), s.patience.rest()}
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
		return RateLimited{name, s.said(a).Message, wait, left}
	}
	return err
}

// waitForServer waits a second after the first try that failed, and twice as long each time.
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

// neverSent reports whether there was no connection to send anything through.
func neverSent(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

var errTooLarge = errors.New("the answer is too large")

// once makes one try and reads the answer to its end, so that a line which breaks in the middle of
// an answer is one that failed.
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

// trusts reports whether the token may go to this address.
func (s *sender) trusts(u *url.URL) bool {
	for _, t := range s.to {
		if u.Scheme == t.Scheme && u.Host == t.Host {
			return true
		}
	}
	return false
}

// redirect follows GitHub where a repository was renamed: on the same host, by the same method.
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
	return Refused{Answer{first.Method + " " + first.URL.Path, req.Response.StatusCode, because, 1}}
}

// judgeREST trusts a success only if it is JSON: what a proxy answers in GitHub's place, or half of an answer, is none.
func judgeREST(a answer) verdict {
	switch {
	case limited(a.StatusCode, a.Header, message(a.body)):
		return turnedAway
	case a.StatusCode >= 500:
		return failed
	case a.StatusCode >= 300 && a.StatusCode < 400 && a.Header.Get("Location") != "":
		return done // net/http follows it, as far as redirect lets it
	case a.StatusCode >= 300 || a.StatusCode < 200:
		return refused
	case a.StatusCode == http.StatusNoContent || json.Valid(a.body):
		return done
	}
	return failed
}
