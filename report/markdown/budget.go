package markdown

import (
	"fmt"
	"strings"

	"github.com/redlinehq/redline/report/words"
)

// CommentLimit is the maximum size of a Markdown text in bytes, and so in characters by any count. GitHub refuses comments above 65,536
// characters and check-run texts above 65,535. The remaining room is for markers.
const CommentLimit = 60_000

// A part is a piece of a Markdown text. What names its kind, for the note that it was left out. Parts without a name, and tables, form the
// outline, which is kept first.
type part struct{ what, text string }

// outline reports whether a part belongs to the outline.
func (p part) outline() bool { return p.what == "" || p.what == table }

// fit joins parts in order. If they are too long, it keeps the outline in order and as much of the rest as fits. A line below the first part
// names what is missing and, with whole, where all of it can be seen.
func fit(parts []part, limit int, whole string) string {
	const line = 400 // room for that line
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
	text, first := b.String(), 0
	if keep[0] {
		first = len(parts[0].text)
	}
	return text[:first] + missing(cut, whole) + text[first:]
}

// chosen returns which parts fit into room. An outline that is too long gets two thirds of the room, so that the parts that need an answer
// first are still explained. Parts that follow the place where the outline is cut are left out, too.
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

// lengthOfOutline returns the size of the outline in bytes.
func lengthOfOutline(parts []part) int {
	n := 0
	for _, p := range parts {
		if p.outline() {
			n += len(p.text)
		}
	}
	return n
}

// missing returns a line that counts the parts left out, or "" if there are none.
func missing(cut []string, whole string) string {
	if len(cut) == 0 {
		return ""
	}
	counts := map[string]int{}
	for _, c := range cut {
		counts[c]++
	}
	var said []string
	for _, kind := range []string{run, diagnosis, table, repair, change} {
		said = append(said, words.SomeOf(counts[kind], kind))
	}
	said = append(said, words.SomeOf(counts[""], "other part"))
	return fmt.Sprintf("\n> Left out, because GitHub takes no longer text: %s. %s\n", words.Joined(", ", said...), whole)
}

// Kinds of parts, named when they are left out.
const (
	run       = "run"
	diagnosis = "message"
	table     = "table"
	repair    = "repair"
	change    = "difference"
)
