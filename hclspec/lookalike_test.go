package hclspec

import (
	"testing"
	"unicode"
)

// TestLookalikes: letters come from Greek and Cyrillic, none of them twice, and go to what is no such letter itself.
func TestLookalikes(t *testing.T) {
	n := 0
	for to, all := range lookalikes {
		for _, r := range all {
			n++
			if !unicode.In(r, unicode.Greek, unicode.Cyrillic) || prototypes[r] != to || prototypes[to] != 0 || !unicode.IsLetter(r) {
				t.Errorf("%c (%U) looks like %c", r, r, to)
			}
		}
	}
	if n != len(prototypes) || n != 80 {
		t.Errorf("%d letters, %d of them different", n, len(prototypes))
	}
	for name, want := range map[string]string{"\u0440\u0430id": "paid", "\u0420\u0410\u0406D": "PAID", "\u0447\u0435\u043a": "\u0447e\u043a", "S0": "S0", "l1I": "l1I"} {
		if got := Skeleton(name); got != want {
			t.Errorf("%s becomes %s", name, got)
		}
	}
}
