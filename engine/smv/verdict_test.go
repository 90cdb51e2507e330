package smv_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/smv"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/hclspec/expr"
	"github.com/redlinehq/redline/hclspec/load"
)

type failer interface {
	Helper()
	Fatalf(string, ...any)
}

// rederived returns the verdicts of a text's specifications by name, and its number of states, with what only formulas remember left out;
// false: there are more states than the limit.
func rederived(t failer, text string, limit int) (map[string]bool, int, bool) {
	t.Helper()
	p, err := readSMV(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	m, e, ok := explored(p, limit)
	if !ok {
		return nil, 0, false
	}
	verdicts := map[string]bool{}
	for _, s := range p.specs {
		verdicts[s.name] = m.sat(e, s.ctl)[0]
	}
	return verdicts, situations(p, m), true
}

// situations counts the states that differ in more than what formulas ask of the past.
func situations(p *program, m *model) int {
	seen := map[string]bool{}
	for _, s := range m.states {
		var key []int
		for i, v := range p.vars {
			if !strings.HasSuffix(v, "$happened") {
				key = append(key, s[i])
			}
		}
		seen[fmt.Sprint(key)] = true
	}
	return len(seen)
}

// agree holds redline's verdicts against those of what it exports.
func agree(t failer, d *compile.Draft, limit int) (decided int) {
	t.Helper()
	r := verify.Check(context.Background(), d, finding.Budget{Jobs: 1})
	text := exported(t, d, "")
	verdicts, states, ok := rederived(t, text, limit)
	if !ok {
		t.Fatalf("more than %d states", limit)
	}
	if contact := r.Model.States == nil; contact == verdicts["one-safe"] {
		t.Fatalf("one-safe: %v; redline: %s\n%s", verdicts["one-safe"], r.Model.Incomplete, text)
	} else if contact {
		return 1
	}
	if r.Model.States.Int64() != int64(states) {
		t.Fatalf("%d states; redline: %s", states, r.Model.States)
	}
	for _, q := range r.Requirements {
		of := verdicts
		if len(q.Assuming) > 0 {
			of, _, ok = rederived(t, exported(t, d, q.Name), 4*limit)
			if !ok {
				t.Fatalf("more than %d states with what acts", 4*limit)
			}
		}
		have, told := of[smv.SpecID(q.Name)]
		if !told || (q.Verdict == finding.Holds) != have || q.Verdict == finding.Unknown {
			t.Fatalf("%s (%s): %v, %v; redline: %s %s\n%s", q.Name, q.Formula, have, told, q.Verdict, q.Reason, text)
		}
		decided++
	}
	for _, code := range []codes.Code{"dead-end", "no-option-to-complete"} {
		failed := false
		for _, diag := range r.Diagnostics {
			failed = failed || diag.Code == code
		}
		// redline says nothing of what can't be completed where dead ends are all of it
		if have, told := verdicts[string(code)]; told && have == failed && (code == "dead-end" || have) {
			t.Fatalf("%s: %v; redline: %v", code, have, failed)
		}
	}
	return decided
}

func exported(t failer, d *compile.Draft, only string) string {
	t.Helper()
	var b bytes.Buffer
	if _, err := verify.SMV(d, &b, only); err != nil {
		t.Fatalf("%v", err)
	}
	return b.String()
}

func exampleNames(t *testing.T) []string {
	names, err := load.Find(examples.FS, ".")
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestExamples(t *testing.T) {
	for _, name := range exampleNames(t) {
		for _, rule := range []petri.Rule{petri.One, petri.All} {
			src, err := load.Dir(examples.FS, name, name, nil)
			if err != nil {
				t.Fatal(err)
			}
			if n := agree(t, compile.Compile(src, name, &rule), 1_000); n == 0 {
				t.Errorf("%s: nothing was decided", name)
			}
		}
	}
}

// compiled is a contract given as text.
func compiled(t failer, text string) *compile.Draft {
	t.Helper()
	src, err := load.Dir(fstest.MapFS{"c.contract.hcl": {Data: []byte(text)}}, ".", "x", expr.Values{})
	if err != nil || src.Contract == nil {
		t.Fatalf("%v %v\n%s", err, src.Diagnostics, text)
	}
	return compile.Compile(src, "x", nil)
}

// TestReaderRefuses: the reader is no yes-man.
func TestReaderRefuses(t *testing.T) {
	const good = "MODULE main\nIVAR\n  step : {stay, go};\nVAR\n  a#b : boolean;\nDEFINE\n  can := a#b;\nASSIGN\n  init(a#b) := TRUE;\n  next(a#b) := case\n    step = go : FALSE;\n    TRUE : a#b;\n  esac;\nTRANS step = go -> can;\nCTLSPEC NAME r := AG (can -> EX !can);\n"
	if _, err := readSMV(good); err != nil {
		t.Fatal(err)
	}
	for _, c := range [][3]string{
		{"a#b : boolean", "next : boolean", "no identifier"}, {"a#b : boolean", "-b : boolean", "no identifier"}, {"a#b : boolean", "1b : boolean", "no identifier"}, {"a#b : boolean", "E : boolean", "no identifier"},
		{"a#b : boolean", "a.b : boolean", "no token"}, {"a#b : boolean", "é : boolean", "no token"}, {"{stay, go}", "{stay, a#b}", "declared twice"}, {"a#b : boolean", "a#b : boolean; a#b : boolean", "declared twice"},
		{"can := a#b", "can := a#c", "not declared"}, {"EX !can", "EX step = go", "input"}, {"TRANS step", "TRANS EX step", "no identifier"}, {"init(a#b) := TRUE", "init(a#b) := step = go", "input"},
		{"    TRUE : a#b;\n", "", "may have no value"}, {"next(a#b)", "next(can)", "assigned"}, {"can := a#b;", "can := a#b", `";" was expected`}, {"AG (can", "AG can", ")"}, {"a#b : boolean", "a#b : 0", "expected"},
		{"step = go -> can", "step -> can", "enum"}, {"NAME r", "NAME AG", "no identifier"}, {"NAME r", "NAME can", "two things"},
	} {
		text := strings.Replace(good, c[0], c[1], 1)
		if _, err := readSMV(text); err == nil || text == good || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%q for %q: %v, expected %q", c[1], c[0], err, c[2])
		}
	}
}
