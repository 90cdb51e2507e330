package engine_test

import (
	"context"
	"slices"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec/load"
)

// TestALimitSaysWhatWasNotLookedFor: where a limit ends the state model, every finding that there would be without it is there or of a code that is named
// as not looked for. Without a limit none is named.
func TestALimitSaysWhatWasNotLookedFor(t *testing.T) {
	draws.Only(t, 60)
	names := []string{"sale", "car-sale", "letter-of-credit", "sale-in-two-phases", "gas-supply", "meat-sale", "purchasers"}
	all := amendedExamples(t, names...)
	named := 0
	rapid.Check(t, func(t *rapid.T) {
		text := all[rapid.IntRange(0, len(all)-1).Draw(t, "mistake")].head
		most := rapid.IntRange(1, 30).Draw(t, "states")
		files := fstest.MapFS{}
		for name, src := range text {
			files[name] = &fstest.MapFile{Data: src}
		}
		src, err := load.Dir(files, ".", ".", nil)
		if err != nil {
			t.Fatal(err)
		}
		d := compile.Compile(src, ".", nil)
		whole := verify.Check(context.Background(), d, finding.Budget{})
		part := verify.Check(context.Background(), d, finding.Budget{Engine: finding.Explicit, States: most})
		if len(whole.Model.Unchecked) > 0 {
			t.Fatalf("without a limit not looked for: %v", whole.Model.Unchecked)
		}
		for _, d := range whole.Diagnostics {
			same := func(o finding.Diagnostic) bool { return o.Code == d.Code && o.Subject == d.Subject }
			if part.Model.Incomplete == "" || slices.ContainsFunc(part.Diagnostics, same) {
				continue
			}
			named++
			if !slices.Contains(part.Model.Unchecked, d.Code) {
				t.Fatalf("with %d states %s on %q is lost, and not among what was not looked for: %v", most, d.Code, d.Subject, part.Model.Unchecked)
			}
		}
	})
	if named < 10 {
		t.Errorf("only %d findings were not looked for", named)
	}
}
