package imported

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/hashicorp/hcl/v2"
	"golang.org/x/sync/errgroup"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/pnml"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/engine/workflow"
	"github.com/redlinehq/redline/hclspec/codes"
)

// An Imported is a net from a PNML file. It has no parties and no requirements, but package workflow has checks that apply to every net.
type Imported struct {
	Path   string // the file, slash-separated, as the user named it
	doc    *pnml.Document
	broken *pnml.Error   // why it could not be read; nil: it was
	took   time.Duration // to read
}

// Import reads a net. A malformed text is not an error, but a finding of Check. An error comes from r, or is the context's cause.
func Import(ctx context.Context, path string, r io.Reader) (*Imported, error) {
	n := &Imported{Path: path}
	var err error
	if n.doc, err = pnml.Decode(pnml.Stoppable(ctx, r)); err != nil && !errors.As(err, &n.broken) {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return n, nil
}

// ImportWithin is Import within the budget's time. If that ends first, the error is a *Stopped.
func ImportWithin(ctx context.Context, b finding.Budget, path string, r io.Reader) (*Imported, error) {
	began := time.Now()
	ctx, cancel := b.Reading(ctx)
	defer cancel()
	n, err := Import(ctx, path, r)
	if err != nil {
		return nil, b.Stopped(err)
	}
	n.took = time.Since(began)
	return n, nil
}

// CheckNets checks nets side by side. Result i belongs to net i. Each has the whole budget.
func CheckNets(ctx context.Context, nets []*Imported, b finding.Budget) []*finding.Result {
	results, turn := make([]*finding.Result, len(nets)), b.Turns(len(nets))
	var group errgroup.Group
	group.SetLimit(max(b.Jobs, 1))
	for i, n := range nets {
		group.Go(func() error {
			turn(n.Path)
			results[i] = n.Check(ctx, b)
			return nil
		})
	}
	_ = group.Wait() // results carry their own reasons
	return results
}

// Check checks the net, with one transition firing at a time: whether it is one-safe, which dead ends it has, which transitions never fire and,
// if it is a workflow net, whether it is sound.
func (n *Imported) Check(ctx context.Context, b finding.Budget) *finding.Result {
	r := &finding.Result{Path: n.Path, Imported: true, Model: finding.Model{Firing: petri.One.String(), Engine: "explicit"}}
	if n.broken != nil {
		r.Model.Incomplete = "the text is ill-formed"
		r.Diagnostics = []finding.Diagnostic{n.unreadable()}
		if errors.Is(n.broken, pnml.ErrUnsafeStart) { // this is decided already
			r.Requirements = []finding.Requirement{{Name: "one-safe", Title: safeTitle, Verdict: finding.Violated}}
		}
		return r
	}
	w := n.begin(r)
	ctx, cancel := b.After(ctx, n.took)
	defer cancel()
	found, err := w.survey(ctx, b, &r.Model)
	w.report(found)
	w.judge(found, err, b)
	return r
}

// survey lists the states while they are few, and computes decision diagrams otherwise.
func (w *imported) survey(ctx context.Context, b finding.Budget, m *finding.Model) (*workflow.Report, error) {
	if b.Engine != finding.Symbolic {
		few := space.Limits{States: b.States, Bytes: int64(b.Memory), Progress: b.Progress}
		if b.Engine != finding.Explicit && (few.States == 0 || few.States > verify.FewStates) {
			few.States, few.Bytes = verify.FewStates, few.Bytes/4 // the rest is for the net, and for memory that is not collected yet
		}
		found, err := workflow.Explicit(ctx, w.net, w.ends, few)
		var limit *space.LimitError
		if b.Engine == finding.Explicit || !errors.As(err, &limit) {
			return found, err
		}
	}
	m.Engine = string(finding.Symbolic)
	return workflow.Symbolic(ctx, w.net, w.ends, space.Limits{Bytes: int64(b.Memory)})
}

// safeTitle is the title of the requirement one-safe.
const safeTitle = "No place ever holds two tokens"

// unreadable returns the finding for a text that cannot be read.
func (n *Imported) unreadable() finding.Diagnostic {
	code, detail := codes.Code("net-unreadable"), ""
	switch {
	case errors.Is(n.broken, pnml.ErrUnsafeStart):
		code, detail = "contact", "Nothing is said of a net with more than one token on a place."
	case errors.Is(n.broken, pnml.ErrNotOneSafe):
		detail = "Arcs of weight 1 are read. Whether such a net is one-safe depends on whether that transition can ever fire."
	}
	return n.finding(code, "", pnml.Item{Line: n.broken.Line, Column: n.broken.Column}, "The net can't be read: "+n.broken.Err.Error()+".", detail)
}

// finding returns a finding about an item of the net, or about the net.
func (n *Imported) finding(code codes.Code, subject string, at pnml.Item, message, detail string) finding.Diagnostic {
	page, ok := codes.Lookup(code)
	if !ok {
		panic("imported: no page explains " + code)
	}
	d := finding.Diagnostic{Code: code, Class: page.Class, Subject: subject, Message: message, Detail: detail}
	if at.Line > 0 {
		pos := hcl.Pos{Line: at.Line, Column: at.Column}
		d.Source = hcl.Range{Filename: n.Path, Start: pos, End: pos}
	}
	return d
}
