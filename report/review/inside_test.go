package review

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// An inside network takes requests to servers of this process without a connection, which is what most of the time of a
// thousand histories would go to.
type insideNetwork struct{ servers sync.Map }

// inside makes the network, which lasts as long as the test.
func inside(t testing.TB) *insideNetwork {
	n, was := &insideNetwork{}, http.DefaultTransport
	http.DefaultTransport = n
	t.Cleanup(func() { http.DefaultTransport = was })
	return n
}

func (n *insideNetwork) RoundTrip(r *http.Request) (answer *http.Response, err error) {
	h, ok := n.servers.Load(r.URL.Host)
	if !ok {
		return nil, errors.New("no such server")
	}
	w := httptest.NewRecorder()
	defer func() {
		if broken := recover(); broken != nil {
			if broken != http.ErrAbortHandler {
				panic(broken)
			}
			if answer, err = nil, errors.New("the connection broke"); w.Flushed { // in the middle of the answer
				answer, err = w.Result(), nil
				answer.Body = io.NopCloser(io.MultiReader(bytes.NewReader(w.Body.Bytes()), half{}))
			}
		}
	}()
	in := r.Clone(r.Context())
	if in.Host = r.URL.Host; in.Body == nil {
		in.Body = http.NoBody
	}
	h.(http.Handler).ServeHTTP(w, in)
	answer = w.Result()
	answer.Request = r
	return answer, nil
}

type half struct{}

func (half) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
