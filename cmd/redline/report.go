package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/cmd/redline/option"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/page"
	"github.com/redlinehq/redline/report/words"
)

func reportCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "report [PATH...]",
		Short: "Write one HTML page to look at: verdicts, pictures, runs to play, a simulator",
		Long: `Report checks every contract at or under each PATH (default: here), as 'redline check' does, and writes one HTML file: the verdicts with
filters; a picture of each party, of all together, and of every situation that can arise; a player that steps a run through all of
them; and a simulator to fire by hand what can happen. With --base it reviews an amendment, as 'redline review' does, and shows what
it was beside what it is. The file needs nothing else: no network, no server. The exit status is that of check or review.`,
		Example: `  redline report sale -o sale.html
  redline report --base main`,
	}
	flags := option.AddDeciding(cmd)
	work := &paging{flags: flags}
	cmd.Flags().StringVarP(&work.out, "output", "o", "report.html", "the `file` to write; - is standard output")
	cmd.Flags().StringVar(&work.base, "base", "", "review an amendment: the branch or `revision` it is to be merged into")
	cmd.Flags().StringVar(&work.head, "head", "HEAD", "of a review, the amended `revision`")
	cmd.Flags().BoolVar(&work.worktree, "worktree", false, "of a review, look at the work tree instead of a revision")
	work.failOn = flags.AddGate(cmd)
	option.AddCache(cmd, &work.cache)
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

// paging is a page to be written, with its flags.
type paging struct {
	flags                  *option.Check
	out, base, head, cache string
	worktree               bool
	failOn                 *option.Choice
}

func (p *paging) check(cmd *cobra.Command, s streams, args []string) error {
	drafts, found, err := checkPaths(cmd, s, args, p.flags, p.cache)
	if err != nil {
		return err
	}
	err = p.write(cmd.Context(), s, words.SumChecked(found.Results), func(w io.Writer) error {
		return page.Checked(cmd.Context(), w, drafts, found.Results, page.About{Version: app.Version()})
	})
	if err != nil {
		return err
	}
	status := finding.StatusOf(found.Results)
	if status == finding.BadInput {
		err = formats["text"].results(s.err, slices.DeleteFunc(found.Results, func(r *finding.Result) bool { return finding.StatusOf([]*finding.Result{r}) != status }), false)
	}
	return errors.Join(err, exit(status))
}

func (p *paging) review(cmd *cobra.Command, s streams, args []string) error {
	revs := app.Revisions{Dir: ".", Base: p.base, Head: p.head, Memo: new(app.Memo)}
	if p.worktree {
		revs.Head = ""
	}
	wanted, notices, err := app.AmendmentSettings(cmd.Context(), revs)
	if err != nil {
		return err
	}
	if err := option.MergeSettings(wanted, cmd.Flags()); err != nil {
		return err
	}
	how, err := p.flags.ReadOptions(wanted)
	if err != nil {
		return err
	}
	work := &app.ReviewRequest{Revs: revs, How: how, FailOn: p.failOn.Value, Cache: p.cache}
	stop := progress(s.err, &p.flags.Budget)
	work.Budget = p.flags.Budget
	r, pairs, told, trouble, err := work.RunAt(cmd.Context(), args)
	stop()
	if err != nil {
		return err
	}
	printTrouble(s.err, trouble)
	printNotices(s.err, append(notices, told...))
	sum := words.SumReviewed(r)
	sum.Rest = sum.Head + " " + sum.Rest // the counts alone do not say what is broken, or not decided
	err = p.write(cmd.Context(), s, sum, func(w io.Writer) error {
		return page.Reviewed(cmd.Context(), w, r, pairs, page.About{Version: app.Version()})
	})
	if err != nil {
		return err
	}
	if !p.worktree && p.head == "HEAD" && !hushed(s.err) {
		app.RemindOfUncommitted(cmd.Context(), s.err, "redline: ")
	}
	status := r.Gate(app.Gates[p.failOn.Value])
	if status == finding.BadInput {
		err = formats["text"].review(s.err, r, app.Gates[p.failOn.Value])
	}
	return errors.Join(err, exit(status))
}

// write writes the page to the file, once all of it has been rendered, and prints its name and the sum of what is in it.
func (p *paging) write(ctx context.Context, s streams, sum words.Summary, tell func(io.Writer) error) error {
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
	_, err := fmt.Fprintf(s.out, "%s written: open it in a browser\n%s %s\n", p.out, sum.Sign, sum.Rest)
	return err
}
