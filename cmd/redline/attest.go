package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/gitfs"
	"github.com/redlinehq/redline/hclspec/settings"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/record"
	"github.com/redlinehq/redline/report/record/store"
	"github.com/redlinehq/redline/report/result"
)

func attestCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "attest [REV]",
		Short: "Keep a record of each draft of a commit, and of what is true of it",
		Long: `Attest checks the contracts of a commit (default: HEAD) and keeps a record of each in the repository: its files and its meaning as
digests, every verdict, what changed since the record before it on the branch. A record is a ref of its own, refs/redline/DIGEST/RUN,
which is made once and never moved. What is recorded already is not recorded again. Git's notes (git log --notes=redline) list the
records of a commit.

With --key, or a key in the environment variable REDLINE_KEY, records are signed. The keys that are accepted are listed in
.github/redline.keys; 'redline keygen' makes one. 'redline verify' holds records to the repository.

The exit status tells whether the records are kept (0) or not (2), not what the verdicts are.`,
		Args: cobra.MaximumNArgs(1),
	}
	a := &attesting{checking: checking{budget: defaultBudget()}}
	a.firing = addChoice(cmd, "firing", "override the contract's firing rule", "", "one", "all")
	a.addEngine(cmd)
	a.limits(cmd.Flags())
	a.addToday(cmd.Flags())
	a.values.add(cmd.Flags())
	cmd.Flags().StringVar(&a.key, "key", "", "file with the key that signs (redline keygen)")
	cmd.Flags().StringVar(&a.remote, "push", "", "push to this remote, such as origin, what it lacks; its records are fetched first")
	cmd.Flags().StringVar(&a.result, "result", "", "take what 'redline check --result' found of the commit instead of checking it")
	cmd.Flags().StringVar(&a.now, "now", "", "when this is, as 2027-03-31T12:00:00Z (default: what the clock says)")
	index := cmd.Flags().Bool("index", false, "write the notes anew from the records, and nothing else")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *index {
			return a.index(cmd.Context(), s)
		}
		wanted, commit, err := settingsAt(cmd.Context(), args)
		if err != nil {
			return err
		}
		if err := under(wanted, cmd.Flags()); err != nil {
			return err
		}
		how, err := a.reading(wanted)
		if err != nil {
			return err
		}
		stop := progress(s.err, &a.budget)
		kept, notices, err := a.attest(cmd.Context(), commit, how)
		stop()
		if err != nil {
			return err
		}
		tell(s.err, append(a.left, notices...))
		return writeKept(s.out, kept)
	}
	return cmd
}

// attesting is what attest was asked for.
type attesting struct {
	checking
	key, remote, result, now string
	left                     []string // what there is to say of contracts that are left out
}

// settingsAt are the settings of a revision, by default of HEAD, and its commit.
func settingsAt(ctx context.Context, args []string) (*settings.Settings, string, error) {
	rev := "HEAD"
	if len(args) > 0 {
		rev = args[0]
	}
	commit, err := gitfs.Resolve(ctx, ".", rev)
	if err != nil {
		return nil, "", err
	}
	wanted, err := revisionSettings(ctx, ".", commit, rev)
	return wanted, commit, err
}

// attest records the drafts of a commit.
func (a *attesting) attest(ctx context.Context, commit string, how reading) (kept []store.Kept, notices []string, err error) {
	now, err := momentOf(a.now)
	if err != nil {
		return nil, nil, err
	}
	key, err := signingKey(a.key)
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
	drafts, err := revisionDrafts(ctx, ".", commit, how)
	if err != nil {
		return nil, nil, err
	}
	if err := how.declared(drafts...); err != nil {
		return nil, nil, err
	}
	drafts, _, left := engine.Within(how.includes(), drafts)
	a.left = how.leftOut(left)
	results, err := a.results(ctx, commit, drafts, how)
	if err != nil {
		return nil, nil, err
	}
	terms := termsOf(how, a.budget, "")
	work := store.Attestation{Repo: store.At("."), Commit: commit, Drafts: drafts, Results: results, Tool: version(), Key: key, Keys: keys, Now: now,
		Remote: a.remote, Terms: recordTerms(terms), Reading: store.Reading{Rule: how.rule, Values: how.values, Budget: a.budget}}
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

// results are those of a check: of this one, or of one that was made before.
func (a *attesting) results(ctx context.Context, commit string, drafts []*compile.Draft, how reading) ([]*finding.Result, error) {
	if a.result == "" {
		results := engine.CheckAll(ctx, drafts, a.budget)
		return results, context.Cause(ctx)
	}
	f, err := result.Load(a.result)
	if err != nil {
		return nil, err
	}
	terms := termsOf(how, a.budget, f.Terms.FailOn)
	terms.Observe = f.Terms.Observe
	terms.Settings = f.Terms.Settings // of what fails and what is observed, too
	switch {
	case f.Review != nil:
		return nil, fmt.Errorf("%s is of a review: what is recorded is a check (redline check --result)", a.result)
	case f.Tool != version():
		return nil, fmt.Errorf("%s is of redline %s, and this is %s", a.result, f.Tool, version())
	case f.Head != "" && f.Head != commit:
		return nil, fmt.Errorf("%s is of commit %s, and not of %s", a.result, f.Head, commit)
	case fmt.Sprint(terms) != fmt.Sprint(f.Terms):
		return nil, fmt.Errorf("%s was found under other limits, rules or values than are asked for now: say the same again", a.result)
	}
	return inOrder(a.result, f.Results, drafts)
}

// inOrder are the results of drafts. A result is a draft's if it has its path and its digest.
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

// momentOf reads a time; empty: now. Here alone redline looks at the clock.
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

// keyVariable is the environment variable that may have the key that signs.
const keyVariable = "REDLINE_KEY"

// signingKey reads the key of a file, or of the environment; nil: there is none.
func signingKey(file string) (*record.Key, error) {
	text, from := []byte(os.Getenv(keyVariable)), keyVariable
	if file != "" {
		var err error
		if text, err = os.ReadFile(file); err != nil {
			return nil, fmt.Errorf("--key: %w", err)
		}
		from = file
	}
	if strings.TrimSpace(string(text)) == "" && file == "" {
		return nil, nil
	}
	key, err := record.ParseKey(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", from, err)
	}
	return key, nil
}

// keysAt are the keys that are accepted: those of a file, else those that a commit lists; none: nobody has said.
func keysAt(ctx context.Context, commit, file string) (record.Keys, error) {
	if file != "" {
		src, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("--keys: %w", err)
		}
		return record.ParseKeys(src, file)
	}
	if commit == "" {
		return nil, nil
	}
	tree, err := gitfs.Open(ctx, ".", commit)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tree.Close() }() // only read from
	src, err := tree.ReadFile(record.KeysFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return record.ParseKeys(src, record.KeysFile)
}

func writeKept(w io.Writer, kept []store.Kept) error {
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

func (a *attesting) index(ctx context.Context, s streams) error {
	now, err := momentOf(a.now)
	if err != nil {
		return err
	}
	noted, elsewhere, err := store.At(".").IndexAll(ctx, a.remote, now)
	if err != nil {
		return err
	}
	said := fmt.Sprintf("%d records are noted at their commits.", noted)
	if elsewhere > 0 {
		said += fmt.Sprintf(" %d are not, for their commits are not in this clone.", elsewhere)
	}
	_, err = fmt.Fprintln(s.out, said)
	return err
}
