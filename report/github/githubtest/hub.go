package githubtest

import (
	"context"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// A Hub is a fake GitHub with one repository. Set its fields before the first request.
type Hub struct {
	URL        string // of the API, where Start has started a server
	Repository string // owner/name
	Private    bool   // then reading needs permissions, too

	RequestsAnHour int      // the primary rate limit of a token
	contentAMinute int      // the secondary one, of what is created
	Faults         Schedule // nil: nothing goes wrong

	mu        sync.Mutex
	described *description
	now       time.Time
	waited    time.Duration
	lastID    int64
	tokens    map[string]*holder
	pulls     map[int]*pull
	comments  []*Comment
	inline    []*ReviewComment
	reviews   []*review
	checks    []*checkRun
	statuses  []*Status
	log       []Request
	next      []Fault
	meanwhile []func()
	past      []moment
	people    people
	runs      []*Run
	branches  map[string]string
}

// New returns a Hub that validates requests against the description in a file; without a name it does not.
func New(repository, description string) (*Hub, error) {
	h := &Hub{
		Repository: repository, RequestsAnHour: 1000, contentAMinute: 80,
		now: time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC), lastID: 1000, tokens: map[string]*holder{}, pulls: map[int]*pull{},
	}
	var err error
	if description != "" {
		h.described, err = describe(description)
	}
	return h, err
}

// Start serves a Hub on 127.0.0.1 until the test ends, and then fails the test for every request that
// did not fit GitHub's description. Where there is no description, the test's log says so.
func Start(t testing.TB, repository string) *Hub {
	t.Helper()
	file := Description()
	if file == "" {
		t.Log("GitHub's description of its API is not here: requests are not validated against it")
	}
	h, err := New(repository, file)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(h)
	server.Config.SetKeepAlivesEnabled(false) // on a connection that lives, net/http repeats a GET by itself
	server.Start()
	h.URL = server.URL
	t.Cleanup(func() {
		server.CloseClientConnections() // one may hang
		server.Close()
		for _, p := range h.Problems() {
			t.Errorf("this request does not fit GitHub's description: %s", p)
		}
	})
	return h
}

// Wait takes the place of waiting: the Hub's clock is put forward.
func (h *Hub) Wait(ctx context.Context, d time.Duration) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now, h.waited = h.now.Add(d), h.waited+d
	return nil
}

// Waited is all of what Wait was asked for.
func (h *Hub) Waited() time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.waited
}

// A Request is one that a Hub has met.
type Request struct {
	method, Path, query string
	login               string // of the token; empty: none that is known
	authorization       string
	Body                string
	Fault               Fault
	Status              int    // of the answer that was made, whether or not it arrived; 0: the request was not looked at
	problem             string // why it does not fit the description
}

// Requests are all so far, in order.
func (h *Hub) Requests() []Request {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]Request(nil), h.log...)
}

// Writes are the requests that would change something, as "METHOD /path".
func (h *Hub) Writes() []string {
	var all []string
	for _, r := range h.Requests() {
		if r.method != "GET" && (r.Path != "/graphql" || strings.Contains(r.Body, "mutation")) {
			all = append(all, r.method+" "+r.Path)
		}
	}
	return all
}

// Problems are the requests that do not fit GitHub's description.
func (h *Hub) Problems() []string {
	var all []string
	for _, r := range h.Requests() {
		if r.problem != "" {
			all = append(all, r.method+" "+r.Path+"?"+r.query+" "+r.Body+": "+r.problem)
		}
	}
	return all
}

// Meanwhile has something happen just before the nth request from now (0: the next one), such as a push
// while a review is being posted.
func (h *Hub) Meanwhile(n int, do func(*Hub)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for len(h.meanwhile) <= n {
		h.meanwhile = append(h.meanwhile, nil)
	}
	h.meanwhile[n] = func() { do(h) }
}
