package main

import (
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/cmd/redline/option"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/lsp"
)

// Limits of an editor's server for a contract, after each pause in typing.
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
		Example: `  redline lsp < /dev/null # an editor starts it, and talks to it`,
		Args:    cobra.NoArgs,
	}
	flags := &option.Check{Budget: finding.Budget{States: lspStates, Memory: lspMemory, Time: lspTime, Jobs: 1}}
	flags.AddLimits(cmd.Flags())
	flags.AddToday(cmd.Flags())
	flags.Values.Add(cmd.Flags())
	cmd.Flags().Bool("stdio", true, "speak on standard input and output, which is the only way there is")
	_ = cmd.Flags().MarkHidden("stdio") // some editors give it to every server
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		in, ok := s.in.(io.ReadCloser)
		if !ok {
			in = io.NopCloser(s.in)
		}
		how, err := flags.Values.Read(app.ReadOptions{})
		if err != nil {
			return err
		}
		server := lsp.Server{Version: app.Version(), Values: how.Values, Budget: flags.Budget, Pause: lspPause}
		return server.Serve(cmd.Context(), in, s.out)
	}
	return cmd
}
