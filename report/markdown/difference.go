package markdown

import (
	"fmt"
	"strings"

	"github.com/redlinehq/redline/engine/behaviour"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/draw"
	"github.com/redlinehq/redline/report/words"
)

// maxPictureText is the maximum size in bytes of a picture of the difference in a comment.
const maxPictureText = CommentLimit / 3

// DifferencePicture returns a picture as Mermaid, or as a table if it is too large to read. It returns "" if the picture shows no change.
func DifferencePicture(p *finding.Picture) string {
	if !words.Moved(p) {
		return ""
	}
	if p.Extent != behaviour.ChangesOnly {
		if drawn := draw.Mermaid(draw.Difference("", p)); drawn != "" && len(drawn) <= maxPictureText {
			return "\n" + words.Legend(p) + "\n\n```mermaid\n" + drawn + "```\n"
		}
	}
	return "\n" + pictureTable(p)
}

// pictureTable returns a table of the steps that are new or gone.
func pictureTable(p *finding.Picture) string {
	var b strings.Builder
	b.WriteString("The difference is too large to draw. Steps that are new (+) or gone (−):\n\n| | in the state | step | leads to |\n|---|---|---|---|\n")
	rows, left := 0, p.More
	for _, row := range pictureRows(p) {
		if rows == words.MostRows || b.Len() > maxPictureText {
			left += len(row)
			continue
		}
		rows++
		a := row[0]
		from, to := make([]finding.PictureState, len(row)), make([]finding.PictureState, len(row))
		for i, a := range row {
			from[i], to[i] = p.States[a.From], p.States[a.To]
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", strings.TrimSpace(draw.Label("", draw.ChangeOf(a.In))),
			words.StatesOnce(from, words.Cell), words.Cell.Prose(a.Label), words.StatesOnce(to, words.Cell))
	}
	return b.String() + words.AndMore(left, "step")
}

// pictureRows returns the steps that are new or gone. Those that differ in ticks left alone are in one row.
func pictureRows(p *finding.Picture) (rows [][]finding.PictureArc) {
	at := map[string]int{}
	for _, a := range p.Arcs {
		if a.In == diff.InBoth {
			continue
		}
		key := fmt.Sprintf("%d %q %q %q", a.In, a.Label, words.WithoutTicks(p.States[a.From]), words.WithoutTicks(p.States[a.To]))
		i, known := at[key]
		if !known {
			i = len(rows)
			at[key], rows = i, append(rows, nil)
		}
		rows[i] = append(rows[i], a)
	}
	return rows
}
