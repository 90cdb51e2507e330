package compile

import (
	"path"

	"github.com/hashicorp/hcl/v2"

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

// Excerpt returns the text of a range whose file is given by its base name, or "" for an empty range or a nil draft.
func (d *Draft) Excerpt(r hcl.Range) string {
	if d == nil || r.Filename == "" {
		return ""
	}
	return string(r.SliceBytes(d.Text()[r.Filename]))
}
