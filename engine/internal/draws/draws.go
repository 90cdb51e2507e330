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

// Only has so many random inputs tried of what is slow instead of rapid's hundred, until the test ends, unless all are wanted and these are fewer, or a
// number was asked for.
func Only(t *testing.T, n int) {
	t.Helper()
	checks := flag.Lookup("rapid.checks")
	usual, _ := strconv.Atoi(checks.DefValue)
	if was := checks.Value.String(); was == checks.DefValue && (!All() || n > usual) {
		set := func(to string) {
			if err := checks.Value.Set(to); err != nil {
				t.Fatal(err)
			}
		}
		set(strconv.Itoa(n))
		t.Cleanup(func() { set(was) })
	}
}

// SkipForRaces skips a law where only races are looked for (-short, as .ci/run has it under the race detector): one that is slow, or that
// counts what it has drawn. Races depend on what runs side by side, not on what is drawn. Other laws of rapid try a fifth of their inputs.
func SkipForRaces(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("races do not depend on what is drawn (-short)")
	}
}
