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
// outline, which is kept first. The parts from one that begins a fold, with its summary as text, to one that ends it are in that fold, which
// is left out if none of them is kept.
type part struct{ what, text string }

// outline reports whether a part belongs to the outline.
func (p part) outline() bool {
	return p.what == "" || p.what == table || p.what == beginsFold || p.what == endsFold
}

// size returns the size of a part in bytes, with all of the fold that it begins.
func (p part) size() int {
	if p.what == beginsFold {
		return len(fold(p.text, ""))
	}
	return len(p.text)
}

// fit joins parts in order. If they are too long, it keeps the outline in order and as much of the rest as fits. A line below the first part
// names what is missing and, with whole, where all of it can be seen.
func fit(parts []part, limit int, whole string) string {
	const line = 400 // room for that line
	keep := chosen(parts, limit-line)
	var b, inFold strings.Builder
	var cut []string
	summary, into := "", &b
	for i, p := range parts {
		switch {
		case p.what == beginsFold:
			summary, into = p.text, &inFold
		case p.what == endsFold:
			if inFold.Len() > 0 {
				b.WriteString(fold(summary, strings.TrimPrefix(inFold.String(), "\n")))
			}
			inFold.Reset()
			into = &b
		case keep[i]:
			into.WriteString(p.text)
		default:
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
			if used+p.size() > share {
				end = i
				break
			}
			keep[i], used = true, used+p.size()
		}
	}
	for i, p := range parts[:end] {
		if !p.outline() && used+p.size() <= room {
			keep[i], used = true, used+p.size()
		}
	}
	return keep
}

// lengthOfOutline returns the size of the outline in bytes.
func lengthOfOutline(parts []part) int {
	n := 0
	for _, p := range parts {
		if p.outline() {
			n += p.size()
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
	for _, kind := range []string{run, diagnosis, table, repair, accept, change} {
		said = append(said, words.SomeOf(counts[kind], kind))
	}
	said = append(said, words.SomeOf(counts[""], "other part"))
	return fmt.Sprintf("\n> Left out, because GitHub takes no longer text: %s. %s\n", words.Joined(", ", said...), whole)
}

// Kinds of parts that begin and end a fold.
const (
	beginsFold = "<"
	endsFold   = ">"
)

// Kinds of parts, named when they are left out.
const (
	run       = "run"
	diagnosis = "message"
	table     = "table"
	repair    = "repair"
	accept    = "acceptance"
	change    = "difference"
)
