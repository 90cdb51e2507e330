package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec/expr"
	"github.com/redlinehq/redline/hclspec/load"
	"github.com/redlinehq/redline/report/record"
)

// A Reading says how a recorded draft is read and checked again.
type Reading struct {
	Rule   *petri.Rule // nil: the contract's own
	Values expr.Values
	Budget finding.Budget
}

// draft compiles a draft from its files, under the name of its directory.
func (h Reading) draft(files *txtar.Archive, dir string) (*compile.Draft, error) {
	tree, err := txtar.FS(files)
	if err != nil {
		return nil, err
	}
	src, err := load.Dir(tree, ".", dir, h.Values)
	if err != nil {
		return nil, err
	}
	return compile.Compile(src, dir, h.Rule), nil
}

// Owed is the relation of two drafts that allow the same steps and differ in obligations. Moved is that of two that behave the same, counted
// from the start of each, and begin on different days.
const (
	Owed  = "owed"
	Moved = "moved"
)

// most limits each list in a Change.
const most = 50

// change returns what a draft changes compared with the draft of the previous record.
func (h Reading) change(ctx context.Context, r Repository, before *Record, now *compile.Draft, s *record.Statement) (*record.Change, error) {
	c := &record.Change{Relation: delta.Unknown.String(), Text: []string{}, Possible: []string{}, Impossible: []string{}, Verdicts: verdictChanges(before.Draft(), s.Draft(), nil)}
	if before.Draft().Model == s.Draft().Model && before.Draft().Model != "" {
		c.Relation = delta.Same.String()
		return c, nil
	}
	files, err := r.contents(ctx, []string{before.Tree})
	if err != nil {
		return nil, err
	}
	if files[before.Tree] == nil {
		c.Reason = "the files of the draft before it were not in the clone"
		return c, nil
	}
	was, err := h.draft(files[before.Tree], before.Draft().Path)
	if err != nil {
		return nil, err
	}
	review := engine.ComparePairs(ctx, []engine.Pair{{Base: was, Head: now}}, h.Budget)[0]
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if review.Difference == nil {
		c.Reason = "one of both drafts is ill-formed"
		return c, nil
	}
	take(c, review.Difference)
	c.Verdicts = verdictChanges(before.Draft(), s.Draft(), renamed(review.Difference.Changes))
	return c, nil
}

func take(c *record.Change, d *finding.Difference) {
	c.Relation, c.Reason = d.All.Relation.String(), record.Clean(d.All.Reason)
	if d.All.Relation == delta.Same && !d.All.Same() {
		if c.Relation = Owed; d.All.Owed.Relation == delta.Unknown {
			c.Relation, c.Reason = delta.Unknown.String(), record.Clean("the same steps can happen; whether the same is owed is not decided: "+d.All.Owed.Reason)
		}
	}
	_, _, moved := d.Start()
	switch same := c.Relation == delta.Same.String(); {
	case d.Tick != nil && (same || c.Relation == Owed):
		c.Relation, c.Reason = delta.Unknown.String(), "what is counted in ticks takes another time"
	case moved && same:
		c.Relation = Moved
	}
	for _, one := range d.Changes {
		text := strings.TrimSpace(fmt.Sprintf("%s %s %s", one.Action, one.Element, one.Name))
		if one.Was != "" {
			text += ", was " + one.Was
		}
		c.Text = append(c.Text, record.Clean(text))
	}
	c.Text = few(c.Text)
	c.Possible, c.Impossible = sequences(d.All.Possible), sequences(d.All.Impossible)
}

func few(list []string) []string {
	if len(list) <= most {
		return list
	}
	return append(list[:most:most], fmt.Sprintf("and %d more", len(list)-most))
}

// sequences returns each run as the names of its events.
func sequences(all []finding.Sequence) []string {
	list := []string{}
	for _, s := range all {
		var steps []string
		for i, f := range s.Run {
			name := f.Event
			if name == "" {
				name = strings.Join(f.Transitions, " + ")
			}
			if i > 0 && s.Run[i-1].Step == f.Step {
				steps[len(steps)-1] += " and " + name
			} else {
				steps = append(steps, name)
			}
		}
		if len(steps) > most {
			steps = slices.Concat(steps[:most/2], []string{fmt.Sprintf("(%d more)", len(steps)-most)}, steps[len(steps)-most/2:])
		}
		list = append(list, record.Clean(strings.Join(steps, ", ")))
	}
	return few(list)
}

// renamed returns the present names of requirements by their names before.
func renamed(changes []diff.Change) map[string]string {
	names := map[string]string{}
	for _, c := range changes {
		if c.Action == diff.Renamed && c.Element == diff.Requirement {
			names[c.Was] = c.Name
		}
	}
	return names
}

// verdictChanges returns the requirements whose verdict differs, in the order of now, then of before. One that is renamed is the same.
func verdictChanges(before, now *record.Draft, renamed map[string]string) []record.VerdictChange {
	list := []record.VerdictChange{}
	was := map[string]string{}
	for _, q := range before.Requirements {
		was[cmp.Or(renamed[q.Name], q.Name)] = verdictOf(&q)
	}
	for _, q := range now.Requirements {
		if old, ok := was[q.Name]; !ok || old != verdictOf(&q) {
			list = append(list, record.VerdictChange{Name: q.Name, Was: was[q.Name], Now: verdictOf(&q)})
		}
		delete(was, q.Name)
	}
	for _, q := range before.Requirements {
		if old, ok := was[q.Name]; ok && renamed[q.Name] == "" {
			list = append(list, record.VerdictChange{Name: q.Name, Was: old, Now: ""})
		}
	}
	return list
}
