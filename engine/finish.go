package engine

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/codes"
)

// finish adds what is to be said about the text, marks what the contract accepts, and sorts.
func (r *Result) finish(d *Draft) *Result {
	for _, diag := range append(d.Source.Diagnostics[:len(d.Source.Diagnostics):len(d.Source.Diagnostics)], d.broken...) {
		r.Diagnostics = append(r.Diagnostics, d.textual(diag))
	}
	if d.Spec != nil {
		d.accept(r)
		r.Diagnostics = d.alike(r.Diagnostics)
	}
	slices.SortStableFunc(r.Diagnostics, compare)
	return r
}

func compare(a, b Diagnostic) int {
	return cmp.Or(
		cmp.Compare(weight(a), weight(b)),
		cmp.Compare(a.Source.Filename, b.Source.Filename),
		cmp.Compare(a.Source.Start.Byte, b.Source.Start.Byte),
		cmp.Compare(a.Code, b.Code),
		cmp.Compare(a.Subject, b.Subject),
	)
}

// weight puts errors first, and what is accepted last.
func weight(d Diagnostic) int {
	if d.Accepted != "" {
		return 3
	}
	return slices.Index([]codes.Class{codes.Error, codes.Violation, codes.Warning}, d.Class)
}

// textual is what the reader of the text found, as a diagnostic of the result.
func (d *Draft) textual(diag *hcl.Diagnostic) Diagnostic { return Textual(diag, d.Source.Files) }

// Textual is what a reader of HCL found, with the line it is about; files are by the names that ranges have.
func Textual(diag *hcl.Diagnostic, files map[string][]byte) Diagnostic {
	out := Diagnostic{Code: hclspec.CodeOf(diag), Class: codes.Error, Message: diag.Summary, Detail: diag.Detail}
	if diag.Severity == hcl.DiagWarning {
		out.Class = codes.Warning
	}
	if diag.Subject != nil {
		out.Source, out.Snippet = *diag.Subject, lineAt(files, *diag.Subject)
	}
	return out
}

// maxSnippet keeps one long line from filling a report, in bytes.
const maxSnippet = 400

func (d *Draft) snippet(at hcl.Range) string { return lineAt(d.Source.Files, at) }

// lineAt is the source line a range starts in; empty when it is too long to be of use.
func lineAt(files map[string][]byte, at hcl.Range) string {
	src := files[at.Filename]
	if at.Start.Byte > len(src) {
		return ""
	}
	line := src[bytes.LastIndexByte(src[:at.Start.Byte], '\n')+1:]
	if end := bytes.IndexByte(line, '\n'); end >= 0 {
		line = line[:end]
	}
	if len(line) > maxSnippet {
		return ""
	}
	return strings.TrimSuffix(string(line), "\r") // a copy: thousands of findings keep no file each
}

// accept names each failed check by its run, marks the findings that the contract accepts, and warns of an acceptance that accepts nothing.
func (d *Draft) accept(r *Result) {
	for i := range r.Diagnostics {
		if diag := &r.Diagnostics[i]; diag.Class == codes.Violation {
			d.name(diag)
		}
	}
	subjects := acceptable(r.Diagnostics)
	for _, a := range d.Spec.Accepts {
		used := false
		for _, i := range subjects[acceptance{a.Code, a.On}] {
			if diag := &r.Diagnostics[i]; accepts(a, diag) {
				diag.Accepted, used = a.Reason, true
			}
		}
		if !used && r.Model.Incomplete == "" && !onlyReviews(a.Code) {
			on := ""
			if a.On != "" {
				on = " on " + a.On
			}
			unused := acceptance{"accept-unused", ""}
			subjects[unused] = append(subjects[unused], len(r.Diagnostics))
			r.Diagnostics = append(r.Diagnostics, d.finding("accept-unused", "", a.Range,
				fmt.Sprintf("There is no %s%s to accept.", a.Code, on), "Remove the block, so that it can't hide a later one."))
		}
	}
}

// name gives a failed check that a run shows its fingerprint.
func (d *Draft) name(diag *Diagnostic) {
	if diag.Trace == nil {
		return
	}
	what := "check " + string(diag.Code) + " " + diag.Subject
	if diag.Subject == "" && d.Spec.Final != nil {
		what += d.meaning(d.Spec.Final)
	}
	diag.Run = d.fingerprint(what, diag.Trace)
}

// accepts reports whether an accept block accepts a finding: by its code, what it is on, and the run, as far as the block says.
func accepts(a *hclspec.Accept, diag *Diagnostic) bool {
	return a.Code == string(diag.Code) && (a.On == "" || covers(a.On, diag.Subject)) && (a.Run == "" || slices.Contains(strings.Fields(a.Run), diag.Run))
}

// An acceptance is what an accept block names: a code, and on what; empty: on anything.
type acceptance struct{ code, on string }

// acceptable lists the findings that each acceptance would accept, by index.
func acceptable(list []Diagnostic) map[acceptance][]int {
	found := map[acceptance][]int{}
	for i, diag := range list {
		if diag.Class == codes.Error {
			continue
		}
		names := []string{"", diag.Subject, withoutIndex(diag.Subject)} // as covers has it
		slices.Sort(names)
		for _, name := range slices.Compact(names) {
			key := acceptance{string(diag.Code), name}
			found[key] = append(found[key], i)
		}
	}
	return found
}
