package escape

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// How much of a stranger's text is shown, in characters; "…" stands for the rest.
const (
	NameLength    = 120
	ProseLength   = 600
	FormulaLength = 2000
	LabelLength   = 80 // in pictures
)

const ZeroWidthSpace = "\u200b"

// stacked is how many combining marks in a row are shown. More would paint over other lines.
const stacked = 4

// Visible makes one line of printable characters of s and keeps at most limit of them. A line break
// becomes ⏎; control, bidirectional and other invisible characters become escapes such as \u202e.
func Visible(s string, limit int) string {
	var b strings.Builder
	marks, shown := 0, 0
	for s = strings.TrimSpace(s); s != ""; shown++ {
		if shown == limit {
			b.WriteString("…")
			break
		}
		r, size := utf8.DecodeRuneInString(s)
		piece := escape(r, s[:size])
		s = s[size:]
		if unicode.In(r, unicode.Mn, unicode.Me) {
			marks++
		} else {
			marks = 0
		}
		if marks <= stacked {
			b.WriteString(piece)
		} else if marks == stacked+1 {
			b.WriteRune(utf8.RuneError)
		}
	}
	return b.String()
}

// escape returns what stands for the rune r, encoded as raw.
func escape(r rune, raw string) string {
	switch {
	case r == utf8.RuneError && len(raw) == 1:
		return fmt.Sprintf(`\x%02x`, raw[0])
	case r == '\n':
		return "⏎"
	case r == '\t', r == '\r':
		return " "
	case r == '\u200c', r == '\u200d': // joiners, which scripts and emoji need
		return raw
	case unicode.IsPrint(r):
		return raw
	case unicode.Is(unicode.Zs, r):
		return " "
	case r < 0x100:
		return fmt.Sprintf(`\x%02x`, r)
	case r < 0x10000:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}

// TerminalText makes a stranger's text fit to be printed, in a terminal or in the log of a workflow:
// one line, no control characters, no workflow command, at most 600 characters.
func TerminalText(s string) string { return Uncommanded(Visible(s, ProseLength)) }

// Commands finds what GitHub's runner takes for the beginning of a command: "::" at the start of a
// line, and "##[" anywhere (actions/runner, ActionCommand.cs).
var Commands = regexp.MustCompile(`::+|##\[`)

// Uncommanded breaks up commands with blanks.
func Uncommanded(s string) string {
	if !strings.Contains(s, "::") && !strings.Contains(s, "##[") { // nearly always
		return s
	}
	return Commands.ReplaceAllStringFunc(s, func(m string) string { return strings.Join(strings.Split(m, ""), " ") })
}

// MarkdownText makes a stranger's text fit to stand inside a line of GitHub Markdown as plain prose:
// it mentions nobody, links nowhere, formats nothing and opens no HTML, table cells included.
// GitHub looks for mentions, references and addresses after Markdown was parsed, so escapes do not
// stop them; a zero-width space does.
func MarkdownText(s string) string {
	s = Visible(s, ProseLength)
	s = Dissolve(s)
	s = punctuation.Replace(s)
	return leading.ReplaceAllString(s, `$1\$2`)
}

var (
	// leading finds what would begin a list, a rule or a heading's underline.
	leading = regexp.MustCompile(`^([0-9]*)([-+=.)]+(?:\s|$))`)

	punctuation = strings.NewReplacer(
		`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "{", `\{`, "}", `\}`, "[", `\[`, "]", `\]`,
		"#", `\#`, "~", `\~`, "$", `\$`, "!", `\!`, "^", `\^`,
		"&", "&amp;", "<", "&lt;", ">", "&gt;", "|", "&vert;",
	)

	// links finds what GitHub turns into links: after each match a zero-width space goes in.
	links = regexp.MustCompile(`(?i)[@#$:]|GH-|www|[0-9a-f]{6}`)
)

// Dissolve breaks up mentions, references, addresses, emoji names and commit hashes.
func Dissolve(s string) string {
	s = links.ReplaceAllStringFunc(s, func(m string) string { return m + ZeroWidthSpace })
	return strings.ReplaceAll(s, ":"+ZeroWidthSpace+" ", ": ") // an ordinary colon
}

// MarkdownCode puts a stranger's text into a code span that it cannot close.
func MarkdownCode(s string) string {
	s = Visible(s, FormulaLength)
	if s == "" {
		return "(nothing)"
	}
	fence := strings.Repeat("`", longestRun(s, '`')+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return fence + s + fence
}

// MarkdownCell is MarkdownCode inside a table, where a bar ends the cell even in a code span.
func MarkdownCell(s string) string {
	if strings.ContainsRune(s, '|') && strings.ContainsRune(s, '\\') {
		s = strings.ReplaceAll(s, "|", "¦") // \| would need the backslash that stands before it
	}
	return strings.ReplaceAll(MarkdownCode(s), "|", `\|`)
}

// FencedLines puts lines of a stranger, printable already, into a code block that they cannot close.
func FencedLines(lines ...string) string { return FencedAs("text", lines...) }

// FencedAs is fenced in a language that GitHub colours.
func FencedAs(language string, lines ...string) string {
	text := strings.Join(lines, "\n")
	fence := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	return fence + language + "\n" + text + "\n" + fence + "\n"
}

// Fenced puts text whose characters are printable already into a Markdown code block that it cannot close.
func Fenced(text string) string { return strings.TrimSuffix(FencedLines(text), "\n") }

// longestRun returns the length of the longest run of c in s.
func longestRun(s string, c rune) int {
	longest, run := 0, 0
	for _, r := range s {
		if r == c {
			run++
		} else {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

// Keywords are words that Mermaid takes for its own even inside a text.
var Keywords = regexp.MustCompile(`(?i)\b(end|direction|style|classdef|linkstyle|subgraph|click|default|loop|par|note)\b`)

// MermaidText makes a stranger's text fit for a label or a message of a Mermaid diagram: whatever is
// not a plain letter, digit, blank or one of "_.," becomes a character entity, and Mermaid's own
// words lose their first letter to one.
func MermaidText(s string) string { return MermaidEntities(Visible(s, LabelLength)) }

// MermaidEntities does so with a text that is visible already, and cuts nothing of it.
func MermaidEntities(s string) string {
	starts := map[int]bool{}
	for _, at := range Keywords.FindAllStringIndex(s, -1) {
		starts[at[0]] = true
	}
	var b strings.Builder
	for i, r := range s {
		if plain(r) && !starts[i] {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "#%d;", r)
		}
	}
	return b.String()
}

func plain(r rune) bool {
	return r == ' ' || r == '_' || r == '.' || r == ',' ||
		'0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z'
}

// DotText quotes lines of a stranger's text for DOT, where only the quote and the backslash mean anything.
func DotText(lines ...string) string {
	safe := make([]string, len(lines))
	for i, l := range lines {
		safe[i] = strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(Visible(l, LabelLength))
	}
	return `"` + strings.Join(safe, `\n`) + `"`
}

// Printable is visible without trimming.
func Printable(s string) string {
	if s == "" {
		return ""
	}
	return strings.TrimSuffix(strings.TrimPrefix(Visible("|"+s+"|", FormulaLength), "|"), "|")
}
