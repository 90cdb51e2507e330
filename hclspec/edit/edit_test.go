package edit

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A sketch is a block as a test draws it, without layout.
type sketch struct {
	header string
	attrs  map[string]string
	blocks []*sketch
}

// A written is a drawn text: its blocks by file.
type written map[string][]*sketch

var values = []string{"1", `"x"`, "[a, b]", "{ k = true, l = 2 }", "{\n k = true\n l = 2\n}", "<<EOT\n text\nEOT", "f(1,\n 2)", "[ # remark\n a,\n b ]", "S0", "local.x"}

func drawSketch(t *rapid.T, header string, depth int) *sketch {
	s := &sketch{header: header, attrs: map[string]string{}}
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"from", "to", "when", "title"}), 0, 3, rapid.ID[string]).Draw(t, "attrs") {
		s.attrs[name] = rapid.SampledFrom(values).Draw(t, "value")
	}
	if depth > 0 {
		s.blocks = drawSketches(t, depth-1, []string{`state "A"`, `state "B"`, `state "C"`, `state "D"`, `flag "F"`, `transition "t"`, "waiver"})
	}
	return s
}

func drawSketches(t *rapid.T, depth int, headers []string) []*sketch {
	var list []*sketch
	for _, h := range rapid.SliceOfNDistinct(rapid.SampledFrom(headers), 0, 5, rapid.ID[string]).Draw(t, "blocks") {
		list = append(list, drawSketch(t, h, depth))
	}
	return list
}

func drawWritten(t *rapid.T) written {
	return spreadOut(t, drawSketches(t, 2, []string{`party "p"`, `party "q"`, `event "e"`, `event "f"`, `contract "c"`, "locals", `template "t"`}))
}

// spreadOut puts blocks into files.
func spreadOut(t *rapid.T, all []*sketch) written {
	w := written{}
	for _, s := range all {
		name := rapid.SampledFrom([]string{"a.hcl", "b.hcl", "c.hcl"}).Draw(t, "file")
		w[name] = append(w[name], s)
	}
	return w
}

// amend draws another version: some blocks and attributes dropped, changed, added, moved.
func amend(t *rapid.T, w written) written {
	return spreadOut(t, amendAll(t, w.all(), drawSketches(t, 2, []string{`party "p"`, `party "q"`, `event "e"`, `party "new"`, "locals"})))
}

func (w written) all() []*sketch {
	var all []*sketch
	for _, name := range slices.Sorted(maps.Keys(w)) {
		all = append(all, w[name]...)
	}
	return all
}

func amendAll(t *rapid.T, was, fresh []*sketch) []*sketch {
	var now []*sketch
	for _, s := range was {
		switch rapid.SampledFrom([]string{"keep", "keep", "drop", "amend"}).Draw(t, "how") {
		case "keep":
			now = append(now, s)
		case "amend":
			now = append(now, amendOne(t, s))
		}
	}
	for _, s := range fresh {
		if !slices.ContainsFunc(now, func(o *sketch) bool { return o.header == s.header }) {
			now = append(now, s)
		}
	}
	if rapid.Bool().Draw(t, "shuffled") {
		now = rapid.Permutation(now).Draw(t, "order")
	}
	return now
}

func amendOne(t *rapid.T, s *sketch) *sketch {
	fresh := drawSketch(t, s.header, 1)
	now := &sketch{header: s.header, attrs: maps.Clone(s.attrs), blocks: amendAll(t, s.blocks, fresh.blocks)}
	maps.Copy(now.attrs, fresh.attrs)
	for _, name := range slices.Sorted(maps.Keys(s.attrs)) {
		if rapid.Bool().Draw(t, "drop") {
			delete(now.attrs, name)
		}
	}
	return now
}

// text lays a text out, some way or other.
func (w written) text(t *rapid.T) Text {
	text := Text{}
	for _, name := range slices.Sorted(maps.Keys(w)) {
		list := w[name]
		var b strings.Builder
		b.WriteString(rapid.SampledFrom([]string{"", "\n", "# head\n\n", "\xef\xbb\xbf", "/* a */ "}).Draw(t, "top"))
		for _, s := range list {
			s.write(t, &b, "")
		}
		b.WriteString(rapid.SampledFrom([]string{"", "# end\n", "# end", "\n\n"}).Draw(t, "bottom"))
		text[name] = []byte(b.String())
		if rapid.IntRange(0, 4).Draw(t, "unended") == 0 {
			text[name] = []byte(strings.TrimRight(b.String(), "\n"))
		}
	}
	return text
}

func (s *sketch) write(t *rapid.T, b *strings.Builder, indent string) {
	remark := func() {
		b.WriteString(rapid.SampledFrom([]string{"", "", "\n", indent + "# remark\n", "\n" + indent + "// remark\n", indent + "/* remark\n more */\n"}).Draw(t, "remark"))
	}
	names := rapid.Permutation(slices.Sorted(maps.Keys(s.attrs))).Draw(t, "order")
	remark()
	fmt.Fprintf(b, "%s%s {", indent, s.header)
	if len(s.blocks) == 0 && len(names) < 2 && rapid.Bool().Draw(t, "flat") {
		if len(names) == 0 {
			b.WriteString("}\n")
			return
		}
		if value := s.attrs[names[0]]; !strings.Contains(value, "<<") {
			fmt.Fprintf(b, " %s = %s }\n", names[0], value)
			return
		}
	}
	b.WriteString(rapid.SampledFrom([]string{"\n", " # remark\n", "\n\n"}).Draw(t, "open"))
	for _, name := range names {
		remark()
		fmt.Fprintf(b, "%s  %s = %s%s", indent, name, s.attrs[name], "\n")
	}
	for _, inner := range s.blocks {
		inner.write(t, b, indent+"  ")
	}
	remark()
	b.WriteString(indent + "}" + rapid.SampledFrom([]string{"\n", " # end\n", "\n\n"}).Draw(t, "close"))
}

func sumOf(t *rapid.T, what string, text Text) string {
	tree, err := parse(text)
	if err != nil {
		t.Fatalf("%s: %v\n%s", what, err, show(text))
	}
	return fmt.Sprintf("%x", tree.root.sum)
}

func show(text Text) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(text)) {
		fmt.Fprintf(&b, "-- %s --\n%s\n", name, text[name])
	}
	return b.String()
}

func mustCompare(t *rapid.T, base, head Text) *Difference {
	d, err := Compare(base, head)
	if err != nil {
		t.Fatalf("%v\n%s%s", err, show(base), show(head))
	}
	return d
}

// TestLayoutIsNoChange: files, order, comments and layout make no difference.
func TestLayoutIsNoChange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWritten(t)
		one := w.text(t)
		other := spreadOut(t, rapid.Permutation(w.all()).Draw(t, "order")).text(t)
		if d := mustCompare(t, one, other); len(d.Changes) > 0 {
			t.Fatalf("%+v\n%s\n%s", d.Changes, show(one), show(other))
		}
	})
}

// TestInBetween holds texts in between, from either side, to what they are made of.
func TestInBetween(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWritten(t)
		base, head := w.text(t), amend(t, w).text(t)
		d := mustCompare(t, base, head)
		all := slices.Repeat([]bool{true}, len(d.Changes))
		none := make([]bool, len(d.Changes))
		if got := d.Apply(none); !maps.EqualFunc(got, base, slices.Equal[[]byte]) {
			t.Fatalf("nothing applied:\n%s\nis not\n%s", show(got), show(base))
		}
		if list := d.Undo(none); len(list) > 0 {
			t.Fatalf("nothing undone: %+v", list)
		}
		if got := d.Apply(all); sumOf(t, "all", got) != sumOf(t, "head", head) {
			t.Fatalf("all applied:\n%s\n\nbase\n%s\nhead\n%s", show(got), show(base), show(head))
		}
		some, rest := make([]bool, len(all)), make([]bool, len(all))
		for i := range some {
			some[i] = rapid.Bool().Draw(t, "made")
			rest[i] = !some[i]
		}
		applied := d.Apply(some)
		undone := splices(t, head, d.Undo(rest))
		if sumOf(t, "applied", applied) != sumOf(t, "undone", undone) {
			t.Fatalf("%v of %+v\napplied:\n%s\nundone:\n%s\nbase\n%s\nhead\n%s", some, d.Changes, show(applied), show(undone), show(base), show(head))
		}
		made := map[string]bool{}
		for i, c := range d.Changes {
			if some[i] && !c.First {
				made[c.Block()+c.Attribute+c.Action.String()] = true
			}
		}
		for _, c := range mustCompare(t, base, applied).Changes {
			if k := c.Block() + c.Attribute + c.Action.String(); !c.First && !made[k] {
				t.Fatalf("%s was not to be made\n%s\n%s", k, show(base), show(applied))
			} else {
				delete(made, k)
			}
		}
		if len(made) > 0 {
			t.Fatalf("%v was to be made\n%s\n%s", made, show(base), show(applied))
		}
	})
}

// splices makes changes to a text, and holds each to the bytes it replaces.
func splices(t *rapid.T, text Text, list []Splice) Text {
	out := maps.Clone(text)
	for _, s := range slices.Backward(list) { // from the back, places stay what they were
		src := out[s.Range.Filename]
		from, to := s.Range.Start.Byte, s.Range.End.Byte
		if string(src[from:to]) != s.Old {
			t.Fatalf("%q is not %q", src[from:to], s.Old)
		}
		out[s.Range.Filename] = slices.Concat(src[:from], []byte(s.New), src[to:])
	}
	return out
}

// TestEntry points at the one entry of an object that an amendment changes or adds, whatever else it moves.
func TestEntry(t *testing.T) {
	event := func(lines ...string) Text {
		return Text{"a.hcl": []byte("event \"e\" {\n  sync = {\n" + strings.Join(lines, "\n") + "\n  }\n}\n")}
	}
	base := event("    a = t1", "    b = all(t1)")
	for _, row := range []struct {
		name string
		head Text
		want int // the line
	}{
		{"changed", event("    a = t1", "    b = any(t1)"), 4},
		{"changed and moved", event("    b = any(t1)", "    a = t1"), 3},
		{"added", event("    a = t1", "    c = t1,", "    b = all(t1)"), 4},
		{"dropped", event("    b = all(t1)"), 2},
		{"two changed", event("    a = t2", "    b = any(t1)"), 2},
		{"no object any more", Text{"a.hcl": []byte("event \"e\" {\n\n  sync = t1\n}\n")}, 3},
	} {
		d, err := Compare(base, row.head)
		if err != nil || len(d.Changes) != 1 {
			t.Fatalf("%s: %v %v", row.name, d, err)
		}
		if got := d.Changes[0].Entry.Start.Line; got != row.want {
			t.Errorf("%s: line %d, not %d", row.name, got, row.want)
		}
	}
}
