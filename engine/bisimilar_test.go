package engine_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine"
)

// bisimilar reports whether two drafts have bisimilar state models, arcs being told apart by the events
// that happen, without their index, and by the transitions that fire alone, in letters and digits only:
// purchaser[0].ready and purchaser0.ready are one. It refines the
// coarsest partition of both models together until nothing splits (Kanellakis, Smolka 1990, CCS
// expressions, finite state processes, and three problems of equivalence, the naive method).
func bisimilar(t *rapid.T, a, b *engine.Draft) bool {
	ga, gb := arcsOf(t, a), arcsOf(t, b)
	all := slices.Concat(ga, gb)
	for i := len(ga); i < len(all); i++ {
		for k := range all[i] {
			all[i][k].to += len(ga)
		}
	}
	block := make([]int, len(all))
	for classes := 1; ; {
		next, ids := make([]int, len(all)), map[string]int{}
		for s, arcs := range all {
			key := signature(block[s], arcs, block)
			if _, ok := ids[key]; !ok {
				ids[key] = len(ids)
			}
			next[s] = ids[key]
		}
		block = next
		if len(ids) == classes {
			return block[0] == block[len(ga)]
		}
		classes = len(ids)
	}
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

func arcsOf(t *rapid.T, d *engine.Draft) [][]labelled {
	g, err := d.Explore(context.Background(), engine.Budget{})
	if err != nil {
		t.Fatal(err)
	}
	all := make([][]labelled, g.Len())
	for s := range all {
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
	return all
}
