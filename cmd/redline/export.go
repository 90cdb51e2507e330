package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/imported"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/pnml"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/report/layout"
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
	firing := addChoice(cmd, "firing", "override the contract's firing rule", "", "one", "all")
	values := &valueFlags{}
	values.add(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *asked != "" && format.value != "smv" {
			return errors.New("--requirement is for --format smv: a net in PNML has no requirements")
		}
		how, err := values.read(reading{rule: (&checking{firing: firing}).rule(), jobs: 1})
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
