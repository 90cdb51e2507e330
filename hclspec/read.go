package hclspec

import (
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/hclspec/codes"
)

// MaxFileSize is the largest file of a contract, in bytes. Nothing reads more than one byte past it.
const MaxFileSize = 1 << 20

// The limits a contract stays within before anything parses it.
const (
	maxContract = 16 << 20 // bytes of all files
	maxFiles    = 1_000
	maxBlocks   = 100_000
)

// read fills files and order. It never follows a symbolic link and never reads more than the limits.
func (l *loader) read(fsys fs.FS, dir string) error {
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return fmt.Errorf("contract %s: %w", l.shown, err)
	}
	total, found := 0, 0
	for _, e := range entries { // sorted by file name
		if !IsContractFile(e.Name()) {
			l.passOver(e)
			continue
		}
		if found++; found > maxFiles {
			l.tooLarge(e.Name(), "more than 1,000 files")
			return nil
		}
		n, err := l.readEntry(fsys, dir, e)
		if err != nil {
			return err
		}
		if total += n; total > maxContract {
			l.tooLarge(e.Name(), "more than 16 MiB of text")
			return nil
		}
	}
	if found == 0 {
		l.nothing()
	}
	return nil
}

// codeFileNotRead is the code of a warning; all other codes of this package are errors.
const codeFileNotRead codes.Code = "file-not-read"

// maxPassedOver is how many files are warned of.
const maxPassedOver = 100

// passOver warns of a file that lies beside a contract's and may be meant to be one of them. Hidden files and what editors leave behind are not.
func (l *loader) passOver(e fs.DirEntry) {
	name := strings.ToLower(e.Name())
	meant := strings.HasSuffix(name, ".hcl") || strings.HasSuffix(name, ".contract") || strings.Contains(name, contractSuffix+".")
	if !meant || e.IsDir() || strings.HasPrefix(name, ".") || len(l.diags) >= maxPassedOver {
		return
	}
	r := fileRange(path.Join(l.shown, e.Name()))
	l.diags = append(l.diags, &hcl.Diagnostic{Severity: hcl.DiagWarning, Summary: fmt.Sprintf("%q is not read.", e.Name()), Subject: &r, Extra: codeFileNotRead,
		Detail: "The names of a contract's files end in " + contractSuffix + ". Rename it if it is one of them; else let it lie elsewhere."})
}

func (l *loader) nothing() {
	l.mistake(codeEmptyContract, fileRange(l.shown), fmt.Sprintf("There is no contract in %s.", l.shown),
		"A contract is a directory of files whose names end in "+contractSuffix+".")
}

// tooLarge says that there is more than a contract may have, and leaves all of it unparsed.
func (l *loader) tooLarge(file, what string) {
	l.order = nil
	l.mistake(codeContractTooLarge, fileRange(path.Join(l.shown, file)), "The contract has "+what+".",
		"Reading stopped at this file.")
}

// readEntry reads one file and returns its size in bytes.
func (l *loader) readEntry(fsys fs.FS, dir string, e fs.DirEntry) (int, error) {
	name := path.Join(l.shown, e.Name())
	if !utf8.ValidString(e.Name()) { // io/fs cannot open it
		return 0, fmt.Errorf("contract %s: the file name %q is not UTF-8: rename it", l.shown, e.Name())
	}
	if !e.Type().IsRegular() {
		l.mistake(codeNotRegular, fileRange(name), fmt.Sprintf("%s is not a regular file.", name),
			"A contract is read only from regular files; a symbolic link is not followed.")
		return 0, nil
	}
	if info, err := e.Info(); err == nil && info.Size() > MaxFileSize { // not even opened: a tree may be unable to
		l.fileTooLarge(name)
		return MaxFileSize + 1, nil
	}
	src, err := readAtMost(fsys, path.Join(dir, e.Name()), MaxFileSize+1)
	if err != nil {
		return 0, fmt.Errorf("contract %s: %w", l.shown, err)
	}
	if len(src) > MaxFileSize {
		l.fileTooLarge(name)
		return len(src), nil
	}
	l.files[name] = src
	l.order = append(l.order, name)
	return len(src), nil
}

func (l *loader) fileTooLarge(name string) {
	l.mistake(codeFileTooLarge, fileRange(name), fmt.Sprintf("%s is larger than 1 MiB.", name),
		"Split it into several files: the files of a contract are read as one.")
}

func readAtMost(fsys fs.FS, name string, limit int64) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit))
}
