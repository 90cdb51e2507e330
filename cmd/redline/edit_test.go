package main

import (
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
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
