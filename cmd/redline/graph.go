package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/report"
)

// maxDrawn is the number of states, or of composed transitions, beyond which a picture shows nothing to anybody.
const maxDrawn = 2_000

func graphCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "graph [PATH]",
		Short: "Draw a party, the composed net, the state model, or the difference of two",
		Args:  cobra.MaximumNArgs(1),
	}
	of := cmd.Flags().String("of", "composed", `what to draw: "composed", "states", "difference", or the name of a party, an obligation or the like`)
	base := cmd.Flags().String("base", "", "the revision from which the difference is drawn, to the work tree")
	format := addChoice(cmd, "format", "the language of the picture", "mermaid", "dot", "svg")
	firing := addChoice(cmd, "firing", "override the contract's firing rule", "", "one", "all")
	values := &valueFlags{}
	values.add(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		how, err := values.read(reading{rule: (&checking{firing: firing}).rule(), jobs: 1})
		if err != nil {
			return err
		}
		if *of == "difference" || *base != "" && !cmd.Flags().Changed("of") {
			return drawDifference(cmd.Context(), s.out, *base, args, how, format.value)
		}
		drafts, err := workTreeDrafts(cmd.Context(), args, how)
		if err != nil {
			return err
		}
		if len(drafts) > 1 {
			return fmt.Errorf("there are %d contracts here (%s, %s, ...): name one", len(drafts), drafts[0].Path, drafts[1].Path)
		}
		if drafts[0].Spec == nil {
			return errors.New("the contract is ill-formed: 'redline check' says where")
		}
		g, err := picture(cmd, drafts[0], *of)
		if err != nil {
			return err
		}
		return writePicture(s.out, g, format.value)
	}
	return cmd
}

func picture(cmd *cobra.Command, d *engine.Draft, of string) (report.Graph, error) {
	if of == "composed" {
		return composed(d)
	}
	if of == "states" {
		b := defaultBudget()
		b.States = maxDrawn
		model, err := d.Explore(cmd.Context(), b)
		if err != nil {
			return report.Graph{}, err
		}
		return report.DrawStates(d, model), nil
	}
	var names []string
	for _, p := range d.Spec.Parties {
		if p.Name == of || p.Of == of { // of several, which look alike, the first
			return report.DrawParty(d, p), nil
		}
		names = append(names, p.Name)
	}
	hint := ""
	if near := hclspec.Nearest(of, append(names, "composed", "states", "difference")); near != "" {
		hint = fmt.Sprintf("; did you mean %q?", near)
	}
	return report.Graph{}, fmt.Errorf("there is no party, obligation or the like named %q to draw%s", of, hint)
}

func composed(d *engine.Draft) (report.Graph, error) {
	if why := d.Unbuilt(); why != "" {
		return report.Graph{}, errors.New(why)
	}
	if n := len(d.Net.Transitions); n > maxDrawn {
		return report.Graph{}, fmt.Errorf("the composed net has %d transitions, and a picture of more than %d shows nothing: name a party with --of", n, maxDrawn)
	}
	return report.DrawComposed(d), nil
}

func writePicture(w io.Writer, g report.Graph, format string) error {
	draw := map[string]func(report.Graph) string{"mermaid": report.Mermaid, "dot": report.DOT, "svg": report.SVG}[format]
	text := draw(g)
	if text == "" {
		return errors.New("the picture is larger than Mermaid draws: use --format svg or dot")
	}
	_, err := io.WriteString(w, text)
	return err
}
