package draw

import (
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/layout"
)

// Sizes of text in pixels.
const (
	fontSize   = 12
	lineHeight = 15
	baseline   = 11 // below the top of a line
)

// TitleLength is the maximum number of characters in the title of a picture, a node or an edge, which a screen reader reads.
const TitleLength = 400

// helveticaWidths has the widths of the characters from the blank to the tilde, in thousandths of the font size. They are from the Adobe
// Font Metrics of Helvetica, which Arial and Liberation Sans follow.
var helveticaWidths = [...]int{
	278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556, 556, 556, 556,
	278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667,
	611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833,
	556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
}

// textWidth returns the maximum width of a line in pixels. Fonts other than Helvetica are up to an eighth wider.
func textWidth(line string) int {
	sum := 0
	for _, r := range line {
		if i := int(r) - ' '; i >= 0 && i < len(helveticaWidths) {
			sum += helveticaWidths[i]
		} else {
			sum += 600 * uniseg.StringWidth(string(r))
		}
	}
	return (sum*fontSize*9/8 + 999) / 1000
}

// textSize returns the size of lines in pixels.
func textSize(lines []string) layout.Size {
	z := layout.Size{Height: len(lines) * lineHeight}
	for _, l := range lines {
		z.Width = max(z.Width, textWidth(l))
	}
	return z
}

// boldSize returns the size of bold lines in pixels.
func boldSize(lines []string) layout.Size {
	z := textSize(lines)
	return layout.Size{Width: z.Width * 9 / 8, Height: z.Height}
}

// Fitted returns the label of a node in lines for SVG. A place or document has its dot in the drawing, and none in the text.
func (n GraphNode) Fitted() []string {
	first := Label(n.Label, n.Change)
	if n.Marked && n.Shape != Circle && n.Shape != Square {
		first = "● " + first
	}
	width := lineWidth
	if n.Shape == Box && len(n.More) > 0 {
		width = listWidth
	}
	return fitted(escape.LabelLength, width, append([]string{first}, n.More...)...)
}

// listWidth is the maximum width of the lines in a box that lists something below its label, in columns.
const listWidth = 32

// fitted returns the label of an edge in lines for SVG.
func (e GraphEdge) fitted() []string { return fitted(escape.LabelLength, lineWidth, e.texts()...) }

// fitted breaks at most length characters of each text into lines. It also breaks words that would make a line twice as wide as width.
func fitted(length, width int, texts ...string) []string {
	var all []string
	for _, line := range wrappedOf(length, width, texts...) {
		for uniseg.StringWidth(line) > 2*width {
			head, rest := cut(line, 2*width)
			all, line = append(all, head), rest
		}
		all = append(all, line)
	}
	return all
}

// cut splits a line after at most width columns, between characters. The head has at least one.
func cut(line string, width int) (head, rest string) {
	rest, columns := line, 0
	for state := -1; rest != ""; {
		piece, after, w, next := uniseg.FirstGraphemeClusterInString(rest, state)
		if columns += w; columns > width && head != "" {
			return head, rest
		}
		head, rest, state = head+piece, after, next
	}
	return head, ""
}

// oneLine returns the label of a node as one line, for a screen reader.
func (n GraphNode) oneLine() string {
	return escape.Visible(strings.Join(append([]string{Label(n.Label, n.Change)}, n.More...), "; "), TitleLength)
}

// oneLine returns the label of an edge as one line, for a screen reader.
func (e GraphEdge) oneLine() string {
	return escape.Visible(strings.Join(e.texts(), "; "), TitleLength)
}

// svgText escapes foreign text for elements and attributes. Characters that XML forbids (section 2.2) become replacement characters.
func svgText(s string) string {
	return svgEscapes.Replace(strings.Map(func(r rune) rune {
		if r < ' ' || r == '\ufffe' || r == '\uffff' {
			return utf8.RuneError
		}
		return r
	}, strings.ToValidUTF8(s, string(utf8.RuneError))))
}

var svgEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")
