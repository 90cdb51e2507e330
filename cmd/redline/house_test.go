package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// story is the order of the house: a package imports only packages above it.
var story = []string{
	"hclspec/codes", "hclspec/construct", "hclspec", "hclspec/diag", "hclspec/syntax", "hclspec/duration", "hclspec/expr", "hclspec/phase", "hclspec/format", "hclspec/load", "hclspec/settings", "hclspec/edit", "hclspec/gitfs", "hclspec/gitfs/gittest", "hclspec/examples", "hclspec/examples/corpus", "hclspec/published", "hclspec/clauses", "hclspec/spell", "hclspec/bpmn",
	"engine/halt", "engine/petri", "engine/ctl", "engine/phrase", "engine/dd", "engine/pnml", "engine/internal/draws", "engine/internal/mutants", "engine/internal/naive", "engine/internal/families",
	"engine/implications", "engine/reduce", "engine/structure", "engine/space", "engine/slice", "engine/zone", "engine/symbolic", "engine/symmetry", "engine/internal/testnets", "engine/rests", "engine/local", "engine/workflow", "engine/mcc",
	"engine/smv", "engine/delta", "engine/diff", "engine/product", "engine/ways", "engine/certificate/checker", "engine/certificate", "engine/finding", "engine/compile", "engine/explain", "engine/scenario", "engine/verify", "engine/imported", "engine/behaviour", "engine/compare", "engine/blame", "engine/negotiate", "engine/internal/testkit",
	"engine", "engine/conform", "engine/play",
	"report/layout", "report/escape", "report/words", "report/draw", "report/text", "report/markdown", "report/json", "report/ci", "report/schema", "report", "report/simulate", "report/page", "report/canonical", "report/result", "report/cache", "report/record", "report/record/log", "report/record/store", "report/history", "report/codeowners", "report/github", "report/github/githubtest", "report/review", "report/lsp",
	"cmd/redline/app", "cmd/redline/demo", "cmd/redline/convert", "cmd/redline/records", "cmd/redline/option", "cmd/redline/action", "cmd/redline", "cmd/sbom", "cmd/site", "cmd/skips",
}

const module = "github.com/redlinehq/redline/"

func TestImportsLookUpwards(t *testing.T) {
	seen := map[string]bool{}
	err := filepath.WalkDir("../..", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		pkg := path.Dir(filepath.ToSlash(strings.TrimPrefix(name, filepath.FromSlash("../../"))))
		at := slices.Index(story, pkg)
		if at < 0 {
			t.Errorf("%s is in no room of the house", name)
			return nil
		}
		seen[pkg] = true
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, i := range file.Imports {
			imported, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return err
			}
			if own, ok := strings.CutPrefix(imported, module); ok && slices.Index(story, own) >= at {
				t.Errorf("%s imports %s, which stands below it", name, own)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, pkg := range story {
		if !seen[pkg] {
			t.Errorf("there is no package %s", pkg)
		}
	}
}
