package syntax

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/hclspec/diag"
)

// codeFileNotRead is the code of a warning; all other codes of this package are errors.
const codeFileNotRead codes.Code = "file-not-read"

// HintUnread says of names that are unknown, or of a contract block that is missing, that they may be in a file that was not read: one whose name ends
// otherwise, or one in the directory above or below. Where the directory itself has no contract block and one beside it has, its files are in the wrong
// place, and that is the one mistake.
func (f *Files) HintUnread(headless bool) {
	missed := func(d *hcl.Diagnostic) bool { return d.Extra == diag.UnknownName || d.Extra == diag.EmptyContract }
	i := slices.IndexFunc(f.Diags, missed)
	if i < 0 {
		return
	}
	if f.leadWithFile(missed) {
		return
	}
	near := f.neighbours()
	if headless && len(f.Order) > 0 && slices.ContainsFunc(near, func(n neighbour) bool { return n.whole }) {
		f.Diags = slices.DeleteFunc(f.Diags, missed)
		f.misplaced(near)
		return
	}
	for _, n := range near {
		if f.unread == "" && !n.whole {
			f.unread = fmt.Sprintf("It may be in %s, which lies %s: move that into %s.", path.Join(n.shown, n.file), map[bool]string{true: "beside ", false: "below "}[n.above]+path.Base(f.Shown), path.Base(f.Shown))
			if path.Base(f.Shown) == "." {
				f.unread = fmt.Sprintf("It may be in %s, which lies in a directory below: move that up.", path.Join(n.shown, n.file))
			}
		}
	}
	if f.unread != "" {
		f.Diags[i].Detail = strings.TrimLeft(f.Diags[i].Detail+" "+f.unread, " ")
	}
	if f.passed != "" { // said now
		f.Diags = slices.DeleteFunc(f.Diags, func(d *hcl.Diagnostic) bool { return d.Extra == codeFileNotRead && d.Subject.Filename == f.passed })
	}
}

// leadWithFile reports a file that is not read, or that has no block, in place of names that are unknown and near no other: if there are several, that
// file is the one mistake. It reports whether it did.
func (f *Files) leadWithFile(missed func(*hcl.Diagnostic) bool) bool {
	follows := func(d *hcl.Diagnostic) bool { return missed(d) && !strings.Contains(d.Detail, "Did you mean") }
	var names []string
	said := map[string]bool{}
	for _, d := range f.Diags {
		if follows(d) && !said[d.Summary] {
			said[d.Summary] = true
			if name := quotedName.FindString(d.Summary); name != "" && len(names) < maxLines {
				names = append(names, fmt.Sprintf("%s (%s:%d)", strings.Trim(name, `"`), d.Subject.Filename, d.Subject.Start.Line))
			}
		}
	}
	if len(said) < 2 || len(names) == 0 {
		return false
	}
	var lead *hcl.Diagnostic
	if i := slices.IndexFunc(f.Diags, func(d *hcl.Diagnostic) bool { return d.Extra == codeFileNotRead }); i >= 0 {
		lead = f.Diags[i]
	} else if i := slices.IndexFunc(f.Bodies, func(b *hclsyntax.Body) bool { return len(b.Blocks)+len(b.Attributes) == 0 }); i >= 0 {
		r := FileRange(f.Order[i])
		lead = &hcl.Diagnostic{Summary: "This file has no block.", Detail: "Write their blocks into it.", Subject: &r}
	} else {
		return false
	}
	lead.Severity, lead.Extra = hcl.DiagError, diag.UnknownName
	lead.Detail = fmt.Sprintf("Names are missing that may be meant to stand there: %s. %s", strings.Join(names, ", "), lead.Detail)
	rest := slices.DeleteFunc(f.Diags, func(d *hcl.Diagnostic) bool { return d == lead || follows(d) })
	f.Diags = append(hcl.Diagnostics{lead}, rest...)
	return true
}

// quotedName matches the name in a message on one that is unknown.
var quotedName = regexp.MustCompile(`"[^"]+"`)

// misplaced reports that files of a contract lie above or below its directory.
func (f *Files) misplaced(near []neighbour) {
	var into []string
	var where string
	for _, n := range near {
		if n.whole {
			into = append(into, n.shown)
			where = map[bool]string{true: "below", false: "beside"}[n.above]
		}
		if n.whole && n.above {
			break
		}
	}
	first := path.Base(f.Order[0])
	summary := fmt.Sprintf("%s lies %s %s: move it there.", first, where, into[0])
	if into[0] == "." {
		summary = fmt.Sprintf("%s lies below the contract: move it into the directory above.", first)
	} else if len(into) > 1 {
		summary = fmt.Sprintf("%s lies beside %s and other contracts: move it into the one that it is part of.", first, into[0])
	}
	detail := "The files of a contract lie in one directory. For a contract of its own write contract \"name\" { ... } in one of them."
	if more := len(f.Order) - 1; more > 0 {
		detail = "So do the others here. " + detail
	}
	f.Mistake(diag.EmptyContract, FileRange(f.Order[0]), summary, detail)
}

// A neighbour is the directory above a contract's or one below it, if it has files of contracts.
type neighbour struct {
	shown, file string // as messages name it; the name of its first file
	above       bool
	whole       bool // it has a contract block
}

// Bounds of the search for files in the wrong place.
const (
	maxNear      = 64 // directories
	maxNearFiles = 16 // of each
)

// contractHeader matches the beginning of a contract block.
var contractHeader = regexp.MustCompile(`(?m)^\s*contract\s*"`)

// neighbours returns the directories directly above and below, the one above first. One that cannot be read is left out: this only serves a hint.
func (f *Files) neighbours() (all []neighbour) {
	if f.tree == nil {
		return nil
	}
	if f.dir != "." {
		all = f.neighbour(all, path.Dir(f.dir), neighbour{shown: path.Dir(f.Shown), above: true})
	}
	entries, _ := fs.ReadDir(f.tree, f.dir)
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return !e.IsDir() || strings.HasPrefix(e.Name(), ".") })
	for _, e := range entries[:min(len(entries), maxNear)] {
		all = f.neighbour(all, path.Join(f.dir, e.Name()), neighbour{shown: path.Join(f.Shown, e.Name())})
	}
	return all
}

// neighbour adds a directory, if it has files of contracts.
func (f *Files) neighbour(all []neighbour, dir string, n neighbour) []neighbour {
	entries, _ := fs.ReadDir(f.tree, dir)
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return !e.Type().IsRegular() || !hclspec.IsContractFile(e.Name()) })
	for _, e := range entries[:min(len(entries), maxNearFiles)] {
		f.CheckContext()
		src, err := ReadAtMost(f.tree, path.Join(dir, e.Name()), hclspec.MaxFileSize)
		n.whole = n.whole || err == nil && contractHeader.Match(src)
	}
	if len(entries) == 0 {
		return all
	}
	n.file = entries[0].Name()
	return append(all, n)
}
