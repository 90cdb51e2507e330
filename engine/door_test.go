package engine_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/expr"
)

// TestCheckNothing: a tree without a contract is an error, so that nobody takes a misspelt name for a clean result.
func TestCheckNothing(t *testing.T) {
	t.Parallel()
	_, err := engine.Check(context.Background(), engine.Tree{FS: fstest.MapFS{"a/notes.txt": {}}, Root: "a"}, finding.Budget{})
	if err == nil || !strings.Contains(err.Error(), "under a:") {
		t.Error(err)
	}
}

// TestReviewOfNothing: a contract may be new, or gone.
func TestReviewOfNothing(t *testing.T) {
	t.Parallel()
	none := engine.Tree{FS: fstest.MapFS{}}
	for want, sides := range map[finding.Status][2]engine.Tree{finding.Added: {none, delivery("")}, finding.Removed: {delivery(""), none}} {
		r, err := engine.Review(context.Background(), sides[0], sides[1], finding.Budget{})
		if err != nil || len(r.Contracts) != 1 || r.Contracts[0].Status != want {
			t.Errorf("want %v, got %v, %v", want, r, err)
		}
	}
}

// TestReviewOfValues: the same text with another value is another contract.
func TestReviewOfValues(t *testing.T) {
	t.Parallel()
	tree := func(given string) engine.Tree {
		return engine.Tree{FS: fstest.MapFS{"a.contract.hcl": {Data: []byte(`
contract "lamp" {}
variable "wanted" { type = string }
party "p" {
  state "on" {}
  state "off" {}
  transition "t" {
    from = on
    to   = off
  }
}
requirement "r" { ctl = "EF p.${var.wanted}" }
requirement "s" { ctl = "AG !p.${var.wanted}" }
`)}}, Values: expr.Values{"wanted": {Text: given, From: "the test"}}}
	}
	r, err := engine.Review(context.Background(), tree("on"), tree("off"), finding.Budget{})
	if err != nil || r.Contracts[0].Status != finding.Changed {
		t.Error(r, err)
	}
}

// TestReviewTakesNoWord: a waiver that the amendment brings does not count, and one that base has does.
func TestReviewTakesNoWord(t *testing.T) {
	t.Parallel()
	tree := func(from, waiver string) engine.Tree {
		return engine.Tree{FS: fstest.MapFS{"a.contract.hcl": {Data: []byte(`
contract "lamp" {}
party "p" {
  state "on" {}
  state "off" {}
  transition "t" {
    from = ` + from + `
    to   = off
  }
}
requirement "r" {
  ctl = "AF p.off"
` + waiver + "\n}\n")}}}
	}
	results, err := engine.Check(context.Background(), tree("off", ""), finding.Budget{})
	if err != nil {
		t.Fatal(err)
	}
	waiver := "waiver {\n reason = \"x\"\n approver = \"y\"\n run = \"" + results[0].Requirements[0].Run + "\"\n}"
	for _, c := range []struct {
		base engine.Tree
		want finding.ExitStatus
	}{{tree("on", ""), finding.Violations}, {tree("off", waiver), finding.Clean}} {
		r, err := engine.Review(context.Background(), c.base, tree("off", waiver), finding.Budget{})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Gate(finding.FailNew); got != c.want {
			t.Errorf("exit status %d, want %d", got, c.want)
		}
	}
}
