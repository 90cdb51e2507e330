package engine_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/internal/draws"
)

// An owingContract is what random contracts with norms are made of.
type owingContract struct {
	steps [][3]int // by party, of the transition for each event: from, to
	who   [][]int  // by event, the parties that take part
	norms []owingNorm
}

type owingNorm struct {
	kind, name           string
	bearer, counterparty int
	act, when, until     int // events; -1: none
	breach, within       int
	ends                 bool
}

var partyNames = []string{"a", "b", "c"}

const owingEvents = 3

func drawOwing(r *rand.Rand) (c owingContract) {
	for range owingEvents {
		var who []int
		for p := range partyNames {
			if r.IntN(2) == 0 {
				who = append(who, p)
			}
		}
		if who == nil {
			who = []int{r.IntN(len(partyNames))}
		}
		c.who = append(c.who, who)
	}
	for range len(partyNames) * owingEvents {
		c.steps = append(c.steps, [3]int{r.IntN(2), r.IntN(2)})
	}
	for i := range 1 + r.IntN(2) {
		c.norms = append(c.norms, drawNorm(r, fmt.Sprint("n", i)))
	}
	return c
}

func drawNorm(r *rand.Rand, name string) owingNorm {
	maybe := func() int { return r.IntN(2*owingEvents) - owingEvents }
	n := owingNorm{kind: []string{"obligation", "obligation", "prohibition", "permission", "power"}[r.IntN(5)], name: name, bearer: r.IntN(3), counterparty: r.IntN(4) - 1,
		act: r.IntN(owingEvents), when: maybe(), until: maybe(), breach: maybe(), within: max(r.IntN(5)-1, 0), ends: r.IntN(6) == 0}
	if n.kind == "permission" || n.kind == "prohibition" {
		n.ends = n.ends && n.kind == "prohibition"
	}
	return n
}

// amended changes one thing or two.
func (c owingContract) amended(r *rand.Rand) owingContract {
	h := owingContract{slices.Clone(c.steps), slices.Clone(c.who), slices.Clone(c.norms)}
	for range 1 + r.IntN(2) {
		i := r.IntN(max(len(h.norms), 1))
		if len(h.norms) == 0 || r.IntN(8) == 0 {
			h.norms = append(h.norms, drawNorm(r, fmt.Sprint("m", len(h.norms))))
			continue
		}
		switch n := &h.norms[i]; r.IntN(10) {
		case 0:
			h.norms = slices.Delete(h.norms, i, i+1)
		case 1:
			n.within = max(r.IntN(5)-1, 0)
		case 2:
			n.bearer = r.IntN(3)
		case 3:
			n.counterparty = r.IntN(4) - 1
		case 4:
			n.act = r.IntN(owingEvents)
		case 5:
			n.when = r.IntN(owingEvents+1) - 1
		case 6:
			n.until = r.IntN(owingEvents+1) - 1
		case 7:
			n.name = "r" + n.name
		case 8:
			h.steps[r.IntN(len(h.steps))] = [3]int{r.IntN(2), r.IntN(2)}
		case 9:
			n.breach, n.ends = r.IntN(owingEvents+1)-1, n.ends && n.kind != "permission"
		}
	}
	return h
}

// text writes a contract.
func (c owingContract) text() string {
	var b strings.Builder
	b.WriteString("contract \"c\" {}\n")
	for p, name := range partyNames {
		fmt.Fprintf(&b, "party %q {\n  state \"s0\" {}\n  state \"s1\" {}\n", name)
		for e := range owingEvents {
			s := c.steps[p*owingEvents+e]
			fmt.Fprintf(&b, "  transition \"t%d\" {\n    from = s%d\n    to   = s%d\n  }\n", e, s[0], s[1])
		}
		b.WriteString("}\n")
	}
	for e, who := range c.who {
		fmt.Fprintf(&b, "event \"e%d\" {\n  sync = {\n", e)
		for _, p := range who {
			fmt.Fprintf(&b, "    %s = t%d\n", partyNames[p], e)
		}
		b.WriteString("  }\n}\n")
	}
	for _, n := range c.norms {
		b.WriteString(n.text())
	}
	return b.String()
}

func (n *owingNorm) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %q {\n  bearer = %s\n", n.kind, n.name, partyNames[n.bearer])
	if n.counterparty >= 0 && n.counterparty != n.bearer {
		fmt.Fprintf(&b, "  counterparty = %s\n", partyNames[n.counterparty])
	}
	words := map[string][3]string{"obligation": {"fulfil", "when", "within"}, "prohibition": {"of", "from", "lasts"}, "permission": {"of", "from"}, "power": {"exercise", "when"}}[n.kind]
	act, begin, late := words[0], words[1], words[2]
	fmt.Fprintf(&b, "  %s = e%d\n", act, n.act)
	taken := map[int]bool{n.act: true, -1: true} // an event has one part in a norm
	free := func(event int) bool {
		was := taken[event]
		taken[event] = true
		return event >= 0 && !was
	}
	if free(n.when) {
		fmt.Fprintf(&b, "  %s = e%d\n", begin, n.when)
	}
	if free(n.until) {
		fmt.Fprintf(&b, "  until = e%d\n", n.until)
	}
	breakable := n.kind == "prohibition"
	if n.kind == "obligation" && free(n.breach) {
		fmt.Fprintf(&b, "  breach = e%d\n", n.breach)
		breakable = true
	}
	if n.within > 0 && late != "" {
		fmt.Fprintf(&b, "  %s = %d\n", late, n.within)
		breakable = breakable || n.kind == "obligation"
	}
	if n.ends && (breakable || n.kind == "power") {
		b.WriteString("  ends_contract = true\n")
	}
	b.WriteString("}\n")
	return b.String()
}

// TestOwedAgainstNaive: what is said of what is owed, and of what can happen beside it, is what definitions taken at their word say, for
// everybody and for each party, one by one and on diagrams.
func TestOwedAgainstNaive(t *testing.T) {
	pairs := 150
	if draws.All() {
		pairs = 2_000
	}
	r := rand.New(rand.NewPCG(15, 1))
	var l owedLaw
	for l.pairs < pairs {
		base := drawOwing(r)
		l.compare(t, base.text(), base.amended(r).text())
	}
	t.Logf("%+v", l)
	if l.differ < pairs/3 || l.same < pairs/20 || l.onlyOwed < pairs/10 || l.settled < pairs*2 {
		t.Errorf("the pairs are poor: %+v", l)
	}
}

// owedLaw counts what was held against the definitions.
type owedLaw struct{ pairs, differ, same, onlyOwed, views, settled, unsettled, unsettledAll int }

func (l *owedLaw) compare(t *testing.T, base, head string) {
	x, y := draftOf(t, base), draftOf(t, head)
	_, names := delta.Changes(x.Spec, y.Spec)
	times := strings.Contains(base+head, "within") || strings.Contains(base+head, "lasts")
	models := func(who string) (b, h *labelledModel) {
		b, h = labelledOf(x, who, times, 24), labelledOf(y, who, times, 24)
		if b != nil {
			renamedNorms(b, names, x.Spec.Norms)
		}
		return b, h
	}
	if b, h := models(""); b == nil || h == nil {
		return
	}
	listed := engine.Compare(context.Background(), x, y, engine.Budget{Jobs: 1})
	if listed.Status != engine.Changed {
		return
	}
	l.pairs++
	vast := engine.Compare(context.Background(), x, y, engine.Budget{Jobs: 1, Engine: engine.Symbolic})
	fail := func(format string, args ...any) {
		t.Fatalf("%s\nbase\n%s\nhead\n%s", fmt.Sprintf(format, args...), base, head)
	}
	for i, v := range append([]engine.View{{Behaviour: listed.Difference.All}}, listed.Difference.Views...) {
		b, h := models(v.Party)
		steps, owed := relationOfLabelled(b.steps(), h.steps()), relationOfLabelled(b, h)
		if v.Relation != steps || v.Owed != nil && v.Owed.Relation != owed || v.Owed == nil && owed != steps {
			fail("%q: steps %s, naively %s; owed %+v, naively %s", v.Party, v.Relation, steps, v.Owed, owed)
		}
		other := vast.Difference.All
		if i > 0 {
			other = vast.Difference.Views[i-1].Behaviour
		}
		if other.Relation != steps && other.Relation != delta.Unknown || other.Owed != nil && other.Owed.Relation != owed && other.Owed.Relation != delta.Unknown {
			fail("%q on diagrams: steps %s (%s), naively %s; owed %+v, naively %s", v.Party, other.Relation, other.Reason, steps, other.Owed, owed)
		}
		l.count(i, steps, owed, &other)
		if i == 0 {
			for _, o := range []*engine.Owed{v.Owed, other.Owed} {
				if problem := l.norms(b, h, o); problem != "" {
					fail("%s: %+v", problem, o)
				}
			}
		}
	}
}

func (l *owedLaw) count(i int, steps, owed delta.Relation, vast *engine.Behaviour) {
	if i > 0 {
		l.views++
	} else {
		switch {
		case owed == delta.Same:
			l.same++
		case steps == delta.Same:
			l.onlyOwed++
			fallthrough
		default:
			l.differ++
		}
	}
	if vast.Relation == delta.Unknown || vast.Owed != nil && vast.Owed.Relation == delta.Unknown {
		l.unsettled++
		l.unsettledAll += 1 - min(i, 1)
	} else {
		l.settled++
	}
}

// norms holds the norms that are shown against all that differ.
func (l *owedLaw) norms(base, head *labelledModel, o *engine.Owed) string {
	if o == nil || o.Relation == delta.Unknown {
		return ""
	}
	lengths := differing(base, head)
	shown := map[string]int{}
	for _, d := range o.Norms {
		side := map[delta.Side]int{delta.InBase: 0, delta.InHead: 1}[d.Side]
		want, differs := lengths[side][d.Norm]
		if !differs || len(d.Run) > 0 && d.Run[len(d.Run)-1].Step != want || len(d.Run) == 0 && want != 0 {
			return fmt.Sprintf("%s after %d steps; naively %v", d.Norm, len(d.Run), lengths)
		}
		shown[d.Norm]++
		at := [2][]int{{0}, {0}}
		for _, f := range d.Run {
			for i, m := range []*labelledModel{base, head} {
				var next []int
				for _, s := range at[i] {
					for _, a := range m.arcs[s] {
						if a.name == firingName(f) {
							next = append(next, a.to)
						}
					}
				}
				at[i] = next
			}
		}
		for i, list := range [][]engine.NormState{d.Was, d.Now} {
			m := []*labelledModel{base, head}[i]
			for _, s := range at[i] {
				if !slices.ContainsFunc(list, func(n engine.NormState) bool {
					label := m.labels[s][d.Norm]
					return n.State == "" && label == "" || n.State != "" && strings.HasSuffix(label, " "+n.String())
				}) {
					return fmt.Sprintf("%s: %v is not %q", d.Norm, list, m.labels[s][d.Norm])
				}
			}
		}
	}
	for side := range lengths {
		for norm := range lengths[side] {
			if shown[norm] == 0 {
				return fmt.Sprintf("%s differs and is not shown", norm)
			}
		}
	}
	return ""
}

// firingName is what a composed transition is called.
func firingName(f engine.Firing) string {
	if f.Event != "" {
		return f.Event
	}
	return f.Transitions[0]
}
