package load

import (
	"os"
	"strings"
	"testing"

	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/hclspec/construct"
	"github.com/redlinehq/redline/hclspec/expr"
)

// Every example of the language reference loads, or makes the mistake its fence names and no other.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	examples := fence.FindAllStringSubmatch(string(text), -1)
	if want := strings.Count(string(text), "```hcl"); len(examples) != want || want < 20 {
		t.Fatalf("found %d of %d examples", len(examples), want)
	}
	for _, e := range examples {
		if strings.TrimSpace(e[1]) == "settings" { // hclspec/settings reads those
			continue
		}
		want, bad := strings.CutPrefix(strings.TrimSpace(e[1]), "error=")
		src := loadText(t, complete(e[2]))
		got := codesOf(src)
		if bad && (len(got) != 1 || got[0] != codes.Code(want)) {
			t.Errorf("%s\ngives %v, want %s", e[2], got, want)
		}
		if !bad && src.Contract == nil {
			t.Errorf("%s\n%s", e[2], render(src))
		}
	}
}

// The reference names every block, every attribute and every function.
func TestReadmeIsComplete(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	words := expr.FunctionNames()
	for block, s := range construct.Blocks {
		if !strings.Contains(string(text), "# "+block+"\n") {
			t.Errorf("no section on %s", block)
		}
		words = append(words, s.Attributes...)
	}
	for _, w := range words {
		if !strings.Contains(string(text), "`"+w+"`") {
			t.Errorf("nothing on %s", w)
		}
	}
	for _, c := range codes.All() {
		if page, _ := codes.Lookup(c); page.Class != codes.Error && !strings.Contains(string(text), "`"+string(c)+"` | "+string(page.Class)) {
			t.Errorf("%s is missing among the checks, or in another class", c)
		}
	}
}
