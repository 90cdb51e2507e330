package store

import (
	"bytes"
	"context"
	"errors"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/report/record"
)

// ruleNamed returns the firing rule of that name, or nil for the contract's own.
func ruleNamed(word string) *petri.Rule {
	rules := map[string]petri.Rule{petri.One.String(): petri.One, petri.All.String(): petri.All}
	if r, ok := rules[word]; ok {
		return &r
	}
	return nil
}

// recheck checks a record's draft again, under its recorded terms, and reports differences as problems.
func (w *verifier) recheck(ctx context.Context, c *Card) error {
	return w.Repo.Read(ctx, []Name{c.Name}, func(f ReadResult) error {
		if f.Record == nil {
			return f.Wrong
		}
		was := f.Record.Draft()
		if was.Terms.Values != w.Values {
			return nil // meanings has reported it
		}
		budget, err := w.Recheck(was.Terms)
		if err != nil {
			return err
		}
		files, err := w.Repo.contents(ctx, []string{c.tree})
		if err != nil || files[c.tree] == nil {
			return err // it is said what is missing
		}
		d, err := w.under(was.Terms.Firing).draft(files[c.tree], c.path)
		if err != nil {
			return err
		}
		now, err := record.Made{Result: verify.Check(ctx, d, budget), Files: f.Record.Statement.Files(), Commit: was.Commit, Tool: w.Tool, Terms: was.Terms}.Statement()
		if err != nil || ctx.Err() != nil {
			return errors.Join(err, context.Cause(ctx))
		}
		w.compare(c, was, now.Draft())
		return nil
	})
}

// compare compares verdicts, and if the same version of redline made the record, all findings.
func (w *verifier) compare(c *Card, was, now *record.Draft) {
	before, after := byName(was.Requirements), byName(now.Requirements)
	if len(before) != len(after) || len(was.Requirements) != len(now.Requirements) {
		w.about(c, refuted, "it has %d requirements; its draft has %d", len(was.Requirements), len(now.Requirements))
		return
	}
	differs := false
	for i := range was.Requirements {
		p := &was.Requirements[i]
		q, ok := after[p.Name]
		switch {
		case !ok:
			w.about(c, refuted, "its draft has no requirement %s", p.Name)
		case p.Formula != q.Formula && was.Tool == now.Tool:
			w.about(c, refuted, "requirement %s is another formula", p.Name)
		case p.Verdict == q.Verdict && p.Waived() == q.Waived():
			continue
		case q.Verdict == finding.Unknown.String():
			w.about(c, Unsettled, "requirement %s: it says %s; now it is unknown: %s", p.Name, verdictOf(p), q.Reason)
		default:
			w.about(c, refuted, "requirement %s: it says %s; now it is %s%s", p.Name, verdictOf(p), verdictOf(q), w.other(was.Tool))
		}
		differs = true
	}
	if !differs && was.Tool == now.Tool && !bytes.Equal(record.Encode(was.Bare()), record.Encode(now.Bare())) {
		w.about(c, refuted, "the verdicts are the same, but something else it says is not: sizes, runs, waivers or built-in checks")
	}
}

func byName(all []record.Requirement) map[string]*record.Requirement {
	m := map[string]*record.Requirement{}
	for i := range all {
		m[all[i].Name] = &all[i]
	}
	return m
}
