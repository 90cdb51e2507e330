package edit

import (
	"strings"
	"testing"
)

func formOf(t *testing.T, base, head Text) string {
	t.Helper()
	d, err := Compare(base, head)
	if err != nil {
		t.Fatal(err)
	}
	return d.Fingerprint("title", "reason")
}

// TestForm: the form of a difference does not depend on words, comments, layout, the contract's name and what files
// are called; and on everything else it does.
func TestForm(t *testing.T) {
	const base = "contract \"c\" { title = \"old\" }\nlocals {\n  title = \"x\"\n}\nparty \"p\" {\n  state \"S\" { title = \"here\" }\n}\n"
	const head = base + "party \"q\" {\n  state \"T\" {}\n}\n"
	of := func(old, new string) string {
		replace := func(text string) []byte { return []byte(strings.Replace(text, old, new, 1)) }
		return formOf(t, Text{"a": replace(base)}, Text{"a": replace(head)})
	}
	same := of("", "")
	for _, change := range [][2]string{
		{`"c"`, `"d"`}, {`"old"`, `"new"`}, {`"here"`, `"there"`}, {"\nparty", "\n\n# A remark.\nparty"}, {`title = "here"`, `title   =  /* so */ "here"`},
	} {
		if of(change[0], change[1]) != same {
			t.Errorf("%q makes a difference", change)
		}
	}
	if formOf(t, Text{"b": []byte(base)}, Text{"b": []byte(head)}) != same {
		t.Error("a file's name makes a difference")
	}
	for _, change := range [][2]string{
		{`"x"`, `"y"`}, {`"p"`, `"r"`}, {`"S"`, `"U"`}, {`title = "here"`, ``}, {`"here"`, `""`}, {`"here"`, `local.title`}, {`"here"`, `"${local.title}"`},
		{`{ title = "here" }`, "{\n    title = \"here\"\n  }"}, {`"S" { title = "here" }`, "\"S\" {\n    exposed = true\n    title = \"here\"\n  }"},
	} {
		if of(change[0], change[1]) == same {
			t.Errorf("%q makes no difference", change)
		}
	}
	for name, other := range map[string]string{
		"two names":     formOf(t, Text{"a": []byte(base)}, Text{"a": []byte(strings.Replace(head, `"c"`, `"d"`, 1))}),
		"another file":  formOf(t, Text{"a": []byte(base)}, Text{"a": []byte(base), "b": []byte("party \"q\" {\n  state \"T\" {}\n}\n")}),
		"other words":   formOf(t, Text{"a": []byte(base)}, Text{"a": []byte(strings.Replace(head, `"old"`, `"new"`, 1))}),
		"the other way": formOf(t, Text{"a": []byte(head)}, Text{"a": []byte(base)}),
	} {
		if other == same {
			t.Errorf("%s: no difference", name)
		}
	}
}
