package compile

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/load"
)

// A Draft is one version of a contract, composed and ready to be checked. Its net is in canonical
// order (parties, places, transitions and events by name), so the order in which a drafter
// writes changes neither numbering nor traces.
type Draft struct {
	Path     string
	Source   *load.Source
	Spec     *hclspec.Contract // nil when the text is ill-formed
	Net      *petri.Net        // the composed net; nil likewise
	Rule     petri.Rule
	Final    *ctl.Formula   // nil when none is declared
	Formulas []*ctl.Formula // slot i belongs to requirement i; nil when it is ill-formed
	Digest   string         // of the meaning

	Parties     []*hclspec.Party  // by net
	Calls       map[string]string // what people call a party, by its name: see called
	Events      []*hclspec.Event  // by event of the composed net; one for each way it can happen
	AllPlaces   []*hclspec.Place  // by place of the composed net
	Owners      []*hclspec.Party  // by place of the composed net
	Transitions [][]*hclspec.Transition
	PlaceOf     map[string]int            // party.place and party.flag
	Counters    map[string][]int          // party.counter: its places, by value
	Held        map[string][]*ctl.Formula // document: the places of those who may hold it
	Meant       map[string]*ctl.Formula   // document.party, where that is no place
	History     map[string]int            // event: its history place, where a formula asks for one
	Broken      hcl.Diagnostics
	Reasons     []string // why formula i is nil
	Failure     string   // why Net is not the whole composition
	override    *petri.Rule
	Unnamed     string        // Digest, but for the contract's name
	Took        time.Duration // to read and compose
	lookup      *lookup
	Commons     *Memo // of contracts of one meaning, while an amendment of them is reviewed; else nil
}

// Compile composes a contract that has been read, and parses its formulas. What is wrong with the
// text is in the result of checking the draft. A rule that is not nil overrides the contract's own.
func Compile(src *load.Source, path string, rule *petri.Rule) *Draft {
	d, err := CompileWithin(context.Background(), src, path, rule)
	if err != nil {
		panic(err) // nothing else ends it
	}
	return d
}

// CompileWithin is Compile until a context ends; then the error is its cause.
func CompileWithin(ctx context.Context, src *load.Source, path string, rule *petri.Rule) (*Draft, error) {
	d := &Draft{Path: path, Source: src, override: rule}
	if src.Contract == nil {
		return d, nil
	}
	d.Spec = src.Contract
	d.Rule = ruleOf(d.Spec.Firing)
	if rule != nil {
		d.Rule = *rule
	}
	d.compose()
	d.index()
	d.tables()
	d.indexCounters()
	d.indexDocuments()
	d.formulas(ctx)
	d.digest(ctx)
	if ctx.Err() != nil { // then formulas are missing
		return nil, context.Cause(ctx)
	}
	return d, nil
}

// maxTransitions and maxParts bound the composed net, which grows with the product of shared
// labels. A composed transition has a part for each party it concerns.
const (
	maxTransitions = 1_000_000
	maxParts       = 4_000_000
)

// compose leaves Net without transitions, and says so in unbuilt, when there would be too many.
func (d *Draft) compose() {
	nets, events := d.nets(), d.sync()
	if d.Failure = tooLarge(nets, events); d.Failure != "" {
		events = nil
	}
	d.Net = petri.Compose(nets, events)
	d.watch()
}

// tooLarge says why the composed net can't be built; empty when it can.
func tooLarge(nets []*petri.Net, events []petri.Event) string {
	transitions, parts := new(big.Int), new(big.Int)
	for i, n := range petri.Combinations(nets, events) {
		transitions.Add(transitions, n)
		parts.Add(parts, n.Mul(n, big.NewInt(int64(len(events[i].Sync)))))
	}
	switch {
	case transitions.Cmp(big.NewInt(maxTransitions)) > 0:
		return fmt.Sprintf("the composed net would have %s transitions; the limit is %d", ShortNumber(transitions), maxTransitions)
	case parts.Cmp(big.NewInt(maxParts)) > 0:
		return fmt.Sprintf("the composed net would have %s transitions, put together from %s of the parties' own; the limit is %d of these",
			transitions, ShortNumber(parts), maxParts)
	}
	return ""
}

// ShortNumber writes a number, by its magnitude alone when it fills a line.
func ShortNumber(n *big.Int) string {
	if text := n.String(); len(text) > 20 {
		return fmt.Sprintf("more than 10^%d", len(text)-1)
	}
	return n.String()
}

// Unbuilt says why Net is not the whole composition; empty when it is.
func (d *Draft) Unbuilt() string { return d.Failure }

// nets turns each party into a component net.
func (d *Draft) nets() []*petri.Net {
	d.Parties = slices.Clone(d.Spec.Parties)
	slices.SortFunc(d.Parties, func(a, b *hclspec.Party) int { return finding.Natural(a.Name, b.Name) })
	nets := make([]*petri.Net, len(d.Parties))
	for i, p := range d.Parties {
		nets[i] = d.net(p)
	}
	return nets
}

func (d *Draft) net(p *hclspec.Party) *petri.Net {
	places := slices.Clone(p.Places)
	slices.SortFunc(places, func(a, b *hclspec.Place) int { return finding.Natural(a.Name, b.Name) })
	transitions := slices.Clone(p.Transitions)
	slices.SortFunc(transitions, func(a, b *hclspec.Transition) int { return finding.Natural(a.Name, b.Name) })
	n := &petri.Net{Name: p.Name}
	at := map[*hclspec.Place]int{}
	for i, place := range places {
		at[place] = i
		n.Places = append(n.Places, petri.Place{Net: p.Name, Name: place.Name})
		if place.Marked {
			n.Initial = append(n.Initial, i)
		}
	}
	for _, t := range transitions {
		n.Transitions = append(n.Transitions, petri.Transition{
			Name: SourceName(t), Label: t.Label, Event: -1,
			In: indices(t.Consume, at), Out: indices(t.Produce, at), Read: indices(t.Read, at),
		})
	}
	d.AllPlaces, d.Owners = append(d.AllPlaces, places...), append(d.Owners, slices.Repeat([]*hclspec.Party{p}, len(places))...)
	d.Transitions = append(d.Transitions, transitions)
	return n
}

func indices(places []*hclspec.Place, at map[*hclspec.Place]int) []int {
	var list []int
	for _, p := range places {
		list = append(list, at[p])
	}
	slices.Sort(list)
	return list
}

// sync turns the events into what Compose wants: an event for each way of happening.
func (d *Draft) sync() []petri.Event {
	events := slices.Clone(d.Spec.Events)
	slices.SortFunc(events, func(a, b *hclspec.Event) int { return finding.Natural(a.Name, b.Name) })
	at := map[*hclspec.Party]int{}
	for i, p := range d.Parties {
		at[p] = i
	}
	var list []petri.Event
	for _, e := range events {
		for _, way := range e.Ways {
			event := petri.Event{Name: e.Name}
			for _, s := range way {
				event.Sync = append(event.Sync, petri.Sync{Net: at[s.Party], Label: s.Label})
			}
			list, d.Events = append(list, event), append(d.Events, e)
		}
	}
	return list
}

// index maps the names formulas use to places of the composed net. A flag's name is its true place.
func (d *Draft) index() {
	d.PlaceOf, d.Calls = map[string]int{}, called(d.Parties)
	for i, p := range d.Net.Places {
		if d.AllPlaces[i].Counter == "" { // nobody can write those
			d.PlaceOf[p.String()] = i
		}
		if d.AllPlaces[i].Kind == hclspec.FlagTrue {
			d.PlaceOf[p.Net+"."+d.AllPlaces[i].Flag] = i
		}
	}
}

// Part returns the drafter's transition behind a part of a composed transition.
func (d *Draft) Part(p petri.Part) *hclspec.Transition { return d.Transitions[p.Net][p.Transition] }

// Named is the name of a part as the text has it: party.transition.
func (d *Draft) Named(p petri.Part) string {
	return d.Parties[p.Net].Name + "." + SourceName(d.Part(p))
}
