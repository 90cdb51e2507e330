package load

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// documents holds the documents of a contract while it is read.
type documents struct {
	named syntax.Names
	specs map[string]*hclspec.Document
	nets  map[string]*hclspec.Party // of those that events move
}

// find returns the scopes that a reference means: the party of that name, all of several, or the one with the index. If there are none it
// reports the mistake and returns nil.
func (l *loader) find(ref syntax.Ref) []*scope {
	f := l.families[ref.Name]
	switch {
	case f == nil || len(f.scopes) == 0:
		l.unknownParty(ref)
		return nil
	case !ref.Indexed:
		return f.scopes
	case !f.many:
		l.Mistake(diag.UnknownName, ref.At, fmt.Sprintf("There is only one %q: it has no [%s].", ref.Name, ref.Index),
			"Drop the brackets; or give it count or for_each, so that there are several.")
		return nil
	}
	for i, index := range f.indices {
		if index == ref.Index && i < len(f.scopes) {
			return f.scopes[i : i+1]
		} else if index == ref.Index {
			return nil // left out after a mistake
		}
	}
	l.Mistake(diag.UnknownName, ref.At, fmt.Sprintf("There is no %s.", ref), l.hintIndex(ref, f))
	return nil
}

// unknownParty reports a party that does not exist, and files in which it may have been meant to stand.
func (l *loader) unknownParty(ref syntax.Ref) {
	before := len(l.Diags)
	l.Unknown(ref.At, fmt.Sprintf("There is no party %q.", ref.Name), ref.Name, func() []string { return l.partyNames })
	for i, body := range l.Bodies {
		if len(l.Diags) > before && len(body.Blocks)+len(body.Attributes) == 0 && l.Afford(1) {
			l.Diags[before].Detail = strings.TrimSpace(l.Diags[before].Detail + fmt.Sprintf(" File %s has no block.", l.Order[i]))
			return
		}
	}
}

// hintIndex returns the hint that lists the instances of a family.
func (l *loader) hintIndex(ref syntax.Ref, f *family) string {
	if _, err := strconv.Atoi(f.scopes[0].party.Index); err == nil { // count; keys of for_each are not numbers
		return fmt.Sprintf("There are %d, from %s[0] to %s[%d].", len(f.indices), ref.Name, ref.Name, len(f.indices)-1)
	}
	return l.Hint(ref.Index, func() []string { return f.indices })
}

// taken reports whether a party, norm or document has a name that a made net needs.
func (l *loader) taken(name string) bool {
	return l.families[name] != nil || l.norms[name] != nil || l.documents.specs[name] != nil
}

// partyRef reads a party's name, with an index if there are several: seller, purchaser[0], bank[north]. Names that a phase made have dots; no
// other name has.
func (l *loader) partyRef(e hclsyntax.Expression, what string) (syntax.Ref, bool) {
	if ref, ok := syntax.Dotted(e); ok {
		_, event := l.events[ref.Name]
		if !strings.Contains(ref.Name, ".") || event || l.families[ref.Name] != nil {
			return ref, true
		}
	}
	name, at, ok := l.Reference(e, what)
	return syntax.Ref{Name: name, At: at}, ok
}

// eventsAt returns the events that a reference means: the event of that name, all that each(...) made of it, or the one with the index. If
// there are none it reports the mistake and returns nil.
func (l *loader) eventsAt(e hclsyntax.Expression) []*hclspec.Event {
	ref, ok := syntax.Dotted(e)
	if !ok {
		ref, ok = l.partyRef(e, "an event")
	}
	if !ok {
		return nil
	}
	found := l.eventsOf(ref)
	if found == nil {
		l.unknownEvent(ref, "")
	}
	return found
}

// happened is the function of conditions that asks whether an event has happened.
const happened = "happened"

// past reads what happened(...) names: an event; of one that happens with each of several, that with the same one as the event that asks.
func (l *loader) past(event *hclspec.Event, e hclsyntax.Expression) (*hclspec.Party, []*hclspec.Place) {
	found := l.eventsAt(e)
	if event != nil && len(found) > 1 {
		if _, index, ok := strings.Cut(event.Name, "["); ok {
			found = slices.DeleteFunc(slices.Clone(found), func(f *hclspec.Event) bool { return f.Name != f.Of+"["+index })
		}
	}
	switch len(found) {
	case 0:
		return nil, nil
	case 1:
		l.Refer(e.Range(), found[0].Range)
		net := l.memory(found[0])
		return net, net.Places[1:2]
	}
	l.Mistake(diag.WhichInstances, e.Range(), fmt.Sprintf("There are several of %q: say which of them is meant.", found[0].Of),
		fmt.Sprintf("Write happened(%s[...]); any(happened(...), happened(...)) for one of them, a list for all.", found[0].Of))
	return nil, nil
}

// memory returns the net that says whether an event has happened: that by which it happens once, or one that watches.
func (l *loader) memory(e *hclspec.Event) *hclspec.Party {
	for _, s := range slices.Concat(e.Ways...) {
		if s.Party.Made == "event" && e.Due == nil {
			return s.Party
		}
	}
	if l.memories[e] == nil {
		net := onceNet(e, e.Name+"!"+happened)
		l.memories[e], l.besides = net, nil // places are known anew
		l.spec.Parties = append(l.spec.Parties, net)
		l.move(e.Range, entry{event: e}, net.Places[0], net.Places[1])
	}
	return l.memories[e]
}

// Unknown reports a name that is not declared as what is expected, and as what else it is declared.
func (l *loader) Unknown(r hcl.Range, summary, name string, known func() []string) {
	before := len(l.Diags)
	l.Sink.Unknown(r, summary, name, known)
	if what, _ := l.declaredAs(name); what != "" && len(l.Diags) > before {
		d := l.Diags[before]
		d.Detail = strings.TrimSpace(fmt.Sprintf("%s is %s. %s", name, what, d.Detail))
	}
}

// declaredAs returns what a name stands for, with an article, and the events that bring it about if it is part of a party: the states, flags
// and counters that they change, and their transitions. What is "" if there is no such thing.
func (l *loader) declaredAs(name string) (what string, by []string) {
	if f := l.families[name]; f != nil {
		return diag.Article(f.block.Type), nil
	}
	if n := l.norms[name]; n != nil {
		return diag.Article(n.Kind.String()), nil
	}
	if _, is := l.events[name]; is {
		return "an event", nil
	}
	if l.documents.specs[name] != nil {
		return "a document", nil
	}
	at := strings.LastIndexByte(name, '.')
	if net := l.documents.nets[name[:max(at, 0)]]; net != nil && net.PlaceNamed(name[at+1:]) != nil && l.Afford(len(net.Transitions)) {
		for _, t := range net.Transitions {
			if t.Produce[0].Name == name[at+1:] && !slices.Contains(by, t.Label) {
				by = append(by, t.Label)
			}
		}
		return "a holder of a document", by
	}
	f := l.families[name[:max(at, 0)]]
	if f == nil || len(f.scopes) == 0 || !l.Afford(len(f.scopes[0].party.Transitions)) {
		return "", nil
	}
	own, s := name[at+1:], f.scopes[0]
	if what = s.kindOf(own); what == "" {
		return "", nil
	}
	labels := map[string]bool{}
	for _, t := range s.party.Transitions {
		to := slices.ContainsFunc(t.Produce, func(p *hclspec.Place) bool {
			return p.Name == own || p.Kind == hclspec.FlagTrue && p.Flag == own || p.Counter == own
		})
		if to || what == "a transition" && (t.Name == own || t.Of == own) {
			labels[t.Label] = true
		}
	}
	return what, l.eventsWith(f, labels)
}

// eventsWith returns the names of the events in which a party takes part by one of some labels.
func (l *loader) eventsWith(f *family, labels map[string]bool) (names []string) {
	for _, e := range l.spec.Events {
		if len(labels) == 0 || !l.Afford(1+len(e.Ways)) {
			return names
		}
		takes := func(s hclspec.Sync) bool { return s.Party.Of == f.scopes[0].party.Of && labels[s.Label] }
		if slices.ContainsFunc(e.Ways, func(way []hclspec.Sync) bool { return slices.ContainsFunc(way, takes) }) && !slices.Contains(names, e.Of) {
			names = append(names, e.Of)
		}
	}
	return names
}

// unknownEvent reports an event that does not exist, with those that do: with an index where one was written and there are few. If the name
// stands for something else, it says what brings that about, or what else can be written.
func (l *loader) unknownEvent(ref syntax.Ref, otherwise string) {
	if what, by := l.declaredAs(ref.Name); len(by) > 0 || what != "" && otherwise != "" {
		if len(by) > 0 {
			otherwise = "Name the event that brings it about: " + strings.Join(by, ", ") + "."
		}
		l.Mistake(diag.UnknownName, ref.At, fmt.Sprintf("There is no event %q.", ref), fmt.Sprintf("%s is %s. %s", ref.Name, what, otherwise))
		return
	}
	if ref.Indexed && l.Dropped[ref.Name] {
		return // its instances are not known after a mistake
	}
	what := fmt.Sprintf("There is no event %q.", ref)
	if all := l.names.events[ref.Name]; ref.Indexed && len(all) == 1 {
		l.Mistake(diag.UnknownName, ref.At, what, fmt.Sprintf("There is only %s.", all[0].Name))
		return
	}
	l.Unknown(ref.At, what, ref.String(), func() (names []string) {
		blocks := syntax.SortedNames([]syntax.Names{l.events})
		if !ref.Indexed { // without an index it is any of them
			return blocks
		}
		for _, block := range blocks {
			for _, e := range l.names.events[block] {
				if names = append(names, e.Name); len(names) > 12 {
					return blocks
				}
			}
			if len(l.names.events[block]) == 0 {
				names = append(names, block)
			}
		}
		return names
	})
}

func (l *loader) normNames() []string {
	return slices.Sorted(maps.Keys(l.norms))
}

// obligationNames returns the names of obligations, for a hint.
func (l *loader) obligationNames() []string {
	return slices.DeleteFunc(l.normNames(), func(name string) bool { return l.norms[name].Kind != hclspec.Obligation })
}

// turns lists what may become of a norm, as another norm names it.
func (n *norm) turns() string {
	all := n.Kind.Construct().Turns
	last := len(all) - 1
	return n.Name + "." + strings.Join(all[:last], ", "+n.Name+".") + " or " + n.Name + "." + all[last]
}

// jointly reads a party, or all(P): all of several. In a phase one alone may play a role of which the template says all.
func (l *loader) jointly(n *norm, attribute string, e hclsyntax.Expression) (all []*hclspec.Party) {
	call, called := e.(*hclsyntax.FunctionCallExpr)
	how := ""
	if called && len(call.Args) == 1 {
		how = call.Name
	}
	switch how {
	case howWords[withEach]:
		at := call.Args[0].Range()
		whom := at.SliceBytes(l.Content[at.Filename])
		l.Mistake(diag.WhichInstances, e.Range(), fmt.Sprintf("The %s %q is one, and has no %s each.", n.Kind, l.written(n.block), attribute),
			fmt.Sprintf("Write %s = all(%s) if they have it jointly. For one each, put it in a template with a party ROLE, say %[1]s = ROLE there, and write a phase with roles = { ROLE = each(%[2]s) }.", attribute, whom))
		return nil
	case howWords[withAll]:
		ref, scopes := l.doer(call.Args[0], map[*scope]hcl.Range{}) // a party, no net
		if len(scopes) == 0 {
			return nil
		}
		if (ref.Indexed || !l.families[ref.Name].many) && l.Generated[n.block].Phase == "" {
			l.Mistake(diag.WhichInstances, e.Range(), fmt.Sprintf("There is only one %q here.", ref), fmt.Sprintf("all(...) is for several of a kind: write %s without it.", ref))
			return nil
		}
		for _, s := range scopes {
			all = append(all, s.party)
		}
		return all
	}
	if p := l.person(attribute, e); p != nil {
		all = append(all, p)
	}
	return all
}

// person reads one party; nil after a mistake.
func (l *loader) person(attribute string, e hclsyntax.Expression) *hclspec.Party {
	ref, ok := l.partyRef(e, "a party")
	if !ok {
		return nil
	}
	switch found := l.find(ref); {
	case len(found) > 1:
		name := l.written(found[0].block)
		is := cmp.Or(map[string]string{"to": "assigned to", "breach": "in breach"}[attribute], "the "+attribute)
		l.Mistake(diag.WhichInstances, ref.At, fmt.Sprintf("There are several of %q: one of them is %s.", name, is),
			fmt.Sprintf("Write %s = %s[...].", attribute, name))
	case len(found) == 1:
		l.Refer(ref.At, found[0].party.Range)
		return found[0].party
	}
	return nil
}

// eventsOf returns the events of a name, or the one with the index.
func (l *loader) eventsOf(ref syntax.Ref) []*hclspec.Event {
	l.names.grow(l.spec)
	all := l.names.events[ref.Name]
	if !ref.Indexed {
		return all
	}
	i := slices.IndexFunc(all, func(e *hclspec.Event) bool { return e.Name == ref.String() })
	if i < 0 {
		return nil
	}
	return all[i : i+1]
}

// nameCache keeps the parties and events declared so far by the names that references use.
type nameCache struct {
	parties                map[string][]*hclspec.Party // by name, and by the name of the block that made several
	events                 map[string][]*hclspec.Event // by the name of the block
	partiesSeen, eventSeen int                         // how many of each are entered
}

// grow enters the parties and events declared since the last call.
func (f *nameCache) grow(c *hclspec.Contract) {
	if f.parties == nil {
		f.parties, f.events = map[string][]*hclspec.Party{}, map[string][]*hclspec.Event{}
	}
	for ; f.partiesSeen < len(c.Parties); f.partiesSeen++ {
		p := c.Parties[f.partiesSeen]
		f.parties[p.Name] = append(f.parties[p.Name], p)
		if p.Of != p.Name {
			f.parties[p.Of] = append(f.parties[p.Of], p)
		}
	}
	for ; f.eventSeen < len(c.Events); f.eventSeen++ {
		e := c.Events[f.eventSeen]
		f.events[e.Of] = append(f.events[e.Of], e)
	}
}

// index returns the declarations and mentions read so far.
func (l *loader) index() *hclspec.Index {
	x := &hclspec.Index{}
	for _, body := range l.Bodies {
		l.indexBlocks(x, body.Blocks, nil)
	}
	l.labels()
	slices.SortFunc(x.Elements, func(a, b *hclspec.Element) int { return compareRanges(a.At, b.At) })
	x.References = slices.SortedFunc(maps.Keys(l.Referred), func(a, b hclspec.Reference) int {
		return cmp.Or(compareRanges(a.At, b.At), compareRanges(a.To, b.To))
	})
	return x
}

func (l *loader) indexBlocks(x *hclspec.Index, blocks []*hclsyntax.Block, within *hclspec.Element) {
	for _, b := range blocks {
		if b.Type == "locals" {
			for _, a := range syntax.SortedAttributes(b.Body.Attributes) {
				x.Elements = append(x.Elements, &hclspec.Element{Kind: "local", Name: a.Name, At: a.NameRange, Whole: a.SrcRange, Named: a.NameRange})
			}
		}
		e := within
		if len(b.Labels) == 1 {
			e = &hclspec.Element{Prose: l.ProseAt[b.Body.SrcRange], Kind: b.Type, Name: b.Labels[0], Within: within, Block: b,
				At: syntax.HeaderRange(b), Whole: b.Range(), Named: b.LabelRanges[0]}
			e.Whole.End = b.CloseBraceRange.End
			x.Elements = append(x.Elements, e)
		}
		l.indexBlocks(x, b.Body.Blocks, e)
	}
}

// labels adds references from each label in an event to the transitions that have it.
func (l *loader) labels() {
	type label struct {
		party *hclspec.Party
		name  string
	}
	with := map[label][]hcl.Range{}
	for _, p := range l.spec.Parties {
		for _, t := range p.Transitions {
			with[label{p, t.Label}] = append(with[label{p, t.Label}], t.Range)
		}
	}
	for _, e := range l.spec.Events {
		for _, s := range slices.Concat(e.Ways...) {
			if s.Range == e.Range { // a made net takes part without being written
				continue
			}
			for _, to := range with[label{s.Party, s.Label}] {
				l.Refer(s.Range, to)
			}
		}
	}
}

func compareRanges(a, b hcl.Range) int {
	return cmp.Or(cmp.Compare(a.Filename, b.Filename), cmp.Compare(a.Start.Byte, b.Start.Byte), cmp.Compare(a.End.Byte, b.End.Byte))
}
