package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/redlinehq/redline/hclspec/examples"
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

// amend NAME DIR makes an amendment of examples.Amendments in the directory of its example.
func amend(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: amend NAME DIR")
	}
	i := slices.IndexFunc(examples.Amendments, func(a examples.Amendment) bool { return a.Name == args[0] })
	if i < 0 {
		ts.Fatalf("no amendment has the name %s", args[0])
	}
	for _, e := range examples.Amendments[i].Edits {
		replaceOnce(ts, ts.MkAbs(filepath.Join(args[1], e.File)), e.Old, e.New)
	}
}
