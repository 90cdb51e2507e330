package compile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/construct"
)

// Norms and timers watch events: an event moves their tokens, and may require a timer to be in some state. These moves and conditions are
// added to the composed transitions, because the moves of one norm can depend on those of others.

// watch adds moves and conditions to the composed transitions of each event.
func (d *Draft) watch() {
	at, urgent := d.PlacesAt(), d.Urgent()
	moves := map[*hclspec.Event][]petri.Move{}
	for _, e := range d.Spec.Events {
		moves[e] = placed(e.Moves, at)
	}
	never := func(t petri.Transition) bool { // it puts a token where it needs one of the same state or flag
		return slices.ContainsFunc(t.Out, func(p int) bool { return slices.Contains(t.Read, p) })
	}
	for i := range d.Net.Transitions {
		t := &d.Net.Transitions[i]
		needed := d.notDue(t, urgent, at)
		if t.Event >= 0 {
			e := d.Events[t.Event]
			t.Moves, t.Moving = moves[e], e.Moving
			needed = append(needed, slices.DeleteFunc(indices(d.needed[t.Event], at), func(p int) bool { return slices.Contains(t.In, p) })...)
		}
		if ends := d.Spec.Ends; ends != nil && (t.Event < 0 || !d.Events[t.Event].Survives && !d.Events[t.Event].Moving) {
			needed = append(needed, at[ends.InForce])
		}
		t.Read = slices.Compact(slices.Sorted(slices.Values(append(needed, t.Read...))))
	}
	d.Net.Transitions = slices.DeleteFunc(d.Net.Transitions, never)
}

// notDue returns the places that say that events are not due which go before a transition: all that happen by themselves, or for one of these
// those declared before it.
func (d *Draft) notDue(t *petri.Transition, urgent []*hclspec.Event, at map[*hclspec.Place]int) (all []int) {
	for _, e := range urgent {
		if t.Event >= 0 && d.Events[t.Event] == e {
			break
		}
		all = append(all, at[e.Due.Not])
	}
	return all
}

// Urgent returns the events that happen by themselves, in the order in which they do when several are due.
func (d *Draft) Urgent() (list []*hclspec.Event) {
	for _, e := range d.Spec.Events {
		if e.Due != nil {
			list = append(list, e)
		}
	}
	return list
}

// A token is what one place at most of a net holds, of those that share it: its state, a flag, a counter.
type token struct {
	net  *hclspec.Party
	name string
}

// choices returns the sets of places that meet all conditions of an event, with one alternative for each condition. Sets with two places that are never
// marked together are left out, unless there is no other.
func (d *Draft) choices(e *hclspec.Event) [][]*hclspec.Place {
	if d.tokens == nil {
		d.tokens = map[*hclspec.Place]token{}
		for i, p := range d.AllPlaces {
			d.tokens[p] = token{d.Owners[i], p.Token()}
		}
	}
	all, meets := [][]*hclspec.Place{nil}, d.common(e.Needs)
	for _, need := range e.Needs {
		var longer [][]*hclspec.Place
		for _, before := range all {
			for _, a := range need {
				if meets(a) && !d.excluded(before, a.Places) {
					longer = append(longer, append(slices.Clip(before), a.Places...))
				}
			}
		}
		if longer == nil { // the conditions exclude each other: asked for all at once, they are never met
			var never []*hclspec.Place
			for _, need := range e.Needs {
				never = append(never, need[0].Places...)
			}
			return [][]*hclspec.Place{never}
		}
		all = longer
	}
	return all
}

// common returns a function that reports whether an alternative meets all conditions that are about the same token alone: of !p.S0 and !p.S1 it is one
// that meets both.
func (d *Draft) common(needs []hclspec.Need) func(hclspec.Alternative) bool {
	asked, met := map[token]int{}, map[*hclspec.Place]int{}
	for _, need := range needs {
		if slices.ContainsFunc(need, func(a hclspec.Alternative) bool {
			return len(a.Places) != 1 || d.tokens[a.Places[0]] != d.tokens[need[0].Places[0]]
		}) {
			continue
		}
		asked[d.tokens[need[0].Places[0]]]++
		for _, a := range need {
			met[a.Places[0]]++
		}
	}
	return func(a hclspec.Alternative) bool {
		return len(a.Places) != 1 || met[a.Places[0]] == asked[d.tokens[a.Places[0]]]
	}
}

// excluded reports whether one of some places is never marked together with one of others.
func (d *Draft) excluded(some, others []*hclspec.Place) bool {
	return slices.ContainsFunc(some, func(p *hclspec.Place) bool {
		return slices.ContainsFunc(others, func(q *hclspec.Place) bool { return p != q && d.tokens[p] == d.tokens[q] })
	})
}

// PlacesAt returns the index in the composed net of each place of the contract.
func (d *Draft) PlacesAt() map[*hclspec.Place]int {
	at := make(map[*hclspec.Place]int, len(d.AllPlaces))
	for i, p := range d.AllPlaces {
		at[p] = i
	}
	return at
}

// placed converts moves to indices of places. It sorts them by the place they start from; moves from one place keep their order of rank.
func placed(moves []hclspec.Move, at map[*hclspec.Place]int) []petri.Move {
	var list []petri.Move
	for _, v := range moves {
		list = append(list, petri.Move{If: indices(v.If, at), From: at[v.From], To: at[v.To]})
	}
	slices.SortStableFunc(list, func(a, b petri.Move) int { return cmp.Compare(a.From, b.From) })
	return list
}

// watched renders what an event moves and needs, for the digest. Adjacent moves with the same start and target are sorted, because their
// order has no meaning.
func (d *Draft) watched(e *hclspec.Event, at map[*hclspec.Place]int) string {
	list := placed(e.Moves, at)
	var b strings.Builder
	for _, line := range d.conditions(e, at) {
		b.WriteString(line)
	}
	for len(list) > 0 {
		same := slices.IndexFunc(list, func(v petri.Move) bool { return v.From != list[0].From || v.To != list[0].To })
		if same < 0 {
			same = len(list)
		}
		run := slices.SortedFunc(slices.Values(list[:same]), func(a, b petri.Move) int { return slices.Compare(a.If, b.If) })
		for _, v := range run {
			fmt.Fprintf(&b, " moves %s %s", d.Net.Places[v.From], d.Net.Places[v.To])
			for _, p := range v.If {
				fmt.Fprintf(&b, " if %s", d.Net.Places[p])
			}
		}
		list = list[same:]
	}
	return b.String()
}

// conditions renders the conditions of an event: first those on one place each, in order of the places, then those on several.
func (d *Draft) conditions(e *hclspec.Event, at map[*hclspec.Place]int) []string {
	var single []*hclspec.Place
	var several []string
	for _, need := range e.Needs {
		if len(need) == 1 && need[0].By == nil {
			single = append(single, need[0].Places...)
			continue
		}
		var some []*hclspec.Place
		compared := ""
		for i, a := range need {
			if a.By == nil {
				some = append(some, a.Places...)
				continue
			}
			if i == 0 || need[i-1].By != a.By {
				compared += " compares"
				for k, p := range a.By.Counters {
					compared += fmt.Sprintf(" %q %s", a.By.Text[k], d.Net.Places[at[p]])
				}
				compared += fmt.Sprintf(" %q", a.By.Text[len(a.By.Counters)])
			}
			compared += " if"
			for _, p := range a.Places {
				compared += " " + d.Net.Places[at[p]].String()
			}
		}
		line := " needs any"
		for _, p := range slices.Compact(indices(some, at)) {
			line += " " + d.Net.Places[p].String()
		}
		several = append(several, line+compared+" end")
	}
	var all []string
	for _, p := range slices.Compact(indices(single, at)) {
		all = append(all, " needs "+d.Net.Places[p].String())
	}
	slices.Sort(several)
	return append(all, slices.Compact(several)...)
}

// canonicalNorms renders the norms, sorted.
func (d *Draft) canonicalNorms() []string {
	var lines []string
	for _, n := range d.Spec.Norms {
		lines = append(lines, CanonicalNorm(n)+"\n")
	}
	slices.Sort(lines)
	return lines
}

// CanonicalNorm renders a norm in canonical form: kind, name, bearer, acts, counterparty and terms.
func CanonicalNorm(n *hclspec.Norm) string {
	line := fmt.Sprintf("%s %s bearer %s answered %t", n.Kind, n.Name, n.Bearer(), n.Answered)
	var acts []string
	for _, e := range n.Acts {
		acts = append(acts, " "+e.Name)
	}
	slices.Sort(acts)
	line += strings.Join(acts, "")
	if len(n.Counterparties) > 0 { // the counterparty moves no token, but belongs to the meaning
		line += " to " + n.Counterparty()
	}
	for _, t := range n.Terms { // different terms can make the same moves
		line += fmt.Sprintf(" %s %q", t.Word, t.Value)
	}
	return line
}

// WatcherChanges returns the changes that a firing makes to norms and timers, grouped by net, and to states and counters that follow events.
func (d *Draft) WatcherChanges(transition int, before petri.Marking) []finding.Change {
	var list, counters []finding.Change
	for _, v := range d.Net.Moved(before, transition) {
		name := d.Net.Places[v.From].Net
		if o := d.Owners[v.From]; o.Made == "event" && len(o.Transitions) == 0 { // that it has happened is said by the step
			continue
		}
		if d.AllPlaces[v.From].Kind == hclspec.CounterValue {
			counters = append(counters, d.recounted(transition, v))
			continue
		}
		if len(list) == 0 || list[len(list)-1].Party != name {
			list = append(list, finding.Change{Party: name, Called: d.Calls[name], To: d.owedTo(name)})
		}
		c := &list[len(list)-1]
		c.Before = d.addWord(c.Before, v.From)
		if to := d.AllPlaces[v.To]; d.Owners[v.To].Made == "clock" && to.Title == hclspec.NotBegun { // it had begun
			c.After = append(c.After, "ended with the contract")
			continue
		}
		c.After = d.addWord(c.After, v.To)
	}
	return append(counters, list...)
}

// owedTo returns to whom the obligation or prohibition of a net is owed; "" if it is none, or passed on.
func (d *Draft) owedTo(net string) string {
	for _, n := range d.Spec.Norms {
		if n.Name == net && len(n.Counterparties) == 1 && (n.Kind == hclspec.Obligation || n.Kind == hclspec.Prohibition) {
			return n.Counterparty()
		}
	}
	return ""
}

// addWord adds the word for a place, a state's first. It omits a clock that is off.
func (d *Draft) addWord(words []string, place int) []string {
	spec := d.AllPlaces[place]
	if spec.Kind == hclspec.ClockOff {
		return words
	}
	if spec.Kind == hclspec.State {
		return append([]string{Word(spec)}, words...)
	}
	return append(words, Word(spec))
}

// Loud returns the nets with at least one marked place that is not silent.
func (d *Draft) Loud(m petri.Marking) map[string]bool {
	nets := map[string]bool{}
	for _, p := range m {
		if p < len(d.Owners) && !IsSilent(d.Owners[p], d.AllPlaces[p]) { // a history place has no owner
			nets[d.Owners[p].Name] = true
		}
	}
	return nets
}

// ActsOnly reports whether a party has nothing to show of its own: it acts, in phases or in this one, and at most waits for the phase to begin.
func ActsOnly(p *hclspec.Party) bool {
	return !slices.ContainsFunc(p.Places, func(q *hclspec.Place) bool {
		return q.Kind != hclspec.Begun && (q.Kind != hclspec.Plain || q.Title != hclspec.NotBegun)
	})
}

// IsWatcher reports whether a net only watches events.
func IsWatcher(net *hclspec.Party) bool {
	return net.Bookkeeping() || net.Made == "contract" || construct.IsNorm(net.Made)
}

// IsSilent reports whether a place is omitted where the parties' states are listed: a norm that does not bind yet, a clock that was never
// started, a contract in force, or a place for bookkeeping.
func IsSilent(net *hclspec.Party, p *hclspec.Place) bool {
	switch net.Made {
	case "clock":
		return p.Name != "running" && p.Name != "over" && p.Kind != hclspec.ClockLeft
	case "contract":
		return p.Name == "in_force"
	case "event":
		return p.Name != construct.Due
	}
	return p.Kind == hclspec.CounterBound || p.Kind == hclspec.Begun || p.Kind == hclspec.ClockOff || p.Kind == hclspec.Held && p.Marked || IsWatcher(net) && (p.Name == "dormant" || p.Kind == hclspec.FlagFalse)
}
