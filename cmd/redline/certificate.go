package main

import (
	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/cmd/redline/option"
	"github.com/redlinehq/redline/engine"
)

// addCertificate adds the flag for the directory of certificates.
func addCertificate(cmd *cobra.Command) *string {
	return cmd.Flags().String("certificate", "", "`directory` to write a certificate of each verdict to, for redline verify-certificate; all those of a contract have --timeout once more")
}

func verifyCertificateCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "verify-certificate FILE...",
		Short: "Check certificates of verdicts against the contract, without an engine",
		Long: `Verify-certificate reads the contract anew, composes it, and checks of each FILE, as redline check --certificate writes them,
that it proves its verdict. The checker is small and shares no code with what found the verdict.

Exit statuses: 0 all are accepted, 1 one is refused, 2 one is no certificate, or the contract is ill-formed.`,
		Example: `  redline check sale --certificate proofs
  redline verify-certificate proofs/*`,
		Args: cobra.MinimumNArgs(1),
	}
	dir := cmd.Flags().String("contract", ".", "`directory` at or under which the contract is")
	flags := &option.Check{Budget: engine.DefaultBudget(), Firing: option.AddFiring(cmd)}
	cmd.Flags().DurationVar(&flags.Budget.Time, "timeout", flags.Budget.Time, "time for each certificate; 0: no limit")
	flags.Values.Add(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		how, err := flags.ReadOptions(nil)
		if err != nil {
			return err
		}
		drafts, err := app.WorkTreeDrafts(cmd.Context(), []string{*dir}, how)
		if err != nil {
			return err
		}
		status, err := app.VerifyCertificates(cmd.Context(), s.out, args, drafts, flags.Budget)
		if err != nil {
			return err
		}
		return exit(status)
	}
	return cmd
}
