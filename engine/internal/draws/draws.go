// Package draws serves tests only: how many random inputs a law is tried with.
package draws

import (
	"flag"
	"os"
	"strconv"
	"testing"
)

// All says that what takes minutes under the race detector is wanted whole: REDLINE_HEAVY is set.
func All() bool { return os.Getenv("REDLINE_HEAVY") != "" }

// Only has so many random inputs tried of what is slow instead of rapid's hundred, until the test ends, unless all are wanted or
// a number was asked for.
func Only(t *testing.T, n int) {
	t.Helper()
	checks := flag.Lookup("rapid.checks")
	if was := checks.Value.String(); !All() && was == checks.DefValue {
		set := func(to string) {
			if err := checks.Value.Set(to); err != nil {
				t.Fatal(err)
			}
		}
		set(strconv.Itoa(n))
		t.Cleanup(func() { set(was) })
	}
}
