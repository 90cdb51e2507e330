package testkit

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/hclspec"
)

// DrawAmendment draws a contract, and another that is a mutant of it or has nothing to do with it.
func DrawAmendment(t *rapid.T) (base, head *hclspec.Contract) {
	base = DrawContract(t)
	base.Requirements = nil
	if rapid.IntRange(0, 4).Draw(t, "other") == 0 {
		head = DrawContract(t)
		head.Requirements = nil
		return base, head
	}
	head = CopyOf(base)
	for range rapid.IntRange(1, 2).Draw(t, "edits") {
		mutate(t, head)
	}
	return base, head
}

// CopyOf copies a contract, so that one can be changed.
func CopyOf(c *hclspec.Contract) *hclspec.Contract {
	d := &hclspec.Contract{Name: c.Name, Firing: c.Firing}
	parties := map[*hclspec.Party]*hclspec.Party{}
	for _, p := range c.Parties {
		q := *p
		q.Places, q.Transitions = nil, nil
		places := map[*hclspec.Place]*hclspec.Place{}
		for _, place := range p.Places {
			copied := *place
			places[place] = &copied
			q.Places = append(q.Places, &copied)
		}
		moved := func(list []*hclspec.Place) (to []*hclspec.Place) {
			for _, p := range list {
				to = append(to, places[p])
			}
			return to
		}
		for _, tr := range p.Transitions {
			copied := *tr
			copied.Consume, copied.Produce, copied.Read = moved(tr.Consume), moved(tr.Produce), moved(tr.Read)
			q.Transitions = append(q.Transitions, &copied)
		}
		parties[p] = &q
		d.Parties = append(d.Parties, &q)
	}
	for _, e := range c.Events {
		copied := *e
		copied.Ways = nil
		for _, way := range e.Ways {
			var list []hclspec.Sync
			for _, s := range way {
				list = append(list, hclspec.Sync{Party: parties[s.Party], Label: s.Label})
			}
			copied.Ways = append(copied.Ways, list)
		}
		d.Events = append(d.Events, &copied)
	}
	return d
}

// mutate makes one edit.
func mutate(t *rapid.T, c *hclspec.Contract) {
	p := rapid.SampledFrom(c.Parties).Draw(t, "party")
	switch rapid.IntRange(0, 5).Draw(t, "edit") {
	case 0, 1:
		tr := &hclspec.Transition{Name: fmt.Sprintf("n%d", len(p.Transitions)), Label: rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "label")}
		place := rapid.SampledFrom(p.Places)
		Arc(tr, place.Draw(t, "from"), place.Draw(t, "to"))
		p.Transitions = append(p.Transitions, tr)
	case 2:
		tr := rapid.SampledFrom(p.Transitions).Draw(t, "transition")
		tr.Consume, tr.Produce, tr.Read = nil, nil, nil
		place := rapid.SampledFrom(p.Places)
		Arc(tr, place.Draw(t, "from"), place.Draw(t, "to"))
	case 3:
		rapid.SampledFrom(p.Transitions).Draw(t, "transition").Label = rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "label")
	case 4:
		if len(c.Events) > 0 {
			c.Events = slices.Delete(c.Events, 0, 1)
		}
	case 5:
		tr := rapid.SampledFrom(p.Transitions).Draw(t, "transition")
		if !slices.ContainsFunc(p.Transitions, func(o *hclspec.Transition) bool { return o.Name == "renamed" }) { // the language has no two of a name
			tr.Name = "renamed"
		}
	}
}

// DrawParties draws two parties of three states whose transitions are the events e0 to e3.
func DrawParties(t *rapid.T) string {
	var b strings.Builder
	b.WriteString("contract \"c\" {}\n")
	for _, party := range []string{"p", "q"} {
		fmt.Fprintf(&b, "party %q {\n  state \"S0\" {}\n  state \"S1\" {}\n  state \"S2\" {}\n", party)
		for i := range 4 {
			fmt.Fprintf(&b, "  transition \"t%d\" {\n    from = S%d\n    to = S%d\n  }\n", i,
				rapid.IntRange(0, 2).Draw(t, "from"), rapid.IntRange(0, 2).Draw(t, "to"))
		}
		b.WriteString("}\n")
	}
	for i := range 4 {
		who := rapid.SampledFrom([]string{"p = t%[1]d", "q = t%[1]d", "p = t%[1]d\n    q = t%[1]d"}).Draw(t, "who")
		fmt.Fprintf(&b, "event \"e%d\" {\n  sync = {\n    "+who+"\n  }\n}\n", i)
	}
	return b.String()
}

// DrawNorms draws an obligation, its reparation, a prohibition and a power over e0 to e3.
func DrawNorms(t *rapid.T, within int) string {
	deal := func() []int { return rapid.Permutation([]int{0, 1, 2, 3}).Draw(t, "events") }
	var b strings.Builder
	e := deal()
	fmt.Fprintf(&b, "obligation \"o\" {\n  bearer = p\n  when = e%d\n  fulfil = e%d\n  breach = e%d\n  reparation = r\n", e[0], e[1], e[2])
	if rapid.Bool().Draw(t, "until") {
		fmt.Fprintf(&b, "  until = e%d\n", e[3])
	}
	if within > 0 {
		fmt.Fprintf(&b, "  within = %d\n", within)
	}
	e = deal()
	fmt.Fprintf(&b, "}\nobligation \"r\" {\n  bearer = p\n  fulfil = e%d\n  breach = e%d\n  ends_contract = %t\n}\n", e[0], e[1], rapid.Bool().Draw(t, "ends"))
	e = deal()
	fmt.Fprintf(&b, "prohibition \"f\" {\n  bearer = q\n  of = e%d\n  from = e%d\n  until = [e%d, o.breached]\n}\n", e[0], e[1], e[2])
	e = deal()
	fmt.Fprintf(&b, "power \"w\" {\n  bearer = q\n  exercise = e%d\n  when = [e%d, f.breached]\n  lifts = o\n}\n", e[0], e[1])
	return b.String()
}

func Describe(d *compile.Draft) string {
	var b strings.Builder
	fmt.Fprintf(&b, "rule %s, initially %v\n", d.Rule, d.Net.Initial)
	for _, t := range d.Net.Transitions {
		fmt.Fprintf(&b, "%s: in %v out %v read %v\n", t.Name, t.In, t.Out, t.Read)
	}
	return b.String()
}

func DrawContract(t *rapid.T) *hclspec.Contract {
	c := &hclspec.Contract{Name: "c", Firing: hclspec.Firing(rapid.IntRange(0, 1).Draw(t, "firing"))}
	for i := range rapid.IntRange(1, 3).Draw(t, "parties") {
		c.Parties = append(c.Parties, DrawParty(t, fmt.Sprintf("p%d", i)))
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "events") {
		if e := drawEvent(t, c, fmt.Sprintf("e%d", i)); len(e.Ways) > 0 {
			c.Events = append(c.Events, e)
		}
	}
	for i := range 10 {
		text := DrawFormula(t, c, 4).CTL()
		c.Requirements = append(c.Requirements, &hclspec.Requirement{Name: fmt.Sprintf("r%d", i), Formula: &hclspec.Formula{Text: text}})
	}
	return c
}

// DrawParty makes a state diagram two times in three, where contact is impossible; else any net.
func DrawParty(t *rapid.T, name string) *hclspec.Party {
	p := &hclspec.Party{Name: name}
	diagram := rapid.IntRange(0, 2).Draw(t, "diagram") > 0
	for i := range rapid.IntRange(2, 4).Draw(t, "places") {
		marked := i == 0
		if !diagram {
			marked = rapid.Bool().Draw(t, "marked")
		}
		p.Places = append(p.Places, &hclspec.Place{Name: fmt.Sprintf("s%d", i), Marked: marked})
	}
	place := rapid.SampledFrom(p.Places)
	for i := range rapid.IntRange(1, 5).Draw(t, "transitions") {
		tr := &hclspec.Transition{Name: fmt.Sprintf("t%d", i), Label: rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "label")}
		if diagram {
			Arc(tr, place.Draw(t, "from"), place.Draw(t, "to"))
		} else {
			DrawArcs(t, tr, p.Places)
		}
		p.Transitions = append(p.Transitions, tr)
	}
	return p
}

func Arc(tr *hclspec.Transition, from, to *hclspec.Place) {
	if from == to {
		tr.Read = []*hclspec.Place{from}
		return
	}
	tr.Consume, tr.Produce = []*hclspec.Place{from}, []*hclspec.Place{to}
}

func DrawArcs(t *rapid.T, tr *hclspec.Transition, places []*hclspec.Place) {
	for _, p := range places {
		switch rapid.IntRange(0, 5).Draw(t, "arc") {
		case 0:
			tr.Consume = append(tr.Consume, p)
		case 1:
			tr.Produce = append(tr.Produce, p)
		case 2:
			tr.Read = append(tr.Read, p)
		}
	}
}

// drawEvent gives an event a way or two of happening.
func drawEvent(t *rapid.T, c *hclspec.Contract, name string) *hclspec.Event {
	e := &hclspec.Event{Name: name, Of: name}
	for range rapid.IntRange(1, 2).Draw(t, "ways") {
		if way := drawWay(t, c); len(way) > 0 {
			e.Ways = append(e.Ways, way)
		}
	}
	return e
}

// drawWay maps each party to a label that it has, or leaves it out.
func drawWay(t *rapid.T, c *hclspec.Contract) []hclspec.Sync {
	var way []hclspec.Sync
	for _, p := range c.Parties {
		if rapid.Bool().Draw(t, "concerned") {
			label := rapid.SampledFrom(p.Transitions).Draw(t, "label").Label
			way = append(way, hclspec.Sync{Party: p, Label: label})
		}
	}
	return way
}

func DrawFormula(t *rapid.T, c *hclspec.Contract, depth int) *ctl.Formula {
	ops := []ctl.Op{ctl.Atom, ctl.Atom, ctl.Atom, ctl.True, ctl.False}
	if depth > 0 {
		ops = []ctl.Op{ctl.Atom, ctl.Not, ctl.And, ctl.Or, ctl.Implies, ctl.Iff, ctl.EX, ctl.AX, ctl.EF, ctl.AF,
			ctl.EG, ctl.AG, ctl.EU, ctl.AU, ctl.EW, ctl.AW, ctl.EU, ctl.AU, ctl.EW, ctl.AW}
	}
	f := &ctl.Formula{Op: rapid.SampledFrom(ops).Draw(t, "op")}
	switch f.Op {
	case ctl.True, ctl.False:
	case ctl.Atom:
		p := rapid.SampledFrom(c.Parties).Draw(t, "party")
		f.Name = p.Name + "." + rapid.SampledFrom(p.Places).Draw(t, "place").Name
	case ctl.Not, ctl.EX, ctl.AX, ctl.EF, ctl.AF, ctl.EG, ctl.AG:
		f.Left = DrawFormula(t, c, depth-1)
	default:
		f.Left, f.Right = DrawFormula(t, c, depth-1), DrawFormula(t, c, depth-1)
	}
	return f
}
