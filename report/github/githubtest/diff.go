package githubtest

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	left  = "LEFT"
	right = "RIGHT"
)

// A line that a patch shows, on one side or, where it did not change, on both.
type line struct {
	hunk       int
	base, head int // 0: not on that side
	text       string
}

func (l line) number(side string) int {
	if side == left {
		return l.base
	}
	return l.head
}

var hunkHeader = regexp.MustCompile(`^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@`)

// lines reads a patch as GitHub gives it: hunks, without the files' names.
func lines(patch string) []line {
	var all []line
	hunk, base, head := 0, 0, 0
	for text := range strings.SplitSeq(patch, "\n") {
		if m := hunkHeader.FindStringSubmatch(text); m != nil {
			hunk++
			base, _ = strconv.Atoi(m[1]) // digits
			head, _ = strconv.Atoi(m[2])
			continue
		}
		if text == "" || hunk == 0 {
			continue
		}
		l := line{hunk: hunk, text: text[1:]}
		switch text[0] {
		case '+':
			l.head, head = head, head+1
		case '-':
			l.base, base = base, base+1
		case ' ':
			l.base, l.head, base, head = base, head, base+1, head+1
		default:
			continue // "\ No newline at end of file"
		}
		all = append(all, l)
	}
	return all
}

// An anchor is where a review comment is to stand.
type anchor struct {
	Path      string `json:"path"`
	Line      int    `json:"line"`
	StartLine int    `json:"start_line"`
	Side      string `json:"side"`
	StartSide string `json:"start_side"`
	Body      string `json:"body"`
}

// objections are why GitHub does not take an anchor, in its words for a review (kinkie, parkerbxyz/suggest-changes
// issue 64; villesau/ai-codereviewer issue 34; ubuntu/WSL pull request 244).
func (a anchor) objections(files []File) []string {
	at := slices.IndexFunc(files, func(f File) bool { return f.Path == a.Path })
	if at < 0 {
		return []string{"Pull request review thread path is invalid", noHunk}
	}
	shown := lines(files[at].Patch)
	end, ok := find(shown, a.Line, a.Side)
	var all []string
	if !ok {
		all = append(all, "Pull request review thread line must be part of the diff")
	}
	if a.StartLine != 0 {
		side := a.StartSide
		if side == "" {
			side = a.Side
		}
		start, there := find(shown, a.StartLine, side)
		switch {
		case a.StartLine >= a.Line && side == a.Side:
			all = append(all, "Pull request review thread start line must precede the end line.")
		case !there || start.hunk != end.hunk:
			all = append(all, "Pull request review thread start line must be part of the same hunk as the line.")
		}
	}
	if !ok {
		all = append(all, noHunk)
	}
	return all
}

const noHunk = "Pull request review thread diff hunk can't be blank"

func find(shown []line, number int, side string) (line, bool) {
	for _, l := range shown {
		if number > 0 && l.number(side) == number {
			return l, true
		}
	}
	return line{}, false
}

// follow moves a comment with its line at a push. A line that the new diff does not show with the
// same text leaves it outdated; it stays so.
func (c *ReviewComment) follow(files []File) {
	if c.Side == "" {
		if !slices.ContainsFunc(files, func(f File) bool { return f.Path == c.Path }) {
			c.Outdated = true
		}
		return
	}
	if c.Outdated {
		return
	}
	to, distance := 0, 0
	for _, f := range files {
		for _, l := range lines(f.Patch) {
			at := l.number(c.Side)
			if f.Path == c.Path && at > 0 && l.text == c.text && (to == 0 || abs(at-c.Line) < distance) {
				to, distance = at, abs(at-c.Line)
			}
		}
	}
	if to == 0 {
		c.Outdated, c.Line, c.startLine = true, 0, 0
		return
	}
	if c.startLine != 0 {
		c.startLine += to - c.Line
	}
	c.Line = to
}

func abs(n int) int { return max(n, -n) }
