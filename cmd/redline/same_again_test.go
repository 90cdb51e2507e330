package main

import (
	"bytes"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
)

// TestTenRunsSayTheSame: the same bytes each time, whichever method is tried beside another, and whatever runs side by side.
func TestTenRunsSayTheSame(t *testing.T) {
	t.Chdir(t.TempDir())
	said := func(args ...string) string {
		var out, wrong bytes.Buffer
		if status := Main(args, streams{nil, &out, &wrong}); status == int(finding.BadInput) {
			t.Fatalf("%q: exit status %d\n%s", args, status, &wrong)
		}
		return out.String()
	}
	for _, name := range []string{"sale", "purchasers", "letter-of-credit"} {
		said("init", "--example", name, name)
	}
	for _, args := range [][]string{
		{"check", "--format", "json", "sale", "purchasers", "letter-of-credit"},
		{"check", "--format", "json", "--var", "n=4", "--max-states", "100", "purchasers"}, // one by one, then diagrams
		{"check", "--format", "json", "--var", "n=4", "--engine", "local", "purchasers"},
		{"demo", "--format", "json"},
		{"demo", "--compare", "--format", "json"},
	} {
		first := said(args...)
		for range 9 {
			if said(args...) != first {
				t.Fatalf("redline %q says something else", args)
			}
		}
	}
}
