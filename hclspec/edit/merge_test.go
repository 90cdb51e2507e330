package edit

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func mustMerge(t *rapid.T, base, a, b Text) (Text, []Conflict) {
	text, conflicts, err := Merge(base, a, b)
	if err != nil {
		t.Fatalf("%v\n%s%s%s", err, show(base), show(a), show(b))
	}
	return text, conflicts
}

// TestMergeWithNothing: what only one side changes is that side.
func TestMergeWithNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWritten(t)
		base, a := w.text(t), amend(t, w).text(t)
		for name, pair := range map[string][2]Text{"left": {a, base}, "right": {base, a}, "both": {a, a}} {
			got, conflicts := mustMerge(t, base, pair[0], pair[1])
			if len(conflicts) > 0 || sumOf(t, "merged", got) != sumOf(t, "amended", a) {
				t.Fatalf("%s: %+v\nmerged:\n%s\nbase:\n%s\namended:\n%s", name, conflicts, show(got), show(base), show(a))
			}
		}
	})
}

// TestMergeIsFair: exchanging the sides makes no difference.
func TestMergeIsFair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWritten(t)
		base, a, b := w.text(t), amend(t, w).text(t), amend(t, w).text(t)
		one, conflicts := mustMerge(t, base, a, b)
		other, mirrored := mustMerge(t, base, b, a)
		if sumOf(t, "one", one) != sumOf(t, "other", other) || len(conflicts) != len(mirrored) {
			t.Fatalf("%+v\n%+v\none:\n%s\nother:\n%s\nbase:\n%s\na:\n%s\nb:\n%s", conflicts, mirrored, show(one), show(other), show(base), show(a), show(b))
		}
	})
}

// TestDisjointChangesMerge: parts of one amendment are in no conflict, and make the whole.
func TestDisjointChangesMerge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWritten(t)
		base, head := w.text(t), amend(t, w).text(t)
		d := mustCompare(t, base, head)
		one, other, union := make([]bool, len(d.Changes)), make([]bool, len(d.Changes)), make([]bool, len(d.Changes))
		for i := range union {
			switch rapid.IntRange(0, 2).Draw(t, "whose") {
			case 0:
				one[i], union[i] = true, true
			case 1:
				other[i], union[i] = true, true
			}
		}
		got, conflicts := mustMerge(t, base, d.Apply(one), d.Apply(other))
		if ordered(d) {
			return // two sides that both add states where none is left do not say which comes first
		}
		if len(conflicts) > 0 || sumOf(t, "merged", got) != sumOf(t, "whole", d.Apply(union)) {
			t.Fatalf("%+v\nmerged:\n%s\nwhole:\n%s\nbase:\n%s\none:\n%s\nother:\n%s", conflicts, show(got), show(d.Apply(union)), show(base),
				show(d.Apply(one)), show(d.Apply(other)))
		}
	})
}

// ordered reports whether the difference decides somewhere which state is the first one.
func ordered(d *Difference) bool { return len(d.firsts) > 0 }

func TestConflicts(t *testing.T) {
	base := `party "p" {
  state "A" { title = "x" }
  flag "F" {}
  transition "t" {
    from = A
    to   = A
  }
}
`
	for _, row := range []struct{ name, a, b, want string }{
		{"one attribute twice", "to   = A=>to   = B", "to   = A=>to   = C", `changed party "p" / transition "t" to; changed party "p" / transition "t" to`},
		{"one attribute alike", "to   = A=>to   = B", "to   = A=>to = B # so", ``},
		{"two attributes", "from = A=>from = B", "to   = A=>to   = B", ``},
		{"removed and changed", "  flag \"F\" {}\n=>", "flag \"F\" {}=>flag \"F\" { initial = true }", `removed party "p" / flag "F" ; added party "p" / flag "F" initial`},
		{"removed and changed inside", base + "=>", "to   = A=>to   = B", `removed party "p" ; changed party "p" / transition "t" to`},
		{"removed twice", base + "=>", "  flag \"F\" {}\n=>", ``},
		{"added twice", "  flag \"F\" {}\n=>  flag \"F\" {}\n  flag \"G\" {}\n", "  flag \"F\" {}\n=>  flag \"F\" {}\n  flag \"G\" { initial = true }\n", `added party "p" / flag "G" ; added party "p" / flag "G" `},
		{"added alike", "  flag \"F\" {}\n=>  flag \"F\" {}\n  flag \"G\" {}\n", "  flag \"F\" {}\n=>  flag \"G\" {}\n  flag \"F\" {}\n", ``},
		{"two beginnings", "  state \"A\"=>  state \"B\" {}\n  state \"A\"", "  state \"A\"=>  state \"C\" {}\n  state \"A\"", `added party "p" / state "B" ; added party "p" / state "C" `},
		{"several of a kind", base + "=>" + base + "locals {\n a = 1\n}\n", base + "=>" + base + "locals {\n b = 1\n}\n", ``},
	} {
		t.Run(row.name, func(t *testing.T) {
			made := func(how string) Text {
				was, now, _ := strings.Cut(how, "=>")
				return Text{"a.hcl": []byte(strings.Replace(base, was, now, 1))}
			}
			_, conflicts, err := Merge(Text{"a.hcl": []byte(base)}, made(row.a), made(row.b))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range conflicts {
				for _, change := range []Change{c.A, c.B} {
					got = append(got, change.Action.String()+" "+change.Block()+" "+change.Attribute)
				}
			}
			if text := strings.Join(got, "; "); text != row.want {
				t.Errorf("got  %s\nwant %s", text, row.want)
			}
		})
	}
}

// FuzzBetween holds texts that somebody else wrote to the laws of texts in between.
func FuzzBetween(f *testing.F) {
	f.Add("party \"p\" {\n  state \"A\" {}\n}\n", "party \"p\" { }\n# end", "locals {\n a = <<EOT\n x\nEOT\n}\n", uint64(5))
	f.Add("\xef\xbb\xbfa {}\nb { c = [\n1] }", "a { x = 1 }\r\nb {}\r\n", "/* c */ b { c = \"${d}\" } # e", uint64(2))
	f.Add("a \"b\" {\n  state {}\n\n  state \"x\" {} }\n", "a \"b\" {\n  # r\n  state \"x\" {\n  }\n  state {}\n}\n", "", uint64(1))
	f.Add("state \"A\" {}\nstate \"B\" {}\n", "state \"B\" {}\nstate \"A\" {}\n", "state \"C\" {}", uint64(3))
	f.Fuzz(func(t *testing.T, one, two, three string, chosen uint64) {
		if len(one)+len(two)+len(three) > 1<<12 {
			return
		}
		base, head, other := Text{"a": []byte(one)}, Text{"a": []byte(two)}, Text{"b": []byte(three)}
		d, err := Compare(base, head)
		if err != nil {
			return
		}
		made, rest := make([]bool, len(d.Changes)), make([]bool, len(d.Changes))
		for i := range made {
			made[i] = chosen>>(i%64)&1 == 1
			rest[i] = !made[i]
		}
		sum := func(text Text) string {
			tree, err := parse(text)
			if err != nil {
				t.Fatalf("%v\n%s\n%s", err, show(base), show(head))
			}
			return string(tree.root.sum[:])
		}
		if sum(d.Apply(made)) != sum(head.Splice(d.Undo(rest))) {
			t.Fatalf("%+v\n%s\n%s", d.Changes, show(d.Apply(made)), show(head.Splice(d.Undo(rest))))
		}
		if got := d.Apply(slices.Repeat([]bool{true}, len(made))); sum(got) != sum(head) {
			t.Fatalf("%s\n%s\n%s", show(base), show(head), show(got))
		}
		if text, _, err := Merge(base, head, other); err == nil {
			sum(text)
		}
		if r, err := Read(base); err == nil {
			for _, b := range r.tree.root.blocks {
				path := b.path()
				sum(base.Splice(r.Set([]Setting{{path, "from", "X"}, {path, "to", "Y"}})))
			}
		}
	})
}
