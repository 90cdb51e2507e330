package compare

import (
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/hclspec/edit"
)

// TestRenamed: base's text has head's names, and head's words where they say the same. What else head changes is not in it.
func TestRenamed(t *testing.T) {
	const base = `contract "c" { final = "a.done" }
event "e" { sync = { a = t } }
party "a" {
  state "s" {}
  state "done" {}
  state "x" {}
  transition "t" {
    from = s
    to   = done
  }
  transition "u" {
    from = done
    to   = x
  }
}
obligation "o" {
  bearer = a
  fulfil = e
  within = 3
}
requirement "r" { ctl = "AG (a.s || a.done || a.x)" }
requirement "q" { ctl = "EF a.done" }
`
	of := func(edits ...string) string { return strings.NewReplacer(edits...).Replace(base) }
	party := []string{`"a"`, `"b"`, "{ a = t", "{ b = t", "= a\n", "= b\n", "a.", "b."}
	with := func(edits ...string) string { return strings.NewReplacer(party...).Replace(of(edits...)) }
	bare := []string{` final = "a.done" `, ""}
	but := func(text string, edits ...string) string { return strings.NewReplacer(edits...).Replace(text) }
	const also, q = "requirement \"p\" { ctl = \"EF b.done\" }\n", `requirement "q" { ctl = "EF a.done" }` + "\n"
	titled := strings.NewReplacer("{ ", "{\n  ", " }", "\n  title = \"Q\"\n}").Replace(q)
	for _, c := range []struct{ name, base, head, want string }{
		{"nothing", base, of("within = 3", "within = 4"), base},
		{"a party", base, with(), with()},
		{"a party, and something else changes", base, with("within = 3", "within = 4") + also, with()},
		{"a party, and a promise has a title", base, with(q, titled), with(q, titled)},
		{"a party, and a promise is dropped", base, with(q, ""), but(with(), "EF b", "EF a")},
		{"a party, and a promise is another one", base, with("EF a.done", "EF a.x"), but(with(), "EF b", "EF a")},
		{"a party, and other states are final", base, with(`final = "a.done"`, `final = "a.x"`), but(with(), `"b.done" }`+"\nevent", `"a.done" }`+"\nevent")},
		{"a party, and no state is final", base, with(bare...), but(with(), `"b.done" }`+"\nevent", `"a.done" }`+"\nevent")},
		{"a party, and no state was final", of(bare...), with(), with(bare...)},
		{"a party, and a norm that is another one", base, with(`"o"`, `"p"`, "within = 3", "within = 4"), with(`"o"`, `"p"`)},
	} {
		now, at := Renamed(testkit.DraftOf(t, c.base), testkit.DraftOf(t, c.head))
		text := ""
		for _, src := range now {
			text += string(src)
		}
		if text != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, text, c.want)
		}
		read, err := edit.Read(now)
		was, failed := edit.Read(edit.Text{"c.contract.hcl": []byte(c.base)})
		if err != nil || failed != nil {
			t.Fatal(err, failed)
		}
		for i, r := range read.Headers() {
			if got, want := at(r), was.Headers()[i]; got.Start != want.Start {
				t.Errorf("%s: header %d at %v, want %v", c.name, i, got, want)
			}
		}
	}
}
