package main

import (
	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/cmd/redline/option"
	"github.com/redlinehq/redline/cmd/redline/records"
	"github.com/redlinehq/redline/engine"
)

func verifyCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "verify [REV | RECORD...]",
		Short: "Hold the records of drafts to the repository",
		Long: `Verify holds all records of the repository to what git has: that nobody has changed, moved, replaced or taken away one; that each draft
is the one whose digests it has, composed again; that it is signed by a key that is accepted (.github/redline.keys of the
revision, or --keys); and that each contract of REV (default: HEAD) has a record. A RECORD is a ref below refs/redline, or the beginning of one of
its digests: then that one is verified, and those before it.

The log names all records in order, so what was taken away in between is missing there. That its last entries, or all of it, were taken away or written anew, only
a checkpoint tells that somebody kept elsewhere ('redline checkpoint'): --checkpoint FILE takes a file with any number of them, between any other
text, and names what today's log lacks of each.

With --recheck the contracts of REV, or the RECORDs, are model-checked again within the limits that they were checked in, and
each verdict is compared.

Exit statuses: 0 all is in order, 1 something is not, 2 it could not be done, 3 something can't be told, for it is not in this clone.`,
		Example: `  redline attest
  redline verify
  redline verify --recheck`,
	}
	v, values := &records.VerifyRequest{Jobs: engine.DefaultBudget().Jobs}, &option.Values{}
	values.Add(cmd.Flags())
	format := addFormat(cmd, func(f *format) bool { return f.verified != nil })
	cmd.Flags().StringVar(&v.Keys, "keys", "", "`file` that lists the keys that are accepted, instead of the repository's")
	cmd.Flags().StringArrayVar(&v.Checkpoints, "checkpoint", nil, "`file` with checkpoints that the log has to extend; can be repeated")
	cmd.Flags().BoolVar(&v.Recheck, "recheck", false, "check again what is recorded, and compare each verdict")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		how, err := values.Read(app.ReadOptions{})
		if err != nil {
			return err
		}
		found, err := v.Verify(cmd.Context(), args, how)
		if err != nil {
			return err
		}
		if err := formats[format.Value].verified(s.out, found); err != nil {
			return err
		}
		return exit(records.StatusOf(found))
	}
	return cmd
}
