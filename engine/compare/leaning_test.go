package compare_test

import (
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
)

// TestLeaning: a promise over ideal runs that an amendment leaves alone, and that holds only because a norm that it adds or widens has to be kept,
// says so with a run, by each engine. A norm on which it leaned before is not told, nor one that makes no difference.
func TestLeaning(t *testing.T) {
	const base = `contract "c" {}
party "seller" {}
party "buyer" {}
event "order" { by = buyer }
event "inspection" { by = buyer }
event "delivery" { by = seller }
event "resale" { by = buyer }
obligation "deliver" {
  bearer       = seller
  counterparty = buyer
  when         = order
  fulfil       = delivery
  within       = 3
}
requirement "served" {
  over     = ideal
  whenever = "happened(order)"
  follows  = "deliver.fulfilled"
}
`
	forbidden := func(name, of string) string {
		return "prohibition \"" + name + "\" {\n  bearer = buyer\n  of     = " + of + "\n}\n"
	}
	refused := func(text, while string) string {
		return strings.Replace(text, "  within       = 3\n", "  within       = 3\n  until        = refusal\n", 1) +
			"event \"refusal\" {\n  by         = seller\n  only_while = " + while + "\n}\n"
	}
	ordered := strings.NewReplacer(`"delivery" { by = seller }`, "\"delivery\" {\n  by         = seller\n  only_while = happened(order)\n}")
	none := base[:strings.Index(base, "requirement")]
	first := strings.Replace(base, "requirement", "requirement \"sane\" {\n  over   = ideal\n  always = \"!deliver.breached\"\n}\nrequirement", 1)
	const calmly = "requirement \"calmly\" {\n  over   = ideal\n  always = \"!quiet.breached\"\n}\n"
	for _, c := range []struct {
		name, base, head string
		leans            string
	}{
		{"added", base, refused(base, "quiet.breached") + forbidden("quiet", "inspection"), "quiet: order, inspection, refusal"},
		{"added, without effect on it", base, base + forbidden("quiet", "inspection"), ""},
		{"widened", base + forbidden("quiet", "resale"), refused(base, "quiet.breached") + forbidden("quiet", "[inspection, resale]"), "quiet: order, "},
		{"leaned on it before", refused(base, "quiet.breached") + forbidden("quiet", "inspection"), refused(base, "quiet.breached") + forbidden("quiet", "[inspection, resale]"), ""},
		{"both together", base, refused(base, "any(quiet.breached, calm.breached)") + forbidden("quiet", "inspection") + forbidden("calm", "inspection"), "quiet, calm: order, inspection, refusal"},
		{"one of two", base, refused(base, "quiet.breached") + forbidden("quiet", "inspection") + forbidden("calm", "resale"), "quiet: order, inspection, refusal"},
		{"each of two", base, refused(base, "any(quiet.breached, calm.breached)") + forbidden("quiet", "inspection") + forbidden("calm", "resale"), "quiet, calm: order, inspection, refusal"},
		{"of all runs before", ordered.Replace(strings.NewReplacer("  over     = ideal\n", "", "  within       = 3\n", "").Replace(base)), ordered.Replace(refused(base, "quiet.breached") + forbidden("quiet", "inspection")), ""},
		{"not of all runs", base, strings.Replace(refused(base, "quiet.breached")+forbidden("quiet", "inspection"), "  over     = ideal\n", "", 1), ""},
		{"a promise that is new", none, refused(base, "quiet.breached") + forbidden("quiet", "inspection"), ""},
		{"another wording, violated before", strings.Replace(base, "\"deliver.fulfilled\"", "\"deliver.breached\"", 1), refused(base, "quiet.breached") + forbidden("quiet", "inspection"), ""},
		{"another promise leans", first, refused(first, "quiet.breached") + forbidden("quiet", "inspection"), ""},
		{"another promise leaned on it before", base + calmly + forbidden("quiet", "inspection"), refused(base, "quiet.breached") + calmly + forbidden("quiet", "[inspection, resale]"), "quiet: order, "},
		{"violated before", refused(base, "deliver.owed"), refused(base, "quiet.breached") + forbidden("quiet", "inspection"), ""},
	} {
		for _, engine := range []finding.Engine{finding.Explicit, finding.Symbolic, finding.Local} {
			r := blame.Compare(t.Context(), testkit.DraftOf(t, c.base), testkit.DraftOf(t, c.head), finding.Budget{Jobs: 1, Engine: engine})
			got := ""
			if l := r.Findings[0].Leans; l != nil {
				var norms, steps []string
				for _, n := range l.Norms {
					norms = append(norms, n.Norm)
				}
				for _, f := range l.Run.Prefix {
					steps = append(steps, f.Event)
				}
				got = strings.Join(norms, ", ") + ": " + strings.Join(steps, ", ")
			}
			if c.leans == "" && got != "" || !strings.HasPrefix(got, c.leans) {
				t.Errorf("%s, %s: leans on %q, want %q; %+v", c.name, engine, got, c.leans, r.Findings[0])
			}
		}
	}
}
