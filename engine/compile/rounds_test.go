package compile_test

import (
	"testing"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/internal/testkit"
)

// A phase with rounds means what its rounds mean, written out.
func TestRoundsAreWrittenOut(t *testing.T) {
	const rest = `contract "c" {}
party "p" {}
event "start" { by = p }
template "t" {
  parameter "nth" {}
  party "q" {
    state "s" {}
    counter "k" { to = param.nth + 1 }
  }
  event "done" { by = q }
  event "end" {
    by         = q
    only_while = o.fulfilled
  }
  obligation "o" {
    bearer = q
    fulfil = done
    within = param.nth
  }
  requirement "r" { ctl = "AG !o.breached" }
}
`
	phase := func(name, other string) string {
		return "phase \"" + name + "\" {\n  template = t\n  roles = { q = p }\n" + other + "}\n"
	}
	with := func(n, after string) string { return "  with = { nth = " + n + " }\n  after = " + after + "\n" }
	rounds := testkit.DraftOf(t, rest+phase("x", "  after = start\n  count = 3\n  until = end\n"))
	out := testkit.DraftOf(t, rest+phase("x-1", with("1", "start"))+phase("x-2", with("2", "x-1.end"))+phase("x-3", with("3", "x-2.end")))
	if rounds.Digest != out.Digest {
		t.Errorf("rounds have the digest %s; written out %s", rounds.Digest, out.Digest)
	}
	all := testkit.DraftOf(t, rest+phase("x", "  after = start\n  count = 3\n  until = end\n")+"requirement \"all\" { ctl = \"all r in x: EF r.o.fulfilled\" }\n")
	for i, r := range all.Spec.Requirements {
		if r.Name == "all" && atoms(all.Formulas[i]) != 3 {
			t.Errorf("of all rounds %d atoms", atoms(all.Formulas[i]))
		}
	}
}

// atoms returns the number of a formula's atoms; 0 if it has no meaning.
func atoms(f *ctl.Formula) int {
	switch {
	case f == nil:
		return 0
	case f.Left == nil && f.Right == nil:
		return 1
	}
	return atoms(f.Left) + atoms(f.Right)
}
