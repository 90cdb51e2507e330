package hclspec

import (
	"cmp"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// index collects what has been declared and mentioned so far.
func (l *loader) index() *Index {
	x := &Index{}
	for _, body := range l.bodies {
		l.indexBlocks(x, body.Blocks, nil)
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

func (l *loader) indexBlocks(x *Index, blocks []*hclsyntax.Block, within *Element) {
	for _, b := range blocks {
		if b.Type == "locals" {
			indexLocals(x, b)
		}
		e := within
		if len(b.Labels) == 1 {
			e = &Element{Prose: l.told[b.Body.SrcRange], Kind: b.Type, Name: b.Labels[0], Within: within, Block: b,
				At: headerRange(b), Whole: b.Range(), Named: b.LabelRanges[0]}
			e.Whole.End = b.CloseBraceRange.End
			x.Elements = append(x.Elements, e)
		}
		l.indexBlocks(x, b.Body.Blocks, e)
	}
}

func indexLocals(x *Index, b *hclsyntax.Block) {
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

// Acceptable lists the codes that an accept block may name, sorted.
func Acceptable() []string { return acceptableCodes() }
