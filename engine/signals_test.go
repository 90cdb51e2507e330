package engine_test

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/hclspec/bpmn"
)

// A cast is a drawing of several pools, as text and as what tokens do in it: by pool, what takes and puts tokens on flows. A signal is sent or waited for.
type cast struct {
	text  strings.Builder
	pools [][]tokens
}

type tokens struct {
	take, put    []string
	sends, waits string
}

// drawSignals draws pools that send and wait for two signals. Some do two things side by side, of which one may end all.
func drawSignals(r *rand.Rand) *cast {
	c := &cast{}
	c.text.WriteString(`<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"><signal id="a" name="fire"/><signal id="b" name="flood"/>`)
	for p := range 3 + r.IntN(2) {
		c.pools = append(c.pools, nil)
		fmt.Fprintf(&c.text, `<process id="p%d" name="pool %d">`, p, p)
		c.draw(r, p)
		c.text.WriteString("</process>")
	}
	c.text.WriteString("</definitions>")
	return c
}

// draw draws a pool: elements one after another, the last of them an end, and maybe another end beside them that ends all.
func (c *cast) draw(r *rand.Rand, p int) {
	waits := map[string]bool{} // each signal in one place
	name := func(k int) string { return fmt.Sprintf("p%dx%d", p, k) }
	flow := func(from, to string) string {
		fmt.Fprintf(&c.text, `<sequenceFlow id="%s-%s" sourceRef="%s" targetRef="%s"/>`, from, to, from, to)
		return from + "-" + to
	}
	element := func(kind, id, about string) { fmt.Fprintf(&c.text, `<%s id="%s">%s</%s>`, kind, id, about, kind) }
	signal := func(ref string) string { return fmt.Sprintf(`<signalEventDefinition signalRef="%s"/>`, ref) }
	sends := r.IntN(2) == 0 // a pool that waits for what it sends itself is refused
	ref := []string{"a", "a", "b"}[r.IntN(3)]
	at := fmt.Sprintf("begin%d", p)
	side, last := r.IntN(3) == 0, 2+r.IntN(3)
	for k := range last {
		m := tokens{take: []string{at}}
		next := name(k + 1)
		switch {
		case k == 0 && !sends && r.IntN(2) == 0:
			element("startEvent", name(k), signal(ref))
			m.waits, waits[ref] = ref, true
		case k == 0:
			element("startEvent", name(k), "")
		case k == 1 && side:
			element("parallelGateway", name(k), "")
			element("task", name(90), "")
			element("endEvent", name(91), "<terminateEventDefinition/>")
			beside, over := flow(name(k), name(90)), flow(name(90), name(91))
			m.put = append(m.put, beside)
			c.pools[p] = append(c.pools[p], tokens{take: []string{beside}, put: []string{over}}, tokens{take: []string{over, fmt.Sprintf("on%d", p)}})
		case sends && r.IntN(2) == 0:
			element("intermediateThrowEvent", name(k), signal(ref))
			m.sends = ref
		case !sends && !waits[ref] && r.IntN(3) > 0:
			element("intermediateCatchEvent", name(k), signal(ref))
			m.waits, waits[ref] = ref, true
		default:
			element("task", name(k), "")
		}
		at = flow(name(k), next)
		m.put = append(m.put, at)
		c.pools[p] = append(c.pools[p], m)
	}
	element("endEvent", name(last), "")
	c.pools[p] = append(c.pools[p], tokens{take: []string{at}, put: []string{fmt.Sprintf("ended%d", p)}})
	for k := range c.pools[p] { // nothing goes on in a pool that was ended
		if m := &c.pools[p][k]; side && !slices.Contains(m.take, fmt.Sprintf("on%d", p)) {
			m.take, m.put = append(m.take, fmt.Sprintf("on%d", p)), append(m.put, fmt.Sprintf("on%d", p))
		}
	}
	if side {
		c.pools[p] = append(c.pools[p], tokens{}) // keeps "on" among the first tokens
	}
}

// states counts what can be reached and where nothing can happen, by the definition: a signal is heard by all who wait at that moment. Heard counts sends by how many hear them.
func (c *cast) states(heard map[int]int) (count, dead int) {
	start := map[string]bool{}
	for p, of := range c.pools {
		start[fmt.Sprintf("begin%d", p)] = true
		if len(of[len(of)-1].take) == 0 {
			start[fmt.Sprintf("on%d", p)] = true
		}
	}
	can := func(m map[string]bool, of tokens) bool {
		return len(of.take) > 0 && !slices.ContainsFunc(of.take, func(f string) bool { return !m[f] })
	}
	key := func(m map[string]bool) string { return strings.Join(slices.Sorted(maps.Keys(m)), " ") }
	seen, open := map[string]bool{key(start): true}, []map[string]bool{start}
	senders := map[string]bool{}
	for _, of := range c.pools {
		for _, x := range of {
			senders[x.sends] = true
		}
	}
	for ; len(open) > 0; open = open[1:] {
		m, moved := open[0], false
		for _, of := range c.pools {
			for _, x := range of {
				if !can(m, x) || x.waits != "" && senders[x.waits] {
					continue
				}
				all := []tokens{x}
				for _, others := range c.pools {
					for _, y := range others {
						if x.sends != "" && y.waits == x.sends && can(m, y) {
							all = append(all, y)
						}
					}
				}
				if x.sends != "" {
					heard[len(all)-1]++
				}
				next := maps.Clone(m)
				for _, y := range all {
					for _, f := range y.take {
						delete(next, f)
					}
				}
				for _, y := range all {
					for _, f := range y.put {
						next[f] = true
					}
				}
				moved = true
				if k := key(next); !seen[k] {
					seen[k] = true
					open = append(open, next)
				}
			}
		}
		if !moved {
			dead++
		}
	}
	return len(seen), dead
}

// TestSignalsAreHeardByAllWhoWait: what can be reached in the contract of a drawing is what can be reached in the drawing.
func TestSignalsAreHeardByAllWhoWait(t *testing.T) {
	heard := map[int]int{}
	for seed := range uint64(150) {
		c := drawSignals(rand.New(rand.NewPCG(seed, 1)))
		text, diags, err := bpmn.Import(strings.NewReader(c.text.String()), "x.bpmn", "x", 1)
		if err != nil || text == nil {
			t.Fatalf("seed %d: %v %v\n%s", seed, err, diags, &c.text)
		}
		results, err := engine.Check(context.Background(), engine.Tree{FS: fstest.MapFS{"x.contract.hcl": {Data: text}}}, engine.DefaultBudget())
		if err != nil || len(results) != 1 || results[0].Model.States == nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		states, dead := c.states(heard)
		if m := results[0].Model; m.States.Cmp(big.NewInt(int64(states))) != 0 || m.DeadEnds.Cmp(big.NewInt(int64(dead))) != 0 {
			t.Fatalf("seed %d: %v states, %v dead ends, want %d, %d\n%s\n%s", seed, m.States, m.DeadEnds, states, dead, &c.text, text)
		}
	}
	if heard[0] < 50 || heard[1] < 50 || heard[2] < 10 {
		t.Errorf("signals by how many hear them: %v", heard)
	}
	t.Log(heard)
}
