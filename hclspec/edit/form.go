package edit

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Fingerprint returns a digest that is the same for two differences whose texts differ in words only: in the quoted, non-empty literal texts of the
// attributes named, outside of locals; in comments and layout; and in the name of the contract, if both texts give it the same. Such
// differences have the same changes in the same order, and each set of them leads to texts in between that again differ in words only. The
// names of files do not matter, except for their order.
func (d *Difference) Fingerprint(words ...string) string {
	f := &form{to: sha256.New(), words: words}
	if base, head := d.base.contract(), d.head.contract(); base != "" && base == head {
		f.name = base
	}
	names := slices.Concat(slices.Collect(maps.Keys(d.base.files)), slices.Collect(maps.Keys(d.head.files)))
	slices.Sort(names)
	names = slices.Compact(names)
	for _, t := range []*tree{d.base, d.head} {
		for _, n := range t.root.blocks {
			fmt.Fprintf(f.to, "file %d ", slices.Index(names, n.file.name))
			f.write(n)
		}
		fmt.Fprintln(f.to, "end")
	}
	for i, c := range d.Changes {
		fmt.Fprintf(f.to, "change %d %d %q %t\n", c.Action, len(c.Path), c.Attribute, d.units[i].first)
	}
	return fmt.Sprintf("%x", f.to.Sum(nil))
}

// contract returns the name in the first contract block; empty if there is none.
func (t *tree) contract() string {
	for _, n := range t.root.blocks {
		if n.block.Type == "contract" && len(n.block.Labels) == 1 {
			return n.block.Labels[0]
		}
	}
	return ""
}

// A form is a digest under construction.
type form struct {
	to    hash.Hash
	words []string
	name  string // of the contract
}

func (f *form) write(n *node) {
	labels := n.block.Labels
	if n.within.block == nil && n.block.Type == "contract" && slices.Equal(labels, []string{f.name}) {
		labels = nil
	}
	fmt.Fprintf(f.to, "%s %q %t {\n", n.block.Type, labels, n.flat)
	for _, a := range n.attrs {
		said := a.canon
		if n.block.Type != "locals" && slices.Contains(f.words, a.name) && a.literal() {
			said = nil
		}
		fmt.Fprintf(f.to, "%s = %q\n", a.name, said)
	}
	for _, inner := range n.blocks {
		f.write(inner)
	}
	fmt.Fprintln(f.to, "}")
}

// literal reports whether a value is a literal text in quotes, and not empty.
func (a *attribute) literal() bool {
	t, ok := a.expr.(*hclsyntax.TemplateExpr)
	if !ok || !t.IsStringLiteral() {
		return false
	}
	v, _ := t.Value(nil)
	return v.AsString() != ""
}
