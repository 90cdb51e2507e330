package page_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/hclspec/load"
	"github.com/redlinehq/redline/report/words"
)

// walks has the page's own scripts take random steps, and tells of every marking what can be done in it, where all stand, and what was done.
const walks = `((seed, length) => {
  const s = [...redline.stages.values()][0], net = s.net, sim = s.simulator, list = [];
  s.turn(1);
  document.querySelector(".try .seed").value = seed;
  sim.take([]);
  for (let i = 0; i <= length; i++) {
    const m = sim.track.markings[sim.track.at], can = redline.steps(net, m);
    list.push({ Marking: m, Can: can, More: !!can.more, Standing: redline.standing(net, m), Lit: [...document.querySelectorAll(".picture.composed .live .node.on")].length,
      Here: [...document.querySelectorAll(".picture.states .live .node.on")].length, Took: sim.track.at ? sim.track.steps[sim.track.at - 1] : [] });
    const at = sim.track.at;
    if (i < length) sim.chance(1);
    if (sim.track.at === at) break;
  }
  return list;
})(%d, %d)`

type seen struct {
	Marking   petri.Marking
	Can       [][]int
	More      bool
	Standing  [][]json.RawMessage
	Lit, Here int
	Took      []int
}

// TestScriptsFireByTheDefinitions holds what the page's scripts fire against engine/petri, on random runs of every example and both rules.
func TestScriptsFireByTheDefinitions(t *testing.T) {
	names, err := load.Find(examples.FS, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		for _, rule := range []petri.Rule{petri.One, petri.All} {
			d := draft(t, example(t, name), &rule)
			b := open(t, checked(t, d), "")
			for seed := range 3 {
				var walk []seen
				b.eval(fmt.Sprintf(walks, seed, 25), &walk)
				compareWalk(t, name, d, walk)
			}
			b.quiet()
		}
	}
}

func compareWalk(t *testing.T, name string, d *compile.Draft, walk []seen) {
	t.Helper()
	if len(walk) < 2 {
		t.Fatalf("%s: a walk of %d markings", name, len(walk))
	}
	m := petri.Marking(d.Net.Initial)
	for i, s := range walk {
		if i > 0 {
			if !d.Net.IsStep(m, d.Rule, s.Took) {
				t.Fatalf("%s: step %d, %v, is none", name, i, s.Took)
			}
			if m, _ = d.Net.Fire(m, s.Took); m == nil {
				t.Fatalf("%s: step %d ends in a contact", name, i)
			}
		}
		if !slices.Equal(m, s.Marking) {
			t.Fatalf("%s: after step %d %v, want %v", name, i, s.Marking, m)
		}
		want := stepsOf(d.Net, m, d.Rule)
		if !s.More && fmt.Sprint(s.Can) != fmt.Sprint(want) {
			t.Fatalf("%s: after step %d %v can fire, want %v", name, i, s.Can, want)
		}
		if got, want := standingOf(t, s), words.State(explain.PartiesAt(d, m), words.Markdown); got != want {
			t.Errorf("%s: after step %d all stand\n%s, want\n%s", name, i, got, want)
		}
		if s.Lit == 0 || s.Here != 1 {
			t.Errorf("%s: after step %d %d places and %d states are shown", name, i, s.Lit, s.Here)
		}
	}
}

// stepsOf is petri's own list where that is not too slow, which under All is exponential.
func stepsOf(n *petri.Net, m petri.Marking, r petri.Rule) [][]int {
	if r == petri.All {
		return n.Steps(m, r)
	}
	list := [][]int{}
	for t := range n.Transitions {
		if n.Fireable(m, t) {
			list = append(list, []int{t})
		}
	}
	return list
}

func standingOf(t *testing.T, s seen) string {
	t.Helper()
	var list []finding.PartyState
	for _, pair := range s.Standing {
		var p finding.PartyState
		if err := json.Unmarshal(pair[0], &p.Party); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(pair[1], &p.Places); err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	return words.State(list, words.Markdown)
}

// TestScriptsFireRandomNets holds firing itself against engine/petri, on nets with reads, history, moves and contacts.
func TestScriptsFireRandomNets(t *testing.T) {
	b := open(t, checked(t, draft(t, example(t, "sale"), nil)), "")
	random := rand.New(rand.NewPCG(1, 2))
	type question struct {
		Net     map[string]any
		Marking petri.Marking
	}
	var asked []question
	var want []string
	for range 300 {
		n := randomNet(random)
		m := petri.Marking{}
		for p := range n.Places {
			if random.IntN(2) == 0 {
				m = append(m, p)
			}
		}
		rule := petri.Rule(random.IntN(2))
		asked, want = append(asked, question{netData(n, rule), m}), append(want, answer(n, m, rule))
	}
	raw, err := json.Marshal(asked)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	b.eval(`(`+string(raw)+`).map(q => redline.steps(q.Net, q.Marking).map(ts => {
	  const f = redline.fire(q.Net, q.Marking, ts);
	  return "[" + ts.join(" ") + "] " + (f.contact >= 0 ? "contact " + f.contact : "[" + f.after.join(" ") + "]");
	}).join("; "))`, &got)
	contacts := 0
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("net %d: %s, want %s", i, got[i], want[i])
		}
		contacts += strings.Count(want[i], "contact")
	}
	if contacts == 0 {
		t.Error("there was no contact")
	}
}

func answer(n *petri.Net, m petri.Marking, r petri.Rule) string {
	var all []string
	for _, ts := range n.Steps(m, r) {
		after, contact := n.Fire(m, ts)
		if contact >= 0 {
			all = append(all, fmt.Sprintf("%v contact %d", ts, contact))
		} else {
			all = append(all, fmt.Sprintf("%v %v", ts, after))
		}
	}
	return strings.Join(all, "; ")
}

// randomNet has ten places: the last one is history, and two before it are moved.
func randomNet(r *rand.Rand) *petri.Net {
	n := &petri.Net{}
	for i := range 10 {
		n.Places = append(n.Places, petri.Place{Net: "n", Name: fmt.Sprint(i)})
	}
	for range 1 + r.IntN(5) {
		var t petri.Transition
		for p := range 7 {
			switch r.IntN(8) {
			case 0, 1:
				t.In = append(t.In, p)
			case 2, 3:
				t.Out = append(t.Out, p)
			case 4:
				t.Read = append(t.Read, p)
			}
		}
		if r.IntN(3) == 0 {
			t.Marks = []int{9}
		}
		if r.IntN(2) == 0 {
			t.Moves = append(t.Moves, petri.Move{From: 7, To: 7 + r.IntN(2), If: []int{r.IntN(7)}}) // half of them stays
			if r.IntN(2) == 0 {
				t.Moves = append(t.Moves, petri.Move{From: 7, To: 8})
			}
			t.Moving = r.IntN(3) == 0
		}
		n.Transitions = append(n.Transitions, t)
	}
	return n
}

func netData(n *petri.Net, r petri.Rule) map[string]any {
	var list []any
	for _, t := range n.Transitions {
		var moves []any
		for _, v := range t.Moves {
			moves = append(moves, map[string]any{"from": v.From, "to": v.To, "if": v.If})
		}
		list = append(list, map[string]any{"in": t.In, "out": t.Out, "read": t.Read, "marks": t.Marks, "moves": moves, "moving": t.Moving})
	}
	return map[string]any{"rule": r.String(), "transitions": list}
}
