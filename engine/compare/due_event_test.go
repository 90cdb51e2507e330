package compare_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
)

// leaving writes a lease that is over by itself a tick after it is signed. The tenant leaves then if it is still in, and can have gone elsewhere.
func leaving(rest string, gone ...string) string {
	text := "contract \"c\" {}\nparty \"landlord\" {}\nparty \"tenant\" {\n  state \"before\" {}\n  state \"in\" { since = signing }\n  state \"out\" {}\n  state \"x\" {}\n  state \"y\" {}\n  transition \"leave\" {\n    from = in\n    to   = out\n  }\n"
	for _, to := range gone {
		text += fmt.Sprintf("  transition \"to_%s\" {\n    from = in\n    to   = %[1]s\n  }\n", to)
	}
	return text + "}\nevent \"signing\" { by = landlord }\nevent \"expiry\" {\n  sync  = { tenant = leave }\n  after = { signing = 1 }\n}\n" + rest
}

// TestGateOfADueEvent: an event that is due and can't happen is sorted as any failed check: by its ways, under its own name, and with what is to blame for it.
func TestGateOfADueEvent(t *testing.T) {
	const accept = "accept \"due-event-blocked\" {\n  on = event.expiry\n  reason = \"why\"\n}\n"
	const review = "party \"agent\" {\n  state \"A0\" {}\n  state \"A1\" {}\n  state \"A2\" {}\n  transition \"look\" {\n    from = A0\n    to   = A1\n  }\n}\nevent \"inspection\" {\n  sync  = { agent = look }\n  after = { signing = 1 }\n}\n"
	away := strings.Replace(review, "\n  transition \"look\"", "\n  transition \"go\" {\n    from = A0\n    to   = A2\n  }\n  transition \"look\"", 1)
	named := accepting("due-event-blocked", "event.expiry", checkRun(t, leaving("", "x"), "due-event-blocked"), "why")
	renamed := strings.NewReplacer(`"expiry"`, `"lapse"`)
	dropped := strings.NewReplacer("event \"expiry\" {\n  sync  = { tenant = leave }\n  after = { signing = 1 }\n}\n", "")
	type drawn struct{ want, gate string }
	unsure, covered := drawn{"undecided expiry", "3, 3, 3"}, drawn{"", "pending 1, pending 1, by-amendment 0"}
	for _, c := range []struct {
		name, base, head string
		want             string // findings, and the blocks to blame
		gate             string
		drawn            drawn // on diagrams, if that differs
	}{
		{"new", leaving(""), leaving("", "x"), "new expiry (to_x)", "1, 1, 1", drawn{}},
		{"new, beside something else", leaving(""), leaving("net \"n\" {}\nevent \"visit\" { by = landlord }\n", "x"), "new expiry (to_x)", "1, 1, 1", drawn{}},
		{"as before", leaving("", "x"), leaving("net \"n\" {}\n", "x"), "standing expiry", "0, 0, 0", unsure},
		{"another way", leaving("", "x"), leaving("", "x", "y"), "new expiry (to_y)", "1, 1, 1", unsure},
		{"another way instead", leaving("", "x"), leaving("", "y"), "new expiry (to_y)", "1, 1, 1", unsure},
		{"renamed", leaving("", "x"), renamed.Replace(leaving("", "x")), "standing lapse", "0, 0, 0", drawn{"undecided lapse", "3, 3, 3"}},
		{"renamed, another way", leaving("", "x"), renamed.Replace(leaving("", "x", "y")), "new lapse (to_y)", "1, 1, 1", drawn{"undecided lapse", "3, 3, 3"}},
		{"no more", leaving("", "x"), leaving(""), "repaired expiry", "0, 0, 0", drawn{}},
		{"the event is gone", leaving("", "x"), dropped.Replace(leaving("", "x")), "", "0, 0, 0", drawn{}},
		{"another event as well", leaving(review, "x"), leaving(away, "x"), "standing expiry, new inspection (go)", "1, 1, 1", drawn{"undecided expiry, new inspection (go)", "1, 1, 1"}},
		{"accepted by base", leaving(accept, "x"), leaving(accept+"net \"n\" {}\n", "x"), "", "by-base 0, by-base 0, by-base 0", covered},
		{"accepted by base, another way", leaving(accept, "x"), leaving(accept, "x", "y"), "", "pending 1, pending 1, by-amendment 0", drawn{}},
		{"accepted beforehand", leaving(accept), leaving(accept, "x"), "", "pending 1, pending 1, by-amendment 0", drawn{}},
		{"its run accepted beforehand", leaving(named), leaving(named, "x"), "", "by-base 0, by-base 0, by-base 0", covered},
		{"its run accepted, another way", leaving(named, "x"), leaving(named, "x", "y"), "new expiry (to_y)", "by-base 1, by-base 1, by-base 1", covered},
	} {
		for _, engine := range []finding.Engine{finding.Explicit, finding.Symbolic} {
			r := blame.Compare(t.Context(), testkit.DraftOf(t, c.base), testkit.DraftOf(t, c.head), finding.Budget{Jobs: 1, Engine: engine})
			var got []string
			for _, f := range r.Findings {
				said := f.Kind.String() + " " + strings.TrimPrefix(f.Check.Subject, "event.")
				if f.Blame != nil {
					said += fmt.Sprintf(" (%s)", strings.Join(regexp.MustCompile(`to_\w|\bgo\b`).FindAllString(fmt.Sprintf("%+v", f.Blame.Blocks), 1), ", "))
				}
				got = append(got, said)
			}
			want, gate := c.want, c.gate
			if engine == finding.Symbolic && c.drawn != (drawn{}) {
				want, gate = c.drawn.want, c.drawn.gate
			}
			if s := strings.Join(got, ", "); s != want {
				t.Errorf("%s, %s: %s, want %s", c.name, engine, s, want)
			}
			if s := accepted(t, &finding.Review{Contracts: []finding.ContractReview{r}}, finding.AcceptancePolicy{}); s != gate {
				t.Errorf("%s, %s: exit status %s, want %s", c.name, engine, s, gate)
			}
		}
	}
}
