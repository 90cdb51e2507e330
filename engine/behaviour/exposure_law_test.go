package behaviour_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
)

// TestExposureLaw: a party that has fulfilled an obligation is exposed after a run on which the other owes it something, or has breached that and neither
// repaired it nor performed it since. Runs are followed one step at a time, with a list of the breaches that nothing has made up for yet, and of the
// obligations that were performed before they were owed.
func TestExposureLaw(t *testing.T) {
	draws.SkipForRaces(t)
	each := 400
	if draws.All() {
		each = 4000
	}
	exposed, late, never, waits, limited, early := 0, 0, 0, 0, 0, 0
	for n := range each {
		text := drawExchange(rand.New(rand.NewPCG(7, uint64(n))))
		d := testkit.DraftOf(t, text)
		model := debtsOf(d)
		if model == nil {
			continue
		}
		always := strings.ReplaceAll(text, `state "s0" {}`, `state "s0" { exposed = true }`) // so that the review has both parties
		review := blame.Compare(t.Context(), d, testkit.DraftOf(t, always), finding.Budget{Jobs: 1})
		for _, party := range []string{"a", "b"} {
			want := model.exposes(party)
			got := *review.Difference.Exposure[slices.IndexFunc(review.Difference.Exposure, func(e finding.Exposure) bool { return e.Party == party })].Base
			if d.Rule == petri.All {
				got.From, got.To, want.From, want.To = nil, nil, nil, nil
			}
			if l := got.Lasts; l != nil {
				waits += min(1, l.Least)
				limited += min(1, l.Most)
			}
			if lasts := fmt.Sprintf("%+v", got.Lasts); lasts != fmt.Sprintf("%+v", model.lasts(want)) {
				t.Fatalf("%d, %s: %+v, naively %+v\n%s", n, party, got.Lasts, model.lasts(want), text)
			}
			got.Lasts, got.By, got.Stuck = nil, nil, nil // TestExposureAgainstNaive has by whom
			if got.Apart > got.States || (got.Apart > 0) != (got.States > 0) || got.None && got.States > 0 {
				t.Fatalf("%d, %s: %+v\n%s", n, party, got, text)
			}
			early += map[bool]int{true: 1}[want.Early]
			got.Apart, got.None, got.Owes, got.Owed = 0, false, false, false // of which for-whom.txtar has cases
			if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
				t.Fatalf("%d, %s: %+v, naively %+v\n%s", n, party, got, want, text)
			}
			if want.States > 0 {
				exposed++
				never += map[bool]int{false: 1}[want.Ends]
			}
		}
		late += model.late
	}
	if exposed < each/3 || late < each/20 || never < each/20 || waits < each/100 || limited < each/50 || early < each/20 {
		t.Errorf("%d exposed, %d of them for ever, %d for some time at least, %d at most; %d acts make up for a breach; %d can perform early", exposed, never, waits, limited, late, early)
	}
}

// drawExchange draws two parties that owe each other something.
func drawExchange(r *rand.Rand) string {
	var b strings.Builder
	rule := r.IntN(8) / 7
	b.WriteString([]string{"contract \"c\" {}\n", "contract \"c\" { firing = all }\n"}[rule])
	once, kind := r.IntN(2) == 0, r.IntN(4) // what b does, it does once
	for _, name := range []string{"a", "b"} {
		fmt.Fprintf(&b, "party %q {\n  state \"s0\" {}\n  state \"s1\" {}\n  state \"s2\" {}\n", name)
		for e := range 4 {
			from, to := r.IntN(2), r.IntN(2)
			if once && name == "b" || kind == 2 {
				from, to = (e+1)%2, (e+1)%2+1
			}
			fmt.Fprintf(&b, "  transition \"t%d\" {\n    from = s%d\n    to   = s%d\n  }\n", e, from, to)
		}
		b.WriteString("}\n")
	}
	for e, who := range []string{"a", "b", "b", "a"} {
		fmt.Fprintf(&b, "event \"e%d\" {\n  sync = { %s = t%d }\n", e, who, e)
		if e == 1 && r.IntN(3) == 0 {
			fmt.Fprintf(&b, "  %s = { e0 = %d }\n", []string{"not_before", "after"}[r.IntN(2)*(1-rule)], 1+r.IntN(2))
		}
		b.WriteString("}\n")
	}
	one := func(name, bearer, to, fulfil string, free []int) {
		fmt.Fprintf(&b, "obligation %q {\n  bearer = %s\n  counterparty = %s\n  fulfil = %s\n", name, bearer, to, fulfil)
		began := false
		if len(free) > 0 && r.IntN(3) > 0 {
			fmt.Fprintf(&b, "  when = e%d\n", free[0])
			began, free = true, free[1:]
		}
		breakable := false
		if len(free) > 0 && r.IntN(3) == 0 {
			fmt.Fprintf(&b, "  breach = e%d\n", free[0])
			breakable, free = true, free[1:]
		}
		if len(free) > 0 && r.IntN(4) == 0 {
			fmt.Fprintf(&b, "  until = e%d\n", free[0])
		}
		if r.IntN(4) > 0 {
			fmt.Fprintf(&b, "  within = %d\n", 1+r.IntN(2))
			breakable = true
		}
		switch r.IntN(4) {
		case 0:
			b.WriteString("  times = 2\n")
			if r.IntN(2) == 0 || !began {
				b.WriteString("  every = 1\n")
			}
		case 1:
			if began && !strings.Contains(fulfil, "all") {
				b.WriteString("  at_most = 2\n")
			}
		}
		if name == "two" && breakable && r.IntN(4) == 0 {
			b.WriteString("  reparation = mend\n}\nobligation \"mend\" {\n  bearer = b\n  counterparty = a\n  fulfil = e2\n")
		}
		b.WriteString("}\n")
	}
	one("one", "a", "b", "e0", [][]int{nil, {3}, {1, 3}, {3, 1}}[r.IntN(4)])
	switch kind {
	case 0:
		one("two", "b", "a", "e1", [][]int{nil, {3}, {0, 3}, {3, 0, 2}}[r.IntN(4)])
	case 1:
		one("two", "b", "a", "[e1, e2]", [][]int{nil, {3}, {0, 3}}[r.IntN(3)])
	case 2:
		if rule == 0 {
			fmt.Fprintf(&b, "event \"settled\" {\n  after = { e0 = %d }\n}\n", 1+r.IntN(3))
			b.WriteString("obligation \"two\" {\n  bearer = b\n  counterparty = a\n  fulfil = e1\n  when = e0\n  until = settled\n}\n")
		}
	default:
		one("two", "b", "a", "all(e1, e2)", [][]int{nil, {3}, {0, 3}}[r.IntN(3)])
	}
	return b.String()
}

// A debt is a breach of an obligation that nothing has made up for: the acts that are missing, any of which is enough, or all of them.
type debt struct {
	of, missing string
}

// A past is what matters of a run: the debts, oldest first, and the obligations that were performed before they were owed.
type past struct {
	debts []debt
	early []string
}

// A debtsModel has what is in default after each run: a marking, and the pasts of the runs that lead there.
type debtsModel struct {
	d        *compile.Draft
	places   map[string]int // by name
	markings []petri.Marking
	pasts    map[int][]past // by marking
	arcs     map[int]map[int][]string
	passes   map[int]map[int]map[bool]bool // whether time passes from one marking to another
	in       []bool                        // by marking: the party asked for last is exposed
	late     int
}

func debtsOf(d *compile.Draft) *debtsModel {
	m := &debtsModel{d: d, places: map[string]int{}, pasts: map[int][]past{}, arcs: map[int]map[int][]string{}, passes: map[int]map[int]map[bool]bool{}}
	for i, p := range d.Net.Places {
		m.places[p.String()] = i
	}
	at, had := map[string]int{}, map[string]bool{}
	type node struct {
		at int
		past
	}
	var queue []node
	reach := func(next petri.Marking, past past) int {
		key := fmt.Sprint(next)
		if _, known := at[key]; !known {
			at[key] = len(m.markings)
			m.markings = append(m.markings, next)
		}
		if i := at[key]; !had[fmt.Sprint(i, past)] {
			had[fmt.Sprint(i, past)] = true
			m.pasts[i], queue = append(m.pasts[i], past), append(queue, node{i, past})
		}
		return at[key]
	}
	reach(d.Net.Initial, past{})
	for ; len(queue) > 0; queue = queue[1:] {
		s := queue[0]
		if len(had) > 5000 {
			return nil
		}
		for _, step := range d.Net.Steps(m.markings[s.at], d.Rule) {
			next, contact := d.Net.Fire(m.markings[s.at], step)
			if contact >= 0 {
				return nil
			}
			to := reach(next, m.after(s.past, m.markings[s.at], next, step))
			if m.arcs[s.at] == nil {
				m.arcs[s.at], m.passes[s.at] = map[int][]string{}, map[int]map[bool]bool{}
			}
			if m.passes[s.at][to] == nil {
				m.passes[s.at][to] = map[bool]bool{}
			}
			m.passes[s.at][to][slices.ContainsFunc(step, func(t int) bool { return d.Net.Transitions[t].Moving })] = true
			tr := d.Net.Transitions[step[0]] // of several all are said to turn it, or some: another test has which
			m.arcs[s.at][to] = append(m.arcs[s.at][to], strings.Replace(tr.Name, "tick", "time passes", 1))
		}
	}
	return m
}

// marked reports whether a place of a norm is marked.
func (m *debtsModel) marked(at petri.Marking, n *hclspec.Norm, place string) bool {
	p, there := m.places[n.Name+"."+place]
	return there && at.Has(p)
}

// after returns what is in default after a step, and what was performed early until then.
func (m *debtsModel) after(p past, was, now petri.Marking, step []int) past {
	debts, early := slices.Clone(p.debts), slices.Clone(p.early)
	var acts []string
	for _, t := range step {
		if tr := m.d.Net.Transitions[t]; tr.Event >= 0 {
			acts = append(acts, m.d.Events[tr.Event].Name)
		}
	}
	for _, of := range []string{"one", "two", "mend"} {
		all := slices.DeleteFunc(slices.Clone(m.d.Spec.Norms), func(n *hclspec.Norm) bool { return n.Written() != of })
		binds := slices.ContainsFunc(all, func(n *hclspec.Norm) bool { return m.marked(was, n, "owed") })
		for _, act := range acts {
			if i := slices.IndexFunc(debts, func(x debt) bool { return x.of == of && slices.Contains(strings.Fields(x.missing), act) }); i >= 0 && !binds {
				m.late++
				left := strings.Fields(strings.ReplaceAll(" "+debts[i].missing+" ", " "+act+" ", " "))
				if debts[i].missing = strings.Join(left, " "); len(left) == 0 || all[0].Needs == nil {
					debts = slices.Delete(debts, i, i+1)
				}
			}
		}
		for _, n := range all {
			performs := slices.ContainsFunc(n.Acts, func(e *hclspec.Event) bool { return slices.Contains(acts, e.Name) })
			if performs && !binds && m.marked(was, n, "dormant") && !slices.Contains(early, of) {
				early = append(early, of)
			}
			if !m.marked(now, n, "breached") || m.marked(was, n, "breached") {
				continue
			}
			var missing []string
			for _, e := range n.Acts {
				if !m.marked(was, n, "done-"+e.Name+"_T") {
					missing = append(missing, e.Name)
				}
			}
			debts = append(debts, debt{of, strings.Join(missing, " ")})
		}
	}
	slices.Sort(early)
	return past{debts, early}
}

// bears reports whether a party has an obligation of which something holds.
func (m *debtsModel) bears(party string, so func(n *hclspec.Norm) bool) bool {
	return slices.ContainsFunc(m.d.Spec.Norms, func(n *hclspec.Norm) bool { return n.Bearer() == party && so(n) })
}

// isOwed reports whether a party is owed something in a marking, with some debts.
func (m *debtsModel) isOwed(party string, at petri.Marking, debts []debt) bool {
	is := func(n *hclspec.Norm) bool { return n.Bearer() == party }
	return slices.ContainsFunc(m.d.Spec.Norms, func(n *hclspec.Norm) bool {
		i := slices.IndexFunc(m.d.Spec.Norms, func(o *hclspec.Norm) bool { return n.Written() == "two" && o.Written() == "mend" && o.Nth == n.Nth })
		switch {
		case is(n):
			return false
		case m.marked(at, n, "owed"):
			return true
		case !m.marked(at, n, "breached"):
			return false
		case i >= 0:
			r := m.d.Spec.Norms[i]
			return !m.marked(at, r, "fulfilled") && !m.marked(at, r, "lifted")
		}
		return slices.ContainsFunc(debts, func(x debt) bool { return x.of == n.Written() })
	})
}

// exposes returns when a party is exposed.
func (m *debtsModel) exposes(party string) (e finding.Exposed) {
	in := make([]bool, len(m.markings))
	for s := range in {
		on := func(so func(p past) bool) bool { return slices.ContainsFunc(m.pasts[s], so) } // some run that leads here
		owed := on(func(p past) bool { return m.isOwed(party, m.markings[s], p.debts) })
		in[s] = owed && m.bears(party, func(n *hclspec.Norm) bool { return m.marked(m.markings[s], n, "fulfilled") })
		e.States += map[bool]int{true: 1}[in[s]]
		e.Early = e.Early || owed && !in[s] && on(func(p past) bool {
			return m.bears(party, func(n *hclspec.Norm) bool { return slices.Contains(p.early, n.Written()) })
		})
	}
	stays := slices.Clone(in) // on some run for ever, or to its end
	for again := true; again; {
		again = false
		for s := range stays {
			on := len(m.arcs[s]) == 0
			for next := range m.arcs[s] {
				on = on || stays[next]
			}
			if stays[s] && !on {
				stays[s], again = false, true
			}
		}
	}
	e.Of, e.Ends = len(in), !slices.Contains(stays, true)
	for s, arcs := range m.arcs {
		for next, names := range arcs {
			switch {
			case in[next] && !in[s]:
				e.From = append(e.From, names...)
			case in[s] && !in[next]:
				e.To = append(e.To, names...)
			}
		}
	}
	m.in = in
	slices.Sort(e.From)
	slices.Sort(e.To)
	e.From, e.To = slices.Compact(e.From), slices.Compact(e.To)
	return e
}

// lasts returns how long the exposure lasts that exposes has returned, by what every walk through it takes.
func (m *debtsModel) lasts(e finding.Exposed) *finding.Lasting {
	if e.States == 0 || !slices.ContainsFunc(m.d.Net.Transitions, func(t petri.Transition) bool { return t.Moving }) {
		return nil
	}
	l := finding.Lasting{Limited: e.Ends}
	for s, in := range m.in {
		running := m.due(m.markings[s])
		for _, ticks := range m.passes[s] {
			running = running || ticks[true]
		}
		l.Limited = l.Limited && (running || !in)
	}
	least := -1
	var walk func(s, ticks int, had []int)
	walk = func(s, ticks int, had []int) {
		if slices.Contains(had, s) || !l.Limited && least >= 0 && ticks >= least {
			return
		}
		for next, kinds := range m.passes[s] {
			for tick := range kinds {
				after := ticks + map[bool]int{true: 1}[tick]
				if m.in[next] {
					walk(next, after, append(had[:len(had):len(had)], s))
					continue
				}
				if least < 0 || after < least {
					least = after
				}
				l.Most = max(l.Most, after)
			}
		}
	}
	for s, in := range m.in {
		enters := in && s == 0
		for from := range m.arcs {
			_, leads := m.arcs[from][s]
			enters = enters || in && leads && !m.in[from]
		}
		if enters {
			walk(s, 0, nil)
		}
	}
	if !l.Limited {
		l.Most = 0
	}
	l.Least = max(0, least)
	return &l
}

// due reports whether an event that happens by itself is due, so that no time passes before it.
func (m *debtsModel) due(at petri.Marking) bool {
	return slices.ContainsFunc(m.d.Net.Transitions, func(t petri.Transition) bool {
		return t.Moving && slices.ContainsFunc(t.Read, func(p int) bool { return !at.Has(p) })
	})
}
