package blame_test

import (
	"context"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/verify"
	texts "github.com/redlinehq/redline/hclspec/edit"
	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/hclspec/load"
)

// slip is something that may be lost or altered in one edit: an attribute of a line, the target of a
// transition, a whole transition or event.
var slips = []struct {
	what *regexp.Regexp
	with []string
}{
	{regexp.MustCompile(`(?m)^ +(when|set) .*\n`), []string{""}},
	{regexp.MustCompile(`(?m)^    (from|to  ) += (\w)\d$`), []string{"    $1 = ${2}0", "    $1 = ${2}1", "    $1 = ${2}2", "    $1 = ${2}3"}},
	{regexp.MustCompile(`= (true|false) `), []string{"= true ", "= false "}},
	{regexp.MustCompile(`(?ms)^(  )?(event|transition) "\w+" \{\n.*?\n(  )?\}\n`), []string{""}},
	{regexp.MustCompile(`(?m)^  transition "take" \{`), []string{"  transition \"grab\" {\n    from = P1\n    to = P3\n  }\n$0", "  transition \"cancel\" {\n    from = P1\n    to = P0\n  }\n$0"}},
	{regexp.MustCompile(`(?m)^  transition "end" \{`), []string{"  transition \"withdraw\" {\n    from = S2\n    to = S0\n    set = { GAV = false }\n  }\n$0"}},
}

// slipped makes some slips in a text.
func slipped(t *rapid.T, base texts.Text) texts.Text {
	head := texts.Text{}
	for name, src := range base {
		head[name] = src
	}
	names := []string{"purchaser.contract.hcl", "sale.contract.hcl", "seller.contract.hcl"}
	for range rapid.IntRange(2, 6).Draw(t, "slips") {
		name := rapid.SampledFrom(names).Draw(t, "file")
		slip := rapid.SampledFrom(slips).Draw(t, "slip")
		places := slip.what.FindAllSubmatchIndex(head[name], -1)
		if len(places) == 0 {
			continue
		}
		at := rapid.SampledFrom(places).Draw(t, "place")
		with := slip.what.Expand(nil, []byte(rapid.SampledFrom(slip.with).Draw(t, "with")), head[name], at)
		head[name] = slices.Concat(head[name][:at[0]], with, head[name][at[1]:])
	}
	return head
}

func textDraft(text texts.Text) *compile.Draft {
	return compile.Compile(load.Text(text, "x", nil), "x", nil)
}

// TestBlameAgainstChecks holds blame to its words, by checking texts in between in full: what is to blame
// brings the violation about, and where it is the smallest no fewer blocks do, however they are changed.
func TestBlameAgainstChecks(t *testing.T) {
	draws.Only(t, 30)
	base := texts.Text{}
	for _, name := range []string{"purchaser.contract.hcl", "sale.contract.hcl", "seller.contract.hcl"} {
		src, err := fs.ReadFile(examples.FS, path.Join("sale", name))
		if err != nil {
			t.Fatal(err)
		}
		base[name] = src
	}
	was := textDraft(base)
	rapid.Check(t, func(t *rapid.T) {
		head := slipped(t, base)
		now := textDraft(head)
		if now.Spec == nil || now.Digest == was.Digest {
			return
		}
		c := blame.Compare(context.Background(), was, now, finding.Budget{Jobs: 2, Engine: drawEngine(t)})
		diff, err := texts.Compare(base, head)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range c.Findings {
			if f.Kind != finding.New {
				continue
			}
			if len(f.Blame.Blocks) == 0 || len(f.Repairs) == 0 {
				t.Fatalf("%s: nothing is to blame, or nothing helps: %+v", f.Name, f)
			}
			if f.Head != nil {
				judge(t, diff, &f)
			}
		}
	})
}

// drawEngine draws on what texts in between are checked: on listed states or on decision diagrams.
func drawEngine(t *rapid.T) finding.Engine {
	return rapid.SampledFrom([]finding.Engine{finding.Explicit, finding.Symbolic}).Draw(t, "engine")
}

// judge holds the guilt of one finding to checks of texts in between.
func judge(t *rapid.T, diff *texts.Difference, f *finding.Finding) {
	blocks := map[string][]int{}
	var made []bool
	for i, c := range diff.Changes {
		blocks[c.Block()] = append(blocks[c.Block()], i)
		made = append(made, slices.ContainsFunc(f.Blame.Blocks, func(b finding.Block) bool {
			return b.Name == c.Block() && (b.Terms == nil || slices.Contains(b.Terms, c.Attribute))
		}))
	}
	if !breaks(diff.Apply(made), f.Name) {
		t.Fatalf("%s: not guilty: %+v", f.Name, f.Blame.Blocks)
	}
	if len(diff.Changes) > 8 || !f.Blame.Smallest {
		return
	}
	for chosen := range 1 << len(diff.Changes) {
		some, names := make([]bool, len(diff.Changes)), map[string]bool{}
		for i := range some {
			if some[i] = chosen>>i&1 == 1; some[i] {
				names[diff.Changes[i].Block()] = true
			}
		}
		if len(names) < len(f.Blame.Blocks) && breaks(diff.Apply(some), f.Name) {
			t.Fatalf("%s: %v are fewer than %+v", f.Name, names, f.Blame.Blocks)
		}
	}
}

// breaks reports whether a text breaks a promise.
func breaks(text texts.Text, promise string) bool {
	d := textDraft(text)
	for _, q := range verify.Check(context.Background(), d, finding.Budget{Jobs: 1}).Requirements {
		if q.Name == promise {
			return q.Verdict == finding.Violated
		}
	}
	return false
}
