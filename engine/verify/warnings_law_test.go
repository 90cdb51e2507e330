package verify_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/naive"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/load"
)

// TestWarningsAreTrue decides what warnings say of behaviour on the markings that can be reached by petri's own firing; of dead events, states, clauses and powers also that none is
// passed over.
func TestWarningsAreTrue(t *testing.T) {
	draws.SkipForRaces(t)
	seen := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		for range 12 {
			if w := drawnWitnesses(t); w != nil {
				w.warnings(seen)
			}
		}
	})
	t.Log(seen)
	for _, code := range []string{"event-never-happens", "transition-never-fires", "idle-self-loop", "norm-never-arises", "norm-never-again", "breach-without-consequence",
		"obligation-cannot-fulfil", "not-its-own-act", "state-never-reached", "power-never-usable", "power-forbidden", "no-ideal-run", "label-without-event"} {
		if seen[code] == 0 {
			t.Errorf("%s was never met: %v", code, seen)
		}
	}
}

// A witnesses holds warnings to the markings of a draft.
type witnesses struct {
	t        *rapid.T
	d        *compile.Draft
	text     string
	markings []petri.Marking
	graph    naive.Graph
}

// drawnWitnesses returns nil where the drawn contract has no meaning.
func drawnWitnesses(t *rapid.T) *witnesses {
	text := drawnClauses(t)
	src, err := load.Dir(fstest.MapFS{"x/a.contract.hcl": {Data: []byte(text)}}, "x", "x", nil)
	if err != nil {
		t.Fatal(err)
	}
	if src.Contract == nil {
		return nil // one event has two parts in a clause
	}
	w := &witnesses{t: t, d: compile.Compile(src, "x", nil), text: text}
	oneSafe := false
	if w.graph, w.markings, oneSafe = testkit.ExploreForProgress(w.d); !oneSafe {
		return nil
	}
	return w
}

// warnings decides all warnings of a draft.
func (w *witnesses) warnings(seen map[string]int) {
	said := map[string]bool{}
	for _, d := range verify.Check(w.t.Context(), w.d, finding.Budget{Jobs: 1}).Diagnostics {
		seen[string(d.Code)]++
		said[string(d.Code)+" "+d.Subject] = true
		at := w.end(d)
		if !w.so(d, at) {
			w.t.Fatalf("%s\n%s: %s %s", w.text, d.Code, d.Message, d.Detail)
		}
	}
	missing := func(code, subject string, so bool) {
		if so && !said[code+" "+subject] {
			w.t.Fatalf("%s\n%s is not said of %s", w.text, code, subject)
		}
	}
	for _, e := range w.d.Spec.Events {
		missing("event-never-happens", "event."+e.Name, !e.Moving && !w.fires(e.Name))
	}
	for _, p := range w.d.Net.Places {
		missing("state-never-reached", p.String(), slices.Contains([]string{"a", "b"}, p.Net) && !w.some(w.at(p.String())))
	}
	for _, n := range w.d.Spec.Norms {
		arises := w.some(w.on(n))
		missing("norm-never-arises", n.Kind.String()+"."+n.Name, !arises)
		missing("obligation-cannot-fulfil", n.Kind.String()+"."+n.Name, n.Kind == hclspec.Obligation && w.d.Rule == petri.One &&
			w.some(func(m petri.Marking) bool { return w.on(n)(m) && !w.fulfillable(m, n, true) }))
		missing("power-forbidden", n.Kind.String()+"."+n.Name, n.Kind == hclspec.Power && w.some(func(m petri.Marking) bool { return w.on(n)(m) && w.barred(m, n) }))
		missing("power-never-usable", n.Kind.String()+"."+n.Name, arises && n.Kind >= hclspec.Permission && !w.usable(n))
	}
}

// readyAfterEnd reports whether an event lacks nothing in a marking but that the contract is in force.
func (w *witnesses) readyAfterEnd(m petri.Marking, event string) bool {
	inForce := func(p int) bool { return w.d.Spec.Ends != nil && w.d.AllPlaces[p] == w.d.Spec.Ends.InForce }
	return slices.ContainsFunc(w.d.Net.Transitions, func(t petri.Transition) bool {
		return t.Event >= 0 && w.d.Events[t.Event].Name == event && slices.ContainsFunc(t.Read, inForce) &&
			!slices.ContainsFunc(slices.Concat(t.In, t.Read), func(p int) bool { return !inForce(p) && !m.Has(p) })
	})
}

// end is where the run of a warning ends; nil where it has none.
func (w *witnesses) end(d finding.Diagnostic) petri.Marking {
	if d.Trace == nil {
		return nil
	}
	stage := explain.Stage(w.d, []*finding.Trace{d.Trace})[0]
	if stage == nil {
		w.t.Fatalf("%s\n%s: its run can't be fired anew", w.text, d.Code)
	}
	here := stage.Start
	for _, step := range stage.Steps {
		here, _ = w.d.Net.Fire(here, step)
	}
	return here
}

// so decides a warning, where it has a run, at its end.
func (w *witnesses) so(d finding.Diagnostic, end petri.Marking) bool {
	kind, name, _ := strings.Cut(d.Subject, ".")
	switch d.Code {
	case "event-never-happens":
		return !w.fires(name) && (strings.Contains(d.Detail, "needs that the contract has ended") || w.some(func(m petri.Marking) bool { return w.readyAfterEnd(m, name) }) == strings.Contains(d.Detail, "only after"))
	case "transition-never-fires":
		ready := w.some(func(m petri.Marking) bool { return w.ready(m, kind, name) })
		return !w.fires(d.Subject) && ready == strings.Contains(d.Detail, "at times")
	case "label-without-event":
		return !slices.ContainsFunc(w.d.Net.Transitions, func(t petri.Transition) bool {
			return len(t.Parts) > 1 && slices.Contains(strings.Split(t.Name, "+"), d.Subject)
		})
	case "state-never-reached":
		return !w.some(w.at(d.Subject))
	case "idle-self-loop":
		return w.idles(d, strings.TrimPrefix(d.Subject, "event."))
	case "no-ideal-run":
		return !w.keepable()
	}
	if i := slices.IndexFunc(w.d.Spec.Norms, func(n *hclspec.Norm) bool { return n.Name == name }); i >= 0 {
		return w.soOf(w.d.Spec.Norms[i], d, end)
	}
	w.t.Fatalf("%s: what does it say? %s", d.Code, d.Message)
	return false
}

// soOf decides a warning about a clause.
func (w *witnesses) soOf(n *hclspec.Norm, d finding.Diagnostic, end petri.Marking) bool {
	begins := func(m petri.Marking) bool {
		return slices.ContainsFunc(n.Starts, func(s hclspec.Start) bool {
			return w.canFire(m, s.Event.Name) && !slices.ContainsFunc(s.While, func(p *hclspec.Place) bool { return !w.marked(m, p) })
		})
	}
	switch d.Code {
	case "norm-never-arises":
		return !w.some(w.on(n)) && w.some(begins) == strings.Contains(d.Detail, "only when it can't begin")
	case "norm-never-again":
		return w.at(n.Name+".breached")(end) && begins(end) && !slices.ContainsFunc(w.after(end), w.on(n))
	case "breach-without-consequence":
		own := strings.Split(w.text, fmt.Sprintf("%s %q {", n.Kind, n.Name))[1]
		own, _, _ = strings.Cut(own, "}")
		follows := strings.Contains(own, "ends_contract") || strings.Contains(own, "reparation") || strings.Contains(w.text, n.Name+".breached")
		return w.at(n.Name+".breached")(end) && !follows
	case "power-never-usable":
		return w.some(w.on(n)) && !w.usable(n)
	case "power-forbidden":
		return w.on(n)(end) && w.barred(end, n)
	case "not-its-own-act":
		return !slices.ContainsFunc(w.d.Spec.Events, func(e *hclspec.Event) bool {
			return slices.Contains(n.Acts, e) && strings.Contains(d.Message, fmt.Sprintf("%q", e.Name)) && w.hasPart(e, n.Bearer())
		})
	case "obligation-cannot-fulfil":
		switch {
		case strings.Contains(d.Message, "nobody"):
			return w.on(n)(end) && !w.fulfillable(end, n, false)
		case strings.Contains(d.Message, "takes no part"):
			return w.on(n)(end) && !slices.ContainsFunc(n.Acts, func(e *hclspec.Event) bool { return w.hasPart(e, n.Bearer()) })
		}
		return w.on(n)(end) && !w.fulfillable(end, n, true)
	}
	return d.Code == "obliged-and-forbidden" || d.Code == "permitted-and-forbidden" || d.Code == "contradiction" // violations, and not warnings
}

// barred reports whether all that exercises a power is forbidden to its bearer in a marking.
func (w *witnesses) barred(m petri.Marking, power *hclspec.Norm) bool {
	return !slices.ContainsFunc(power.Acts, func(act *hclspec.Event) bool {
		return !slices.ContainsFunc(w.d.Spec.Norms, func(p *hclspec.Norm) bool {
			return p.Kind == hclspec.Prohibition && p.Bearer() == power.Bearer() && slices.Contains(p.Acts, act) && w.at(p.Name+".in_force")(m)
		})
	})
}

// idles decides that something can happen without changing anything; and, if that is said, that it never changes anything.
func (w *witnesses) idles(d finding.Diagnostic, name string) bool {
	still, moves := false, false
	for _, m := range w.markings {
		for _, t := range w.able(m, name) {
			after, _ := w.d.Net.Fire(m, []int{t})
			still, moves = still || slices.Equal(after, m), moves || !slices.Equal(after, m)
		}
	}
	return still && !(moves && strings.Contains(d.Message, "changes nothing"))
}

// keepable reports whether some maximal run breaches nothing.
func (w *witnesses) keepable() bool {
	in := make([]bool, len(w.markings))
	for s, m := range w.markings {
		in[s] = !slices.ContainsFunc(w.d.Spec.Norms, func(n *hclspec.Norm) bool { return w.at(n.Name + ".breached")(m) })
	}
	for range in {
		for s := range in {
			in[s] = in[s] && (len(w.graph.Succ[s]) == 0 || slices.ContainsFunc(w.graph.Succ[s], func(next int) bool { return in[next] }))
		}
	}
	return in[0]
}

// fulfillable reports whether from a marking, as long as it is owed, what fulfils it can come to be possible; alone, without a step of others than its bearer, and by an event in which
// the bearer takes part.
func (w *witnesses) fulfillable(from petri.Marking, n *hclspec.Norm, alone bool) bool {
	if strings.Contains(w.text, fmt.Sprintf("obligation %q {\n  bearer = %s\n  fulfil = all(", n.Name, n.Bearer())) {
		return w.allOf(from, n, alone)
	}
	met, todo := map[string]bool{}, []petri.Marking{from}
	for len(todo) > 0 {
		m := todo[0]
		todo = todo[1:]
		if met[fmt.Sprint(m)] || !w.on(n)(m) {
			continue
		}
		met[fmt.Sprint(m)] = true
		if slices.ContainsFunc(n.Acts, func(e *hclspec.Event) bool {
			return w.canFire(m, e.Name) && (!alone || w.hasPart(e, n.Bearer()))
		}) {
			return true
		}
		for _, step := range w.d.Net.Steps(m, w.d.Rule) {
			if others := slices.ContainsFunc(explain.Actors(w.d, step[0]), func(p *hclspec.Party) bool { return p != n.Bearers[0].Parties[0] }); alone && others {
				continue
			}
			after, _ := w.d.Net.Fire(m, step)
			todo = append(todo, after)
		}
	}
	return false
}

// allOf reports whether all events that it takes to fulfil an obligation can come, one after the other, as long as it is owed.
func (w *witnesses) allOf(from petri.Marking, n *hclspec.Norm, alone bool) bool {
	type position struct {
		m    petri.Marking
		left string // names of the events to come
	}
	var first []string
	for _, e := range n.Acts {
		if !w.at(n.Name + ".done-" + e.Name + "_T")(from) {
			first = append(first, e.Name)
		}
	}
	met, todo := map[string]bool{}, []position{{from, strings.Join(first, " ")}}
	for len(todo) > 0 {
		at := todo[0]
		todo = todo[1:]
		if key := fmt.Sprint(at); met[key] || !w.on(n)(at.m) {
			continue
		} else {
			met[key] = true
		}
		for _, step := range w.d.Net.Steps(at.m, w.d.Rule) {
			left, e := strings.Fields(at.left), explain.Event(w.d, step[0])
			own := e != nil && slices.Contains(n.Acts, e) && w.hasPart(e, n.Bearer())
			if others := slices.ContainsFunc(explain.Actors(w.d, step[0]), func(p *hclspec.Party) bool { return p != n.Bearers[0].Parties[0] }); alone && others && !own {
				continue
			}
			if e != nil && slices.Contains(n.Acts, e) {
				left = slices.DeleteFunc(left, func(name string) bool { return name == e.Name })
				if len(left) == 0 && (!alone || own) {
					return true
				}
			}
			after, _ := w.d.Net.Fire(at.m, step)
			todo = append(todo, position{after, strings.Join(left, " ")})
		}
	}
	return false
}

// hasPart reports whether a party has a part in an event, by its text.
func (w *witnesses) hasPart(e *hclspec.Event, party string) bool {
	return slices.ContainsFunc(slices.Concat(e.Ways...), func(s hclspec.Sync) bool { return s.Party.Name == party })
}

// ready reports whether a party's own places allow one of its transitions.
func (w *witnesses) ready(m petri.Marking, party, transition string) bool {
	for _, p := range w.d.Spec.Parties {
		for _, t := range p.Transitions {
			if p.Name == party && t.Name == transition && !slices.ContainsFunc(slices.Concat(t.Consume, t.Read), func(p *hclspec.Place) bool { return !w.at(party + "." + p.Name)(m) }) {
				return true
			}
		}
	}
	return false
}

// usable reports whether the event of a power or permission can happen where it is there.
func (w *witnesses) usable(n *hclspec.Norm) bool {
	return w.some(func(m petri.Marking) bool {
		return w.on(n)(m) && slices.ContainsFunc(n.Acts, func(e *hclspec.Event) bool { return w.canFire(m, e.Name) })
	})
}

func (w *witnesses) some(is func(m petri.Marking) bool) bool {
	return slices.ContainsFunc(w.markings, is)
}

func (w *witnesses) on(n *hclspec.Norm) func(petri.Marking) bool {
	return w.at(n.Name + "." + n.On().Name)
}

func (w *witnesses) at(place string) func(petri.Marking) bool {
	i := slices.IndexFunc(w.d.Net.Places, func(p petri.Place) bool { return p.String() == place })
	return func(m petri.Marking) bool { return i >= 0 && m.Has(i) }
}

// marked reports whether a place of the text is marked.
func (w *witnesses) marked(m petri.Marking, place *hclspec.Place) bool {
	for i := range w.d.Net.Places {
		if spec, _, _, _ := explain.Place(w.d, i); spec == place {
			return m.Has(i)
		}
	}
	return false
}

// after lists the markings that can be reached from one.
func (w *witnesses) after(from petri.Marking) []petri.Marking {
	list, met := []petri.Marking{from}, map[string]bool{fmt.Sprint(from): true}
	for i := 0; i < len(list); i++ {
		for _, step := range w.d.Net.Steps(list[i], w.d.Rule) {
			after, _ := w.d.Net.Fire(list[i], step)
			if key := fmt.Sprint(after); !met[key] {
				met[key] = true
				list = append(list, after)
			}
		}
	}
	return list
}

// able lists what can fire in a marking that is an event, or is made of a party's transition.
func (w *witnesses) able(m petri.Marking, name string) []int {
	var list []int
	for t := range w.d.Net.Transitions {
		e := explain.Event(w.d, t)
		named := e != nil && e.Name == name || slices.Contains(strings.Split(explain.TransitionName(w.d, t), "+"), name)
		if named && w.d.Net.Fireable(m, t) {
			list = append(list, t)
		}
	}
	return list
}

func (w *witnesses) canFire(m petri.Marking, name string) bool { return len(w.able(m, name)) > 0 }

func (w *witnesses) fires(name string) bool {
	return w.some(func(m petri.Marking) bool { return w.canFire(m, name) })
}

// drawnClauses draws a contract of two parties, three events, two obligations, a prohibition, a permission and a power.
func drawnClauses(t *rapid.T) string {
	pick := func(list ...string) string { return rapid.SampledFrom(list).Draw(t, "pick") }
	var b strings.Builder
	fmt.Fprintf(&b, "contract \"c\" {\n  firing = %s\n%s}\n", pick("one", "one", "one", "all"), pick("", "", "  ends = e2\n", "  ends = o1.breached\n", "  ends = o0.fulfilled\n"))
	for _, party := range []string{"a", "b"} {
		fmt.Fprintf(&b, "party %q {\n", party)
		for s := range 3 {
			fmt.Fprintf(&b, "  state \"s%d\" {}\n", s)
		}
		for i := range 4 {
			label := pick("", "", "", "  label = t0\n", "  label = t1\n", "  label = l\n")
			fmt.Fprintf(&b, "  transition \"t%d\" {\n    from = %s\n    to = %s\n%s  }\n", i, pick("s0", "s0", "s1", "s2"), pick("s0", "s1", "s2"), label)
		}
		b.WriteString("}\n")
	}
	for i := range 3 {
		sync := pick("a = t0", "b = t1", "a = t2, b = t0", "a = t1", "b = t2")
		guard := pick("", "", "  only_while = o0.owed\n", "  only_while = o1.breached\n", "  only_while = o0.fulfilled\n", "  not_before = { e1 = 1 }\n")
		if i == 1 && strings.Contains(guard, "e1") {
			guard = ""
		}
		fmt.Fprintf(&b, "event \"e%d\" {\n  sync = { %s }\n%s}\n", i, sync, guard)
	}
	for i := range 2 {
		fmt.Fprintf(&b, "obligation \"o%d\" {\n  bearer = %s\n  fulfil = %s\n%s%s%s%s}\n", i, pick("a", "b"), pick("e0", "e1", "all(e0, e1)"),
			pick("", "  when = e2\n", "  when = e0\n", "  when = p.breached\n"), pick("", "  within = 1\n", "  within = 2\n"), pick("", "", "  until = e2\n"), pick("", "", "", "  breach = e1\n"))
	}
	fmt.Fprintf(&b, "prohibition \"p\" {\n  bearer = %s\n  of = %s\n%s%s}\n", pick("a", "b"), pick("e0", "e1", "e2"), pick("", "  from = e1\n", "  from = e0\n"), pick("", "", "  ends_contract = true\n"))
	fmt.Fprintf(&b, "power \"w\" {\n  bearer = %s\n  exercise = %s\n%s%s}\n", pick("a", "b"), pick("e0", "e1", "e2"), pick("", "  when = e1\n", "  when = e0\n"), pick("", "", "  lifts = o0\n"))
	fmt.Fprintf(&b, "permission \"m\" {\n  bearer = %s\n  of = %s\n%s}\n", pick("a", "b"), pick("e0", "e1", "e2"), pick("", "  from = e1\n", "  from = e0\n"))
	return b.String()
}
