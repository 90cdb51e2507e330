package main

import (
	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/cmd/redline/option"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/imported"
	"github.com/redlinehq/redline/report/result"
)

func checkCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check [PATH...]",
		Short: "Check every requirement of the contracts at or under each PATH",
		Long: `Check composes every contract at or under each PATH (default: here) and decides its requirements. In a git repository it goes by the
settings in its work tree ('redline config' shows them); a PATH that is itself a contract is checked whatever they say.

A PATH that ends in .pnml is a Petri net written elsewhere (PNML, ISO/IEC 15909-2: a place/transition net). Check says whether it is
one-safe, where it stops and what never happens; of a workflow net, whether it is sound: whatever has happened, the process can
still end; it is over when it says so; and no transition is dead. A workflow net has one source place, and everything in it is on
a path from there to a sink place. It may have several sinks, and then ends when only sinks are marked. Up to 250,000 states
(fewer with --max-states) are looked at one by one; beyond that, decision diagrams take over.`,
		Example: `  redline check
  redline check sale --format json
  redline check sale --max-states 100000 --timeout 30s
  redline check sale.pnml`,
	}
	flags := option.AddDeciding(cmd)
	format := addFormat(cmd, func(f *format) bool { return f.results != nil })
	name := addResult(cmd)
	var cached string
	option.AddCache(cmd, &cached)
	certificates := addCertificate(cmd)
	stats := cmd.Flags().Bool("stats", false, "say what state models took, in text (engine/README.md says how to read it)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		drafts, f, err := checkPaths(cmd, s, args, flags, cached)
		if err != nil {
			return err
		}
		if err := app.SaveCertificates(cmd.Context(), func(notes ...string) { printNotices(s.err, notes) }, *certificates, drafts, f.Results[:len(drafts)], flags.Budget); err != nil {
			return err
		}
		if err := formats[format.Value].results(s.out, f.Results, *stats); err != nil {
			return err
		}
		if err := app.SaveResult(cmd.Context(), *name, f); err != nil {
			return err
		}
		return exit(finding.StatusOf(f.Results))
	}
	return cmd
}

// checkPaths checks the contracts and the nets at paths, with the flags and the settings of the work tree. Result i belongs to draft i; those
// of nets come last.
func checkPaths(cmd *cobra.Command, s streams, paths []string, flags *option.Check, cached string) ([]*compile.Draft, *result.File, error) {
	wanted, top, err := app.WorkTreeSettings()
	if err != nil {
		return nil, nil, err
	}
	if err := option.MergeSettings(wanted, cmd.Flags()); err != nil {
		return nil, nil, err
	}
	contracts, files := app.NetFiles(paths)
	how, err := flags.ReadOptions(wanted)
	if err != nil {
		return nil, nil, err
	}
	nets, err := app.ReadNets(cmd.Context(), files, how.Rule, flags.Budget)
	if err != nil {
		return nil, nil, err
	}
	drafts, err := app.DraftsBeside(cmd.Context(), nets, contracts, how)
	if err != nil {
		return nil, nil, err
	}
	drafts, notices, err := app.WithinSettings(drafts, wanted, top, contracts)
	if err != nil {
		return nil, nil, err
	}
	printNotices(s.err, notices)
	stop := progress(s.err, &flags.Budget)
	f, trouble := app.CheckDrafts(cmd.Context(), drafts, how, flags.Budget, "", cached)
	f.Results, f.Notices = append(f.Results, imported.CheckNets(cmd.Context(), nets, flags.Budget)...), notices
	stop()
	printTrouble(s.err, trouble)
	return drafts, f, nil
}
