package compile

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/phrase"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/load"
)

// A Draft is one version of a contract, composed and ready to be checked. Its net is in canonical order (parties, places, transitions and
// events by name), so the order in which a drafter writes does not affect numbering or traces.
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
	Calls       map[string]string // the words for a party in sentences, by name: see called
	Events      []*hclspec.Event  // by event of the composed net; one for each way it can happen
	AllPlaces   []*hclspec.Place  // by place of the composed net
	Owners      []*hclspec.Party  // by place of the composed net
	Transitions [][]*hclspec.Transition
	PlaceOf     map[string]int            // party.place and party.flag
	Counters    map[string][]int          // party.counter: its places, by value
	Held        map[string][]*ctl.Formula // document: the atoms of its possible holders
	meant       map[string]*ctl.Formula   // document.party, where no place has that name
	History     map[string]int            // event: its history place, where a formula asks for one
	Broken      hcl.Diagnostics
	Reasons     []string // why formula i is nil
	Failure     string   // why Net is not the whole composition
	override    *petri.Rule
	tokens      map[*hclspec.Place]token
	needed      [][]*hclspec.Place // by event of the composed net: places that must be marked besides
	Unnamed     string             // Digest, but for the contract's name
	Took        time.Duration      // to read and compose
	lookup      *lookup
	Memo        *Memo // shared by contracts of one meaning during a review; else nil
}

// Compile composes a contract that has been read, and resolves its formulas. Mistakes in formulas are in Draft.Broken; those in the rest of
// the text are in Source already, and leave Spec and Net nil. A non-nil rule overrides the contract's own.
func Compile(src *load.Source, path string, rule *petri.Rule) *Draft {
	d, err := CompileWithin(context.Background(), src, path, rule)
	if err != nil {
		panic(err) // the context never ends
	}
	return d
}

// CompileWithin is Compile with a context. It returns the context's cause if that ends.
func CompileWithin(ctx context.Context, src *load.Source, path string, rule *petri.Rule) (*Draft, error) {
	src = underRule(src, rule)
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

// underRule returns a source with a mistake, and without a contract, if a rule other than the contract's own contradicts an event that
// happens by itself.
func underRule(src *load.Source, rule *petri.Rule) *load.Source {
	if src.Contract == nil || rule == nil || *rule != petri.All {
		return src
	}
	i := slices.IndexFunc(src.Contract.Events, func(e *hclspec.Event) bool { return e.Due != nil })
	if i < 0 {
		return src
	}
	refused, e := *src, src.Contract.Events[i]
	refused.Contract = nil
	refused.Diagnostics = append(slices.Clone(src.Diagnostics), phrase.Diagnostic(diag.Contradiction, e.Range,
		fmt.Sprintf("Event %q happens before all else once it is due, so nothing can happen at one moment with it.", e.Of), "Drop after, or leave out --firing all."))
	return &refused
}

// maxTransitions and maxParts bound the composed net, which grows with the product of shared labels. A composed transition has one part for
// each party that takes part in it.
const (
	maxTransitions = 1_000_000
	maxParts       = 4_000_000
)

// compose builds Net. If there would be too many transitions, it leaves them out and sets Failure.
func (d *Draft) compose() {
	nets, events := d.nets(), d.sync()
	if d.Failure = tooLarge(nets, events); d.Failure != "" {
		events = nil
	}
	d.Net = petri.Compose(nets, events)
	d.watch()
}

// tooLarge returns the reason why the composed net cannot be built, or "" if it can.
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

// ShortNumber renders a number, or only its magnitude if it has more than 20 digits.
func ShortNumber(n *big.Int) string {
	if text := n.String(); len(text) > 20 {
		return fmt.Sprintf("more than 10^%d", len(text)-1)
	}
	return n.String()
}

// Unbuilt returns the reason why Net is not the whole composition, or "" if it is.
func (d *Draft) Unbuilt() string { return d.Failure }

// nets turns each party into a component net, in canonical order.
func (d *Draft) nets() []*petri.Net {
	d.Parties = slices.Clone(d.Spec.Parties)
	slices.SortFunc(d.Parties, func(a, b *hclspec.Party) int { return hclspec.Natural(a.Name, b.Name) })
	nets := make([]*petri.Net, len(d.Parties))
	for i, p := range d.Parties {
		nets[i] = d.net(p)
	}
	return nets
}

// net turns a party into a component net, and appends its places and transitions to the draft's tables.
func (d *Draft) net(p *hclspec.Party) *petri.Net {
	places := slices.Clone(p.Places)
	slices.SortFunc(places, func(a, b *hclspec.Place) int { return hclspec.Natural(a.Name, b.Name) })
	transitions := slices.Clone(p.Transitions)
	slices.SortFunc(transitions, func(a, b *hclspec.Transition) int { return hclspec.Natural(a.Name, b.Name) })
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

// indices returns the indices of places, sorted.
func indices(places []*hclspec.Place, at map[*hclspec.Place]int) []int {
	var list []int
	for _, p := range places {
		list = append(list, at[p])
	}
	slices.Sort(list)
	return list
}

// sync returns the events as petri.Compose expects them, one for each way in which an event can happen and
// each choice of the places that its conditions need.
func (d *Draft) sync() []petri.Event {
	events := slices.Clone(d.Spec.Events)
	slices.SortFunc(events, func(a, b *hclspec.Event) int { return hclspec.Natural(a.Name, b.Name) })
	at := map[*hclspec.Party]int{}
	for i, p := range d.Parties {
		at[p] = i
	}
	var list []petri.Event
	for _, e := range events {
		for _, way := range e.Ways {
			event := petri.Event{Name: e.Name}
			var while []*hclspec.Place
			for _, s := range way {
				event.Sync = append(event.Sync, petri.Sync{Net: at[s.Party], Label: s.Label})
				if s.While != nil {
					while = append(while, s.While)
				}
			}
			for _, needed := range d.choices(e) {
				list, d.Events, d.needed = append(list, event), append(d.Events, e), append(d.needed, slices.Concat(needed, while))
			}
		}
	}
	return list
}

// index maps the names that formulas use to places of the composed net. A flag's name refers to the place for true.
func (d *Draft) index() {
	d.PlaceOf, d.Calls = map[string]int{}, called(d.Parties)
	for i, p := range d.Net.Places {
		if d.AllPlaces[i].Counter == "" { // formulas cannot name the places of counters
			d.PlaceOf[p.String()] = i
		}
		if d.AllPlaces[i].Kind == hclspec.FlagTrue {
			d.PlaceOf[p.Net+"."+d.AllPlaces[i].Flag] = i
		}
	}
}

// Part returns the transition in the contract that a part of a composed transition comes from.
func (d *Draft) Part(p petri.Part) *hclspec.Transition { return d.Transitions[p.Net][p.Transition] }

// Named returns the name of a part as the text has it: party.transition.
func (d *Draft) Named(p petri.Part) string {
	return d.Parties[p.Net].Name + "." + SourceName(d.Part(p))
}
