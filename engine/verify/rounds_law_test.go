package verify_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
)

// What the language page says of rounds, joint bearers, acts of their own and powers that lapse or are not used up, as an interpreter that knows no net. A
// contract has the rounds m-1, m-2 and so on of a template between x and y, which a and b play. In each there are an obligation o and a power w.

type rounds struct {
	count, within, lapse    int    // lapse: the time of w, 0 for none
	fulfil, exercise        string // "": by acts of their own; else the event pay, or e of the contract
	until, breach, when     string // until: what ends a round; when: what brings w about, "" for the round itself
	once, guarded           bool   // pay happens once; pay only while o is owed
	joint, jointly, repeats bool   // o is borne by both, w is held by both
	lifts                   bool
}

func drawRounds(r *rand.Rand) rounds {
	maybe := func(s string) string { return []string{s, ""}[r.IntN(2)] }
	c := rounds{count: 1 + r.IntN(3), within: r.IntN(3), lapse: r.IntN(3), fulfil: maybe("pay"), exercise: []string{"", "", "e", "close"}[r.IntN(4)], until: "close", breach: []string{"", "e"}[r.IntN(2)],
		once: r.IntN(2) == 0, guarded: r.IntN(3) == 0, joint: r.IntN(2) == 0, jointly: r.IntN(2) == 0, repeats: r.IntN(2) == 0, lifts: r.IntN(2) == 0}
	if r.IntN(3) == 0 {
		c.when = "pay"
	}
	if c.exercise == "" && r.IntN(3) == 0 {
		c.until = "w"
	}
	return c
}

func (c rounds) text(firing string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "contract \"c\" { firing = %s }\nparty \"a\" {}\nparty \"b\" {}\nevent \"start\" { by = a }\nevent \"e\" {\n  by = b\n  repeats = true\n}\n", firing)
	b.WriteString("template \"round\" {\n  party \"x\" {}\n  party \"y\" {}\n  event \"pay\" {\n    by = x\n")
	say := func(word string, given bool, value any) {
		if given {
			fmt.Fprintf(&b, "    %s = %v\n", word, value)
		}
	}
	say("repeats", !c.once, true)
	say("only_while", c.guarded, "o.owed")
	b.WriteString("  }\n  event \"close\" {\n    by = y\n    repeats = true\n  }\n  obligation \"o\" {\n")
	say("bearer", true, map[bool]string{true: "[x, y]", false: "x"}[c.joint])
	say("fulfil", c.fulfil != "", c.fulfil)
	say("within", c.within > 0, c.within)
	say("breach", c.breach != "", c.breach)
	b.WriteString("  }\n  power \"w\" {\n")
	say("bearer", true, map[bool]string{true: "[x, y]", false: "y"}[c.jointly])
	say("exercise", c.exercise != "", c.exercise)
	say("when", c.when != "", c.when)
	say("within", c.lapse > 0, c.lapse)
	say("repeats", c.repeats, true)
	say("lifts", c.lifts, "o")
	fmt.Fprintf(&b, "  }\n}\nphase \"m\" {\n  template = round\n  roles = {\n    x = a\n    y = b\n  }\n  after = start\n  count = %d\n  until = %s\n}\n", c.count, c.until)
	return b.String()
}

// A roundWorld is a state of the interpreter: what has happened, and what is owed.
type roundWorld struct {
	started bool
	rounds  []roundState
}

type roundState struct {
	begun, paid bool
	o, w        string
	oAge, wAge  int
}

func (c rounds) first() roundWorld {
	return roundWorld{rounds: slices.Repeat([]roundState{{o: "dormant", w: "dormant"}}, c.count)}
}

// possible returns the events that can happen, each with who does it.
func (c rounds) possible(w roundWorld) map[string]bool {
	all := map[string]bool{"e by b": true}
	if !w.started {
		all["start by a"] = true
	}
	for i, r := range w.rounds {
		add := func(event string, who ...string) {
			for _, party := range who {
				all[fmt.Sprintf("m-%d.%s by %s", i+1, event, party)] = true
			}
		}
		if r.o == "owed" && c.within > 0 || r.w == "held" && c.lapse > 0 {
			all["tick by "] = true
		}
		if !r.begun {
			continue
		}
		if !(c.once && r.paid) && !(c.guarded && r.o != "owed") {
			add("pay", "a")
		}
		add("close", "b")
		if c.fulfil == "" && r.o == "owed" {
			add("o", map[bool][]string{true: {"a", "b"}, false: {"a"}}[c.joint]...)
		}
		if c.exercise == "" && r.w == "held" {
			add("w", map[bool][]string{true: {"a", "b"}, false: {"b"}}[c.jointly]...)
		}
	}
	return all
}

// after is the world once an event has happened: in each round what it does itself, then what follows from that, then the rounds that begin.
func (c rounds) after(w roundWorld, event string) roundWorld {
	next := roundWorld{w.started || event == "start", slices.Clone(w.rounds)}
	for i := range next.rounds {
		r, was := &next.rounds[i], w.rounds[i]
		is := func(name, own string) bool { // the event of that name, or the act of its own
			if name == "e" {
				return event == "e"
			}
			if name == "" {
				name = own
			}
			return event == fmt.Sprintf("m-%d.%s", i+1, name)
		}
		r.paid = was.paid || is("pay", "")
		exercised := was.w == "held" && is(c.exercise, "w")
		switch {
		case exercised && !c.repeats:
			r.w = "exercised"
		case was.w == "held" && event == "tick" && c.lapse > 0:
			if r.wAge++; r.wAge == c.lapse {
				r.w = "expired"
			}
		case was.w != "held" && c.when != "" && is(c.when, ""):
			r.w, r.wAge = "held", 0
		}
		switch {
		case was.o != "owed":
		case is(c.fulfil, "o"):
			r.o = "fulfilled"
		case c.breach != "" && event == "e":
			r.o = "breached"
		case exercised && c.lifts:
			r.o = "lifted"
		case event == "tick" && c.within > 0:
			if r.oAge++; r.oAge == c.within {
				r.o = "breached"
			}
		}
		begins := i == 0 && event == "start" || i > 0 && event == fmt.Sprintf("m-%d.%s", i, c.until)
		if begins && !was.begun {
			r.begun, r.o = true, "owed"
			if c.when == "" {
				r.w = "held"
			}
		}
	}
	return next
}

// stands lists the places that are marked.
func (c rounds) stands(w roundWorld) []string {
	var all []string
	for i, r := range w.rounds {
		all = append(all, fmt.Sprintf("m-%d.o.%s", i+1, r.o), fmt.Sprintf("m-%d.w.%s", i+1, r.w))
		if r.o == "owed" && c.within > 0 {
			all = append(all, fmt.Sprintf("m-%d.o.left-%d", i+1, c.within-r.oAge))
		}
		if r.w == "held" && c.lapse > 0 {
			all = append(all, fmt.Sprintf("m-%d.w.left-%d", i+1, c.lapse-r.wAge))
		}
	}
	slices.Sort(all)
	return all
}

// broken reports whether a party is in breach.
func (c rounds) broken(w roundWorld, party string) bool {
	return (party == "a" || c.joint) && slices.ContainsFunc(w.rounds, func(r roundState) bool { return r.o == "breached" })
}

// reach returns how norms can stand, by the interpreter alone.
func (c rounds) reach() map[string]bool {
	all, met := map[string]bool{}, map[string]bool{}
	for queue := []roundWorld{c.first()}; len(queue) > 0; queue = queue[1:] {
		if key := fmt.Sprint(queue[0]); met[key] {
			continue
		} else {
			met[key] = true
		}
		for _, place := range c.stands(queue[0]) {
			if !strings.Contains(place, "left-") {
				all[place] = true
			}
		}
		for event := range c.possible(queue[0]) {
			name, _, _ := strings.Cut(event, " by ")
			queue = append(queue, c.after(queue[0], name))
		}
	}
	return all
}

// TestRoundsLaw: the net of rounds does what the interpreter does, event by event, by whoever may do each; scenarios say who is in breach as it does; and each engine finds
// that norms can stand as they can by the interpreter.
func TestRoundsLaw(t *testing.T) {
	n := 300
	if draws.All() {
		n = 3_000
	}
	r := rand.New(rand.NewPCG(21, 11))
	second, lapsed, again, both := 0, 0, 0, 0
	for i := range n {
		c, rule := drawRounds(r), petri.Rule(i%2)
		text := c.text(rule.String())
		d := testkit.DraftOf(t, text)
		w, m := c.first(), d.Net.Initial
		var log []string
		for range 20 {
			now := slices.DeleteFunc(marked(d, m), func(place string) bool { return !strings.Contains(place, ".o.") && !strings.Contains(place, ".w.") })
			if want := c.stands(w); !slices.Equal(now, want) {
				t.Fatalf("after %v\n%v\nwant %v\n%s", log, now, want, text)
			}
			steps, can := d.Net.Steps(m, rule), map[string]bool{}
			for _, step := range steps {
				for _, one := range step {
					tr, who := &d.Net.Transitions[one], ""
					for _, p := range tr.Parts {
						if party := d.Parties[p.Net]; !party.IsNet && !d.Part(p).Passive {
							who += party.Person()
						}
					}
					can[d.Events[tr.Event].Name+" by "+who] = true
				}
			}
			if want := c.possible(w); !maps.Equal(can, want) {
				t.Fatalf("after %v\n%v\ncan happen, want\n%v\n%s", log, slices.Sorted(maps.Keys(can)), slices.Sorted(maps.Keys(want)), text)
			}
			step := steps[r.IntN(len(steps))]
			next, contact := d.Net.Fire(m, step)
			if contact >= 0 {
				t.Fatalf("after %v contact at %s\n%s", log, d.Net.Places[contact], text)
			}
			for _, one := range step {
				event := d.Events[d.Net.Transitions[one].Event].Name
				if c.repeats && strings.HasSuffix(event, ".w") {
					again++
				}
				w, log = c.after(w, event), append(log, event)
			}
			m = next
		}
		if len(w.rounds) > 1 && w.rounds[1].begun {
			second++
		}
		if slices.ContainsFunc(w.rounds, func(r roundState) bool { return r.w == "expired" }) {
			lapsed++
		}
		if c.broken(w, "b") {
			both++
		}
		if rule == petri.One && i%10 == 0 {
			c.asked(t, w, text, log)
		}
	}
	t.Logf("of %d contracts the second round began in %d, a power lapsed in %d, both were in breach in %d, and powers that repeat were exercised %d times", n, second, lapsed, both, again)
	if second < n/10 || lapsed < n/20 || both < n/20 || again < n/20 {
		t.Error("the contracts are poor")
	}
}

// asked decides a scenario of the run, and how each norm can stand, by each engine.
func (c rounds) asked(t *testing.T, w roundWorld, text string, log []string) {
	reach, facts := c.reach(), []string{}
	for k := range c.count {
		for _, stand := range []string{"o.dormant", "o.owed", "o.fulfilled", "o.breached", "o.lifted", "w.dormant", "w.held", "w.expired", "w.exercised"} {
			if stand != "w.exercised" || !c.repeats {
				facts = append(facts, fmt.Sprintf("m-%d.%s", k+1, stand))
			}
		}
	}
	var b strings.Builder
	for i, fact := range facts {
		fmt.Fprintf(&b, "requirement \"r%d\" { ctl = \"EF %s\" }\n", i, fact)
	}
	for _, party := range []string{"a", "b"} {
		fmt.Fprintf(&b, "scenario %q {\n  events = [%s]\n  breach = %s\n}\n", "of-"+party, strings.Join(log, ", "), party)
	}
	for _, engine := range []finding.Engine{finding.Explicit, finding.Symbolic, finding.Local} {
		result := verify.Check(context.Background(), testkit.DraftOf(t, text+b.String()), finding.Budget{Jobs: 1, Engine: engine})
		for _, q := range result.Requirements {
			who, scenario := strings.CutPrefix(q.Name, "of-")
			want := scenario && c.broken(w, who)
			if i, err := strconv.Atoi(q.Name[1:]); err == nil {
				want = reach[facts[i]]
			}
			if verdict := map[bool]finding.Verdict{true: finding.Holds, false: finding.Violated}[want]; q.Verdict != verdict {
				t.Fatalf("%s: %s %s is %s (%s), want %s\n%s%s", engine, q.Name, q.Formula, q.Verdict, q.Reason, verdict, text, b.String())
			}
		}
	}
}
