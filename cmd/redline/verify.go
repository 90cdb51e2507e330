package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/gitfs"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/record"
	"github.com/redlinehq/redline/report/record/store"
)

func verifyCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "verify [REV | RECORD...]",
		Short: "Hold the records of drafts to the repository",
		Long: `Verify holds all records of the repository to what git has: that nobody has changed, moved, replaced or taken away one; that each draft
is the one whose digests it has, composed again; that it is signed by a key that is accepted (.github/redline.keys of the
revision, or --keys); and that each contract of REV (default: HEAD) has a record. A RECORD is a ref below refs/redline, or the beginning of one of
its digests: then that one is verified, and those before it.

With --recheck the contracts of REV, or the RECORDs, are model-checked again within the limits that they were checked in, and
each verdict is compared.

Exit statuses: 0 all is in order, 1 something is not, 2 it could not be done, 3 something can't be told, for it is not in this clone.`,
	}
	v := &verifyingFlags{jobs: defaultBudget().Jobs}
	v.values.add(cmd.Flags())
	v.format = addChoice(cmd, "format", "how to tell it", "text", "json")
	cmd.Flags().StringVar(&v.keys, "keys", "", "file that lists the keys that are accepted, instead of the repository's")
	cmd.Flags().BoolVar(&v.recheck, "recheck", false, "check again what is recorded, and compare each verdict")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		found, err := v.verify(cmd.Context(), args)
		if err != nil {
			return err
		}
		if v.format.value == "json" {
			err = jsonVerified(s.out, found)
		} else {
			err = writeVerified(s.out, found)
		}
		if err != nil {
			return err
		}
		return exit(statusOfRecords(found))
	}
	return cmd
}

type verifyingFlags struct {
	values  valueFlags
	format  *choice
	keys    string
	recheck bool
	jobs    int
}

func (v *verifyingFlags) verify(ctx context.Context, args []string) (*store.Report, error) {
	repo := store.At(".")
	refs, rev, err := recordsNamed(ctx, repo, args)
	if err != nil {
		return nil, err
	}
	wanted, commit, err := settingsAt(ctx, []string{rev})
	if err != nil {
		return nil, err
	}
	how, err := v.values.read(reading{jobs: v.jobs, under: wanted})
	if err != nil {
		return nil, err
	}
	work := &store.Verification{Repo: repo, Values: how.values.Digest(), Tool: version(),
		Reading: store.Reading{Values: how.values, Budget: finding.Budget{Jobs: v.jobs}}}
	if work.Keys, err = keysAt(ctx, commit, v.keys); err != nil {
		return nil, err
	}
	if v.recheck {
		work.Recheck = func(t record.Terms) (finding.Budget, error) { return budgetOf(t, v.jobs), nil }
	}
	if refs != nil {
		return work.Some(ctx, refs)
	}
	drafts, err := revisionDrafts(ctx, ".", commit, how)
	if err != nil {
		return nil, err
	}
	drafts, _, _ = engine.Within(how.includes(), drafts)
	var paths []string
	for _, d := range drafts {
		paths = append(paths, d.Path)
	}
	return work.Commit(ctx, commit, paths)
}

// budgetOf are the limits that a record says.
func budgetOf(t record.Terms, jobs int) finding.Budget {
	return finding.Budget{States: t.States, Memory: finding.Bytes(t.Memory), Time: time.Duration(t.Time), Engine: finding.Engine(t.Engine), Today: finding.Date(t.Today), Jobs: jobs}
}

// recordsNamed tells records from a revision, which is HEAD where there is none.
func recordsNamed(ctx context.Context, repo store.Repository, args []string) (refs []string, rev string, err error) {
	for _, a := range args {
		if len(args) == 1 && !strings.HasPrefix(a, record.Refs) {
			if _, err := gitfs.Resolve(ctx, ".", a); err == nil {
				return nil, a, nil
			}
		}
		ref, several, err := repo.Find(ctx, a)
		switch {
		case err != nil:
			return nil, "", err
		case several:
			return nil, "", fmt.Errorf("several records begin with %s: give more of its digits", a)
		case ref == "":
			if _, err := gitfs.Resolve(ctx, ".", a); err != nil {
				return nil, "", fmt.Errorf("%s is no record, and no revision: %w", a, err)
			}
			return nil, "", fmt.Errorf("%s is a revision: verify one revision, or any number of records", a)
		}
		refs = append(refs, ref)
	}
	return refs, "HEAD", nil
}

// statusOfRecords is that of the worst problem.
func statusOfRecords(r *store.Report) finding.ExitStatus {
	status := finding.Clean
	for _, p := range r.Problems {
		if p.Kind != store.Unsettled {
			return finding.Violations
		}
		status = finding.OutOfLimit
	}
	return status
}

func writeVerified(w io.Writer, r *store.Report) error {
	var b strings.Builder
	for _, d := range r.Drafts {
		if d.Card == nil {
			continue
		}
		fmt.Fprintf(&b, "%s: recorded (%s, %s)", escape.TerminalText(d.Path), strings.ToLower(d.Card.Result), signedWords(d.Card))
		if !d.On {
			fmt.Fprintf(&b, " at commit %.12s, which is not on this branch", d.Card.Commit)
		}
		fmt.Fprintf(&b, "\n  %s\n", d.Card.Ref)
	}
	for _, p := range r.Problems {
		about := escape.TerminalText(p.Path)
		if p.Ref != "" {
			about = strings.TrimSpace(about + " " + p.Ref)
		}
		fmt.Fprintf(&b, "%s: %s\n  %s\n", p.Kind, about, escape.TerminalText(p.What))
	}
	fmt.Fprintf(&b, "%s, %s.\n", counted(r.Records, "record"), problemsOf(r))
	_, err := io.WriteString(w, b.String())
	return err
}

func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

func problemsOf(r *store.Report) string {
	if len(r.Problems) == 0 {
		return "all in order"
	}
	return counted(len(r.Problems), "problem")
}

func signedWords(c *store.Card) string {
	if c.Signed == record.Accepted {
		return "signed by " + c.By
	}
	return c.Signed.String()
}

// jsonVerified tells it to a program. Lists are never null.
func jsonVerified(w io.Writer, r *store.Report) error {
	type draft struct {
		Path     string `json:"path"`
		Record   string `json:"record"`
		Commit   string `json:"commit"`
		OnBranch bool   `json:"onBranch"`
		Result   string `json:"result"`
		Signed   string `json:"signed"`
		By       string `json:"by"`
	}
	type problem struct {
		Kind   string `json:"kind"`
		Path   string `json:"path"`
		Commit string `json:"commit"`
		Record string `json:"record"`
		What   string `json:"what"`
	}
	out := struct {
		Version  int       `json:"version"`
		Commit   string    `json:"commit"`
		Records  int       `json:"records"`
		Signed   int       `json:"signed"`
		Drafts   []draft   `json:"drafts"`
		Problems []problem `json:"problems"`
	}{1, r.Commit, r.Records, r.Accepted, []draft{}, []problem{}}
	for _, d := range r.Drafts {
		one := draft{Path: d.Path, OnBranch: d.On}
		if c := d.Card; c != nil {
			one.Record, one.Commit, one.Result, one.Signed, one.By = c.Ref, c.Commit, c.Result, c.Signed.String(), c.By
		}
		out.Drafts = append(out.Drafts, one)
	}
	for _, p := range r.Problems {
		out.Problems = append(out.Problems, problem{p.Kind.String(), p.Path, p.Commit, p.Ref, p.What})
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(out)
}
