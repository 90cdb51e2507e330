// Package records keeps records of the drafts of a commit, verifies them against the repository, and answers questions on the history of a
// contract from them. Package record defines the format of a record, and package store keeps records as refs.
package records

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/record"
	"github.com/redlinehq/redline/report/record/store"
	"github.com/redlinehq/redline/report/result"
)

// AttestRequest is a request to record the drafts of a commit.
type AttestRequest struct {
	Budget                   finding.Budget
	Key, Remote, Result, Now string
	Left                     []string // notices on contracts that are left out
}

// Attest records the drafts of a commit. It checks them first, unless Result names the results of an earlier check. It returns the records,
// and notices for the user.
func (a *AttestRequest) Attest(ctx context.Context, commit string, how app.ReadOptions) (kept []store.Kept, notices []string, err error) {
	now, err := momentOf(a.Now)
	if err != nil {
		return nil, nil, err
	}
	key, err := signingKey(a.Key)
	if err != nil {
		return nil, nil, err
	}
	keys, err := keysAt(ctx, commit, "")
	if err != nil {
		return nil, nil, err
	}
	if _, listed := keys[key.ID()]; len(keys) > 0 && !listed {
		notices = append(notices, unlisted(key))
	}
	drafts, err := app.RevisionDrafts(ctx, ".", commit, how)
	if err != nil {
		return nil, nil, err
	}
	if err := how.Declared(drafts...); err != nil {
		return nil, nil, err
	}
	drafts, _, left := engine.Within(how.Includes(), drafts)
	a.Left = how.LeftOut(left)
	results, err := a.results(ctx, commit, drafts, how)
	if err != nil {
		return nil, nil, err
	}
	terms := app.TermsOf(how, a.Budget, "")
	work := store.Attestation{Repo: store.At("."), Commit: commit, Drafts: drafts, Results: results, Tool: app.Version(), Key: key, Keys: keys, Now: now,
		Remote: a.Remote, Terms: recordTerms(terms), Reading: store.Reading{Rule: how.Rule, Values: how.Values, Budget: a.Budget}}
	kept, more, err := work.Keep(ctx)
	return kept, append(notices, more...), err
}

func unlisted(key *record.Key) string {
	if key == nil {
		return record.KeysFile + " lists the keys that are accepted, and these records are not signed: 'redline verify' will refuse them (--key signs)."
	}
	return record.KeysFile + " does not list the key that signs: 'redline verify' will refuse these records until it does."
}

func recordTerms(t result.Terms) record.Terms {
	return record.Terms{States: t.States, Memory: t.Memory, Time: t.Time, Engine: t.Engine, Firing: t.Firing, Today: t.Today, Values: t.Values, Settings: t.Settings}
}

// results returns the results of a check: of a new one, or of the one in the file Result.
func (a *AttestRequest) results(ctx context.Context, commit string, drafts []*compile.Draft, how app.ReadOptions) ([]*finding.Result, error) {
	if a.Result == "" {
		results := engine.CheckAll(ctx, drafts, a.Budget)
		return results, context.Cause(ctx)
	}
	f, err := result.Load(a.Result)
	if err != nil {
		return nil, err
	}
	terms := app.TermsOf(how, a.Budget, f.Terms.FailOn)
	terms.Observe = f.Terms.Observe
	terms.Settings = f.Terms.Settings // of what fails and what is observed, too
	switch {
	case f.Review != nil:
		return nil, fmt.Errorf("%s is of a review: what is recorded is a check (redline check --result)", a.Result)
	case f.Tool != app.Version():
		return nil, fmt.Errorf("%s is of redline %s, and this is %s", a.Result, f.Tool, app.Version())
	case f.Head != "" && f.Head != commit:
		return nil, fmt.Errorf("%s is of commit %s, and not of %s", a.Result, f.Head, commit)
	case fmt.Sprint(terms) != fmt.Sprint(f.Terms):
		return nil, fmt.Errorf("%s was found under other limits, rules or values than are asked for now: say the same again", a.Result)
	}
	return inOrder(a.Result, f.Results, drafts)
}

// inOrder returns the results in the order of the drafts. A result belongs to a draft if path and digest are the same.
func inOrder(name string, results []*finding.Result, drafts []*compile.Draft) ([]*finding.Result, error) {
	at := map[string]*finding.Result{}
	for _, r := range results {
		at[r.Path] = r
	}
	var list []*finding.Result
	for _, d := range drafts {
		r := at[d.Path]
		if r == nil || r.Digest != d.Digest {
			return nil, fmt.Errorf("%s has nothing of contract %s as it is in the commit", name, d.Path)
		}
		list = append(list, r)
	}
	return list, nil
}

// momentOf parses a time; an empty text is now. Elsewhere the clock serves for time limits, waiting and trimming the cache only.
func momentOf(text string) (time.Time, error) {
	if text == "" {
		return time.Now(), nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil || at.Year() < 1970 {
		return at, fmt.Errorf("--now %s: write it as 2027-03-31T12:00:00Z", text)
	}
	return at, nil
}

// WriteKept writes the list of records as text.
func WriteKept(w io.Writer, kept []store.Kept) error {
	if len(kept) == 0 {
		_, err := fmt.Fprintln(w, "There is no contract in this commit, so nothing was recorded.")
		return err
	}
	for _, k := range kept {
		did := "recorded"
		if !k.New {
			did = "was recorded already"
		}
		if _, err := fmt.Fprintf(w, "%s %s (%s)\n  %s\n", escape.TerminalText(k.Path), did, strings.ToLower(k.Result), k.Ref); err != nil {
			return err
		}
	}
	return nil
}

// RewriteNotes rewrites the notes of all commits from their records.
func (a *AttestRequest) RewriteNotes(ctx context.Context, w io.Writer) error {
	now, err := momentOf(a.Now)
	if err != nil {
		return err
	}
	noted, elsewhere, err := store.At(".").IndexAll(ctx, a.Remote, now)
	if err != nil {
		return err
	}
	said := fmt.Sprintf("%d records are noted at their commits.", noted)
	if elsewhere > 0 {
		said += fmt.Sprintf(" %d are not, for their commits are not in this clone.", elsewhere)
	}
	_, err = fmt.Fprintln(w, said)
	return err
}
