package github

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// MostWaiting is how long a Client waits in all, for rate limits and between tries. It is well below what
// a workflow gives a job: one that ran out of time while it waited to post would fail the gate.
const MostWaiting = 5 * time.Minute

// A patience is what is left of MostWaiting.
type patience struct {
	wait func(context.Context, time.Duration) error
	mu   sync.Mutex
	left time.Duration
}

// take waits, or reports how much is left where that is not enough.
func (p *patience) take(ctx context.Context, d time.Duration) (left time.Duration, enough bool, err error) {
	p.mu.Lock()
	if d > p.left {
		defer p.mu.Unlock()
		return p.left, false, nil
	}
	p.left -= d
	p.mu.Unlock()
	return 0, true, p.wait(ctx, d)
}

func (p *patience) rest() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.left
}

// sleep waits for real.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

// limited reports whether an answer turns the request away for a rate limit, the primary or a
// secondary one (docs.github.com, "Rate limits for the REST API", exceeding the rate limit).
func limited(status int, h http.Header, said string) bool {
	switch status {
	case http.StatusTooManyRequests:
		return true
	case http.StatusForbidden:
		said = strings.ToLower(said)
		return h.Get("Retry-After") != "" || h.Get("X-RateLimit-Remaining") == "0" ||
			strings.Contains(said, "rate limit") || strings.Contains(said, "abuse detection")
	}
	return false
}

// waitFor is how long to wait after the nth answer in a row that says limited: what Retry-After
// says, else until the limit is reset, else a minute, and twice as long each time (as there). What time it
// is, is the server's to say: clocks differ.
func waitFor(h http.Header, n int) time.Duration {
	if d, ok := retryAfter(h); ok {
		return d
	}
	reset, err := strconv.ParseInt(h.Get("X-RateLimit-Reset"), 10, 64)
	if err == nil && h.Get("X-RateLimit-Remaining") == "0" {
		return max(time.Second, time.Unix(reset, 0).Sub(serverTime(h))+time.Second)
	}
	return time.Minute << min(n-1, 10)
}

// retryAfter reads the header in both its forms (RFC 9110, 10.2.3).
func retryAfter(h http.Header) (time.Duration, bool) {
	text := h.Get("Retry-After")
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return max(1, time.Duration(seconds)) * time.Second, true
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(time.Second, at.Sub(serverTime(h))), true
	}
	return 0, false
}

func serverTime(h http.Header) time.Time {
	if t, err := http.ParseTime(h.Get("Date")); err == nil {
		return t
	}
	return time.Now()
}
