package compile_test

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/hclspec/examples"
)

const reminders = `contract "c" {}
party "s" {
  state "open" {}
  state "closed" { since = lapse }
}
party "b" {}
event "order" { by = b }
event "lapse" { after = { order = 2 } }
event "warning" {
  after      = { order = 2 }
  only_while = s.open
}
event "delivery" { by = s }
`

// Of what is due at once, what is declared first happens first. So a block that is moved can change the net; SameNet said that it never does.
func TestWhatIsDueFirstIsOfTheNet(t *testing.T) {
	for _, c := range []struct {
		moved string
		same  bool
	}{{"event \"lapse\" { after = { order = 2 } }\n", false}, {"event \"delivery\" { by = s }\n", true}} {
		head := strings.Replace(reminders, c.moved, "", 1) + c.moved
		if c.same {
			head = c.moved + strings.Replace(reminders, c.moved, "", 1)
		}
		if got := compile.SameNet(testkit.DraftOf(t, reminders), testkit.DraftOf(t, head)); got != c.same {
			t.Errorf("%s moved: the same net: %t", c.moved, got)
		}
	}
}

// TestSameNetWhateverTheOrder: wherever SameNet holds of an example with all its blocks the other way round, the nets are equal up to the order of
// places and transitions.
func TestSameNetWhateverTheOrder(t *testing.T) {
	names, err := fs.ReadDir(examples.FS, ".")
	if err != nil {
		t.Fatal(err)
	}
	same := 0
	for _, name := range names {
		if !name.IsDir() || name.Name() == "nets" {
			continue
		}
		text := testkit.ExampleText(t, name.Name())
		var all []byte
		for _, file := range slices.Sorted(maps.Keys(text)) {
			if strings.HasSuffix(file, ".contract.hcl") {
				all = append(append(all, text[file]...), '\n')
			}
		}
		base, head := testkit.DraftOf(t, string(all)), testkit.DraftOf(t, string(reversed(t, all)))
		if compile.SameNet(base, head) {
			same++
			if a, b := netText(base), netText(head); a != b {
				t.Errorf("%s: not the same net\n%s\n\n%s", name.Name(), a, b)
			}
		}
	}
	if same == 0 || same == len(names) {
		t.Errorf("of %d examples %d are the same either way", len(names), same)
	}
}

// reversed returns a contract with its blocks in reverse order.
func reversed(t *testing.T, text []byte) (out []byte) {
	file, diags := hclsyntax.ParseConfig(text, "c.contract.hcl", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	for _, b := range slices.Backward(file.Body.(*hclsyntax.Body).Blocks) {
		out = append(append(out, text[b.TypeRange.Start.Byte:b.CloseBraceRange.End.Byte]...), '\n')
	}
	return out
}

// netText renders a composed net without the order of its places and transitions.
func netText(d *compile.Draft) string {
	named := func(list []int) (all []string) {
		for _, p := range list {
			all = append(all, fmt.Sprint(d.Net.Places[p]))
		}
		slices.Sort(all)
		return all
	}
	lines := []string{fmt.Sprintf("initial %q", named(d.Net.Initial))}
	for _, t := range d.Net.Transitions {
		line := fmt.Sprintf("%s %t %q %q %q", t.Name, t.Moving, named(t.In), named(t.Out), named(t.Read))
		var moves []string // of the moves from a place, the first that applies happens
		for _, m := range t.Moves {
			moves = append(moves, fmt.Sprintf("%q", append(named([]int{m.From}), append(named(m.If), named([]int{m.To})...)...)))
		}
		slices.Sort(moves)
		lines = append(lines, line+fmt.Sprintf(" %s", moves))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
