package zone_test

import (
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/naive"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/zone"
)

// TestZonesAgreeWithTicks: what can be reached, and how, is the same with sets of values as with every tick, by a naive interpreter, on contracts with
// two to four clocks that overlap.
func TestZonesAgreeWithTicks(t *testing.T) {
	draws.SkipForRaces(t)
	rounds := 1
	if draws.All() {
		rounds = 30
	}
	verdicts, asked := map[bool]int{}, 0
	for range rounds {
		rapid.Check(t, func(t *rapid.T) {
			d := testkit.DraftOf(t, testkit.DrawTimed(t, 6))
			g, safe := testkit.ExploreNaively(d)
			if !safe || len(g.Succ) > 3000 {
				t.Skip("contact, or too large for the naive interpreter")
			}
			for range 5 {
				f := &ctl.Formula{Op: rapid.SampledFrom([]ctl.Op{ctl.EF, ctl.AG, ctl.EU, ctl.AW}).Draw(t, "op"), Left: drawPredicate(t, d)}
				if f.Op == ctl.EU || f.Op == ctl.AW {
					f.Right = drawPredicate(t, d)
				}
				asked++
				if decided, holds := agrees(t, d, f, naive.Sat(g, f)[0]); decided {
					verdicts[holds]++
				}
			}
		})
	}
	t.Logf("%d asked, %v", asked, verdicts)
	if verdicts[true] < 50 || verdicts[false] < 50 || verdicts[true]+verdicts[false] < asked/2 {
		t.Errorf("%d asked, %v", asked, verdicts)
	}
}

func drawPredicate(t *rapid.T, d *compile.Draft) *ctl.Formula {
	return testkit.DrawOver(t, d, testkit.Predicates, false, rapid.IntRange(0, 2).Draw(t, "depth"))
}

// agrees asks a formula, compares the verdict and fires the run.
func agrees(t interface{ Fatalf(string, ...any) }, d *compile.Draft, f *ctl.Formula, want bool) (decided, holds bool) {
	value := func(m petri.Marking, f *ctl.Formula) bool { return testkit.Value(f, m) }
	a, ok, err := zone.Decide(context.Background(), d.Net, d.ClockPlaces(), f, value, space.Limits{})
	if err != nil {
		t.Fatalf("%s: %v", f.CTL(), err)
	}
	if !ok {
		return false, false
	}
	if a.Holds != want {
		t.Fatalf("%s: %t, with ticks %t\n%s", f.CTL(), a.Holds, want, testkit.Describe(d))
	}
	if existential := f.Op == ctl.EF || f.Op == ctl.EU; existential == want {
		if err := shows(d, f, a.Run); err != "" {
			t.Fatalf("%s: %s: %v", f.CTL(), err, a.Run.Steps)
		}
	}
	return true, a.Holds
}

// shows returns what is wrong with a run that shows why a formula has its value.
func shows(d *compile.Draft, f *ctl.Formula, run ctl.Run) string {
	at := petri.Marking(d.Net.Initial)
	for i, step := range run.Steps {
		if fmt.Sprint(at) != fmt.Sprint(run.Markings[i]) || !d.Net.IsStep(at, petri.One, step) {
			return fmt.Sprint("it can't be fired at step ", i)
		}
		if f.Op == ctl.EU && !testkit.Value(f.Left, at) || f.Op == ctl.AW && testkit.Value(f.Right, at) {
			return fmt.Sprint("it is settled before step ", i)
		}
		at, _ = d.Net.Fire(at, step)
	}
	ends := map[ctl.Op]func() bool{
		ctl.EF: func() bool { return testkit.Value(f.Left, at) }, ctl.EU: func() bool { return testkit.Value(f.Right, at) },
		ctl.AG: func() bool { return !testkit.Value(f.Left, at) }, ctl.AW: func() bool { return !testkit.Value(f.Left, at) && !testkit.Value(f.Right, at) },
	}
	if !ends[f.Op]() {
		return "its end does not show it"
	}
	return ""
}

// TestNoCommonDivisor: two deadlines of n ticks, the second of which begins while the first runs. One may be missed while the other is still owed unless n is 1, so
// durations can't be divided by what they have in common.
func TestNoCommonDivisor(t *testing.T) {
	for n, want := range map[int]bool{1: false, 2: true, 3: true, 30: true, 90: true, 900: true} {
		text := `contract "c" {}
party "p" {}
event "b" { by = p }
event "c" {
  by         = p
  only_while = ob.owed
}
event "d" { by = p }
`
		for _, o := range []string{"b", "c"} {
			text += fmt.Sprintf("obligation \"o%s\" {\n  bearer = p\n  when = %s\n  fulfil = d\n  within = %d\n}\n", o, o, n)
		}
		d := testkit.DraftOf(t, text+"requirement \"r\" { ctl = \"EF (ob.breached && oc.owed)\" }\n")
		if decided, _ := agrees(t, d, d.Formulas[0], want); !decided {
			t.Errorf("within %d: not decided", n)
		}
	}
}

// TestTickIsOneStep: a duty that begins by the tick on which another is breached has not had that tick.
func TestTickIsOneStep(t *testing.T) {
	text := `contract "c" {}
party "p" {}
event "b" { by = p }
event "d" { by = p }
`
	for _, o := range []struct {
		name, when string
		within     int
	}{{"first", "b", 3}, {"second", "first.breached", 2}, {"other", "b", 5}, {"longer", "b", 6}} {
		text += fmt.Sprintf("obligation %q {\n  bearer = p\n  when = %s\n  fulfil = d\n  within = %d\n}\n", o.name, o.when, o.within)
	}
	for ctl, want := range map[string]bool{
		"EF (second.breached && other.owed)": false, "EF (other.breached && second.owed)": false,
		"EF (second.breached && longer.owed)": true, "AG (!second.breached || other.breached)": true,
	} {
		d := testkit.DraftOf(t, text+"requirement \"r\" { ctl = \""+ctl+"\" }\n")
		if decided, _ := agrees(t, d, d.Formulas[0], want); !decided {
			t.Errorf("%s: not decided", ctl)
		}
	}
}
