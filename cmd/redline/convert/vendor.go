package convert

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/hclspec/clauses"
	"github.com/redlinehq/redline/hclspec/format"
	"github.com/redlinehq/redline/hclspec/gitfs"
	"github.com/redlinehq/redline/hclspec/load"
	"github.com/redlinehq/redline/hclspec/phase"
	"github.com/redlinehq/redline/hclspec/spell"
	"github.com/redlinehq/redline/hclspec/syntax"
	"github.com/redlinehq/redline/report/escape"
)

// maxClause bounds the bytes of a clause: one more than a file of a contract has.
const maxClause = 1<<20 + 1

// shipped begins the source of a clause that redline ships.
const shipped = "redline:"

// A clause is a template in a text of its own.
type clause struct {
	source string
	text   []byte
	block  *hclsyntax.Block
}

// readClause reads a clause: a file, REVISION:FILE of the repository, or the name of one that redline ships.
func readClause(ctx context.Context, name string) (*clause, error) {
	rev, file, inGit := strings.Cut(name, ":")
	switch info, err := os.Stat(name); {
	case err == nil && info.Mode().IsRegular():
		text, err := app.ReadRegular(name, maxClause)
		if err != nil {
			return nil, err
		}
		return parseClause(filepath.ToSlash(name), text)
	case inGit && rev+":" != shipped:
		file = path.Clean(file)
		tree, err := gitfs.Open(ctx, ".", rev, file)
		if err != nil {
			return nil, err
		}
		defer tree.Close()
		text, err := tree.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("%s has no file %s", rev, file)
		}
		return parseClause(file+"@"+tree.Commit(), text)
	}
	name = strings.TrimPrefix(name, shipped)
	text, err := fs.ReadFile(clauses.FS, name+clauses.Suffix)
	if err != nil {
		return nil, fmt.Errorf("there is no file %s, and redline ships no clause of that name: 'redline vendor' lists those that it ships", name)
	}
	return parseClause(shipped+name, text)
}

// parseClause finds the one template of a text, within the limits of a contract.
func parseClause(source string, text []byte) (*clause, error) {
	name := path.Clean(source)
	parsed, diags := syntax.Parse(map[string][]byte{name: text})
	if diags.HasErrors() {
		return nil, errors.New(diags.Error())
	}
	body := parsed[name]
	if len(body.Attributes) > 0 || len(body.Blocks) != 1 || body.Blocks[0].Type != "template" || len(body.Blocks[0].Labels) != 1 {
		return nil, fmt.Errorf("%s: a clause is a file with one template, and nothing else", source)
	}
	return &clause{source, text, body.Blocks[0]}, nil
}

// vendored returns the clause as a contract has it: with its source and its digest.
func (c *clause) vendored() ([]byte, error) {
	inside := bytes.Clone(c.text[c.block.OpenBraceRange.End.Byte:c.block.CloseBraceRange.Start.Byte])
	for _, name := range []string{"source", "digest"} {
		if attr := c.block.Body.Attributes[name]; attr != nil {
			from, to := attr.SrcRange.Start.Byte-c.block.OpenBraceRange.End.Byte, attr.SrcRange.End.Byte-c.block.OpenBraceRange.End.Byte
			copy(inside[from:to], bytes.Repeat([]byte(" "), to-from))
		}
	}
	text := fmt.Sprintf("# Brought here by 'redline vendor', which also brings it up to date. Who changes it by hand takes source and digest out.\ntemplate %q {\nsource = %s\ndigest = %q\n%s}\n",
		c.block.Labels[0], spell.Quote(c.source), phase.Digest(c.text, c.block), inside)
	out, diags := format.File([]byte(text), c.source)
	if diags.HasErrors() {
		return nil, errors.New(diags.Error())
	}
	again, err := parseClause(c.source, out)
	if err != nil {
		return nil, err
	}
	if phase.Digest(out, again.block) != phase.Digest(c.text, c.block) {
		return nil, fmt.Errorf("%s: it can't be written with its source", c.source)
	}
	return out, nil
}

// Vendor brings a clause into the contract in a directory, as a file of it, in place of what it brought before.
func Vendor(ctx context.Context, w io.Writer, name, dir string) error {
	c, err := readClause(ctx, name)
	if err != nil {
		return err
	}
	if entries, err := os.ReadDir(dir); err != nil || !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return strings.HasSuffix(e.Name(), ".contract.hcl") }) {
		return fmt.Errorf("there is no contract in %s", dir)
	}
	text, err := c.vendored()
	if err != nil {
		return err
	}
	file := filepath.Join(dir, "clause-"+spell.Names{}.Fresh(c.block.Labels[0])+".contract.hcl")
	old, err := app.ReadRegular(file, maxClause)
	switch before, wrong := parseClause(file, old); {
	case err != nil:
		err = app.Create(file, text)
	case wrong != nil || !before.untouched():
		return fmt.Errorf("%s was changed by hand: move it away first", file)
	default:
		err = os.WriteFile(file, text, 0o666)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "wrote %s\n\nNext: use it in a phase, then 'redline check %s'.\n\n%s%s", escape.TerminalText(filepath.ToSlash(file)), escape.TerminalText(filepath.ToSlash(dir)), c.use(), c.choices())
	return nil
}

// untouched reports whether a clause has a digest, and it is right.
func (c *clause) untouched() bool {
	digest := textOf(c.block, "digest")
	return digest != "" && digest == phase.Digest(c.text, c.block)
}

// use shows how a contract uses the clause.
func (c *clause) use() string {
	var t spell.Text
	name := c.block.Labels[0]
	t.Open("phase", name)
	t.Set("template", name)
	roles, with := "{\n", "{\n"
	for _, b := range c.block.Body.Blocks {
		switch {
		case b.Type == "party":
			roles += b.Labels[0] + " = PARTY\n"
		case b.Type == "parameter" && b.Body.Attributes["default"] == nil:
			with += b.Labels[0] + " = VALUE\n"
		}
	}
	t.Set("roles", roles+"}")
	if with != "{\n" {
		t.Set("with", with+"}")
	}
	t.Close()
	out, _ := format.File([]byte(t.String()), "use")
	return string(out)
}

// choices lists the parameters that have a default, each with what it is for; empty if there are none.
func (c *clause) choices() string {
	var b strings.Builder
	for _, p := range c.block.Body.Blocks {
		if p.Type != "parameter" || p.Body.Attributes["default"] == nil {
			continue
		}
		usual := string(p.Body.Attributes["default"].Expr.Range().SliceBytes(c.text))
		if attr := p.Body.Attributes["type"]; attr != nil && hcl.ExprAsKeyword(attr.Expr) == "duration" {
			usual += " ticks; in a contract with units write it as \"30 days\""
		}
		fmt.Fprintf(&b, "  %-12s %s (%s)\n", escape.TerminalText(p.Labels[0]), escape.TerminalText(textOf(p, "description")), escape.TerminalText(usual))
	}
	if b.Len() == 0 {
		return ""
	}
	return "\nWhat it may be given, in with = { NAME = VALUE }:\n" + b.String()
}

// ListClauses lists the clauses that redline ships.
func ListClauses(w io.Writer) error {
	names, err := fs.Glob(clauses.FS, "*"+clauses.Suffix)
	if err != nil {
		return err
	}
	fmt.Fprintln(w, "Clauses that redline ships:")
	for _, file := range names {
		name := strings.TrimSuffix(file, clauses.Suffix)
		c, err := readClause(context.Background(), shipped+name)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "  %-28s %s\n", name, c.title())
	}
	return nil
}

func (c *clause) title() string { return textOf(c.block, "title") }

// textOf returns the text in an attribute of a block; empty if there is none.
func textOf(b *hclsyntax.Block, name string) string {
	if attr := b.Body.Attributes[name]; attr != nil {
		if v, diags := attr.Expr.Value(nil); !diags.HasErrors() && !v.IsNull() && v.Type() == cty.String {
			return v.AsString()
		}
	}
	return ""
}

// Vendored lists the clauses that contracts have brought in, each with whether it is as its source has it now.
func Vendored(ctx context.Context, w io.Writer, root string) error {
	fsys := os.DirFS(root)
	dirs, err := load.Find(fsys, ".")
	if err != nil {
		return err
	}
	none := true
	for _, dir := range dirs {
		files, err := fs.Glob(fsys, path.Join(dir, "clause-*.contract.hcl"))
		if err != nil {
			return err
		}
		for _, file := range files {
			text, err := app.ReadRegular(filepath.Join(root, filepath.FromSlash(file)), maxClause)
			if err != nil {
				return err
			}
			if c, err := parseClause(file, text); err == nil && c.block.Body.Attributes["source"] != nil {
				none = false
				fmt.Fprintf(w, "%s: %s\n", escape.TerminalText(file), escape.TerminalText(c.standing(ctx)))
			}
		}
	}
	if none {
		fmt.Fprintln(w, "No contract here has brought in a clause: 'redline vendor' lists those that there are.")
	}
	return nil
}

// standing says how a clause that was brought in compares with its source.
func (c *clause) standing(ctx context.Context) string {
	written := textOf(c.block, "source")
	if written == "" {
		return "its source is no text"
	}
	source, _, _ := strings.Cut(written, "@")
	now, err := readClause(ctx, source)
	switch {
	case !c.untouched():
		return "changed by hand since it was brought from " + source
	case err != nil:
		return source + " is not there any more"
	case phase.Digest(now.text, now.block) == phase.Digest(c.text, c.block):
		return "as in " + source
	}
	return source + " has changed: 'redline vendor " + source + " " + path.Dir(c.source) + "' brings it up to date"
}
