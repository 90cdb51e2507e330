package convert

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/format"
	"github.com/redlinehq/redline/report/escape"
)

// FormatStream copies the text of a contract file in the canonical layout. Mistakes in the text are an error.
func FormatStream(in io.Reader, w io.Writer) error {
	src, err := io.ReadAll(io.LimitReader(in, hclspec.MaxFileSize+1))
	if err != nil {
		return err
	}
	out, err := canonical(src, "standard input")
	if err != nil {
		return err
	}
	_, err = w.Write(out)
	return err
}

// FormatFile rewrites a file in the canonical layout, and writes its name to w if it was in another one. With check it leaves the file.
func FormatFile(w io.Writer, name string, check bool) (changed bool, err error) {
	f, err := os.Open(name)
	if err != nil {
		return false, err
	}
	defer func() { _ = f.Close() }() // only read from
	src, err := io.ReadAll(io.LimitReader(f, hclspec.MaxFileSize+1))
	if err != nil {
		return false, err
	}
	out, err := canonical(src, filepath.ToSlash(name))
	if err != nil || bytes.Equal(src, out) {
		return false, err
	}
	fmt.Fprintln(w, escape.TerminalText(filepath.ToSlash(name)))
	if check {
		return true, nil
	}
	return true, replace(name, out)
}

// canonical returns a text in the canonical layout, or an error that lists the mistakes.
func canonical(src []byte, name string) ([]byte, error) {
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

// ContractFiles returns the regular contract files at or under each path. A path that names anything else is an error, so that none is skipped
// silently.
func ContractFiles(ctx context.Context, paths []string) ([]string, error) {
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
