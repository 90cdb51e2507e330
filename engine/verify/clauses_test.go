package verify_test

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// What the reference says of norms, taken at its word and apart from hclspec: random clauses, and what
// an event makes of them all.

// A clause is an obligation or its like. An occasion is an event ("e0"), or what a clause comes to ("o.breached").
type clause struct {
	kind, name                string
	begin, acts, breach, ends []string // occasions; empty begin: it binds from the start, but for a reparation
	ticks                     int      // 0: no deadline
	reparation                string
	lifts, suspends, resumes  []string
	repeats                   bool   // a power: what exercises it leaves it held
	joint                     bool   // q bears it, too
	suspended                 bool   // something suspends it
	of                        string // the obligation whose own suspended_by this is: a power of nobody, which no text names; else empty
	endsContract, survives    bool
}

// A wording is what the attributes of a kind of clause are called, and how it can stand.
type wording struct{ begin, act, time, on, done, off string }

var wordings = map[string]wording{
	"obligation":  {"when", "fulfil", "within", "owed", "fulfilled", "lifted"},
	"prohibition": {"from", "of", "lasts", "in_force", "breached", "expired"},
	"permission":  {"from", "of", "", "given", "", "expired"},
	"power":       {"when", "exercise", "within", "held", "exercised", "expired"},
}

func (c clause) words() wording { return wordings[c.kind] }

// stands lists how the clause can stand.
func (c clause) stands() []string {
	w := c.words()
	all := []string{"dormant", w.on, w.off}
	if w.done != "" && !c.repeats {
		all = append(all, w.done)
	}
	if c.kind == "obligation" {
		all = append(all, "breached")
	}
	if c.suspended {
		all = append(all, "suspended")
	}
	return all
}

// binds says whether the clause binds where it stands so: suspended, too.
func (c clause) binds(stand string) bool { return stand == c.words().on || stand == "suspended" }

// comes lists what others can take as an occasion.
func (c clause) comes() []string {
	if c.of != "" {
		return nil
	}
	return c.own()
}

// own lists what becomes of the clause by its own words.
func (c clause) own() []string {
	switch c.kind {
	case "obligation":
		return []string{c.name + ".fulfilled", c.name + ".breached"}
	case "prohibition", "power":
		return []string{c.name + "." + c.words().done}
	}
	return nil
}

// turns lists what others can take as an occasion of a clause whose beginnings and ends do not depend on them.
func (c clause) turns() []string {
	if c.of != "" {
		return nil
	}
	all := append(c.comes(), c.name+"."+c.words().on, c.name+"."+c.words().off)
	if c.suspended {
		all = append(all, c.name+".suspended")
	}
	return all
}

// A guard is what an event needs: that a clause stands so, or that some time has passed since another event.
type guard struct {
	event, word string // only_while, not_before, within
	on          string // o.owed, or the other event
	ticks       int
}

// clauses are the clauses of a contract, and what holds up its events.
type clauses struct {
	list   []clause
	guards []guard
}

// A world is how all clauses stand.
type world struct {
	ended bool
	stand []string // by clause
	age   []int    // by clause: ticks since it has begun to bind, where it does
	since []int    // by guard: ticks since the other event happened last, as far as they count; -1: not yet
}

func (cs clauses) first() world {
	var w world
	for _, c := range cs.list {
		stand := c.words().on
		if len(c.begin) > 0 || slices.ContainsFunc(cs.list, func(o clause) bool { return o.reparation == c.name }) {
			stand = "dormant"
		}
		w.stand, w.age = append(w.stand, stand), append(w.age, 0)
	}
	w.since = slices.Repeat([]int{-1}, len(cs.guards))
	return w
}

// allows says whether the event can happen as far as the clauses go.
func (cs clauses) allows(w world, event string) bool {
	if event == "tick" {
		return cs.counting(w)
	}
	for i, g := range cs.guards {
		switch {
		case g.event != event:
		case g.word == "only_while" && !cs.stands(w, g.on), g.word == "not_before" && w.since[i] < g.ticks,
			g.word == "within" && (w.since[i] < 0 || w.since[i] >= g.ticks):
			return false
		}
	}
	return true
}

// counting says whether a clock runs.
func (cs clauses) counting(w world) bool {
	for i, c := range cs.list {
		if c.ticks > 0 && w.stand[i] == c.words().on {
			return true
		}
	}
	for i, g := range cs.guards {
		if w.since[i] >= 0 && w.since[i] < g.ticks {
			return true
		}
	}
	return false
}

func (cs clauses) stands(w world, what string) bool {
	for i, c := range cs.list {
		if what == c.name+"."+w.stand[i] {
			return true
		}
	}
	return what == "contract.in_force" && !w.ended || what == "contract.ended" && w.ended
}

// changes lists what an event makes of clauses that bind, by their own words: "o.fulfilled".
func (cs clauses) changes(w world, event string) []string {
	var all []string
	for i, c := range cs.list {
		expires := c.kind == "obligation" && c.ticks > 0 && event == "tick" && w.age[i]+1 == c.ticks
		switch {
		case !c.binds(w.stand[i]):
		case slices.Contains(c.acts, event) && c.words().done != "":
			all = append(all, c.name+"."+c.words().done)
		case w.stand[i] == "suspended":
		case slices.Contains(c.breach, event) || expires:
			all = append(all, c.name+".breached")
		}
	}
	return all
}

// after is the world once an event has happened.
func (cs clauses) after(w world, event string) world {
	came := append(cs.changes(w, event), event)
	for i, c := range cs.list {
		if c.of != "" && w.stand[i] == "held" && slices.ContainsFunc(c.acts, func(o string) bool { return slices.Contains(came, o) }) && !slices.Contains(came, c.name+".exercised") {
			came = append(came, c.name+".exercised")
		}
	}
	next := world{ended: w.ended, stand: slices.Clone(w.stand), age: slices.Clone(w.age), since: slices.Clone(w.since)}
	ending := false
	for _, c := range cs.list {
		ending = ending || c.endsContract && (slices.Contains(came, c.name+".breached") || slices.Contains(came, c.name+".exercised"))
	}
	next.ended = w.ended || ending
	for i, c := range cs.list { // what begins and ends is an occasion of those that come later
		stand, _ := cs.fate(w, i, came, ending)
		if turn := c.name + "." + stand; stand != w.stand[i] && !slices.Contains(came, turn) {
			came = append(came, turn)
		}
	}
	for i, c := range cs.list {
		next.stand[i], next.age[i] = cs.fate(w, i, came, ending)
		if next.stand[i] == c.words().on && w.stand[i] == c.words().on && event == "tick" && c.ticks > 0 {
			next.age[i]++
		}
	}
	for i, g := range cs.guards {
		switch {
		case g.ticks > 0 && event == g.on:
			next.since[i] = 0
		case event == "tick" && w.since[i] >= 0:
			next.since[i] = min(w.since[i]+1, g.ticks)
		}
	}
	return next
}

// fate is how clause i stands once all that came has come.
func (cs clauses) fate(w world, i int, came []string, ending bool) (stand string, age int) {
	c, words := cs.list[i], cs.list[i].words()
	among := func(list []string) bool {
		return slices.ContainsFunc(list, func(o string) bool { return slices.Contains(came, o) })
	}
	for _, own := range c.own() {
		if slices.Contains(came, own) && !c.repeats {
			return strings.TrimPrefix(own, c.name+"."), 0
		}
	}
	if w.stand[i] == "exercised" && len(c.suspends) > 0 {
		switch {
		case among(c.ends) || among(c.resumes) && w.ended && !c.survives:
			return words.off, 0
		case among(c.resumes):
			return words.on, 0
		case ending && !c.survives:
			return words.off, 0
		}
		return w.stand[i], 0
	}
	over := c.ticks > 0 && w.age[i]+1 == c.ticks && slices.Contains(came, "tick") && w.stand[i] == words.on
	lifted, owing := false, among(c.begin)
	for _, o := range cs.list {
		lifted = lifted || slices.Contains(o.lifts, c.name) && slices.Contains(came, o.name+".exercised")
		owing = owing || o.reparation == c.name && slices.Contains(came, o.name+".breached")
	}
	stand, age = w.stand[i], w.age[i]
	binds := c.binds(stand)
	switch {
	case binds && (among(c.ends) || over || lifted || ending && !c.survives):
		return words.off, 0
	case !binds && stand != "breached" && (!w.ended || c.survives) && owing:
		stand, age = words.on, 0
	}
	if c.suspended && c.binds(stand) {
		stand = words.on
		for j, o := range cs.list {
			if slices.Contains(o.suspends, c.name) {
				if now, _ := cs.fate(w, j, came, ending); now == "exercised" {
					stand = "suspended"
				}
			}
		}
	}
	return stand, age
}

// drawClauses draws up to n clauses over the events e0 to e3. Where they are linked, they refer to each other and
// hold up events; else nothing that one of them does concerns another, and one of them at most has a clock.
func drawClauses(t *rapid.T, n int, linked bool) clauses {
	var cs clauses
	kinds, names := []string{"obligation", "obligation", "prohibition", "power", "permission"}, "abcde"
	for i := range rapid.IntRange(1, n).Draw(t, "clauses") {
		kind := rapid.SampledFrom(kinds[:len(kinds)-1]).Draw(t, "kind")
		if i == 3 {
			kind = kinds[len(kinds)-1]
		}
		cs.list = append(cs.list, drawClause(t, kind, names[i:i+1], linked || i == 0))
	}
	if linked {
		for i := range cs.list {
			cs.suspend(t, &cs.list[i])
		}
		for i := range cs.list {
			cs.link(t, &cs.list[i])
		}
		for i := range cs.list {
			if cs.list[i].kind == "obligation" && some(t, "suspended by") {
				cs.suspendItself(t, i)
			}
		}
		cs.drawGuards(t)
	}
	return cs
}

func some(t *rapid.T, what string) bool { return rapid.IntRange(0, 2).Draw(t, what) == 0 }

func drawClause(t *rapid.T, kind, name string, timed bool) clause {
	e := rapid.Permutation([]string{"e0", "e1", "e2", "e3"}).Draw(t, "events")
	c := clause{kind: kind, name: name, acts: e[:1]}
	if !some(t, "from the start") {
		c.begin = e[1:2]
	}
	if kind == "obligation" && rapid.Bool().Draw(t, "breach") {
		c.breach = e[2:3]
	} else if kind != "permission" && some(t, "two acts") {
		c.acts = []string{e[0], e[2]}
	}
	if rapid.Bool().Draw(t, "until") {
		c.ends = e[3:]
	}
	c.repeats, c.joint = kind == "power" && some(t, "repeats"), some(t, "joint")
	if timed && c.words().time != "" && rapid.Bool().Draw(t, "timed") {
		c.ticks = rapid.IntRange(1, 2).Draw(t, "ticks")
	}
	return c
}

// suspend has a power suspend obligations that come later, until an event or what another comes to.
func (cs clauses) suspend(t *rapid.T, c *clause) {
	if c.kind != "power" || c.repeats || rapid.Bool().Draw(t, "lifts") {
		return
	}
	for i := range cs.list {
		if o := &cs.list[i]; o.kind == "obligation" && o.name > c.name && !some(t, "spared") {
			c.suspends, o.suspended = append(c.suspends, o.name), true
		}
	}
	if len(c.suspends) == 0 || len(c.ends) > 0 && some(t, "once") {
		return
	}
	by := []string{"e0", "e1", "e2", "e3"}
	for _, o := range cs.list {
		if o.name != c.name {
			by = append(by, o.comes()...)
		}
	}
	by = slices.DeleteFunc(by, func(o string) bool { return slices.Contains(c.acts, o) || slices.Contains(c.ends, o) })
	c.resumes = []string{rapid.SampledFrom(by).Draw(t, "resumes")}
}

// suspendItself has an obligation say what suspends and resumes it: events, and what others come to.
func (cs *clauses) suspendItself(t *rapid.T, i int) {
	by := []string{"e0", "e1", "e2", "e3"}
	for _, o := range cs.list {
		if o.name != cs.list[i].name {
			by = append(by, o.comes()...)
		}
	}
	by = rapid.Permutation(by).Draw(t, "suspended by")
	cs.list[i].suspended = true
	cs.list = append(cs.list, clause{kind: "power", name: cs.list[i].name + "s", of: cs.list[i].name, acts: by[:1], resumes: by[1:2], suspends: []string{cs.list[i].name}, survives: cs.list[i].survives})
}

// link has a clause follow from others and them from it.
func (cs clauses) link(t *rapid.T, c *clause) {
	var comes, obligations []string
	for _, o := range cs.list {
		if o.name == c.name { // what it comes to itself neither begins, ends nor repairs it: that is refused
			continue
		}
		if comes = append(comes, o.comes()...); o.name < c.name {
			comes = append(comes, o.turns()...)
		}
		if o.kind == "obligation" {
			obligations = append(obligations, o.name)
		}
	}
	if len(comes) > 0 && some(t, "begins with another") {
		c.begin = append(slices.Clone(c.begin), rapid.SampledFrom(comes).Draw(t, "begin"))
	}
	if len(comes) > 0 && some(t, "ends with another") {
		c.ends = append(slices.Clone(c.ends), rapid.SampledFrom(comes).Draw(t, "end"))
	}
	if len(obligations) > 0 && c.kind == "power" && c.suspends == nil {
		c.lifts = obligations[:rapid.IntRange(0, len(obligations)).Draw(t, "lifted")]
	}
	breachable := c.kind == "prohibition" || c.kind == "obligation" && (c.ticks > 0 || len(c.breach) > 0)
	if len(obligations) > 0 && breachable && rapid.Bool().Draw(t, "repaired") {
		c.reparation = rapid.SampledFrom(obligations).Draw(t, "reparation")
	}
	c.endsContract = (breachable || c.kind == "power" && c.suspends == nil && !c.repeats) && some(t, "ends the contract")
	c.survives = some(t, "survives")
}

func (cs *clauses) drawGuards(t *rapid.T) {
	if some(t, "only while") {
		c := rapid.SampledFrom(slices.DeleteFunc(slices.Clone(cs.list), func(c clause) bool { return c.of != "" })).Draw(t, "whose")
		cs.guards = append(cs.guards, guard{"e0", "only_while", c.name + "." + rapid.SampledFrom(c.stands()).Draw(t, "stands"), 0})
	}
	if some(t, "timed event") {
		word := rapid.SampledFrom([]string{"not_before", "within"}).Draw(t, "word")
		cs.guards = append(cs.guards, guard{"e1", word, "e2", rapid.IntRange(1, 2).Draw(t, "ticks")})
	}
}

// mentions says whether an event has a part in any clause.
func (cs clauses) mentions(event string) bool {
	for _, c := range cs.list {
		if slices.Contains(slices.Concat(c.begin, c.acts, c.breach, c.ends, c.resumes), event) || event == "tick" && c.ticks > 0 {
			return true
		}
	}
	return slices.ContainsFunc(cs.guards, func(g guard) bool {
		return g.event == event || g.on == event || event == "tick" && g.ticks > 0
	})
}

// sugar writes the clauses as blocks.
func (cs clauses) sugar() string {
	var b strings.Builder
	for _, c := range cs.list {
		if c.of != "" {
			continue
		}
		w, own := c.words(), ""
		for _, o := range cs.list {
			if o.of == c.name {
				own = fmt.Sprintf("  suspended_by = %s\n  resumes = %s\n", o.acts[0], o.resumes[0])
			}
		}
		fmt.Fprintf(&b, "%s %q {\n  bearer = %s\n", c.kind, c.name, map[bool]string{true: "[p, q]", false: "p"}[c.joint])
		for _, a := range []struct {
			word string
			list []string
		}{{w.begin, c.begin}, {w.act, c.acts}, {"breach", c.breach}, {"until", c.ends}, {"lifts", c.lifts}, {"suspends", c.suspends}, {"resumes", c.resumes}} {
			if len(a.list) > 0 {
				fmt.Fprintf(&b, "  %s = [%s]\n", a.word, strings.Join(a.list, ", "))
			}
		}
		b.WriteString(own)
		if c.ticks > 0 {
			fmt.Fprintf(&b, "  %s = %d\n", w.time, c.ticks)
		}
		if c.reparation != "" {
			fmt.Fprintf(&b, "  reparation = %s\n", c.reparation)
		}
		if c.repeats {
			b.WriteString("  repeats = true\n")
		}
		if c.endsContract {
			b.WriteString("  ends_contract = true\n")
		}
		if c.survives {
			b.WriteString("  survives = true\n")
		}
		b.WriteString("}\n")
	}
	return b.String()
}

// guarded puts what holds up events into the text of the parties.
func (cs clauses) guarded(text string) string {
	for _, g := range cs.guards {
		what := g.on
		if g.ticks > 0 {
			what = fmt.Sprintf("{ %s = %d }", g.on, g.ticks)
		}
		head := fmt.Sprintf("event %q {\n", g.event)
		text = strings.Replace(text, head, fmt.Sprintf("%s  %s = %s\n", head, g.word, what), 1)
	}
	return text
}
