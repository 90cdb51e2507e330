package settings

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// maxSize is the largest file of settings, in bytes.
const maxSize = 64 << 10

// Codes of mistakes in settings. Some are codes of contracts, too.
const (
	codeFileTooLarge     codes.Code = "file-too-large"
	codeNotRegular       codes.Code = "not-a-regular-file"
	codeUnknownBlock     codes.Code = "unknown-block"
	codeUnknownAttribute codes.Code = "unknown-attribute"
	codeBadHeader        codes.Code = "bad-header"
	codeWrongType        codes.Code = "wrong-type"
	codeHiddenCharacter  codes.Code = "hidden-character"

	codeBlockTwice codes.Code = "block-twice"
	codeMissing    codes.Code = "missing-attribute"
	codeNotLiteral codes.Code = "not-a-literal"
	codeRefused    codes.Code = "setting-refused"
	codeBadPattern codes.Code = "bad-pattern"
	codeTooMany    codes.Code = "too-many-values"
)

// A parser is one Parse under way.
type parser struct {
	file  string
	diags hcl.Diagnostics
}

// Parse reads settings; messages name the file by filename. The settings are nil exactly if there are diagnostics: all mistakes found, in the
// order of the text, each with a Subject and a code (diag.CodeOf).
func Parse(src []byte, filename string) (*Settings, hcl.Diagnostics) {
	p := &parser{file: filename}
	if len(src) > maxSize {
		p.tooLarge()
		return nil, p.diags
	}
	bodies, diags := syntax.Parse(map[string][]byte{filename: src})
	if diags.HasErrors() {
		return nil, diags
	}
	s := Default()
	p.body(s, bodies[filename])
	if len(p.diags) > 0 {
		slices.SortStableFunc(p.diags, func(a, b *hcl.Diagnostic) int { return cmp.Compare(a.Subject.Start.Byte, b.Subject.Start.Byte) })
		return nil, p.diags
	}
	return s, nil
}

func (p *parser) mistake(c codes.Code, at hcl.Range, summary, detail string) {
	p.diags = append(p.diags, &hcl.Diagnostic{Severity: hcl.DiagError, Summary: summary, Detail: detail, Subject: &at, Extra: c})
}

func (p *parser) tooLarge() {
	p.mistake(codeFileTooLarge, p.top(), fmt.Sprintf("%s is larger than 64 KiB.", p.file), "Settings take a few lines.")
}

// top returns the beginning of the file as a range.
func (p *parser) top() hcl.Range {
	return hcl.Range{Filename: p.file, Start: hcl.InitialPos, End: hcl.InitialPos}
}

func (p *parser) body(s *Settings, body *hclsyntax.Body) {
	all := s.fields()
	p.attributes(s, all, "", body)
	met := map[string]bool{}
	for _, b := range body.Blocks {
		switch {
		case b.Type == retireBlock:
			p.retire(s, b)
		case !slices.Contains(blocks, b.Type):
			p.unknownBlock(all, b)
		case len(b.Labels) > 0:
			p.mistake(codeBadHeader, b.DefRange(), fmt.Sprintf("The block %s has no name.", b.Type), fmt.Sprintf("Write %s { ... }.", b.Type))
		case met[b.Type]:
			p.mistake(codeBlockTwice, b.DefRange(), fmt.Sprintf("There is a block %s already.", b.Type), "Put all of it into one block.")
		default:
			met[b.Type] = true
			p.block(s, all, b)
		}
	}
}

func (p *parser) block(s *Settings, all []field, b *hclsyntax.Block) {
	p.attributes(s, all, b.Type, b.Body)
	for _, inner := range b.Body.Blocks {
		p.mistake(codeUnknownBlock, inner.TypeRange, fmt.Sprintf("There is no block %q in %s.", inner.Type, b.Type),
			"The settings here are: "+strings.Join(keysIn(all, b.Type), ", ")+".")
	}
}

func (p *parser) attributes(s *Settings, all []field, block string, body *hclsyntax.Body) {
	for _, f := range all {
		a, given := body.Attributes[f.key]
		if f.block != block || !given {
			continue
		}
		before := len(p.diags)
		f.read(&value{p, f.name(), a.Expr})
		if len(p.diags) == before {
			s.from[f.name()] = Origin{File: p.file, Line: a.NameRange.Start.Line}
		}
	}
	known := keysIn(all, block)
	for name, a := range body.Attributes { // sorted at the end
		if !slices.Contains(known, name) {
			p.unknownAttribute(all, block, a)
		}
	}
}

func (p *parser) unknownAttribute(all []field, block string, a *hclsyntax.Attribute) {
	where, known := "", keysIn(all, block)
	if block != "" {
		where = " in " + block
	}
	detail := nearest(a.Name, known)
	home, elsewhere := blockOf(all, a.Name)
	switch {
	case block == "" && slices.Contains(blocks, a.Name):
		detail = fmt.Sprintf("%s is a block: write %s { ... }, without an equals sign.", a.Name, a.Name)
	case elsewhere && home == "":
		detail = a.Name + " stands outside of every block."
	case elsewhere:
		detail = fmt.Sprintf("%s stands in the block %s.", a.Name, home)
	}
	p.mistake(codeUnknownAttribute, a.NameRange, fmt.Sprintf("There is no setting %q%s.", a.Name, where),
		cmp.Or(detail, "The settings here are: "+strings.Join(known, ", ")+"."))
}

func (p *parser) unknownBlock(all []field, b *hclsyntax.Block) {
	known := append(blocks[:len(blocks):len(blocks)], retireBlock)
	detail := nearest(b.Type, known)
	if slices.Contains(keysIn(all, ""), b.Type) {
		detail = fmt.Sprintf("%s is an attribute: write %s = ...", b.Type, b.Type)
	}
	p.mistake(codeUnknownBlock, b.TypeRange, fmt.Sprintf("There is no block %q in settings.", b.Type),
		cmp.Or(detail, "The blocks here are: "+strings.Join(known, ", ")+"."))
}

// nearest returns the hint on an unknown name; empty if no known name is near.
func nearest(name string, known []string) string {
	if near := hclspec.Nearest(name, known); near != "" {
		return fmt.Sprintf("Did you mean %q?", near)
	}
	return ""
}
