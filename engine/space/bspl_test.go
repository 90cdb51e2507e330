package space_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/redlinehq/redline/engine/internal/testnets"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec/examples/corpus"
)

// A protocol of the BSPL library, written as one net per party and per channel, with the size of
// its state model.
type protocol struct {
	States, Arcs int
	DeadEnds     int `json:"dead_ends"`
	Nets         map[string]struct {
		Marked      []string
		Transitions map[string]struct{ Pre, Post []string }
	}
	Events map[string]map[string]json.RawMessage // by event and net, a transition or a list of them
}

func TestProtocols(t *testing.T) {
	files, err := filepath.Glob(corpus.Need(t, "corpus/bspl") + "/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no protocols: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var p protocol
			if err := json.Unmarshal(text, &p); err != nil {
				t.Fatal(err)
			}
			g := testnets.Explore(t, p.compose(t), petri.One)
			if g.Len() != p.States || g.Arcs() != p.Arcs || g.DeadEnds() != p.DeadEnds {
				t.Errorf("%d states, %d arcs, %d dead ends, expected %d, %d, %d",
					g.Len(), g.Arcs(), g.DeadEnds(), p.States, p.Arcs, p.DeadEnds)
			}
		})
	}
}

func (p protocol) compose(t *testing.T) *petri.Net {
	names := slices.Sorted(maps.Keys(p.Nets))
	label, events := map[string]string{}, []petri.Event(nil)
	for _, event := range slices.Sorted(maps.Keys(p.Events)) {
		e := petri.Event{Name: event}
		for i, name := range names {
			if raw, ok := p.Events[event][name]; ok {
				e.Sync = append(e.Sync, petri.Sync{Net: i, Label: labels(t, label, name, raw)})
			}
		}
		events = append(events, e)
	}
	var nets []*petri.Net
	for _, name := range names {
		nets = append(nets, p.net(name, label))
	}
	n := petri.Compose(nets, events)
	if err := n.Sane(); err != nil {
		t.Fatal(err)
	}
	return n
}

// labels gives the transitions that one event names in one net one label, their first's name.
func labels(t *testing.T, label map[string]string, net string, raw json.RawMessage) string {
	var list []string
	if raw[0] != '[' {
		raw = fmt.Appendf(nil, "[%s]", raw)
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		t.Fatal(err)
	}
	if len(list) == 0 {
		return "nobody's" // and the event never happens
	}
	for _, name := range list {
		if have := label[net+"."+name]; have != "" && have != list[0] {
			t.Fatalf("%s.%s carries two labels, %s and %s", net, name, have, list[0])
		}
		label[net+"."+name] = list[0]
	}
	return list[0]
}

func (p protocol) net(name string, label map[string]string) *petri.Net {
	n, place := &petri.Net{Name: name}, map[string]int{}
	at := func(names []string) (places []int) {
		for _, p := range names {
			if _, ok := place[p]; !ok {
				place[p] = len(n.Places)
				n.Places = append(n.Places, petri.Place{Net: name, Name: p})
			}
			places = append(places, place[p])
		}
		slices.Sort(places)
		return places
	}
	n.Initial = at(p.Nets[name].Marked)
	for _, tr := range slices.Sorted(maps.Keys(p.Nets[name].Transitions)) {
		pre, post := at(p.Nets[name].Transitions[tr].Pre), at(p.Nets[name].Transitions[tr].Post)
		within := func(list []int, in bool) func(int) bool {
			return func(p int) bool { return slices.Contains(list, p) == in }
		}
		n.Transitions = append(n.Transitions, petri.Transition{
			Name: tr, Label: label[name+"."+tr], Event: -1,
			In:   slices.DeleteFunc(slices.Clone(pre), within(post, true)),
			Out:  slices.DeleteFunc(slices.Clone(post), within(pre, true)),
			Read: slices.DeleteFunc(slices.Clone(pre), within(post, false)),
		})
	}
	return n
}
