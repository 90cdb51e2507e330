package compare_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/verify"
)

// restsOf compares two texts, and returns for each promise its kind, on whom it rested before if that differs, and who of those now is bound by no obligation.
func restsOf(t *testing.T, base, head string, engine finding.Engine) string {
	t.Helper()
	var all []string
	for _, f := range blame.Compare(t.Context(), testkit.DraftOf(t, base), testkit.DraftOf(t, head), finding.Budget{Jobs: 1, Engine: engine}).Findings {
		said := f.Kind.String()
		if f.Rested != nil {
			said += fmt.Sprint(" rested on ", f.Rested.Sets, f.Rested.Norms)
		}
		if f.Head != nil && f.Head.Rests != nil {
			said += fmt.Sprint(" rests on ", f.Head.Rests.Sets, f.Head.Rests.Norms)
		}
		if f.Unbound != nil {
			said += fmt.Sprint(" unbound ", f.Unbound)
		}
		all = append(all, said)
	}
	return strings.Join(all, "; ")
}

// TestRestsOfBothVersions: on whom a promise rests is compared with base in head's names and in any order; a violation while one waits on whom it rested already is none that
// the amendment brings.
func TestRestsOfBothVersions(t *testing.T) {
	const base = `contract "c" {}
party "seller" {}
party "buyer" {}
party "agent" {}
event "order" { by = buyer }
event "delivery" {
  by         = seller
  only_while = happened(order)
}
event "visit" { by = agent }
obligation "deliver" {
  bearer       = seller
  counterparty = buyer
  when         = order
  fulfil       = delivery
  within       = 3
}
obligation "look" {
  bearer       = agent
  counterparty = buyer
  when         = order
  fulfil       = visit
  within       = 3
}
requirement "served" {
  ctl = "AF happened(delivery)"
}
requirement "punctual" { ctl = "AG (happened(order) -> AF (deliver.fulfilled && look.fulfilled))" }
`
	drawn := regexp.MustCompile(`(new|rests-as-before) rests on \[\]`)
	const light, shop = "event \"chat\" {\n  by      = agent\n  repeats = true\n}\n", "party \"shop\" {}\n"
	repeated := strings.Replace(base, "event \"visit\"", strings.ReplaceAll(light, "chat", "talk")+"event \"visit\"", 1)
	var ten, parties []string
	for _, p := range "abcdefghij" {
		ten, parties = append(ten, string(p)), append(parties, fmt.Sprintf("party %q {}\n", string(p)))
	}
	free := base[:strings.Index(base, "obligation")] + base[strings.Index(base, "requirement"):strings.Index(base, "requirement \"punctual\"")]
	more := []string{"= seller\n  only", "= any(" + strings.Join(ten, ", ") + ")\n  only", "party \"seller\"", strings.Join(parties, "") + "party \"seller\""}
	delivery := base[strings.Index(base, "obligation \"deliver"):strings.Index(base, "obligation \"look")]
	turned := []string{"requirement \"served\"", "event \"talk\" { by = buyer }\n" + delivery + "requirement \"served\"", delivery, ""}
	by := func(who string) []string {
		return []string{"= seller\n  only", "= " + who + "\n  only", "party \"seller\"", shop + "party \"seller\""}
	}
	const kept, standing = "kept rests on [[buyer seller]] []; ", "standing rests on [] [[{deliver seller} {look agent}]]"
	lit := []string{"event \"visit\"", light + "event \"visit\""}
	for _, c := range []struct {
		name, base string
		edit       []string
		want       string
	}{
		{"as before", base, []string{"event \"visit\"", "event \"talk\" { by = buyer }\nevent \"visit\""}, kept + standing},
		{"one more may", base, []string{"= seller\n  only", "= any(seller, agent)\n  only"}, "kept rested on [[buyer seller]] [] rests on [[agent buyer] [buyer seller]] []; " + standing},
		{"one more may who owes nothing", base, by("any(seller, shop)"), "kept rested on [[buyer seller]] [] rests on [[buyer seller] [buyer shop]] [] unbound [shop]; " + standing},
		{"one who owes nothing does", base, by("shop"), "kept rested on [[buyer seller]] [] rests on [[buyer shop]] [] unbound [shop]; " + standing},
		{"one who owes nothing takes part in each", base, append(by("shop"), "\"order\" { by = buyer }", "\"order\" { by = any(buyer, agent) }"), "kept rested on [[buyer seller]] [] rests on [[agent shop] [buyer shop]] [] unbound [shop]; new rests on [] [[{deliver seller} {look agent}]]"},
		{"one who has to refrain does", base, append(by("shop"), "obligation \"look\"", "prohibition \"p\" {\n  bearer = shop\n  of = visit\n}\nobligation \"look\""), "kept rested on [[buyer seller]] [] rests on [[buyer shop]] [] unbound [shop]; " + standing},
		{"where nobody owes anything", free, by("shop"), "kept rested on [[buyer seller]] [] rests on [[buyer shop]] []"},
		{"after a time", base, []string{"only_while = happened(order)", "not_before = { order = 2 }"}, "kept rested on [[buyer seller]] [] rests on [[buyer seller time]] []; " + standing},
		{"more than are named", base, more, "kept rests on [[a buyer] [b buyer] [buyer c] [buyer d] [buyer e] [buyer f] [buyer g] [buyer h]] []; " + standing},
		{"fewer than were named", strings.NewReplacer(more...).Replace(base), []string{"= any(" + strings.Join(ten, ", ") + ")\n  only", "= seller\n  only"}, kept + standing},
		{"renamed, after a time", strings.Replace(base, "only_while = happened(order)", "not_before = { order = 2 }", 1), []string{"buyer", "zulu"}, "kept rests on [[seller zulu time]] []; " + standing},
		{"two renamed, with one more set", strings.Replace(base, "= seller\n  only", "= any(seller, agent)\n  only", 1), []string{"agent", "yankee", "seller", "xray"}, "kept rests on [[buyer xray] [buyer yankee]] []; standing rests on [] [[{deliver xray} {look yankee}]]"},
		{"norms renamed to another order", base, []string{"deliver\"", "yield\"", "deliver.", "yield.", "look\"", "inspect\"", "look.", "inspect."}, kept + "standing rests on [] [[{yield seller} {inspect agent}]]"},
		{"another norm has to be kept", base, []string{"&& look.fulfilled", ""}, kept + "standing rests on [] [[{deliver seller}]]; " + standing},
		{"by another bearer", base, []string{"bearer       = agent", "bearer       = seller", "visit\" { by = agent", "visit\" { by = seller"}, kept + "standing rested on [] [[{deliver seller} {look agent}]] rests on [] [[{deliver seller} {look seller}]]"},
		{"renamed", base, []string{"buyer", "zulu", "deliver\"", "yield\"", "deliver.", "yield."}, "kept rests on [[seller zulu]] []; standing rests on [] [[{yield seller} {look agent}]]"},
		{"while one waits", base, lit, "rests-as-before rests on [[buyer seller]] []; rests-as-before rests on [] [[{deliver seller} {look agent}]]"},
		{"while one waits, and another does", base, append(by("shop"), lit...), "new rested on [[buyer seller]] [] rests on [[buyer shop]] [] unbound [shop]; rests-as-before rests on [] [[{deliver seller} {look agent}]]"},
		{"while one waits, and dropped", base, append(lit, "requirement \"served\" {\n  ctl = \"AF happened(delivery)\"\n}\n", ""), "rests-as-before rests on [] [[{deliver seller} {look agent}]]; weakened rests on [[buyer seller]] []"},
		{"while one waits, where rests_on says who has to act", strings.Replace(base, "AF happened(delivery)\"", "AF happened(delivery)\"\n  rests_on = [seller, buyer]", 1), lit, kept + "rests-as-before rests on [] [[{deliver seller} {look agent}]]"},
		{"a new promise", base, []string{"requirement \"punctual\"", "requirement \"again\" { ctl = \"AF happened(order)\" }\nrequirement \"punctual\""}, kept + "kept rests on [[buyer]] []; " + standing},
		{"declared in another order", base, turned, kept + "standing rests on [] [[{look agent} {deliver seller}]]"},
		{"one of two norms, declared in another order", strings.Replace(base, "&& look", "|| look", 1), turned, kept + "standing rests on [] [[{look agent}] [{deliver seller}]]"},
		{"while one waits in another way, and dropped", repeated, append(lit, "requirement \"served\" {\n  ctl = \"AF happened(delivery)\"\n}\n", ""), "rests-as-before rests on [] [[{deliver seller} {look agent}]]; rests-as-before rests on [[buyer seller]] []"},
		{"where rests_on names one of them alone", strings.Replace(base, "AF happened(delivery)\"", "AF happened(delivery)\"\n  rests_on = [seller]", 1), []string{"\"order\" { by = buyer }", "\"order\" {\n  by = buyer\n  only_while = happened(talk)\n}\nevent \"talk\" { by = buyer }"}, "standing rests on [[buyer seller]] []; " + standing},
		{"while one waits in another way", repeated, lit, "rests-as-before rests on [[buyer seller]] []; rests-as-before rests on [] [[{deliver seller} {look agent}]]"},
	} {
		for _, engine := range []finding.Engine{finding.Explicit, finding.Symbolic} {
			head := strings.NewReplacer(c.edit...).Replace(c.base)
			want := c.want
			if engine == finding.Symbolic { // ways are not compared
				want = strings.ReplaceAll(drawn.ReplaceAllString(want, "undecided rests on []"), "standing", "undecided")
			}
			if got := restsOf(t, c.base, head, engine); got != want {
				t.Errorf("%s, %s: %s", c.name, engine, got)
			}
		}
	}
}

// TestRestsThatAreNotCompared: what a waiver of base names stays a new violation where head drops the waiver, whoever waits; and of whom a version rests on that is not known
// nothing is said.
func TestRestsThatAreNotCompared(t *testing.T) {
	text := func(rest string) string {
		return "contract \"c\" {}\nparty \"seller\" {}\nparty \"buyer\" {}\nevent \"order\" { by = buyer }\nevent \"delivery\" {\n  by         = seller\n  only_while = happened(order)\n}\n" + rest
	}
	const light, talk, promise = "event \"chat\" {\n  by      = buyer\n  repeats = true\n}\n", "event \"talk\" { by = buyer }\n", "AF happened(delivery)"
	promised := fmt.Sprintf("requirement \"r\" { ctl = %q }\n", promise)
	base := text(light + promised)
	waived := text(light + waivedPromise(promise, verify.Check(t.Context(), testkit.DraftOf(t, base), finding.Budget{Jobs: 1}).Requirements[0].Run))
	if f := blame.Compare(t.Context(), testkit.DraftOf(t, waived), testkit.DraftOf(t, text(talk+light+promised)), finding.Budget{Jobs: 1}).Findings[0]; f.Kind != finding.New {
		t.Errorf("without its waiver: %s", f.Kind)
	}
	unknown := 0
	for states := range 40 {
		f := blame.Compare(t.Context(), testkit.DraftOf(t, text(talk+promised)), testkit.DraftOf(t, text(promised)), finding.Budget{Jobs: 1, States: states + 1, Engine: finding.Explicit}).Findings[0]
		if f.Rested != nil {
			t.Errorf("%d states: rested on %+v", states+1, f.Rested)
		}
		if (f.Base.Rests == nil || f.Base.Rests.Unknown != "") && f.Head.Rests != nil && f.Head.Rests.Unknown == "" {
			unknown++
		}
	}
	if unknown == 0 {
		t.Error("base was always known")
	}
}
