package engine_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
)

// TestWarningsAreTrue holds what warnings say, never and at times, to the markings that can be reached by petri's own firing.
func TestWarningsAreTrue(t *testing.T) {
	seen := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		text := drawnClauses(t)
		src, err := hclspec.Load(fstest.MapFS{"x/a.contract.hcl": {Data: []byte(text)}}, "x", "x", nil)
		if err != nil {
			t.Fatal(err)
		}
		if src.Contract == nil {
			return // one event has two parts in a clause
		}
		w := &witnesses{T: t, d: engine.Compile(src, "x", nil), text: text}
		if w.markings = reachable(w.d); w.markings == nil {
			return
		}
		said := map[string]bool{}
		for _, d := range w.d.Check(context.Background(), engine.Budget{Jobs: 1}).Diagnostics {
			seen[string(d.Code)]++
			said[string(d.Code)+" "+d.Subject] = true
			w.check(d)
		}
		for _, e := range w.d.Spec.Events {
			if never := !w.fires(e.Name); !e.Moving && never != said["event-never-happens event."+e.Name] {
				t.Fatalf("%s\nevent %s never happens: %v", text, e.Name, never)
			}
		}
	})
	for _, code := range []string{"event-never-happens", "transition-never-fires", "idle-self-loop", "norm-never-arises", "norm-never-again",
		"breach-without-consequence", "obligation-cannot-fulfil", "not-its-own-act", "state-never-reached"} {
		if seen[code] < 5 {
			t.Errorf("%s was met %d times only: %v", code, seen[code], seen)
		}
	}
}

// witnesses holds diagnostics to the markings of a draft.
type witnesses struct {
	*rapid.T
	d        *engine.Draft
	text     string
	markings []petri.Marking
}

func (w *witnesses) check(d engine.Diagnostic) {
	_, name, _ := strings.Cut(d.Subject, ".")
	some := func(is func(m petri.Marking) bool) bool { return slices.ContainsFunc(w.markings, is) }
	at := func(place string) func(m petri.Marking) bool {
		i := slices.IndexFunc(w.d.Net.Places, func(p petri.Place) bool { return p.String() == place })
		return func(m petri.Marking) bool { return i >= 0 && m.Has(i) }
	}
	ok := true
	switch d.Code {
	case "event-never-happens":
		ok = !w.fires(name)
	case "transition-never-fires":
		ok = !w.fires(d.Subject)
	case "state-never-reached":
		ok = !some(at(d.Subject))
	case "norm-never-arises":
		ok = !some(func(m petri.Marking) bool { return at(name+".owed")(m) || at(name+".in_force")(m) })
	case "breach-without-consequence":
		ok = some(at(name + ".breached"))
	case "norm-never-again":
		n := w.norm(name)
		ok = some(func(m petri.Marking) bool {
			return at(name+".breached")(m) && slices.ContainsFunc(n.Starts, func(s hclspec.Start) bool { return w.canFire(m, s.Event.Name) })
		})
	case "idle-self-loop":
		of := strings.TrimPrefix(d.Subject, "event.")
		ok = some(func(m petri.Marking) bool {
			return slices.ContainsFunc(w.able(m, of), func(t int) bool {
				after, _ := w.d.Net.Fire(m, []int{t})
				return slices.Equal(after, m)
			})
		})
	case "obligation-cannot-fulfil":
		if strings.Contains(d.Message, "nobody") {
			ok = some(func(m petri.Marking) bool {
				return at(name+".owed")(m) && !w.fulfillable(m, at(name+".owed"), w.norm(name))
			})
		}
	}
	if !ok {
		w.Fatalf("%s\n%s: %s", w.text, d.Code, d.Message)
	}
}

// fulfillable reports whether from a marking, as long as it is owed, what fulfils it can come to be possible.
func (w *witnesses) fulfillable(from petri.Marking, owed func(petri.Marking) bool, n *hclspec.Norm) bool {
	met, todo := map[string]bool{}, []petri.Marking{from}
	for len(todo) > 0 {
		m := todo[0]
		todo = todo[1:]
		if met[fmt.Sprint(m)] || !owed(m) {
			continue
		}
		met[fmt.Sprint(m)] = true
		if slices.ContainsFunc(n.Acts, func(e *hclspec.Event) bool { return w.canFire(m, e.Name) }) {
			return true
		}
		for _, step := range w.d.Net.Steps(m, w.d.Rule) {
			after, _ := w.d.Net.Fire(m, step)
			todo = append(todo, after)
		}
	}
	return false
}

func (w *witnesses) norm(name string) *hclspec.Norm {
	return w.d.Spec.Norms[slices.IndexFunc(w.d.Spec.Norms, func(n *hclspec.Norm) bool { return n.Name == name })]
}

// able lists what can fire in a marking that is an event, or is made of a party's transition.
func (w *witnesses) able(m petri.Marking, name string) []int {
	var list []int
	for t := range w.d.Net.Transitions {
		e := w.d.Event(t)
		named := e != nil && e.Name == name || slices.Contains(strings.Split(w.d.TransitionName(t), "+"), name)
		if named && w.d.Net.Fireable(m, t) {
			list = append(list, t)
		}
	}
	return list
}

func (w *witnesses) canFire(m petri.Marking, name string) bool { return len(w.able(m, name)) > 0 }

func (w *witnesses) fires(name string) bool {
	return slices.ContainsFunc(w.markings, func(m petri.Marking) bool { return w.canFire(m, name) })
}

// reachable lists the markings of a draft; none after a contact.
func reachable(d *engine.Draft) []petri.Marking {
	list := []petri.Marking{d.Net.Initial}
	met := map[string]bool{fmt.Sprint(list[0]): true}
	for i := 0; i < len(list); i++ {
		for _, step := range d.Net.Steps(list[i], d.Rule) {
			after, contact := d.Net.Fire(list[i], step)
			if contact >= 0 {
				return nil
			}
			if !met[fmt.Sprint(after)] {
				met[fmt.Sprint(after)] = true
				list = append(list, after)
			}
		}
	}
	return list
}

// drawnClauses draws a contract of two parties, three events, two obligations and a prohibition.
func drawnClauses(t *rapid.T) string {
	pick := func(list ...string) string { return rapid.SampledFrom(list).Draw(t, "pick") }
	var b strings.Builder
	b.WriteString("contract \"c\" {}\n")
	for _, party := range []string{"a", "b"} {
		fmt.Fprintf(&b, "party %q {\n", party)
		for s := range 3 {
			fmt.Fprintf(&b, "  state \"s%d\" {}\n", s)
		}
		for i := range 3 {
			fmt.Fprintf(&b, "  transition \"t%d\" {\n    from = %s\n    to = %s\n  }\n", i, pick("s0", "s0", "s1", "s2"), pick("s0", "s1", "s2"))
		}
		b.WriteString("}\n")
	}
	for i := range 3 {
		sync := pick("a = t0", "b = t1", "a = t2, b = t0", "a = t1", "b = t2")
		guard := pick("", "", "  only_while = o0.owed\n", "  only_while = o1.breached\n", "  not_before = { e1 = 1 }\n")
		if i == 1 && strings.Contains(guard, "e1") {
			guard = ""
		}
		fmt.Fprintf(&b, "event \"e%d\" {\n  sync = { %s }\n%s}\n", i, sync, guard)
	}
	for i := range 2 {
		fmt.Fprintf(&b, "obligation \"o%d\" {\n  bearer = %s\n  fulfil = %s\n%s%s%s}\n", i, pick("a", "b"), pick("e0", "e1"),
			pick("", "  when = e2\n", "  when = e0\n", "  when = p.breached\n"), pick("", "  within = 1\n", "  within = 2\n"), pick("", "", "  until = e2\n"))
	}
	fmt.Fprintf(&b, "prohibition \"p\" {\n  bearer = %s\n  of = %s\n%s%s}\n", pick("a", "b"), pick("e0", "e1", "e2"), pick("", "  from = e1\n", "  from = e0\n"), pick("", "", "  ends_contract = true\n"))
	return b.String()
}
