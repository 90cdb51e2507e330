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
	for _, a := range p.Arcs {
		switch {
		case a.In == diff.InBoth:
		case rows == words.MostRows || b.Len() > maxPictureText:
			left++
		default:
			rows++
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", strings.TrimSpace(draw.Label("", draw.ChangeOf(a.In))),
				words.State(p.States[a.From].Words, words.Cell), words.Cell.Prose(a.Label), words.State(p.States[a.To].Words, words.Cell))
		}
	}
	return b.String() + words.AndMore(left, "step")
}
