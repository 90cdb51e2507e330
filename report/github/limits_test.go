package github_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/redlinehq/redline/report/github"
	"github.com/redlinehq/redline/report/github/githubtest"
)

func TestWaitsForLimits(t *testing.T) {
	for _, test := range []struct {
		faults []githubtest.Fault
		least  time.Duration // the clock moves a little by itself
	}{
		{[]githubtest.Fault{githubtest.SecondaryLimit}, 30 * time.Second},
		{[]githubtest.Fault{githubtest.SecondaryBare}, time.Minute},
		{[]githubtest.Fault{githubtest.PrimaryLimit}, 45 * time.Second},
		{[]githubtest.Fault{githubtest.TooMany}, 5 * time.Second},
		{[]githubtest.Fault{githubtest.TooManyBare, githubtest.SecondaryBare}, 3 * time.Minute},
		{[]githubtest.Fault{githubtest.TooManyBare, githubtest.BadGateway, githubtest.SecondaryBare}, 2*time.Minute + time.Second},
	} {
		for name, do := range map[string]func(*github.Client) error{
			"POST":    func(c *github.Client) error { _, err := c.CreateComment(t.Context(), 7, "x"); return err },
			"GET":     func(c *github.Client) error { _, err := c.Comments(t.Context(), 7); return err },
			"GraphQL": func(c *github.Client) error { _, err := c.Author(t.Context()); return err },
		} {
			if name == "POST" && slices.Contains(test.faults, githubtest.BadGateway) {
				continue // it is not repeated
			}
			t.Run(fmt.Sprint(name, test.faults), func(t *testing.T) {
				h := hub(t, everything...)
				h.Next(test.faults...)
				ok(t, do(client(t, h)))
				if w := h.Waited(); w < test.least || w > test.least+3*time.Second {
					t.Errorf("waited %s, not %s", w, test.least)
				}
				if n := len(h.Requests()); n != len(test.faults)+1 {
					t.Errorf("%d requests", n)
				}
			})
		}
	}
}

func TestWaitingIsBounded(t *testing.T) {
	h := hub(t, everything...)
	h.RequestsAnHour = 3
	c := client(t, h)
	for range 3 {
		must[[]github.Comment](t)(c.Comments(t.Context(), 7))
	}
	_, err := c.CreateComment(t.Context(), 7, "x")
	if e := is[github.RateLimited](t, err); e.Wait < 50*time.Minute || e.Left != github.MostWaiting || h.Waited() > 0 {
		t.Errorf("%v, waited %s", e, h.Waited())
	}
	ok(t, h.Wait(t.Context(), time.Hour))
	must[github.Comment](t)(c.CreateComment(t.Context(), 7, "x"))

	h = hub(t, everything...)
	c = client(t, h)
	h.Faults = func(int) githubtest.Fault { return githubtest.TooMany }
	_, err = c.Comments(t.Context(), 7)
	is[github.RateLimited](t, err)
	if n := len(h.Requests()); n != 11 {
		t.Errorf("%d requests in a row were turned away", n)
	}
	h.Faults = func(int) githubtest.Fault { return githubtest.TooManyBare }
	for range 10 {
		_, err = c.Comments(t.Context(), 7)
		is[github.RateLimited](t, err)
	}
	if w := h.Waited(); w > github.MostWaiting || w < github.MostWaiting/2 {
		t.Errorf("waited %s", w)
	}
}

func TestManyComments(t *testing.T) {
	h := hub(t, everything...)
	c := client(t, h)
	for i := range 200 {
		must[github.Comment](t)(c.CreateComment(t.Context(), 7, fmt.Sprint(i)))
	}
	got := h.Comments(7)
	for i := range got {
		if got[i].Body != fmt.Sprint(i) {
			t.Fatalf("comment %d is %s", i, got[i].Body)
		}
	}
	if len(got) != 200 || h.Waited() < time.Minute {
		t.Errorf("%d comments, waited %s", len(got), h.Waited())
	}
}

func TestCancelledWhileWaiting(t *testing.T) {
	for _, fault := range []githubtest.Fault{githubtest.SecondaryBare, githubtest.BadGateway} {
		h := hub(t, everything...)
		h.Faults = func(int) githubtest.Fault { return fault }
		c, err := github.New(github.Config{API: h.URL, Token: token, Repository: h.Repository})
		ok(t, err)
		why := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(20*time.Millisecond, func() { cancel(why) })
		if _, err := c.Comments(ctx, 7); !errors.Is(err, why) {
			t.Errorf("%s: got %v", fault, err)
		}
		if err := c.Resolve(ctx, "x"); !errors.Is(err, why) {
			t.Errorf("%s, GraphQL: got %v", fault, err)
		}
		if n := len(h.Requests()); n != 1 {
			t.Errorf("%s: %d requests", fault, n)
		}
	}
}

// whether are faults after which nobody knows whether the request was carried out.
var whether = []githubtest.Fault{
	githubtest.BadGateway, githubtest.BadGatewayAfter, githubtest.Dropped, githubtest.DroppedAfter, githubtest.HalfAnswer, githubtest.NotJSON,
}

func TestRepeats(t *testing.T) {
	for _, fault := range whether {
		t.Run(fault.String(), func(t *testing.T) {
			h := hub(t, everything...)
			c := client(t, h)
			first, second := h.Say(7, github.ActionsBot, "1"), h.Say(7, github.ActionsBot, "2")
			thread := h.SayAt(7, github.ActionsBot, "sale/sale.contract.hcl", 2, "x")
			h.Next(fault)
			if got := must[[]github.Comment](t)(c.Comments(t.Context(), 7)); len(got) != 2 {
				t.Errorf("got %+v", got)
			}
			h.Next(fault, fault)
			ok(t, c.EditComment(t.Context(), first.ID, "3"))
			h.Next(fault)
			ok(t, c.DeleteComment(t.Context(), second.ID))
			h.Next(fault)
			ok(t, c.Resolve(t.Context(), thread.Thread))
			h.Next(fault)
			ok(t, c.SetStatus(t.Context(), head, "redline", "success", "", ""))
			if got := h.Comments(7); len(got) != 1 || got[0].Body != "3" {
				t.Errorf("left: %+v", got)
			}
			if !h.ReviewComments(7)[0].Resolved {
				t.Error("it is not resolved")
			}
		})
	}
}

func TestNeverRepeats(t *testing.T) {
	for _, fault := range whether {
		h := hub(t, everything...)
		c := client(t, h)
		for name, do := range map[string]func() error{
			"comment": func() error { _, err := c.CreateComment(t.Context(), 7, "x"); return err },
			"review":  func() error { return c.CreateReview(t.Context(), 7, head, nil) },
			"review comment": func() error {
				_, err := c.CreateReviewComment(t.Context(), 7, head, github.NewComment{Path: "large.hcl", Body: "x"})
				return err
			},
			"check run": func() error {
				_, err := c.CreateCheckRun(t.Context(), github.CheckRun{Name: "redline", Head: head, Conclusion: "success"})
				return err
			},
		} {
			before := len(h.Requests())
			h.Next(fault)
			is[github.Uncertain](t, do())
			if n := len(h.Requests()) - before; n != 1 {
				t.Errorf("%s, %s: %d requests", name, fault, n)
			}
		}
		want := 0
		if fault.Carried() {
			want = 1
		}
		if n := len(h.Comments(7)); n != want {
			t.Errorf("%s: %d comments", fault, n)
		}
		if h.Waited() > 0 {
			t.Errorf("%s: waited %s", fault, h.Waited())
		}
	}
}

func TestTriesAreBounded(t *testing.T) {
	h := hub(t, everything...)
	h.Faults = func(int) githubtest.Fault { return githubtest.BadGateway }
	_, err := client(t, h).Comments(t.Context(), 7)
	if e := is[github.Unavailable](t, err); e.Tries != 5 || len(h.Requests()) != 5 || h.Waited() != 15*time.Second {
		t.Errorf("%v, %d requests, waited %s", e, len(h.Requests()), h.Waited())
	}
}

// A check run's annotations arrive once each and in order, whatever happens to the calls that add them.
func TestAnnotationsOnce(t *testing.T) {
	for _, fault := range whether {
		for at := 1; at < 5; at++ {
			h := hub(t, everything...)
			h.Faults = func(n int) githubtest.Fault {
				if n == at || n == at+1 {
					return fault
				}
				return githubtest.None
			}
			must[int64](t)(client(t, h).CreateCheckRun(t.Context(), checkRun(120)))
			if got := h.CheckRuns(head); len(got) != 1 || got[0].Conclusion != "failure" || !inOrder(got[0].Annotations, 120) {
				t.Errorf("%s at request %d: %d annotations, %s", fault, at, len(got[0].Annotations), got[0].Conclusion)
			}
		}
	}
}

func TestAnnotationsAreTriedWithinBounds(t *testing.T) {
	h := hub(t, everything...)
	h.Faults = func(n int) githubtest.Fault {
		if n%2 == 1 { // each PATCH, and no look at what came of it
			return githubtest.BadGateway
		}
		return githubtest.None
	}
	_, err := client(t, h).CreateCheckRun(t.Context(), checkRun(120))
	if is[github.Uncertain](t, err); len(h.Writes()) != 6 {
		t.Errorf("%q", h.Writes())
	}
}

// Whoever looks again after Uncertain has exactly one comment in the end, whatever the schedule.
func TestSchedules(t *testing.T) {
	for seed := range uint64(100) {
		h := hub(t, everything...)
		h.Faults = githubtest.Random(seed, 40)
		left := 0
		for run := 0; run < 50; run++ {
			ok(t, h.Wait(t.Context(), 2*time.Second)) // runs are further apart than lists lag behind
			c := client(t, h)                         // with patience of its own
			if err := once(t.Context(), c); err == nil {
				left++
				if left == 2 {
					break
				}
			}
		}
		if got := h.Comments(7); len(got) != 1 || got[0].Body != "here" || left != 2 {
			t.Errorf("seed %d: %d comments, %d runs went well", seed, len(got), left)
		}
	}
}

func once(ctx context.Context, c *github.Client) error {
	for {
		all, err := c.Comments(ctx, 7)
		if err != nil || len(all) > 0 {
			return err
		}
		if _, err = c.CreateComment(ctx, 7, "here"); !errors.As(err, new(github.Uncertain)) {
			return err
		}
		if waited, no := c.Pause(ctx, 2*time.Second); !waited {
			return cmp.Or(no, err)
		}
	}
}
