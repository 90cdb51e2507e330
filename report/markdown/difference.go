package markdown

import (
	"fmt"
	"strings"

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
	if p.Extent != finding.ChangesOnly {
		if drawn := draw.Mermaid(draw.Difference("", p)); drawn != "" && len(drawn) <= maxPictureText {
			return "\n" + words.Legend(p) + "\n\n```mermaid\n" + drawn + "```\n"
		}
	}
	return "\n" + pictureTable(p)
}

// pictureTable returns a table of the steps that are new or gone. Those that change the same are in one row, ticks left aside, with what the
// states in which they can happen have in common.
func pictureTable(p *finding.Picture) string {
	var b strings.Builder
	b.WriteString("The difference is too large to draw. Steps that are new (+) or gone (−), and what they change:\n\n| | in the state | step | changes |\n|---|---|---|---|\n")
	rows, left := 0, p.More
	for _, row := range pictureRows(p) {
		if rows == words.MostRows || b.Len() > maxPictureText {
			left += len(row)
			continue
		}
		rows++
		from, to := make([]finding.PictureState, len(row)), make([]finding.PictureState, len(row))
		for i, a := range row {
			from[i], to[i] = p.States[a.From], p.States[a.To]
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", strings.TrimSpace(draw.Label("", draw.ChangeOf(row[0].In))),
			words.StatesShared(from, words.Cell), words.Cell.Prose(row[0].Label), words.StatesChanged(from, to, words.Cell))
	}
	return b.String() + words.AndMore(left, "step")
}

// pictureRows returns the steps that are new or gone. Those that change the same, ticks left aside, are in one row.
func pictureRows(p *finding.Picture) (rows [][]finding.PictureArc) {
	at := map[string]int{}
	for _, a := range p.Arcs {
		if a.In == diff.InBoth {
			continue
		}
		key := fmt.Sprintf("%d %q %q", a.In, a.Label, words.ChangedKey(p.States[a.From], p.States[a.To]))
		i, known := at[key]
		if !known {
			i = len(rows)
			at[key], rows = i, append(rows, nil)
		}
		rows[i] = append(rows[i], a)
	}
	return rows
}
