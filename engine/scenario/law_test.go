package scenario_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/phrase"
	"github.com/redlinehq/redline/engine/scenario"
	"github.com/redlinehq/redline/hclspec"
)

// A naive decides scenarios by their definition: it follows the whole list of steps through all steps that the rule allows, as package petri
// defines them, and asks the places of clocks and norms by name.
type naive struct {
	*compile.Draft
	seen  map[string]bool
	far   int // most steps of the scenario on any run
	all   int // steps of the scenario
	ends  []petri.Marking
	begun bool

	itself int // markings after which something happens by itself
}

// prologue follows every step up to the first of an event that begins the scenario, and its steps from there.
func (n *naive) prologue(m petri.Marking, s *phrase.Script) {
	if len(s.Begins) == 0 {
		n.follow(m, s.Steps)
		return
	}
	if key := fmt.Sprint(m); !n.seen[key] {
		n.seen[key] = true
		for _, step := range n.Net.Steps(m, n.Rule) {
			begins := slices.ContainsFunc(step, func(t int) bool {
				e := n.Net.Transitions[t].Event
				return e >= 0 && slices.Contains(s.Begins, n.Events[e].Name)
			})
			after, contact := n.Net.Fire(m, step)
			switch {
			case contact >= 0:
			case begins:
				n.begun = true
				n.follow(after, s.Steps)
			default:
				n.prologue(after, s)
			}
		}
	}
}

func (n *naive) follow(m petri.Marking, left []string) {
	key := fmt.Sprint(m, len(left))
	if n.seen[key] {
		return
	}
	n.seen[key] = true
	n.far = max(n.far, n.all-len(left))
	byItself := n.byItself(m)
	n.itself += len(byItself)
	for _, after := range byItself {
		n.follow(after, left)
	}
	if len(left) == 0 {
		if len(byItself) == 0 {
			n.ends = append(n.ends, m)
		}
		return
	}
	if left[0] == "tick" && !n.clockRuns(m) && len(byItself) == 0 {
		n.follow(m, left[1:])
	}
	for _, step := range n.Net.Steps(m, n.Rule) {
		var happened []string
		for _, t := range step {
			if e := n.Net.Transitions[t].Event; e >= 0 {
				happened = append(happened, n.Events[e].Name)
			}
		}
		if len(happened) > len(left) {
			continue
		}
		next := slices.Clone(left[:len(happened)])
		slices.Sort(next)
		slices.Sort(happened)
		if !slices.Equal(next, happened) {
			continue
		}
		if after, contact := n.Net.Fire(m, step); contact < 0 {
			n.follow(after, left[len(happened):])
		}
	}
}

// byItself returns the markings after what happens by itself.
func (n *naive) byItself(m petri.Marking) (list []petri.Marking) {
	for _, step := range n.Net.Steps(m, n.Rule) {
		e := n.Net.Transitions[step[0]].Event
		if len(step) > 1 || e < 0 || !strings.HasPrefix(n.Events[e].Name, "z") {
			continue
		}
		if after, contact := n.Net.Fire(m, step); contact < 0 {
			list = append(list, after)
		}
	}
	return list
}

func (n *naive) clockRuns(m petri.Marking) bool {
	return slices.ContainsFunc(m, func(p int) bool { return p < len(n.AllPlaces) && n.AllPlaces[p].Kind == hclspec.ClockLeft })
}

// so reports whether what is expected is so in a marking.
func (n *naive) so(expect string, m petri.Marking) bool {
	stands := func(norm, state string) bool {
		p, known := n.PlaceOf[norm+"."+state]
		return known && m.Has(p)
	}
	switch expect {
	case "breach = p":
		return stands("o", "breached") || stands("r", "breached")
	case "breach = q":
		return stands("f", "breached")
	case "ends = fulfilled":
		return !stands("o", "owed") && !stands("r", "owed") && !stands("z", "owed") && !stands("o", "breached") && !stands("r", "breached") && !stands("f", "breached")
	case `ends = "p.S1 || !q.S2"`:
		return m.Has(n.PlaceOf["p.S1"]) || !m.Has(n.PlaceOf["q.S2"])
	}
	return true
}

var expected = []string{"expect = possible", "expect = impossible", "breach = p", "breach = q", "ends = fulfilled", `ends = "p.S1 || !q.S2"`}

// Every verdict on a random scenario of a random contract is that of the definition, and so is where it stops; every run that is shown is one
// of the scenario.
func TestScenariosAreDecidedByTheirDefinition(t *testing.T) {
	draws.SkipForRaces(t)
	holding := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		text := testkit.DrawParties(t) + testkit.DrawNorms(t, rapid.IntRange(0, 2).Draw(t, "within"))
		for _, party := range []string{"p", "q"} { // what no event names
			quiet := fmt.Sprintf("  transition \"quiet\" {\n    from = S%d\n    to = S%d\n  }\n", rapid.IntRange(0, 2).Draw(t, "from"), rapid.IntRange(0, 2).Draw(t, "to"))
			text = strings.Replace(text, fmt.Sprintf("party %q {\n", party), fmt.Sprintf("party %q {\n", party)+quiet, 1)
		}
		if rapid.Bool().Draw(t, "all") {
			text = strings.Replace(text, `contract "c" {}`, "contract \"c\" {\n  firing = all\n}", 1)
		} else if rapid.IntRange(0, 2).Draw(t, "by itself") > 0 {
			text += drawDue(t)
		}
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		walked := testkit.DraftOf(t, text)
		for i := range 36 { // so many that what is rare comes about in a hundred contracts
			steps := walk(walked, r)
			if len(steps) == 0 || r.IntN(4) == 0 {
				steps = slices.Insert(steps, r.IntN(len(steps)+1), []string{"e0", "e1", "e2", "e3", "tick"}[r.IntN(5)])
			}
			text += fmt.Sprintf("scenario \"s%d\" {\n  events = [%s]\n  %s\n}\n", i, strings.Join(steps, ", "), expected[i%len(expected)])
		}
		decided(t, testkit.DraftOf(t, text), holding)
	})
	if holding["by itself"] < 3 {
		t.Errorf("only in %d something happens by itself", holding["by itself"])
	}
	if holding["begins true"] < 5 || holding["begins false"] < 5 {
		t.Errorf("of those that begin late %d hold, %d do not", holding["begins true"], holding["begins false"])
	}
	for _, e := range expected {
		if holding[e] < 5 || holding["not "+e] < 5 {
			t.Errorf("%s: %d hold, %d do not", e, holding[e], holding["not "+e])
		}
	}
}

// drawDue draws two events that happen by themselves; a norm may wait for the first.
func drawDue(t *rapid.T) string {
	after := func() string {
		return fmt.Sprintf("e%d = %d", rapid.IntRange(0, 3).Draw(t, "after"), rapid.IntRange(1, 2).Draw(t, "ticks"))
	}
	return fmt.Sprintf("event \"z0\" {\n  after = { %s }\n}\nevent \"z1\" {\n  after = { %s }\n  only_while = p.S%d\n}\nobligation \"z\" {\n  bearer = p\n  when = z0\n  fulfil = e%d\n}\n",
		after(), after(), rapid.IntRange(0, 2).Draw(t, "while"), rapid.IntRange(0, 3).Draw(t, "fulfil"))
}

// walk returns the events of a random run, some without those that happen by themselves.
func walk(d *compile.Draft, r *rand.Rand) (events []string) {
	silent := r.IntN(2) == 0
	m := petri.Marking(d.Net.Initial)
	for range 2 + r.IntN(8) {
		steps := d.Net.Steps(m, d.Rule)
		if len(steps) == 0 {
			break
		}
		step := steps[r.IntN(len(steps))]
		for _, t := range step {
			if e := d.Net.Transitions[t].Event; e >= 0 && !(silent && strings.HasPrefix(d.Events[e].Name, "z")) {
				events = append(events, d.Events[e].Name)
			}
		}
		m, _ = d.Net.Fire(m, step)
	}
	return events
}

// decided compares the scenarios of a draft with the definition.
func decided(t *rapid.T, d *compile.Draft, holding map[string]int) {
	for i, f := range d.Formulas {
		script := phrase.ScriptOf(f)
		if i%4 == 3 && len(script.Steps) > 1 { // as in a phase that waits
			script.Begins = []string{script.Steps[0], "e1"}[:1+i%8/4]
			script.Steps = script.Steps[1:]
		}
		a, err := scenario.Decide(t.Context(), d, script, scenario.Usual)
		if err != nil {
			t.Fatal(err)
		}
		n := &naive{Draft: d, seen: map[string]bool{}, all: len(script.Steps)}
		n.prologue(petri.Marking(d.Net.Initial), script)
		expect := expected[i%len(expected)]
		want := len(n.ends) > 0
		for _, m := range n.ends {
			want = want && n.so(expect, m)
		}
		if expect == "expect = impossible" {
			want = len(n.ends) == 0
		}
		holding[map[bool]string{false: "not "}[want]+expect]++
		if a.Holds != want {
			t.Fatalf("%v, %s: %t, want %t", script.Steps, expect, a.Holds, want)
		}
		if n.itself > 0 && want {
			holding["by itself"]++
		}
		stops := 0
		if len(n.ends) == 0 {
			stops = len((&hclspec.Scenario{Begins: script.Begins, Steps: script.Steps[:n.far+1]}).Listed())
			if len(script.Begins) > 0 && !n.begun {
				stops = 1
			}
		}
		if len(script.Begins) > 0 {
			holding[fmt.Sprintf("begins %t", want)]++
		}
		if a.Stops != stops {
			t.Fatalf("%v, %s: stops at %d, want %d", script.Steps, expect, a.Stops, stops)
		}
		shown(t, a, script.Begins, script.Steps[:n.far])
	}
}

// shown checks that the run of an answer has the given steps, but for ticks where no clock runs.
func shown(t *rapid.T, a *scenario.Answer, begins, steps []string) {
	if a.Trace == nil {
		return
	}
	begun := len(begins) == 0
	for moment := range slices.Values(momentsOf(a.Trace.Prefix)) {
		if !begun {
			begun = slices.ContainsFunc(moment, func(e string) bool { return slices.Contains(begins, e) })
			continue
		}
		next := slices.IndexFunc(steps, func(s string) bool { return s != "tick" })
		if len(moment) == 1 && strings.HasPrefix(moment[0], "z") && (next < 0 || steps[next] != moment[0]) {
			continue // by itself
		}
		for len(steps) > 0 && steps[0] == "tick" && !slices.Contains(moment, "tick") && !among(moment, steps) {
			steps = steps[1:]
		}
		if !among(moment, steps) {
			t.Fatalf("%v happens, where %v is left", moment, steps)
		}
		steps = steps[len(moment):]
	}
	if slices.ContainsFunc(steps, func(s string) bool { return s != "tick" }) {
		t.Fatalf("%v does not happen", steps)
	}
}

// among reports whether some events are the first of some steps, in any order.
func among(events, steps []string) bool {
	if len(events) > len(steps) {
		return false
	}
	return slices.Equal(slices.Sorted(slices.Values(events)), slices.Sorted(slices.Values(steps[:len(events)])))
}

// momentsOf returns the events of each step of a run.
func momentsOf(run []finding.Firing) (moments [][]string) {
	for i, f := range run {
		if i == 0 || f.Step != run[i-1].Step {
			moments = append(moments, nil)
		}
		if f.Event != "" {
			moments[len(moments)-1] = append(moments[len(moments)-1], f.Event)
		}
	}
	return moments
}
