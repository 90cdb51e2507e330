package hclspec

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// An origin is where a block that a phase expanded to comes from.
type origin struct {
	phase  string
	name   string           // in the template
	player *hclsyntax.Block // of a role: the party that fills it
}

// A phase is one use of a template.
type phase struct {
	*loader
	block    *hclsyntax.Block
	name     string
	template *template
	values   map[string]cty.Value        // of its parameters
	scope    map[string]string           // what names of the template stand for: see Formula.Scope
	players  map[string]*hclsyntax.Block // the party that fills each role
}

// What the names in a phase's scope begin with that are not of roles, nets, documents and norms.
const (
	eventScope       = "event."
	requirementScope = "requirement."
	documentScope    = "document." // besides the document's name alone
)

// cast fills every role of the template with a party, each with another.
func (p *phase) cast(parties map[string]*hclsyntax.Block) bool {
	before := len(p.diags)
	filled := names{}
	if attr, given := p.block.Body.Attributes["roles"]; given {
		p.pairs(attr.Expr, "a role", func(role string, r hcl.Range, e hclsyntax.Expression) {
			p.fill(parties, filled, role, r, e)
		})
	}
	for _, role := range mapKeys(p.template.roles) {
		if _, ok := p.scope[role]; !ok && len(p.diags) == before {
			p.mistake(codeMissingAttribute, headerRange(p.block), fmt.Sprintf("Phase %q leaves the role %q empty.", p.name, role),
				fmt.Sprintf("Write roles = { %s = PARTY }.", role))
		}
	}
	return len(p.diags) == before
}

func (p *phase) fill(parties map[string]*hclsyntax.Block, filled names, role string, r hcl.Range, e hclsyntax.Expression) {
	if _, ok := p.template.roles[role]; !ok {
		p.unknown(r, fmt.Sprintf("Template %q has no party %q.", p.template.block.Labels[0], role), role,
			func() []string { return mapKeys(p.template.roles) })
		return
	}
	name, at, ok := p.reference(e, "a party")
	if !ok {
		return
	}
	if parties[name] == nil {
		p.unknown(at, fmt.Sprintf("There is no party %q.", name), name, func() []string { return mapKeys(parties) })
	} else if p.once(filled, name, at) {
		p.scope[role], p.players[role] = p.name+"."+name, parties[name]
	}
}

// blocks are the template's blocks as this phase has them.
func (p *phase) blocks() []*hclsyntax.Block {
	for _, b := range p.template.blocks {
		p.declareScope(b)
	}
	var out []*hclsyntax.Block
	for _, b := range p.template.blocks {
		clone, from := p.clone(b), origin{phase: p.name, name: b.Labels[0]}
		switch b.Type {
		case "party":
			clone.Labels = []string{p.scope[b.Labels[0]]}
			p.play(clone, p.players[b.Labels[0]])
			from.player = p.players[b.Labels[0]]
		case "accept": // its label is a code
		default:
			clone.Labels = []string{p.name + "." + b.Labels[0]}
		}
		p.generated[clone] = from
		out = append(out, clone)
	}
	return out
}

// declareScope enters the phase's name for what a block of the template declares; those of roles are in already.
func (p *phase) declareScope(b *hclsyntax.Block) {
	name := b.Labels[0]
	full := p.name + "." + name
	switch b.Type {
	case "party", "accept":
	case "event":
		p.scope[eventScope+name] = full
	case "requirement":
		p.scope[requirementScope+name] = full
	case "document":
		p.scope[name], p.scope[documentScope+name] = full, full
	default:
		p.scope[name] = full
	}
}

// play gives a role's net the title of the party that plays it, unless the template has one; and where several
// of a kind play it, the net is several, too.
func (p *phase) play(clone, player *hclsyntax.Block) {
	own, mine := several(clone), several(player)
	if own != nil && mine != nil {
		p.mistake(codeContradiction, headerRange(p.block), fmt.Sprintf("In phase %q several of %s play a role of which there are several.", p.name, player.Labels[0]),
			fmt.Sprintf("The role says so itself at %s. Let only one of them say how many there are.", place(own.NameRange)))
		return
	}
	for _, name := range []string{"title", "count", "for_each"} {
		attr, given := player.Body.Attributes[name]
		if _, has := clone.Body.Attributes[name]; given && !has {
			clone.Body.Attributes[name] = attr
		}
	}
}

// several is what makes a party several; nil where it is one.
func several(b *hclsyntax.Block) *hclsyntax.Attribute {
	if count, given := b.Body.Attributes["count"]; given {
		return count
	}
	return b.Body.Attributes["for_each"]
}

// startPhases makes the phases that come after an event wait for it.
func (l *loader) startPhases(blocks []*hclsyntax.Block) {
	nets := map[string][]*Party{} // by phase
	for _, party := range l.spec.Parties {
		if s := l.scopes[party.Name]; s != nil {
			phase := l.generated[s.block].phase
			nets[phase] = append(nets[phase], party)
		}
	}
	for _, b := range blocks {
		if attr, given := b.Body.Attributes["after"]; given && b.Type == "phase" {
			l.startPhase(b.Labels[0], nets[b.Labels[0]], attr.Expr)
		}
	}
}

// startPhase makes the nets of a phase wait for any of some events, whichever is first.
func (l *loader) startPhase(name string, nets []*Party, e hclsyntax.Expression) {
	var starts []*Event
	l.several(e, func(e hclsyntax.Expression) {
		for _, event := range l.eventsAt(e) {
			l.refer(e.Range(), event.Range)
			if slices.ContainsFunc(nets, event.concerns) {
				l.mistake(codeContradiction, e.Range(), fmt.Sprintf("Phase %q would have to wait for itself: it has a part in event %q.", name, event.Of),
					"Name an event of another phase, or one of the contract's.")
				return
			}
			starts = append(starts, event)
		}
	})
	starts = unique(starts)
	for _, net := range nets {
		waiting := wait(net, starts)
		l.begins[name] = nil
		for _, start := range starts {
			l.begins[name] = append(l.begins[name], occasion{event: start, while: waiting, at: e.Range()})
		}
	}
}

// unique drops what stands in a list before.
func unique(events []*Event) []*Event {
	seen := map[*Event]bool{}
	var list []*Event
	for _, e := range events {
		if !seen[e] {
			list = append(list, e)
		}
		seen[e] = true
	}
	return list
}

// wait makes a net begin with the first of some events: until then its initial tokens are not there. When
// one of them happens again nothing changes. It returns the place that is marked until then.
func wait(net *Party, starts []*Event) *Place {
	waiting := &Place{Name: "waiting", Marked: true, Prose: Prose{Title: "not begun"}, Range: net.Range}
	begun := &Place{Name: "begun", Kind: Begun, Prose: Prose{Title: "begun"}, Range: net.Range}
	begin := &Transition{Name: "begin", Label: "begin", Labelled: true, Passive: true, Range: net.Range, Consume: []*Place{waiting}, Produce: []*Place{begun}}
	for _, p := range net.Places {
		if p.Marked {
			p.Marked = false
			begin.Produce = append(begin.Produce, p)
		}
	}
	again := &Transition{Name: "begun", Label: "begin", Labelled: true, Passive: true, Range: net.Range, Read: []*Place{begun}}
	net.Places = append(net.Places, waiting, begun)
	net.Transitions = append(net.Transitions, begin, again)
	for _, start := range starts {
		start.join(net, "begin")
	}
	return waiting
}

// path reads a bare name with dots in it, as goods.delivered.
func (l *loader) path(e hclsyntax.Expression, what string) (string, hcl.Range, bool) {
	t, ok := e.(*hclsyntax.ScopeTraversalExpr)
	if !ok || len(t.Traversal) == 1 {
		return l.reference(e, what)
	}
	name := t.Traversal.RootName()
	for _, step := range t.Traversal[1:] {
		attr, ok := step.(hcl.TraverseAttr)
		if !ok {
			l.mistake(codeNotAReference, e.Range(), fmt.Sprintf("The name of %s is expected here.", what), "Write the bare name, as phase.event.")
			return "", e.Range(), false
		}
		name += "." + attr.Name
	}
	return name, e.Range(), true
}
