package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/cmd/redline/option"
	"github.com/redlinehq/redline/cmd/redline/records"
	"github.com/redlinehq/redline/report/record"
)

func attestCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "attest [REV]",
		Short: "Keep a record of each draft of a commit, and of what is true of it",
		Long: `Attest checks the contracts of a commit (default: HEAD) and keeps a record of each in the repository: its files and its meaning as
digests, every verdict, what changed since the record before it on the branch. A record is a ref of its own, refs/redline/DIGEST/RUN,
which is made once and never moved. What is recorded already is not recorded again.

A log, refs/redline/log/0, 1, 2, ..., names all records in order, so that none can be taken away unseen. --push enters what it pushes in the
log of the remote; in a repository that has no remote attest enters at once; else records are pending until they are pushed.

With --key, or a key in the environment variable REDLINE_KEY, records are signed. The keys that are accepted are listed in
.github/redline.keys; 'redline keygen' makes one. 'redline verify' holds records to the repository.

The exit status tells whether the records are kept (0) or not (2), not what the verdicts are.`,
		Example: `  redline attest
  redline attest main --key redline.key`,
		Args: cobra.MaximumNArgs(1),
	}
	flags, a := option.AddDeciding(cmd), &records.AttestRequest{}
	cmd.Flags().StringVar(&a.Key, "key", "", "`file` with the key that signs (redline keygen)")
	cmd.Flags().StringVar(&a.Remote, "push", "", "push to this `remote`, such as origin, what it lacks; its records are fetched first")
	cmd.Flags().StringVar(&a.Result, "result", "", "take from a `file` what 'redline check --result' found of the commit instead of checking it")
	cmd.Flags().StringVar(&a.Now, "now", "", "the `time` at which this is, as 2027-03-31T12:00:00Z (default: what the clock says)")
	index := cmd.Flags().Bool("index", false, "write git's notes (git log --notes=redline), which list the records of each commit, and nothing else")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *index {
			return a.RewriteNotes(cmd.Context(), s.out)
		}
		wanted, commit, err := app.SettingsAt(cmd.Context(), args)
		if err != nil {
			return err
		}
		if err := option.MergeSettings(wanted, cmd.Flags()); err != nil {
			return err
		}
		how, err := flags.ReadOptions(wanted)
		if err != nil {
			return err
		}
		stop := progress(s.err, &flags.Budget)
		a.Budget = flags.Budget
		kept, notices, err := a.Attest(cmd.Context(), commit, how)
		stop()
		if err != nil {
			return err
		}
		printNotices(s.err, append(a.Left, notices...))
		return records.WriteKept(s.out, kept)
	}
	return cmd
}

func checkpointCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "checkpoint",
		Short: "Print a checkpoint of the log of records, to keep elsewhere",
		Long: `Checkpoint prints three lines: the identity of the log of records (refs/redline/log), the number of its entries, and their root hash. With --key, or a
key in the environment variable REDLINE_KEY, a signature follows. Keep them where those who can push to the repository can't change them: in a release
note, a mail, another repository. 'redline verify --checkpoint FILE' tells later whether the log still begins with the same entries.

The log is printed as it is in this clone. git fetch origin 'refs/redline/*:refs/redline/*' brings it up to date.`,
		Example: `  redline checkpoint >> checkpoints.txt
  redline verify main --checkpoint checkpoints.txt`,
		Args: cobra.NoArgs,
	}
	key := cmd.Flags().String("key", "", "`file` with the key that signs (redline keygen)")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return records.WriteCheckpoint(cmd.Context(), s.out, *key)
	}
	return cmd
}

func keygenCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "keygen FILE",
		Short: "Make a key that signs records",
		Long: `Keygen makes an ed25519 key, writes it to FILE, which must not be there yet, and prints the line that goes into
.github/redline.keys for its records to be accepted. To replace a key, give its line to= and the last position of the log at which it
is valid ('redline checkpoint' prints how many there are), and add the new one's line; to have a key's records refused from now on, take its line out.`,
		Example: `  redline keygen new.key`,
		Args:    cobra.ExactArgs(1),
	}
	name := cmd.Flags().String("name", "redline", "the `name` of the key in reports")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		key, err := record.NewKey(rand.Reader)
		if err != nil {
			return err
		}
		line := key.Line(*name)
		if _, err := record.ParseKeys([]byte(line), "--name"); err != nil {
			return err
		}
		if err := app.WriteFile(func() (*os.File, error) { return os.OpenFile(args[0], os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) }, func(w io.Writer) error {
			_, err := w.Write(key.PEM())
			return err
		}); err != nil {
			if errors.Is(err, fs.ErrExist) {
				return fmt.Errorf("there is %s already, and a key is never overwritten: name another file", args[0])
			}
			return err
		}
		_, err = fmt.Fprintln(s.out, line)
		return err
	}
	return cmd
}
