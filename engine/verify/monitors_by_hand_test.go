package verify_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/testkit"
)

// A monitored is a requirement that asks what has happened, of events X and Y, and the same asked of nets that
// remember it: seen-X and seen-Y are marked once the event has happened, and first-X says which came first.
type monitored struct{ asks, hand, alternating string }

// "The alternating" is what can be asked where one transition fires at a time; elsewhere hand is.
var monitoreds = []monitored{
	{`ctl = "before(X, Y)"`, "A[!seen-Y.yes W (seen-X.yes && !seen-Y.yes)]", "AG !first-X.late"},
	{"no = \"happened(Y)\"\n  without = \"happened(X)\"", "A[!seen-Y.yes W seen-X.yes]", "AG !first-X.late"},
	{"never = \"happened(Y)\"\n  until = \"happened(X)\"", "A[!seen-Y.yes W seen-X.yes]", "AG !first-X.late"},
	{"no = \"p.S1\"\n  without = \"happened(X)\"", "A[!p.S1 W seen-X.yes]", ""},
	{"sometime = \"happened(Y)\"\n  after = \"happened(X)\"", "AG (seen-X.yes -> AF seen-Y.yes)", ""},
	{"never = \"happened(Y)\"\n  after = \"happened(X)\"", "AG !(seen-X.yes && seen-Y.yes)", ""},
	{"whenever = \"happened(X) && p.S1\"\n  follows = \"happened(Y)\"", "AG (seen-X.yes && p.S1 -> AF seen-Y.yes)", ""},
	{"always = \"p.S0 || happened(X)\"", "AG (p.S0 || seen-X.yes)", ""},
	{"at_most = 1\n  times = \"happened(X)\"", "true", ""},
	{`ctl = "EF (happened(X) && !happened(Y))"`, "EF (seen-X.yes && !seen-Y.yes)", "EF first-X.early"},
}

// seen writes a net that remembers an event.
func seen(event string) string {
	return fmt.Sprintf("net \"seen-%s\" {\n  place \"no\" { marked = true }\n  place \"yes\" {}\n%s}\n", event, watching(event, "no>yes", "yes"))
}

// first writes a net that remembers whether x has happened alone, y before x, or neither; and x with y after it.
func first(x, y string) string {
	return fmt.Sprintf("net \"first-%s\" {\n  place \"none\" { marked = true }\n  place \"early\" {}\n  place \"late\" {}\n  place \"both\" {}\n%s%s}\n",
		x, watching(x, "none>early", "early", "late", "both"), watching(y, "none>late", "early>both", "late", "both"))
}

// What patterns and atoms remember of events is the same as nets by hand that take part in them: the state models
// are bisimilar, states being told apart by what has happened, and the verdicts are equal.
func TestMonitorsByHand(t *testing.T) {
	draws.SkipForRaces(t)
	held, n := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		rule := rapid.SampledFrom([]string{"one", "all"}).Draw(t, "rule")
		e := rapid.Permutation([]string{"e0", "e1", "e2", "e3"}).Draw(t, "events")
		parties := rapid.SampledFrom([]string{testkit.DrawParties(t), unbound}).Draw(t, "parties")
		parties = strings.Replace(parties, "contract \"c\" {}", "contract \"c\" { firing = "+rule+" }", 1)
		sugar, byHand := parties, join(join(parties, e[0], "seen-"+e[0]), e[1], "seen-"+e[1])+seen(e[0])+seen(e[1])
		if rule == "one" {
			byHand = join(join(byHand, e[0], "first-"+e[0]), e[1], "first-"+e[0]) + first(e[0], e[1])
		}
		events := strings.NewReplacer("X", e[0], "Y", e[1])
		for i, m := range monitoreds {
			asked := m.hand
			if rule == "one" && m.alternating != "" {
				asked = m.alternating
			}
			sugar += fmt.Sprintf("requirement \"r%d\" {\n  %s\n}\n", i, events.Replace(m.asks))
			byHand += fmt.Sprintf("requirement \"r%d\" { ctl = %q }\n", i, events.Replace(asked))
		}
		a, b := testkit.DraftOf(t, sugar), testkit.DraftOf(t, byHand)
		if !testkit.Bisimilar(t, a, b, [2]string{".happened(" + e[0] + ")", "seen-" + e[0] + ".yes"}, [2]string{".happened(" + e[1] + ")", "seen-" + e[1] + ".yes"},
			[2]string{"p.S0", "p.S0"}, [2]string{"p.S1", "p.S1"}) {
			t.Fatalf("not bisimilar\n%s\n%s", sugar, byHand)
		}
		ra, rb := testkit.Checked(a), testkit.Checked(b)
		for i, r := range ra.Requirements {
			if by := rb.Requirements[i]; r.Verdict != by.Verdict {
				t.Fatalf("%s: %s (%s), by hand %s: %s (%s)\n%s\n%s", r.Formula, r.Verdict, r.Reason, by.Formula, by.Verdict, by.Reason, sugar, byHand)
			}
			if n++; r.Verdict.String() == "holds" {
				held++
			}
		}
	})
	if held < n/5 || held > n-n/5 {
		t.Errorf("%d of %d hold: the comparison is hardly worth it", held, n)
	}
}
