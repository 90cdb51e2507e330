package verify_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// What the language page says of extension, for the interpreter of occurrences.

// An extension is a power of q to add ticks to the time of o, or of r.
type extension struct {
	exercise string
	o, r     int // 0: none
}

// extended has up to two of them, by different events.
func (c occurring) extended(seed uint64) occurring {
	if c.atMost {
		return c
	}
	r := rand.New(rand.NewPCG(18, seed))
	events := []string{"e0", "e1", "e2", "e3"}
	r.Shuffle(4, func(i, j int) { events[i], events[j] = events[j], events[i] })
	for _, event := range events[:r.IntN(3)] {
		x := extension{exercise: event}
		if c.within > 0 {
			x.o = r.IntN(3)
		}
		if c.late > 0 {
			x.r = r.IntN(3)
		}
		if x.o+x.r > 0 {
			c.extends = append(c.extends, x)
		}
	}
	return c
}

// extensions writes the powers that extend.
func (c occurring) extensions() string {
	var b strings.Builder
	for i, x := range c.extends {
		fmt.Fprintf(&b, "power \"l%d\" {\n  bearer = q\n  exercise = %s\n  extends = {\n", i, x.exercise)
		if x.o > 0 {
			fmt.Fprintf(&b, "    o = %d\n", x.o)
		}
		if x.r > 0 {
			fmt.Fprintf(&b, "    r = %d\n", x.r)
		}
		b.WriteString("  }\n}\n")
	}
	return b.String()
}

// extend adds to the time of what bound before the event and binds after it, and returns how the powers stand. No more is left than its time and all
// that powers can add, each once.
func (c occurring) extend(now, was occurringWorld, event string) (stands []string) {
	var mostO, mostR int
	for _, x := range c.extends {
		mostO, mostR = mostO+x.o, mostR+x.r
	}
	longer := func(now, was []occurrence, ticks, most int) {
		for i := range now {
			if now[i].binds() && was[i].binds() {
				now[i].added = min(now[i].added+ticks, most+now[i].age)
			}
		}
	}
	for i, x := range c.extends {
		stand := was.l[i]
		switch {
		case stand == "held" && event == x.exercise:
			stand = "exercised"
			longer(now.o, was.o, x.o, mostO)
			longer(now.r, was.r, x.r, mostR)
		case stand == "held" && now.ended:
			stand = "expired"
		}
		stands = append(stands, stand)
	}
	return stands
}

// extended returns how many occurrences have added time.
func (w occurringWorld) extended() (n int) {
	for _, o := range slices.Concat(w.o, w.r) {
		if o.added > 0 && o.binds() {
			n++
		}
	}
	return n
}

// suspend has what binds suspended or owed.
func suspend(list []occurrence, suspended bool) {
	for i := range list {
		if list[i].binds() {
			list[i].state = map[bool]string{true: "suspended", false: "owed"}[suspended]
		}
	}
}

// powers returns the powers that suspend once an event has happened that may end the contract.
func (c occurring) powers(w occurringWorld, event string, ending bool) (next []string) {
	for i, s := range c.suspends {
		stand := w.s[i]
		switch {
		case stand == "held" && event == s.exercise:
			stand = "exercised"
		case stand != "expired" && event == s.until:
			stand = "expired"
		case stand == "exercised" && event == s.resumes:
			stand = map[bool]string{false: "held", true: "expired"}[w.ended && !(s.own && c.survives)]
		case ending && !(s.own && c.survives):
			stand = "expired"
		}
		next = append(next, stand)
	}
	return next
}
