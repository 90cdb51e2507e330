package engine_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// bisimilar reports whether two drafts have bisimilar state models, arcs being told apart by the events
// that happen, without their index, and by the transitions that fire alone, in letters and digits only:
// purchaser[0].ready and purchaser0.ready are one. States are told apart by whether the places of same are marked,
// the first of each pair in a, the second in b. It refines the
// coarsest partition of both models together until nothing splits (Kanellakis, Smolka 1990, CCS
// expressions, finite state processes, and three problems of equivalence, the naive method).
func bisimilar(t *rapid.T, a, b *engine.Draft, same ...[2]string) bool {
	ga, blockA := arcsOf(t, a, column(same, 0))
	gb, blockB := arcsOf(t, b, column(same, 1))
	all := slices.Concat(ga, gb)
	for i := len(ga); i < len(all); i++ {
		for k := range all[i] {
			all[i][k].to += len(ga)
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

type labelled struct {
	name string
	to   int
}

func signature(own int, arcs []labelled, block []int) string {
	var list []string
	for _, a := range arcs {
		list = append(list, fmt.Sprintf("%s>%d", a.name, block[a.to]))
	}
	slices.Sort(list)
	return fmt.Sprint(own, slices.Compact(list))
}

var index, unreadable = regexp.MustCompile(`(\[|-)[0-9]+\]?$`), regexp.MustCompile(`[^a-z0-9]`)

func plain(name string) string {
	return unreadable.ReplaceAllString(index.ReplaceAllString(name, ""), "")
}

// arcsOf lists each state's arcs, and which of these places are marked in it.
func arcsOf(t *rapid.T, d *engine.Draft, places []string) ([][]labelled, []string) {
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
	all, marked := make([][]labelled, g.Len()), make([]string, g.Len())
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
			all[s] = append(all[s], labelled{strings.Join(names, "+"), int(to)})
		}
	}
	return all, marked
}
