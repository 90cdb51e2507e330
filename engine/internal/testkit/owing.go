package testkit

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
)

// An owingContract is what random contracts with norms are made of.
type OwingContract struct {
	Steps [][3]int // by party, of the transition for each event: from, to
	Who   [][]int  // by event, the parties that take part
	Norms []OwingNorm
}

type OwingNorm struct {
	Kind, Name           string
	Bearer, Counterparty int
	act, when, until     int  // events; -1: none
	breach, Within       int  // of a power: from 2 on it repeats
	ends, repaired       bool // repaired: its breach brings about the obligation named mending, if there is one
	suspends             bool // a power: it suspends the first obligation until an event, resumes
	resumes              int
	extends              bool // a power: it adds a tick to the time of the first obligation
	assigns              bool // a power: its bearer has another party in its place in the first obligation
	joint                bool // the party after its bearer bears it, too
}

const mending = "mend"

var PartyNames = []string{"a", "b", "c"}

const OwingEvents = 3

func DrawOwing(r *rand.Rand) (c OwingContract) {
	for range OwingEvents {
		var who []int
		for p := range PartyNames {
			if r.IntN(2) == 0 {
				who = append(who, p)
			}
		}
		if who == nil {
			who = []int{r.IntN(len(PartyNames))}
		}
		c.Who = append(c.Who, who)
	}
	for range len(PartyNames) * OwingEvents {
		c.Steps = append(c.Steps, [3]int{r.IntN(2), r.IntN(2)})
	}
	for i := range 1 + r.IntN(2) {
		c.Norms = append(c.Norms, drawNorm(r, fmt.Sprint("n", i)))
	}
	return c
}

func drawNorm(r *rand.Rand, name string) OwingNorm {
	maybe := func() int { return r.IntN(2*OwingEvents) - OwingEvents }
	n := OwingNorm{Kind: []string{"obligation", "obligation", "prohibition", "permission", "power"}[r.IntN(5)], Name: name, Bearer: r.IntN(3), Counterparty: r.IntN(4) - 1,
		act: r.IntN(OwingEvents), when: maybe(), until: maybe(), breach: maybe(), Within: max(r.IntN(5)-1, 0), ends: r.IntN(6) == 0}
	if n.Kind == "permission" || n.Kind == "prohibition" {
		n.ends = n.ends && n.Kind == "prohibition"
	}
	return n
}

// Amended changes one thing or two.
func (c OwingContract) Amended(r *rand.Rand) OwingContract {
	h := OwingContract{slices.Clone(c.Steps), slices.Clone(c.Who), slices.Clone(c.Norms)}
	for range 1 + r.IntN(2) {
		i := r.IntN(max(len(h.Norms), 1))
		if len(h.Norms) == 0 || r.IntN(8) == 0 {
			h.Norms = append(h.Norms, drawNorm(r, fmt.Sprint("m", len(h.Norms))))
			continue
		}
		switch n := &h.Norms[i]; r.IntN(10) {
		case 0:
			h.Norms = slices.Delete(h.Norms, i, i+1)
		case 1:
			n.Within = max(r.IntN(5)-1, 0)
		case 2:
			n.Bearer = r.IntN(3)
		case 3:
			n.Counterparty = r.IntN(4) - 1
		case 4:
			n.act = r.IntN(OwingEvents)
		case 5:
			n.when = r.IntN(OwingEvents+1) - 1
		case 6:
			n.until = r.IntN(OwingEvents+1) - 1
		case 7:
			n.Name = "r" + n.Name
		case 8:
			h.Steps[r.IntN(len(h.Steps))] = [3]int{r.IntN(2), r.IntN(2)}
		case 9:
			n.breach, n.ends = r.IntN(OwingEvents+1)-1, n.ends && n.Kind != "permission"
		}
	}
	return h
}

// Ending has one more duty, whose breach after a tick ends the contract, so that later deadlines may never come.
func (c OwingContract) Ending(r *rand.Rand) OwingContract {
	c.Norms = append(slices.Clone(c.Norms), OwingNorm{Kind: "obligation", Name: "end", Bearer: r.IntN(3), act: r.IntN(OwingEvents), when: -1, until: -1, breach: -1, Within: 1, ends: true, Counterparty: -1})
	return c
}

// Repairing has a reparation of one norm, where that can be breached.
func (c OwingContract) Repairing(r *rand.Rand) OwingContract {
	c.Norms = slices.Clone(c.Norms)
	c.Norms[r.IntN(len(c.Norms))].repaired = true
	c.Norms = append(c.Norms, OwingNorm{Kind: "obligation", Name: mending, Bearer: r.IntN(3), act: r.IntN(OwingEvents), when: -1, until: -1, breach: -1, Within: r.IntN(3), Counterparty: r.IntN(4) - 1})
	return c
}

// Suspending has a power that suspends an obligation.
func (c OwingContract) Suspending(r *rand.Rand) OwingContract {
	c.Norms = slices.Clone(c.Norms)
	c.Norms[0].Kind, c.Norms[0].act = "obligation", r.IntN(OwingEvents)
	i := r.IntN(OwingEvents)
	c.Norms = append(c.Norms, OwingNorm{Kind: "power", Name: "stop", Bearer: r.IntN(3), Counterparty: r.IntN(4) - 1, act: i, when: -1, until: -1, breach: -1, suspends: true, resumes: (i + 1 + r.IntN(2)) % OwingEvents})
	return c
}

// Extending has a power that extends an obligation, which may be held again.
func (c OwingContract) Extending(r *rand.Rand) OwingContract {
	c.Norms = slices.Clone(c.Norms)
	c.Norms[0].Kind, c.Norms[0].act, c.Norms[0].Within = "obligation", r.IntN(OwingEvents), 1+r.IntN(3)
	c.Norms = append(c.Norms, OwingNorm{Kind: "power", Name: "more", Bearer: r.IntN(3), Counterparty: r.IntN(4) - 1, act: r.IntN(OwingEvents), when: r.IntN(2*OwingEvents) - OwingEvents, until: -1, breach: -1, extends: true})
	return c
}

// Assigning has a power that assigns an obligation, or an obligation of two parties, or both.
func (c OwingContract) Assigning(r *rand.Rand) OwingContract {
	c.Norms = slices.Clone(c.Norms)
	first := &c.Norms[0]
	first.Kind, first.act = "obligation", r.IntN(OwingEvents)
	if len(c.Norms) > 1 {
		c.Norms[1].joint = r.IntN(2) == 0
	}
	if first.joint = r.IntN(4) == 0; !first.joint {
		bearer := first.Bearer
		if first.Counterparty >= 0 && r.IntN(3) == 0 {
			bearer = first.Counterparty
		}
		c.Norms = append(c.Norms, OwingNorm{Kind: "power", Name: "pass-on", Bearer: bearer, Counterparty: -1, act: r.IntN(OwingEvents), when: -1, until: -1, breach: -1, assigns: true})
	}
	return c
}

// Rescheduled changes the deadline of one norm, or takes it away.
func (c OwingContract) Rescheduled(r *rand.Rand) OwingContract {
	h := OwingContract{slices.Clone(c.Steps), slices.Clone(c.Who), slices.Clone(c.Norms)}
	n := &h.Norms[r.IntN(min(len(h.Norms), 2))]
	n.Within = (n.Within + 1 + r.IntN(4)) % 5
	return h
}

// Unseen returns two versions, of which one alone has a certain event that the bearer of the first norm has no part in. Either it brings that norm
// about, which the other version has from the start, or it ends that norm, which the other version lacks.
func (c OwingContract) Unseen(r *rand.Rand) (base, head OwingContract) {
	base = OwingContract{slices.Clone(c.Steps), slices.Clone(c.Who), slices.Clone(c.Norms)}
	n := &base.Norms[0]
	n.when, n.until = -1, -1
	other := (n.Bearer + 1 + r.IntN(2)) % len(PartyNames)
	base.Steps[other*OwingEvents] = [3]int{0, 1}
	if !slices.Contains(base.Who[0], other) {
		base.Who[0] = append(slices.Clone(base.Who[0]), other)
	}
	head = OwingContract{base.Steps, append(slices.Clone(base.Who), []int{other}), slices.Clone(base.Norms)}
	if r.IntN(2) == 0 {
		head.Norms[0].when = OwingEvents
	} else {
		base.Norms, head.Norms[0].until = base.Norms[1:], OwingEvents
	}
	if r.IntN(2) == 0 {
		return head, base
	}
	return base, head
}

// Parting returns two versions and the text of e1 in each: it is possible in a window after e0, which differs. It brings about the first norm, which head lacks,
// or whose time or bearer is another there.
func (c OwingContract) Parting(r *rand.Rand) (base, head string) {
	c.Steps = slices.Clone(c.Steps)
	for p := range PartyNames {
		c.Steps[p*OwingEvents], c.Steps[p*OwingEvents+1] = [3]int{0, 0}, [3]int{0, r.IntN(2)}
	}
	was := OwingContract{c.Steps, c.Who, slices.Clone(c.Norms)}
	n := &was.Norms[0]
	n.when, n.act, n.Within = 1, 2, 1+r.IntN(2)
	now := OwingContract{c.Steps, c.Who, slices.Clone(was.Norms)}
	switch r.IntN(3) {
	case 0:
		now.Norms = now.Norms[1:]
	case 1:
		now.Norms[0].Within = 3
	default:
		now.Norms[0].Bearer = (n.Bearer + 1) % len(PartyNames)
	}
	windows := []string{"within = { e0 = 1 }", "within = { e0 = 2 }", "after = { e0 = 1 }", "after = { e0 = 2 }"}
	at := r.IntN(2)
	texts := []string{was.Text(), now.Text()}
	for i := range texts {
		texts[i] = strings.Replace(texts[i], "event \"e1\" {\n", "event \"e1\" {\n  "+windows[2*r.IntN(2)+(at+i)%2]+"\n", 1)
	}
	i := r.IntN(2)
	return texts[i], texts[1-i]
}

// Text writes a contract.
func (c OwingContract) Text() string {
	var b strings.Builder
	b.WriteString("contract \"c\" {}\n")
	for p, name := range PartyNames {
		fmt.Fprintf(&b, "party %q {\n  state \"s0\" {}\n  state \"s1\" {}\n", name)
		for e := range OwingEvents {
			s := c.Steps[p*OwingEvents+e]
			fmt.Fprintf(&b, "  transition \"t%d\" {\n    from = s%d\n    to   = s%d\n  }\n", e, s[0], s[1])
		}
		b.WriteString("}\n")
	}
	for e, who := range c.Who {
		fmt.Fprintf(&b, "event \"e%d\" {\n  sync = {\n", e)
		for _, p := range who {
			fmt.Fprintf(&b, "    %s = t%d\n", PartyNames[p], e%OwingEvents)
		}
		b.WriteString("  }\n}\n")
	}
	mends := slices.ContainsFunc(c.Norms, func(n OwingNorm) bool { return n.Name == mending && n.when < 0 })
	var first *OwingNorm
	if i := slices.IndexFunc(c.Norms, func(n OwingNorm) bool { return n.Kind == "obligation" }); i >= 0 {
		first = &c.Norms[i]
	}
	for _, n := range c.Norms {
		b.WriteString(n.text(mends, first))
	}
	return b.String()
}

// text writes a norm. First is the obligation that it suspends or assigns if it is such a power; nil: there is none.
func (n *OwingNorm) text(mends bool, first *OwingNorm) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %q {\n  bearer = %s\n", n.Kind, n.Name, n.bearers())
	if n.Counterparty >= 0 && n.Counterparty != n.Bearer {
		fmt.Fprintf(&b, "  counterparty = %s\n", PartyNames[n.Counterparty])
	}
	words := map[string][3]string{"obligation": {"fulfil", "when", "within"}, "prohibition": {"of", "from", "lasts"}, "permission": {"of", "from"}, "power": {"exercise", "when"}}[n.Kind]
	act, begin, late := words[0], words[1], words[2]
	fmt.Fprintf(&b, "  %s = e%d\n", act, n.act)
	taken := map[int]bool{n.act: true, -1: true} // an event has one part in a norm
	free := func(event int) bool {
		was := taken[event]
		taken[event] = true
		return event >= 0 && !was
	}
	if free(n.when) {
		fmt.Fprintf(&b, "  %s = e%d\n", begin, n.when)
	}
	if free(n.until) {
		fmt.Fprintf(&b, "  until = e%d\n", n.until)
	}
	breakable := n.Kind == "prohibition"
	if n.Kind == "obligation" && free(n.breach) {
		fmt.Fprintf(&b, "  breach = e%d\n", n.breach)
		breakable = true
	}
	if n.Within > 0 && late != "" {
		fmt.Fprintf(&b, "  %s = %d\n", late, n.Within)
		breakable = breakable || n.Kind == "obligation"
	}
	if n.suspends && first != nil && free(n.resumes) {
		fmt.Fprintf(&b, "  suspends = %s\n  resumes = e%d\n", first.Name, n.resumes)
		n.ends = false
	}
	if n.extends && first != nil && first.Within > 0 {
		fmt.Fprintf(&b, "  extends = { %s = 1 }\n", first.Name)
	}
	if n.assigns && first != nil && !first.joint && (n.Bearer == first.Bearer || n.Bearer == first.Counterparty) {
		to := (first.Bearer + 1) % len(PartyNames)
		if to == first.Counterparty {
			to = (to + 1) % len(PartyNames)
		}
		fmt.Fprintf(&b, "  assigns = %s\n  to = %s\n", first.Name, PartyNames[to])
	}
	if n.repaired && mends && breakable {
		b.WriteString("  reparation = " + mending + "\n")
	}
	switch {
	case n.ends && (breakable || n.Kind == "power"):
		b.WriteString("  ends_contract = true\n")
	case n.Kind == "power" && n.Within > 1 && !n.suspends:
		b.WriteString("  repeats = true\n")
	}
	b.WriteString("}\n")
	return b.String()
}

// bearers writes who bears a norm.
func (n *OwingNorm) bearers() string {
	also := (n.Bearer + 1) % len(PartyNames)
	if !n.joint || also == n.Counterparty {
		return PartyNames[n.Bearer]
	}
	return "[" + PartyNames[n.Bearer] + ", " + PartyNames[also] + "]"
}

// FiringName is what a composed transition is called.
func FiringName(f finding.Firing) string {
	if f.Event != "" {
		return f.Event
	}
	return f.Transitions[0]
}
