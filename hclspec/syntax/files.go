package syntax

import (
	"cmp"
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

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/diag"
)

// Files holds the files of one contract: read within limits, and parsed.
type Files struct {
	*diag.Sink
	Content map[string][]byte // by shown name
	Order   []string          // shown names, sorted by file name
	Bodies  []*hclsyntax.Body // of the files that could be parsed
	Before  *Parsed           // an earlier reading, to reuse unchanged files of; nil: none
	unread  string            // a sentence that names the first file that was passed over; empty: there is none
	passed  string            // the shown name of that file
	tree    fs.FS             // where the files are from; nil: from memory
	dir     string            // and in which directory of it
}

// Parsed is the result of an earlier reading: the text of each file, and the body it was parsed to.
type Parsed struct {
	Content map[string][]byte
	Bodies  map[string]*hclsyntax.Body
}

// NewFiles returns Files that are not read yet.
func NewFiles(s *diag.Sink) *Files { return &Files{Sink: s, Content: map[string][]byte{}} }

// Limits of a contract, checked before anything is parsed.
const (
	MaxContract = 16 << 20 // bytes of all files, and of what phases expand to
	maxFiles    = 1_000
	MaxBlocks   = 100_000
)

// Read fills Content and Order. It follows no symbolic link and reads no more than the limits allow. The error is one of the file system.
func (f *Files) Read(fsys fs.FS, dir string) error {
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return fmt.Errorf("contract %s: %w", f.Shown, err)
	}
	f.tree, f.dir = fsys, dir
	total, found := 0, 0
	for _, e := range entries { // sorted by file name
		if !hclspec.IsContractFile(e.Name()) {
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
		if total += n; total > MaxContract {
			f.tooLarge(e.Name(), "more than 16 MiB of text")
			return nil
		}
	}
	if found == 0 {
		f.ReportEmpty()
	}
	return nil
}

// maxPassedOver bounds the warnings of files that are not read.
const maxPassedOver = 100

// passOver warns of a file that is not read and may be meant as one of the contract's.
func (f *Files) passOver(e fs.DirEntry) {
	to := Rename(e)
	if to == "" || len(f.Diags) >= maxPassedOver {
		return
	}
	if f.unread == "" {
		f.unread = fmt.Sprintf("It may be in %s, which is not read: rename that to %s.", e.Name(), to)
	}
	r := FileRange(path.Join(f.Shown, e.Name()))
	f.passed = cmp.Or(f.passed, r.Filename)
	f.Diags = append(f.Diags, &hcl.Diagnostic{Severity: hcl.DiagWarning, Summary: fmt.Sprintf("%q is not read: its name does not end in %s.", e.Name(), hclspec.ContractSuffix), Subject: &r, Extra: codeFileNotRead,
		Detail: fmt.Sprintf("If it is part of the contract, rename it to %s. Else move it to another directory.", to)})
}

// Rename returns the name that a file needs to be one of a contract's, if its own is nearly that. It returns "" for any other file, and for hidden files and
// those that editors leave behind.
func Rename(e fs.DirEntry) string {
	name := e.Name()
	at, small := len(name), strings.ToLower(name)
	meant := strings.HasSuffix(small, ".hcl") || strings.HasSuffix(small, ".contract") || strings.Contains(small, hclspec.ContractSuffix+".")
	if !meant || e.IsDir() || strings.HasPrefix(name, ".") || hclspec.IsContractFile(name) {
		return ""
	}
	for _, part := range []string{".contract", ".hcl"} {
		if i := strings.Index(small, part); i >= 0 {
			at = min(at, i)
		}
	}
	return name[:at] + hclspec.ContractSuffix
}

// ReportEmpty reports a directory without a file of a contract.
func (f *Files) ReportEmpty() {
	f.Mistake(diag.EmptyContract, FileRange(f.Shown), fmt.Sprintf("There is no contract in %s.", f.Shown),
		"A contract is a directory of files whose names end in "+hclspec.ContractSuffix+".")
}

// tooLarge reports that a contract is too large, and leaves all of it unparsed.
func (f *Files) tooLarge(file, what string) {
	f.Order = nil
	f.Mistake(diag.ContractTooLarge, FileRange(path.Join(f.Shown, file)), "The contract has "+what+".",
		"Reading stopped at this file.")
}

// readEntry reads one file and returns its size in bytes.
func (f *Files) readEntry(fsys fs.FS, dir string, e fs.DirEntry) (int, error) {
	name := path.Join(f.Shown, e.Name())
	if !utf8.ValidString(e.Name()) { // io/fs cannot open it
		return 0, fmt.Errorf("contract %s: the file name %q is not UTF-8: rename it", f.Shown, e.Name())
	}
	if !e.Type().IsRegular() {
		f.Mistake(diag.NotRegular, FileRange(name), fmt.Sprintf("%s is not a regular file.", name),
			"A contract is read only from regular files; a symbolic link is not followed.")
		return 0, nil
	}
	if info, err := e.Info(); err == nil && info.Size() > hclspec.MaxFileSize { // not even opened: a tree may be unable to
		f.fileTooLarge(name)
		return hclspec.MaxFileSize + 1, nil
	}
	src, err := ReadAtMost(fsys, path.Join(dir, e.Name()), hclspec.MaxFileSize+1)
	if err != nil {
		return 0, fmt.Errorf("contract %s: %w", f.Shown, err)
	}
	if len(src) > hclspec.MaxFileSize {
		f.fileTooLarge(name)
		return len(src), nil
	}
	f.Content[name] = src
	f.Order = append(f.Order, name)
	return len(src), nil
}

func (f *Files) fileTooLarge(name string) {
	f.Mistake(diag.FileTooLarge, FileRange(name), fmt.Sprintf("%s is larger than 1 MiB.", name),
		"Split it into several files: the files of a contract are read as one.")
}

// ReadAtMost returns the first bytes of a file, up to a limit. An error comes from fsys.
func ReadAtMost(fsys fs.FS, name string, limit int64) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit))
}

// ReadMemory fills Content and Order from memory, within the limits of Read.
func (f *Files) ReadMemory(text map[string][]byte) {
	total := 0
	for i, name := range slices.Sorted(maps.Keys(text)) {
		src, shown := text[name], path.Join(f.Shown, name)
		switch total += len(src); {
		case i >= maxFiles:
			f.tooLarge(name, "more than 1,000 files")
			return
		case total > MaxContract:
			f.tooLarge(name, "more than 16 MiB of text")
			return
		case len(src) > hclspec.MaxFileSize:
			f.fileTooLarge(shown)
			continue
		}
		f.Content[shown] = src
		f.Order = append(f.Order, shown)
	}
}
