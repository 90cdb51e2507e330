package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/imported"
	"github.com/redlinehq/redline/hclspec/settings"
	"github.com/redlinehq/redline/report/page"
)

func reportCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "report [PATH...]",
		Short: "Write one HTML page to look at: verdicts, pictures, runs to play, a simulator",
		Long: `Report checks every contract at or under each PATH (default: here), as 'redline check' does, and writes one HTML file: the verdicts with
filters; a picture of each party, of all together, and of every situation that can arise; a player that steps a run through all of
them; and a simulator to fire by hand what can happen. With --base it reviews an amendment, as 'redline review' does, and shows what
it was beside what it is. The file needs nothing else: no network, no server. The exit status is that of check or review.`,
	}
	flags := addDeciding(cmd)
	work := &paging{flags: flags}
	cmd.Flags().StringVarP(&work.out, "output", "o", "report.html", "the file to write; - is standard output")
	cmd.Flags().StringVar(&work.base, "base", "", "review an amendment: the branch or revision it is to be merged into")
	cmd.Flags().StringVar(&work.head, "head", "HEAD", "of a review, the amended revision")
	cmd.Flags().BoolVar(&work.worktree, "worktree", false, "of a review, look at the work tree instead of a revision")
	work.failOn = flags.addGate(cmd)
	addCache(cmd, &work.cache)
	cmd.MarkFlagsMutuallyExclusive("head", "worktree")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if work.base == "" {
			for _, name := range []string{"head", "worktree", "observe", "fail-on"} {
				if cmd.Flags().Changed(name) {
					return fmt.Errorf("--%s is for a review: name what it is to be merged into, as in --base main", name)
				}
			}
			return work.check(cmd, s, args)
		}
		return work.review(cmd, s, args)
	}
	return cmd
}

// paging is a page to be written.
type paging struct {
	flags                  *checking
	out, base, head, cache string
	worktree               bool
	failOn                 *choice
}

func (p *paging) check(cmd *cobra.Command, s streams, args []string) error {
	wanted, top, err := workTreeSettings()
	if err != nil {
		return err
	}
	if err := under(wanted, cmd.Flags()); err != nil {
		return err
	}
	contracts, names := netFiles(args)
	nets, err := readNets(cmd.Context(), names, p.flags)
	if err != nil {
		return err
	}
	drafts, err := draftsBeside(cmd.Context(), nets, contracts, p.flags, wanted)
	if err != nil {
		return err
	}
	drafts, notices, err := lookedAt(drafts, wanted, top, contracts)
	if err != nil {
		return err
	}
	tell(s.err, notices)
	stop := progress(s.err, &p.flags.budget)
	found, trouble, err := checkFile(cmd.Context(), drafts, p.flags, wanted, p.cache)
	if err == nil {
		found.Results = append(found.Results, imported.CheckNets(cmd.Context(), nets, p.flags.budget)...)
	}
	stop()
	if err != nil {
		return err
	}
	tellTrouble(s.err, trouble)
	err = p.write(cmd.Context(), s, func(w io.Writer) error {
		return page.Checked(cmd.Context(), w, drafts, found.Results, version())
	})
	if err != nil {
		return err
	}
	return exit(finding.StatusOf(found.Results))
}

func (p *paging) review(cmd *cobra.Command, s streams, args []string) error {
	revs := revisions{dir: ".", base: p.base, head: p.head}
	if p.worktree {
		revs.head = ""
	}
	wanted, notices, err := amendmentSettings(cmd.Context(), revs)
	if err != nil {
		return err
	}
	if err := under(wanted, cmd.Flags()); err != nil {
		return err
	}
	r, pairs, told, err := p.compare(cmd.Context(), s, revs, wanted, args)
	if err != nil {
		return err
	}
	tell(s.err, append(notices, told...))
	err = p.write(cmd.Context(), s, func(w io.Writer) error {
		return page.Reviewed(cmd.Context(), w, r, pairs, version())
	})
	if err != nil {
		return err
	}
	if !p.worktree && p.head == "HEAD" {
		remindOfUncommitted(cmd.Context(), s.err)
	}
	return exit(r.Gate(gates[p.failOn.value]))
}

// compare reviews the contracts at or under some paths of the work tree; all where none is named.
func (p *paging) compare(ctx context.Context, s streams, revs revisions, wanted *settings.Settings, paths []string) (*finding.Review, []engine.Pair, []string, error) {
	how, err := p.flags.reading(wanted)
	if err != nil {
		return nil, nil, nil, err
	}
	stop := progress(s.err, &p.flags.budget)
	defer stop()
	pairs, outside, notices, err := bothPairs(ctx, revs, how, p.flags.budget.Observe)
	if err != nil {
		return nil, nil, nil, err
	}
	if pairs, err = atPaths(ctx, pairs, paths); err != nil {
		return nil, nil, nil, err
	}
	work := &reviewing{revs: revs, how: how, budget: p.flags.budget, failOn: p.failOn.value, cache: p.cache, accept: finding.AcceptBase}
	r := &finding.Review{Base: revs.base, Head: revs.head}
	if r.Head == "" {
		r.Head = "the work tree"
	}
	var trouble error
	if r.Contracts, trouble, err = work.compare(ctx, pairs, work.terms()); err != nil {
		return nil, nil, nil, err
	}
	tellTrouble(s.err, trouble)
	return r, pairs, notices, work.settle(ctx, r, outside)
}

// atPaths keeps the contracts at or under some paths of the work tree.
func atPaths(ctx context.Context, pairs []engine.Pair, paths []string) ([]engine.Pair, error) {
	if len(paths) == 0 {
		return pairs, nil
	}
	var kept []engine.Pair
	for _, named := range paths {
		below, err := wherever(ctx, named)
		if err != nil {
			return nil, err
		}
		found := false
		for _, pair := range pairs {
			if at := pair.Path(); below == "." || at == below || strings.HasPrefix(at, below+"/") {
				found = true
				if !slices.ContainsFunc(kept, func(k engine.Pair) bool { return k.Path() == at }) {
					kept = append(kept, pair)
				}
			}
		}
		if !found {
			return nil, fmt.Errorf("no contract at or under %s, on either side", named)
		}
	}
	return kept, nil
}

// wherever is fromTop, also of a path that the work tree has no longer: base may have it.
func wherever(ctx context.Context, name string) (string, error) {
	if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) || filepath.IsAbs(name) {
		return fromTop(ctx, name)
	}
	here, err := fromTop(ctx, ".")
	return path.Join(here, filepath.ToSlash(name)), err
}

// write makes the page whole before it touches the file.
func (p *paging) write(ctx context.Context, s streams, tell func(io.Writer) error) error {
	var b bytes.Buffer
	if err := tell(&b); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return errors.New("the run was cancelled, so " + p.out + " was not written")
	}
	if p.out == "-" {
		_, err := s.out.Write(b.Bytes())
		return err
	}
	if err := os.WriteFile(filepath.FromSlash(p.out), b.Bytes(), 0o666); err != nil {
		return err
	}
	_, err := fmt.Fprintf(s.out, "%s written: open it in a browser\n", p.out)
	return err
}
