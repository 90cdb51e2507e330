package verify_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
)

// What the language page says of occurrences and of suspension, as an interpreter that knows no net. A contract has an obligation o with
// occurrences, its reparation r with as many, an obligation x that any breach of o brings about, a power w that lifts o, powers s0 and s1
// that suspend o, and perhaps r, powers a0 and so on that assign o, and perhaps r, and powers l0 and l1 that extend o, or r, or both.

type occurring struct {
	times, every, within, late                 int // late: the deadline of r, or 0 for no reparation
	when, fulfil, breach, until, repair, lifts string
	also, require                              string // a second event that it takes to fulfil o, and what must be so when it arises
	ends, survives                             bool
	suspends                                   []suspension
	assigns                                    []assignment
	extends                                    []extension
	atMost                                     bool // times is how many there may be at once
}

type suspension struct {
	exercise, resumes, until string
	both                     bool // r, too
	own                      bool // by the words of o, and by no power
}

type occurrence struct {
	state      string
	age, added int    // ticks since it arose, and those that powers have added to its time
	done, also bool   // of the two events that it takes to fulfil it
	by, to     string // who bears it, and to whom it is owed
}

// An occurringWorld is how all of them stand.
type occurringWorld struct {
	o, r  []occurrence
	x, p  string
	s     []string // the powers that suspend
	a, l  []string // and that assign, and extend
	queue []int    // if atMost: the indices of those that are owed, the oldest first
	next  int      // and the index after the one that arose last
	since int      // ticks since the last occurrence arose, while the schedule runs; else -1
	ended bool
	flag  bool // of the party q
}

func drawOccurring(r *rand.Rand) occurring {
	e := []string{"e0", "e1", "e2", "e3"}
	r.Shuffle(4, func(i, j int) { e[i], e[j] = e[j], e[i] })
	maybe := func(s string) string { return []string{s, ""}[r.IntN(2)] }
	c := occurring{times: 1 + r.IntN(3), every: r.IntN(3), within: r.IntN(3), fulfil: e[0], breach: maybe(e[1]), until: maybe(e[2]),
		when: e[[]int{0, 1, 3, 3}[r.IntN(4)]], repair: e[r.IntN(4)], lifts: maybe(e[r.IntN(4)]), survives: r.IntN(3) == 0}
	if r.IntN(3) == 0 {
		c.also = e[3]
		if c.when == e[3] && r.IntN(2) == 0 {
			c.when = e[1]
		}
	}
	c.require = []string{"", "", "q.F", "!q.F", "q.F || x.owed", "!q.F && x.owed"}[r.IntN(6)]
	breakable := c.within > 0 || c.breach != ""
	c.ends = breakable && r.IntN(3) == 0
	if breakable {
		c.late = r.IntN(3)
	}
	if c.every > 0 && r.IntN(3) == 0 {
		c.when, c.require = "", ""
	}
	for _, a := range [][]assignment{{{from: "p", to: "u"}, {from: "u", to: []string{"p", "v"}[r.IntN(2)]}}, {{from: "q", to: "z"}}} {
		for _, a := range a[:r.IntN(len(a)+1)] {
			a.exercise, a.both = e[r.IntN(4)], c.late > 0 && a.from != "u" && r.IntN(2) == 0
			c.assigns = append(c.assigns, a)
		}
	}
	if c.atMost = c.also == "" && r.IntN(2) == 0; c.atMost {
		if c.every = 0; c.when == "" {
			c.when = e[3]
		}
		return c
	}
	for range r.IntN(3) {
		i, j := r.IntN(4), 1+r.IntN(3)
		s := suspension{exercise: e[i], resumes: e[(i+j)%4], both: c.late > 0 && r.IntN(2) == 0}
		if r.IntN(3) == 0 {
			s.until = e[(i+j%3+1)%4]
			if s.until == s.resumes {
				s.resumes = ""
			}
		}
		s.own = len(c.suspends) == 0 && !s.both && s.until == "" && r.IntN(2) == 0
		c.suspends = append(c.suspends, s)
	}
	return c
}

func (c occurring) text(firing string) string {
	var b strings.Builder
	b.WriteString(strings.Replace(unbound, `contract "c" {}`, `contract "c" { firing = `+firing+` }`, 1))
	turned := "  flag \"F\" {}\n  transition \"on\" { set = { F = true } }\n  transition \"off\" { set = { F = false } }\n"
	text := strings.Replace(b.String(), "party \"q\" {\n", "party \"q\" {\n"+turned, 1)
	b.Reset()
	b.WriteString(text)
	say := func(word string, value any) {
		if text := fmt.Sprint(value); text != "" && text != "0" && text != "false" {
			fmt.Fprintf(&b, "  %s = %s\n", word, text)
		}
	}
	b.WriteString("party \"u\" {}\nparty \"v\" {}\nparty \"z\" {}\nobligation \"o\" {\n  bearer = p\n  counterparty = q\n")
	say("when", c.when)
	say("require", c.require)
	if c.also != "" {
		say("fulfil", "all("+c.fulfil+", "+c.also+")")
	} else {
		say("fulfil", c.fulfil)
	}
	say(map[bool]string{false: "times", true: "at_most"}[c.atMost], c.times)
	say("every", c.every)
	say("within", c.within)
	say("breach", c.breach)
	say("until", c.until)
	say("ends_contract", c.ends)
	say("survives", c.survives)
	for _, s := range c.suspends {
		if s.own {
			say("suspended_by", s.exercise)
			say("resumes", s.resumes)
		}
	}
	if c.late > 0 {
		b.WriteString("  reparation = r\n}\nobligation \"r\" {\n  bearer = p\n  counterparty = q\n")
		say("fulfil", c.repair)
		say("within", c.late)
	}
	b.WriteString("}\nobligation \"x\" {\n  bearer = p\n  fulfil = e0\n  when = o.breached\n}\n")
	if c.lifts != "" {
		b.WriteString("power \"w\" {\n  bearer = q\n  exercise = " + c.lifts + "\n  lifts = [o]\n}\n")
	}
	for i, s := range c.suspends {
		if s.own {
			continue
		}
		fmt.Fprintf(&b, "power \"s%d\" {\n  bearer = q\n  suspends = %s\n", i, map[bool]string{true: "[o, r]", false: "o"}[s.both])
		say("exercise", s.exercise)
		say("resumes", s.resumes)
		say("until", s.until)
		b.WriteString("}\n")
	}
	for i, a := range c.assigns {
		fmt.Fprintf(&b, "power \"a%d\" {\n  bearer = %s\n  to = %s\n  assigns = %s\n", i, a.from, a.to, map[bool]string{true: "[o, r]", false: "o"}[a.both])
		say("exercise", a.exercise)
		b.WriteString("}\n")
	}
	return b.String() + c.extensions()
}

func (c occurring) first() occurringWorld {
	w := occurringWorld{x: "dormant", p: "held", since: -1, s: slices.Repeat([]string{"held"}, len(c.suspends)), a: slices.Repeat([]string{"held"}, len(c.assigns)), l: slices.Repeat([]string{"held"}, len(c.extends))}
	dormant := []occurrence{{state: "dormant", by: "p", to: "q"}}
	w.o, w.r = slices.Repeat(dormant, c.times), slices.Repeat(dormant, c.times)
	if c.when == "" {
		w.o[0].state = "owed"
		w.since = c.resumed(0)
	}
	return w
}

// resumed returns the state of the schedule after occurrence k has arisen.
func (c occurring) resumed(k int) int {
	if c.every > 0 && k+1 < c.times {
		return 0
	}
	return -1
}

// ticking reports whether time can pass.
func (c occurring) ticking(w occurringWorld) bool {
	owed := func(o occurrence) bool { return o.state == "owed" }
	return w.since >= 0 || c.within > 0 && slices.ContainsFunc(w.o, owed) || c.late > 0 && slices.ContainsFunc(w.r, owed)
}

// binds reports whether an occurrence is owed or suspended.
func (o occurrence) binds() bool { return o.state == "owed" || o.state == "suspended" }

// oldest returns the oldest occurrence that binds, or -1.
func oldest(list []occurrence) int { return slices.IndexFunc(list, occurrence.binds) }

// own is what an event does to occurrences that are owed: fulfils or breaches the oldest, or lets time pass.
func own(list []occurrence, event, fulfil, also, breach string, within int) []occurrence {
	list = slices.Clone(list)
	k := oldest(list)
	for i := range list {
		if list[i].state == "owed" && event == "tick" && within > 0 {
			if list[i].age++; list[i].age == within+list[i].added {
				list[i].state = "breached"
			}
		}
	}
	switch {
	case k >= 0 && (event == fulfil || event == also):
		o := &list[k]
		o.done, o.also = o.done || event == fulfil, o.also || event == also || also == ""
		if o.done && o.also {
			o.state = "fulfilled"
		}
	case k >= 0 && event == breach && list[k].state == "owed":
		list[k].state = "breached"
	}
	return list
}

// after is the world once an event has happened: first what it does itself, then what is lifted, what arises, and what follows from all that.
func (c occurring) after(w occurringWorld, event string) occurringWorld {
	next := occurringWorld{o: c.own(w, event), queue: slices.Clone(w.queue), next: w.next, r: own(w.r, event, c.repair, "", "", c.late), x: w.x, p: w.p, since: w.since, ended: w.ended, flag: w.flag}
	lift := func(now, was []occurrence, coming bool) {
		for i := range now {
			if now[i].binds() && was[i].binds() || coming && now[i].state == "dormant" {
				now[i].state = "lifted"
			}
		}
	}
	due := event == "tick" && w.since >= 0 && w.since+1 == c.every
	switch {
	case due:
		next.since = -1 // unless another is to come
	case event == "tick" && w.since >= 0:
		next.since++
	}
	if event == c.until {
		lift(next.o, w.o, !c.atMost)
		next.since = -1
	}
	k := slices.IndexFunc(next.o, func(o occurrence) bool { return o.state == "dormant" })
	if c.atMost {
		k = c.free(next)
	}
	if k >= 0 && (event == c.when && (c.every == 0 || k == 0) && c.required(w) || due) && (!w.ended || c.survives) {
		next.o[k] = occurrence{state: "owed", by: next.o[k].by, to: next.o[k].to}
		next.since = c.resumed(k)
		next.queue, next.next = append(slices.DeleteFunc(next.queue, func(i int) bool { return i == k }), k), (k+1)%c.times
	}
	broken := false
	for i := range w.o {
		if next.o[i].state == "breached" && w.o[i].state != "breached" {
			broken = true
			if !w.ended {
				next.r[i] = occurrence{state: "owed", by: next.r[i].by, to: next.r[i].to}
			}
		}
	}
	switch {
	case w.x == "owed" && event == "e0":
		next.x = "fulfilled"
	case w.x != "owed" && broken && !w.ended:
		next.x = "owed"
	}
	if w.p == "held" && c.lifts != "" && event == c.lifts {
		next.p = "exercised"
		lift(next.o, w.o, !c.atMost)
		if w.since >= 0 { // one that the same event starts runs, and brings nothing about
			next.since = -1
		}
	}
	if broken && c.ends {
		next.ended = true
		if due && k >= 0 { // on the tick that ends the contract time brings nothing about
			next.o[k] = occurrence{state: "dormant", by: next.o[k].by, to: next.o[k].to}
		}
		if !c.survives {
			lift(next.o, w.o, false)
		}
		next.since = -1 // what has arisen survives, and no more arises by time
		lift(next.r, w.r, false)
		if next.x == "owed" && w.x == "owed" {
			next.x = "lifted"
		}
		if next.p == "held" {
			next.p = "expired"
		}
	}
	next.s = c.powers(w, event, broken && c.ends)
	var suspended, both bool
	for i, stand := range next.s {
		suspended, both = suspended || stand == "exercised", both || stand == "exercised" && c.suspends[i].both
	}
	suspend(next.o, suspended)
	suspend(next.r, both)
	c.assign(next.o, w, event, false)
	c.assign(next.r, w, event, true)
	next.l = c.extend(next, w, event)
	for i, a := range c.assigns {
		stand := w.a[i]
		switch {
		case stand == "held" && event == a.exercise:
			stand = "exercised"
		case stand == "held" && next.ended:
			stand = "expired"
		}
		next.a = append(next.a, stand)
	}
	next.queue = slices.DeleteFunc(next.queue, func(i int) bool { return !next.o[i].binds() })
	return next
}

// own is what an event does to o. Of several debts at once the oldest is the one that arose first.
func (c occurring) own(w occurringWorld, event string) []occurrence {
	if !c.atMost || len(w.queue) == 0 {
		return own(w.o, event, c.fulfil, c.also, c.breach, c.within)
	}
	var inOrder []occurrence
	for _, k := range w.queue {
		inOrder = append(inOrder, w.o[k])
	}
	all := slices.Clone(w.o)
	for i, o := range own(inOrder, event, c.fulfil, c.also, c.breach, c.within) {
		all[w.queue[i]] = o
	}
	return all
}

// free returns the first place for a debt from the next on, or -1.
func (c occurring) free(w occurringWorld) int {
	for i := range c.times {
		k := (w.next + i) % c.times
		if o := w.o[k]; !o.binds() && o.state != "breached" {
			return k
		}
	}
	return -1
}

// required reports whether what o requires is so.
func (c occurring) required(w occurringWorld) bool {
	switch c.require {
	case "q.F":
		return w.flag
	case "!q.F":
		return !w.flag
	case "q.F || x.owed":
		return w.flag || w.x == "owed"
	case "!q.F && x.owed":
		return !w.flag && w.x == "owed"
	}
	return true
}

// stands lists the places that are marked.
func (c occurring) stands(w occurringWorld) []string {
	var all []string
	say := func(name string, list []occurrence, within int) {
		for i, o := range list {
			if name == "o" && c.also != "" {
				truth := map[bool]string{true: "T", false: "F"}
				all = append(all, fmt.Sprintf("o[%d].done-%s_%s", i+1, c.fulfil, truth[o.done && o.binds()]), fmt.Sprintf("o[%d].done-%s_%s", i+1, c.also, truth[o.also && o.binds()]))
			}
			all = append(all, fmt.Sprintf("%s[%d].%s", name, i+1, o.state))
			if by, to := c.held(name == "r"); by || to {
				if by {
					all = append(all, fmt.Sprintf("%s[%d].by-%s", name, i+1, o.by))
				}
				if to {
					all = append(all, fmt.Sprintf("%s[%d].to-%s", name, i+1, o.to))
				}
			}
			if o.binds() && within > 0 {
				clock := map[bool]string{true: "left", false: "kept"}[o.state == "owed"]
				all = append(all, fmt.Sprintf("%s[%d].%s-%d", name, i+1, clock, within+o.added-o.age))
			}
		}
	}
	say("o", w.o, c.within)
	if c.late > 0 {
		say("r", w.r, c.late)
	}
	all = append(all, "x."+w.x)
	if c.lifts != "" {
		all = append(all, "w."+w.p)
	}
	for k, powers := range [][]string{w.s, w.a, w.l} {
		for i, stand := range powers {
			if k == 0 && c.suspends[i].own {
				all = append(all, "o[suspended]."+stand)
				continue
			}
			all = append(all, fmt.Sprintf("%c%d.%s", "sal"[k], i, stand))
		}
	}
	if c.atMost {
		all = append(all, fmt.Sprintf("o[next].next-%d", w.next+1))
	}
	if w.since >= 0 {
		all = append(all, fmt.Sprintf("o[next].left-%d", c.every-w.since))
	}
	slices.Sort(all)
	return all
}

// marked lists the places of norms and clocks that are marked in the net, but for clocks that are off.
func marked(d *compile.Draft, m petri.Marking) []string {
	var all []string
	for _, p := range m {
		place := d.Net.Places[p]
		if owner := d.Owners[p]; owner.Made != "" && owner.Made != "contract" && place.Name != "off" && place.Name != "on" {
			all = append(all, place.String())
		}
	}
	slices.Sort(all)
	return all
}

// TestOccurrencesLaw: the net that an obligation with occurrences compiles to does what the interpreter does, event by event, whichever
// happen together.
func TestOccurrencesLaw(t *testing.T) {
	n := 150
	if draws.All() {
		n = 3000
	}
	r := rand.New(rand.NewPCG(18, 1))
	arisen, breached, resumed, again, assigned, extended := 0, 0, 0, 0, 0, 0
	for i := range n {
		c, rule := drawOccurring(r).extended(uint64(i)), petri.Rule(i%2)
		text := c.text(rule.String())
		d := testkit.DraftOf(t, text)
		w, m := c.first(), d.Net.Initial
		var log []string
		was := false // suspended
		for range 25 {
			if now, want := marked(d, m), c.stands(w); !slices.Equal(now, want) {
				t.Fatalf("after %v\n%v\nwant %v\n%s", log, now, want, text)
			}
			steps := d.Net.Steps(m, rule)
			ticks := slices.ContainsFunc(steps, func(step []int) bool {
				return slices.ContainsFunc(step, func(t int) bool { return d.Net.Transitions[t].Moving })
			})
			if ticks != c.ticking(w) {
				t.Fatalf("after %v time can pass: %t\n%s", log, ticks, text)
			}
			step := steps[r.IntN(len(steps))]
			next, contact := d.Net.Fire(m, step)
			if contact >= 0 {
				t.Fatalf("after %v contact at %s\n%s", log, d.Net.Places[contact], text)
			}
			for _, one := range step {
				e := d.Net.Transitions[one].Event
				if e < 0 {
					w.flag, log = !w.flag, append(log, "turned")
					continue
				}
				event := d.Events[e].Name
				w, log = c.after(w, event), append(log, event)
			}
			m = next
			is := slices.ContainsFunc(w.o, func(o occurrence) bool { return o.state == "suspended" })
			extended += w.extended()
			if was && slices.ContainsFunc(w.o, func(o occurrence) bool { return o.state == "owed" }) {
				resumed++
			}
			if was = is; c.times > 1 && c.atMost && len(w.queue) > 1 && w.queue[0] > w.queue[1] {
				again++
			}
		}
		if slices.ContainsFunc(w.o, func(o occurrence) bool {
			return o.by == "p" && (o.state == "breached" || o.state == "fulfilled" && !c.atMost)
		}) && slices.ContainsFunc(w.o, func(o occurrence) bool { return o.by != "p" }) {
			assigned++ // and what had been breached or fulfilled was not
		}
		if k := slices.IndexFunc(w.o, func(o occurrence) bool { return o.state == "dormant" }); k != 0 && c.times > 1 {
			arisen++
		}
		if slices.ContainsFunc(w.r, func(o occurrence) bool { return o.state == "fulfilled" }) {
			breached++
		}
	}
	if arisen < n/4 || breached < n/20 || resumed < n/30 || again < n/20 || assigned < n/50 || extended < n/10 {
		t.Errorf("of %d contracts occurrences arose in %d, breaches were repaired in %d, what was suspended was resumed %d times, a place was used again %d times, %d were assigned after a breach or fulfilment, and they had added time in %d states", n, arisen, breached, resumed, again, assigned, extended)
	}
}
