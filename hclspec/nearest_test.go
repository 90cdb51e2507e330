package hclspec

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestNearest(t *testing.T) {
	known := []string{"S0", "S1", "GAV", "seller", "purchaser", "discharge"}
	for name, want := range map[string]string{
		"S2": "S0", "S11": "S1", "GVA": "GAV", "gav": "GAV", "seler": "seller", "sleler": "seller", "SELLER": "seller",
		"dicharg": "discharge", "carrier": "", "x": "", "": "", "timestamp": "",
	} {
		if got := Nearest(name, known); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", name, got, want)
		}
	}
	if got := Nearest("S2", nil); got != "" {
		t.Errorf("nothing known, got %q", got)
	}
}

// The order of the known names makes no difference, and a known name is its own nearest.
func TestNearestLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[abé]{1,6}`)
		known := rapid.SliceOf(name).Draw(t, "known")
		asked := name.Draw(t, "asked")
		got := Nearest(asked, known)
		back := slices.Clone(known)
		slices.Reverse(back)
		if other := Nearest(asked, back); other != got {
			t.Fatalf("%q and %q", got, other)
		}
		if slices.Contains(known, asked) && got != asked {
			t.Fatalf("%q is known, got %q", asked, got)
		}
	})
}

// The table of distances agrees with the recursive definition.
func TestDistance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.SliceOfN(rapid.RuneFrom([]rune("abc")), 0, 6)
		a, b := letters.Draw(t, "a"), letters.Draw(t, "b")
		if got, want := first(distance(a, b, 12)), naiveDistance(a, b); got != want {
			t.Fatalf("distance %d, want %d", got, want)
		}
		if limit := 2; first(distance(a, b, limit)) != naiveDistance(a, b) && naiveDistance(a, b) <= limit {
			t.Fatal("the limit changes a distance within it")
		}
	})
}

func first(d, _ int) int { return d }

func naiveDistance(a, b []rune) int {
	if len(a) == 0 || len(b) == 0 {
		return len(a) + len(b)
	}
	if a[0] == b[0] {
		return naiveDistance(a[1:], b[1:])
	}
	best := 1 + min(naiveDistance(a[1:], b), naiveDistance(a, b[1:]), naiveDistance(a[1:], b[1:]))
	if len(a) > 1 && len(b) > 1 && a[0] == b[1] && a[1] == b[0] {
		best = min(best, 1+naiveDistance(a[2:], b[2:]))
	}
	return best
}
