package convert

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/bpmn"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/report/escape"
)

// ImportNet writes a contract for a net. Notes say what is left out.
func ImportNet(ctx context.Context, file string) (contract []byte, notes []string, err error) {
	net, err := app.ReadNet(ctx, filepath.ToSlash(file), finding.Budget{})
	if err != nil {
		return nil, nil, err
	}
	contract, notes, err = net.Contract()
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", file, err)
	}
	return contract, notes, nil
}

// ImportCollaboration writes a contract for a collaboration, nil if something is wrong with that. Notes say what is left out.
func ImportCollaboration(file, name string) (contract []byte, found []finding.Diagnostic, notes []string, err error) {
	raw, err := app.ReadRegular(file, maxImported)
	if err != nil {
		return nil, nil, nil, err
	}
	shown := filepath.ToSlash(file)
	contract, diags, err := bpmn.Import(bytes.NewReader(raw), shown, name)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("%s: %w", file, err)
	}
	for _, d := range diags {
		if d.Severity == hcl.DiagWarning {
			notes = append(notes, fmt.Sprintf("%s:%d:%d: %s [%s]", shown, d.Subject.Start.Line, d.Subject.Start.Column, d.Summary, diag.CodeOf(d)))
			continue
		}
		found = append(found, explain.Textual(d, map[string][]byte{shown: raw}))
	}
	if diags.HasErrors() {
		contract = nil
	}
	return contract, found, notes, nil
}

// maxImported is how much of a file is read: one byte more than any is read of.
const maxImported = 16<<20 + 1

// WriteContract writes the one file of a contract into a directory.
func WriteContract(w io.Writer, dir string, text []byte) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	name := filepath.Join(dir, filepath.Base(filepath.Clean(dir))+".contract.hcl")
	if err := app.Create(name, text); err != nil {
		return err
	}
	fmt.Fprintln(w, "wrote "+escape.TerminalText(filepath.ToSlash(name)))
	fmt.Fprintf(w, "\nNext: write down what it promises ('redline check %s' proposes some), then 'redline check %[1]s'.\n", escape.TerminalText(dir))
	return nil
}
