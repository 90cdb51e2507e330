package verify

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/hclspec/load"
)

// pool is a contract in which each of so many parties takes three of some things, in an order of its own, does so many steps by itself after each,
// and gives them back together. Its state models are large in any order of variables.
func pool(parties, things, alone int, requirements string) string {
	var b, events strings.Builder
	b.WriteString("contract \"pool\" {}\n")
	users := make([]strings.Builder, things)
	for i := range parties {
		fmt.Fprintf(&b, "party \"p%d\" {\n", i)
		last, back := "idle", fmt.Sprintf("event \"give%d\" {\n  sync = {\n    p%d = give\n", i, i)
		fmt.Fprintf(&b, "  state \"idle\" {}\n")
		step := func(name, to string) {
			fmt.Fprintf(&b, "  state %q {}\n  transition %q {\n    from = %s\n    to = %s\n  }\n", to, name, last, to)
			last = to
		}
		for k := range 3 {
			thing := (i*7 + k*(5+i%3)) % things
			step(fmt.Sprintf("take%d", k), fmt.Sprintf("has%d", k))
			fmt.Fprintf(&events, "event \"take%d_%d\" {\n  sync = {\n    p%d = take%d\n    t%d = to%d\n  }\n}\n", i, k, i, k, thing, i)
			for a := range alone {
				step(fmt.Sprintf("work%d_%d", k, a), fmt.Sprintf("works%d_%d", k, a))
			}
			back += fmt.Sprintf("    t%d = from%d\n", thing, i)
			fmt.Fprintf(&users[thing], "  transition \"to%d\" {\n    from = there\n    to = gone\n  }\n  transition \"from%d\" {\n    from = gone\n    to = there\n  }\n", i, i)
		}
		fmt.Fprintf(&b, "  transition \"give\" {\n    from = %s\n    to = idle\n  }\n}\n", last)
		events.WriteString(back + "  }\n}\n")
	}
	for j := range things {
		fmt.Fprintf(&b, "party \"t%d\" {\n  state \"there\" {}\n  state \"gone\" {}\n%s}\n", j, users[j].String())
	}
	return b.String() + events.String() + requirements
}

// warranties is a contract in which each of so many parties delivers once, and owes a repair within so many ticks after that. Each may have been late.
func warranties(parties, ticks int) string {
	var b strings.Builder
	b.WriteString("contract \"warranties\" {}\n")
	for i := range parties {
		fmt.Fprintf(&b, `party "p%[1]d" {
  state "idle" {}
  state "delivered" {}
  transition "deliver" {
    from = idle
    to   = delivered
  }
}
event "deliver%[1]d" {
  sync = { p%[1]d = deliver }
}
event "repair%[1]d" {
  by      = p%[1]d
  repeats = true
}
obligation "o%[1]d" {
  bearer = p%[1]d
  when   = deliver%[1]d
  fulfil = repair%[1]d
  within = %[2]d
}
`, i, ticks)
	}
	return b.String()
}

// hindrance is what suspends the first party's repair.
const hindrance = `event "hindrance" {
  by      = p0
  repeats = true
}
event "recovery" {
  by         = p0
  repeats    = true
  only_while = suspend.exercised
}
power "suspend" {
  bearer   = p0
  exercise = hindrance
  suspends = [o0]
  resumes  = recovery
}
`

// guarded says that who has a first thing has it alone.
func guarded(parties, things int) string {
	var all []string
	for i := range parties {
		all = append(all, fmt.Sprintf("!(p%d.has0 && t%d.there)", i, i*7%things))
	}
	return strings.Join(all, " && ")
}

// TestEachDeciderIsNeeded: each method decides a contract that the others leave open. The benchmark says what it costs.
func TestEachDeciderIsNeeded(t *testing.T) {
	draws.SkipForRaces(t)
	for _, c := range pools {
		t.Run(c.name, func(t *testing.T) {
			with, without := c.ask(t, len(deciders)), c.ask(t, c.left)
			if with.engine != c.by || with.holds != c.holds || without.engine != "" {
				t.Errorf("%+v with it, %+v without it", with, without)
			}
		})
	}
}

// BenchmarkDeciders measures each contract with all methods, and without the one that it needs.
func BenchmarkDeciders(b *testing.B) {
	for _, c := range pools {
		for _, left := range []int{len(deciders), c.left} {
			b.Run(fmt.Sprintf("%s/all=%t", c.name, left == len(deciders)), func(b *testing.B) {
				decided := 0
				for b.Loop() {
					if c.ask(b, left).engine != "" {
						decided = 1
					}
				}
				b.ReportMetric(float64(decided), "verdicts")
			})
		}
	}
}

// pools are contracts that one decider alone decides: the index of that, what it says, and the text.
var pools = []decidedAlone{
	{"excluded", 0, finding.Structural, true, pool(30, 24, 0, "requirement \"r\" {\n  ctl = \"AG ("+guarded(30, 24)+")\"\n}\n")},
	{"overlapping", 1, finding.Reduced, false, warranties(6, 90) + "requirement \"r\" {\n  ctl = \"AG !(o0.breached && o1.breached && o2.breached && o3.owed && p4.idle)\"\n}\n"},
	{"suspended", 2, finding.Reduced, true, warranties(12, 90) + hindrance + "requirement \"r\" {\n  ctl = \"AG (p0.delivered && o0.owed -> EF o0.fulfilled)\"\n}\n"},
	{"stuck", 3, finding.Local, false, pool(30, 24, 0, "requirement \"r\" {\n  ctl = \"AG EF p0.idle\"\n}\n")},
	{"long", 4, finding.Reduced, false, pool(20, 16, 8, "requirement \"r\" {\n  ctl = \"AG !(p0.works2_7 && p1.works2_7)\"\n}\n")},
}

type decidedAlone struct {
	name  string
	left  int // index in deciders
	by    finding.Engine
	holds bool
	text  string
}

// ask asks all deciders but one, within 16 MiB and 20,000 states.
func (c decidedAlone) ask(t testing.TB, left int) nearby {
	t.Helper()
	src, err := load.Dir(fstest.MapFS{"a.contract.hcl": {Data: []byte(c.text)}}, ".", ".", nil)
	if err != nil || src.Contract == nil {
		t.Fatal(err, src.Diagnostics)
	}
	all := deciders
	defer func() { deciders = all }()
	deciders = slices.Concat(all[:left], all[min(left+1, len(all)):])
	return near(t.Context(), compile.Compile(src, ".", nil), finding.Budget{States: 20_000, Memory: 16 << 20}, nil, deciders).own[0]
}
