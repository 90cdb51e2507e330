package certificate_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/certificate"
	"github.com/redlinehq/redline/engine/certificate/checker"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/internal/naive"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/symbolic"
)

// A case is a small net, one-safe as far as it goes, with its state model.
type netCase struct {
	checker.Problem
	graph *space.Graph
}

// drawNet makes one to three nets, mostly state diagrams; a history place; a net that watches; one or two who are assumed to make
// progress. It is nil where a place would hold two tokens.
func drawNet(t *rapid.T, rule petri.Rule) *netCase {
	n := &petri.Net{Name: "n"}
	for i := range rapid.IntRange(1, 3).Draw(t, "parties") {
		drawParty(t, n, i)
	}
	if rapid.IntRange(0, 2).Draw(t, "joined") > 0 {
		n.Transitions = append(n.Transitions, joined(t, n.Transitions)...)
	}
	if rapid.Bool().Draw(t, "history") {
		n.Places = append(n.Places, petri.Place{Net: "h", Name: "happened"})
		n.Transitions[rapid.IntRange(0, len(n.Transitions)-1).Draw(t, "marks")].Marks = []int{len(n.Places) - 1}
	}
	if rapid.Bool().Draw(t, "watched") {
		drawWatch(t, n)
	}
	if err := n.Sane(); err != nil {
		panic(err)
	}
	g, err := space.Explore(context.Background(), n, rule, space.Limits{States: 300})
	if err != nil {
		return nil
	}
	p := checker.Problem{Net: n, Rule: rule}
	for range rapid.IntRange(0, 2).Draw(t, "actors") {
		all := []int{}
		for i, of := range n.Transitions {
			if len(of.In)+len(of.Out)+len(of.Moves) > 0 && rapid.Bool().Draw(t, "act") {
				all = append(all, i)
			}
		}
		p.Acts = append(p.Acts, all)
	}
	return &netCase{p, g}
}

func drawParty(t *rapid.T, n *petri.Net, i int) {
	first, size := len(n.Places), rapid.IntRange(2, 4).Draw(t, "places")
	for j := range size {
		n.Places = append(n.Places, petri.Place{Net: fmt.Sprint("p", i), Name: fmt.Sprint("s", j)})
	}
	diagram := rapid.IntRange(0, 3).Draw(t, "diagram") > 0
	n.Initial = append(n.Initial, first)
	for j := range rapid.IntRange(1, 5).Draw(t, "transitions") {
		tr := petri.Transition{Name: fmt.Sprint("p", i, ".t", j), Event: -1}
		if diagram {
			from, to := first+rapid.IntRange(0, size-1).Draw(t, "from"), first+rapid.IntRange(0, size-1).Draw(t, "to")
			if tr.In, tr.Out = []int{from}, []int{to}; from == to {
				tr.In, tr.Out, tr.Read = nil, nil, []int{from}
			}
		} else {
			for p := first; p < first+size; p++ {
				switch rapid.IntRange(0, 5).Draw(t, "arc") {
				case 0:
					tr.In = append(tr.In, p)
				case 1:
					tr.Out = append(tr.Out, p)
				case 2:
					tr.Read = append(tr.Read, p)
				}
			}
		}
		n.Transitions = append(n.Transitions, tr)
	}
}

// joined are transitions of two parties as one.
func joined(t *rapid.T, all []petri.Transition) (more []petri.Transition) {
	for range 2 {
		a, b := rapid.SampledFrom(all).Draw(t, "a"), rapid.SampledFrom(all).Draw(t, "b")
		if a.Name[:2] == b.Name[:2] {
			continue
		}
		u := petri.Transition{Name: a.Name + "+" + b.Name, Event: -1}
		u.In, u.Out, u.Read = sorted(a.In, b.In), sorted(a.Out, b.Out), sorted(a.Read, b.Read)
		more = append(more, u)
	}
	return more
}

func sorted(a, b []int) []int { return slices.Sorted(slices.Values(slices.Concat(a, b))) }

// drawWatch adds a net whose token transitions move.
func drawWatch(t *rapid.T, n *petri.Net) {
	first, others := len(n.Places), len(n.Places)
	for j := range 3 {
		n.Places = append(n.Places, petri.Place{Net: "w", Name: fmt.Sprint("w", j)})
	}
	n.Initial = append(n.Initial, first)
	for i := range n.Transitions {
		of := &n.Transitions[i]
		read := rapid.IntRange(-3, 2).Draw(t, "reads")
		if read >= 0 {
			of.Read = append(of.Read, first+read)
		}
		for from := range 3 {
			for range rapid.IntRange(0, 2).Draw(t, "moves") {
				v := petri.Move{From: first + from, To: first + (from+rapid.IntRange(0, 2).Draw(t, "to"))%3}
				if v.To == first+read && !v.Stays() {
					continue
				}
				if rapid.Bool().Draw(t, "if") {
					v.If = []int{rapid.IntRange(0, others-1).Draw(t, "condition")}
				}
				of.Moves = append(of.Moves, v)
			}
		}
		of.Moving = len(of.Moves) > 0 && rapid.Bool().Draw(t, "moving")
	}
}

func drawFormula(t *rapid.T, places, depth int) *ctl.Formula {
	ops := []ctl.Op{ctl.Atom, ctl.Atom, ctl.Atom, ctl.True, ctl.False}
	if depth > 0 {
		ops = []ctl.Op{ctl.Atom, ctl.Not, ctl.And, ctl.Or, ctl.Implies, ctl.Iff, ctl.EX, ctl.AX, ctl.EF, ctl.AF,
			ctl.EG, ctl.AG, ctl.EU, ctl.AU, ctl.EW, ctl.AW, ctl.EU, ctl.AU, ctl.EW, ctl.AW, ctl.AF, ctl.EG}
	}
	f := &ctl.Formula{Op: rapid.SampledFrom(ops).Draw(t, "op")}
	switch f.Op {
	case ctl.True, ctl.False:
	case ctl.Atom:
		f.Place = rapid.IntRange(0, places-1).Draw(t, "place")
		f.Name = fmt.Sprint("x.", f.Place)
	case ctl.Not, ctl.EX, ctl.AX, ctl.EF, ctl.AF, ctl.EG, ctl.AG:
		f.Left = drawFormula(t, places, depth-1)
	default:
		f.Left, f.Right = drawFormula(t, places, depth-1), drawFormula(t, places, depth-1)
	}
	return f
}

// truth is the value of a formula by package naive, on markings that package petri fires.
func truth(c *netCase, f *ctl.Formula) bool {
	markings := []petri.Marking{c.Net.Initial}
	steps := [][][]int{}
	at := map[string]int{fmt.Sprint(markings[0]): 0}
	g := naive.Graph{Holds: func(s, p int) bool { return markings[s].Has(p) }}
	for s := 0; s < len(markings); s++ {
		var succ []int
		all := c.Net.Steps(markings[s], c.Rule)
		for _, step := range all {
			next, contact := c.Net.Fire(markings[s], step)
			if contact >= 0 {
				panic("contact")
			}
			key := fmt.Sprint(next)
			if _, ok := at[key]; !ok {
				at[key] = len(markings)
				markings = append(markings, next)
			}
			succ = append(succ, at[key])
		}
		g.Succ, steps = append(g.Succ, succ), append(steps, all)
	}
	if len(c.Acts) == 0 {
		return naive.Sat(g, f)[0]
	}
	acting := func(k, s, t int) bool {
		of := &c.Net.Transitions[t]
		return slices.Contains(c.Acts[k], t) && c.Net.Fireable(markings[s], t) && (len(of.In)+len(of.Out) > 0 || len(c.Net.Moved(markings[s], t)) > 0)
	}
	return naive.FairSat(g, naive.Fairness{Actors: len(c.Acts),
		Can: func(k, s int) bool {
			for t := range c.Net.Transitions {
				if acting(k, s, t) {
					return true
				}
			}
			return false
		},
		Acts: func(k, s, arc int) bool {
			return slices.ContainsFunc(steps[s][arc], func(t int) bool { return acting(k, s, t) })
		},
	}, f)[0]
}

func verdict(c *netCase, f *ctl.Formula, holds bool) certificate.Verdict {
	return certificate.Verdict{Problem: c.Problem, Contract: "sha256:x", Requirement: "r", Text: f.CTL(), Formula: f, Holds: holds}
}

func describe(c *netCase) string {
	text := fmt.Sprintf("rule %s, initially %v, acts %v\n", c.Rule, c.Net.Initial, c.Acts)
	for _, t := range c.Net.Transitions {
		text += fmt.Sprintf("%s: in %v out %v read %v marks %v moves %v %t\n", t.Name, t.In, t.Out, t.Read, t.Marks, t.Moves, t.Moving)
	}
	return text
}

func drawCase(t *rapid.T) (*netCase, *ctl.Formula) {
	c := drawNet(t, rapid.SampledFrom([]petri.Rule{petri.One, petri.One, petri.All}).Draw(t, "rule"))
	if c == nil || c.graph.Len() > 60 && len(c.Acts) > 0 {
		return nil, nil
	}
	if rapid.IntRange(0, 2).Draw(t, "each") == 0 {
		return c, drawEach(t, len(c.Net.Places))
	}
	return c, drawFormula(t, len(c.Net.Places), 3)
}

// drawEach promises alike to two or three: the claims have sets in common.
func drawEach(t *rapid.T, places int) *ctl.Formula {
	left := drawFormula(t, places, 0)
	op, always := rapid.SampledFrom([]ctl.Op{ctl.AU, ctl.AU, ctl.AW}).Draw(t, "op"), rapid.Bool().Draw(t, "always")
	var all *ctl.Formula
	for range rapid.IntRange(2, 3).Draw(t, "parties") {
		one := &ctl.Formula{Op: op, Left: left, Right: drawFormula(t, places, rapid.IntRange(0, 1).Draw(t, "depth"))}
		if always {
			one = &ctl.Formula{Op: ctl.AG, Left: &ctl.Formula{Op: ctl.Implies, Left: drawFormula(t, places, 0), Right: one}}
		}
		if all == nil {
			all = one
		} else {
			all = &ctl.Formula{Op: rapid.SampledFrom([]ctl.Op{ctl.And, ctl.And, ctl.Or}).Draw(t, "both"), Left: all, Right: one}
		}
	}
	return all
}

var limits = checker.Limits{Nodes: 1 << 20, Visits: 1 << 20}

// TestVerdictsHaveCertificates proves the true value of random formulas in random nets, on states one by one and on diagrams, and wants no
// proof of the other.
func TestVerdictsHaveCertificates(t *testing.T) {
	fair := 0 // proofs of progress on diagrams
	rapid.Check(t, func(t *rapid.T) {
		c, f := drawCase(t)
		if c == nil {
			return
		}
		v := verdict(c, f, truth(c, f))
		proves(t, c, v, func(v certificate.Verdict) (*checker.Certificate, error) {
			return certificate.FromGraph(context.Background(), v, c.graph)
		})
		if c.Rule != petri.One {
			return
		}
		x, err := symbolic.Reach(context.Background(), c.Net, space.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		proves(t, c, v, func(v certificate.Verdict) (*checker.Certificate, error) {
			return certificate.FromDiagrams(context.Background(), v, x)
		})
		if speaksOfProgress(c, v) {
			fair++
		}
	})
	if fair < 5 {
		t.Errorf("%d proofs of progress on diagrams: this test tests little", fair)
	}
}

// proves wants a proof of a verdict, accepted, and none of its negation.
func proves(t *rapid.T, c *netCase, v certificate.Verdict, prove func(certificate.Verdict) (*checker.Certificate, error)) {
	proof, err := prove(v)
	if err == nil {
		err = checker.Check(context.Background(), proof, c.Problem, v.Formula, limits)
	}
	if err != nil {
		t.Fatalf("%s, as %t: %v\n%s", v.Text, v.Holds, err, describe(c))
	}
	inLittleRoom(t, proof, c, v.Formula)
	again, err := prove(v)
	if err != nil || !bytes.Equal(checker.Encode(proof), checker.Encode(again)) {
		t.Fatalf("%s, as %t: another proof the second time (%v)", v.Text, v.Holds, err)
	}
	v.Holds = !v.Holds
	if _, err := prove(v); err == nil {
		t.Fatalf("%s, as %t, is proved, and is not so\n%s", v.Text, v.Holds, describe(c))
	}
}

// speaksOfProgress reports whether the verdict is about all fair paths, or about one.
func speaksOfProgress(c *netCase, v certificate.Verdict) bool {
	return len(c.Acts) > 0 && slices.ContainsFunc(checker.Claims(v.Formula, v.Holds, true), func(p checker.Claim) bool {
		return p.Kind == checker.Round || p.Kind == checker.AU
	})
}

// inLittleRoom wants a proof to be accepted with as few nodes as will do: the checker forgets what it can, and nothing that matters.
func inLittleRoom(t *rapid.T, proof *checker.Certificate, c *netCase, f *ctl.Formula) {
	for nodes := 8; ; nodes += nodes / 4 {
		err := checker.Check(context.Background(), proof, c.Problem, f, checker.Limits{Nodes: nodes, Visits: limits.Visits})
		if err == nil {
			return
		}
		if !errors.Is(err, checker.ErrTooLarge) {
			t.Fatalf("%s, with %d nodes: %v\n%s", f.CTL(), nodes, err, describe(c))
		}
	}
}

// TestTurnAboutHasCertificates: either comes again and again, so what waits for one or the other may wait for ever.
func TestTurnAboutHasCertificates(t *testing.T) {
	const a, b, c, d = 0, 1, 2, 3
	n := &petri.Net{Name: "n", Initial: petri.Marking{a}}
	for p, name := range []string{"a", "b", "c", "d"} {
		n.Places = append(n.Places, petri.Place{Net: "p", Name: name})
		for _, to := range [][]int{a: {b, c}, b: {a}, c: {d}, d: {a}}[p] {
			n.Transitions = append(n.Transitions, petri.Transition{Name: fmt.Sprint(name, to), Event: -1, In: []int{p}, Out: []int{to}})
		}
	}
	atom := func(p int) *ctl.Formula { return &ctl.Formula{Op: ctl.Atom, Place: p} }
	again := func(p int) *ctl.Formula {
		return &ctl.Formula{Op: ctl.AG, Left: &ctl.Formula{Op: ctl.AF, Left: &ctl.Formula{Op: ctl.Or, Left: atom(p), Right: atom(d)}}}
	}
	of, f := &netCase{Problem: checker.Problem{Net: n, Rule: petri.One}}, &ctl.Formula{Op: ctl.And, Left: again(a), Right: again(b)}
	x, err := symbolic.Reach(t.Context(), n, space.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	proof, err := certificate.FromDiagrams(t.Context(), verdict(of, f, true), x)
	if err == nil {
		err = checker.Check(t.Context(), proof, of.Problem, f, limits)
	}
	if err != nil {
		t.Error(err)
	}
}
