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

// ImportNet returns a contract for a net. Notes list the omissions.
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

// ImportCollaboration returns a contract for a collaboration, nil if it has mistakes. Notes list the omissions.
func ImportCollaboration(file, name string, capacity int) (contract []byte, found []finding.Diagnostic, notes []string, err error) {
	raw, err := app.ReadRegular(file, maxImported)
	if err != nil {
		return nil, nil, nil, err
	}
	shown := filepath.ToSlash(file)
	contract, diags, err := bpmn.Import(bytes.NewReader(raw), shown, name, capacity)
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

// maxImported bounds the bytes read of a file: one more than the largest valid one has.
const maxImported = 16<<20 + 1

// WriteContract writes the one file of a contract into a directory. It is an error if the file exists.
func WriteContract(w io.Writer, dir string, text []byte) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	name := filepath.Join(dir, filepath.Base(filepath.Clean(dir))+".contract.hcl")
	if err := app.Create(name, text); err != nil {
		return err
	}
	fmt.Fprintln(w, "wrote "+escape.TerminalText(filepath.ToSlash(name)))
	fmt.Fprintf(w, "\nNext: write down what it promises ('redline check %s' may propose some), then 'redline check %[1]s'.\n", escape.TerminalText(dir))
	return nil
}
