package compile

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/load"
)

// What the reference says of events, taken at its word and apart from hclspec: random events of two parties, an obligation, and what each
// event makes of them.

// A happening is an event of the law.
type happening struct {
	name  string
	moves map[string][2]int // by party: the state it leaves and the one it enters
	needs [][]string        // each: one of these must be so
	by    []string          // parties that do it without a transition
	again bool              // it repeats
}

// A play is a contract of the law: the parties p and q with three states and a counter each, m and n, the flag F of q, and an obligation o, which
// e0 brings about, e1 fulfils, and the second tick breaches.
type play struct {
	events  []happening
	since   map[string][3][]string // by party and state: what leads there
	changes map[string][]recount   // by party: what changes its counter
}

// A recount is a new value of a counter, and what it comes with.
type recount struct {
	by []string
	to int // of values
}

// values are the new values that a counter may be given, as they are written and as they are meant, of its own value and that of the other counter.
var values = []struct {
	written string
	meant   func(own, other int) int
}{
	{"min(%[1]s + 1, 2)", func(own, _ int) int { return min(own+1, 2) }},
	{"0", func(int, int) int { return 0 }},
	{"%[1]s", func(own, _ int) int { return own }},
	{"max(%[1]s - %[2]s, 0)", func(own, other int) int { return max(own-other, 0) }},
	{"(%[1]s + %[2]s) %% 3", func(own, other int) int { return (own + other) % 3 }},
	{"%[2]s", func(_, other int) int { return other }},
	{"%[2]s == 1 ? 2 : %[1]s", func(own, other int) int {
		if other == 1 {
			return 2
		}
		return own
	}},
}

// counters returns what the counter of a party is called there and elsewhere.
func counters(party string) (own, other string) {
	if party == "p" {
		return "m", "q.n"
	}
	return "n", "p.m"
}

// A standing is a state of a play.
type standing struct {
	at   map[string]int // by party
	f    bool
	m, n int
	o    string
	left int    // ticks that o has left
	done string // events that have happened and do not repeat
	seen string // events that have happened
}

func (s standing) copied() standing {
	c := s
	c.at = map[string]int{"p": s.at["p"], "q": s.at["q"]}
	return c
}

// so reports whether a condition is met.
func (s standing) so(what string) bool {
	if rest, not := strings.CutPrefix(what, "!"); not {
		return !s.so(rest)
	}
	if e, asked := strings.CutPrefix(what, "happened("); asked {
		return strings.Contains(s.seen, strings.TrimSuffix(e, ")"))
	}
	var than int
	if n, _ := fmt.Sscanf(what, "q.n >= %d", &than); n == 1 {
		return s.n >= than
	}
	if n, _ := fmt.Sscanf(what, "p.m >= %d", &than); n == 1 {
		return s.m >= than
	}
	return what == "q.F" && s.f || what == "o."+s.o || what == fmt.Sprintf("p.S%d", s.at["p"]) || what == fmt.Sprintf("q.S%d", s.at["q"])
}

// after returns the state that an event leads to, if it can happen.
func (p *play) after(s standing, name string) (next standing, can bool) {
	if next, can = p.own(s, name); !can {
		return next, false
	}
	if name[0] == 'e' && !strings.Contains(next.seen, name) {
		all := strings.Split(next.seen+" "+name, " ")
		slices.Sort(all)
		next.seen = strings.Join(all, " ")
	}
	came := []string{name}
	if next.o != s.o {
		came = append(came, "o."+next.o)
	}
	for party, states := range p.since {
		for i, list := range states {
			if i != s.at[party] && slices.ContainsFunc(list, func(o string) bool { return slices.Contains(came, o) }) {
				next.at[party] = i
				break
			}
		}
	}
	for party, list := range p.changes {
		for _, c := range list {
			if !slices.ContainsFunc(c.by, func(o string) bool { return slices.Contains(came, o) }) {
				continue
			}
			if party == "p" {
				next.m = values[c.to].meant(s.m, s.n)
			} else {
				next.n = values[c.to].meant(s.n, s.m)
			}
			break
		}
	}
	return next, true
}

// own is after without the states that follow.
func (p *play) own(s standing, name string) (next standing, can bool) {
	next = s.copied()
	switch name {
	case "tick":
		if s.o == "owed" {
			if next.left--; next.left == 0 {
				next.o = "breached"
			}
		}
		return next, s.o == "owed"
	case "q.turn":
		next.f = !s.f
		return next, true
	case "q.more":
		next.n++
		return next, s.n < 2
	}
	e := p.events[slices.IndexFunc(p.events, func(e happening) bool { return e.name == name })]
	for party, move := range e.moves {
		if s.at[party] != move[0] {
			return s, false
		}
		next.at[party] = move[1]
	}
	if e.by != nil && !e.again {
		if next.done += name; strings.Contains(s.done, name) {
			return s, false
		}
	}
	for _, some := range e.needs {
		if !slices.ContainsFunc(some, s.so) {
			return s, false
		}
	}
	switch {
	case name == "e0" && s.o != "owed" && s.o != "breached":
		next.o, next.left = "owed", 2
	case name == "e1" && s.o == "owed":
		next.o, next.left = "fulfilled", 0
	}
	return next, true
}

// shown returns what a reader sees of a state.
func (s standing) shown() string {
	return fmt.Sprint(s.at["p"], s.at["q"], s.f, s.m, s.n, s.o, s.left)
}

// drawPlay draws four events.
func drawPlay(t *rapid.T) *play {
	p := &play{}
	for i := range 4 {
		e := happening{name: fmt.Sprintf("e%d", i), moves: map[string][2]int{}}
		e.by, e.again = rapid.SampledFrom([][]string{nil, nil, {"p"}, {"q"}, {"p", "q"}}).Draw(t, "by"), rapid.Bool().Draw(t, "again")
		who := rapid.SampledFrom([][]string{{"p"}, {"q"}, {"p", "q"}}).Draw(t, "who")
		if e.by != nil && rapid.Bool().Draw(t, "without states") {
			who = nil
		}
		for _, party := range who {
			if slices.Contains(e.by, party) {
				continue
			}
			e.moves[party] = [2]int{rapid.IntRange(0, 2).Draw(t, "from"), rapid.IntRange(0, 2).Draw(t, "to")}
		}
		for range rapid.SampledFrom([]int{0, 0, 1, 1, 2}).Draw(t, "conditions") {
			all := []string{"p.S0", "p.S1", "!p.S2", "q.S1", "!q.S0", "q.F", "!q.F", "q.n >= 1", "!q.n >= 2", "p.m >= 1", "happened(e0)", "!happened(e1)", "happened(e2)", "!happened(e3)", "o.dormant", "o.owed", "o.breached", "!o.owed"}
			e.needs = append(e.needs, rapid.Permutation(all).Draw(t, "any")[:rapid.IntRange(1, 3).Draw(t, "of")])
		}
		p.events = append(p.events, e)
	}
	p.since = map[string][3][]string{}
	for _, party := range []string{"p", "q"} {
		var states [3][]string
		list := []string{"o.breached", "o.fulfilled"}
		for _, e := range p.events {
			if _, moves := e.moves[party]; !moves {
				list = append(list, e.name)
			}
		}
		for _, o := range list {
			if i := rapid.IntRange(0, 5).Draw(t, "since"); i < 3 {
				states[i] = append(states[i], o)
			}
		}
		p.since[party] = states
	}
	p.changes = map[string][]recount{}
	for _, party := range []string{"p", "q"} {
		all := rapid.Permutation([]string{"e0", "e1", "e2", "e3", "o.owed", "o.fulfilled", "o.breached"}).Draw(t, "changes")
		for range rapid.IntRange(0, 3).Draw(t, "of") {
			n := rapid.IntRange(1, 2).Draw(t, "at once")
			p.changes[party] = append(p.changes[party], recount{all[:n], rapid.IntRange(0, len(values)-1).Draw(t, "to")})
			all = all[n:]
		}
	}
	return p
}

// text writes a play as a contract.
func (p *play) text() string {
	var b strings.Builder
	b.WriteString("contract \"c\" {}\n")
	for _, party := range []string{"p", "q"} {
		fmt.Fprintf(&b, "party %q {\n", party)
		for i, list := range p.since[party] {
			fmt.Fprintf(&b, "  state \"S%d\" {\n    since = [%s]\n  }\n", i, strings.Join(list, ", "))
		}
		own, other := counters(party)
		fmt.Fprintf(&b, "  counter %q {\n    to = 2\n", own)
		if len(p.changes[party]) > 0 {
			b.WriteString("    changes = {\n")
			for _, c := range p.changes[party] {
				fmt.Fprintf(&b, "      any(%s) = %s\n", strings.Join(c.by, ", "), fmt.Sprintf(values[c.to].written+"%[3]s", own, other, ""))
			}
			b.WriteString("    }\n")
		}
		b.WriteString("  }\n")
		for _, e := range p.events {
			if move, has := e.moves[party]; has {
				fmt.Fprintf(&b, "  transition \"%s\" {\n    from = S%d\n    to = S%d\n  }\n", e.name, move[0], move[1])
			}
		}
		if party == "q" {
			b.WriteString("  flag \"F\" {}\n  transition \"on\" { set = { F = true } }\n  transition \"off\" { set = { F = false } }\n")
			b.WriteString("  transition \"more\" {\n    require = n < 2\n    set = { n = n + 1 }\n  }\n")
		}
		b.WriteString("}\n")
	}
	for _, e := range p.events {
		fmt.Fprintf(&b, "event %q {\n", e.name)
		if e.by != nil {
			fmt.Fprintf(&b, "  by = [%s]\n  repeats = %t\n", strings.Join(e.by, ", "), e.again)
		}
		if len(e.moves) > 0 {
			b.WriteString("  sync = {\n")
			for _, party := range []string{"p", "q"} {
				if _, moves := e.moves[party]; moves {
					fmt.Fprintf(&b, "    %s = %s\n", party, e.name)
				}
			}
			b.WriteString("  }\n")
		}
		var all []string
		for _, some := range e.needs {
			all = append(all, "any("+strings.ReplaceAll(strings.Join(some, ", "), "!q.n >= 2", "!(q.n >= 2)")+")")
		}
		if len(all) > 0 {
			fmt.Fprintf(&b, "  only_while = [%s]\n", strings.Join(all, ", "))
		}
		b.WriteString("}\n")
	}
	b.WriteString("obligation \"o\" {\n  bearer = p\n  when = e0\n  fulfil = e1\n  within = 2\n}\n")
	return b.String()
}

// seen returns what a reader sees of a marking.
func seen(d *Draft, m petri.Marking) string {
	s := standing{at: map[string]int{}}
	for _, i := range m {
		name := d.Net.Places[i].String()
		place := d.AllPlaces[i]
		switch net := d.Net.Places[i].Net; {
		case name == "q.F_T":
			s.f = true
		case net == "p" && place.Counter == "m":
			s.m = place.Value
		case net == "q" && place.Counter == "n" && place.Name != "n!":
			s.n = place.Value
		case net == "o" && strings.HasPrefix(place.Name, "left-"):
			fmt.Sscanf(place.Name, "left-%d", &s.left)
		case net == "o" && place.Name != "off":
			s.o = place.Name
		case strings.HasPrefix(place.Name, "S") && (net == "p" || net == "q"):
			s.at[net] = int(place.Name[1] - '0')
		}
	}
	return s.shown()
}

// what returns the name of what a transition does in a play.
func what(d *Draft, t int) string {
	name := d.Net.Transitions[t].Name
	switch {
	case name == "q.on", name == "q.off":
		return "q.turn"
	case strings.HasPrefix(name, "q.more"):
		return "q.more"
	}
	return name
}

// The net of random events and the interpreter above go step by step together: in each pair of states the same events can happen, each leads
// to one marking, and a reader sees the same.
func TestEventsByTheirWords(t *testing.T) {
	draws.Only(t, 200)
	rapid.Check(t, func(t *rapid.T) {
		p := drawPlay(t)
		src := load.Text(map[string][]byte{"c.contract.hcl": []byte(p.text())}, "c", nil)
		if src.Contract == nil { // nothing is refused but conditions that exclude each other, and parts that clash
			for _, d := range src.Diagnostics {
				if d.Severity == hcl.DiagError && diag.CodeOf(d) != diag.Contradiction {
					t.Fatalf("%s\n%s", p.text(), d)
				}
			}
			t.Skip(src.Diagnostics)
		}
		inStep(t, p, Compile(src, "c", nil))
	})
}

func inStep(t *rapid.T, p *play, d *Draft) {
	type pair struct {
		m petri.Marking
		s standing
	}
	first := pair{d.Net.Initial, standing{at: map[string]int{"p": 0, "q": 0}, o: "dormant"}}
	known := map[string]bool{fmt.Sprint(first): true}
	for list := []pair{first}; len(list) > 0; list = list[1:] {
		x := list[0]
		if a, b := seen(d, x.m), x.s.shown(); a != b {
			t.Fatalf("%s\nthe net is at %s, the interpreter at %s", p.text(), a, b)
		}
		to := map[string]petri.Marking{}
		for i := range d.Net.Transitions {
			if d.Net.Fireable(x.m, i) {
				next, contact := d.Net.Fire(x.m, []int{i})
				name := what(d, i)
				if was, again := to[name]; contact >= 0 || again && !slices.Equal(was, next) {
					t.Fatalf("%s\n%s leads from %s to two markings, or to a contact", p.text(), name, x.s.shown())
				}
				to[name] = next
			}
		}
		for _, name := range []string{"e0", "e1", "e2", "e3", "tick", "q.turn", "q.more"} {
			next, can := p.after(x.s, name)
			if m, fires := to[name]; fires != can {
				t.Fatalf("%s\nat %s, %s is possible in the net: %t; as its words say: %t", p.text(), x.s.shown(), name, fires, can)
			} else if y := (pair{m, next}); can && !known[fmt.Sprint(y)] {
				known[fmt.Sprint(y)] = true
				list = append(list, y)
			}
		}
	}
}
