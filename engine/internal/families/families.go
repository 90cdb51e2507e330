// Package families makes nets that grow with a number, and formulas about them: for tests and benchmarks.
//
//	seq     n purchasers whom one seller serves, one at a time
//	par     n purchasers with a seller each
//	bar     n purchasers who start and close a sale all together
//	phil    n philosophers, who may all starve (E. Dijkstra, 1971, Hierarchical ordering of sequential processes)
//	philok  the same, of whom the last takes the other fork first
//	slot    n stations that hand the slots of a ring on
package families

import (
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
)

// Names of the families.
func Names() []string { return []string{"seq", "par", "bar", "phil", "philok", "slot"} }

// A family is a net of n parties and what is asked of it.
type family struct {
	Net  *petri.Net
	Home *ctl.Formula // AG EF of the initial marking
	Safe *ctl.Formula // an invariant
	Resp *ctl.Formula // AG (p -> AF q)
}

// New makes a family's net of n parties, at least two.
func New(name string, n int) family {
	b := &builder{net: &petri.Net{Name: fmt.Sprint(name, "-", n)}, at: map[string]int{}}
	var safe, resp []string
	switch name {
	case "seq":
		safe, resp = b.seq(n)
	case "par":
		safe, resp = b.par(n)
	case "bar":
		safe, resp = b.bar(n)
	case "phil", "philok":
		safe, resp = b.phil(n, name == "philok")
	case "slot":
		safe, resp = b.slot(n)
	default:
		panic("families: there is no family " + name)
	}
	return family{b.net, b.home(), b.safe(safe), b.resp(resp[0], resp[1])}
}

type builder struct {
	net *petri.Net
	at  map[string]int
}

// party adds places for party i, of which those in marked are marked.
func (b *builder) party(i int, marked string, names ...string) {
	for _, name := range names {
		place := fmt.Sprint(name, "_", i)
		b.at[place] = len(b.net.Places)
		if slices.Contains(strings.Fields(marked), name) {
			b.net.Initial = append(b.net.Initial, len(b.net.Places))
		}
		b.net.Places = append(b.net.Places, petri.Place{Net: b.net.Name, Name: place})
	}
}

// step adds a transition for party i: "P1 S0@0 -> P2 S1@0"; places without @ are the party's own.
func (b *builder) step(name string, i int, arcs string) {
	in, out, _ := strings.Cut(arcs, "->")
	b.net.Transitions = append(b.net.Transitions, petri.Transition{
		Name: fmt.Sprint(name, "_", i), Event: -1, In: b.places(in, i), Out: b.places(out, i),
	})
}

func (b *builder) places(text string, i int) (list []int) {
	for _, word := range strings.Fields(text) {
		name, of, elsewhere := strings.Cut(word, "@")
		if !elsewhere {
			of = fmt.Sprint(i)
		}
		list = append(list, b.at[name+"_"+of])
	}
	slices.Sort(list)
	return list
}

func (b *builder) seq(n int) (safe, resp []string) {
	b.party(0, "S0", "S0", "S1", "S2", "S3")
	for i := range n {
		b.party(i, "P0", "P0", "P1", "P2", "P3")
		b.step("browse", i, "P0 -> P1")
		b.step("order", i, "P1 S0@0 -> P2 S1@0")
		b.step("pay", i, "P2 S1@0 -> P3 S2@0")
		b.step("deliver", i, "P3 S2@0 -> P0 S3@0")
		safe = append(safe, fmt.Sprint("P2_", i), fmt.Sprint("P3_", i))
	}
	b.step("reset", 0, "S3 -> S0")
	return safe, []string{"P2_0", "P0_0"}
}

func (b *builder) par(n int) (safe, resp []string) {
	for i := range n {
		b.party(i, "P0 S0", "P0", "P1", "P2", "P3", "S0", "S1", "S2", "S3")
		b.step("browse", i, "P0 -> P1")
		b.step("order", i, "P1 S0 -> P2 S1")
		b.step("pay", i, "P2 S1 -> P3 S2")
		b.step("deliver", i, "P3 S2 -> P0 S3")
		b.step("reset", i, "S3 -> S0")
	}
	return []string{"P3_0", "S0_0"}, []string{"P2_0", "P0_0"}
}

func (b *builder) bar(n int) (safe, resp []string) {
	b.party(0, "S0", "S0", "S1", "S2", "S3")
	all := make([]string, 4)
	for i := range n {
		b.party(i, "P0", "P0", "P1", "P2", "P3")
		b.step("ready", i, "P0 -> P1")
		b.step("pay", i, "P2 -> P3")
		for j := range all {
			all[j] += fmt.Sprintf(" P%d@%d", j, i)
		}
	}
	b.step("start", 0, "S0"+all[1]+" -> S1"+all[2])
	b.step("close", 0, "S1"+all[3]+" -> S2"+all[0])
	b.step("ship", 0, "S2 -> S3")
	b.step("reset", 0, "S3 -> S0")
	return []string{"P1_0", fmt.Sprint("P3_", n-1)}, []string{"P2_0", "P0_0"}
}

func (b *builder) phil(n int, ordered bool) (safe, resp []string) {
	for i := range n {
		b.party(i, "T F", "T", "H", "E", "F")
	}
	for i := range n {
		left, right := fmt.Sprint("F@", i), fmt.Sprint("F@", (i+1)%n)
		if ordered && i == n-1 {
			left, right = right, left
		}
		b.step("take1", i, "T "+left+" -> H")
		b.step("take2", i, "H "+right+" -> E")
		b.step("release", i, "E -> T "+left+" "+right)
	}
	return []string{"E_0", "E_1"}, []string{"H_0", "E_0"}
}

func (b *builder) slot(n int) (safe, resp []string) {
	for i := range n {
		b.party(i, "C E", "A", "B", "C", "D", "E", "F", "G", "H")
	}
	for i := range n {
		before := fmt.Sprint("@", (i+n-1)%n)
		b.step("other", i, "A -> D")
		b.step("owner", i, "A -> B")
		b.step("go", i, "B -> H")
		b.step("write", i, "B -> D")
		b.step("give", i, "F H -> C E")
		b.step("put", i, "D F -> C G")
		b.step("free", i, "E C"+before+" -> F B"+before)
		b.step("used", i, "G C"+before+" -> F A"+before)
	}
	return []string{"A_0", "B_0", "H_0"}, []string{"H_0", "C_0"}
}

func (b *builder) atom(place int) *ctl.Formula {
	return &ctl.Formula{Op: ctl.Atom, Name: b.net.Places[place].String(), Place: place}
}

func (b *builder) home() *ctl.Formula {
	var others []ctl.Weight
	f := &ctl.Formula{Op: ctl.True}
	for p := range b.net.Places {
		if _, marked := slices.BinarySearch(b.net.Initial, p); marked {
			f = &ctl.Formula{Op: ctl.And, Left: f, Right: b.atom(p)}
		} else {
			others = append(others, ctl.Weight{Place: p, By: 1})
		}
	}
	f = &ctl.Formula{Op: ctl.And, Left: f, Right: ctl.AtMost(others, 0)}
	return &ctl.Formula{Op: ctl.AG, Left: &ctl.Formula{Op: ctl.EF, Left: f}}
}

func (b *builder) safe(places []string) *ctl.Formula {
	var all []ctl.Weight
	for _, p := range places {
		all = append(all, ctl.Weight{Place: b.at[p], By: 1})
	}
	return &ctl.Formula{Op: ctl.AG, Left: ctl.AtMost(all, 1)}
}

func (b *builder) resp(p, q string) *ctl.Formula {
	comes := &ctl.Formula{Op: ctl.AF, Left: b.atom(b.at[q])}
	return &ctl.Formula{Op: ctl.AG, Left: &ctl.Formula{Op: ctl.Implies, Left: b.atom(b.at[p]), Right: comes}}
}
