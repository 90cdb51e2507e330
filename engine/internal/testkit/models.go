package testkit

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/internal/naive"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/hclspec"
)

// Bisimilar reports whether two drafts have bisimilar state models, arcs being told apart by the events
// that happen, without their index, and by the transitions that fire alone, in letters and digits only:
// purchaser[0].ready and purchaser0.ready are one. States are told apart by whether the places of same are marked,
// the first of each pair in a, the second in b. It refines the
// coarsest partition of both models together until nothing splits (Kanellakis, Smolka 1990, CCS
// expressions, finite state processes, and three problems of equivalence, the naive method).
func Bisimilar(t *rapid.T, a, b *compile.Draft, same ...[2]string) bool {
	ga, blockA := arcsOf(t, a, column(same, 0))
	gb, blockB := arcsOf(t, b, column(same, 1))
	all := slices.Concat(ga, gb)
	for i := len(ga); i < len(all); i++ {
		for k := range all[i] {
			all[i][k].To += len(ga)
		}
	}
	block := numbered(append(blockA, blockB...))
	for classes := slices.Max(block) + 1; ; {
		var keys []string
		for s, arcs := range all {
			keys = append(keys, signature(block[s], arcs, block))
		}
		block = numbered(keys)
		now := slices.Max(block) + 1
		if now == classes {
			return block[0] == block[len(ga)]
		}
		classes = now
	}
}

func column(pairs [][2]string, i int) []string {
	var list []string
	for _, p := range pairs {
		list = append(list, p[i])
	}
	return list
}

// numbered gives equal keys one number, from 0 on.
func numbered(keys []string) []int {
	list, ids := make([]int, len(keys)), map[string]int{}
	for i, key := range keys {
		if _, ok := ids[key]; !ok {
			ids[key] = len(ids)
		}
		list[i] = ids[key]
	}
	return list
}

type Labelled struct {
	Name string
	To   int
}

func signature(own int, arcs []Labelled, block []int) string {
	var list []string
	for _, a := range arcs {
		list = append(list, fmt.Sprintf("%s>%d", a.Name, block[a.To]))
	}
	slices.Sort(list)
	return fmt.Sprint(own, slices.Compact(list))
}

var index, unreadable = regexp.MustCompile(`(\[|-)[0-9]+\]?$`), regexp.MustCompile(`[^a-z0-9]`)

func plain(name string) string {
	return unreadable.ReplaceAllString(index.ReplaceAllString(name, ""), "")
}

// arcsOf lists each state's arcs, and which of these places are marked in it.
func arcsOf(t *rapid.T, d *compile.Draft, places []string) ([][]Labelled, []string) {
	g, err := space.Explore(context.Background(), d.Net, d.Rule, space.Limits{}) // what has happened counts
	if err != nil {
		t.Fatal(err)
	}
	var at []int
	for _, name := range places {
		i := slices.IndexFunc(d.Net.Places, func(p petri.Place) bool { return p.String() == name })
		if i < 0 {
			t.Fatalf("there is no place %s", name)
		}
		at = append(at, i)
	}
	all, marked := make([][]Labelled, g.Len()), make([]string, g.Len())
	for s := range all {
		for _, p := range at {
			marked[s] += fmt.Sprint(g.Marking(s).Has(p), " ")
		}
		steps := g.Steps(s)
		for i, to := range g.Succ(s) {
			var names []string
			for _, fired := range steps[i] {
				names = append(names, plain(d.Net.Transitions[fired].Name))
			}
			slices.Sort(names)
			all[s] = append(all[s], Labelled{strings.Join(names, "+"), int(to)})
		}
	}
	return all, marked
}

// ProgressOf reads the definition: an act changes something.
func ProgressOf(d *compile.Draft, ideal bool, names []string, markings []petri.Marking) naive.Fairness {
	nets := netNames(d)
	barred := make([]bool, len(d.Net.Transitions)) // nobody has to do it on ideal runs
	for t := range barred {
		barred[t] = ideal && forbidden(d, t)
	}
	act := func(actor, s, t int) bool {
		tr := d.Net.Transitions[t]
		if barred[t] || !d.Net.Fireable(markings[s], t) {
			return false
		}
		after, _ := d.Net.Fire(markings[s], []int{t})
		return !slices.Equal(d.Present(after), d.Present(markings[s])) && slices.ContainsFunc(tr.Parts, func(p petri.Part) bool {
			return nets[p.Net] == names[actor]
		})
	}
	return naive.Fairness{
		Actors: len(names),
		Can: func(k, s int) bool {
			for t := range d.Net.Transitions {
				if act(k, s, t) {
					return true
				}
			}
			return false
		},
		Acts: func(k, s, arc int) bool {
			return slices.ContainsFunc(d.Net.Steps(markings[s], d.Rule)[arc], func(t int) bool { return act(k, s, t) })
		},
	}
}

// ExploreForProgress is exploreNaively, with the markings.
func ExploreForProgress(d *compile.Draft) (naive.Graph, []petri.Marking, bool) {
	g, oneSafe := ExploreNaively(d)
	if !oneSafe {
		return g, nil, false
	}
	markings := []petri.Marking{d.Net.Initial}
	for s := 0; s < len(markings); s++ {
		for i, step := range d.Net.Steps(markings[s], d.Rule) {
			next, _ := d.Net.Fire(markings[s], step)
			if g.Succ[s][i] == len(markings) {
				markings = append(markings, next)
			}
		}
	}
	return g, markings, true
}

// MarkingsOf explores a net naively, within a limit.
func MarkingsOf(n *petri.Net) []petri.Marking {
	list := []petri.Marking{n.Initial}
	seen := map[string]bool{fmt.Sprint(n.Initial): true}
	for i := 0; i < len(list); i++ {
		for _, step := range n.Steps(list[i], petri.One) {
			next, _ := n.Fire(list[i], step)
			if key := fmt.Sprint(next); !seen[key] {
				seen[key] = true
				list = append(list, next)
			}
		}
	}
	return list
}

// ExploreNaively reports whether the net is one-safe, and its state model if so.
func ExploreNaively(d *compile.Draft) (naive.Graph, bool) {
	markings := []petri.Marking{d.Net.Initial}
	at := map[string]int{fmt.Sprint(markings[0]): 0}
	g := naive.Graph{Holds: func(s, p int) bool { return slices.Contains(markings[s], p) }}
	for s := 0; s < len(markings); s++ {
		var succ []int
		for _, step := range d.Net.Steps(markings[s], d.Rule) {
			next, contact := d.Net.Fire(markings[s], step)
			if contact >= 0 {
				return g, false
			}
			key := fmt.Sprint(next)
			if _, ok := at[key]; !ok {
				at[key] = len(markings)
				markings = append(markings, next)
			}
			succ = append(succ, at[key])
		}
		g.Succ = append(g.Succ, succ)
	}
	return g, true
}

// netNames lists the nets in the order in which parts count them.
func netNames(d *compile.Draft) (nets []string) {
	for _, p := range d.Spec.Parties {
		nets = append(nets, p.Name)
	}
	slices.SortFunc(nets, hclspec.Natural)
	return nets
}
