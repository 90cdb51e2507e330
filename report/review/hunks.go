package review

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A hunk is a piece of a diff: consecutive lines of head's file. GitHub accepts comments on such lines only.
type hunk struct {
	first, last int // of head's file; last is before first where nothing is left
	gone        []goneLine
}

// A goneLine is a line that only base's file has.
type goneLine struct {
	line   int // of base's file
	text   string
	before int // the line of head's file that follows it
}

var hunkHeader = regexp.MustCompile(`^@@ -([0-9]{1,9})(?:,[0-9]{1,9})? \+([0-9]{1,9})(?:,[0-9]{1,9})? @@`)

// hunksOf reads the patch of a file from GitHub. It counts the lines of a hunk itself, and takes only its start from the header.
func hunksOf(patch string) []hunk {
	var all []hunk
	was, now := 0, 0
	for line := range strings.Lines(patch) {
		line = strings.TrimSuffix(line, "\n")
		if found := hunkHeader.FindStringSubmatch(line); found != nil {
			was, _ = strconv.Atoi(found[1])
			now, _ = strconv.Atoi(found[2])
			all = append(all, hunk{first: now, last: now - 1})
			continue
		}
		if len(all) == 0 || line == "" {
			continue
		}
		h := &all[len(all)-1]
		switch line[0] {
		case ' ':
			h.last, was, now = now, was+1, now+1
		case '+':
			h.last, now = now, now+1
		case '-':
			h.gone = append(h.gone, goneLine{was, line[1:], now})
			was++
		}
	}
	return all
}

// inHunk reports whether one hunk contains all of these lines of head's file.
func inHunk(all []hunk, first, last int) bool {
	return slices.ContainsFunc(all, func(h hunk) bool { return h.first <= first && first <= last && last <= h.last })
}

// whereGone returns the line of head's file nearest to a line of base's file that was removed. The removed line must contain text.
func whereGone(all []hunk, line int, text string) (int, bool) {
	for _, h := range all {
		for _, g := range h.gone {
			if g.line == line && strings.Contains(g.text, text) && h.first <= h.last {
				return max(h.first, min(g.before, h.last)), true
			}
		}
	}
	return 0, false
}
