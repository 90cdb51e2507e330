package workflow_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/internal/families"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/workflow"
)

// TestByHand: small nets whose faults can be seen.
func TestByHand(t *testing.T) {
	for _, c := range []struct{ what, net, want string }{
		{"a choice", "i -> a\ni -> b\na -> o\nb -> o", "sound, 4 states"},
		{"two branches side by side", "i -> a b\na -> c\nb -> d\nc d -> o", "sound, 6 states"},
		{"and a short cut", "i -> o\ni -> a b\na -> c\nb -> d\nc d -> o", "sound, 6 states"},
		{"and each with an end of its own", "i -> a b\na -> x\nb -> y", "sound, 5 states"},
		{"both begun, and one would do", "i -> a b\na -> o\nb -> o", "contact after 3 steps, <nil> states"},
		{"one begun, and both are waited for", "i -> a\ni -> b\na b -> o",
			"dead end after 1 steps (2), no option after 0 steps (1), dead transitions [2], 3 states"},
		{"one ends it, and the other goes on", "i -> a b\na -> o\nb -> c\nc -> b\nc a -> o", "improper after 2 steps (2), 6 states"},
		{"round and round for ever", "i -> a\na -> o\na -> c\nc -> d\nd -> c\nd a -> o", "no option after 2 steps (2), dead transitions [5], 5 states"},
	} {
		n := drawn(c.net)
		ends, lacks := workflow.Recognize(n)
		if lacks != nil {
			t.Errorf("%s: %v", c.what, lacks)
			continue
		}
		for name, check := range methods {
			r, err := check(context.Background(), n, &ends, space.Limits{})
			if have := summary(r); err != nil || have != c.want {
				t.Errorf("%s, %s: %s, %v; expected %s", c.what, name, have, err, c.want)
			}
		}
	}
}

func summary(r *workflow.Report) string {
	text := ""
	for _, f := range r.Findings {
		text += fmt.Sprintf("%s after %d steps", [...]string{"contact", "dead end", "improper", "no option"}[f.Kind], len(f.Run.Steps))
		if f.States != nil {
			text += fmt.Sprintf(" (%s)", f.States)
		}
		text += ", "
	}
	if len(r.Unfired) > 0 {
		text += fmt.Sprintf("dead transitions %v, ", r.Unfired)
	}
	if sound(r) {
		text += "sound, "
	}
	return text + fmt.Sprintf("%s states", r.States)
}

// TestLimits: what a limit left open is not said, and the error says which limit it was.
func TestLimits(t *testing.T) {
	n := families.New("seq", 20).Net
	r, err := workflow.Explicit(context.Background(), n, nil, space.Limits{States: 1000})
	var states *space.LimitError
	if !errors.As(err, &states) || r.Safe || r.Surveyed || r.Completed || r.States != nil {
		t.Errorf("%v, %+v", err, r)
	}
	r, err = workflow.Symbolic(context.Background(), n, nil, space.Limits{Bytes: 1 << 10})
	var nodes *dd.LimitError
	if !errors.As(err, &nodes) || r.Safe || r.Surveyed || r.Completed || r.States != nil {
		t.Errorf("%v, %+v", err, r)
	}
}

// TestCancelled: who asks no more gets an error, with the reason, soon.
func TestCancelled(t *testing.T) {
	n := families.New("slot", 60).Net
	for name, check := range methods {
		why := errors.New("no longer wanted")
		ctx, cancel := context.WithCancelCause(context.Background())
		time.AfterFunc(20*time.Millisecond, func() { cancel(why) })
		r, err := check(ctx, n, nil, space.Limits{Bytes: 1 << 30})
		if !errors.Is(err, why) || r.Completed {
			t.Errorf("%s: %v, %+v", name, err, r)
		}
	}
}
