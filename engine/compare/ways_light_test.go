package compare_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
)

// TestWaysBesideALight: where head alone has a light, which is switched in each step, every way that is shown differs from those that the waiver names, and
// two are enough.
func TestWaysBesideALight(t *testing.T) {
	text := func(steps, rest, waiver string) string {
		text := "contract \"c\" { firing = all }\nparty \"a\" {\n"
		for i := range 4 {
			text += fmt.Sprintf("  state \"s%d\" {}\n", i)
		}
		for step := range strings.FieldsSeq(steps) { // as t1:02, from s0 to s2
			text += fmt.Sprintf("  transition %q {\n    from = s%c\n    to   = s%c\n  }\n", step[:2], step[3], step[4])
		}
		return text + "}\nparty \"b\" {\n  state \"s0\" {}\n  state \"s1\" {}\n}\n" + rest + "requirement \"r\" {\n  ctl = \"AG !a.s2\"\n" + waiver + "}\n"
	}
	const light = `party "light" {
  state "off" {}
  state "on" {}
  transition "on" {
    from = off
    to   = on
  }
  transition "off" {
    from = on
    to   = off
  }
}
`
	base, c := testkit.DraftOf(t, text("t0:00 t1:32 t4:20 t7:02", "", "")), &waivedCase{}
	for {
		waiver := ""
		if len(c.runs) > 0 {
			waiver = fmt.Sprintf("  waiver {\n    reason   = \"why\"\n    approver = \"who\"\n    run      = %q\n  }\n", strings.Join(c.runs, " "))
		}
		r := blame.Compare(context.Background(), base, testkit.DraftOf(t, text("t0:00 t1:02 t4:20", light, waiver)), finding.Budget{Jobs: 1})
		f := r.Findings[0]
		if f.Kind != finding.New {
			break
		}
		word := wordOf(f.Head.Trace.Prefix)
		if c.names(word) || len(c.runs) == 2 {
			t.Fatalf("%v is shown, and named are %v", word, c.words)
		}
		c.runs, c.words = append(c.runs, f.Head.Run), append(c.words, word)
	}
	if len(c.runs) != 2 {
		t.Errorf("only %v were shown", c.words)
	}
}
