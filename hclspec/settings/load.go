package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/hclspec/syntax"
)

// Load reads the settings of a tree, whose Stat does not follow links; messages name the file by shown. If there is no file, it returns the
// defaults. Src is the text read, for snippets. An error means that the tree failed; all mistakes in the file are in the diagnostics.
func Load(fsys fs.StatFS, shown string) (s *Settings, src []byte, diags hcl.Diagnostics, err error) {
	p := &parser{file: shown}
	there, err := p.regular(fsys)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("reading %s: %w", shown, err)
	}
	if !there && len(p.diags) == 0 {
		return Default(), nil, nil, nil
	}
	if len(p.diags) > 0 {
		return nil, nil, p.diags, nil
	}
	if src, err = syntax.ReadAtMost(fsys, File, maxSize+1); err != nil {
		return nil, nil, nil, fmt.Errorf("reading %s: %w", shown, err)
	}
	s, diags = Parse(src, shown)
	return s, src, diags, nil
}

// regular reports whether the file exists. It reports a link as a mistake, in place of the directory, too: a link would hide that there are no
// settings, or that they are another's.
func (p *parser) regular(fsys fs.StatFS) (bool, error) {
	for _, name := range []string{path.Dir(File), File} {
		info, err := fsys.Stat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return false, nil
		case err != nil:
			return false, err
		case name == File && !info.Mode().IsRegular(), name != File && !info.IsDir() && !info.Mode().IsRegular():
			p.mistake(codeNotRegular, p.top(), fmt.Sprintf("%s is not a regular file.", name), "Settings are read only from a regular file; a symbolic link is not followed.")
			return false, nil
		case name != File && !info.IsDir():
			return false, nil
		case name == File && info.Size() > maxSize:
			p.tooLarge()
			return false, nil
		}
	}
	return true, nil
}
