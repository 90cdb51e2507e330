package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/format"
	"github.com/redlinehq/redline/report/escape"
)

func fmtCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "fmt [PATH...]",
		Short: "Write contract files in the canonical layout",
		Long: `Fmt rewrites every *.contract.hcl file at or under each PATH (default: here) in the canonical layout and
prints the names of those it changed. "-" formats standard input to standard output.`,
	}
	check := cmd.Flags().Bool("check", false, "change nothing; exit 1 if a file is not in the canonical layout")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 && args[0] == "-" {
			return formatStream(s)
		}
		ctx := cmd.Context()
		files, err := contractFiles(ctx, args)
		if err != nil {
			return err
		}
		status := finding.Clean
		var wrong []error
		for _, f := range files {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			changed, err := formatFile(s, f, *check)
			wrong = append(wrong, err) // one file that cannot be read leaves the others theirs
			if changed && *check {
				status = finding.Violations
			}
		}
		return cmp.Or(errors.Join(wrong...), exit(status))
	}
	return cmd
}

func formatStream(s streams) error {
	src, err := io.ReadAll(io.LimitReader(s.in, hclspec.MaxFileSize+1))
	if err != nil {
		return err
	}
	out, err := formatted(src, "standard input")
	if err != nil {
		return err
	}
	_, err = s.out.Write(out)
	return err
}

// formatFile names the file on standard output when its layout is not canonical.
func formatFile(s streams, name string, check bool) (changed bool, err error) {
	f, err := os.Open(name)
	if err != nil {
		return false, err
	}
	defer func() { _ = f.Close() }() // only read from
	src, err := io.ReadAll(io.LimitReader(f, hclspec.MaxFileSize+1))
	if err != nil {
		return false, err
	}
	out, err := formatted(src, filepath.ToSlash(name))
	if err != nil || bytes.Equal(src, out) {
		return false, err
	}
	fmt.Fprintln(s.out, escape.TerminalText(filepath.ToSlash(name)))
	if check {
		return true, nil
	}
	return true, replace(name, out)
}

func formatted(src []byte, name string) ([]byte, error) {
	out, diags := format.File(src, name)
	if !diags.HasErrors() {
		return out, nil
	}
	var all []error
	for _, d := range diags {
		all = append(all, diagnosticError(d))
	}
	return nil, errors.Join(all...)
}

func diagnosticError(d *hcl.Diagnostic) error {
	return fmt.Errorf("%s:%d:%d: %s [%s]", d.Subject.Filename, d.Subject.Start.Line, d.Subject.Start.Column, d.Summary, diag.CodeOf(d))
}

// replace writes a file whole or not at all.
func replace(name string, content []byte) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(name), ".redline-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(temp.Name()) }() // gone already after the rename
	if _, err = temp.Write(content); err != nil {
		return errors.Join(err, temp.Close())
	}
	if err := errors.Join(temp.Chmod(info.Mode().Perm()), temp.Close()); err != nil {
		return err
	}
	return os.Rename(temp.Name(), name)
}

// contractFiles lists the regular contract files at or under each path. A path that names something
// else is an error: nothing that was asked for is passed over in silence.
func contractFiles(ctx context.Context, paths []string) ([]string, error) {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	var files []string
	for _, p := range paths {
		err := filepath.WalkDir(p, func(name string, e fs.DirEntry, err error) error {
			switch {
			case ctx.Err() != nil:
				return context.Cause(ctx)
			case errors.Is(err, fs.ErrNotExist):
				return fmt.Errorf("there is no file or directory %s", name)
			case err != nil:
				return err
			case e.IsDir() && e.Name() == ".git":
				return filepath.SkipDir
			case e.Type().IsRegular() && strings.HasSuffix(name, ".contract.hcl"):
				files = append(files, name)
			case !e.IsDir() && name == p:
				return fmt.Errorf("%s is not a regular file whose name ends in .contract.hcl", name)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}
