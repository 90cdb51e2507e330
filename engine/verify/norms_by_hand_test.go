package verify_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec"
)

// unbound is a contract whose events can always happen, those of p and those of q side by side.
const unbound = `contract "c" {}
party "p" {
  place "S0" { marked = true }
  state "S1" {}
  state "S2" {}
  transition "t0" { read = [S0] }
  transition "t1" { read = [S1] }
}
party "q" {
  place "S0" { marked = true }
  state "S1" {}
  transition "t0" { read = [S0] }
  transition "t1" { read = [S1] }
}
event "e0" {
  sync = {
    p = t0
  }
}
event "e1" {
  sync = {
    p = t1
  }
}
event "e2" {
  sync = {
    q = t0
  }
}
event "e3" {
  sync = {
    q = t1
  }
}
`

var happenings = []string{"e0", "e1", "e2", "e3", "tick"}

// worlds lists the worlds that events lead to, the first one first, and where each event leads from each.
func (cs clauses) worlds() (all []world, to []map[string]int) {
	at := map[string]int{fmt.Sprint(cs.first()): 0}
	all = []world{cs.first()}
	for i := 0; i < len(all); i++ {
		to = append(to, map[string]int{})
		for _, e := range happenings {
			if !cs.allows(all[i], e) {
				continue
			}
			next := cs.after(all[i], e)
			if _, ok := at[fmt.Sprint(next)]; !ok {
				at[fmt.Sprint(next)] = len(all)
				all = append(all, next)
			}
			to[i][e] = at[fmt.Sprint(next)]
		}
	}
	return all, to
}

// facts are the places that are marked in a world beside its own: how each clause and the contract stands.
func (cs clauses) facts(w world) []string {
	list := []string{"contract-in_force"}
	if w.ended {
		list[0] = "contract-ended"
	}
	for i, c := range cs.list {
		list = append(list, c.name+"-"+w.stand[i])
	}
	return list
}

// net writes the clauses as one net, with a place for each world and a transition for each event in each.
func (cs clauses) net(name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "net %q {\n", name)
	all, to := cs.worlds()
	marked := cs.facts(all[0])
	for _, c := range append(slices.Clone(cs.list), clause{name: "contract"}) {
		stands := []string{"in_force", "ended"}
		if c.kind != "" {
			stands = c.stands()
		}
		for _, stand := range slices.Compact(slices.Sorted(slices.Values(stands))) {
			fact := c.name + "-" + stand
			fmt.Fprintf(&b, "  place %q { marked = %t }\n", fact, slices.Contains(marked, fact))
		}
	}
	for i := range all {
		fmt.Fprintf(&b, "  place \"w%d\" { marked = %t }\n", i, i == 0)
	}
	b.WriteString("  place \"never\" {}\n")
	for _, e := range happenings {
		if cs.mentions(e) {
			fmt.Fprintf(&b, "  transition \"%s-never\" {\n    label = %s\n    read = [never]\n  }\n", e, e)
			for i := range all {
				if j, ok := to[i][e]; ok {
					b.WriteString(cs.way(e, all, i, j))
				}
			}
		}
	}
	b.WriteString("}\n")
	return b.String()
}

// way writes the transition of an event from world i to world j.
func (cs clauses) way(event string, all []world, i, j int) string {
	head := fmt.Sprintf("  transition \"%s-%d\" {\n    label = %s\n", event, i, event)
	if i == j {
		return fmt.Sprintf("%s    read = [w%d]\n  }\n", head, i)
	}
	before, after := []string{fmt.Sprint("w", i)}, []string{fmt.Sprint("w", j)}
	for k, fact := range cs.facts(all[i]) {
		if now := cs.facts(all[j])[k]; now != fact {
			before, after = append(before, fact), append(after, now)
		}
	}
	return fmt.Sprintf("%s    consume = [%s]\n    produce = [%s]\n  }\n", head, strings.Join(before, ", "), strings.Join(after, ", "))
}

// apart are the clauses one by one.
func (cs clauses) apart() []clauses {
	var all []clauses
	for _, c := range cs.list {
		all = append(all, clauses{list: []clause{c}})
	}
	return all
}

// hand writes parties and clauses without any norm: each of the groups is a net, which joins the events that it mentions.
func hand(parties string, groups []clauses) string {
	tick := ""
	for i, g := range groups {
		name := fmt.Sprintf("hand%d", i)
		for _, e := range happenings[:4] {
			if g.mentions(e) {
				parties = join(parties, e, name)
			}
		}
		if g.mentions("tick") {
			tick = "event \"tick\" {\n  sync = { " + name + " = tick }\n}\n"
		}
		parties += g.net(name)
	}
	return parties + tick
}

// join has a net take part in an event by the label of that name.
func join(text, event, net string) string {
	head := fmt.Sprintf("event %q {\n  sync = {\n", event)
	return strings.Replace(text, head, fmt.Sprintf("%s    %s = %s\n", head, net, event), 1)
}

// asked is a contract to draw formulas over: its parties, the clauses and, where it can end, itself.
func (cs clauses) asked() *hclspec.Contract {
	c := &hclspec.Contract{}
	add := func(name string, places ...string) {
		p := &hclspec.Party{Name: name}
		for _, place := range places {
			p.Places = append(p.Places, &hclspec.Place{Name: place})
		}
		c.Parties = append(c.Parties, p)
	}
	add("p", "S0", "S1", "S2")
	for _, n := range cs.list {
		if n.of == "" {
			add(n.name, n.stands()...)
		}
	}
	if slices.ContainsFunc(cs.list, func(n clause) bool { return n.endsContract }) {
		add("contract", "in_force", "ended")
	}
	for _, e := range happenings[:4] {
		c.Events = append(c.Events, &hclspec.Event{Name: e})
	}
	return c
}

// ideals are formulas over ideal runs and what the reference says they mean; p and q are drawn, i is ideal, and o is that
// somebody has done what is forbidden and could be left alone: where all that can follow is that, a run may end.
var ideals = [][2]string{
	{"AF (p)", "A[EX !o U p || !i]"}, {"AG (p)", "AG (p || A[EX !o U !i])"}, {"A[p W q]", "A[p || A[EX !o U !i] W q]"},
	{"EF (p)", "EF (p && !A[EX !o U !i])"}, {"EG (p)", "!A[EX !o U !(p && i)]"},
}

// drawPromises draws requirements, and the same asked of the clauses by hand.
func drawPromises(t *rapid.T, cs clauses, groups []clauses, overstepped string) (sugar, byHand string) {
	spec := cs.asked()
	add := func(over, formula, meant string) {
		name := strings.Count(sugar, "requirement")
		sugar += fmt.Sprintf("requirement \"r%d\" {\n%s  ctl = %q\n}\n", name, over, formula)
		byHand += fmt.Sprintf("requirement \"r%d\" {\n  ctl = %q\n}\n", name, asHand(meant, groups))
	}
	for i := range 4 {
		f := testkit.DrawFormula(t, spec, 3)
		for atom := range f.Atoms() {
			if i == 0 {
				askOfEvents(t, spec, atom)
			}
		}
		add("", f.CTL(), f.CTL())
	}
	f, p, q := rapid.SampledFrom(ideals).Draw(t, "over ideal runs"), testkit.DrawFormula(t, spec, 0).CTL(), testkit.DrawFormula(t, spec, 0).CTL()
	atoms := func(ideal string) *strings.Replacer {
		return strings.NewReplacer("p", p, "q", q, "i", ideal, "o", overstepped)
	}
	add("  over = ideal\n", atoms("").Replace(f[0]), atoms(cs.ideal()).Replace(f[1]))
	add("", atoms("ideal").Replace("E[i U p]"), atoms(cs.ideal()).Replace("E[i U p]"))
	return sugar, byHand
}

// ideal says that nothing has been breached.
func (cs clauses) ideal() string {
	list := []string{"false"}
	for _, c := range cs.list {
		if slices.Contains(c.stands(), "breached") {
			list = append(list, c.name+".breached")
		}
	}
	return "(!(" + strings.Join(list, " || ") + "))"
}

var clauseAtom = regexp.MustCompile(`\b([a-e]|contract)\.([a-z_]+)`)

// asHand asks of the nets by hand what is asked of clauses.
func asHand(formula string, groups []clauses) string {
	return clauseAtom.ReplaceAllStringFunc(formula, func(atom string) string {
		whose, stand, _ := strings.Cut(atom, ".")
		net := max(0, slices.IndexFunc(groups, func(g clauses) bool {
			return slices.ContainsFunc(g.list, func(c clause) bool { return c.name == whose })
		}))
		return fmt.Sprintf("hand%d.%s-%s", net, whose, stand)
	})
}

// Obligations, prohibitions, permissions and powers are the same as a net that has a transition for each event
// in each way in which they can stand: the state models are bisimilar, and the verdicts are equal.
func TestClausesByHand(t *testing.T) {
	draws.Only(t, map[bool]int{false: 50, true: 3_000}[draws.All()])
	rapid.Check(t, func(t *rapid.T) {
		parties, cs := rapid.SampledFrom([]string{testkit.DrawParties(t), unbound}).Draw(t, "parties"), drawClauses(t, 4, true)
		if all, _ := cs.worlds(); len(all) <= 80 {
			sameByHand(t, parties, cs, []clauses{cs})
		}
	})
}

// The same where everything happens at once that can; each clause is a net of its own.
func TestClausesByHandAtOnce(t *testing.T) {
	draws.Only(t, map[bool]int{false: 100, true: 3_000}[draws.All()])
	rapid.Check(t, func(t *rapid.T) {
		parties, cs := rapid.SampledFrom([]string{testkit.DrawParties(t), unbound}).Draw(t, "parties"), drawClauses(t, 3, false)
		sameByHand(t, strings.Replace(parties, "contract \"c\" {}", "contract \"c\" { firing = all }", 1), cs, cs.apart())
	})
}

// alike pairs how clauses can stand with the places that say so by hand.
func (cs clauses) alike(groups []clauses) [][2]string {
	var pairs [][2]string
	for _, party := range cs.asked().Parties {
		for _, place := range party.Places {
			name := party.Name + "." + place.Name
			pairs = append(pairs, [2]string{name, asHand(name, groups)})
		}
	}
	return pairs
}

func sameByHand(t *rapid.T, parties string, cs clauses, groups []clauses) {
	sugar, byHand := cs.guarded(parties)+cs.sugar(), hand(parties, groups)
	overstepped := "false"
	for _, n := range testkit.Leavable(testkit.DraftOf(t, sugar)) {
		overstepped += " || " + n.Name + ".breached"
	}
	promises, meant := drawPromises(t, cs, groups, "("+overstepped+")")
	sugar, byHand = sugar+promises, byHand+meant
	a, b := testkit.DraftOf(t, sugar), testkit.DraftOf(t, byHand)
	if !testkit.Bisimilar(t, a, b, cs.alike(groups)...) {
		t.Fatalf("not bisimilar\n%s\n%s", sugar, byHand)
	}
	ra, rb := testkit.Checked(a), testkit.Checked(b)
	if testkit.Size(ra) != testkit.Size(rb) {
		t.Fatalf("%s; by hand %s\n%s\n%s", testkit.Size(ra), testkit.Size(rb), sugar, byHand)
	}
	engine := rapid.SampledFrom([]finding.Engine{finding.Explicit, finding.Symbolic, finding.Local}).Draw(t, "engine")
	rc := verify.Check(context.Background(), a, finding.Budget{Jobs: 1, Engine: engine})
	for i, r := range ra.Requirements {
		if as := rc.Requirements[i]; as.Verdict != finding.Unknown && as.Verdict != r.Verdict {
			t.Fatalf("%s: %s (%s), %s: %s (%s)\n%s", r.Formula, r.Verdict, r.Reason, engine, as.Verdict, as.Reason, sugar)
		}
		if by := rb.Requirements[i]; r.Verdict != by.Verdict {
			t.Fatalf("%s: %s (%s), by hand %s (%s)\n%s\n%s", r.Formula, r.Verdict, r.Reason, by.Verdict, by.Reason, sugar, byHand)
		}
	}
}
