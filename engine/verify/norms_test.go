package verify_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/naive"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
)

// acting lists what can happen in a marking, and the places of the parties that are marked.
func acting(n *petri.Net, m petri.Marking) (marked, names string) {
	var places, can []string
	for _, p := range m {
		if net := n.Places[p].Net; net == "p" || net == "q" {
			places = append(places, n.Places[p].String())
		}
	}
	for t := range n.Transitions {
		if n.Fireable(m, t) {
			can = append(can, n.Transitions[t].Name)
		}
	}
	return strings.Join(places, " "), strings.Join(can, " ")
}

// What can happen with norms is what can happen without: they watch, and hold nothing up.
func TestNormsOnlyWatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := testkit.DrawParties(t)
		free, bound := testkit.DraftOf(t, text), testkit.DraftOf(t, text+testkit.DrawNorms(t, 0))
		want, got := map[string]string{}, map[string]string{}
		for _, m := range testkit.MarkingsOf(free.Net) {
			marked, can := acting(free.Net, m)
			want[marked] = can
		}
		for _, m := range testkit.MarkingsOf(bound.Net) {
			marked, can := acting(bound.Net, m)
			if got[marked] = can; want[marked] != can {
				t.Fatalf("in %s: %s can happen, without norms %s\n%s", marked, can, want[marked], text)
			}
		}
		if len(got) != len(want) {
			t.Fatalf("%d states of the parties, without norms %d", len(got), len(want))
		}
	})
}

// byHand is the net in which every transition with moves is written out: one for each way in which
// what watches it can stand.
func byHand(n *petri.Net) *petri.Net {
	hand := &petri.Net{Places: n.Places, Initial: n.Initial}
	seen := map[string]bool{}
	for _, m := range testkit.MarkingsOf(n) {
		for i, t := range n.Transitions {
			if !n.Fireable(m, i) {
				continue
			}
			plain := petri.Transition{Name: t.Name, Event: t.Event, In: slices.Clone(t.In), Out: slices.Clone(t.Out), Read: slices.Clone(t.Read)}
			for _, v := range n.Moved(m, i) {
				plain.In, plain.Out = append(plain.In, v.From), append(plain.Out, v.To)
			}
			watching := map[string]bool{}
			for _, v := range t.Moves {
				for _, p := range append([]int{v.From}, v.If...) {
					watching[n.Places[p].Net] = true
				}
			}
			for _, p := range m {
				if watching[n.Places[p].Net] && !slices.Contains(plain.In, p) && !slices.Contains(plain.Read, p) {
					plain.Read = append(plain.Read, p)
				}
			}
			for _, list := range [][]int{plain.In, plain.Out, plain.Read} {
				slices.Sort(list)
			}
			plain.Read = slices.DeleteFunc(plain.Read, func(p int) bool { return slices.Contains(plain.In, p) })
			if key := fmt.Sprint(i, plain); !seen[key] {
				seen[key] = true
				hand.Transitions = append(hand.Transitions, plain)
			}
		}
	}
	return hand
}

// Moves written out give the same state model, deadlines included.
func TestMovesByHand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := testkit.DraftOf(t, testkit.DrawParties(t)+testkit.DrawNorms(t, rapid.IntRange(0, 3).Draw(t, "within")))
		if err := d.Net.Sane(); err != nil {
			t.Fatal(err)
		}
		hand := byHand(d.Net)
		want, got := testkit.MarkingsOf(d.Net), testkit.MarkingsOf(hand)
		if len(want) != len(got) {
			t.Fatalf("%d states, by hand %d", len(want), len(got))
		}
		for _, m := range want {
			if a, b := successors(d.Net, m), successors(hand, m); !slices.Equal(a, b) {
				t.Fatalf("from %v: %v, by hand %v", m, a, b)
			}
		}
	})
}

func successors(n *petri.Net, m petri.Marking) []string {
	var list []string
	for _, step := range n.Steps(m, petri.One) {
		after, contact := n.Fire(m, step)
		list = append(list, fmt.Sprint(n.Transitions[step[0]].Name, after, contact))
	}
	slices.Sort(list)
	return list
}

// A requirement over ideal runs is what naive labelling says on the states from which an ideal run
// goes on, or may stop because all that can follow is forbidden, with the arcs between them.
func TestIdealRuns(t *testing.T) {
	draws.SkipForRaces(t)
	met, stopped, empty := 0, 0, map[finding.Engine]int{}
	rapid.Check(t, func(t *rapid.T) {
		text := testkit.DrawParties(t) + testkit.DrawNorms(t, 0)
		spec := testkit.DraftOf(t, text).Spec
		if rapid.Bool().Draw(t, "secret") {
			text += "party \"keeper\" {}\nevent \"leak\" { by = keeper }\nprohibition \"secrecy\" {\n  bearer = keeper\n  of = leak\n}\n"
		}
		for i := range 5 {
			text += fmt.Sprintf("requirement \"r%d\" {\n  over = ideal\n  ctl = %q\n}\n", i, testkit.DrawFormula(t, spec, 3).CTL())
		}
		asks := fmt.Sprintf("AG (%s -> AF %s)", testkit.DrawFormula(t, spec, 0).CTL(), testkit.DrawFormula(t, spec, 0).CTL())
		text += fmt.Sprintf("requirement \"r5\" {\n  over = ideal\n  ctl = %q\n}\n", asks)
		d, all := testkit.DraftOf(t, text), testkit.DraftOf(t, strings.ReplaceAll(text, "over = ideal", "over = all"))
		g, oneSafe := testkit.ExploreNaively(d)
		if !oneSafe {
			t.Fatalf("norms put two tokens on a place")
		}
		ideal := &ctl.Formula{Op: ctl.True}
		for _, n := range d.Spec.Norms {
			if n.Breached() != nil {
				ideal = &ctl.Formula{Op: ctl.And, Left: ideal, Right: &ctl.Formula{Op: ctl.Not, Left: placed(d, n.Name+".breached")}}
			}
		}
		forbidden := &ctl.Formula{Op: ctl.False}
		for _, n := range testkit.Leavable(d) {
			forbidden = &ctl.Formula{Op: ctl.Or, Left: forbidden, Right: placed(d, n.Name+".breached")}
		}
		stops := &ctl.Formula{Op: ctl.And, Left: ideal, Right: &ctl.Formula{Op: ctl.AX, Left: forbidden}}
		keep := naive.Sat(g, &ctl.Formula{Op: ctl.EW, Left: ideal, Right: stops})
		if goes := naive.Sat(g, &ctl.Formula{Op: ctl.EG, Left: ideal}); !slices.Equal(goes, keep) {
			stopped++
		}
		if !keep[0] {
			return
		}
		met++
		within := naive.Graph{Holds: g.Holds, Succ: make([][]int, len(g.Succ))}
		for s, list := range g.Succ {
			for _, to := range list {
				if keep[s] && keep[to] {
					within.Succ[s] = append(within.Succ[s], to)
				}
			}
		}
		for _, engine := range []finding.Engine{finding.Explicit, finding.Symbolic, finding.Local} {
			if d.Rule != petri.One && engine == finding.Symbolic {
				continue
			}
			r := verify.Check(context.Background(), d, finding.Budget{Jobs: 1, Engine: engine})
			for i, q := range r.Requirements {
				want := finding.Violated
				if naive.Sat(within, all.Formulas[i])[0] {
					want = finding.Holds
				}
				if q.Verdict != want && (engine != finding.Local || q.Verdict != finding.Unknown) {
					t.Fatalf("%s over ideal runs: %s (%s) by %s; by definition %s\n%s", all.Formulas[i].CTL(), q.Verdict, q.Reason, engine, want, text)
				}
			}
			comes := &ctl.Formula{Op: ctl.EF, Left: all.Formulas[5].Left.Left}
			q, want := r.Requirements[5], naive.Sat(g, comes)[0] && !naive.Sat(within, comes)[0]
			if q.Empty != want && (engine != finding.Local || q.Empty) {
				t.Fatalf("%s over ideal runs is empty: %t by %s; by definition %t\n%s", asks, q.Empty, engine, want, text)
			}
			if q.Empty {
				empty[engine]++
			}
		}
	})
	if met < 20 || stopped < 4 || draws.All() && (empty[finding.Explicit] < 2 || empty[finding.Local] < 1) {
		t.Errorf("%d contracts had an ideal run, %d one that may stop before what is forbidden; promises were empty by engine: %v", met, stopped, empty)
	}
}

func placed(d *compile.Draft, name string) *ctl.Formula {
	i := slices.IndexFunc(d.Net.Places, func(p petri.Place) bool { return p.String() == name })
	return &ctl.Formula{Op: ctl.Atom, Name: name, Place: i}
}

// An obligation with a deadline, and the same as a net whose transitions happen with the events.
func TestObligationByHand(t *testing.T) {
	parties := `
contract "c" {}
party "p" {
  state "S0" {}
  state "S1" {}
  state "S2" {}
  transition "order" {
    from = S0
    to   = S1
  }
  transition "deliver" {
    from = S1
    to   = S2
  }
  transition "again" {
    from = S2
    to   = S0
  }
}
`
	asks := `
requirement "late" { ctl = "EF (deliver.breached && p.S1)" }
requirement "kept" { ctl = "AG (deliver.owed -> AF deliver.fulfilled)" }
requirement "settled" { ctl = "AG (deliver.owed -> AF (deliver.fulfilled || deliver.breached))" }
requirement "waits" { ctl = "EG !deliver.owed" }
`
	sugar := testkit.DraftOf(t, parties+asks+`
event "order" {
  sync = { p = order }
}
event "delivery" {
  sync = { p = deliver }
}
obligation "deliver" {
  bearer = p
  when   = order
  fulfil = delivery
  within = 2
}
`)
	hand := testkit.DraftOf(t, parties+asks+`
event "order" {
  sync = {
    p       = order
    deliver = order
  }
}
event "delivery" {
  sync = {
    p       = deliver
    deliver = delivery
  }
}
event "tick" {
  sync = { deliver = tick }
}
net "deliver" {
  place "dormant" { marked = true }
  place "owed" {}
  place "two" {}
  place "one" {}
  place "fulfilled" {}
  place "breached" {}
`+watching("order", "dormant>owed,two", "fulfilled>owed,two", "owed", "breached")+
		watching("delivery", "dormant", "owed,two>fulfilled", "owed,one>fulfilled", "fulfilled", "breached")+
		watching("tick", "two>one", "owed,one>breached")+"}\n")
	a, b := verify.Check(context.Background(), sugar, finding.Budget{Jobs: 1}), verify.Check(context.Background(), hand, finding.Budget{Jobs: 1})
	if testkit.Size(a) != testkit.Size(b) {
		t.Errorf("%s; by hand %s", testkit.Size(a), testkit.Size(b))
	}
	for i, r := range a.Requirements {
		if r.Verdict != b.Requirements[i].Verdict || r.Verdict == finding.IllFormed {
			t.Errorf("%s: %s, by hand %s", r.Name, r.Verdict, b.Requirements[i].Verdict)
		}
	}
}

// TestAllThatFulfils: where it takes both of two events, that one of them is forbidden is enough to be obliged and forbidden, unless it has happened.
func TestAllThatFulfils(t *testing.T) {
	for until, want := range map[string]bool{"pay": true, "deliver": true, "order": false} {
		text := strings.NewReplacer("UNTIL", until).Replace(`contract "c" {}
party "p" {}
event "order" { by = p }
event "pay" { by = p }
event "deliver" { by = p }
obligation "both" {
  bearer = p
  when   = order
  fulfil = all(pay, deliver)
}
prohibition "not-yet" {
  bearer = p
  of     = deliver
  until  = UNTIL
}
`)
		if until == "deliver" {
			text = strings.Replace(text, "  until  = deliver\n", "", 1)
		}
		said := slices.ContainsFunc(verify.Check(t.Context(), testkit.DraftOf(t, text), finding.Budget{}).Diagnostics, func(d finding.Diagnostic) bool { return d.Code == "obliged-and-forbidden" })
		if said != want {
			t.Errorf("until %s: obliged and forbidden is said: %t", until, said)
		}
	}
}

// watching writes transitions of a net with one label: "a,b>c" consumes and produces, "a" reads.
func watching(label string, ways ...string) string {
	var b strings.Builder
	for i, way := range ways {
		from, to, moves := strings.Cut(way, ">")
		arcs := "read = [" + from + "]"
		if moves {
			arcs = "consume = [" + from + "]\n    produce = [" + to + "]"
		}
		fmt.Fprintf(&b, "  transition \"%s-%d\" {\n    label = %s\n    %s\n  }\n", label, i, label, arcs)
	}
	return b.String()
}

// Two hundred obligations with deadlines, which an event may end all at once, load and compose.
func BenchmarkObligations(b *testing.B) {
	var text strings.Builder
	text.WriteString("contract \"c\" {}\nparty \"p\" {\n  state \"S\" {}\n  transition \"t\" {\n    from = S\n    to   = S\n  }\n}\n")
	for i := range 200 {
		fmt.Fprintf(&text, "event \"e%d\" {\n  sync = { p = t }\n}\n", i)
		fmt.Fprintf(&text, "obligation \"o%d\" {\n  bearer = p\n  when = e%d\n  fulfil = e%d\n  within = 10\n  ends_contract = %t\n}\n", i, i, (i+1)%200, i == 7)
	}
	for b.Loop() {
		testkit.DraftOf(b, text.String())
	}
}

// TestNothingIsJudgedWhileAnEventIsDue: in the instant in which an event is due that happens by itself nothing else can happen, which keeps nobody from
// fulfilling anything: what can't be fulfilled is judged once it has happened.
func TestNothingIsJudgedWhileAnEventIsDue(t *testing.T) {
	of := func(ends, survives string) string {
		return `
contract "lease" {` + ends + `}
party "landlord" {
  state "in_time" {}
  state "late" { since = expiry }
}
party "tenant" {}
event "handover" { by = landlord }
event "notice" { by = tenant }
event "repair" {
  by         = landlord
  only_while = [repair.owed, landlord.in_time]
}
event "expiry" { after = { handover = "5 days" } }
obligation "repair" {
  bearer       = landlord
  counterparty = tenant
  when         = notice
  fulfil       = repair` + survives + `
}
`
	}
	for _, c := range []struct {
		ends, survives string
		said           bool
	}{{" ends = expiry ", "", false}, {"", "", true}, {" ends = expiry ", "\n  survives     = true", true}} {
		d := testkit.DraftOf(t, of(c.ends, c.survives))
		for _, e := range []finding.Engine{finding.Explicit, finding.Symbolic} {
			r := verify.Check(t.Context(), d, finding.Budget{Engine: e})
			at := slices.IndexFunc(r.Diagnostics, func(d finding.Diagnostic) bool { return d.Code == "obligation-cannot-fulfil" })
			if (at >= 0) != c.said {
				t.Errorf("%s%s, %s: said %t, expected %t", c.ends, c.survives, e, at >= 0, c.said)
			}
		}
	}
}
