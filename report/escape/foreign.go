package escape

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits on how much of a foreign text is shown, in characters. "…" replaces the rest.
const (
	NameLength    = 120
	ProseLength   = 1200 // a remark of several sentences, each of which names what a drafter called it
	FormulaLength = 2000
	LabelLength   = 80 // in pictures
)

// ZeroWidthSpace separates characters without being visible.
const ZeroWidthSpace = "\u200b"

// stacked is the number of combining marks in a row that are shown. More would paint over other lines.
const stacked = 4

// Visible makes one line of printable characters of s, of at most limit characters. A line break becomes ⏎. Control, bidirectional and
// other invisible characters become escapes such as \u202e.
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

// escape returns a visible text for the rune r, whose encoding is raw.
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

// TerminalText makes a foreign text safe to print in a terminal or a workflow log: one line, no control characters, no workflow command, at
// most 600 characters.
func TerminalText(s string) string { return Uncommanded(Visible(s, ProseLength)) }

// Commands matches what GitHub's runner may take for the beginning of a command: "::", which it obeys at the start of a line only, and
// "##[", which it obeys anywhere (actions/runner, ActionCommand.cs).
var Commands = regexp.MustCompile(`::+|##\[`)

// Uncommanded breaks workflow commands up with blanks.
func Uncommanded(s string) string {
	if !strings.Contains(s, "::") && !strings.Contains(s, "##[") { // nearly always
		return s
	}
	return Commands.ReplaceAllStringFunc(s, func(m string) string { return strings.Join(strings.Split(m, ""), " ") })
}

// MarkdownText makes a foreign text safe inside a line of GitHub Markdown: it is plain prose that mentions no user, makes no link, formats
// nothing and opens no HTML. It may be used in table cells. GitHub looks for mentions, references and addresses after it has parsed
// Markdown, so escapes do not stop them; a zero-width space does.
func MarkdownText(s string) string {
	s = Visible(s, ProseLength)
	s = DefuseReferences(s)
	s = punctuation.Replace(s)
	return leading.ReplaceAllString(s, `$1\$2`)
}

var (
	// leading matches what would begin a list, a rule or the underline of a heading.
	leading = regexp.MustCompile(`^([0-9]*)([-+=.)]+(?:\s|$))`)

	punctuation = strings.NewReplacer(
		`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "{", `\{`, "}", `\}`, "[", `\[`, "]", `\]`,
		"#", `\#`, "~", `\~`, "$", `\$`, "!", `\!`, "^", `\^`,
		"&", "&amp;", "<", "&lt;", ">", "&gt;", "|", "&vert;",
	)

	// links matches the beginnings of what GitHub turns into links. A zero-width space goes after each match.
	links = regexp.MustCompile(`(?i)[@#$:]|GH-|www|[0-9a-f]{6}`)
)

// DefuseReferences breaks up mentions, references, addresses, emoji names and commit hashes.
func DefuseReferences(s string) string {
	s = links.ReplaceAllStringFunc(s, func(m string) string { return m + ZeroWidthSpace })
	return strings.ReplaceAll(s, ":"+ZeroWidthSpace+" ", ": ") // an ordinary colon
}

// HTMLText is MarkdownText for the text of an element of HTML within Markdown, such as a summary, where Markdown means nothing.
func HTMLText(s string) string { return entities.Replace(DefuseReferences(Visible(s, ProseLength))) }

// HTMLCode puts a foreign name into a code element, where GitHub looks for no references.
func HTMLCode(s string) string {
	return "<code>" + entities.Replace(Visible(s, NameLength)) + "</code>"
}

// entities escapes what has a meaning in the text of HTML.
var entities = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// MarkdownCode puts a foreign text into a code span that it cannot close.
func MarkdownCode(s string) string {
	s = Visible(s, FormulaLength)
	if s == "" {
		return "(nothing)"
	}
	fence := strings.Repeat("`", longestRun(s)+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return fence + s + fence
}

// MarkdownCell is MarkdownCode for a table cell, which a bar ends even in a code span.
func MarkdownCell(s string) string {
	if strings.ContainsRune(s, '|') && strings.ContainsRune(s, '\\') {
		s = strings.ReplaceAll(s, "|", "¦") // \| would need the backslash before it
	}
	return strings.ReplaceAll(MarkdownCode(s), "|", `\|`)
}

// FencedLines puts foreign lines, which must be printable, into a code block that they cannot close.
func FencedLines(lines ...string) string { return FencedAs("text", lines...) }

// FencedAs is FencedLines for a language that GitHub colours.
func FencedAs(language string, lines ...string) string {
	text := strings.Join(lines, "\n")
	fence := strings.Repeat("`", max(3, longestRun(text)+1))
	return fence + language + "\n" + text + "\n" + fence + "\n"
}

// Fenced puts a foreign text, which must be printable, into a code block that it cannot close. The result has no final newline.
func Fenced(text string) string { return strings.TrimSuffix(FencedLines(text), "\n") }

// longestRun returns the length of the longest run of backquotes in s.
func longestRun(s string) int {
	longest, run := 0, 0
	for _, r := range s {
		if r == '`' {
			run++
		} else {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

// Keywords matches words that Mermaid treats as its own even inside a text.
var Keywords = regexp.MustCompile(`(?i)\b(end|direction|style|classdef|linkstyle|subgraph|click|default|loop|par|note)\b`)

// MermaidText makes a foreign text safe in a label or message of a Mermaid diagram. Every character becomes an entity unless it is a plain
// letter, a digit, a blank or one of "_.,". The first letter of each of Mermaid's own words becomes an entity, too. A space without width
// parts two dollar signs, since Mermaid draws what is between two such pairs in a node as a formula.
func MermaidText(s string) string { return MermaidEntities(Visible(s, LabelLength)) }

// MermaidEntities replaces the same characters by entities as MermaidText, in a text that is printable already. It does not shorten it.
func MermaidEntities(s string) string {
	starts := map[int]bool{}
	for _, at := range Keywords.FindAllStringIndex(s, -1) {
		starts[at[0]] = true
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case plain(r) && !starts[i]:
			b.WriteRune(r)
		case r == '$' && strings.HasPrefix(s[i+1:], "$"):
			fmt.Fprintf(&b, "#%d;#8203;", r)
		default:
			fmt.Fprintf(&b, "#%d;", r)
		}
	}
	return b.String()
}

// plain reports whether Mermaid takes a character as it is.
func plain(r rune) bool {
	return r == ' ' || r == '_' || r == '.' || r == ',' ||
		'0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z'
}

// DotText quotes foreign lines for DOT, where only the quotation mark and the backslash have a meaning.
func DotText(lines ...string) string {
	safe := make([]string, len(lines))
	for i, l := range lines {
		safe[i] = strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(Visible(l, LabelLength))
	}
	return `"` + strings.Join(safe, `\n`) + `"`
}

// Printable is Visible with the limit of formulas. It keeps blanks at both ends.
func Printable(s string) string {
	if s == "" {
		return ""
	}
	return strings.TrimSuffix(strings.TrimPrefix(Visible("|"+s+"|", FormulaLength), "|"), "|")
}
