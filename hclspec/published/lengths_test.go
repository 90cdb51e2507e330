package published_test

import (
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/examples/corpus"
	"github.com/redlinehq/redline/hclspec/published"
)

// TestLengthsOfThePublished: the table of lengths says how many blocks and attributes the contracts have and, where the first models are at hand, had.
func TestLengthsOfThePublished(t *testing.T) {
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	dirs, err := fs.ReadDir(published.FS, ".")
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, dir := range dirs {
		if !dir.IsDir() {
			continue
		}
		tried++
		blocks, attributes := lengths(t, published.FS, dir.Name())
		at := slices.IndexFunc(strings.Split(string(page), "\n"), func(line string) bool { return strings.HasPrefix(line, "| "+dir.Name()+" |") })
		if at < 0 {
			t.Errorf("no row for %s", dir.Name())
			continue
		}
		var before, then [2]int
		line := strings.Split(string(page), "\n")[at]
		if n, err := fmt.Sscanf(line, "| "+dir.Name()+" | %d, now %d | %d, now %d |", &before[0], &then[0], &before[1], &then[1]); n < 4 {
			t.Errorf("%s: %v", line, err)
		} else if then != [2]int{blocks, attributes} {
			t.Errorf("%s, but there are %d and %d", line, blocks, attributes)
		}
		if first := "corpus/contracts/" + dir.Name(); corpus.Has(first) {
			if blocks, attributes := lengths(t, os.DirFS(corpus.Path(first)), "."); before != [2]int{blocks, attributes} {
				t.Errorf("%s, but it had %d and %d", line, blocks, attributes)
			}
		}
	}
	if tried < 6 {
		t.Errorf("only %d contracts", tried)
	}
}

// lengths counts the blocks and attributes of a contract, but for what is said to readers, and what is asked of it.
func lengths(t *testing.T, fsys fs.FS, dir string) (blocks, attributes int) {
	t.Helper()
	var count func(*hclsyntax.Body)
	count = func(body *hclsyntax.Body) {
		for name := range body.Attributes {
			if !slices.Contains([]string{"title", "description", "clause"}, name) {
				attributes++
			}
		}
		for _, b := range body.Blocks {
			if !slices.Contains([]string{"requirement", "scenario", "accept"}, b.Type) {
				blocks++
				count(b.Body)
			}
		}
	}
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !hclspec.IsContractFile(e.Name()) {
			continue
		}
		text, err := fs.ReadFile(fsys, strings.TrimPrefix(dir+"/"+e.Name(), "./"))
		if err != nil {
			t.Fatal(err)
		}
		file, diags := hclsyntax.ParseConfig(text, e.Name(), hcl.InitialPos)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		count(file.Body.(*hclsyntax.Body))
	}
	return blocks, attributes
}
