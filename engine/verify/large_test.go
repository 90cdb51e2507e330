package verify_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
)

// together is a contract in which n parties, each with k transitions that only read, share an event.
func together(n, k int) string {
	var b strings.Builder
	b.WriteString("contract \"c\" {}\n")
	for i := range n {
		fmt.Fprintf(&b, "party \"p%d\" {\n  state \"S\" {}\n", i)
		for j := range k {
			fmt.Fprintf(&b, "  transition \"t%d\" {\n    from = S\n    to = S\n    label = l\n  }\n", j)
		}
		b.WriteString("}\n")
	}
	b.WriteString("event \"e\" {\n  sync = {\n")
	for i := range n {
		fmt.Fprintf(&b, "    p%d = l\n", i)
	}
	return b.String() + "  }\n}\n"
}

// TestTooLargeToCompose: what cannot be composed is unknown, for a reason that fits a line, and
// nothing is said of transitions whose events were never looked at.
func TestTooLargeToCompose(t *testing.T) {
	for _, c := range []struct {
		parties, each int
		why           string
	}{
		{7, 10, "would have 10000000 transitions; the limit is 1000000"},
		{6, 10, "put together from 6000000 of the parties' own"},
		{400, 10, "would have more than 10^400 transitions"},
	} {
		r := testkit.CheckText(t, together(c.parties, c.each))
		if !strings.Contains(r.Model.Incomplete, c.why) || len(r.Diagnostics) > 0 || r.Model.Places != c.parties {
			t.Errorf("%d parties of %d: %q, %d places, %d diagnostics", c.parties, c.each, r.Model.Incomplete, r.Model.Places, len(r.Diagnostics))
		}
		if s := finding.StatusOf([]*finding.Result{r}); s != finding.OutOfLimit {
			t.Errorf("exit status %d", s)
		}
	}
}

// TestIdleEventIsToldOnce, though it has 1,000 transitions that change nothing.
func TestIdleEventIsToldOnce(t *testing.T) {
	r := testkit.CheckText(t, together(3, 10))
	if len(r.Diagnostics) != 1 || r.Diagnostics[0].Code != "idle-self-loop" || r.Diagnostics[0].Subject != "event.e" {
		t.Errorf("%d diagnostics: %v", len(r.Diagnostics), r.Diagnostics[0])
	}
}

// TestManyMistakesCostLittle: 2,000 mistakes in a text of 300 KB; a copy of the text for each would
// be 600 MB.
func TestManyMistakesCostLittle(t *testing.T) {
	var b strings.Builder
	b.WriteString("contract \"c\" {}\nparty \"p\" {\n  state \"S\" {}\n}\n")
	for i := range 2000 {
		fmt.Fprintf(&b, "# %s\nrequirement \"r%d\" { ctl = \"p.T\" }\n", strings.Repeat("-", 110), i)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r := testkit.CheckText(t, b.String())
	runtime.ReadMemStats(&after)
	if len(r.Diagnostics) != 2000 || r.Diagnostics[0].Snippet != `requirement "r0" { ctl = "p.T" }` {
		t.Fatalf("%d diagnostics, the first at %q", len(r.Diagnostics), r.Diagnostics[0].Snippet)
	}
	if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 200 {
		t.Errorf("%d MB", mb)
	}
}

// TestFormulaTakesMemoryToo: the sets of states that a formula needs count, not the state model alone.
func TestFormulaTakesMemoryToo(t *testing.T) {
	var b strings.Builder
	b.WriteString("contract \"c\" {}\n")
	var all []string
	for i := range 8 {
		fmt.Fprintf(&b, "party \"p%d\" {\n", i)
		for j := range 3 {
			fmt.Fprintf(&b, "  state \"S%d\" {}\n  transition \"t%d\" {\n    from = S%d\n    to = S%d\n  }\n", j, j, j, (j+1)%3)
			for k := range 6 {
				all = append(all, fmt.Sprintf("EX (p%d.S%d && p%d.S%d)", i, j, (i+1+k/2)%8, (j+k%2)%3))
			}
		}
		b.WriteString("}\n")
	}
	fmt.Fprintf(&b, "requirement \"long\" { ctl = \"AG (%s)\" }\nrequirement \"short\" { ctl = \"AG EF p0.S0\" }\n", strings.Join(all, " || "))
	r := testkit.CheckWithin(t, b.String(), finding.Budget{Jobs: 1, Memory: 1 << 20, Engine: finding.Explicit})
	if r.Model.States == nil {
		t.Fatal(r.Model.Incomplete)
	}
	if q := r.Requirements[0]; q.Verdict != finding.Unknown || !strings.Contains(q.Reason, "a quarter of the limit") {
		t.Errorf("%s: %s (%s)", q.Name, q.Verdict, q.Reason)
	}
	if q := r.Requirements[1]; q.Verdict != finding.Holds {
		t.Errorf("%s: %s (%s)", q.Name, q.Verdict, q.Reason)
	}
}
