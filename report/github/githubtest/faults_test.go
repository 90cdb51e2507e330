package githubtest_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/report/github/githubtest"
)

func TestMeanwhile(t *testing.T) {
	h := hub(t, false)
	h.Meanwhile(1, func(h *githubtest.Hub) { h.Close(7) })
	for i, want := range []string{`"state":"open"`, `"state":"closed"`, `"state":"closed"`} {
		if got := ask(h, "bot", "GET", pullPath, "").Body.String(); !strings.Contains(got, want) {
			t.Errorf("request %d: %s", i, got)
		}
	}
}

func TestFaults(t *testing.T) {
	for f := githubtest.None; f < githubtest.Hang; f++ {
		h := hub(t, false)
		h.Next(f)
		answer := ask(h, "bot", "POST", talkPath, `{"body": "x"}`)
		if carried := len(h.Comments(7)) == 1; carried != f.Carried() {
			t.Errorf("%s: carried out: %t", f, carried)
		}
		if log := h.Requests(); len(log) != 1 || log[0].Fault != f || (log[0].Status == 201) != f.Carried() {
			t.Errorf("%s: %+v", f, log)
		}
		said := "no answer"
		if answer != nil {
			said = fmt.Sprint(answer.Code, " ", answer.Header().Get("Retry-After"), " ", answer.Header().Get("X-RateLimit-Remaining"))
		}
		want := map[githubtest.Fault]string{
			githubtest.None: "201  999", githubtest.Slow: "201  999", githubtest.StaleRows: "201  999", githubtest.TwiceRows: "201  999", githubtest.BadGateway: "502  1000", githubtest.BadGatewayAfter: "502  999", githubtest.NotJSON: "200  999",
			githubtest.SecondaryLimit: "403 30 1000", githubtest.SecondaryBare: "403  1000", githubtest.PrimaryLimit: "403  0", githubtest.TooMany: "429 5 1000", githubtest.TooManyBare: "429  1000",
			githubtest.Dropped: "no answer", githubtest.DroppedAfter: "no answer", githubtest.HalfAnswer: "no answer",
		}[f]
		if said != want {
			t.Errorf("%s: %q, not %q", f, said, want)
		}
	}
}

// The same seed has the same responses, to the last byte; another seed has others; all kinds of faults occur.
func TestSeeds(t *testing.T) {
	met := map[githubtest.Fault]bool{}
	story := func(seed uint64) (log []githubtest.Request, said []string) {
		h := hub(t, false)
		h.Faults = githubtest.Random(seed, 50)
		for range 50 {
			if answer := ask(h, "bot", "POST", talkPath, `{"body": "x"}`); answer != nil {
				said = append(said, fmt.Sprint(answer.Code, answer.Header(), answer.Body))
			}
		}
		for _, r := range h.Requests() {
			met[r.Fault] = true
		}
		return h.Requests(), said
	}
	last := []githubtest.Request(nil)
	for seed := range uint64(10) {
		log, said := story(seed)
		again, repeated := story(seed)
		if !reflect.DeepEqual(log, again) || !slices.Equal(said, repeated) {
			t.Errorf("seed %d has two stories", seed)
		}
		if reflect.DeepEqual(log, last) {
			t.Errorf("seeds %d and %d have one story", seed-1, seed)
		}
		last = log
	}
	if len(met) != int(githubtest.Hang) || met[githubtest.Hang] {
		t.Errorf("only these occurred: %v", met)
	}
}
