package hclspec

import (
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec/codes"
)

// files are the files of one contract: read within limits, and parsed.
type files struct {
	*sink
	content map[string][]byte // by shown name
	order   []string          // shown names, sorted by file name
	bodies  []*hclsyntax.Body // of the files that could be parsed
	before  *parsed           // some of the files may be as they were then; nil: none
}

// parsed is the outcome of an earlier reading: the text of each file, and the body it was parsed to.
type parsed struct {
	content map[string][]byte
	bodies  map[string]*hclsyntax.Body
}

// newFiles returns files that are not read yet.
func newFiles(s *sink) *files { return &files{sink: s, content: map[string][]byte{}} }

// The limits a contract stays within before anything parses it.
const (
	maxContract = 16 << 20 // bytes of all files
	maxFiles    = 1_000
	maxBlocks   = 100_000
)

// read fills content and order. It never follows a symbolic link and never reads more than the limits.
func (f *files) read(fsys fs.FS, dir string) error {
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return fmt.Errorf("contract %s: %w", f.shown, err)
	}
	total, found := 0, 0
	for _, e := range entries { // sorted by file name
		if !IsContractFile(e.Name()) {
			f.passOver(e)
			continue
		}
		if found++; found > maxFiles {
			f.tooLarge(e.Name(), "more than 1,000 files")
			return nil
		}
		n, err := f.readEntry(fsys, dir, e)
		if err != nil {
			return err
		}
		if total += n; total > maxContract {
			f.tooLarge(e.Name(), "more than 16 MiB of text")
			return nil
		}
	}
	if found == 0 {
		f.nothing()
	}
	return nil
}

// maxPassedOver is how many files are warned of.
const maxPassedOver = 100

// passOver warns of a file that is not read and may be meant to be one of the contract's. Hidden files and those that editors leave behind are not.
func (f *files) passOver(e fs.DirEntry) {
	name := strings.ToLower(e.Name())
	meant := strings.HasSuffix(name, ".hcl") || strings.HasSuffix(name, ".contract") || strings.Contains(name, contractSuffix+".")
	if !meant || e.IsDir() || strings.HasPrefix(name, ".") || len(f.diags) >= maxPassedOver {
		return
	}
	r := fileRange(path.Join(f.shown, e.Name()))
	f.diags = append(f.diags, &hcl.Diagnostic{Severity: hcl.DiagWarning, Summary: fmt.Sprintf("%q is not read.", e.Name()), Subject: &r, Extra: codeFileNotRead,
		Detail: "The names of a contract's files end in " + contractSuffix + ". Rename it if it is one of them; else let it lie elsewhere."})
}

// nothing reports a directory without a file of a contract.
func (f *files) nothing() {
	f.mistake(codeEmptyContract, fileRange(f.shown), fmt.Sprintf("There is no contract in %s.", f.shown),
		"A contract is a directory of files whose names end in "+contractSuffix+".")
}

// tooLarge reports that a contract is too large, and leaves all of it unparsed.
func (f *files) tooLarge(file, what string) {
	f.order = nil
	f.mistake(codeContractTooLarge, fileRange(path.Join(f.shown, file)), "The contract has "+what+".",
		"Reading stopped at this file.")
}

// readEntry reads one file and returns its size in bytes.
func (f *files) readEntry(fsys fs.FS, dir string, e fs.DirEntry) (int, error) {
	name := path.Join(f.shown, e.Name())
	if !utf8.ValidString(e.Name()) { // io/fs cannot open it
		return 0, fmt.Errorf("contract %s: the file name %q is not UTF-8: rename it", f.shown, e.Name())
	}
	if !e.Type().IsRegular() {
		f.mistake(codeNotRegular, fileRange(name), fmt.Sprintf("%s is not a regular file.", name),
			"A contract is read only from regular files; a symbolic link is not followed.")
		return 0, nil
	}
	if info, err := e.Info(); err == nil && info.Size() > MaxFileSize { // not even opened: a tree may be unable to
		f.fileTooLarge(name)
		return MaxFileSize + 1, nil
	}
	src, err := readAtMost(fsys, path.Join(dir, e.Name()), MaxFileSize+1)
	if err != nil {
		return 0, fmt.Errorf("contract %s: %w", f.shown, err)
	}
	if len(src) > MaxFileSize {
		f.fileTooLarge(name)
		return len(src), nil
	}
	f.content[name] = src
	f.order = append(f.order, name)
	return len(src), nil
}

func (f *files) fileTooLarge(name string) {
	f.mistake(codeFileTooLarge, fileRange(name), fmt.Sprintf("%s is larger than 1 MiB.", name),
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

// hold fills content and order from memory, within the limits of read.
func (f *files) hold(text map[string][]byte) {
	total := 0
	for i, name := range slices.Sorted(maps.Keys(text)) {
		src, shown := text[name], path.Join(f.shown, name)
		switch total += len(src); {
		case i >= maxFiles:
			f.tooLarge(name, "more than 1,000 files")
			return
		case total > maxContract:
			f.tooLarge(name, "more than 16 MiB of text")
			return
		case len(src) > MaxFileSize:
			f.fileTooLarge(shown)
			continue
		}
		f.content[shown] = src
		f.order = append(f.order, shown)
	}
}

// codeFileNotRead is the code of a warning; all other codes of this package are errors.
const codeFileNotRead codes.Code = "file-not-read"
