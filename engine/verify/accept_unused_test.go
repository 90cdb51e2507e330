package verify_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/hclspec/codes"
)

// TestAcceptUnused: what is said of a block that accepts nothing is so, and its advice undoes no acceptance that is merged before what it accepts.
func TestAcceptUnused(t *testing.T) {
	const (
		sound = "contract \"c\" {\n  final = \"p.done\"\n}\nparty \"p\" {\n  state \"begun\" {}\n  state \"done\" {}\n  state \"lost\" {}\n" +
			"  transition \"finish\" {\n    from = begun\n    to   = done\n  }\n}\n"
		other = "sha256:0000000000000000000000000000000000000000000000000000000000000000"
	)
	lose := strings.Replace(sound, "done\n  }\n", "done\n  }\n  transition \"lose\" {\n    from = begun\n    to   = lost\n  }\n", 1)
	accept := func(code, run string) string {
		if run != "" {
			run = fmt.Sprintf("  run    = %q\n", run)
		}
		return fmt.Sprintf("accept %q {\n  reason = \"known\"\n%s}\n", code, run)
	}
	for _, c := range []struct{ name, text, message, detail string }{
		{"of nothing", sound + accept("dead-end", ""), "This block accepts nothing: no dead-end is found.", "Remove it, or it could hide a later one."},
		{"of a run to come", sound + accept("dead-end", other), "This block accepts nothing: no dead-end is found.", "Remove the block, unless the amendment that needs it is still to follow."},
		{"of another run", lose + accept("dead-end", other), "What dead-end finds is not what this block accepts.", "The block names another run. Remove it, unless the amendment that needs it is still to follow."},
		{"of what is not looked for beside a dead end", lose + accept("dead-end", "") + accept("no-option-to-complete", ""), "", ""},
	} {
		message, detail := "", ""
		for _, d := range testkit.CheckText(t, c.text).Diagnostics {
			if d.Code == codes.Code("accept-unused") {
				message, detail = d.Message, d.Detail
			}
		}
		if message != c.message || detail != c.detail {
			t.Errorf("%s: %q, %q", c.name, message, detail)
		}
	}
}
