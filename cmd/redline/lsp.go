package main

import (
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/lsp"
)

// What an editor's server spends on a contract after each pause in the writing.
const (
	lspStates = 1_000_000
	lspMemory = finding.Bytes(256 << 20)
	lspTime   = 3 * time.Second
	lspPause  = 300 * time.Millisecond
)

func lspCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lsp",
		Short: "Serve an editor: findings while you write, and what each name means",
		Long: `Lsp speaks the Language Server Protocol on standard input and output: editors start it. It shows what check
shows, for the contracts that are open, unsaved changes included. It reads only the folders the editor has open,
and writes no file.`,
		Args: cobra.NoArgs,
	}
	flags := &checking{budget: finding.Budget{States: lspStates, Memory: lspMemory, Time: lspTime, Jobs: 1}}
	flags.limits(cmd.Flags())
	flags.addToday(cmd.Flags())
	flags.values.add(cmd.Flags())
	cmd.Flags().Bool("stdio", true, "speak on standard input and output, which is the only way there is")
	_ = cmd.Flags().MarkHidden("stdio") // some editors give it to every server
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		in, ok := s.in.(io.ReadCloser)
		if !ok {
			in = io.NopCloser(s.in)
		}
		how, err := flags.values.read(reading{})
		if err != nil {
			return err
		}
		server := lsp.Server{Version: version(), Values: how.values, Budget: flags.budget, Pause: lspPause}
		return server.Serve(cmd.Context(), in, s.out)
	}
	return cmd
}
