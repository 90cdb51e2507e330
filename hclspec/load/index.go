package load

import (
	"cmp"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/syntax"
)

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
			indexLocals(x, b)
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

func indexLocals(x *hclspec.Index, b *hclsyntax.Block) {
	for _, a := range syntax.SortedAttributes(b.Body.Attributes) {
		x.Elements = append(x.Elements, &hclspec.Element{Kind: "local", Name: a.Name, At: a.NameRange, Whole: a.SrcRange, Named: a.NameRange})
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
