package markdown

import (
	"fmt"
	"strings"

	"github.com/redlinehq/redline/report/words"
)

// CommentLimit is how many bytes, and so how many characters by any count, a Markdown text has at
// most. GitHub refuses comments above 65,536 characters and check-run texts above 65,535; the room
// left over is for markers.
const CommentLimit = 60_000

// A part of a Markdown text. What names it for the reader who finds it left out; a part without a
// name, and a table, is of the outline, which comes first.
type part struct{ what, text string }

func (p part) outline() bool { return p.what == "" || p.what == table }

// fit joins parts in order. When they are too long, the outline is kept in order, then what fits of the rest; a last line
// says what is missing and where it is whole.
func fit(parts []part, limit int, whole string) string {
	const line = 400 // room for that last line
	keep := chosen(parts, limit-line)
	var b strings.Builder
	var cut []string
	for i, p := range parts {
		if keep[i] {
			b.WriteString(p.text)
		} else {
			cut = append(cut, p.what)
		}
	}
	b.WriteString(missing(cut, whole))
	return b.String()
}

// chosen says which parts fit into the room. An outline that is too long gets two thirds of it, so that what needs an answer
// first is still explained; what belongs to the part of the outline that is left out goes with it.
func chosen(parts []part, room int) []bool {
	keep := make([]bool, len(parts))
	share, used, end := room, 0, len(parts)
	if lengthOfOutline(parts) > room {
		share = room / 3 * 2
	}
	for i, p := range parts {
		if p.outline() {
			if used+len(p.text) > share {
				end = i
				break
			}
			keep[i], used = true, used+len(p.text)
		}
	}
	for i, p := range parts[:end] {
		if !p.outline() && used+len(p.text) <= room {
			keep[i], used = true, used+len(p.text)
		}
	}
	return keep
}

func lengthOfOutline(parts []part) int {
	n := 0
	for _, p := range parts {
		if p.outline() {
			n += len(p.text)
		}
	}
	return n
}

// missing says what was cut.
func missing(cut []string, whole string) string {
	if len(cut) == 0 {
		return ""
	}
	counts := map[string]int{}
	for _, c := range cut {
		counts[c]++
	}
	var said []string
	for _, kind := range []string{run, picture, diagnosis, table, repair, change, phrasing} {
		said = append(said, words.SomeOf(counts[kind], kind))
	}
	said = append(said, words.SomeOf(counts[""], "other part"))
	return fmt.Sprintf("\n> Left out, because GitHub takes no longer text: %s. %s\n", words.Joined(", ", said...), whole)
}

// Kinds of parts that may be left out.
const (
	run       = "run"
	picture   = "diagram"
	diagnosis = "message"
	table     = "table"
	repair    = "repair"
	change    = "difference"
	phrasing  = "wording"
)
