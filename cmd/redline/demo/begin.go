package demo

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/hclspec/load"
	"github.com/redlinehq/redline/hclspec/published"
	"github.com/redlinehq/redline/report/escape"
)

// A file is one to write.
type file struct{ name, text string }

// Examples returns the names of the contracts that CopyExample can write: the examples, then the published contracts.
func Examples() ([]string, error) {
	names, err := load.Find(examples.FS, ".")
	if err != nil {
		return nil, err
	}
	more, err := load.Find(published.FS, ".")
	return append(names, more...), err
}

// CopyExample writes the files of an example or a published contract into a directory, and their names to w. It writes nothing into a contract
// that is there.
func CopyExample(w io.Writer, example, dir string) error {
	var from fs.FS = examples.FS
	if _, err := fs.Stat(published.FS, example); err == nil {
		from = published.FS
	}
	entries, err := fs.ReadDir(from, example)
	if err != nil {
		return err
	}
	var files []file
	for _, e := range entries {
		text, err := fs.ReadFile(from, path.Join(example, e.Name()))
		if err != nil {
			return err
		}
		files = append(files, file{e.Name(), string(text)})
	}
	return writeContract(w, dir, "redline init another", files)
}

// writeContract writes the files of a contract into a directory that has none yet, and their names to w. Otherwise it says how to name another one.
func writeContract(w io.Writer, dir, otherwise string, files []file) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return hclspec.IsContractFile(e.Name()) }) {
		return fmt.Errorf("there is a contract in %s already: name another directory, as in '%s'", filepath.ToSlash(dir), otherwise)
	}
	return write(w, dir, files)
}

// write writes files that are not there yet, and their names to w. If one is there, it writes none.
func write(w io.Writer, dir string, files []file) error {
	for _, f := range files {
		name := filepath.Join(dir, f.name)
		if _, err := os.Lstat(name); err == nil {
			return fmt.Errorf("%s is there already, so nothing was written", filepath.ToSlash(name))
		}
	}
	for _, f := range files {
		name := filepath.Join(dir, f.name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := app.Create(name, []byte(f.text)); err != nil {
			return err
		}
		fmt.Fprintln(w, "wrote "+escape.TerminalText(filepath.ToSlash(name)))
	}
	return nil
}
