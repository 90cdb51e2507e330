package record

import (
	"strings"
	"testing"
)

// TestKeysAreValidWithinBounds: bounds are read in any order, each once.
func TestKeysAreValidWithinBounds(t *testing.T) {
	const key = "alice ed25519:6MkBUlmhjaVh+RFzEGIcyT0BrxvENXyDvh26bCfwiJQ="
	keys, err := ParseKeys([]byte(key+" to=41 until=2027-03-31 from=7\n"), "keys")
	if err != nil || len(keys) != 1 {
		t.Fatal(err, keys)
	}
	for _, v := range keys {
		for at, want := range map[int]bool{6: false, 7: true, 41: true, 42: false} {
			if v.Within(at) != want {
				t.Errorf("valid at position %d: %t", at, !want)
			}
		}
		if v.Until != "2027-03-31" {
			t.Errorf("%+v", v)
		}
	}
	open := Verifier{From: 3}
	if open.Within(2) || !open.Within(1<<29) {
		t.Error("without a last position")
	}
	for bound, want := range map[string]string{
		" to=": `"to=" is not`, " to=0": `"to=0" is not`, " to=07": "is not", " to=x": "is not", " from=9999999999": "is not", " until=tomorrow": "is not", " from=1 from=2": `"from=2" is not, for the first time`,
		" for=3": `"for=3" is not`, " from=5 to=4": "from position 5 to 4", " from=1 to=2 until=2027-03-31 to=3": "a line is a name",
	} {
		if _, err := ParseKeys([]byte(key+bound), "keys"); err == nil || !strings.Contains(err.Error(), "keys:1: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", bound, err)
		}
	}
}
