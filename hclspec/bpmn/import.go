package bpmn

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/hclspec/codes"
)

// The codes of what is said about a collaboration. Each has its page in codes.
const (
	codeUnreadable  codes.Code = "bpmn-unreadable"
	codeUnsupported codes.Code = "bpmn-unsupported"
	codeLeftOut     codes.Code = "bpmn-left-out"
)

// Import reads a collaboration, or a process on its own, and writes it as a contract called name. So many messages of a kind can wait; with capacity 0 a message is sent and
// received at one moment. The text is nil where a diagnostic is an error; a warning says what is left out. File is what diagnostics call the text. An error is r's, or says
// that no contract can hold what is drawn. Cost: linear in the text, and in the ways through gateways.
func Import(r io.Reader, file, name string, capacity int) (text []byte, diags hcl.Diagnostics, err error) {
	i := &importer{file: file, capacity: capacity, nodes: map[string]*node{}, left: map[string]int{}}
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
	i.sayLeftOut()
	if !i.failed() {
		text, err = i.write(name)
	}
	slices.SortStableFunc(i.diags, func(a, b *hcl.Diagnostic) int { return a.Subject.Start.Byte - b.Subject.Start.Byte })
	return text, i.diags, err
}

// An importer reads one text.
type importer struct {
	file       string
	capacity   int
	diags      hcl.Diagnostics
	nodes      map[string]*node // by id
	pools      []*pool
	mails      []*mail
	broadcasts []*broadcast
	left       map[string]int // what is left out: how many of each
	at         hcl.Pos        // of the first
}

// A pool is a party in the making.
type pool struct {
	*node          // the participant, or the process
	process string // its id; empty: a pool without process
	course  *scope // nil where nothing is drawn
}

// A scope is what is drawn in a process, or in a sub-process.
type scope struct {
	pool  *pool
	of    *step // the sub-process; nil: a process
	steps []*step
	flows []*flow
}

// all calls f for each step of a scope and of the sub-processes in it.
func (c *scope) all(f func(*step)) {
	if c == nil {
		return
	}
	for _, s := range c.steps {
		f(s)
		s.inner.all(f)
	}
}

// A step is an element that tokens pass.
type step struct {
	*node
	scope   *scope
	inner   *scope // of a sub-process; nil: none, or nothing is drawn in it
	in, out []*flow
	trigger trigger
	ref     string  // the error or link that it is about
	bounds  []*step // the events at its border
	mails   []*mail // of which it is one end
	match   []*flow // of an inclusive gateway that splits: by flow that leaves, the flow by which the gateway that joins is reached; nil: none joins
	split   *step   // of an inclusive gateway that joins: the one that splits
}

// A trigger is what an event is about.
type trigger uint8

const (
	plain      trigger = iota
	message            // also of a task that sends or receives
	free               // a time, a condition, a signal: it may come at any moment
	failure            // an error
	escalation         // an error that need not break anything off
	terminate          // the end of all that goes on in its scope
	link               // another place in the drawing
)

// A flow is a sequence flow.
type flow struct {
	*node
	from, to *step
}

// A mail is a message flow. A pool without process is an end as a whole.
type mail struct {
	*node
	from, to end
	told     string // what tells its title from those of others; empty: nothing has to
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

// leaveOut counts something that says nothing of the order of things.
func (i *importer) leaveOut(n *node, what string) {
	if i.left[what]++; len(i.left) == 1 && i.left[what] == 1 {
		i.at = n.at
	}
}

// sayLeftOut says in one line what is left out.
func (i *importer) sayLeftOut() {
	var all []string
	for _, what := range slices.Sorted(maps.Keys(i.left)) {
		all = append(all, fmt.Sprintf("%s (%d)", what, i.left[what]))
	}
	if len(all) > 0 {
		i.say(hcl.DiagWarning, codeLeftOut, i.at, "Left out: "+strings.Join(all, ", ")+".", "")
	}
}

func upper(s string) string {
	if s != "" && 'a' <= s[0] && s[0] <= 'z' {
		return string(s[0]-'a'+'A') + s[1:]
	}
	return s
}
