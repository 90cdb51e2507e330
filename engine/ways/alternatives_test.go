package ways

import "testing"

// TestWaysOfLongerAlternatives: alternatives of which head has more, as where a duty arises once more, are compared with those of base.
func TestWaysOfLongerAlternatives(t *testing.T) {
	for _, c := range []struct{ name, was, now, steps, want string }{
		{"one more", "AX (y || AG !bad)", "AX (y || x || AG !(bad || x))", "s bad t", ""},
		{"one more, and kept before", "AX (bad || AG !bad)", "AX (y || x || AG !(bad || x))", "s bad t", "t"},
		{"denied", "!EX (y && EF bad)", "!EX (!bad && y && EF (bad || x))", "s y t, y bad u", ""},
	} {
		q, names := questionOf(t, c.steps+", s x k, k y l", c.steps+", s x k, k y l", c.was, c.now)
		if got := allWays(t, q, names); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
