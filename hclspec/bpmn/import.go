package bpmn

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/hclspec/codes"
)

// The codes of what is said about a collaboration. Each has its page in codes.
const (
	codeUnreadable  codes.Code = "bpmn-unreadable"
	codeUnsupported codes.Code = "bpmn-unsupported"
	codeLeftOut     codes.Code = "bpmn-left-out"
)

// Import reads a collaboration, or a process on its own, and writes it as a contract called name. The text is nil where a diagnostic is an error; warnings say what
// is left out. File is what diagnostics call the text. An error is r's, or says that no contract can hold what is drawn. Cost: linear in the text, and in the
// ways through exclusive gateways.
func Import(r io.Reader, file, name string) (text []byte, diags hcl.Diagnostics, err error) {
	i := &importer{file: file, nodes: map[string]*node{}}
	doc, failed := tree(r)
	var not *broken
	switch {
	case errors.As(failed, &not):
		i.mistake(codeUnreadable, not.at, "The file can't be read: "+not.why+".", "")
	case failed != nil:
		return nil, nil, failed
	default:
		i.collect(doc)
	}
	if !i.failed() {
		i.connect()
	}
	if !i.failed() {
		text, err = i.write(name)
	}
	slices.SortStableFunc(i.diags, func(a, b *hcl.Diagnostic) int { return a.Subject.Start.Byte - b.Subject.Start.Byte })
	return text, i.diags, err
}

// An importer reads one text.
type importer struct {
	file  string
	diags hcl.Diagnostics
	nodes map[string]*node // by id
	pools []*pool
	mails []*mail
}

// A pool is a party in the making.
type pool struct {
	*node          // the participant, or the process
	process string // its id; empty: a pool without process
	steps   []*step
	flows   []*flow
}

// A step is an element that tokens pass.
type step struct {
	*node
	pool    *pool
	in, out []*flow
	message bool  // it has a message event definition, or is a task that sends or receives
	mail    *mail // of which it is one end; nil: none
}

// A flow is a sequence flow.
type flow struct {
	*node
	from, to *step
}

// A mail is a message flow. A pool without process is an end as a whole.
type mail struct {
	*node
	from, to end
}

type end struct {
	pool *pool
	step *step // nil: the pool
}

func (i *importer) failed() bool { return i.diags.HasErrors() }

func (i *importer) mistake(code codes.Code, at hcl.Pos, summary, detail string) {
	i.say(hcl.DiagError, code, at, summary, detail)
}

func (i *importer) say(severity hcl.DiagnosticSeverity, code codes.Code, at hcl.Pos, summary, detail string) {
	i.diags = append(i.diags, &hcl.Diagnostic{Severity: severity, Summary: summary, Detail: detail, Extra: code,
		Subject: &hcl.Range{Filename: i.file, Start: at, End: at}})
}

func (i *importer) unsupported(n *node, why, instead string) {
	i.mistake(codeUnsupported, n.at, upper(n.called())+" "+why+".", instead)
}

func (i *importer) leftOut(n *node, why string) {
	i.say(hcl.DiagWarning, codeLeftOut, n.at, fmt.Sprintf("%s is left out: %s.", upper(n.called()), why), "")
}

func upper(s string) string {
	if s != "" && 'a' <= s[0] && s[0] <= 'z' {
		return string(s[0]-'a'+'A') + s[1:]
	}
	return s
}
