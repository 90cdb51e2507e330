package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/cmd/redline/convert"
	"github.com/redlinehq/redline/cmd/redline/option"
	"github.com/redlinehq/redline/engine/compile"
)

func graphCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "graph [PATH]",
		Short: "Draw a party, its net, the composed net, the state model, a run, or the difference of two drafts",
		Long: `Draw what --of names:

  composed      the net of all parties together (which is what is drawn without --of)
  states        every situation that can arise; a large model is drawn with one node for all
                states that are alike for one party or in one phase (--by), but for those that
                the runs of violated requirements come to
  trace         the run that shows a requirement violated (--requirement)
  difference    what an amendment changes in the states (--base)
  NAME          the state diagram of a party, or what becomes of an obligation or the like
  net           the Petri net that a party's view (--party) stands for, not composed`,
		Example: `  redline graph sale --of seller --format svg -o seller.svg
  redline graph sale --of states
  redline graph sale --base main`,
		Args: cobra.MaximumNArgs(1),
	}
	d := &convert.Drawing{}
	f := cmd.Flags()
	f.StringVar(&d.Of, "of", "composed", `what to draw: "composed", "states", "trace", "difference", "net", or the name of a party, an obligation or the like`)
	f.StringVar(&d.Party, "party", "", "the `party` whose net or diagram is drawn")
	f.StringVar(&d.Requirement, "requirement", "", "the `requirement` whose run is drawn, or opened in a large state model")
	f.StringVar(&d.By, "by", "", "the `party` or phase by which a state model is collapsed, however small it is")
	f.StringVar(&d.Base, "base", "", "the `revision` from which the difference is drawn, to the work tree")
	f.StringVarP(&d.Output, "output", "o", "", "the `file` to write; without it, standard output")
	format := option.AddChoice(cmd, "format", "the language of the picture", "mermaid", "dot", "svg")
	firing := option.AddFiring(cmd)
	option.CompleteFlag(cmd, "of", func(drafts []*compile.Draft) []string { return slices.Concat(convert.Drawable(drafts), convert.Views) })
	values := &option.Values{}
	values.Add(f)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		how, err := values.Read(app.ReadOptions{Rule: firing.Rule(), Jobs: 1})
		if err != nil {
			return err
		}
		d.Format = format.Value
		if d.Base != "" && !f.Changed("of") {
			d.Of = "difference"
		}
		g, err := d.Draw(cmd.Context(), args, how)
		if err != nil {
			return err
		}
		return d.Write(s.out, g)
	}
	return cmd
}
