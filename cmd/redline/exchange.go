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
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/imported"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/pnml"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/bpmn"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/layout"
	"github.com/redlinehq/redline/report/text"
)

func exportCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export [PATH]",
		Short: "Write a contract for other tools: as a Petri net in PNML, or for NuSMV",
		Long: `Export writes what the parties' views compose to, in another notation. PATH is a contract's directory, or a net in PNML.

pnml: a place/transition net (ISO/IEC 15909-2) with names and positions. What it has no arcs for (obligations that watch events) is written out
in ordinary transitions, so that it has the same states. What formulas ask of the past is left out, as the formulas are.

smv: a model in the language of NuSMV 2.6, and each requirement as a CTLSPEC with the same verdict. NuSMV knows one assumption of progress
for all specifications of a file: requirements with one are left out, and named on standard error, unless --requirement asks for one alone.`,
		Args: cobra.MaximumNArgs(1),
	}
	format := addChoice(cmd, "format", "the notation", "pnml", "smv")
	output := cmd.Flags().StringP("output", "o", "", "the file to write; without it, standard output")
	asked := cmd.Flags().String("requirement", "", "of smv, the one requirement to write")
	firing := addFiring(cmd)
	values := &valueFlags{}
	values.add(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *asked != "" && format.value != "smv" {
			return errors.New("--requirement is for --format smv: a net in PNML has no requirements")
		}
		how, err := values.read(reading{rule: firing.rule(), jobs: 1})
		if err != nil {
			return err
		}
		e, err := exported(cmd.Context(), args, how)
		if err != nil {
			return err
		}
		text, notes, err := e.write(cmd.Context(), format.value, *asked)
		if err != nil {
			return err
		}
		tell(s.err, notes)
		if *output == "" {
			_, err = s.out.Write(text)
			return err
		}
		return os.WriteFile(*output, text, 0o666)
	}
	return cmd
}

// An export is what is to be written: a contract or a net.
type export struct {
	draft *compile.Draft
	net   *imported.Imported
}

func exported(ctx context.Context, args []string, how reading) (export, error) {
	others, files := netFiles(args)
	if len(files) > 0 {
		net, err := readNet(ctx, files[0], finding.Budget{})
		return export{net: net}, err
	}
	drafts, err := workTreeDrafts(ctx, others, how)
	switch {
	case err != nil:
		return export{}, err
	case len(drafts) > 1:
		return export{}, fmt.Errorf("there are %d contracts here (%s, %s, ...): name one", len(drafts), drafts[0].Path, drafts[1].Path)
	case drafts[0].Spec == nil:
		return export{}, errors.New("the contract is ill-formed: 'redline check' says where")
	}
	return export{draft: drafts[0]}, nil
}

func (e export) write(ctx context.Context, format, asked string) (text []byte, notes []string, err error) {
	var b bytes.Buffer
	if format == "smv" {
		if e.net != nil {
			notes, err = e.net.SMV(&b)
		} else {
			notes, err = verify.SMV(e.draft, &b, asked)
		}
		return b.Bytes(), notes, err
	}
	var net *petri.Net
	var title string
	if e.net != nil {
		net, title, err = e.net.Net()
	} else {
		net, notes, err = verify.Plain(ctx, e.draft, defaultBudget())
		title = e.draft.Spec.Name
		if e.draft.Spec.Title != "" {
			title = e.draft.Spec.Title
		}
	}
	if err != nil {
		return nil, nil, err
	}
	at, note := laid(net)
	err = pnml.Write(&b, net, title, at)
	return b.Bytes(), append(notes, note...), err
}

// maxLaid is the number of places, transitions and arcs beyond which a net has no positions.
const maxLaid = 10_000

// Sizes of nodes for the layout, with room for their names.
var (
	netNode = layout.Size{Width: 40, Height: 40}
	netName = layout.Size{Width: 90, Height: 20}
)

// laid gives each place and transition its position.
func laid(n *petri.Net) (*pnml.Picture, []string) {
	g := layout.Graph{Down: true}
	for range n.Places {
		g.Nodes = append(g.Nodes, layout.Node{Size: netNode, Outline: layout.Ellipse, Label: netName})
	}
	for i, t := range n.Transitions {
		at := len(g.Nodes)
		g.Nodes = append(g.Nodes, layout.Node{Size: netNode, Label: netName})
		for _, p := range t.In {
			g.Edges = append(g.Edges, layout.Edge{From: p, To: at})
		}
		for _, p := range slices.Concat(t.Read, t.Out) {
			g.Edges = append(g.Edges, layout.Edge{From: at, To: p})
		}
		if len(g.Nodes)+len(g.Edges) > maxLaid {
			return nil, []string{fmt.Sprintf("the net is too large to be drawn (transition %d of %d): it has no positions", i+1, len(n.Transitions))}
		}
	}
	drawn := layout.Lay(g)
	at := &pnml.Picture{}
	for i, spot := range drawn.Nodes {
		p := pnml.Position{X: spot.Centre.X, Y: spot.Centre.Y}
		if i < len(n.Places) {
			at.Places = append(at.Places, p)
		} else {
			at.Transitions = append(at.Transitions, p)
		}
	}
	return at, nil
}

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
			var notes []string
			text, notes, err = importNet(cmd.Context(), file)
			tell(s.err, notes)
		case ".bpmn":
			text, err = importDrawn(s, file, base)
		default:
			err = fmt.Errorf("%s: a file's name says what it is: .pnml or .bpmn", file)
		}
		if err != nil {
			return err
		}
		return writeContract(s.out, *dir, text)
	}
	return cmd
}

// importDrawn imports a collaboration, and tells what is wrong or left out as 'redline check' does.
func importDrawn(s streams, file, name string) ([]byte, error) {
	contract, found, notes, err := importCollaboration(file, name)
	if err != nil {
		return nil, err
	}
	tell(s.err, notes)
	if err := text.Diagnostics(s.err, found, styleOf(s.err)); err != nil {
		return nil, err
	}
	if contract == nil {
		return nil, exit(finding.BadInput)
	}
	return contract, nil
}

// importNet writes a contract for a net. Notes say what is left out.
func importNet(ctx context.Context, file string) (contract []byte, notes []string, err error) {
	net, err := readNet(ctx, filepath.ToSlash(file), finding.Budget{})
	if err != nil {
		return nil, nil, err
	}
	contract, notes, err = net.Contract()
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", file, err)
	}
	return contract, notes, nil
}

// importCollaboration writes a contract for a collaboration, nil if something is wrong with that. Notes say what is left out.
func importCollaboration(file, name string) (contract []byte, found []finding.Diagnostic, notes []string, err error) {
	raw, err := readRegular(file, maxImported)
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
			notes = append(notes, fmt.Sprintf("%s:%d:%d: %s [%s]", shown, d.Subject.Start.Line, d.Subject.Start.Column, d.Summary, hclspec.CodeOf(d)))
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
func writeContract(w io.Writer, dir string, text []byte) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	name := filepath.Join(dir, filepath.Base(filepath.Clean(dir))+".contract.hcl")
	if err := create(name, text); err != nil {
		return err
	}
	fmt.Fprintln(w, "wrote "+escape.TerminalText(filepath.ToSlash(name)))
	fmt.Fprintf(w, "\nNext: write down what it promises ('redline check %s' proposes some), then 'redline check %[1]s'.\n", escape.TerminalText(dir))
	return nil
}
