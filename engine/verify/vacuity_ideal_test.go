package verify_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	says "github.com/redlinehq/redline/report/words"
)

// TestVacuityOverIdealRuns: of a promise over ideal runs, remarks name the parts as the text has them, without what the restriction adds to them; what the text
// itself says of ideal states stays.
func TestVacuityOverIdealRuns(t *testing.T) {
	const contract = `contract "c" {}
party "p" {
  state "a" {}
  state "b" {}
  transition "go" {
    from = a
    to   = b
  }
}
event "e" {
  sync = { p = go }
}
obligation "o" {
  bearer = p
  fulfil = e
  within = 2
}
`
	for _, row := range []struct{ requirement, want string }{
		{"over = ideal\n  ctl = \"AG (p.b -> AF (p.a || !p.a))\"", "AF (p.a || !p.a) is always true"},
		{"over = ideal\n  ctl = \"AG (p.a && p.b -> AF p.b)\"", "p.a && p.b is never true: AF p.b makes no difference"},
		{"ctl = \"AG (!ideal -> EF true)\"", "EF true is always true: !ideal makes no difference"},
	} {
		r := testkit.Check(t, fstest.MapFS{"c.contract.hcl": {Data: []byte(contract + "requirement \"r\" {\n  " + row.requirement + "\n}\n")}}, petri.One)
		said := strings.Join(says.Vacuities(r.Requirements[0].Vacuous, says.Terminal), "\n")
		if !strings.Contains(said, row.want) || strings.Contains(row.requirement, "over") && strings.Contains(said, "!ideal") {
			t.Errorf("%s: it is said %q, not %q", row.requirement, said, row.want)
		}
	}
}
