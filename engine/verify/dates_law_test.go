package verify_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
)

// What the language page says of days, as an interpreter that counts them. A contract has an obligation o, and events t, u and x that are
// possible from a day on, possible up to a day, and due when a day is over. Each of these days is so many after the start, or -1: none.

type dating struct {
	start              time.Time
	by, from, to, over int
	within             int
	when               bool // e0 brings o about
}

type datedWorld struct {
	day, age int
	o        string
	due      bool // x is
	overdue  bool // o arose after the day
}

func (c dating) text(rule petri.Rule) string {
	day := func(n int) string { return fmt.Sprintf("%q", c.start.AddDate(0, 0, n).Format(time.DateOnly)) }
	var b strings.Builder
	fmt.Fprintf(&b, "contract \"c\" {\n  start = %s\n  firing = %s\n}\nparty \"p\" {}\n", day(0), rule)
	event := func(name, word string, n int) {
		fmt.Fprintf(&b, "event %q {\n  by = p\n  repeats = true\n", name)
		if n >= 0 {
			fmt.Fprintf(&b, "  %s = %s\n", word, day(n))
		}
		b.WriteString("}\n")
	}
	event("e0", "", -1)
	event("e1", "", -1)
	event("t", "not_before", c.from)
	event("u", "within", c.to)
	if c.over >= 0 {
		fmt.Fprintf(&b, "event \"x\" { after = %s }\n", day(c.over))
	}
	b.WriteString("obligation \"o\" {\n  bearer = p\n  fulfil = e1\n")
	if c.when {
		b.WriteString("  when = e0\n")
	}
	if c.by >= 0 {
		fmt.Fprintf(&b, "  by = %s\n", day(c.by))
	}
	if c.within > 0 {
		fmt.Fprintf(&b, "  within = \"%d days\"\n", c.within)
	}
	b.WriteString("}\n")
	return b.String()
}

// can lists what can happen.
func (c dating) can(w datedWorld) (list []string) {
	if w.due {
		return []string{"x"}
	}
	list = append(list, "e0", "e1")
	if w.day >= c.from {
		list = append(list, "t")
	}
	if w.day < max(c.by, c.to, c.over)+1 || w.day < c.from || w.o == "owed" && (c.within > 0 || w.overdue) {
		list = append(list, "tick")
	}
	if c.to < 0 || w.day <= c.to {
		list = append(list, "u")
	}
	return list
}

func (c dating) after(w datedWorld, event string) datedWorld {
	switch {
	case event == "x":
		w.due = false
	case event == "e0" && c.when && w.o != "owed" && w.o != "breached":
		w.o, w.age, w.overdue = "owed", 0, c.by >= 0 && w.day > c.by
	case event == "e1" && w.o == "owed":
		w.o = "fulfilled"
	case event == "tick":
		w.day, w.age = w.day+1, w.age+1
		w.due = c.over >= 0 && w.day == c.over+1
		if w.o == "owed" && (c.within > 0 && w.age == c.within || w.overdue || c.by >= 0 && w.day == c.by+1) {
			w.o = "breached"
		}
	}
	return w
}

// TestDatesLaw: the net that days compile to does what the interpreter does, over the ends of months and of Februaries.
func TestDatesLaw(t *testing.T) {
	n := 100
	if draws.All() {
		n = 3000
	}
	r := rand.New(rand.NewPCG(18, 6))
	late, due, overdue := 0, 0, 0
	for i := range n {
		rule := petri.Rule(i % 2)
		maybe := func(least int) int { return []int{-1, least + r.IntN(4)}[r.IntN(2)] }
		c := dating{start: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, r.IntN(1500)), by: maybe(0), from: maybe(1), to: maybe(0), over: maybe(0), within: r.IntN(4), when: r.IntN(2) == 0}
		if rule == petri.All {
			c.over = -1
		}
		if max(c.by, c.from, c.to, c.over) < 0 {
			c.by = r.IntN(4)
		}
		text := c.text(rule)
		d := testkit.DraftOf(t, text)
		w, m := datedWorld{o: "owed"}, d.Net.Initial
		if c.when {
			w.o = "dormant"
		}
		var log []string
		for range 20 {
			if !petri.Marking(m).Has(d.PlaceOf["o."+w.o]) {
				t.Fatalf("after %v o is not %s\n%s", log, w.o, text)
			}
			steps := d.Net.Steps(m, rule)
			var names []string
			for _, step := range steps {
				for _, one := range step {
					names = append(names, d.Events[d.Net.Transitions[one].Event].Name)
				}
			}
			slices.Sort(names)
			want := slices.Sorted(slices.Values(c.can(w)))
			if names = slices.Compact(names); !slices.Equal(names, want) {
				t.Fatalf("after %v there can happen %v, want %v\n%s", log, names, want, text)
			}
			step := steps[r.IntN(len(steps))]
			if tick := slices.IndexFunc(steps, func(step []int) bool { return d.Net.Transitions[step[0]].Moving }); tick >= 0 && r.IntN(3) == 0 {
				step = steps[tick]
			}
			for _, one := range step {
				event := d.Events[d.Net.Transitions[one].Event].Name
				w, log = c.after(w, event), append(log, event)
			}
			m, _ = d.Net.Fire(m, step)
			if w.due {
				due++
			}
		}
		if w.o == "breached" && c.within == 0 {
			late++
		}
		if w.o == "breached" && w.overdue {
			overdue++
		}
	}
	if late < n/20 || due < n/20 || overdue < n/50 {
		t.Errorf("of %d contracts %d were breached by a day alone, %d arose after it, and an event was due %d times", n, late, overdue, due)
	}
}

// TestMonthsFromTheStart: what recurs every month from the start does so on the same day of each month or, if there is none, on its last.
func TestMonthsFromTheStart(t *testing.T) {
	r := rand.New(rand.NewPCG(18, 7))
	for range 12 {
		start := time.Date(2026, 12, 26, 0, 0, 0, 0, time.UTC).AddDate(0, 0, r.IntN(10)+365*r.IntN(3))
		months, text := 1, "1 month"
		if r.IntN(4) == 0 {
			months, text = 3, "1 quarter"
		}
		d := testkit.DraftOf(t, fmt.Sprintf(`contract "c" { start = %q }
party "p" {}
event "e" { by = p }
obligation "rent" {
  bearer = p
  fulfil = e
  times  = 4
  every  = %q
  within = "2 days"
}
`, start.Format(time.DateOnly), text))
		m, now, k := d.Net.Initial, start, 1
		for k < 4 {
			for _, step := range d.Net.Steps(m, petri.One) {
				if d.Net.Transitions[step[0]].Moving {
					m, _ = d.Net.Fire(m, step)
					break
				}
			}
			now = now.AddDate(0, 0, 1)
			want := time.Date(start.Year(), start.Month()+time.Month(k*months), 1, 0, 0, 0, 0, time.UTC)
			for want.Day() < start.Day() && want.AddDate(0, 0, 1).Day() > 1 {
				want = want.AddDate(0, 0, 1)
			}
			if owed := petri.Marking(m).Has(d.PlaceOf[fmt.Sprintf("rent[%d].owed", k+1)]); owed != now.Equal(want) {
				t.Fatalf("from %v the occurrence %d is owed on %v: %t, want %v", start, k+1, now, owed, want)
			}
			if now.Equal(want) {
				k++
			}
		}
	}
}
