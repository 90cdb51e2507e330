package compare

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/verify"
)

// parties writes a contract of parties, each a name and its transitions, and of events, each a name and its "party.transition"s.
func parties(t *testing.T, all ...string) *verify.Listed {
	t.Helper()
	text := "contract \"c\" {}\n"
	for _, one := range all {
		words := strings.Fields(one)
		if words[0] == "event" {
			text += fmt.Sprintf("event %q {\n  sync = {\n", words[1])
			for _, w := range words[2:] {
				party, transition, _ := strings.Cut(w, ".")
				text += fmt.Sprintf("    %s = %s\n", party, transition)
			}
			text += "  }\n}\n"
			continue
		}
		text += fmt.Sprintf("party %q {\n  state \"s\" {}\n  state \"on\" {}\n", words[0])
		for _, w := range words[1:] {
			text += fmt.Sprintf("  transition %q {\n    from = s\n    to   = on\n  }\n", w)
		}
		text += "}\n"
	}
	d := testkit.DraftOf(t, text)
	g, err := space.Explore(t.Context(), d.Net, d.Rule, space.Limits{States: 1000})
	if err != nil {
		t.Fatal(err)
	}
	return verify.Listing(d, g, 0)
}

// TestInStep: steps of both versions are the same if the parties of both take the same transitions in them, with one event. The steps of
// a new party are apart unless it is joined, by whatever steps, to a party that base has.
func TestInStep(t *testing.T) {
	for _, c := range []struct{ name, base, head, want string }{
		{"as before", "a t; b t; event e a.t b.t", "a t; b t; event e a.t b.t", "e: e"},
		{"parties in another order", "a t; b t; event e a.t b.t", "b t; a t; event e a.t b.t", "e: e"},
		{"another transition", "a t u; b t; event e a.t b.t", "a t u; b t; event e a.u b.t", "a.t:, e:"},
		{"a party more", "a t; b t; event e a.t b.t", "a t; b t; l t; event e a.t b.t l.t", "e: e"},
		{"a party less", "a t; b t; event e a.t b.t", "a t; event e a.t", "e: e"},
		{"another event", "a t; event e a.t", "a t; event f a.t", "f:"},
		{"a party beside", "a t", "a t; l t", "a.t: a.t, l.t: apart"},
		{"a party that acts with another", "a t; event e a.t", "a t; l t u; event e a.t l.t", "e: e, l.u:"},
		{"a party that acts with another, by a new event", "a t; event e a.t", "a t; l t u; event f a.t l.t", "f:, l.u:"},
		{"a party in the place of another", "m t; event e m.t", "l t u; event e l.t", "e: e, l.u:"},
		{"two parties beside", "a t", "a t; l t; m t u; event e l.t m.t", "a.t: a.t, e: apart, m.u: apart"},
		{"two parties, one of which acts with another", "a t; event f a.t", "a t; l t u; m t u; event e l.t m.t; event f a.t m.u", "e:, f: f, l.u:"},
	} {
		base, head := parties(t, strings.Split(c.base, "; ")...), parties(t, strings.Split(c.head, "; ")...)
		if text := inStep(base, head); text != c.want {
			t.Errorf("%s: %q, want %q", c.name, text, c.want)
		}
	}
}

// TestRenamedInStep: steps are the same under new names, in whatever order these are.
func TestRenamedInStep(t *testing.T) {
	base, head := parties(t, "a t", "b t", "event e a.t b.t"), parties(t, "z t", "b t", "event e z.t b.t")
	f := InStep(base, head, compile.Amend(base.Checked.Draft, head.Checked.Draft).Naming())
	for i, tr := range head.Net.Transitions {
		if len(f.same[i]) != 1 || base.Net.Transitions[f.same[i][0]].Name != tr.Name {
			t.Errorf("%s: %v", tr.Name, f.same[i])
		}
	}
}

// inStep returns the steps of head, each with those of base that are the same, and whether it is apart.
func inStep(base, head *verify.Listed) string {
	f := InStep(base, head, compile.Naming{})
	var got []string
	for i, tr := range head.Net.Transitions {
		line := tr.Name + ":"
		for _, was := range f.same[i] {
			line += " " + base.Net.Transitions[was].Name
		}
		if f.apart[i] {
			line += " apart"
		}
		got = append(got, line)
	}
	slices.Sort(got)
	return strings.Join(slices.Compact(got), ", ")
}

// TestNormsInStep: what norms watch is the same step, however they stand; a new party is joined to those that a norm watches with it.
func TestNormsInStep(t *testing.T) {
	step := func(party, name string) string {
		return "party \"" + party + "\" {\n  state \"s\" {}\n  state \"on\" {}\n  transition \"t\" {\n    from = s\n    to   = on\n  }\n}\nevent \"" + name + "\" {\n  sync = { " + party + " = t }\n%s}\n"
	}
	a, l := fmt.Sprintf(step("a", "e"), ""), fmt.Sprintf(step("l", "f"), "")
	owed := func(word, until string) string {
		return fmt.Sprintf("%s \"n\" {\n  bearer = a\n%s}\n", word, until)
	}
	holds := func(to string) string { return "document \"d\" {\n  moves = { e = { to = " + to + " } }\n}\n" }
	const of, until = "  of     = e\n", "  of     = e\n  until  = f\n"
	const promised = "requirement \"r\" { ctl = \"AG !happened(f)\" }\n"
	for _, c := range []struct{ name, base, head, want string }{
		{"a norm more", a, a + owed("prohibition", of), "e: e"},
		{"another norm", a + owed("permission", of), a + owed("prohibition", of), "e: e"},
		{"another holder of a document", a + holds("a"), a + l + holds("l"), "e: e, f: apart"},
		{"beside a norm", a + owed("prohibition", of), a + l + owed("prohibition", of), "e: e, f: apart"},
		{"a norm that it ends", a + owed("prohibition", of), a + l + owed("prohibition", until), "e: e, f:"},
		{"a norm that begins later", a + l + owed("prohibition", of), a + l + owed("prohibition", of+"  from   = f\n"), "e: e, f: f"},
		{"what a promise remembers", a, a + l + promised, "e: e, f:"},
		{"what a promise remembers of others", a, a + l + strings.Replace(promised, "(f)", "(e)", 1), "e: e, f: apart"},
		{"a norm of that name on others", a + owed("prohibition", of), a + l + strings.Replace(owed("prohibition", "  of     = f\n"), "= a", "= l", 1), "e: e, f: apart"},
		{"a norm that it waits for", a + owed("prohibition", of), a + fmt.Sprintf(step("l", "f"), "  only_while = n.in_force\n") + owed("prohibition", of), "e: e, f:"},
	} {
		if text := inStep(listed(t, "contract \"c\" {}\n"+c.base), listed(t, "contract \"c\" {}\n"+c.head)); text != c.want {
			t.Errorf("%s: %q, want %q", c.name, text, c.want)
		}
	}
}

// TestAskingOfAnotherDraft: a requirement means nothing in a draft that lacks a party that it assumes to act.
func TestAskingOfAnotherDraft(t *testing.T) {
	const a, l = "contract \"c\" {}\nparty \"a\" {\n  state \"s\" {}\n}\n", "party \"l\" {\n  state \"s\" {}\n}\n"
	with := testkit.DraftOf(t, a+l+"requirement \"r\" {\n  ctl = \"AF a.s\"\n  assuming = progress(l)\n}\n")
	r := with.Spec.Requirements[0]
	if f, _ := asking(with, with, r); f == nil {
		t.Error("it means nothing where its party is")
	}
	if f, _ := asking(testkit.DraftOf(t, a), with, r); f != nil {
		t.Error("it means something where its party is not")
	}
}

// TestViolation: a promise that a contract breaks has a run that shows it, and one of names that it lacks has none.
func TestViolation(t *testing.T) {
	c := listed(t, losing("a.done", "", "x"))
	for formula, want := range map[string]bool{"AG !a.x": true, "AG !a.z": false, "AG !b.x": false} {
		other := testkit.DraftOf(t, losing("a.done", "party \"b\" {\n  state \"x\" {}\n}\nrequirement \"r\" { ctl = \""+formula+"\" }\n"))
		if e := Violation(t.Context(), c, other.Spec.Requirements[0], finding.Budget{Jobs: 1}); (e != nil) != want {
			t.Errorf("%s: a run shows it: %t", formula, e != nil)
		}
	}
}
