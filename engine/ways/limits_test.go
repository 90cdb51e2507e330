package ways

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/ctl"
)

// TestLimits: too many pairs, and the end of the context, are errors and no answer.
func TestLimits(t *testing.T) {
	for _, formula := range []string{"AG !bad", "AF ok", "A[!bad U ok]", "A[!bad W ok]", "AX !bad", "AG !bad && AF ok", "!EF bad", "!E[s U bad]", "!EG !ok"} {
		q, names := questionOf(t, "s ok", "s ok, s x, x bad, s bad", formula, formula)
		q.MaxPairs = 1
		if got := allWays(t, q, names); got != ErrTooManyPairs.Error() {
			t.Errorf("%s: %q", formula, got)
		}
		q.MaxPairs = 0
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if e, err := q.NewViolation(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, cancelled: %v, %v", formula, e, err)
		}
	}
}

// A brief is a context that ends after it was asked a number of times whether it has.
type brief struct {
	context.Context
	left  int
	twice bool // it says so twice, for the look and for the reason, and then no more: no later look hides what became of that
}

func (b *brief) Err() error {
	if b.left--; b.left < 0 && (b.left >= -2 || !b.twice) {
		return context.Canceled
	}
	return nil
}

// TestEndsAtAnyTime: when the context ends, that is an error, whatever is being computed.
func TestEndsAtAnyTime(t *testing.T) {
	for _, c := range []struct {
		base, head string
		formulas   []string
	}{
		{"s ok, s x, x ok", "s ok, s x, x x, x s, x bad, s bad", []string{"AG !bad", "AF ok", "A[!bad U ok]", "A[!bad W ok]", "AX AX !bad", "AG AF ok", "AG !bad && AF ok", "(AF ok || AG !bad) && s", "!E[s U bad]", "!EG !ok", "AF AG ok", "!E[s U AG bad]", "AG (x -> AF ok || AG s)", "A[AG !bad U ok]", "AX AF ok || AG AF ok"}},
		{"s ok t", "s x t, x x, x y, y y, x bad, y bad", []string{"AF ok", "A[AG !bad U ok]", "AG (s -> AF ok)"}},
	} {
		for _, formula := range c.formulas {
			for k, acts := range [][]string{nil, {"a"}, nil, {"a"}} {
				looks := 0
				for ; ; looks++ {
					q, _ := questionOf(t, c.base, c.head, formula, formula, acts...)
					ctx := &brief{context.Background(), looks, k >= 2}
					e, err := q.NewViolation(ctx)
					if ctx.left >= 0 {
						if err != nil || e == nil {
							t.Errorf("%s: %v, %v", formula, e, err)
						}
						break
					}
					if !errors.Is(err, context.Canceled) {
						t.Errorf("%s, ended at look %d: %v, %v", formula, looks, e, err)
					}
				}
				if looks < 4 {
					t.Errorf("%s: only %d looks", formula, looks)
				}
			}
		}
	}
}

// TestTooManySets: if there is no room for the labels of either side, that is an error and no answer.
func TestTooManySets(t *testing.T) {
	for _, formula := range []string{"AG !bad", "AF ok", "A[!bad U ok]", "AX ok", "AG !bad && AF ok", "!E[s U bad]"} {
		for _, onHead := range []bool{true, false} {
			for most := 1; ; most++ {
				q, _ := questionOf(t, "s ok", "s ok, s x, x x, s bad", formula, formula)
				if onHead {
					q.Head.Labels.LimitSets(most)
				} else {
					q.Base.Labels.LimitSets(most)
				}
				e, err := q.NewViolation(t.Context())
				if err == nil && e != nil && (most > 1 || !onHead) {
					break
				}
				if !errors.Is(err, ctl.ErrTooManySets) {
					t.Fatalf("%s, %d sets: %v, %v", formula, most, e, err)
				}
			}
		}
	}
}

// TestMaxPairs: the least number of pairs, and of steps between them, with which there is an answer. Where base is lost head is followed no further.
func TestMaxPairs(t *testing.T) {
	for _, c := range []struct {
		base, head string
		want       int
	}{
		{"s ok", "s ok", 3},
		{"s ok", "s ok, s x, s y", 7},
		{"s ok, y bad t", "s bad t, bad x, x y", 3},
	} {
		q, _ := questionOf(t, c.base, c.head, "AG !bad", "AG !bad")
		for q.MaxPairs = 1; ; q.MaxPairs++ {
			if _, err := q.NewViolation(t.Context()); err == nil {
				break
			}
		}
		if q.MaxPairs != c.want {
			t.Errorf("%q, after %q: %d, want %d", c.head, c.base, q.MaxPairs, c.want)
		}
	}
}

// TestMaxWithin: where no lesser run is found in time, the run found first is shown.
func TestMaxWithin(t *testing.T) {
	const clock, choice = "b.s b.t, b.t b.s, ", "s ok, s x, x s"
	for _, c := range []struct {
		steps, least, first string
		acts                []string
	}{
		{clock + choice, "(s_x x_s)", "(b.s_b.t s_x b.t_b.s x_s)", []string{"a"}},
		{"d.s d.t t x, d.t d.s, " + clock + choice + ", c.s c.t u b.s", "b.s_b.t (s_x x_s)", "(b.s_b.t s_x b.t_b.s x_s)", []string{"a", "c"}},
	} {
		for most, want := range []string{c.least, c.first} {
			q, names := questionOf(t, "s ok", c.steps, "AF ok", "AF ok", c.acts...)
			q.MaxWithin = most
			e, err := q.NewViolation(t.Context())
			if err != nil || e == nil {
				t.Fatalf("%d: %v, %v", most, e, err)
			}
			if got := told(e, names); got != want {
				t.Errorf("%s, %d: %q, want %q", c.steps, most, got, want)
			}
		}
	}
}

// TestManyLoops: ways are found as long as there are not too many choices of a step to leave out of each loop that is named.
func TestManyLoops(t *testing.T) {
	for n, want := range map[int]string{8: "", 9: ErrTooManyPairs.Error()} {
		steps, loops := "s ok", []string{}
		for i := range n {
			steps += fmt.Sprintf(", s x%d, x%d s", i, i)
			loops = append(loops, fmt.Sprintf("(s_x%d x%d_s)", i, i))
		}
		if want != "" {
			loops = append(loops, want)
		}
		q, names := questionOf(t, "s ok", steps, "AF ok", "AF ok")
		if got, want := allWays(t, q, names), strings.Join(loops, ", "); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
