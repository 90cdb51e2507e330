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

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/hclspec/clauses"
	"github.com/redlinehq/redline/hclspec/format"
	"github.com/redlinehq/redline/hclspec/gitfs"
	"github.com/redlinehq/redline/hclspec/load"
	"github.com/redlinehq/redline/hclspec/spell"
	"github.com/redlinehq/redline/report/escape"
)

// shipped begins the source of a clause that redline ships.
const shipped = "redline:"

// readClause reads a clause: a file, REVISION:FILE of the repository, or the name of one that redline ships.
func readClause(ctx context.Context, name string) (*clauses.Clause, error) {
	rev, file, inGit := strings.Cut(name, ":")
	switch info, err := os.Stat(name); {
	case err == nil && info.Mode().IsRegular():
		text, err := app.ReadRegular(name, clauses.MaxBytes)
		if err != nil {
			return nil, err
		}
		return clauses.Parse(filepath.ToSlash(name), text)
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
		return clauses.Parse(file+"@"+tree.Commit(), text)
	}
	name = strings.TrimPrefix(name, shipped)
	text, err := fs.ReadFile(clauses.FS, name+clauses.Suffix)
	if err != nil {
		return nil, fmt.Errorf("there is no file %s, and redline ships no clause of that name: 'redline vendor' lists those that it ships", name)
	}
	return clauses.Parse(shipped+name, text)
}

// vendored returns the clause as a contract has it: with its source and its digest.
func vendored(c *clauses.Clause) ([]byte, error) {
	inside := bytes.Clone(c.Text[c.Block.OpenBraceRange.End.Byte:c.Block.CloseBraceRange.Start.Byte])
	for _, name := range []string{"source", "digest"} {
		if attr := c.Block.Body.Attributes[name]; attr != nil {
			from, to := attr.SrcRange.Start.Byte-c.Block.OpenBraceRange.End.Byte, attr.SrcRange.End.Byte-c.Block.OpenBraceRange.End.Byte
			copy(inside[from:to], bytes.Repeat([]byte(" "), to-from))
		}
	}
	text := fmt.Sprintf("# Brought here by 'redline vendor', which also brings it up to date. Who changes it by hand takes source and digest out.\ntemplate %q {\nsource = %s\ndigest = %q\n%s}\n",
		c.Block.Labels[0], spell.Quote(c.Source), c.Digest(), inside)
	out, diags := format.File([]byte(text), c.Source)
	if diags.HasErrors() {
		return nil, errors.New(diags.Error())
	}
	again, err := clauses.Parse(c.Source, out)
	if err != nil {
		return nil, err
	}
	if again.Digest() != c.Digest() {
		return nil, fmt.Errorf("%s: it can't be written with its source", c.Source)
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
	text, err := vendored(c)
	if err != nil {
		return err
	}
	file := filepath.Join(dir, "clause-"+spell.Names{}.Fresh(c.Block.Labels[0])+".contract.hcl")
	old, err := app.ReadRegular(file, clauses.MaxBytes)
	switch before, wrong := clauses.Parse(file, old); {
	case err != nil:
		err = app.Create(file, text)
	case wrong != nil || !before.Untouched():
		return fmt.Errorf("%s was changed by hand: move it away first", file)
	default:
		err = os.WriteFile(file, text, 0o666)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "wrote %s\n\nNext: use it in a phase, then 'redline check %s'.\n\n%s%s", escape.TerminalText(filepath.ToSlash(file)), escape.TerminalText(filepath.ToSlash(dir)), use(c), choices(c))
	return nil
}

// use shows how a contract uses the clause.
func use(c *clauses.Clause) string {
	var t spell.Text
	name := c.Block.Labels[0]
	t.Open("phase", name)
	t.Set("template", name)
	roles, with := "{\n", "{\n"
	for _, b := range c.Block.Body.Blocks {
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
func choices(c *clauses.Clause) string {
	var b strings.Builder
	for _, p := range c.Block.Body.Blocks {
		if p.Type != "parameter" || p.Body.Attributes["default"] == nil {
			continue
		}
		usual := string(p.Body.Attributes["default"].Expr.Range().SliceBytes(c.Text))
		if attr := p.Body.Attributes["type"]; attr != nil && hcl.ExprAsKeyword(attr.Expr) == "duration" {
			usual += " ticks; in a contract with units write it as \"30 days\""
		}
		fmt.Fprintf(&b, "  %-12s %s (%s)\n", escape.TerminalText(p.Labels[0]), escape.TerminalText(clauses.TextOf(p, "description")), escape.TerminalText(usual))
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
		fmt.Fprintf(w, "  %-28s %s\n", name, title(c))
	}
	return nil
}

func title(c *clauses.Clause) string { return clauses.TextOf(c.Block, "title") }

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
			text, err := app.ReadRegular(filepath.Join(root, filepath.FromSlash(file)), clauses.MaxBytes)
			if err != nil {
				return err
			}
			if c, err := clauses.Parse(file, text); err == nil && c.Block.Body.Attributes["source"] != nil {
				none = false
				fmt.Fprintf(w, "%s: %s\n", escape.TerminalText(file), escape.TerminalText(standing(ctx, c)))
			}
		}
	}
	if none {
		fmt.Fprintln(w, "No contract here has brought in a clause: 'redline vendor' lists those that there are.")
	}
	return nil
}

// standing says how a clause that was brought in compares with its source.
func standing(ctx context.Context, c *clauses.Clause) string {
	written := clauses.TextOf(c.Block, "source")
	if written == "" {
		return "its source is no text"
	}
	source, _, _ := strings.Cut(written, "@")
	now, err := readClause(ctx, source)
	switch {
	case !c.Untouched():
		return "changed by hand since it was brought from " + source
	case err != nil:
		return source + " is not there any more"
	case now.Digest() == c.Digest():
		return "as in " + source
	}
	return source + " has changed: 'redline vendor " + source + " " + path.Dir(c.Source) + "' brings it up to date"
}
