package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/hclspec/published"
)

func unescape(s string) string { return strings.ReplaceAll(s, `\n`, "\n") }

func replaceOnce(ts *testscript.TestScript, name, old, text string) {
	raw, err := os.ReadFile(name)
	ts.Check(err)
	if n := strings.Count(string(raw), old); n != 1 {
		ts.Fatalf("%s: %q stands there %d times", name, old, n)
	}
	ts.Check(os.WriteFile(name, []byte(strings.Replace(string(raw), old, text, 1)), 0o666))
}

// amend NAME DIR makes an amendment of examples.Amendments or published.Amendments in the directory of its contract.
func amend(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: amend NAME DIR")
	}
	all := slices.Concat(examples.Amendments, published.Amendments)
	i := slices.IndexFunc(all, func(a examples.Amendment) bool { return a.Name == args[0] })
	if i < 0 {
		ts.Fatalf("no amendment has the name %s", args[0])
	}
	for _, e := range all[i].Edits {
		replaceOnce(ts, ts.MkAbs(filepath.Join(args[1], e.File)), e.Old, e.New)
	}
}
