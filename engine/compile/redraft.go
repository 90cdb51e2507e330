package compile

import (
	"path"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/edit"
)

// Text returns the files that the draft was read from, by base name, or nil if they were not kept.
func (d *Draft) Text() edit.Text {
	if d.Source.Files == nil {
		return nil
	}
	text := edit.Text{}
	for name, src := range d.Source.Files {
		text[path.Base(name)] = src
	}
	return text
}

// Redraft compiles another text with the same variables, path and rule.
func (d *Draft) Redraft(text edit.Text) *Draft {
	return Compile(d.Source.Reread(text), d.Path, d.override)
}

// Shown returns a range with its file named as in the draft's other ranges.
func (d *Draft) Shown(r hcl.Range) hcl.Range {
	if r.Filename != "" {
		r.Filename = path.Join(d.Source.Shown, r.Filename)
	}
	return r
}

// ProseAt returns the title and the clause of the block with the given header, whose file is given by its base name. What is not the same for all that the block
// stands for is left out.
func (d *Draft) ProseAt(header hcl.Range) (title, clause string) {
	if d == nil || header.Filename == "" || d.Source.Index == nil {
		return "", ""
	}
	at := d.Shown(header)
	i := slices.IndexFunc(d.Source.Index.Elements, func(e *hclspec.Element) bool { return e.At == at && e.Block != nil })
	if i < 0 {
		return "", ""
	}
	e := d.Source.Index.Elements[i]
	if of := e.Block.Body.Attributes; oneForAll(of["title"]) {
		title = e.Title
	}
	if of := e.Block.Body.Attributes; oneForAll(of["clause"]) {
		clause = e.Clause
	}
	return title, clause
}

// oneForAll reports whether an attribute has one value for all that its block stands for.
func oneForAll(a *hclsyntax.Attribute) bool {
	return a != nil && !slices.ContainsFunc(a.Expr.Variables(), func(v hcl.Traversal) bool { return slices.Contains([]string{"count", "each", "param"}, v.RootName()) })
}

// Excerpt returns the text of a range whose file is given by its base name, or "" for an empty range or a nil draft.
func (d *Draft) Excerpt(r hcl.Range) string {
	if d == nil || r.Filename == "" {
		return ""
	}
	return string(r.SliceBytes(d.Text()[r.Filename]))
}
