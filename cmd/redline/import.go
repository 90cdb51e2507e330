package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/bpmn"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/text"
)

func importCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Write a contract that begins with what another tool drew: a Petri net, or a BPMN collaboration",
		Long: `Import writes a directory with a contract to start from, and never overwrites a file.

FILE.pnml: a one-safe place/transition net becomes a party, with the same states.

FILE.bpmn: of a collaboration in BPMN 2.0, each pool becomes a party and each message flow two events, sent and received; the message waits in between, in a counter
that the contract can have count further than to 1. What would mean something else if it were passed over is named, all of it, and nothing is written; what says nothing of the
order of things is left out, and named, too.`,
		Args: cobra.ExactArgs(1),
	}
	dir := cmd.Flags().StringP("output", "o", "", "the directory to write; without it, one named like FILE")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		file := args[0]
		base := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		if *dir == "" {
			*dir = base
		}
		var text []byte
		var err error
		switch strings.ToLower(filepath.Ext(file)) {
		case ".pnml":
			text, err = importNet(cmd.Context(), s, file)
		case ".bpmn":
			text, err = importCollaboration(s, file, base)
		default:
			err = fmt.Errorf("%s: a file's name says what it is: .pnml or .bpmn", file)
		}
		if err != nil {
			return err
		}
		return writeContract(s, *dir, text)
	}
	return cmd
}

func importNet(ctx context.Context, s streams, file string) ([]byte, error) {
	net, err := readNet(ctx, filepath.ToSlash(file), finding.Budget{})
	if err != nil {
		return nil, err
	}
	text, notes, err := net.Contract()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	tell(s.err, notes)
	return text, nil
}

// importCollaboration tells what is wrong or left out as 'redline check' does.
func importCollaboration(s streams, file, name string) ([]byte, error) {
	raw, err := readRegular(file, maxImported)
	if err != nil {
		return nil, err
	}
	shown := filepath.ToSlash(file)
	contract, diags, err := bpmn.Import(bytes.NewReader(raw), shown, name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var found []finding.Diagnostic
	for _, d := range diags {
		if d.Severity == hcl.DiagWarning {
			tell(s.err, []string{fmt.Sprintf("%s:%d:%d: %s [%s]", shown, d.Subject.Start.Line, d.Subject.Start.Column, d.Summary, diag.CodeOf(d))})
			continue
		}
		found = append(found, explain.Textual(d, map[string][]byte{shown: raw}))
	}
	if err := text.Diagnostics(s.err, found, styleOf(s.err)); err != nil {
		return nil, err
	}
	if diags.HasErrors() {
		return nil, exit(finding.BadInput)
	}
	return contract, nil
}

// maxImported is how much of a file is read: one byte more than any is read of.
const maxImported = 16<<20 + 1

// readRegular reads a file that ends, up to so many bytes.
func readRegular(name string, most int64) ([]byte, error) {
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no file %s", name)
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read from
	return io.ReadAll(io.LimitReader(f, most))
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
	fmt.Fprintln(s.out, "wrote "+escape.TerminalText(filepath.ToSlash(name)))
	fmt.Fprintf(s.out, "\nNext: write down what it promises ('redline check %s' proposes some), then 'redline check %[1]s'.\n", escape.TerminalText(dir))
	return nil
}
