package smv_test

import (
	"bytes"
	"encoding/json"
	"iter"
	"maps"
	"regexp"
	"slices"
	"testing"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/smv"
)

// A protocol of the BSPL library, as the corpus has it.
type protocol struct {
	Published struct{ Safe, Live bool }
	States    int
	Nets      map[string]struct {
		Marked      []string
		Transitions map[string]struct{ Pre, Post []string }
	}
	Events       map[string]map[string]labels
	SafeFormulas []string `json:"safe_formulas"`
	LiveFormula  string   `json:"live_formula"`
}

// labels is one transition, or several that carry one label.
type labels []string

func (l *labels) UnmarshalJSON(raw []byte) error {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		*l = labels{one}
		return nil
	}
	return json.Unmarshal(raw, (*[]string)(l))
}

var words = regexp.MustCompile(`[A-Za-z][A-Za-z0-9_.-]*`)

// compose makes the nets and composes them; at finds a place by its name.
func (p *protocol) compose() (n *petri.Net, at map[string]int) {
	var nets []*petri.Net
	index, first := map[string]int{}, 0
	at = map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(p.Nets)) {
		index[name] = len(nets)
		net := &petri.Net{Name: name}
		place := func(s string) int {
			if _, known := at[s]; !known {
				at[s] = first + len(net.Places)
				net.Places = append(net.Places, petri.Place{Net: name, Name: s})
			}
			return at[s] - first
		}
		for _, s := range p.Nets[name].Marked {
			net.Initial = append(net.Initial, place(s))
		}
		for _, t := range slices.Sorted(maps.Keys(p.Nets[name].Transitions)) {
			of := p.Nets[name].Transitions[t]
			tr := petri.Transition{Name: t, Label: p.label(name, t)}
			for _, s := range of.Pre {
				if slices.Contains(of.Post, s) {
					tr.Read = append(tr.Read, place(s))
				} else {
					tr.In = append(tr.In, place(s))
				}
			}
			for _, s := range of.Post {
				if !slices.Contains(of.Pre, s) {
					tr.Out = append(tr.Out, place(s))
				}
			}
			for _, list := range [][]int{tr.In, tr.Out, tr.Read} {
				slices.Sort(list)
			}
			net.Transitions = append(net.Transitions, tr)
		}
		for _, f := range append(slices.Clone(p.SafeFormulas), p.LiveFormula) {
			for _, word := range words.FindAllString(f, -1) {
				if len(word) > len(name) && word[:len(name)+1] == name+"." {
					place(word)
				}
			}
		}
		slices.Sort(net.Initial)
		nets, first = append(nets, net), first+len(net.Places)
	}
	var events []petri.Event
	for _, name := range slices.Sorted(maps.Keys(p.Events)) {
		e := petri.Event{Name: name}
		for _, net := range slices.Sorted(maps.Keys(p.Events[name])) {
			e.Sync = append(e.Sync, petri.Sync{Net: index[net], Label: labelOf(p.Events[name][net])})
		}
		events = append(events, e)
	}
	return petri.Compose(nets, events), at
}

// label is what events call a transition.
func (p *protocol) label(net, t string) string {
	for _, name := range slices.Sorted(maps.Keys(p.Events)) {
		if l := p.Events[name][net]; slices.Contains(l, t) {
			return labelOf(l)
		}
	}
	return ""
}

func labelOf(l labels) string {
	text, _ := json.Marshal(slices.Sorted(slices.Values(l)))
	return string(text)
}

func (p *protocol) test(t *testing.T, file string) {
	t.Helper()
	n, at := p.compose()
	m := &smv.Model{Net: n, Title: file}
	for i, text := range append(slices.Clone(p.SafeFormulas), p.LiveFormula) {
		f, err := ctl.ParseTable1(text)
		if err != nil {
			t.Fatal(err)
		}
		for atom := range f.Atoms() {
			place, ok := at[atom.Name]
			if !ok {
				t.Fatalf("%s: no place %s", file, atom.Name)
			}
			atom.Place = place
		}
		m.Specs = append(m.Specs, smv.Spec{ID: "f-" + string(rune('a'+i)), Formula: f})
	}
	var b bytes.Buffer
	if err := smv.Write(&b, m); err != nil {
		t.Fatal(err)
	}
	verdicts, states, ok := rederived(t, b.String(), p.States+10)
	safe := true
	for i := range p.SafeFormulas {
		safe = safe && verdicts[m.Specs[i].ID]
	}
	if live := verdicts[m.Specs[len(p.SafeFormulas)].ID]; !ok || states != p.States || !verdicts["one-safe"] || safe != p.Published.Safe || live != p.Published.Live {
		t.Errorf("%s: %d states, safe %v, live %v; published %d, %v", file, states, safe, live, p.States, p.Published)
	}
}

func valuesOf(m map[string]bool) iter.Seq[bool] { return maps.Values(m) }
