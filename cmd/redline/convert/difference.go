package convert

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/behaviour"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/draw"
)

const (
	maxCompared  = 50_000 // states of a model that is drawn beside another
	maxInDiagram = 60     // arcs of a difference in Mermaid: more are unreadable
)

// difference draws the difference of the one contract at a path, from a revision to the work tree.
func (d *Drawing) difference(ctx context.Context, args []string, how app.ReadOptions) (draw.Graph, error) {
	was, is, err := differenceDrafts(ctx, d.Base, args, how)
	if err != nil {
		return draw.Graph{}, err
	}
	return differencePicture(ctx, was, is, d.Format)
}

// differenceDrafts returns the one contract at a path of the work tree, and its version in the merge base of HEAD and a revision.
func differenceDrafts(ctx context.Context, base string, args []string, how app.ReadOptions) (was, is *compile.Draft, err error) {
	if base == "" {
		return nil, nil, errors.New("--base is missing: name the revision to draw the difference from, as in --base main")
	}
	at := "."
	if len(args) > 0 {
		at = args[0]
	}
	under, err := app.FromTop(ctx, at)
	if err != nil {
		return nil, nil, err
	}
	revs := app.Revisions{Dir: ".", Base: base}
	commit, err := revs.BaseCommit(ctx)
	if err != nil {
		return nil, nil, err
	}
	after, err := revs.WorkTreeUnder(ctx, under, how)
	if err != nil {
		return nil, nil, err
	}
	if is, err = only(after, under, at); err != nil {
		return nil, nil, err
	}
	if was, err = app.RevisionDraft(ctx, revs.Dir, commit, is.Path, how); err != nil {
		return nil, nil, err
	}
	if was == nil { // it may have been moved, which takes all contracts to tell
		if was, err = movedFrom(ctx, revs, commit, is, how); err != nil {
			return nil, nil, err
		}
	}
	return was, is, how.Declared(was, is)
}

// movedFrom returns the contract of base that one of the work tree was before it was moved. The error says that there is none.
func movedFrom(ctx context.Context, revs app.Revisions, commit string, is *compile.Draft, how app.ReadOptions) (*compile.Draft, error) {
	before, err := app.RevisionDrafts(ctx, revs.Dir, commit, how)
	if err != nil {
		return nil, err
	}
	after, err := revs.HeadDrafts(ctx, how.ComparedWith(before))
	if err != nil {
		return nil, err
	}
	was := engine.Counterpart(before, after, is)
	if was == nil {
		return nil, fmt.Errorf("the contract %s is new: there is nothing to draw a difference from", is.Path)
	}
	return was, nil
}

// only returns the one contract at or under a path.
func only(drafts []*compile.Draft, under, shown string) (*compile.Draft, error) {
	var found []*compile.Draft
	for _, d := range drafts {
		if under == "." || d.Path == under || strings.HasPrefix(d.Path, under+"/") {
			found = append(found, d)
		}
	}
	switch len(found) {
	case 0:
		return nil, fmt.Errorf("no contract at or under %s", shown)
	case 1:
		return found[0], nil
	}
	return nil, fmt.Errorf("there are %d contracts here (%s, %s, ...): name one", len(found), found[0].Path, found[1].Path)
}

// differencePicture draws both state models as one. In Mermaid it draws no more than a reader can follow.
func differencePicture(ctx context.Context, was, is *compile.Draft, format string) (draw.Graph, error) {
	b, arcs := engine.DefaultBudget(), maxDrawn
	b.States = maxCompared
	if format == "mermaid" {
		arcs = maxInDiagram
	}
	p, err := behaviour.DrawDifference(ctx, was, is, b, arcs)
	if err != nil {
		return draw.Graph{}, err
	}
	if format == "mermaid" && p.Extent == finding.ChangesOnly {
		return draw.Graph{}, errors.New("the difference is too large for Mermaid: use --format svg or dot")
	}
	return draw.Difference(is.Spec.Name, p), nil
}
