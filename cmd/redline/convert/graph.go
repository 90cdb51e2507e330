package convert

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/report/draw"
)

// maxDrawn is the number of states, or of composed transitions, beyond which a picture is unreadable.
const maxDrawn = 2_000

// Drawing is a request for a picture: its subject, its format, and its file.
type Drawing struct {
	Of, Party, Requirement, By string
	Base, Format, Output       string
}

// Views lists the subjects of pictures, besides names of parties.
var Views = []string{"composed", "states", "trace", "difference", "net", "party"}

// Draw draws the subject of the drawing, for the contract at a path.
func (d *Drawing) Draw(ctx context.Context, args []string, how app.ReadOptions) (draw.Graph, error) {
	if d.Of == "difference" {
		return d.difference(ctx, args, how)
	}
	draft, err := app.OneDraft(ctx, args, how)
	if err != nil {
		return draw.Graph{}, err
	}
	switch d.Of {
	case "composed":
		return composed(draft)
	case "states":
		return d.states(ctx, draft)
	case "trace":
		return d.trace(ctx, draft)
	case "net":
		return d.partyPicture(draft, d.Party, draw.Net)
	case "party":
		return d.partyPicture(draft, d.Party, draw.Party)
	default:
		return d.partyPicture(draft, d.Of, draw.Party)
	}
}

// Drawable returns the names of what partyPicture draws in any of the drafts.
func Drawable(drafts []*compile.Draft) (names []string) {
	for _, d := range drafts {
		for _, p := range d.Spec.Parties {
			if !p.Bookkeeping() && !slices.Contains(names, p.Of) {
				names = append(names, p.Of)
			}
		}
	}
	return names
}

// partyPicture draws one party; of several alike, the first.
func (d *Drawing) partyPicture(draft *compile.Draft, name string, party func(*compile.Draft, *hclspec.Party) draw.Graph) (draw.Graph, error) {
	for _, p := range draft.Spec.Parties {
		if p.Name == name || p.Of == name {
			g := party(draft, p)
			if len(g.Nodes) == 0 {
				return g, fmt.Errorf("there is nothing to draw of %s: it has no states, flags, counters or transitions of its own", name)
			}
			return g, nil
		}
	}
	names := Drawable([]*compile.Draft{draft})
	if name == "" {
		return draw.Graph{}, fmt.Errorf("--party is missing: name one of %s", listed(names))
	}
	hint := "; there are " + listed(names)
	if near := hclspec.Nearest(name, slices.Concat(names, Views)); near != "" {
		hint = fmt.Sprintf("; did you mean %q?", near)
	}
	return draw.Graph{}, fmt.Errorf("there is no party, obligation or the like named %q to draw%s", name, hint)
}

// listed joins the first few names.
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

// Write writes a picture to the drawing's file, or to w if it has none.
func (d *Drawing) Write(w io.Writer, g draw.Graph) error {
	draw := map[string]func(draw.Graph) string{"mermaid": draw.Mermaid, "dot": draw.DOT, "svg": draw.SVG}[d.Format]
	text := draw(g)
	if text == "" {
		return errors.New("the picture is larger than Mermaid draws: use --format svg or dot")
	}
	if d.Output != "" {
		return os.WriteFile(d.Output, []byte(text), 0o644)
	}
	_, err := io.WriteString(w, text)
	return err
}
