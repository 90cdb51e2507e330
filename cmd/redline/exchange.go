package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/cmd/redline/convert"
	"github.com/redlinehq/redline/cmd/redline/option"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/text"
)

func exportCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export [PATH]",
		Short: "Write a contract for other tools: as a Petri net in PNML, or for NuSMV",
		Long: `Export writes what the parties' views compose to, in another notation. PATH is a contract's directory, or a net in PNML.

pnml: a place/transition net (ISO/IEC 15909-2) with names and positions. What it has no arcs for (obligations that watch events) is written out
in ordinary transitions, so that it has the same states. What formulas ask of the past is left out, as the formulas are. An event that happens by itself (after) can't be
written, and is named.

smv: a model in the language of NuSMV 2.6, and each requirement as a CTLSPEC with the same verdict. NuSMV knows one assumption of progress
for all specifications of a file: requirements with one are left out, and named on standard error, unless --requirement asks for one alone.`,
		Example: `  redline export sale -o sale.pnml
  redline export sale --format smv -o sale.smv`,
		Args: cobra.MaximumNArgs(1),
	}
	format := option.AddChoice(cmd, "format", "the notation", "pnml", "smv")
	output := cmd.Flags().StringP("output", "o", "", "the file to write; without it, standard output")
	asked := cmd.Flags().String("requirement", "", "of smv, the one `requirement` to write")
	firing := option.AddFiring(cmd)
	values := &option.Values{}
	values.Add(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *asked != "" && format.Value != "smv" {
			return errors.New("--requirement is for --format smv: a net in PNML has no requirements")
		}
		how, err := values.Read(app.ReadOptions{Rule: firing.Rule(), Jobs: 1})
		if err != nil {
			return err
		}
		e, err := convert.ReadExport(cmd.Context(), args, how)
		if err != nil {
			return err
		}
		text, notes, err := e.Write(cmd.Context(), format.Value, *asked)
		if err != nil {
			return err
		}
		printNotices(s.err, notes)
		if *output == "" {
			_, err = s.out.Write(text)
			return err
		}
		return os.WriteFile(*output, text, 0o666)
	}
	return cmd
}

func importCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Write a contract that begins with what another tool drew: a Petri net, or a BPMN collaboration",
		Long: `Import writes a directory with a contract to start from, and never overwrites a file.

FILE.pnml: a one-safe place/transition net becomes a party, with the same states.

FILE.bpmn: of a collaboration in BPMN 2.0, each pool becomes a party and each message flow two events, sent and received. In between the message waits; one more of a kind
than can wait is an error, with its run, when the contract is checked. What would mean something else if it were passed over is named, all of it, and nothing is written; what says
nothing of the order of things is left out, and counted in one line.`,
		Example: `  redline import sale.pnml -o imported
  redline import order.bpmn --capacity 3`,
		Args: cobra.ExactArgs(1),
	}
	dir := cmd.Flags().StringP("output", "o", "", "the directory to write; without it, one named like FILE")
	capacity := cmd.Flags().Int("capacity", 1, "BPMN: how many messages of a kind can wait; 0: none, a message is sent and received at one moment")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		file := args[0]
		if *capacity < 0 || *capacity > 1000 {
			return fmt.Errorf("--capacity %d: from 0 to 1000 messages can wait", *capacity)
		}
		base := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		if *dir == "" {
			*dir = base
		}
		var text []byte
		var err error
		switch strings.ToLower(filepath.Ext(file)) {
		case ".pnml":
			var notes []string
			text, notes, err = convert.ImportNet(cmd.Context(), file)
			printNotices(s.err, notes)
		case ".bpmn":
			text, err = importDrawn(s, file, base, *capacity)
		default:
			err = fmt.Errorf("%s: a file's name says what it is: .pnml or .bpmn", file)
		}
		if err != nil {
			return err
		}
		return convert.WriteContract(s.out, *dir, text)
	}
	return cmd
}

// importDrawn imports a collaboration, and reports mistakes and omissions as 'redline check' does.
func importDrawn(s streams, file, name string, capacity int) ([]byte, error) {
	contract, found, notes, err := convert.ImportCollaboration(file, name, capacity)
	if err != nil {
		return nil, err
	}
	printNotices(s.err, notes)
	if err := text.Diagnostics(s.err, found, styleOf(s.err)); err != nil {
		return nil, err
	}
	if contract == nil {
		return nil, exit(finding.BadInput)
	}
	return contract, nil
}

func vendorCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "vendor [CLAUSE DIR]",
		Short: "Bring a clause into a contract: one of redline's, or a template of your own",
		Long: `Vendor writes a clause into the contract in DIR, as a file of it, with its source and its digest. Nothing is fetched when the contract is checked or reviewed, and
a clause that is changed by hand is an error until its source and digest are taken out.

CLAUSE is the name of a clause that redline ships, a file NAME.clause.hcl with one template, or REVISION:FILE of this repository.

Without arguments it lists the clauses that redline ships. With --used it lists the clauses that contracts have, and which of them have changed at their source.`,
		Example: `  redline vendor
  redline vendor escrow sale
  redline vendor --used`,
		Args: cobra.MaximumNArgs(2),
	}
	used := cmd.Flags().Bool("used", false, "list the clauses that contracts below this directory have brought in")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case *used:
			return convert.Vendored(cmd.Context(), s.out, ".")
		case len(args) == 0:
			return convert.ListClauses(s.out)
		case len(args) == 1:
			return errors.New("DIR is missing: the directory of the contract that gets the clause")
		}
		return convert.Vendor(cmd.Context(), s.out, args[0], args[1])
	}
	return cmd
}
