package draw

import (
	"strings"

	"github.com/rivo/uniseg"

	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/words"
)

// Maximum width of the lines in a label, in columns. Lines are broken at blanks, since Mermaid breaks wider ones at any place. A round node
// grows with the square of its text's width, so its lines are shorter.
const (
	lineWidth  = 21
	roundWidth = 14
)

// Lines returns the label of a node in lines, with the sign of its change, and with a dot if it is marked.
func (n GraphNode) Lines() []string {
	width := lineWidth
	if n.Shape == Circle || n.Shape == Square {
		width = roundWidth
	}
	first := Label(n.Label, n.Change)
	if n.Marked {
		first = "● " + first
	}
	return wrapped(width, append([]string{first}, n.More...)...)
}

// texts returns the label of an edge with the sign of its change, or nil if it has none.
func (e GraphEdge) texts() []string {
	if e.Label == "" && e.Change == Unchanged {
		return nil
	}
	return append([]string{Label(e.Label, e.Change)}, e.More...)
}

// lines returns the label of an edge in lines.
func (e GraphEdge) lines() []string { return wrapped(lineWidth, e.texts()...) }

// wrapped breaks foreign texts into lines. The lines are not yet escaped for any kind of picture.
func wrapped(width int, texts ...string) []string {
	return wrappedOf(escape.LabelLength, width, texts...)
}

// wrappedOf is wrapped with at most length characters of each text.
func wrappedOf(length, width int, texts ...string) []string {
	var all []string
	for _, text := range texts {
		line := ""
		for word := range strings.FieldsSeq(escape.Visible(text, length)) {
			if line != "" && uniseg.StringWidth(line)+1+uniseg.StringWidth(word) > width {
				all, line = append(all, line), ""
			}
			line = words.Joined(" ", line, word)
		}
		all = append(all, line)
	}
	return all
}
