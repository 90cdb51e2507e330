package review

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// What a pull request looks like, as a reader meets it: the comment, and the remarks with their places.
func TestCommentsGolden(t *testing.T) {
	var got txtar.Archive
	show := func(name string, c conversation) {
		got.Files = append(got.Files, txtar.File{Name: name, Data: []byte(shown(c))})
	}
	plain, broken := sale(t), sale(t, withdraw)
	now := there(plain, broken, sha1st)
	first := telling(t, plain, broken, sha1st, 1)
	first.Talk.Suggestions = true
	c := DraftComments(first, now)
	show("a new violation", c)
	now = done(now, c)

	settled := sale(t, promise2)
	now = moved(now, plain, settled, sha2nd)
	c = DraftComments(telling(t, plain, settled, sha2nd, 2), now)
	show("which is taken back", c)
	now = done(now, c)

	now = moved(now, plain, broken, sha3rd)
	show("and comes back", DraftComments(telling(t, plain, broken, sha3rd, 3), now))

	show("a repair", DraftComments(telling(t, broken, plain, sha1st, 1), there(broken, plain, sha1st)))
	weak := sale(t, withdraw, reword)
	show("a weakened requirement", DraftComments(telling(t, plain, weak, sha1st, 1), there(plain, weak, sha1st)))
	show("nothing to object to", DraftComments(telling(t, plain, settled, sha1st, 1), there(plain, settled, sha1st)))
	show("nothing to say", DraftComments(telling(t, plain, sale(t, remarked), sha1st, 1), there(plain, sale(t, remarked), sha1st)))

	relayed := telling(t, plain, settled, sha1st, 1)
	relayed.Relayed, relayed.Notices = true, []string{"The settings in the pull request differ; they take effect once they are merged."}
	show("from a fork, with a notice", DraftComments(relayed, there(plain, settled, sha1st)))

	const file = "testdata/comments.txtar"
	if *update {
		if err := os.WriteFile(file, txtar.Format(&got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(txtar.Format(&got)) != string(want) {
		t.Errorf("run with -update and read the difference; got:\n%s", txtar.Format(&got))
	}
}

func shown(c conversation) string {
	var b strings.Builder
	switch {
	case c.Summary.Body == "":
		b.WriteString("[no summary comment]\n")
	case c.Summary.id == 0:
		b.WriteString("[summary comment]\n" + c.Summary.Body)
	default:
		b.WriteString("[summary comment, edited]\n" + c.Summary.Body)
	}
	for _, r := range c.Create {
		fmt.Fprintf(&b, "[remark at %s:%d-%d]\n%s", r.At.Path, r.At.StartLine, r.At.Line, r.At.Body)
	}
	for _, e := range c.change {
		fmt.Fprintf(&b, "[remark edited; resolve %v, reopen %v]\n%s", e.resolve, e.reopen, e.body)
	}
	return folded(b.String())
}

// folded leaves out what a reader does not see at first, and pictures: package report has goldens of these.
func folded(text string) string {
	var b strings.Builder
	depth, fence := 0, ""
	var open []bool // of the folds around a line, which are unfolded
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "</details>"):
			if !open[len(open)-1] {
				depth--
			}
			open = open[:len(open)-1]
		case fence != "" && line == "```\n":
			fence = ""
		}
		if depth == 0 && fence == "" {
			b.WriteString(line)
		}
		switch {
		case strings.HasPrefix(line, "<details"):
			unfolded := strings.HasPrefix(line, "<details open>")
			if open = append(open, unfolded); !unfolded {
				depth++
			}
		case fence == "" && (line == "```mermaid\n" || line == "```diff\n"):
			fence = line
		}
	}
	return b.String()
}
