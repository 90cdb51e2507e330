package markdown

import (
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/draw"
	"github.com/redlinehq/redline/report/words"
)

// mostDrawn is the number of states up to which a picture of the difference can be read at the width of a comment.
const mostDrawn = 20

// DifferencePicture returns a picture as Mermaid, or where to see it if it is too large to be read. It returns "" if the picture shows no change.
func DifferencePicture(p *finding.Picture) string {
	switch {
	case !words.HasChanges(p):
		return ""
	case p.Extent != finding.ChangesOnly && len(p.States) <= mostDrawn:
		return "\n" + words.Legend(p) + "\n\n```mermaid\n" + draw.Mermaid(draw.Difference("", p)) + "```\n"
	}
	return "\nThe states that differ are too many to draw here; the page that `redline report` makes draws them.\n"
}
