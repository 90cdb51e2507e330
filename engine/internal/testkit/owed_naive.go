package testkit

import (
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
)

// What an observer sees of a draft, from the definitions: a transition system with words on its arcs and a label on each state, which says
// how each norm stands that the observer observes.

// LabelledModel is a draft as one observer sees it.
type LabelledModel struct {
	draft    *compile.Draft
	markings []petri.Marking
	Labels   []map[string]string // by state and norm; a norm that is not live has no entry
	texts    []string            // of labels, once they are asked for
	Arcs     [][]Labelled        // "" is not observed
}

// label is the labels as text.
func (m *LabelledModel) label(s int) string {
	if m.texts == nil {
		for _, l := range m.Labels {
			m.texts = append(m.texts, fmt.Sprint(l))
		}
	}
	return m.texts[s]
}

// quiet reports whether a step from a state can go unnoticed.
func (m *LabelledModel) quiet(s int, a Labelled) bool {
	return a.Name == "" && m.label(a.To) == m.label(s)
}

// LabelledOf returns a draft as who sees it; "" sees all. also names what is seen besides.
func LabelledOf(d *compile.Draft, who string, times bool, most int, also map[string]bool) *LabelledModel {
	m := &LabelledModel{draft: d, markings: []petri.Marking{d.Net.Initial}}
	at := map[string]int{fmt.Sprint(d.Net.Initial): 0}
	for s := 0; s < len(m.markings); s++ {
		var arcs []Labelled
		ticks := false
		for _, step := range d.Net.Steps(m.markings[s], petri.One) {
			next, contact := d.Net.Fire(m.markings[s], step)
			if contact >= 0 || len(m.markings) > most {
				return nil
			}
			key := fmt.Sprint(next)
			if _, known := at[key]; !known {
				at[key] = len(m.markings)
				m.markings = append(m.markings, next)
			}
			t := d.Net.Transitions[step[0]]
			ticks = ticks || t.Moving
			name := ""
			if who == "" || t.Moving || also[t.Name] || sees(d, who, t) {
				name = t.Name
			}
			arcs = append(arcs, Labelled{name, at[key]})
		}
		if times && !ticks && !dueIn(d, m.markings[s]) {
			arcs = append(arcs, Labelled{"tick", s})
		}
		m.Arcs, m.Labels = append(m.Arcs, arcs), append(m.Labels, normStatesOf(d, m.markings[s], who))
	}
	return m
}

// sees reports whether a party takes part in a transition, or it changes a norm that the party bears or is owed, or ends the contract.
func sees(d *compile.Draft, who string, t petri.Transition) bool {
	own := map[string]bool{"contract": true}
	for _, n := range d.Spec.Norms {
		for _, of := range slices.Concat(n.Bearers, n.Counterparties) {
			own[n.Name] = own[n.Name] || slices.ContainsFunc(of.Parties, func(p *hclspec.Party) bool { return p.Name == who })
		}
	}
	return slices.ContainsFunc(t.Parts, func(p petri.Part) bool { return d.Net.Places[partPlace(d, p.Net)].Net == who }) ||
		slices.ContainsFunc(t.Moves, func(v petri.Move) bool { return own[d.Net.Places[v.To].Net] })
}

// SeenInOne returns the names of what both drafts have and a party sees in one of them alone.
func SeenInOne(base, head *compile.Draft, who string) map[string]bool {
	var all [2]map[string]bool
	for i, d := range []*compile.Draft{base, head} {
		all[i] = map[string]bool{}
		for _, t := range d.Net.Transitions {
			all[i][t.Name] = all[i][t.Name] || sees(d, who, t)
		}
	}
	maps.DeleteFunc(all[0], func(name string, seen bool) bool {
		other, known := all[1][name]
		return !known || other == seen
	})
	for name := range all[0] {
		all[0][name] = true
	}
	return all[0]
}

// dueIn reports whether an event is due by itself, so that no time passes.
func dueIn(d *compile.Draft, m petri.Marking) bool {
	at := d.PlacesAt()
	return slices.ContainsFunc(d.Urgent(), func(e *hclspec.Event) bool { return m.Has(at[e.Due.Now]) })
}

// partPlace is a place of a net that has some; a net without is the last one, time, which is named otherwise.
func partPlace(d *compile.Draft, net int) int {
	for i, p := range d.Net.Places {
		if p.Net == netName(d, net) {
			return i
		}
	}
	return 0
}

// netName is the name of a net: they are in canonical order.
func netName(d *compile.Draft, net int) string {
	var names []string
	for _, p := range d.Spec.Parties {
		names = append(names, p.Name)
	}
	slices.Sort(names)
	return names[net]
}

// normStatesOf reads the states of norms from the names of marked places.
func normStatesOf(d *compile.Draft, m petri.Marking, who string) map[string]string {
	marked := map[string]bool{}
	for _, p := range m {
		marked[d.Net.Places[p].String()] = true
	}
	label := map[string]string{}
	for _, n := range d.Spec.Norms {
		bearer, to, seen := "", "", who == ""
		for _, side := range []struct {
			now     *string
			tenures []hclspec.Tenure
		}{{&bearer, n.Bearers}, {&to, n.Counterparties}} {
			for _, t := range side.tenures {
				if t.While == nil || marked[n.Name+"."+t.While.Name] {
					*side.now = t.String()
				}
				seen = seen || slices.ContainsFunc(t.Parties, func(p *hclspec.Party) bool { return p.Name == who })
			}
		}
		if !seen {
			continue
		}
		for _, state := range []string{"owed", "in_force", "given", "held", "breached", "suspended"} {
			if !marked[n.Name+"."+state] {
				continue
			}
			ticks := 0
			for i := 1; i < 10; i++ {
				if marked[fmt.Sprintf("%s.left-%d", n.Name, i)] || marked[fmt.Sprintf("%s.kept-%d", n.Name, i)] {
					ticks = i
				}
			}
			label[n.Name] = fmt.Sprint(n.Kind, " ", finding.NormState{State: state, Bearer: bearer, Counterparty: to, Ticks: ticks}.Words("", nil))
		}
	}
	if marked["contract.ended"] {
		label["contract"] = fmt.Sprint("contract ", finding.NormState{State: "ended"}.Words("", nil))
	}
	return label
}

// silent adds to some states what is reached by steps of which nothing is observed, neither a word nor another label.
func (m *LabelledModel) silent(states []int) []int {
	all := slices.Clone(states)
	for i := 0; i < len(all); i++ {
		for _, a := range m.Arcs[all[i]] {
			if m.quiet(all[i], a) && !slices.Contains(all, a.To) {
				all = append(all, a.To)
			}
		}
	}
	slices.Sort(all)
	return all
}

// letters are what can be observed of the next step from some states, and where each leads.
func (m *LabelledModel) letters(states []int) map[string][]int {
	next := map[string][]int{}
	for _, s := range states {
		for _, a := range m.Arcs[s] {
			if m.quiet(s, a) {
				continue
			}
			letter := a.Name + "/" + m.label(a.To)
			next[letter] = append(next[letter], a.To)
		}
	}
	for l, list := range next {
		slices.Sort(list)
		next[l] = m.silent(slices.Compact(list))
	}
	return next
}

// After returns the states after some words, without those that no arc has.
func (m *LabelledModel) After(words []string) []int {
	bare := m.Steps()
	at := bare.silent([]int{0})
	for _, w := range words {
		if w != "" && slices.ContainsFunc(m.Arcs, func(arcs []Labelled) bool {
			return slices.ContainsFunc(arcs, func(a Labelled) bool { return a.Name == w })
		}) {
			at = bare.letters(at)[w+"/"+bare.label(0)]
		}
	}
	return at
}

// refusesSome reports whether a has a sequence of letters that b has not.
func refusesSome(a, b *LabelledModel) bool {
	if a.label(0) != b.label(0) {
		return true
	}
	type pair struct{ own, other []int }
	queue := []pair{{a.silent([]int{0}), b.silent([]int{0})}}
	seen := map[string]bool{}
	for ; len(queue) > 0; queue = queue[1:] {
		p := queue[0]
		if key := fmt.Sprint(p); seen[key] {
			continue
		} else {
			seen[key] = true
		}
		mine, theirs := a.letters(p.own), b.letters(p.other)
		for _, l := range slices.Sorted(maps.Keys(mine)) {
			if len(theirs[l]) == 0 {
				return true
			}
			queue = append(queue, pair{mine[l], theirs[l]})
		}
	}
	return false
}

// branching reports whether two models are branching bisimilar with explicit divergence, states of other labels never being related:
// the greatest such relation on both together, pairs that break the definition taken away (R. van Glabbeek, B. Luttik, N. Trčka 2009,
// Branching bisimilarity with explicit divergence, definition 2.2 with condition D2).
func branching(a, b *LabelledModel) bool {
	u := &LabelledModel{Labels: slices.Concat(a.Labels, b.Labels), Arcs: slices.Clone(a.Arcs)}
	n := len(a.Arcs)
	for _, arcs := range b.Arcs {
		var moved []Labelled
		for _, x := range arcs {
			moved = append(moved, Labelled{x.Name, x.To + n})
		}
		u.Arcs = append(u.Arcs, moved)
	}
	silent := slices.ContainsFunc(u.Arcs, func(arcs []Labelled) bool {
		return slices.ContainsFunc(arcs, func(a Labelled) bool { return a.Name == "" })
	})
	rel := make([][]bool, len(u.Arcs))
	for s := range rel {
		rel[s] = make([]bool, len(u.Arcs))
		for t := range rel[s] {
			rel[s][t] = u.label(s) == u.label(t)
		}
	}
	quiet := make([][]int, len(u.Arcs)) // what is reached in silence
	for s := range quiet {
		quiet[s] = u.silent([]int{s})
	}
	for again := true; again; {
		again = false
		for s := range rel {
			for t := range rel {
				if rel[s][t] && (!u.follows(rel, quiet, s, t) || !u.follows(rel, quiet, t, s) || silent && (u.idles(rel, s, t) || u.idles(rel, t, s))) {
					rel[s][t], rel[t][s], again = false, false, true
				}
			}
		}
	}
	return rel[0][n]
}

// follows: each step of s is silent and leads to an equal of t, or t can do it after silent steps to an equal of s.
func (m *LabelledModel) follows(rel [][]bool, quiet [][]int, s, t int) bool {
	for _, a := range m.Arcs[s] {
		if a.Name == "" && rel[a.To][t] {
			continue
		}
		found := false
		for _, u := range quiet[t] {
			found = found || rel[s][u] && slices.ContainsFunc(m.Arcs[u], func(b Labelled) bool { return b.Name == a.Name && rel[a.To][b.To] })
		}
		if !found {
			return false
		}
	}
	return true
}

// idles: s can go on in silence for ever among equals of t, and t can't do one silent step to an equal of any state on the way.
func (m *LabelledModel) idles(rel [][]bool, s, t int) bool {
	rest := make([]bool, len(m.Arcs))
	for x := range m.Arcs {
		rest[x] = rel[x][t]
	}
	for again := true; again; { // what is left can go on for ever
		again = false
		for x := range m.Arcs {
			if rest[x] && !slices.ContainsFunc(m.Arcs[x], func(a Labelled) bool { return a.Name == "" && rest[a.To] }) {
				rest[x], again = false, true
			}
		}
	}
	if !rest[s] {
		return false
	}
	reach := []int{s}
	for i := 0; i < len(reach); i++ {
		for _, a := range m.Arcs[reach[i]] {
			if a.Name == "" && rest[a.To] && !slices.Contains(reach, a.To) {
				reach = append(reach, a.To)
			}
		}
	}
	for _, y := range m.silent([]int{t}) {
		for _, a := range m.Arcs[y] {
			if m.quiet(y, a) && slices.ContainsFunc(reach, func(x int) bool { return rel[x][a.To] }) {
				return false
			}
		}
	}
	return true
}

// RelationOfLabelled compares two models from the definitions.
func RelationOfLabelled(base, head *LabelledModel) delta.Relation {
	if branching(base, head) {
		return delta.Same
	}
	more, less := refusesSome(head, base), refusesSome(base, head)
	switch {
	case more && less:
		return delta.Both
	case more:
		return delta.More
	case less:
		return delta.Less
	}
	return delta.Otherwise
}

// Steps is a model without its labels.
func (m *LabelledModel) Steps() *LabelledModel {
	return &LabelledModel{draft: m.draft, markings: m.markings, Labels: make([]map[string]string, len(m.Labels)), Arcs: m.Arcs}
}

// Fates is a model without the ticks in its labels.
func (m *LabelledModel) Fates() *LabelledModel {
	f := &LabelledModel{draft: m.draft, markings: m.markings, Arcs: m.Arcs}
	for _, l := range m.Labels {
		bare := map[string]string{}
		for norm, stands := range l {
			bare[norm] = Fate(stands)
		}
		f.Labels = append(f.Labels, bare)
	}
	return f
}

// Fate returns the state of a norm without its ticks.
func Fate(stands string) string { return ticksLeft.ReplaceAllString(stands, "") }

var ticksLeft = regexp.MustCompile(`, \d+ ticks? left$`)

// Differing finds, of each norm that after the same words stands on one side as it can't on the other, the number of words of a shortest
// such sequence; by side and norm.
func Differing(base, head *LabelledModel) (length [2]map[string]int) {
	length = [2]map[string]int{{}, {}}
	for side, norms := range DifferingStates(base, head) {
		for norm, states := range norms {
			length[side][norm] = slices.Min(slices.Collect(maps.Values(states)))
		}
	}
	return length
}

// DifferingStates finds the same of each state of each norm.
func DifferingStates(base, head *LabelledModel) (length [2]map[string]map[string]int) {
	length = [2]map[string]map[string]int{{}, {}}
	both := [2]*LabelledModel{base, head}
	type place struct {
		words int
		at    [2][]int
	}
	bare := [2]*LabelledModel{base.Steps(), head.Steps()}
	queue := []place{{0, [2][]int{bare[0].silent([]int{0}), bare[1].silent([]int{0})}}}
	seen := map[string]bool{}
	for ; len(queue) > 0; queue = queue[1:] {
		p := queue[0]
		if key := fmt.Sprint(p.at); seen[key] {
			continue
		} else {
			seen[key] = true
		}
		for side := range both {
			mine, theirs := both[side].normStates(p.at[side]), both[1-side].normStates(p.at[1-side])
			for norm := range union(mine, theirs) {
				for s := range mine[norm] {
					if _, had := length[side][norm][s]; had || theirs[norm][s] {
						continue
					}
					if length[side][norm] == nil {
						length[side][norm] = map[string]int{}
					}
					length[side][norm][s] = p.words
				}
			}
		}
		ours, theirs := bare[0].letters(p.at[0]), bare[1].letters(p.at[1])
		for _, l := range slices.Sorted(maps.Keys(ours)) {
			if len(theirs[l]) > 0 {
				queue = append(queue, place{p.words + 1, [2][]int{ours[l], theirs[l]}})
			}
		}
	}
	return length
}

func union(a, b map[string]map[string]bool) map[string]bool {
	all := map[string]bool{}
	for _, m := range []map[string]map[string]bool{a, b} {
		for k := range m {
			all[k] = true
		}
	}
	for k := range all { // a norm that is in no state of one side is absent there
		for _, m := range []map[string]map[string]bool{a, b} {
			if m[k] == nil {
				m[k] = map[string]bool{"": true}
			}
		}
	}
	return all
}

// normStates returns the states of each norm in some states of the model. It leaves out a norm that is live in none of them.
func (m *LabelledModel) normStates(states []int) map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for _, s := range states {
		for norm := range m.Labels[s] {
			all[norm] = map[string]bool{}
		}
	}
	for norm := range all {
		for _, s := range states {
			all[norm][m.Labels[s][norm]] = true
		}
	}
	return all
}

// normName is a norm of base by the name that it has on head, as the labels of base are to be compared.
func RenamedNorms(m *LabelledModel, names *diff.Names, norms []*hclspec.Norm) {
	for _, label := range m.Labels {
		for _, n := range norms {
			now, kept := names.Head(diff.NormElement(n.Kind), n.Name)
			if stands, live := label[n.Name]; live && kept && now != n.Name {
				delete(label, n.Name)
				label[now] = stands
			}
		}
	}
}
