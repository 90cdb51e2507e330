package behaviour_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
)

// amendment returns the two texts of one in which every ⟨was|is⟩ stands for both.
func amendment(text string) (base, head string) {
	either := regexp.MustCompile(`⟨([^|⟩]*)\|([^⟩]*)⟩`)
	return either.ReplaceAllString(text, "$1"), either.ReplaceAllString(text, "$2")
}

// TestWhichTurnsAreTold: of the steps that one version refuses those are told by which a norm turns and that matter, each with the shortest run to it.
func TestWhichTurnsAreTold(t *testing.T) {
	const ever = "happened(order)"
	deliver := "obligation \"deliver\" {\n  bearer = seller\n  counterparty = buyer\n  fulfil = delivery\n%s}\n"
	of := func(more string) string { return fmt.Sprintf(deliver, more) }
	by := func(event, who, when string) string {
		if when != "" {
			who += "\n  only_while = " + when
		}
		return fmt.Sprintf("event %q {\n  by = %s\n}\n", event, who)
	}
	for _, c := range []struct{ name, text, want string }{
		{"base does not owe what ends, and owes what ends with it",
			by("delivery", "seller", "⟨happened(order)|any(happened(order), happened(notice))⟩") + of("  when = ⟨order|[order, notice]⟩\n") + "obligation \"inform\" {\n  bearer = seller\n  when = notice\n  fulfil = delivery\n}\n",
			"head ends inform by delivery after 2"},
		{"it begins after a step that head alone has", by("delivery", "seller", "") + "⟨|event \"storm\" { by = buyer }\n⟩" + by("claim", "buyer", "⟨happened(order)|any(happened(order), happened(storm))⟩") + of("  when = claim\n"), ""},
		{"it ends after a step that head alone has", by("delivery", "seller", "") + "⟨|event \"storm\" { by = buyer }\n⟩" + by("excuse", "seller", "⟨happened(notice)|any(happened(notice), happened(storm))⟩") + of("  when = order\n  until = excuse\n"),
			"head ends deliver by excuse after 3"},
		{"it ends in fewer cases", by("delivery", "seller", "") + by("excuse", "seller", "⟨"+ever+"|happened(notice)⟩") + of("  when = order\n  until = excuse\n"), ""},
		{"base ends the contract first", "⟨contract \"sale\" { ends = [notice] }|⟩\n" + by("delivery", "seller", "") + of("  when = order\n"), ""},
		{"head ends the contract first", "⟨|contract \"sale\" { ends = [notice] }⟩\n" + by("delivery", "seller", "") + of("  when = order\n"), ""},
		{"what survives the end of both", "contract \"sale\" { ends = [notice] }\n" + by("reclaiming", "seller", "⟨reclaim.held|[reclaim.held, happened(order)]⟩") + "power \"reclaim\" {\n  bearer = seller\n  when = notice\n  exercise = reclaiming\n  survives = true\n}\n",
			"base uses reclaim by reclaiming after 2"},
		{"after time that one version alone counts", by("delivery", "seller", "") + "event \"excuse\" {\n  by = seller\n  only_while = ⟨happened(notice)|happened(order)⟩\n  not_before = { order = 1 }\n}\n" + of("  when = order\n  until = excuse\n⟨  within = 3\n|⟩"),
			"head ends deliver by excuse after 3"},
		{"it ends while it is suspended", by("delivery", "seller", "") + by("rain", "seller", "") + by("sun", "seller", "") + by("excuse", "seller", "⟨happened(notice)|any(happened(notice), deliver.suspended)⟩") + of("  until = excuse\n") +
			"power \"wait\" {\n  bearer = seller\n  exercise = rain\n  suspends = deliver\n  resumes = sun\n}\n", "head ends deliver by excuse after 2"},
		{"it passes to another", by("delivery", "seller", "") + by("passing", "[seller, buyer]", "⟨[pass.held, happened(notice)]|pass.held⟩") + of("") + "power \"pass\" {\n  bearer = seller\n  exercise = passing\n  assigns = deliver\n  to = carrier\n}\n",
			"head ends deliver by passing after 1; head uses pass by passing after 1"},
		{"there is a longer run, after which waiting does not help", by("delivery", "seller", "") + "event \"claim\" {\n  by = buyer\n  only_while = [happened(order)⟨|, !happened(notice)⟩]\n  not_before = { order = ⟨1|2⟩ }\n}\n" + of("  when = claim\n"),
			"base begins deliver by claim after 3"},
		{"one norm sooner than another, by the same event", by("delivery", "seller", "") + by("claim", "buyer", "⟨any(happened(order), !happened(order))|happened(order)⟩") + of("  when = claim\n") + "obligation \"answer\" {\n  bearer = seller\n  fulfil = delivery\n  when = claim\n  require = happened(notice)\n}\n",
			"base begins answer by claim after 2; base begins deliver by claim after 1"},
		{"in the order of sides, norms and events", by("delivery", "seller", "") + by("zeal", "buyer", "⟨"+ever+"|happened(notice)⟩") + by("aid", "buyer", "⟨"+ever+"|happened(notice)⟩") + of("  when = [zeal, aid]\n"),
			"base begins deliver by aid after 2; base begins deliver by zeal after 2; head begins deliver by aid after 2; head begins deliver by zeal after 2"},
	} {
		text := c.text + by("order", "buyer", "") + by("notice", "buyer", "") + "party \"seller\" {}\nparty \"buyer\" {}\nparty \"carrier\" {}\n"
		base, head := amendment(text)
		for _, side := range []*string{&base, &head} {
			if !strings.Contains(*side, "contract \"sale\"") {
				*side = "contract \"sale\" {}\n" + *side
			}
		}
		for _, engine := range []finding.Engine{finding.Explicit, finding.Symbolic} {
			d := blame.Compare(t.Context(), testkit.DraftOf(t, base), testkit.DraftOf(t, head), finding.Budget{Jobs: 1, Owed: true, Engine: engine}).Difference
			var got []string
			for _, turn := range d.Turns {
				how := map[finding.TurnKind]string{finding.TurnBegins: "begins", finding.TurnUsed: "uses", finding.TurnEnds: "ends"}[turn.How]
				got = append(got, fmt.Sprintf("%s %s %s by %s after %d", map[diff.Side]string{diff.InBase: "base", diff.InHead: "head"}[turn.Side], how, turn.Norm, turn.Event, turn.Run[len(turn.Run)-1].Step))
			}
			if said := strings.Join(got, "; "); said != c.want || d.Unturned != "" {
				t.Errorf("%s, %s: %q %s, want %q", c.name, engine, said, d.Unturned, c.want)
			}
		}
	}
}

// TestTurnsOnDiagramsAreUnknown: where base alone has steps, what can be owed after the same other steps is not known, and it says so.
func TestTurnsOnDiagramsAreUnknown(t *testing.T) {
	base, head := amendment("contract \"sale\" {}\nparty \"seller\" {}\nparty \"buyer\" {}\nevent \"⟨chat|storm⟩\" { by = buyer }\nevent \"order\" { by = buyer }\nevent \"notice\" { by = buyer }\n" +
		"event \"delivery\" {\n  by = seller\n  only_while = ⟨[happened(order), !happened(chat)]|happened(order)⟩\n}\nobligation \"deliver\" {\n  bearer = seller\n  fulfil = delivery\n  when = order\n}\n")
	d := blame.Compare(t.Context(), testkit.DraftOf(t, base), testkit.DraftOf(t, head), finding.Budget{Jobs: 1, Owed: true, Engine: finding.Symbolic}).Difference
	if d.Unturned == "" {
		t.Errorf("%+v", d.Turns)
	}
}

// TestWhatBindsForEverNeedNotBegin: that a norm can't begin again is no loss while it binds and ends only with the contract. It is one if it can end by something else.
func TestWhatBindsForEverNeedNotBegin(t *testing.T) {
	const text = "contract \"loan\" { ends = call }\nparty \"borrower\" {}\nparty \"lender\" {}\nevent \"release\" { by = lender }\nevent \"fault\" {\n  by = borrower\n  repeats = ⟨true|%s⟩\n}\n" +
		"power \"call\" {\n  bearer = lender\n  counterparty = borrower\n  when = fault\n  ⟨within = 2|%s⟩\n}\n"
	for _, c := range []struct{ name, repeats, ends, want string }{
		{"it is held for longer", "true", "", ""},
		{"it is held for longer, and begins once", "false", "", ""},
		{"it begins once, and time ends it", "false", "within = 2", "call after 1"},
		{"it begins once, and an event ends it", "false", "until = release", "call after 1"},
	} {
		base, head := amendment(fmt.Sprintf(text, c.repeats, c.ends))
		for _, engine := range []finding.Engine{finding.Explicit, finding.Symbolic} {
			got := ""
			d := blame.Compare(t.Context(), testkit.DraftOf(t, base), testkit.DraftOf(t, head), finding.Budget{Jobs: 1, Owed: true, Engine: engine}).Difference
			for _, g := range d.Gone {
				if g.How == finding.TurnBegins {
					got = fmt.Sprintf("%s after %d", g.Norm, g.Run[len(g.Run)-1].Step)
				}
			}
			if got != c.want || d.Unforeseen != "" {
				t.Errorf("%s, %s: %q, want %q; %s", c.name, engine, got, c.want, d.Unforeseen)
			}
		}
	}
}

// TestWhatIsDueComesFirst: a step that one version has at once, and the other in the same instant after what comes by itself, is no turn and takes nothing away; unless what comes
// first rules it out. On diagrams that is not known.
func TestWhatIsDueComesFirst(t *testing.T) {
	const norms = "event \"order\" { by = buyer }\nevent \"quit\" {\n  by = buyer\n  only_while = %s\n}\nobligation \"deliver\" {\n  bearer = seller\n  counterparty = buyer\n}\n" +
		"power \"quit\" {\n  bearer = buyer\n  counterparty = seller\n  exercise = quit\n  suspends = deliver\n  resumes = order\n}\n"
	for _, c := range []struct {
		name, text, when string
		told             int
	}{
		{"a reminder is new", "⟨|event \"reminder\" { after = { order = 2 } }⟩\n", "quit.held", 0},
		{"a reminder comes later", "event \"reminder\" { after = { order = ⟨1|2⟩ } }\n", "quit.held", 0},
		{"it ends the right sooner", "event \"reminder\" { after = { order = ⟨2|1⟩ } }\n", "[quit.held, !happened(reminder)]", 1},
	} {
		base, head := amendment("contract \"sale\" {}\nparty \"seller\" {}\nparty \"buyer\" {}\n" + c.text + fmt.Sprintf(norms, c.when))
		for _, engine := range []finding.Engine{finding.Explicit, finding.Symbolic} {
			d := blame.Compare(t.Context(), testkit.DraftOf(t, base), testkit.DraftOf(t, head), finding.Budget{Jobs: 1, Owed: true, Engine: engine}).Difference
			if d.Unturned+d.Unforeseen != "" && engine == finding.Symbolic {
				continue
			}
			if n := len(d.Turns) + len(d.Gone); d.Unturned+d.Unforeseen != "" || min(n, 1) != c.told {
				t.Errorf("%s, %s: %d turns, %d gone, want %d; %s %s", c.name, engine, len(d.Turns), len(d.Gone), c.told, d.Unturned, d.Unforeseen)
			}
		}
	}
}
