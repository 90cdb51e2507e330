package verify_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/testkit"
)

// What the language page says of amounts, as an interpreter that knows no net: two parties with counters, events that only some amounts allow,
// and an obligation that only some amounts bring about.

// An env has the value of each counter.
type env map[string]int

// An amount is an expression with its meaning.
type amount struct {
	text  string
	value func(env) int
}

// A claim is a condition with its meaning.
type claim struct {
	text string
	so   func(env) bool
}

// An amountDrawer draws expressions over some counters. Linear ones are those of formulas.
type amountDrawer struct {
	*rand.Rand
	counters []string
	bounds   [][3]int
	linear   bool
}

// open reports whether a claim is so for some values of the counters and not for others.
func (r amountDrawer) open(c claim) bool {
	yes, no, e := false, false, env{}
	var try func(i int)
	try = func(i int) {
		if i == len(r.counters) {
			so := c.so(e)
			yes, no = yes || so, no || !so
			return
		}
		for _, v := range tried(r.bounds[i]) {
			e[r.counters[i]] = v
			try(i + 1)
		}
	}
	try(0)
	return yes && no
}

// sparse is what the bounds and numbers of a counter are multiples of where its values are not all places.
const sparse = 1_000

// isSparse reports whether the values between bounds are not all places.
func isSparse(b [3]int) bool { return b[1]-b[0] >= sparse }

// tried returns values between bounds: all, or a few of very many.
func tried(b [3]int) (all []int) {
	step := 1
	if isSparse(b) {
		step = sparse / 2
	}
	for v := b[0]; v <= b[1]; v += step {
		all = append(all, v)
	}
	return all
}

func (r amountDrawer) amount(depth int) amount {
	shape := r.IntN(9)
	switch {
	case depth == 0 || shape < 2:
		name := r.counters[r.IntN(len(r.counters))]
		return amount{name, func(e env) int { return e[name] }}
	case shape == 2:
		n := r.IntN(7) - 3
		if slices.ContainsFunc(r.bounds, isSparse) && (!r.linear || r.IntN(3) > 0) {
			n *= sparse / 2
		}
		return amount{fmt.Sprint(n), func(env) int { return n }}
	case shape == 3:
		a, n := r.amount(depth-1), r.IntN(7)-3
		return amount{fmt.Sprintf("%d * (%s)", n, a.text), func(e env) int { return n * a.value(e) }}
	case shape == 4 && !r.linear:
		a, b := r.amount(depth-1), r.amount(depth-1)
		return amount{"min(" + a.text + ", " + b.text + ")", func(e env) int { return min(a.value(e), b.value(e)) }}
	case shape == 5 && !r.linear:
		a, n, k := r.amount(depth-1), r.IntN(4), r.IntN(3)
		if slices.ContainsFunc(r.bounds, isSparse) {
			n &^= 1 // halves of halves would become many values
		}
		return amount{fmt.Sprintf("%s((%s) * %d / 2)", []string{"floor", "ceil", "round"}[k], a.text, n), func(e env) int {
			x := a.value(e) * n // halves
			down, up := x>>1, (x+1)>>1
			return []int{down, up, map[bool]int{true: up, false: down}[x > 0]}[k]
		}}
	case shape < 7:
		a, b := r.amount(depth-1), r.amount(depth-1)
		return amount{a.text + " + " + b.text, func(e env) int { return a.value(e) + b.value(e) }}
	}
	a, b := r.amount(depth-1), r.amount(depth-1)
	return amount{a.text + " - (" + b.text + ")", func(e env) int { return a.value(e) - b.value(e) }}
}

func (r amountDrawer) comparison() claim {
	for {
		if c := r.compared(); r.open(c) {
			return c
		}
	}
}

func (r amountDrawer) compared() claim {
	a, b := r.amount(2), r.amount(1)
	sign := []string{"==", "!=", "<", "<=", ">", ">="}[r.IntN(6)]
	return claim{a.text + " " + sign + " " + b.text, func(e env) bool {
		d := a.value(e) - b.value(e)
		return map[string]bool{"==": d == 0, "!=": d != 0, "<": d < 0, "<=": d <= 0, ">": d > 0, ">=": d >= 0}[sign]
	}}
}

// plain draws a comparison of one counter with a number.
func (r amountDrawer) plain() claim {
	for {
		k := r.IntN(len(r.counters))
		name, n := r.counters[k], r.bounds[k][0]+r.IntN(1+r.bounds[k][1]-r.bounds[k][0])
		if c := (claim{fmt.Sprintf("%s > %d", name, n), func(e env) bool { return e[name] > n }}); r.open(c) {
			return c
		}
	}
}

// condition draws what only_while and the require of a norm take.
func (r amountDrawer) condition() claim {
	a := r.comparison()
	switch r.IntN(5) {
	case 2: // one that is all of several
		b, c, d := r.plain(), r.plain(), r.plain()
		return claim{"any([" + b.text + ", !(" + c.text + ")], " + d.text + ")", func(e env) bool { return b.so(e) && !c.so(e) || d.so(e) }}
	case 0:
		return claim{"!(" + a.text + ")", func(e env) bool { return !a.so(e) }}
	case 1:
		b := r.comparison()
		return claim{"any(" + a.text + ", " + b.text + ")", func(e env) bool { return a.so(e) || b.so(e) }}
	}
	return a
}

// An amountMove is a transition of a party, of its own or in an event.
type amountMove struct {
	party, event string // event: in which it happens, or empty
	require      claim
	while        claim // of the event
	sets         map[string]amount
	most         map[string]amount // where the value is chosen: up to this
}

// clipped keeps an amount within bounds.
func clipped(a amount, b [3]int) amount {
	return amount{fmt.Sprintf("min(max(%s, %d), %d)", a.text, b[0], b[1]), func(e env) int { return min(max(a.value(e), b[0]), b[1]) }}
}

type amountContract struct {
	bounds map[string][3]int // of each counter: least, most, initial
	moves  []amountMove
	arises claim // what e0 needs to bring the obligation about, which e1 fulfils
	claims []claim
}

var amountCounters = []string{"p.x", "p.y", "q.z"}

func drawAmounts(seed uint64) *amountContract {
	r := rand.New(rand.NewPCG(seed, 18))
	c := &amountContract{bounds: map[string][3]int{}}
	unit := 1
	for _, name := range amountCounters {
		from, width := r.IntN(4)-2, 1+r.IntN(3)
		if seed%3 == 0 && name != "p.y" { // x and y have one unit
			unit = []int{1, sparse}[r.IntN(2)]
		}
		c.bounds[name] = [3]int{from * unit, (from + width) * unit, (from + r.IntN(width+1)) * unit}
	}
	of := func(linear bool, names ...string) amountDrawer {
		d := amountDrawer{Rand: r, counters: names, linear: linear}
		for _, name := range names {
			d.bounds = append(d.bounds, c.bounds[name])
		}
		return d
	}
	all := of(false, amountCounters...)
	for i, event := range []string{"", "", "e0", "e1", ""} {
		m := amountMove{party: []string{"p", "q"}[r.IntN(2)], event: event, sets: map[string]amount{}, most: map[string]amount{}}
		if i == 0 {
			m.party = "p"
		}
		own := of(false, "p.x", "p.y")
		own.counters = []string{"x", "y"}
		if m.party == "q" {
			own = of(false, "q.z")
			own.counters = []string{"z"}
		}
		m.require, m.while = own.comparison(), all.condition()
		for _, name := range own.counters {
			if b := c.bounds[m.party+"."+name]; r.IntN(3) > 0 {
				m.sets[name] = clipped(own.amount(2), b)
				if r.IntN(3) == 0 && !isSparse(b) { // there would be too many to choose from
					m.most[name] = clipped(own.amount(1), b)
				}
			}
		}
		c.moves = append(c.moves, m)
	}
	c.arises = all.condition()
	for range 3 {
		c.claims = append(c.claims, of(true, amountCounters...).compared())
	}
	return c
}

func (c *amountContract) text() string {
	var b strings.Builder
	b.WriteString("contract \"c\" {}\n")
	own := map[string][]string{"p": {"x", "y"}, "q": {"z"}}
	for _, party := range []string{"p", "q"} {
		fmt.Fprintf(&b, "party %q {\n", party)
		for _, name := range own[party] {
			bound := c.bounds[party+"."+name]
			fmt.Fprintf(&b, "counter %q {\nfrom = %d\nto = %d\ninitial = %d\n}\n", name, bound[0], bound[1], bound[2])
		}
		for i, m := range c.moves {
			if m.party == party {
				fmt.Fprintf(&b, "transition \"t%d\" {\nrequire = %s\nset = {\n", i, m.require.text)
				for _, name := range own[party] {
					switch a, most := m.sets[name], m.most[name]; {
					case most.text != "":
						fmt.Fprintf(&b, "%s = between(%s, %s)\n", name, a.text, most.text)
					case a.text != "":
						fmt.Fprintf(&b, "%s = %s\n", name, a.text)
					}
				}
				b.WriteString("}\n}\n")
			}
		}
		b.WriteString("}\n")
	}
	for i, m := range c.moves {
		if m.event != "" {
			fmt.Fprintf(&b, "event %q {\nsync = { %s = t%d }\nonly_while = %s\n}\n", m.event, m.party, i, m.while.text)
		}
	}
	fmt.Fprintf(&b, "obligation \"o\" {\nbearer = p\nwhen = e0\nfulfil = e1\nrequire = %s\n}\n", c.arises.text)
	for i, claim := range c.claims {
		fmt.Fprintf(&b, "requirement \"always%d\" { ctl = \"AG (%s)\" }\nrequirement \"some%[1]d\" { ctl = \"EF (o.owed && %[2]s)\" }\n", i, claim.text)
	}
	return b.String()
}

// An amountState is a state: the counters in order, and the obligation.
type amountState struct {
	counters [3]int
	norm     string
}

func (s amountState) env(prefix string) env {
	e := env{}
	for i, name := range amountCounters {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			e[rest] = s.counters[i]
		}
	}
	return e
}

// states returns the reachable states.
func (c *amountContract) states() map[amountState]bool {
	first := amountState{norm: "dormant"}
	for i, name := range amountCounters {
		first.counters[i] = c.bounds[name][2]
	}
	seen, queue := map[amountState]bool{first: true}, []amountState{first}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		for _, next := range c.after(s) {
			if !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	return seen
}

func (c *amountContract) after(s amountState) (all []amountState) {
	whole := s.env("")
	for _, m := range c.moves {
		own := s.env(m.party + ".")
		if !m.require.so(own) || m.event != "" && !m.while.so(whole) {
			continue
		}
		next := []amountState{s}
		for i, name := range amountCounters {
			if rest, ok := strings.CutPrefix(name, m.party+"."); ok && m.sets[rest].value != nil {
				next = m.chosen(next, i, rest, own)
			}
		}
		for _, n := range next {
			switch {
			case m.event == "e0" && s.norm != "owed" && c.arises.so(whole):
				n.norm = "owed"
			case m.event == "e1" && s.norm == "owed":
				n.norm = "fulfilled"
			}
			all = append(all, n)
		}
	}
	return all
}

// chosen returns states with each value that a counter can get.
func (m amountMove) chosen(from []amountState, i int, name string, own env) (all []amountState) {
	least := m.sets[name].value(own)
	most := least
	if m.most[name].value != nil {
		most = m.most[name].value(own)
	}
	for _, s := range from {
		for v := least; v <= most; v++ {
			s.counters[i] = v
			all = append(all, s)
		}
	}
	return all
}

// impossible reports whether some transition finds no value to choose, whatever its counters are.
func (c *amountContract) impossible() bool {
	return slices.ContainsFunc(c.moves, func(m amountMove) bool {
		can := c.undeclared(m)
		var try func(i int, s amountState)
		try = func(i int, s amountState) {
			if i < len(amountCounters) {
				for _, v := range tried(c.bounds[amountCounters[i]]) {
					s.counters[i] = v
					try(i+1, s)
				}
				return
			}
			own, next := s.env(m.party+"."), []amountState{s}
			for i, name := range amountCounters {
				if rest, ok := strings.CutPrefix(name, m.party+"."); ok && m.sets[rest].value != nil {
					next = m.chosen(next, i, rest, own)
				}
			}
			can = can || m.require.so(own) && len(next) > 0
		}
		try(0, amountState{})
		return !can
	})
}

// undeclared reports whether a transition has to do with a counter whose declared values are not all tried, so that it is no mistake if none is right.
func (c *amountContract) undeclared(m amountMove) bool {
	for name, b := range c.bounds {
		rest, own := strings.CutPrefix(name, m.party+".")
		text := m.require.text
		for _, a := range []map[string]amount{m.sets, m.most} {
			for set, to := range a {
				text += " " + set + " " + to.text
			}
		}
		if own && isSparse(b) && regexp.MustCompile(`\b`+rest+`\b`).MatchString(text) {
			return true
		}
	}
	return false
}

// Both engines find what the interpreter finds: the states, and whether each formula holds.
func TestAmountsAreAsTheReferenceSays(t *testing.T) {
	most := 100
	if draws.All() {
		most = 3000
	}
	decided, many, large, verdicts := 0, 0, 0, map[bool]int{}
	for seed := range uint64(most) {
		c := drawAmounts(seed)
		want := c.states()
		for _, engine := range []finding.Engine{finding.Explicit, finding.Symbolic} {
			r := testkit.CheckWithin(t, c.text(), finding.Budget{Jobs: 1, Engine: engine})
			if c.impossible() {
				if r.Model.States != nil || r.Diagnostics[0].Code != "contradiction" {
					t.Fatalf("seed %d: a transition that can never fire is passed over\n%s", seed, c.text())
				}
				continue
			}
			if len(r.Diagnostics) == 1 && r.Diagnostics[0].Code == "expansion-too-large" && seed%3 == 0 {
				large++
				continue
			}
			if slices.ContainsFunc(amountCounters, func(name string) bool { return isSparse(c.bounds[name]) }) {
				many++
			}
			if r.Model.States == nil || len(r.Requirements) == 0 {
				t.Fatalf("seed %d: engine %v, %q %+v\n%s", seed, engine, r.Model.Incomplete, r.Diagnostics, c.text())
			}
			decided++
			if r.Model.States.Int64() != int64(len(want)) {
				t.Fatalf("seed %d: %s states with engine %v, %d expected\n%s", seed, r.Model.States, engine, len(want), c.text())
			}
			for i, claim := range c.claims {
				always, some := true, false
				for s := range want {
					so := claim.so(s.env(""))
					always, some = always && so, some || so && s.norm == "owed"
				}
				verdicts[always]++
				verdicts[some]++
				for name, want := range map[string]bool{fmt.Sprint("always", i): always, fmt.Sprint("some", i): some} {
					if q := testkit.Requirement(t, r, name); (q.Verdict == finding.Holds) != want || q.Verdict == finding.Unknown {
						t.Fatalf("seed %d: %s is %v with engine %v, expected %t\n%s", seed, q.Formula, q.Verdict, engine, want, c.text())
					}
				}
			}
		}
	}
	if decided < 15*most/10 || many < most/3 || large > most/20 || verdicts[true] < most/4 || verdicts[false] < most/4 {
		t.Errorf("%d of %d decided, %d of them with many values, %d with too many, %v", decided, 2*most, many, large, verdicts)
	}
}
