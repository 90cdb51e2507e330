package bpmn

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/hclspec/load"
)

// words lists what can be seen within so many steps, by sets of states: next lists what can happen in a state.
func words[S any](start S, key func(S) string, next func(S) ([]string, []S, []bool), steps int) []string {
	seen := map[string]bool{}
	type step struct {
		names []string
		after []S
		ok    []bool
	}
	known := map[string]step{}
	again := next
	next = func(s S) ([]string, []S, []bool) {
		k := key(s)
		v, ok := known[k]
		if !ok {
			v.names, v.after, v.ok = again(s)
			known[k] = v
		}
		return v.names, v.after, v.ok
	}
	closure := func(states map[string]S, word string) {
		rest := slices.Collect(maps.Values(states))
		for len(rest) > 0 {
			s := rest[0]
			rest = rest[1:]
			names, after, ok := next(s)
			for i, name := range names {
				if name != "" {
					continue
				}
				if !ok[i] {
					seen[word+", contact"] = true
				} else if k := key(after[i]); !has(states, k) {
					states[k] = after[i]
					rest = append(rest, after[i])
				}
			}
		}
	}
	var follow func(states map[string]S, word string, left int)
	follow = func(states map[string]S, word string, left int) {
		closure(states, word)
		if seen[word] = true; left == 0 {
			return
		}
		by := map[string]map[string]S{}
		for _, s := range states {
			names, after, ok := next(s)
			for i, name := range names {
				switch {
				case name == "":
				case !ok[i]:
					seen[word+", "+name+", contact"] = true
				default:
					if by[name] == nil {
						by[name] = map[string]S{}
					}
					by[name][key(after[i])] = after[i]
				}
			}
		}
		for name, states := range by {
			follow(states, word+", "+name, left-1)
		}
	}
	follow(map[string]S{key(start): start}, "begin", steps)
	return slices.Sorted(maps.Keys(seen))
}

func has[S any](m map[string]S, k string) bool {
	_, ok := m[k]
	return ok
}

// TestTokenGameOfScopes: what can be seen of a contract is what can be seen of the drawing, by the token game played on the drawing itself: sub-processes, events at borders, errors, ends at
// once, and any number of branches. What is not seen is that something is over, or cleared after it was broken off.
func TestTokenGameOfScopes(t *testing.T) {
	met := map[string]int{}
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 9))
		count := 0
		k := sketchScope(r, &count, 2)
		k.settle(nil, 0)
		var b strings.Builder
		k.text(&b)
		text := bpmn(`<process id="p">` + b.String() + `</process>`)
		out, diags, err := Import(strings.NewReader(text), "x.bpmn", "x", 1)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if out == nil {
			met["refused"]++
			if !strings.Contains(told(diags), "joins flows that no single gateway splits") {
				t.Fatalf("seed %d: %s", seed, told(diags))
			}
			continue
		}
		c := load.Text(map[string][]byte{"x.contract.hcl": out}, ".", nil).Contract
		if c == nil {
			t.Fatalf("seed %d:\n%s", seed, out)
		}
		start := marking{}
		for _, p := range c.Parties[0].Places {
			if p.Marked {
				start[p.Name] = true
			}
		}
		moves := written(t, c)
		have := words(start, func(m marking) string { return strings.Join(slices.Sorted(maps.Keys(m)), " ") }, func(m marking) (names []string, after []marking, ok []bool) {
			for _, v := range moves {
				if next, can := m.after(v); can {
					name, _, _ := strings.Cut(v.called, "{") // of a transition of each value
					if strings.Contains(name, " is over") || strings.Contains(name, "broken off") {
						name = ""
					}
					names, after, ok = append(names, name), append(after, next), append(ok, next != nil)
				}
			}
			return names, after, ok
		}, 5)
		want := words(begun(), (*game).key, func(g *game) (names []string, after []*game, ok []bool) {
			for _, v := range k.turns(g, true) {
				if v.raised && v.after != nil { // nothing catches it
					v.after.over = true
				}
				names, after, ok = append(names, v.name), append(after, v.after), append(ok, v.after != nil)
			}
			return names, after, ok
		}, 5)
		for _, kind := range []string{"subProcess", "boundaryEvent", `cancelActivity="false"`, "errorEventDefinition", "terminateEventDefinition", "inclusiveGateway"} {
			if strings.Contains(text, kind) {
				met[kind]++
			}
		}
		if met["read"]++; !slices.Equal(have, want) {
			more, less := minus(have, want), minus(want, have)
			t.Fatalf("seed %d: %d words, want %d\n%s\nmore:\n%s\nless:\n%s", seed, len(have), len(want), text, strings.Join(more[:min(5, len(more))], "\n"), strings.Join(less[:min(5, len(less))], "\n"))
		}
	}
	for kind, n := range met {
		if n < 20 && kind != "refused" || n > 200 && kind == "refused" {
			t.Errorf("%s: %d drawings", kind, n)
		}
	}
	t.Log(met)
}

func minus(a, b []string) (all []string) {
	for _, s := range a {
		if _, found := slices.BinarySearch(b, s); !found {
			all = append(all, s)
		}
	}
	return all
}
