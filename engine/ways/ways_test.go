package ways

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// defined are names that mean a formula.
var defined = map[string]string{"safe": "AG !bad", "served": "AF ok", "fine": "!bad", "undone": "AG !ok"}

// sideOf returns a state model of several machines. A step is written "from to", "from to name", or "from to name if" with states of other machines
// in which alone it is possible; a state's machine is the part before its dot, or "a", and begins in its state s. Parties in acts make progress.
func sideOf(t *testing.T, steps, formula string, rule petri.Rule, acts ...string) (Side, []string) {
	t.Helper()
	n := &petri.Net{}
	place := func(name string) int {
		machine, own, ok := strings.Cut(name, ".")
		if !ok {
			machine, own = "a", name
		}
		p := petri.Place{Net: machine, Name: own}
		if i := slices.Index(n.Places, p); i >= 0 {
			return i
		}
		n.Places = append(n.Places, p)
		return len(n.Places) - 1
	}
	for _, name := range []string{"a.s", "a.ok", "a.bad", "a.x", "a.y"} {
		place(name)
	}
	var names []string
	actors := make([][]int, len(acts))
	for _, step := range strings.Split(steps, ",") {
		words := strings.Fields(step)
		if len(words) == 0 {
			continue
		}
		if len(words) == 2 {
			words = append(words, words[0]+"_"+words[1])
		}
		tr := petri.Transition{Name: words[2], Event: -1}
		if from, to := place(words[0]), place(words[1]); from == to {
			tr.Read = []int{from}
		} else {
			tr.In, tr.Out = []int{from}, []int{to}
		}
		for _, name := range words[3:] {
			tr.Read = append(tr.Read, place(name))
		}
		for k, party := range acts {
			if n.Places[place(words[0])].Net == party {
				actors[k] = append(actors[k], len(n.Transitions))
			}
		}
		n.Transitions, names = append(n.Transitions, tr), append(names, words[2])
	}
	for i, p := range n.Places {
		if p.Name == "s" {
			n.Initial = append(n.Initial, i)
		}
	}
	g, err := space.Explore(t.Context(), n, rule, space.Limits{States: 1000})
	if err != nil {
		t.Fatal(err)
	}
	f, err := ctl.Parse(formula)
	if err != nil {
		t.Fatal(err)
	}
	for atom := range f.Atoms() {
		if means, ok := defined[atom.Name]; ok {
			if atom.Means, err = ctl.Parse(means); err != nil {
				t.Fatal(err)
			}
			for below := range atom.Means.Atoms() {
				below.Place = place(below.Name)
			}
			continue
		}
		atom.Place = place(atom.Name)
	}
	labels := ctl.New(g.Sets())
	if len(actors) > 0 {
		labels = fairLabels(g, g.Fair(actors))
	}
	return Side{Net: n, Graph: g, Formula: f, Labels: labels, Acts: actors}, names
}

func fairLabels(g *space.Graph, fair space.Fair) *ctl.Checker[space.Set] {
	return ctl.NewFair(fair, func(ctx context.Context, from, inside space.Set) (ctl.Run, space.Set, error) {
		path, err := fair.Endless(ctx, from, inside)
		if err != nil {
			return ctl.Run{}, nil, err
		}
		run := ctl.Run{Steps: path.Steps, Loop: path.Loop, Dead: path.Loop < 0}
		for _, s := range path.States {
			run.Markings = append(run.Markings, g.Marking(s))
		}
		return run, g.Sets().One(path.States[max(path.Loop, 0)]), nil
	})
}

// questionOf compares two models. Their steps of one name are the same, and those of a machine light are apart.
func questionOf(t *testing.T, base, head, wasFormula, formula string, acts ...string) (*Question, []string) {
	t.Helper()
	return questionUnder(t, petri.One, base, head, wasFormula, formula, acts...)
}

func questionUnder(t *testing.T, rule petri.Rule, base, head, wasFormula, formula string, acts ...string) (*Question, []string) {
	t.Helper()
	was, wasNames := sideOf(t, base, wasFormula, rule, acts...)
	now, names := sideOf(t, head, formula, rule, acts...)
	q := &Question{Head: now, Base: was, Same: make([][]int, len(names)), Apart: make([]bool, len(names))}
	for i, name := range names {
		for k, other := range wasNames {
			if other == name {
				q.Same[i] = append(q.Same[i], k)
			}
		}
		places := slices.Concat(now.Net.Transitions[i].In, now.Net.Transitions[i].Read)
		q.Apart[i] = now.Net.Places[places[0]].Net == "light"
	}
	q.Between = func(from, to petri.Marking) []int {
		s, _ := now.Graph.Find(from)
		at, _ := now.Graph.Find(to)
		return now.Graph.Steps(s)[slices.Index(now.Graph.Succ(s), uint32(at))]
	}
	return q, names
}

// told writes a run by the names of its steps: a loop in brackets, what violates a part after a slash.
func told(e *ctl.Evidence, names []string) string {
	var words []string
	for i, step := range e.Run.Steps {
		word := names[step[0]]
		if i == e.Run.Loop {
			word = "(" + word
		}
		words = append(words, word)
	}
	text := strings.Join(words, " ")
	if e.Run.Loop >= 0 {
		text += ")"
	}
	if e.Run.Dead {
		text += "."
	}
	for _, b := range e.Next {
		if more := told(b.Evidence, names); more != "" {
			text += "/" + more
		}
	}
	return strings.TrimPrefix(text, "/")
}

// allWays returns all ways that are found if each that is found is named, in order.
func allWays(t *testing.T, q *Question, names []string) string {
	t.Helper()
	var all []string
	for range 12 {
		e, err := q.NewViolation(t.Context())
		if err != nil {
			return strings.Join(append(all, err.Error()), ", ")
		}
		if e == nil {
			slices.Sort(all)
			return strings.Join(all, ", ")
		}
		if err := explain.Replay(q.Head.Net, petri.One, explain.Runs{Acts: q.Head.Acts, Stops: q.Stops}, e); err != nil {
			t.Errorf("%s: %v", told(e, names), err)
		}
		all = append(all, told(e, names))
		q.Named = append(q.Named, e)
	}
	t.Errorf("no end of ways: %v", all)
	return ""
}

// TestWays lists every new way of a model, one for each run that has to be named.
func TestWays(t *testing.T) {
	const never, comes = "AG !bad", "AF ok"
	for _, c := range []struct{ name, formula, base, head, want string }{
		{"as before", never, "s ok, s bad", "s ok, s bad", ""},
		{"a step that base lacks", never, "s ok", "s ok, s bad", "s_bad"},
		{"a step that base has, and cannot take there", never, "s ok, s y, ok bad t", "s ok, s bad t", "t"},
		{"a longer way", never, "s ok, s bad", "s ok, s bad, ok bad", "s_ok ok_bad"},
		{"a detour", never, "s ok, s bad", "s ok, s bad, s x, x s", ""},
		{"a detour that base does not follow", never, "s x t, s bad z", "s s t, s bad z", "t z"},
		{"nothing after it, with a step that is no detour", never, "s ok", "s ok, s bad, bad x, x bad", "s_bad"},
		{"nothing after it, though it stays", never, "s ok, b.s b.t t", "s ok, s bad, b.s b.t t", "s_bad"},
		{"two ways", never, "s ok", "s ok, s x, x bad, s bad", "s_bad, s_x x_bad"},
		{"the light beside it", never, "s ok, s bad", "s ok, s bad, light.s light.on, light.on light.s", ""},
		{"it comes no more", comes, "s ok", "s ok, s bad", "s_bad."},
		{"it is put off for ever", comes, "s ok", "s ok, s x, x s", "(s_x x_s)"},
		{"it may wait", comes, "s ok", "s ok, s s", "(s_s)"},
		{"it might wait before", comes, "s ok, s s", "s ok, s s", ""},
		{"it ends elsewhere", comes, "s ok, s bad", "s ok, s bad, s x", "s_x."},
		{"the light alone goes on", comes, "s ok", "s ok, light.s light.on, light.on light.s", ""},
		{"the light alone is left", comes, "s ok, s bad", "s ok, s bad, light.s light.on, light.on light.s", ""},
		{"next", "AX ok", "s ok", "s ok, s x, s bad", "s_bad, s_x"},
		{"next, by a step that base has", "AX ok", "s ok, s x t", "s ok, s bad t", ""},
		{"next, by the light", "AX s", "s s", "s s, light.s light.on", ""},
		{"until", "A[!bad U ok]", "s ok", "s ok, s bad, s x, x bad, x x", "s_bad, s_x (x_x)"},
		{"unless", "A[!bad W ok]", "s ok", "s ok, s bad, s x, x bad, x x", "s_bad, s_x x_bad"},
		{"until what base has come to", "A[!bad U ok]", "s ok t, ok bad", "s x t, x bad", "t x_bad"},
		{"both", "AG !bad && AF ok", "s ok", "s ok, s bad", "s_bad, s_bad."},
		{"either", "AG !bad || AF ok", "s ok, s bad", "s ok, s bad, s x", "s_bad/s_x., " + errNamed.Error()},
		{"none of both is new", "AG !bad || AF ok", "s ok, s bad, s x", "s ok, s bad, s x", ""},
		{"after something", "AG (x -> AF ok)", "s x, x ok", "s x, x ok, x bad, x x", "s_x/(x_x), s_x/x_bad."},
		{"not possible", "!EF bad", "s ok", "s ok, s bad", "s_bad"},
		{"not kept up", "!EG !ok", "s ok", "s ok, s bad", "s_bad."},
		{"not next", "!EX bad", "s ok", "s ok, s bad", "s_bad"},
		{"not so until", "!E[!ok U bad]", "s ok", "s ok, s bad, ok bad t", "s_bad"},
		{"not so unless", "!E[!ok W bad]", "s ok", "s ok, s bad", "s_bad"},
		{"no run shows it", "EF bad", "s bad", "s ok", ""},
		{"what base cannot keep", never, "s bad", "s bad, s x, x bad", ""},
		{"a step that base cannot take, to nothing bad", never, "s ok, s bad, x y t", "s bad, s ok t", ""},
		{"next, by the only step", "AX ok", "s ok", "s bad", "s_bad"},
		{"next, what the light leads to", "AX (s -> AG !bad)", "s ok", "s ok, s bad, light.s light.on, light.on light.s", ""},
		{"either, of which a state violates one", "AG (s || AG !bad)", "s ok, s bad t", "s y, y bad t", "s_y/t"},
		{"both, of which base cannot keep one", "AG !x && AG !bad", "s bad", "s bad, s x", ""},
		{"both, written as an implication", "!(AG !x -> EF bad)", "s bad", "s bad, s x", ""},
		{"it comes no more, later", comes, "s x, x ok", "s x, x ok, x bad", "s_x x_bad."},
		{"until what it breaks", "A[!bad U bad]", "s bad, s ok", "s bad, s ok", ""},
		{"until, by a step after which base cannot keep it", "A[!bad U ok]", "s ok, s x t", "s ok, s bad t", ""},
		{"the light alone is left, where base went on", comes, "s ok", "s ok, s bad, light.s light.on, light.on light.s", "s_bad (light.s_light.on light.on_light.s)"},
		{"the light goes on once", comes, "s ok", "s ok, s bad, light.s light.on", "s_bad light.s_light.on."},
		{"no loop, though two ways lead to one state", comes, "s ok", "s y, y ok, s x, x w, w y, s bad", "s_bad."},
		{"a long way round", comes, "s ok", "s ok, s x, x y, y z, z w, w s", "(s_x x_y y_z z_w w_s)"},
		{"a step that base cannot take, before one that it could", never, "s ok, s bad, x y t", "s x t, x bad s_bad", "t s_bad"},
		{"round where base has come to it", comes, "s ok t, ok y u, y ok v", "s x t, x y u, y x v, s bad w, s ok k", "t (u v), w."},
		{"whichever goes wrong first", comes, "s ok go b.s", "s ok go b.s, s x u, b.s b.t t", "t u., u t."},
		{"a step that is wrong in one state, and not in another", comes, "s ok go b.s, x ok on", "s ok go b.s, x ok on, s x u b.s, x bad v b.t, b.s b.t t", "t., u t v."},
		{"until what would break it comes, too", "A[!x U (ok || x)]", "s ok", "s ok, s x, s bad", "s_bad."},
		{"after something that could not be kept before", "AG (x -> A[!y U ok])", "s y, y x, x ok", "s y, y x, x ok, x bad", "s_y y_x/x_bad."},
		{"until what base has come to, of which a part goes wrong in two ways", "A[AG !bad U ok]", "s ok t, ok bad u, ok bad v, s y w", "s x t, x bad u, x bad v, s y w", "t/u, t/v"},
		{"either, of which base keeps a state, in two ways that base has", "AX (y || AG !bad)", "s y t, y bad u, y bad v", "s x t, x bad u, x bad v", "t/u, t/v"},
		{"either, in two ways beside one that base has", "AG (s || AG !bad)", "s y t, y bad u, y ok k", "s x t, x bad u, x bad v, x bad w", "t/v, t/w"},
		{"until, and the light alone goes on", "A[!bad U ok]", "s ok", "s ok, light.s light.on, light.on light.s", ""},
	} {
		q, names := questionOf(t, c.base, c.head, c.formula, c.formula)
		if got := allWays(t, q, names); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestWaysOfRunsThatStop lists every new way where a has to act whenever it can, and a run may stop wherever it can't.
func TestWaysOfRunsThatStop(t *testing.T) {
	const comes, meets, light = "AF ok", "s ok go b.t, b.s b.t", ", light.s light.on, light.on light.s"
	for _, c := range []struct{ name, formula, base, head, want string }{
		{"it may stop elsewhere, though b can go on", comes, "s ok, b.s b.t", "s ok, s y, b.s b.t", "s_y."},
		{"b may wait, as before", comes, meets, meets, ""},
		{"b may wait, as before, but not once a is elsewhere", comes, meets, meets + ", s y", "s_y b.s_b.t."},
		{"now b may wait", comes, "s ok, s bad t b.t, b.s b.t", meets + ", s bad t b.t", "."},
		{"b may wait for ever with what is hidden from base, where base stops", comes, meets, meets + ", c.s c.u, c.u c.s", ""},
		{"or with the light", comes, meets, meets + light, ""},
		{"where base has to act", comes, "s ok, s bad t b.t, b.s b.t", "s ok go b.t, s bad t b.t, b.s b.t, c.s c.u, c.u c.s", "(c.s_c.u c.u_c.s), ."},
		{"after something", "AG (x -> AF ok)", "s x, x ok, b.s b.t", "s x, x ok go b.t, b.s b.t", "s_x/."},
		{"after something that base has to keep", "AG (x -> AF ok)", "s x, x ok, x bad t b.t, b.s b.t", "s x, x ok go b.t, x bad t b.t, b.s b.t", "s_x/."},
		{"nothing bad", "AG !bad", "s bad t, b.s b.t", "s bad t, s y, b.s b.t", ""},
	} {
		q, names := questionOf(t, c.base, c.head, c.formula, c.formula, "a")
		q.Stops = true
		for _, s := range []*Side{&q.Head, &q.Base} {
			s.Labels = fairLabels(s.Graph, s.Graph.Fair(s.Acts).Stopping(s.Barred))
		}
		if got := allWays(t, q, names); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// why writes what an evidence says of its run: at which marking which formula holds or does not, and below it why.
func why(e *ctl.Evidence) string {
	var said []string
	for _, b := range e.Next {
		text := fmt.Sprintf("%d: %s is %t", b.At, b.Formula.CTL(), b.Holds)
		if more := why(b.Evidence); more != "" {
			text += " (" + more + ")"
		}
		said = append(said, text)
	}
	return strings.Join(said, ", ")
}

// TestWaysSayWhy: the evidence of a new way names each part of the formula that is violated at its end.
func TestWaysSayWhy(t *testing.T) {
	for _, c := range []struct{ formula, base, head, run, want string }{
		{"AG !bad", "s ok", "s ok, s bad", "s_bad", "1: !bad is false"},
		{"AF ok", "s ok", "s ok, s bad", "s_bad.", "1: ok is false"},
		{"AF ok", "s ok", "s ok, s x, x s", "(s_x x_s)", "0: ok is false"},
		{"AX ok", "s ok", "s ok, s bad", "s_bad", "1: ok is false"},
		{"A[!bad U ok]", "s ok", "s ok, s bad", "s_bad", "1: !bad is false, 1: ok is false"},
		{"A[!bad W ok]", "s ok", "s ok, s x, x bad", "s_x x_bad", "2: !bad is false, 2: ok is false"},
		{"AG (x -> AF ok)", "s x, x ok", "s x, x ok, x bad", "s_x/x_bad.", "1: x -> AF ok is false (0: AF ok is false (1: ok is false))"},
		{"AG !bad || AF ok", "s ok, s bad", "s ok, s bad, s x", "s_bad/s_x.", "0: AG !bad is false (1: !bad is false), 0: AF ok is false (1: ok is false)"},
		{"AF ok", "s ok, s bad", "s ok, s bad, light.s light.on, light.on light.s", "", ""},
		{"AF ok", "s x, x ok", "s x, x ok, x bad", "s_x x_bad.", "2: ok is false"},
		{"A[!bad U ok]", "s ok", "s ok, s x, x x", "s_x (x_x)", "1: ok is false"},
		{"A[!bad U ok]", "s ok, s bad t", "s ok, s bad t, s x", "s_x.", "1: ok is false"},
		{"!E[!ok U bad]", "s ok", "s ok, s bad", "s_bad", "0: E[!ok U bad] is true (1: bad is true)"},
		{"AF ok", "s ok", "s ok, s bad, light.s light.on, light.on light.s", "s_bad (light.s_light.on light.on_light.s)", "1: ok is false"},
		{"AF ok", "s ok t, ok y u, y ok v", "s x t, x y u, y x v, s bad w, s ok k", "t (u v)", "1: ok is false"},
		{"AF ok", "s x, x ok, x y t, y ok", "s x, x ok, x y t", "s_x t.", "2: ok is false"},
	} {
		q, names := questionOf(t, c.base, c.head, c.formula, c.formula)
		e, err := q.NewViolation(t.Context())
		if err != nil || (e == nil) != (c.run == "") {
			t.Fatalf("%s: %v", c.formula, err)
		}
		if e != nil && (told(e, names) != c.run || why(e) != c.want) {
			t.Errorf("%s: %s, since %s; want %s, since %s", c.formula, told(e, names), why(e), c.run, c.want)
		}
	}
}

// TestWaysOfNamesAndOperands: a name is what it means, and an operand is compared with the one of base that it stands for.
func TestWaysOfNamesAndOperands(t *testing.T) {
	const base, head = "s ok, s x t", "s ok, s x, s bad"
	for _, c := range []struct{ name, was, now, want string }{
		{"a name on both sides", "safe", "safe", "s_bad"},
		{"a name on head", "AG !bad", "safe", "s_bad"},
		{"a name on base", "safe", "AG !bad", "s_bad"},
		{"a name on base, of what it breaks, too", "undone", "AG !ok", ""},
		{"a name within", "AG fine", "AG fine", "s_bad"},
		{"the same operands in another order", "served && safe", "safe && served && AG !y", "s_bad, s_bad., s_x."},
		{"an operand that base lacks", "safe && AG !y", "safe && AG !y && AG !x", "s_bad, s_x"},
		{"an operand that base lacks, of what has to come", "safe && served", "safe && served && AF (ok || x)", "s_bad, s_bad., s_bad., s_x."},
		{"an operand that base lacks, within another", "AG (s -> fine && safe)", "AG (s -> fine && safe && AG !x)", "s_bad, s_x"},
		{"an operand that base lacks, about the next state", "safe && served", "safe && served && AX ok", "s_bad, s_bad, s_bad., s_x, s_x."},
		{"an operand that base lacks, about a state", "safe && served", "safe && served && x", ", s_bad, s_bad., s_x."},
		{"an operand that base breaks, too", "AG !y && AG !ok && AG !x", "AG !y && AG !ok", ""},
		{"an operand that base breaks, too, and has first", "AG !ok && AG !y && AG !x", "AG !y && AG !ok", ""},
		{"not either", "!(EF bad || EF x)", "!(EF bad || EF x)", "s_bad, s_x"},
		{"not that one brings the other", "!(s -> EF bad)", "!(s -> EF bad)", "s_bad"},
		{"one brings the other", "s -> AG !bad", "s -> AG !bad", "s_bad"},
		{"another form", "AG !bad", "AF ok", errShape.Error()},
		{"another form of an operand", "AG !bad && AF ok", "AG !bad && AG !x", errShape.Error()},
		{"another form of what has to hold", "AG AF ok", "AG AX ok", errShape.Error()},
	} {
		q, names := questionOf(t, base, head, c.was, c.now)
		if got := allWays(t, q, names); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestOperandThatBaseLacks: every way to violate it is new, whatever base does, and one that steps take which are apart, too.
func TestOperandThatBaseLacks(t *testing.T) {
	const kept = "AG (s || !s) && AG (x || !x)"
	for _, formula := range []string{"AG !bad", "AF ok", "A[!bad U ok]", "A[!bad W ok]", "AX ok", "AG (s -> AX ok)", "AG (x -> AF ok)", "!EF bad", "!EG !ok", "!E[!ok U bad]", "safe", "served", "s -> AF ok", "!bad"} {
		for _, steps := range []string{"s ok", "s ok, s bad", "s x, x bad, s bad", "s ok, s x, x s", "s bad, bad s, s ok", "s ok, s x t, x x", "s ok, s x t, x bad"} {
			for _, base := range []string{steps, "s ok", "s y, y x t"} {
				alone, names := questionOf(t, base, steps, formula, formula)
				alone.Alone = true
				lacking, _ := questionOf(t, base, steps, kept, kept+" && ("+formula+")")
				if got, want := allWays(t, lacking, names), allWays(t, alone, names); got != want {
					t.Errorf("%s of %q, after %q: %q, want %q", formula, steps, base, got, want)
				}
			}
		}
	}
	for formula, want := range map[string]string{"AX ok": "light.s_light.on", "AF ok": "(light.s_light.on light.on_light.s)"} {
		q, names := questionOf(t, "s ok", "s ok, light.s light.on, light.on light.s", kept, kept+" && "+formula)
		if got := allWays(t, q, names); got != want {
			t.Errorf("%s, beside the light: %q, want %q", formula, got, want)
		}
	}
}

// TestShown: a formula has ways if runs show its violation, or a state does.
func TestShown(t *testing.T) {
	for formula, want := range map[string]bool{
		"s": true, "s && !ok": true, "EF ok": false, "!EF ok": true, "AG s": true, "!AG s": false, "EF ok && AG s": true, "AG s && EF ok": true, "EF ok || EG s": false,
		"AG s -> EF ok": false, "EF ok -> EF s": true, "EF ok -> AG s": true, "AG s -> AG ok": true, "safe && EF ok": true, "!safe": false,
	} {
		side, _ := sideOf(t, "s ok", formula, petri.One)
		if got := RefutedByRuns(side.Formula); got != want {
			t.Errorf("%s: %t", formula, got)
		}
	}
}

// TestNamedRunIsNone: a named run with a step that head cannot take is an error.
func TestNamedRunIsNone(t *testing.T) {
	for _, formula := range []string{"AG !bad", "AF ok", "AX ok", "AG (s -> AX ok)"} {
		q, _ := questionOf(t, "s ok", "s ok, s bad", formula, formula)
		e, err := q.NewViolation(t.Context())
		if err != nil || e == nil {
			t.Fatalf("%s: %v, %v", formula, e, err)
		}
		for at := e; at != nil; {
			for i := range at.Run.Steps {
				at.Run.Steps[i] = []int{7}
			}
			if len(at.Next) == 0 {
				break
			}
			at = at.Next[0].Evidence
		}
		q.Named = []*ctl.Evidence{e}
		if e, err := q.NewViolation(t.Context()); !errors.Is(err, errNamed) {
			t.Errorf("%s: %v, %v", formula, e, err)
		}
	}
}

// TestAlone: every way is asked for, whatever base has, but those that are named.
func TestAlone(t *testing.T) {
	for _, c := range []struct{ formula, steps, want string }{
		{"AG !bad", "s bad, s x, x bad", "s_bad, s_x x_bad"},
		{"AG !s", "s x, x s", ""},
		{"AF ok", "s x, s ok, s s, s y, y s", "(s_s), (s_y y_s), s_x."},
		{"AG !bad && AF ok", "s bad, s ok", "s_bad, s_bad."},
		{"s && AG !bad", "s bad", "s_bad"},
		{"AG (s -> AG !bad)", "s bad", "s_bad"},
		{"AF ok", "s x, x s, x y, y s, s ok", "(s_x x_s), (s_x x_y y_s)"},
		{"AF ok", "s ok, s x, x ok, x x, s y, y x", "s_x (x_x), s_y y_x (x_x)"},
		{"safe && served", "s bad, s ok", "s_bad, s_bad."},
	} {
		q, names := questionOf(t, c.steps, c.steps, c.formula, c.formula)
		q.Alone = true
		if got := allWays(t, q, names); got != c.want {
			t.Errorf("%s: %q, want %q", c.formula, got, c.want)
		}
	}
}

// TestWaysOfPartiesThatAct: a run counts on which parties that are assumed to make progress do, and base does not follow by waiting.
func TestWaysOfPartiesThatAct(t *testing.T) {
	const comes, clock = "AF ok", "b.s b.t, b.t b.s"
	for _, c := range []struct{ name, formula, base, head, want string }{
		{"it waits for ever", comes, "s ok, " + clock, "s ok, " + clock, ""},
		{"it goes round", comes, "s ok, " + clock, "s ok, s x, x s, " + clock, "(s_x x_s)"},
		{"it went round before", comes, "s ok, s x, x s, " + clock, "s ok, s x, x s, s y, y s, " + clock, "(s_y y_s)"},
		{"it ends elsewhere", comes, "s ok, " + clock, "s ok, s bad, " + clock, "s_bad (b.s_b.t b.t_b.s)"},
		{"it goes round where base cannot follow", comes, "s ok, x y t, " + clock, "s ok, s y t, y s u, " + clock, "t (u t)"},
		{"base can't always act", comes, "s ok t b.t, " + clock, "s ok t b.t, s x u b.s, x s v b.t, " + clock, ""},
		{"nor can base act at first", comes, "s ok t b.t, b.s b.s, b.s b.t", "s ok t b.t, b.s b.s, b.s b.t", ""},
		{"it does what changes nothing", comes, "s ok, s s, " + clock, "s s, s ok go b.u, b.s b.u k, " + clock, "(b.s_b.t b.t_b.s), (s_s)"},
		{"it has to do what changes something", comes, "s ok", "s s, s ok, s bad", "s_bad."},
		{"what base cannot keep by waiting", "AG !bad", "s bad, " + clock, "s bad, s x, x bad, " + clock, ""},
	} {
		q, names := questionOf(t, c.base, c.head, c.formula, c.formula, "a")
		if got := allWays(t, q, names); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestStepsOfSeveral: base follows a step of several transitions by one of just the same, without those that it lacks.
func TestStepsOfSeveral(t *testing.T) {
	for _, c := range []struct{ name, base, head, want string }{
		{"one that base lacks", "s ok, s x t, x bad z", "s x t, x bad z, b.s b.t h", ""},
		{"one that head lacks", "s ok, s x t, x bad z, b.s b.t h", "s x t, x bad z", "t z"},
		{"the same", "s ok, s x t, x bad z, b.s b.t h", "s x t, x bad z, b.s b.t h", ""},
		{"another", "s ok, s x t, x bad z, b.s b.u i", "s x t, x bad z, b.s b.t h, b.u b.s i", "t z"},
	} {
		q, names := questionUnder(t, petri.All, c.base, c.head, "AG !bad", "AG !bad")
		e, err := q.NewViolation(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if e != nil {
			got = told(e, names)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestInACTL: path quantifiers count after negations, and on either side of an arrow.
func TestInACTL(t *testing.T) {
	t.Parallel()
	for formula, want := range map[string]bool{
		"p": true, "AG (p -> AF q)": true, "!EF p": true, "EF p -> AX q": true, "A[p W !EG q]": true, "AG p && !E[p U q]": true,
		"EF p": false, "AG EF p": false, "!AG p": false, "AF p -> AG q": false, "A[EX p U q]": false, "p <-> AG q": false, "AG p || EX q": false,
	} {
		f, err := ctl.Parse(formula)
		if err != nil {
			t.Fatal(err)
		}
		if got := InACTL(f); got != want {
			t.Errorf("%s: %t", formula, got)
		}
	}
}
