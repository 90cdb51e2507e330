package draw

import (
	"strings"

	"github.com/rivo/uniseg"

	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/words"
)

// Lines of a label are broken at blanks, before they are so wide, in columns: Mermaid breaks wider ones where it
// likes. What is round grows with the square of its text's width, so its lines are shorter.
const (
	lineWidth  = 21
	roundWidth = 14
)

// Lines lays out the label of a node: what has changed says so in a sign, not by colour alone, and what
// holds a token has a dot.
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

// lines lays out the label of an edge; an edge without one has none.
func (e GraphEdge) lines() []string {
	if e.Label == "" && e.Change == Unchanged {
		return nil
	}
	return wrapped(lineWidth, append([]string{Label(e.Label, e.Change)}, e.More...)...)
}

// wrapped breaks a stranger's texts into lines. It is fit for no picture yet but has one line in each.
func wrapped(width int, texts ...string) []string {
	return wrappedOf(escape.LabelLength, width, texts...)
}

// wrappedOf does so with as much of each text.
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
