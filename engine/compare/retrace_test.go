package compare

import (
	"cmp"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec"
)

// TestRetrace: evidence against a promise is evidence on another draft if that can take its steps, and they show it there.
func TestRetrace(t *testing.T) {
	const tries = "  counter \"tries\" { to = 2 }\n  counter \"calls\" { to = 2 }\n  state \"s\" {}\n  state \"x\" {}\n  state \"y\" {}\n" +
		"  transition \"call\" {\n    from = s\n    to = x\n    set = { calls = calls + 1 }\n  }\n  transition \"try\" {\n    from = x\n    to = y\n    set = { tries = tries + 1 }\n  }\n"
	const called = "  counter \"calls\" { to = 2 }\n  counter \"tries\" { to = 2 }\n  state \"s\" {}\n  state \"y\" {}\n  state \"x\" {}\n" +
		"  transition \"call\" {\n    from = s\n    to = x\n    set = { calls = calls + 1 }\n  }\n  transition \"try\" {\n    from = x\n    to = y\n    set = { tries = tries + 1 }\n  }\n"
	within := func(body string) string { return "contract \"c\" {}\nparty \"a\" {\n" + body + "}\n" }
	beside := func(text string) string {
		return strings.Replace(text, "party \"a\"", "party \"Aside\" {\n  state \"s\" {}\n  state \"u\" {}\n}\nparty \"a\"", 1)
	}
	first := within("  state \"s\" {}\n")
	going := func(to string) string {
		return strings.ReplaceAll("party \"b\" {\n  state \"s\" {}\n  state \"x\" {}\n  transition \"t\" {\n    from = s\n    to = x\n  }\n}\n", "x", to)
	}
	both := "party \"b\" {\n  state \"s\" {}\n}\n"
	for _, c := range []struct {
		name     string
		from, to string
		promise  string // of from
		there    string // of to; "": the same
		progress string // of a party, which the promise assumes
		states   string // of the other draft: "none", or "much" if they take too much work
		want     bool
	}{
		{"the same draft", losing("a.done", "", "x"), losing("a.done", "", "x"), "AG !a.x", "", "", "", true},
		{"more can happen", losing("a.done", "", "x"), beside(losing("a.done", "", "y", "x")), "AG !a.x", "", "", "", true},
		{"less can happen", losing("a.done", "", "x"), losing("a.done", "", "y"), "AG !a.x", "", "", "", false},
		{"another place", losing("a.done", "", "x", "x y"), losing("a.done", "", "x", "x y"), "AG !a.y", "AG !a.x", "", "", false},
		{"a place that is not there", losing("a.done", "", "x"), within("  state \"s\" {}\n  state \"done\" {}\n"), "AG !a.x", "", "", "", false},
		{"places in another order", within(tries), beside(within(called)), "AG (a.tries + 2 * a.calls <= 2)", "", "", "", true},
		{"another number", within(tries), within(called), "AG (a.tries + a.calls <= 1)", "AG (a.tries + a.calls <= 0)", "", "", false},
		{"other weights", within(tries), within(called), "AG (a.tries + 2 * a.calls <= 2)", "AG (2 * a.tries + a.calls <= 2)", "", "", false},
		{"what happened", losing("a.done", "event \"e\" { sync = { a = s_x } }\n", "x"), beside(losing("a.done", "event \"e\" { sync = { a = s_x } }\n", "y", "x")), "AG !happened(e)", "", "", "", true},
		{"by another step of the same event", losing("a.done", "event \"e\" { sync = { a = s_x } }\n", "x"),
			strings.NewReplacer("s_x", "go", "s_y", "s_x").Replace(losing("a.done", "event \"e\" { sync = { a = s_x } }\n", "y", "x")), "AG !a.x", "", "", "", true},
		{"not looked at, and shown by the run alone", losing("a.done", "", "x"), losing("a.done", "", "y", "x"), "AG !a.x", "", "", "none", true},
		{"a place that is not there, and the first one in its stead", first + going("x"), first + going("w"), "AG !b.x", "AG !a.s", "", "", false},
		{"for ever", losing("a.done", "", "s"), losing("a.done", "", "y", "s"), "AF a.done", "", "", "", true},
		{"for ever from later on", losing("a.done", "", "x", "x y", "y x"), losing("a.done", "", "x", "x y", "y x"), "AF a.done", "", "", "", true},
		{"for ever no more", losing("a.done", "", "x", "x y", "y x"), losing("a.done", "", "x", "x y", "y z"), "AF a.done", "", "", "", false},
		{"step by step", losing("a.done", "", "x", "x y", "y y"), losing("a.done", "", "x", "x y", "y y"), "AG (a.x -> AF a.done)", "", "", "", true},
		{"never again", losing("a.done", "", "x"), losing("a.done", "", "y", "x"), "AG EF a.done", "", "", "", true},
		{"never again, and not looked at", losing("a.done", "", "x"), losing("a.done", "", "y", "x"), "AG EF a.done", "", "", "none", false},
		{"never again, and it takes too much work", losing("a.done", "", "x"), losing("a.done", "", "y", "x"), "AG EF a.done", "", "", "much", false},
		{"and yet again", losing("a.done", "", "x"), losing("a.done", "", "x", "x done"), "AG EF a.done", "", "", "", false},
		{"and yet again, and elsewhere never", losing("a.done", "", "x"), losing("a.done", "", "y", "x", "x done"), "AG EF a.done", "", "", "", false},
		{"whoever goes on", losing("a.done", both, "x"), losing("a.done", both, "x"), "AF a.done", "", "b", "", true},
		{"whoever goes on is gone", losing("a.done", both, "x"), losing("a.done", "", "x"), "AF a.done", "", "b", "", false},
	} {
		promise := func(formula string) *hclspec.Requirement {
			text := "requirement \"r\" {\n  ctl = \"" + formula + "\"\n}\n"
			if c.progress != "" {
				text = strings.Replace(text, "}", "  assuming = progress("+c.progress+")\n}", 1)
			}
			return testkit.DraftOf(t, c.from+text).Spec.Requirements[0]
		}
		was, now := promise(c.promise), promise(cmp.Or(c.there, c.promise))
		listed := func(text string, r *hclspec.Requirement) *verify.Listed {
			d := testkit.DraftOf(t, text).RecallingTexts([]*hclspec.Formula{r.Formula})
			if c.states == "none" && r == now {
				return verify.Listing(d, nil, 0)
			}
			l := verify.Decide(t.Context(), d, finding.Budget{Jobs: 1, Engine: finding.Explicit}, nil, verify.ProposeNothing).Listed
			if c.states == "much" && r == now {
				l.Memory = 1
			}
			return l
		}
		from, to := listed(c.from, was), listed(c.to, now)
		f, diags := from.Resolve(was.Formula)
		if f == nil {
			t.Fatalf("%s: %v", c.name, diags)
		}
		e, err := from.Evidence(t.Context(), f, compile.TermsOf(was))
		if err != nil || e == nil || e.Holds {
			t.Fatalf("%s: %+v, %v", c.name, e, err)
		}
		_, names := diff.Changes(to.Spec, from.Spec)
		again := Retrace(t.Context(), from, e, was, to, now, compile.Naming{Names: names})
		if (again != nil) != c.want || again != nil && parts(again) != parts(e) {
			t.Errorf("%s: %+v", c.name, again)
		}
	}
}

// parts counts the runs of which evidence consists.
func parts(e *ctl.Evidence) int {
	n := 1
	for _, b := range e.Next {
		n += parts(b.Evidence)
	}
	return n
}
