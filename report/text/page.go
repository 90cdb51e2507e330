package text

import "strings"

// Markdown writes our own Markdown as plain text: paragraphs and lists wrapped, and fenced blocks indented as they are.
func (p *Page) Markdown(source string) {
	p.blank()
	var paragraph []string
	flush := func() {
		lead := ""
		if len(paragraph) > 0 && strings.HasPrefix(paragraph[0], "- ") {
			lead, paragraph[0] = "- ", paragraph[0][2:]
		}
		if len(paragraph) > 0 {
			p.put(0, noColor, lead, strings.Join(paragraph, " "))
		}
		paragraph = nil
	}
	fenced := false
	for line := range strings.Lines(source) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "```"):
			flush()
			fenced = !fenced
		case fenced:
			p.WriteString(strings.TrimRight("    "+line, " ") + "\n")
		case line == "":
			flush()
			p.blank()
		case strings.HasPrefix(line, "- "):
			flush()
			paragraph = []string{line}
		default:
			paragraph = append(paragraph, line)
		}
	}
	flush()
}
