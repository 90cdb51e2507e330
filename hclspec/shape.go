package hclspec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// A shape says what may stand in a block.
type shape struct {
	labels     int
	free       bool // any attribute: locals
	attributes []string
	blocks     []string
}

var prose = []string{"title", "description", "clause"}

var topBlocks = []string{"contract", "variable", "locals", "party", "net", "event", "document", "obligation", "prohibition", "permission", "power", "requirement", "accept", "retire", "template", "phase"}

var shapes = map[string]shape{
	"contract":   {labels: 1, attributes: with("firing", "final")},
	"locals":     {free: true},
	"variable":   {labels: 1, attributes: []string{"type", "default", "description"}, blocks: []string{"validation"}},
	"validation": {attributes: []string{"condition", "error_message"}},
	"party":      {labels: 1, attributes: with("count", "for_each"), blocks: partyBlocks},
	"net":        {labels: 1, attributes: with("count", "for_each"), blocks: partyBlocks},
	"state":      {labels: 1, attributes: with("exposed")},
	"flag":       {labels: 1, attributes: with("initial")},
	"counter":    {labels: 1, attributes: with("from", "to", "initial")},
	"place":      {labels: 1, attributes: with("marked", "document", "exposed")},
	"transition": {labels: 1, attributes: with("from", "to", "when", "set", "consume", "produce", "read", "require", "label")},
	"event":      {labels: 1, attributes: with("sync", "not_before", "within", "only_while")},
	"obligation": {labels: 1, attributes: with("bearer", "counterparty", "when", "fulfil", "within", "breach", "until", "reparation",
		"ends_contract")},
	"prohibition": {labels: 1, attributes: with("bearer", "counterparty", "of", "from", "until", "lasts", "reparation", "ends_contract")},
	"permission":  {labels: 1, attributes: with("bearer", "counterparty", "of", "from", "until")},
	"power":       {labels: 1, attributes: with("bearer", "counterparty", "exercise", "when", "until", "lifts", "ends_contract")},
	"document":    {labels: 1, attributes: with("holder", "moves")},
	"requirement": {labels: 1, attributes: with(slices.Concat([]string{"ctl", "table1", "assuming", "rests_on", "over"}, patternAttributes)...), blocks: []string{"waiver"}},
	"waiver":      {attributes: []string{"reason", "approver", "expires", "run"}},
	"template":    {labels: 1, attributes: prose, blocks: templateBlocks},
	"parameter":   {labels: 1, attributes: []string{"default", "description"}},
	"phase":       {labels: 1, attributes: with("template", "roles", "with", "after")},
	"accept":      {labels: 1, attributes: []string{"on", "reason", "run"}},
	"retire":      {labels: 1, attributes: []string{"contract", "digest", "reason"}},
}

var templateBlocks = []string{"parameter", "party", "net", "event", "document", "obligation", "prohibition", "permission", "power", "requirement", "accept"}

var partyBlocks = []string{"state", "flag", "counter", "place", "transition"}

func with(more ...string) []string { return slices.Concat(prose, more) }

// topAttributes refuses attributes outside of every block.
func (l *loader) topAttributes(body *hclsyntax.Body) {
	for _, a := range sorted(body.Attributes) {
		l.mistake(codeUnknownAttribute, a.NameRange, fmt.Sprintf("Attribute %q stands outside of every block.", a.Name),
			"Only blocks stand here: "+strings.Join(topBlocks, ", ")+".")
	}
}

// shape returns the blocks that are what their type promises, as far as block types, headers and attribute names go.
// A block of unknown type or with a wrong header is reported and left out, here and one level down.
func (l *loader) shape(blocks []*hclsyntax.Block) []*hclsyntax.Block {
	return l.shapeAll("the contract", shape{blocks: topBlocks}, blocks)
}

func (l *loader) shapeAll(where string, s shape, blocks []*hclsyntax.Block) []*hclsyntax.Block {
	var good []*hclsyntax.Block
	for _, b := range blocks {
		l.met[b.Type] = true
		if !slices.Contains(s.blocks, b.Type) {
			l.unknownBlock(where, s, b)
			l.met[Nearest(b.Type, s.blocks)] = true // what was meant is not missing besides
		} else if l.shapeOne(b) {
			good = append(good, b)
			continue
		}
		for _, name := range b.Labels {
			l.dropped[name] = true
		}
	}
	return good
}

func (l *loader) shapeOne(b *hclsyntax.Block) bool {
	l.ask()
	s, where := shapes[b.Type], article(b.Type)
	l.attributes(where, s, b.Body)
	inner := l.shapeAll(where, s, b.Body.Blocks)
	if len(inner) < len(b.Body.Blocks) { // else it may be in use elsewhere (Reread)
		l.excused[b.Body], b.Body.Blocks = true, inner
	}
	if len(b.Labels) == s.labels {
		return true
	}
	detail := fmt.Sprintf("Write %s \"name\" { ... }, with exactly one name.", b.Type)
	if s.labels == 0 {
		detail = fmt.Sprintf("Write %s { ... }, without a name.", b.Type)
	}
	l.mistake(codeBadHeader, b.TypeRange, fmt.Sprintf("This %s block has the wrong number of names.", b.Type), detail)
	return false
}

func (l *loader) attributes(where string, s shape, body *hclsyntax.Body) {
	if s.free {
		return
	}
	for _, a := range sorted(body.Attributes) {
		if slices.Contains(s.attributes, a.Name) {
			continue
		}
		detail := l.guess(a.Name, s.attributes)
		if slices.Contains(s.blocks, a.Name) {
			detail = fmt.Sprintf("%s is a block: write %s \"name\" { ... }.", a.Name, a.Name)
		}
		l.excused[body] = true
		l.mistake(codeUnknownAttribute, a.NameRange, fmt.Sprintf("There is no attribute %q in %s.", a.Name, where),
			or(detail, oneOf("attributes", s.attributes)))
	}
}

// insideOf says where the blocks stand that stand in one place only.
var insideOf = map[string]string{"waiver": "a requirement", "validation": "a variable", "parameter": "a template"}

func (l *loader) unknownBlock(where string, s shape, b *hclsyntax.Block) {
	detail := l.guess(b.Type, s.blocks)
	switch _, known := shapes[b.Type]; {
	case slices.Contains(s.attributes, b.Type):
		detail = fmt.Sprintf("%s is an attribute: write %s = ...", b.Type, b.Type)
	case insideOf[b.Type] != "":
		detail = fmt.Sprintf("%s stands inside %s.", upperFirst(article(b.Type)), insideOf[b.Type])
	case slices.Contains(partyBlocks, b.Type):
		detail = fmt.Sprintf("%s stands inside a party or a net.", upperFirst(article(b.Type)))
	case known:
		detail = fmt.Sprintf("%s stands outside of every other block.", upperFirst(article(b.Type)))
	}
	l.mistake(codeUnknownBlock, b.TypeRange, fmt.Sprintf("There is no block %q in %s.", b.Type, where),
		or(detail, oneOf("blocks", s.blocks)))
}

func oneOf(what string, names []string) string {
	if len(names) == 0 {
		return "No " + what + " stand here."
	}
	return "The " + what + " here are: " + strings.Join(names, ", ") + "."
}

func article(noun string) string {
	switch {
	case noun == "locals":
		return "the locals block"
	case strings.ContainsRune("aeiou", rune(noun[0])):
		return "an " + noun
	}
	return "a " + noun
}

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// sorted returns attributes in source order.
func sorted(attrs hclsyntax.Attributes) []*hclsyntax.Attribute {
	all := make([]*hclsyntax.Attribute, 0, len(attrs))
	for _, a := range attrs {
		all = append(all, a)
	}
	slices.SortFunc(all, func(a, b *hclsyntax.Attribute) int { return a.NameRange.Start.Byte - b.NameRange.Start.Byte })
	return all
}

// headerRange is the type and name of a block.
func headerRange(b *hclsyntax.Block) hcl.Range { return b.DefRange() }
