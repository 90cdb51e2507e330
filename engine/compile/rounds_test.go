package compile_test

import (
	"fmt"
	"strings"
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

// A phase for each of several means what phases mean in which one of them plays, written out.
func TestPhasesForEachAreWrittenOut(t *testing.T) {
	const rest = `contract "c" {}
party "p" {
  title = "the ${count.index + 1}."
  count = 2
}
party "b" { for_each = ["0", "1"] }
party "s" {}
event "start" { by = each(p) }
template "t" {
  parameter "nth" {}
  party "q" {
    state "s" {}
    counter "k" { to = param.nth + 1 }
  }
  party "r" {}
  party "u" {}
  obligation "o" {
    bearer       = q
    counterparty = [r, u]
    when         = start[param.nth - 1]
    within       = param.nth
  }
  requirement "r" { ctl = "AG !o.breached" }
}
`
	phase := func(name, q, r, other string) string {
		return "phase \"" + name + "\" {\n  template = t\n  roles = {\n    q = " + q + "\n    r = " + r + "\n    u = s\n  }\n" + other + "}\n"
	}
	names := strings.NewReplacer(`["0", "1"]`, `["x", "y"]`)
	for who, index := range map[string][]string{"p": {"0", "1"}, "b": {"x", "y"}} {
		other := map[string]string{"p": "s2", "b": "p[0]"}[who]
		text := names.Replace(rest) + "party \"s2\" {}\n"
		each := testkit.DraftOf(t, text+phase("x", "each("+who+")", other, ""))
		out := text
		for i, k := range index {
			out += phase("x-"+k, who+"["+k+"]", other, fmt.Sprintf("  with = { nth = %d }\n", i+1))
		}
		if out := testkit.DraftOf(t, out); each.Digest != out.Digest {
			t.Errorf("for each the digest is %s; written out %s", each.Digest, out.Digest)
		}
		if len(each.Spec.Norms) != 2 || each.Spec.Norms[1].Bearer() != "x-"+index[1]+"."+who {
			t.Errorf("%d norms, the last of %s", len(each.Spec.Norms), each.Spec.Norms[1].Bearer())
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
