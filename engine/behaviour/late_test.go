package behaviour

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/verify"
)

func listedOf(t *testing.T, text string) *verify.Listed {
	t.Helper()
	d := testkit.DraftOf(t, text)
	g, err := verify.Explore(t.Context(), d, finding.Budget{})
	if err != nil {
		t.Fatal(err)
	}
	return verify.Listing(d, g, 0)
}

// stateAfter is the state after some events, in one order.
func stateAfter(t *testing.T, c *verify.Listed, events string) int {
	t.Helper()
	at := 0
	for _, name := range strings.Fields(events) {
		next := -1
		for i, step := range c.Graph.Steps(at) {
			if e := c.Net.Transitions[step[0]].Event; e >= 0 && c.Events[e].Name == name {
				next = int(c.Graph.Succ(at)[i])
			}
		}
		if at = next; at < 0 {
			t.Fatalf("%s: %s can't happen", events, name)
		}
	}
	return at
}

const lateParties = "contract \"c\" {}\nparty \"ann\" {\n  state \"due\" {}\n  state \"mid\" {}\n  state \"paid\" {}\n  transition \"pay\" {\n    from = due\n    to   = paid\n  }\n  transition \"one\" {\n    from = due\n    to   = mid\n  }\n  transition \"two\" {\n    from = mid\n    to   = paid\n  }\n}\nparty \"bob\" {}\n"

// TestPerformedLate: a breach is made up for by an act that happens while nothing is owed, each breach by one, and each of several acts by itself.
func TestPerformedLate(t *testing.T) {
	const open = "\n  only_while = any(pay.owed, pay.breached)\n}\n"
	one := lateParties + "event \"order\" { by = bob }\nevent \"payment\" { sync = { ann = pay } }\nevent \"first\" { sync = { ann = one } }\nevent \"second\" { sync = { ann = two } }\nevent \"talk\" {\n  by = bob\n  only_while = ann.paid\n}\nobligation \"pay\" {\n  bearer = ann\n  when = order\n  fulfil = payment\n  within = 1\n}\n"
	late := "contract \"c\" {}\nparty \"ann\" {}\nparty \"bob\" {}\nevent \"order\" { by = bob }\nevent \"payment\" {\n  by = ann\n  only_while = pay.breached\n}\nobligation \"pay\" {\n  bearer = ann\n  when = order\n  fulfil = payment\n  within = 1\n}\n"
	two := lateParties + "event \"order\" {\n  by = bob\n  repeats = true\n}\nevent \"p1\" {\n  by = ann" + open + "event \"p2\" {\n  by = ann" + strings.NewReplacer("pay.", "pay[2].", "any(", "any(pay[2].fulfilled, ").Replace(open) + "obligation \"pay\" {\n  bearer = ann\n  when = order\n  fulfil = [p1, p2]\n  within = 1\n  times = 2\n}\n"
	long := strings.NewReplacer(`event "first"`, "event \"refusal\" {\n  by = bob\n  only_while = ann.due\n}\nevent \"some\"", "within = 1", "breach = refusal").Replace(one) // the shorter way pays, and talk follows both
	all := lateParties + "event \"order\" { by = bob }\nevent \"papers\" {\n  by = ann" + open + "event \"goods\" {\n  by = ann" + open + "obligation \"pay\" {\n  bearer = ann\n  when = order\n  fulfil = all(papers, goods)\n  within = 1\n}\n"
	for _, c := range []struct {
		text, events string
		missing      bool
	}{
		{one, "order payment", false}, {one, "order tick", true}, {one, "order tick payment", true}, // which another run leads to, without payment
		{one, "order tick first second talk", true}, {long, "order refusal some second talk", true},
		{late, "order tick payment", false}, {late, "order tick", true},
		{two, "order tick order tick", true}, {two, "order tick order tick p1", true}, {two, "order tick order tick p1 p2", false},
		{two, "order tick order p1", true}, {two, "order tick order p1 p2", false},
		{all, "order tick", true}, {all, "order tick papers", true}, {all, "order papers tick", true}, {all, "order papers tick goods", false}, {all, "order tick papers goods", false},
		{strings.Replace(all, "any(pay.owed, pay.breached)", "pay.breached", 1), "order tick papers", true}, {strings.Replace(all, "any(pay.owed, pay.breached)", "pay.breached", 1), "order tick papers goods", false},
		{late + "event \"other\" { by = ann }\nobligation \"another\" {\n  bearer = ann\n  when = order\n  fulfil = other\n  within = 1\n}\n", "order tick payment", false},
	} {
		l := listedOf(t, c.text)
		if got := space.Has(unperformed(l, l.Spec.Norms[0]), stateAfter(t, l, c.events)); got != c.missing {
			t.Errorf("after %s something is missing: %t", c.events, got)
		}
	}
}

// TestPerformedEarlyAgainst: who performs early counts if something is owed to it then: not what was breached, and performed since.
func TestPerformedEarlyAgainst(t *testing.T) {
	l := listedOf(t, lateParties+"event \"order\" { by = ann }\nevent \"goods\" {\n  by = bob\n  only_while = deliver.breached\n}\nevent \"bill\" { by = bob }\nevent \"payment\" {\n  by = ann\n  only_while = happened(goods)\n}\nobligation \"deliver\" {\n  bearer = bob\n  counterparty = ann\n  when = order\n  fulfil = goods\n  within = 1\n}\nobligation \"pay\" {\n  bearer = ann\n  when = bill\n  fulfil = payment\n}\n")
	deliver, pay := l.Spec.Norms[0], l.Spec.Norms[1]
	of := map[string]space.Set{deliver.Written(): unperformed(l, deliver)}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name  string
		ctx   context.Context
		way   way
		early bool
	}{
		{"what is breached", t.Context(), way{own: pay, open: inState(l.Draft, deliver, "breached")}, true},
		{"and not performed", t.Context(), way{own: pay, open: inState(l.Draft, deliver, "breached"), late: deliver}, false},
		{"for nothing of its own", t.Context(), way{open: inState(l.Draft, deliver, "breached")}, false},
		{"time is up", ended, way{own: pay, open: inState(l.Draft, deliver, "breached")}, false},
	} {
		early, err := performedEarly(c.ctx, l, []way{c.way}, l.Graph.Sets().None(), of)
		if early != c.early || (c.ctx == ended) != errors.Is(err, context.Canceled) {
			t.Errorf("%s: %t, %v", c.name, early, err)
		}
	}
}

// TestReparations: an occurrence has its own, and reparations in a circle are each asked for once.
func TestReparations(t *testing.T) {
	const times = "obligation \"fine\" {\n  bearer = ann\n  fulfil = papers\n}\nobligation \"rent\" {\n  bearer = ann\n  when = order\n  fulfil = goods\n  within = 1\n  times = 2\n  reparation = fine\n}\n"
	const circle = "obligation \"fine\" {\n  bearer = ann\n  fulfil = papers\n  within = 1\n  reparation = rent\n}\nobligation \"rent\" {\n  bearer = ann\n  fulfil = goods\n  within = 1\n  reparation = fine\n}\n"
	const events = "event \"order\" {\n  by = bob\n  repeats = true\n}\nevent \"goods\" { by = ann }\nevent \"papers\" { by = ann }\n"
	for name, text := range map[string]string{"occurrences": times, "a circle": circle} {
		d := testkit.DraftOf(t, lateParties+events+text)
		for _, n := range d.Spec.Norms {
			r := reparation(d, n)
			if want := map[string]string{"rent": "fine", "fine": map[string]string{"a circle": "rent"}[name]}[n.Written()]; want == "" && r != nil || want != "" && (r == nil || r.Written() != want || r.Nth != n.Nth) {
				t.Errorf("%s: of %s it is %+v", name, n.Name, r)
			}
			if late := outstanding(d, n)[1].late; (late == n) != (r == nil) || late != nil && late != n {
				t.Errorf("%s: %s can be performed late: %+v", name, n.Name, late)
			}
			if asked := len(outstanding(d, n)[1].when.Operands(ctl.And)); asked != map[bool]int{true: 1, false: 3}[r == nil] {
				t.Errorf("%s: of %s %d things are asked", name, n.Name, asked)
			}
		}
	}
}
