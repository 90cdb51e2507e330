package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/report/draw"
)

// maxDrawn is the number of states, or of composed transitions, beyond which a picture shows nothing to anybody.
const maxDrawn = 2_000

// A drawing is what the flags of graph ask for.
type drawing struct {
	of, party, requirement, by string
	base, format, output       string
}

// views are what can be drawn besides what is named.
var views = []string{"composed", "states", "trace", "difference", "net", "party"}

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
		Args: cobra.MaximumNArgs(1),
	}
	d := &drawing{}
	f := cmd.Flags()
	f.StringVar(&d.of, "of", "composed", `what to draw: "composed", "states", "trace", "difference", "net", or the name of a party, an obligation or the like`)
	f.StringVar(&d.party, "party", "", "whose net or diagram is drawn")
	f.StringVar(&d.requirement, "requirement", "", "the requirement whose run is drawn, or opened in a large state model")
	f.StringVar(&d.by, "by", "", "the party or phase by which a state model is collapsed, however small it is")
	f.StringVar(&d.base, "base", "", "the revision from which the difference is drawn, to the work tree")
	f.StringVarP(&d.output, "output", "o", "", "the file to write; without it, standard output")
	format := addChoice(cmd, "format", "the language of the picture", "mermaid", "dot", "svg")
	firing := addChoice(cmd, "firing", "override the contract's firing rule", "", "one", "all")
	_ = cmd.RegisterFlagCompletionFunc("of", cobra.FixedCompletions(views, cobra.ShellCompDirectiveNoFileComp))
	values := &valueFlags{}
	values.add(f)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		how, err := values.read(reading{rule: (&checking{firing: firing}).rule(), jobs: 1})
		if err != nil {
			return err
		}
		d.format = format.value
		if d.base != "" && !f.Changed("of") {
			d.of = "difference"
		}
		g, err := d.draw(cmd.Context(), args, how)
		if err != nil {
			return err
		}
		return d.write(s.out, g)
	}
	return cmd
}

func (d *drawing) draw(ctx context.Context, args []string, how reading) (draw.Graph, error) {
	if d.of == "difference" {
		return d.difference(ctx, args, how)
	}
	drafts, err := workTreeDrafts(ctx, args, how)
	if err != nil {
		return draw.Graph{}, err
	}
	if len(drafts) > 1 {
		return draw.Graph{}, fmt.Errorf("there are %d contracts here (%s, %s, ...): name one", len(drafts), drafts[0].Path, drafts[1].Path)
	}
	if drafts[0].Spec == nil {
		return draw.Graph{}, errors.New("the contract is ill-formed: 'redline check' says where")
	}
	switch draft := drafts[0]; d.of {
	case "composed":
		return composed(draft)
	case "states":
		return d.states(ctx, draft)
	case "trace":
		return d.trace(ctx, draft)
	case "net":
		return d.partyPicture(draft, d.party, draw.Net)
	case "party":
		return d.partyPicture(draft, d.party, draw.Party)
	default:
		return d.partyPicture(draft, d.of, draw.Party)
	}
}

// partyPicture draws one party; of several, which look alike, the first.
func (d *drawing) partyPicture(draft *compile.Draft, name string, party func(*compile.Draft, *hclspec.Party) draw.Graph) (draw.Graph, error) {
	var names []string
	for _, p := range draft.Spec.Parties {
		if p.Name == name || p.Of == name {
			return party(draft, p), nil
		}
		names = append(names, p.Name)
	}
	if name == "" {
		return draw.Graph{}, fmt.Errorf("--party is missing: name one of %s", listed(names))
	}
	hint := ""
	if near := hclspec.Nearest(name, slices.Concat(names, views)); near != "" {
		hint = fmt.Sprintf("; did you mean %q?", near)
	}
	return draw.Graph{}, fmt.Errorf("there is no party, obligation or the like named %q to draw%s", name, hint)
}

// listed names the first few.
func listed(names []string) string {
	if len(names) > 8 {
		return strings.Join(names[:8], ", ") + ", ..."
	}
	return strings.Join(names, ", ")
}

func composed(d *compile.Draft) (draw.Graph, error) {
	if why := d.Unbuilt(); why != "" {
		return draw.Graph{}, errors.New(why)
	}
	if n := len(d.Net.Transitions); n > maxDrawn {
		return draw.Graph{}, fmt.Errorf("the composed net has %d transitions, and a picture of more than %d shows nothing: name a party with --of", n, maxDrawn)
	}
	return draw.Composed(d), nil
}

// write writes a picture where it is to go.
func (d *drawing) write(w io.Writer, g draw.Graph) error {
	draw := map[string]func(draw.Graph) string{"mermaid": draw.Mermaid, "dot": draw.DOT, "svg": draw.SVG}[d.format]
	text := draw(g)
	if text == "" {
		return errors.New("the picture is larger than Mermaid draws: use --format svg or dot")
	}
	if d.output != "" {
		return os.WriteFile(d.output, []byte(text), 0o644)
	}
	_, err := io.WriteString(w, text)
	return err
}
