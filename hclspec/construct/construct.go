// Package construct lists the elements of the language of contracts: the types of blocks, the attributes and blocks that each may have, and
// the words of norms. It is plain data. Code that reads, formats, renames, completes or compares contracts takes the words from here, so a new
// construct is entered in one place.
package construct

import "slices"

// A Block lists what blocks of some type may contain.
type Block struct {
	Names      int  // how many, in its header
	Free       bool // it takes any attribute: locals
	Attributes []string
	Blocks     []string
}

// prose lists the attributes that describe an element and never change the meaning of the contract.
var prose = []string{"title", "description", "clause"}

// Texts lists the attributes whose values are words to readers.
var Texts = slices.Concat(prose, []string{"reason", "approver", "error_message"})

// IsProse reports whether an attribute only describes.
func IsProse(attribute string) bool { return slices.Contains(prose, attribute) }

// Top lists the types of blocks allowed outside of every other.
var Top = slices.Concat([]string{"contract", "variable", "locals", "party", "net", "event", "document"}, NormWords(), []string{"scenario", "requirement", "accept", "retire", "template", "phase"})

// Party lists the types of blocks in a party or a net, and template those in a template.
var (
	Party    = []string{"state", "flag", "counter", "place", "transition"}
	template = slices.Concat([]string{"parameter", "party", "net", "event", "document"}, NormWords(), []string{"scenario", "requirement", "accept"})
)

// PatternScopes lists the attributes that limit where a pattern applies, and every, which quantifies it; PatternAttributes lists all
// attributes of a pattern.
var (
	PatternScopes     = []string{"after", "before", "until", "every"}
	PatternAttributes = slices.Concat(patternOperands(), PatternScopes)
)

// A pattern is a requirement in words: the attribute that selects it, and one that it needs beside it.
type pattern struct {
	First   string
	Second  string // empty: none
	Example string // of the second
}

// Patterns lists every pattern, in the order of ctl.Kind.
var Patterns = []pattern{
	{First: "never"},
	{First: "always"},
	{First: "sometime"},
	{First: "times", Second: "at_most", Example: "at_most = 2"},
	{First: "whenever", Second: "follows", Example: "follows = \"party.state\""},
	{First: "no", Second: "without", Example: "without = \"party.state\""},
}

// PatternIndex returns the index in Patterns of the pattern that an attribute selects; -1 if it selects none.
func PatternIndex(attribute string) int {
	return slices.IndexFunc(Patterns, func(p pattern) bool { return p.First == attribute })
}

func patternOperands() (all []string) {
	for _, p := range Patterns {
		all = append(all, p.First)
		if p.Second != "" {
			all = append(all, p.Second)
		}
	}
	return all
}

// Blocks describes every type of block.
var Blocks = withNorms(map[string]Block{
	"contract":    {Names: 1, Attributes: with("firing", "final", "ends", "start", "calendar")},
	"locals":      {Free: true},
	"variable":    {Names: 1, Attributes: []string{"type", "default", "description"}, Blocks: []string{"validation"}},
	"validation":  {Attributes: []string{"condition", "error_message"}},
	"party":       {Names: 1, Attributes: with("count", "for_each"), Blocks: Party},
	"net":         {Names: 1, Attributes: with("count", "for_each"), Blocks: Party},
	"state":       {Names: 1, Attributes: with("exposed", "since")},
	"flag":        {Names: 1, Attributes: with("initial")},
	"counter":     {Names: 1, Attributes: with("from", "to", "initial", "changes")},
	"place":       {Names: 1, Attributes: with("marked", "document", "exposed")},
	"transition":  {Names: 1, Attributes: with("from", "to", "when", "set", "consume", "produce", "read", "require", "label")},
	"event":       {Names: 1, Attributes: with("by", "sync", "repeats", "after", "not_before", "within", "only_while")},
	"document":    {Names: 1, Attributes: with("holder", "moves")},
	"requirement": {Names: 1, Attributes: with(slices.Concat([]string{"ctl", "table1", "assuming", "rests_on", "over"}, PatternAttributes)...), Blocks: []string{"waiver"}},
	"scenario":    {Names: 1, Attributes: with("events", "expect", "breach", "ends"), Blocks: []string{"waiver"}},
	"waiver":      {Attributes: []string{"reason", "approver", "expires", "run"}},
	"template":    {Names: 1, Attributes: with("source", "digest"), Blocks: template},
	"parameter":   {Names: 1, Attributes: []string{"type", "default", "description"}},
	"phase":       {Names: 1, Attributes: with("template", "roles", "with", "after", "count", "until")},
	"accept":      {Names: 1, Attributes: []string{"on", "reason", "run"}},
	"retire":      {Names: 1, Attributes: []string{"contract", "digest", "reason"}},
})

// Keywords lists the words that cannot be referred to by a bare name, because HCL reads them as something else. Roots lists the first words of
// references to other things than parties; no party may have such a name.
var (
	Keywords = []string{"true", "false", "null", "for"}
	Roots    = []string{"document", "event", "local", "requirement"}
)

// Inside maps each type of block that is allowed in one place only to that place, with an article.
var Inside = map[string]string{"waiver": "a requirement or a scenario", "validation": "a variable", "parameter": "a template"}

func with(more ...string) []string { return slices.Concat(prose, more) }

func withNorms(blocks map[string]Block) map[string]Block {
	for _, n := range Norms {
		blocks[n.Word] = Block{Names: 1, Attributes: with(n.attributes...)}
	}
	return blocks
}

// Expected returns the names of attributes and the types of blocks allowed in a block of some type, or outside of every block if the type is
// empty.
func Expected(blockType string) (attributes, blocks []string) {
	if blockType == "" {
		return nil, slices.Clone(Top)
	}
	b := Blocks[blockType]
	return slices.Clone(b.Attributes), slices.Clone(b.Blocks)
}
