package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/report"
)

func importCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Write a contract that begins with what another tool drew: a Petri net, or a BPMN collaboration",
		Long: `Import writes a directory with a contract to start from, and never overwrites a file.

FILE.pnml: a one-safe place/transition net becomes a party, with the same states.`,
		Args: cobra.ExactArgs(1),
	}
	dir := cmd.Flags().StringP("output", "o", "", "the directory to write; without it, one named like FILE")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		file := args[0]
		base := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		if *dir == "" {
			*dir = base
		}
		if !strings.EqualFold(filepath.Ext(file), ".pnml") {
			return errors.New("its name says what a file is: .pnml")
		}
		net, err := readNet(cmd.Context(), filepath.ToSlash(file))
		if err != nil {
			return err
		}
		text, notes, err := net.Contract()
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		tell(s.err, notes)
		return writeContract(s, *dir, text)
	}
	return cmd
}

// writeContract writes the one file of a contract into a directory.
func writeContract(s streams, dir string, text []byte) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	name := filepath.Join(dir, filepath.Base(filepath.Clean(dir))+".contract.hcl")
	if err := create(name, text); err != nil {
		return err
	}
	fmt.Fprintln(s.out, "wrote "+report.TerminalText(filepath.ToSlash(name)))
	fmt.Fprintf(s.out, "\nNext: write down what it promises ('redline check %s' proposes some), then 'redline check %[1]s'.\n", report.TerminalText(dir))
	return nil
}
