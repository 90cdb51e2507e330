package github

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// MostWaiting bounds the waits of a Client in all, for rate limits and between tries. It is well below a job's time limit,
// since a job that reached that limit while it waited to post would fail the gate.
const MostWaiting = 5 * time.Minute

// A patience is the part of MostWaiting that is left.
type patience struct {
	wait func(context.Context, time.Duration) error
	mu   sync.Mutex
	left time.Duration
}

// take waits. If not enough is left, it does not wait and returns what is left.
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

// sleep waits in real time.
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

// limited reports whether an answer refuses the request for a rate limit, primary or
// secondary (docs.github.com, "Rate limits for the REST API", exceeding the rate limit).
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

// waitFor returns the wait after the nth answer in a row that reports the limit: that of Retry-After, or else until the limit is reset, or else
// a minute, doubled each time (as documented there). It uses the server's time, since clocks differ.
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

// retryAfter parses both forms of the header (RFC 9110, 10.2.3).
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
