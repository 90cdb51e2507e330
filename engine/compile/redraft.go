package compile

import (
	"path"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/hclspec/edit"
)

// Text is what the draft was read from, by base names; nil where nobody kept it.
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

// Redraft is the draft with another text: with the same variables given, path and rule.
func (d *Draft) Redraft(text edit.Text) *Draft {
	return Compile(d.Source.Reread(text), d.Path, d.override)
}

// Shown names the file of a range as the draft's other ranges do.
func (d *Draft) Shown(r hcl.Range) hcl.Range {
	if r.Filename != "" {
		r.Filename = path.Join(d.Source.Shown, r.Filename)
	}
	return r
}

// Excerpt is the text of a range whose file has its base name.
func (d *Draft) Excerpt(r hcl.Range) string {
	if d == nil || r.Filename == "" {
		return ""
	}
	return string(r.SliceBytes(d.Text()[r.Filename]))
}
