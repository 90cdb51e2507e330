package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// titles are what strangers write where a title may stand, as HCL has it.
var titles = []string{
	`@octocat and @org/team`, `see #12, GH-12 and octo/repo#5`, `https://evil.example/x and www.evil.example`, "```", "````text", `~~~`,
	`<script>alert(1)</script>`, `</details></table>`, `<!-- x`, `-->`, `<img src=x onerror=y>`, `::set-output name=status::clean`, `::add-mask::a`,
	`\n::error::pwned`, `\r\n::stop-commands::x`, `##[error]pwned`, `a|b|c`, `[x](https://evil.example)`, `![x](https://evil.example/x.png)`,
	`%%{init: {}}%%`, `end`, `direction TB`, `participant x as y`, `\"];n9[\"x`, `click n0 href`, `<!-- redline:summary v1 head=x run=9 -->`, `$x$`, "`a`", `_GitHubActionsFileCommandDelimeter_`,
}

// A title of every state, transition, event and promise of the sale that a stranger can think of, and no title at all that hclspec refuses.
func hostileSale(seller string, title func(i int) string) error {
	if err := addWithdrawal(seller); err != nil {
		return err
	}
	n := 0
	for _, name := range []string{seller, strings.Replace(seller, "seller.contract", "purchaser.contract", 1), strings.Replace(seller, "seller.contract", "sale.contract", 1)} {
		raw, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		text := titled.ReplaceAllStringFunc(string(raw), func(m string) string {
			n++
			return titled.FindStringSubmatch(m)[1] + `"` + title(n) + `"`
		})
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

var titled = regexp.MustCompile(`(title *= )"[^"]*"`)

// mentions finds what GitHub would act upon outside of code.
var mentions = regexp.MustCompile("@octocat|@org|GH-12|https://evil|www\\.evil|<script|<img|!\\[x\\]|\\]\\(https://evil|```text\n@")

// Whatever the titles are, they are words in the log, the summary, the outputs and the comments, and command nobody.
func TestHostileTitles(t *testing.T) {
	p := open(t, func(seller string) error {
		return hostileSale(seller, func(i int) string { return titles[i%len(titles)] })
	})
	h, env := p.hub("acme/deals", "pull-requests: write", "checks: write", "statuses: write")
	got := p.run(p.merge, "pull_request", payloadFrom(p, "acme/deals"), append(env, "INPUT_CHECK_RUN", "true", "INPUT_STATUS", "true", "INPUT_SARIF", "r.sarif")...)
	if got.status != 1 {
		t.Errorf("exit status %d\n%s", got.status, got.log)
	}
	if line := obeyed(got.log); line != "" {
		t.Errorf("the log obeys a stranger: %q", line)
	}
	for line := range strings.Lines(got.log) {
		if strings.HasPrefix(line, "::error") && !strings.HasPrefix(line, "::error col=") && !strings.HasPrefix(line, "::error endLine=") && !strings.HasPrefix(line, "::error file=") {
			t.Errorf("annotation %q", line)
		}
	}
	said := map[string]string{"summary": got.summary}
	for i, c := range h.Comments(7) {
		said[fmt.Sprint("comment ", i)] = c.Body
	}
	for i, c := range h.ReviewComments(7) {
		said[fmt.Sprint("remark ", i)] = c.Body
	}
	if len(said) < 3 {
		t.Errorf("only %d texts", len(said))
	}
	for where, text := range said {
		if found := mentions.FindString(outsideCode(text)); found != "" {
			t.Errorf("the %s shows %q", where, found)
		}
		if strings.Count(text, "<details") != strings.Count(text, "</details>") || strings.Count(text, "\n```")%2 != 0 || strings.Contains(text, "\n::") {
			t.Errorf("the %s is broken open:\n%s", where, text)
		}
	}
	if !strings.Contains(got.output, "\nviolations\n") || strings.Contains(got.output, "octocat") {
		t.Errorf("outputs %s", got.output)
	}
}

// outsideCode leaves out fenced blocks: what stands there is shown letter for letter.
func outsideCode(markdown string) string {
	var b strings.Builder
	fence := ""
	for line := range strings.Lines(markdown) {
		marks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case fence == "" && len(marks) >= 3:
			fence = marks
		case fence != "" && strings.TrimSpace(line) == fence:
			fence = ""
		case fence == "":
			b.WriteString(line)
		}
	}
	return b.String()
}

// A text may have 64 KiB, and is cut wherever it is shown; a title of a megabyte is a mistake, whether or not its file is one, too.
func TestVastTitles(t *testing.T) {
	for size, status := range map[int]int{60_000: 1, 900_000: 2, 1 << 20: 2} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			p := open(t, func(seller string) error {
				return hostileSale(seller, func(i int) string {
					return strings.Repeat("@octocat ", map[bool]int{true: size / 9}[i%4 == 2 && (size < 1<<16 || i%12 == 2)]) + "x"
				})
			})
			h, env := p.hub("acme/deals", "pull-requests: write")
			got := p.run(p.merge, "pull_request", payloadFrom(p, "acme/deals"), env...)
			if got.status != status {
				t.Errorf("exit status %d, want %d\n%.3000s", got.status, status, got.log)
			}
			if len(got.log) > 100_000 || len(got.summary) > 200_000 {
				t.Errorf("a log of %d bytes, a summary of %d", len(got.log), len(got.summary))
			}
			comments := h.Comments(7)
			if len(comments) != 1 || len(comments[0].Body) > 65_536 || strings.Contains(outsideCode(comments[0].Body), "@octocat") {
				t.Errorf("%d comments", len(comments))
			}
			for line := range strings.Lines(got.log) {
				if strings.HasPrefix(line, "::error") && len(line) > 6_000 {
					t.Errorf("an annotation of %d bytes", len(line))
				}
			}
		})
	}
}
