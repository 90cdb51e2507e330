package words_test

import (
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/words"
)

// TestBecause: a run within a run says in which state of that it begins.
func TestBecause(t *testing.T) {
	steps := func(from, to int) (run []finding.Firing) {
		for n := from; n <= to; n++ {
			run = append(run, finding.Firing{Step: n, Event: "e"})
		}
		return run
	}
	for _, c := range []struct {
		prefix, loop []finding.Firing
		after        int
		want         string
	}{
		{nil, nil, 0, "That is because in that state:"},
		{steps(1, 2), nil, 2, "That is because in that state:"},
		{steps(1, 2), nil, 1, "That is because after step 1:"},
		{steps(1, 2), steps(3, 4), 0, "That is because at the start:"},
		{steps(1, 2), steps(3, 4), 3, "That is because after step 3:"},
		{steps(1, 2), steps(3, 4), 4, "That is because in that state:"},
		{nil, steps(5, 7), 0, "That is because in that state:"},
		{nil, steps(5, 7), 1, "That is because after step 5:"},
		{steps(5, 6), nil, 0, "That is because after step 4:"},
	} {
		if said := words.Because(&finding.Trace{Prefix: c.prefix, Loop: c.loop}, &finding.Trace{After: c.after}); said != c.want {
			t.Errorf("%d and %d steps, after %d: %s", len(c.prefix), len(c.loop), c.after, said)
		}
	}
}
