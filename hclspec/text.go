package hclspec

import (
	"maps"
	"path"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// LoadText is Load of files that lie in no file system: their bytes, by base name, all of which are
// read. The same limits hold.
func LoadText(text map[string][]byte, shown string, given Values) *Source {
	return (&Source{Shown: shown, Given: given}).Reread(text)
}

// Reread is LoadText of another text in place of the source's own, with the same values given. Files
// that stay as they are, are not parsed again.
func (s *Source) Reread(text map[string][]byte) *Source {
	l := newLoader(s.Shown)
	l.given, l.like = s.Given, s
	if l.hold(text); len(text) == 0 {
		l.nothing()
	}
	return l.source()
}

// Parse reads the text of a contract no further than HCL's own grammar goes, within the limits of
// Load: the body of each file, by its name.
func Parse(text map[string][]byte) (map[string]*hclsyntax.Body, hcl.Diagnostics) {
	l := newLoader("")
	l.hold(text)
	l.parse()
	if l.diags = sortDiagnostics(l.diags); l.diags.HasErrors() {
		return nil, l.diags
	}
	return l.byName(), nil
}

// hold fills files and order from memory, within the limits of read.
func (l *loader) hold(text map[string][]byte) {
	total := 0
	for i, name := range slices.Sorted(maps.Keys(text)) {
		src, shown := text[name], path.Join(l.shown, name)
		switch total += len(src); {
		case i >= maxFiles:
			l.tooLarge(name, "more than 1,000 files")
			return
		case total > maxContract:
			l.tooLarge(name, "more than 16 MiB of text")
			return
		case len(src) > MaxFileSize:
			l.fileTooLarge(shown)
			continue
		}
		l.files[shown] = src
		l.order = append(l.order, shown)
	}
}

// PosAt is the position of a byte of a source, as HCL counts lines and columns.
func PosAt(src []byte, at int) hcl.Pos { return rangeAt("", src, at, 0).Start }
