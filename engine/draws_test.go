package engine_test

import (
	"flag"
	"os"
	"strconv"
	"testing"
)

// heavy says that what takes minutes under the race detector is wanted whole.
var heavy = os.Getenv("REDLINE_HEAVY") != ""

// draws has so many random inputs tried of what is slow instead of rapid's hundred, unless all are wanted or a number was asked for.
func draws(t *testing.T, n int) {
	t.Helper()
	checks := flag.Lookup("rapid.checks")
	if was := checks.Value.String(); !heavy && was == checks.DefValue {
		set := func(to string) {
			if err := checks.Value.Set(to); err != nil {
				t.Fatal(err)
			}
		}
		set(strconv.Itoa(n))
		t.Cleanup(func() { set(was) })
	}
}
