package hclspec

import (
	"cmp"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// An Index says what the text of a contract declares and where it mentions it, for those who read
// or edit the text rather than the contract. It is there, as far as reading got, also when the text
// is wrong.
type Index struct {
	Elements   []*Element  // by file, then position: a block before those inside of it
	References []Reference // by file, then position; each once
}

// An Element is something the text gives a name: a block with a name, or a local value.
type Element struct {
	Prose
	Kind   string           // the block's type, as party; local for a local value
	Name   string           // without what it stands in: S0
	Within *Element         // the element it stands in; nil for those outside of every other
	Block  *hclsyntax.Block // nil for a local value
	At     hcl.Range        // the header of the block, the name of a local value
	Whole  hcl.Range        // all of it, braces and content too
	Named  hcl.Range        // its name in the header, with its quotes
}

// A Reference is one mention of a name whose meaning the loader has found out.
type Reference struct {
	At hcl.Range // the mention
	To hcl.Range // what it means: Element.At, or part of it
}

// refer keeps that the text at one place means what is declared at another.
func (l *loader) refer(at, to hcl.Range) {
	if to.Filename != "" { // names that the language itself declares stand nowhere
		l.referred[Reference{at, to}] = true
	}
}

// index collects what has been declared and mentioned so far.
func (l *loader) index() *Index {
	x := &Index{}
	for _, body := range l.bodies {
		x.blocks(l, body.Blocks, nil)
	}
	l.labels()
	for r := range l.referred {
		x.References = append(x.References, r)
	}
	slices.SortFunc(x.Elements, func(a, b *Element) int { return compareRanges(a.At, b.At) })
	slices.SortFunc(x.References, func(a, b Reference) int {
		return cmp.Or(compareRanges(a.At, b.At), compareRanges(a.To, b.To))
	})
	return x
}

func (x *Index) blocks(l *loader, blocks []*hclsyntax.Block, within *Element) {
	for _, b := range blocks {
		if b.Type == "locals" {
			x.locals(b)
		}
		e := within
		if len(b.Labels) == 1 {
			e = &Element{Prose: l.told[b.Body.SrcRange], Kind: b.Type, Name: b.Labels[0], Within: within, Block: b,
				At: headerRange(b), Whole: b.Range(), Named: b.LabelRanges[0]}
			e.Whole.End = b.CloseBraceRange.End
			x.Elements = append(x.Elements, e)
		}
		x.blocks(l, b.Body.Blocks, e)
	}
}

func (x *Index) locals(b *hclsyntax.Block) {
	for _, a := range sorted(b.Body.Attributes) {
		x.Elements = append(x.Elements, &Element{Kind: "local", Name: a.Name, At: a.NameRange, Whole: a.SrcRange, Named: a.NameRange})
	}
}

// labels refers from each label an event names to the transitions that have it.
func (l *loader) labels() {
	type label struct {
		party *Party
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
			if s.Range == e.Range { // a net that was made takes part without being written
				continue
			}
			for _, to := range with[label{s.Party, s.Label}] {
				l.refer(s.Range, to)
			}
		}
	}
}

func compareRanges(a, b hcl.Range) int {
	return cmp.Or(cmp.Compare(a.Filename, b.Filename), cmp.Compare(a.Start.Byte, b.Start.Byte), cmp.Compare(a.End.Byte, b.End.Byte))
}

// Expected lists what may stand in a block of some type, or outside of every block where it is
// empty: the names of attributes and the types of blocks.
func Expected(blockType string) (attributes, blocks []string) {
	if blockType == "" {
		return nil, slices.Clone(topBlocks)
	}
	s := shapes[blockType]
	return slices.Clone(s.attributes), slices.Clone(s.blocks)
}

// Acceptable lists the codes that an accept block may name, sorted.
func Acceptable() []string { return acceptableCodes() }

// FunctionNames lists the functions an expression may call, sorted.
func FunctionNames() []string { return slices.Clone(functionNames) }
