package engine_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestLibraryProgram builds and runs the program that the page on the library shows, where its contract lies.
func TestLibraryProgram(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../.github/docs/library.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?ms)^```go\n(.*?)^```$").FindAllStringSubmatch(string(page), -1)
	if len(blocks) != 1 {
		t.Fatalf("the page has %d programs", len(blocks))
	}
	text := blocks[0][1]
	file, program := filepath.Join(t.TempDir(), "main.go"), filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := exec.CommandContext(t.Context(), program)
	run.Dir = "../hclspec/examples"
	got, err := run.Output()
	if err != nil {
		t.Fatal(err)
	}
	_, want, _ := strings.Cut(text, "// Output:\n")
	want = strings.TrimSuffix(strings.ReplaceAll(want, "\t// ", ""), "}\n")
	if string(got) != want {
		t.Errorf("it prints\n%s, want\n%s", got, want)
	}
}
