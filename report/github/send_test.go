package github

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

func instantly(ctx context.Context, _ time.Duration) error { return ctx.Err() }

// A try that hangs is given up, and what may be repeated is.
func TestHangingTry(t *testing.T) {
	hang := make(chan bool, 2)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then net/http notices that the client is gone
		select {
		case <-hang:
			<-r.Context().Done()
		default:
			_, _ = w.Write([]byte(`[]`))
		}
	}))
	defer s.Close()
	c, err := New(Config{API: s.URL, Repository: "acme/deals", Wait: instantly})
	if err != nil {
		t.Fatal(err)
	}
	c.send.tryTime = 100 * time.Millisecond
	hang <- true
	if _, err := c.Comments(t.Context(), 1); err != nil {
		t.Error(err)
	}
	hang <- true
	if _, err := c.CreateComment(t.Context(), 1, "x"); !errors.As(err, new(Uncertain)) || !strings.Contains(err.Error(), "no answer within") {
		t.Errorf("got %v", err)
	}
}

func TestAnswersAreBounded(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte("[" + strings.Repeat(" ", 1000) + "]"))
	}))
	defer s.Close()
	c, err := New(Config{API: s.URL, Repository: "acme/deals", Wait: instantly})
	if err != nil {
		t.Fatal(err)
	}
	c.send.most = 1001
	if _, err := c.Comments(t.Context(), 1); !errors.As(err, new(Unavailable)) || err.(Unavailable).Tries != 1 || !strings.Contains(err.Error(), "too large") {
		t.Errorf("got %v", err)
	}
	c.send.most = 1002
	if _, err := c.Comments(t.Context(), 1); err != nil {
		t.Error(err)
	}
}

func TestWaitFor(t *testing.T) {
	date := "Mon, 02 Nov 2026 09:00:00 GMT"
	for _, test := range []struct {
		header map[string]string
		n      int
		want   time.Duration
	}{
		{nil, 1, time.Minute}, {nil, 3, 4 * time.Minute}, {nil, 100, 1024 * time.Minute},
		{map[string]string{"Retry-After": "7"}, 3, 7 * time.Second},
		{map[string]string{"Retry-After": "0"}, 1, time.Second},
		{map[string]string{"Retry-After": "-7"}, 1, time.Minute},
		{map[string]string{"Retry-After": "99999999999999999999"}, 1, time.Minute},
		{map[string]string{"Retry-After": "Mon, 02 Nov 2026 09:00:30 GMT", "Date": date}, 1, 30 * time.Second},
		{map[string]string{"Retry-After": "Mon, 02 Nov 2026 08:00:30 GMT", "Date": date}, 1, time.Second},
		{map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1793610010", "Date": date}, 1, 11 * time.Second},
		{map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1", "Date": date}, 1, time.Second},
		{map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "x", "Date": date}, 1, time.Minute},
		{map[string]string{"X-RateLimit-Remaining": "9", "X-RateLimit-Reset": "1793610010", "Date": date}, 2, 2 * time.Minute},
	} {
		h := http.Header{}
		for name, value := range test.header {
			h.Set(name, value)
		}
		if got := waitFor(h, test.n); got != test.want {
			t.Errorf("%v, %d: %s, not %s", test.header, test.n, got, test.want)
		}
	}
}

func TestLimited(t *testing.T) {
	for _, test := range []struct {
		status       int
		header, said string
		want         bool
	}{
		{403, "Retry-After", "", true}, {403, "X-RateLimit-Remaining", "", true}, {403, "", "You have exceeded a secondary rate limit.", true},
		{403, "", "You have triggered an abuse detection mechanism.", true}, {403, "", "Resource not accessible by integration", false}, {429, "", "", true},
		{200, "X-RateLimit-Remaining", "", false}, {404, "Retry-After", "rate limit", false},
	} {
		h := http.Header{}
		if test.header != "" {
			h.Set(test.header, "0")
		}
		if limited(test.status, h, test.said) != test.want {
			t.Errorf("%+v", test)
		}
	}
}

func TestNeverSent(t *testing.T) {
	for op, want := range map[string]bool{"dial": true, "read": false, "write": false} {
		if neverSent(&url.Error{Err: &net.OpError{Op: op}}) != want {
			t.Error(op)
		}
	}
}

func TestAddresses(t *testing.T) {
	for _, test := range []struct{ api, graphql, rest, beside string }{
		{"", "", "https://api.github.com/", "https://api.github.com/graphql"},
		{"https://api.github.com/", "", "https://api.github.com/", "https://api.github.com/graphql"},
		{"https://ghe.example/api/v3", "", "https://ghe.example/api/v3/", "https://ghe.example/api/graphql"},
		{"https://ghe.example/api/v3/", "", "https://ghe.example/api/v3/", "https://ghe.example/api/graphql"},
		{"https://ghe.example:8443/api/v3//", "https://ghe.example/g/", "https://ghe.example:8443/api/v3/", "https://ghe.example/g"},
	} {
		c, err := New(Config{API: test.api, GraphQL: test.graphql, Repository: "acme/deals"})
		if err != nil {
			t.Fatal(err)
		}
		if c.rest.BaseURL.String() != test.rest || c.graphql != test.beside {
			t.Errorf("%s: %s and %s", test.api, c.rest.BaseURL, c.graphql)
		}
	}
}

// The token goes to the two addresses it is for, whatever asks.
func TestTrusts(t *testing.T) {
	c, err := New(Config{API: "https://ghe.example/api/v3", GraphQL: "https://graphql.example", Repository: "acme/deals", Token: "ghs_0123456789"})
	if err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]bool{
		"https://ghe.example/x": true, "https://graphql.example/": true, "http://ghe.example/x": false, "https://ghe.example:444/x": false, "https://sub.ghe.example/": false, "https://example/": false,
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if c.send.trusts(u) != want {
			t.Errorf("%s: %t", address, !want)
		}
	}
}
