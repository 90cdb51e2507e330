package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func listed(t *testing.T) []rule {
	t.Helper()
	text, err := os.ReadFile("../../.ci/skips")
	if err != nil {
		t.Fatal(err)
	}
	list, err := readList(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestListedTestsAreThere: each line of the list means a test, and no test is on two lines of one tier.
func TestListedTestsAreThere(t *testing.T) {
	list := listed(t)
	for i, r := range list {
		if slices.Contains(list[:i], r) {
			t.Errorf("%v is there twice", r)
		}
		files, err := filepath.Glob(filepath.Join("../..", filepath.FromSlash(r.pkg), "*_test.go"))
		if err != nil || len(files) == 0 {
			t.Errorf("package %s has no tests, %v", r.pkg, err)
		}
		if !slices.ContainsFunc(files, func(name string) bool { return has(t, name, r.test) }) {
			t.Errorf("package %s has no test %s", r.pkg, r.test)
		}
	}
}

// has says whether a file has a test that a pattern means, subtests aside.
func has(t *testing.T, name, pattern string) bool {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	pattern, _, _ = strings.Cut(pattern, "/")
	return slices.ContainsFunc(file.Decls, func(d ast.Decl) bool {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			return false
		}
		met, _ := path.Match(pattern, f.Name.Name)
		return met
	})
}

const said = `{"Action":"start","Package":"github.com/redlinehq/redline/a"}
{"Action":"output","Package":"github.com/redlinehq/redline/a","Test":"TestGood","Output":"=== RUN   TestGood\n"}
{"Action":"output","Package":"github.com/redlinehq/redline/a","Test":"TestGood","Output":"    a_test.go:3: well\n"}
{"Action":"pass","Package":"github.com/redlinehq/redline/a","Test":"TestGood","Elapsed":0}
{"Action":"output","Package":"github.com/redlinehq/redline/a","Test":"TestSlow","Output":"=== RUN   TestSlow\n"}
{"Action":"output","Package":"github.com/redlinehq/redline/a","Test":"TestSlow","Output":"    a_test.go:7: takes: long\n"}
{"Action":"output","Package":"github.com/redlinehq/redline/a","Test":"TestSlow","Output":"--- SKIP: TestSlow (0.00s)\n"}
{"Action":"skip","Package":"github.com/redlinehq/redline/a","Test":"TestSlow","Elapsed":0}
{"Action":"output","Package":"github.com/redlinehq/redline/a","Output":"PASS\n"}
{"Action":"output","Package":"github.com/redlinehq/redline/a","Output":"ok  \tgithub.com/redlinehq/redline/a\t0.1s\n"}
{"Action":"pass","Package":"github.com/redlinehq/redline/a","Elapsed":0.1}
`

const broken = `{"Action":"output","Package":"github.com/redlinehq/redline/b","Test":"TestBad","Output":"    b_test.go:3: wrong\n"}
{"Action":"output","Package":"github.com/redlinehq/redline/b","Test":"TestBad","Output":"--- FAIL: TestBad (0.00s)\n"}
{"Action":"fail","Package":"github.com/redlinehq/redline/b","Test":"TestBad","Elapsed":0}
{"Action":"output","Package":"github.com/redlinehq/redline/b","Output":"FAIL\n"}
{"Action":"output","Package":"github.com/redlinehq/redline/b","Output":"FAIL\tgithub.com/redlinehq/redline/b\t0.1s\n"}
{"Action":"fail","Package":"github.com/redlinehq/redline/b","Elapsed":0.1}
`

const ended = `{"Action":"output","Package":"github.com/redlinehq/redline/b","Test":"TestB","Output":"panic: test timed out\n"}
{"Action":"output","Package":"github.com/redlinehq/redline/b","Test":"TestA","Output":"=== RUN   TestA\n"}
{"Action":"output","Package":"github.com/redlinehq/redline/b","Output":"FAIL\tgithub.com/redlinehq/redline/b\t0.1s\n"}
{"Action":"fail","Package":"github.com/redlinehq/redline/b","Elapsed":0.1}
`

const unbuilt = `{"ImportPath":"x","Action":"build-output","Output":"b.go:1:1: undefined: x\n"}
{"ImportPath":"x","Action":"build-fail"}
{"Action":"output","Package":"github.com/redlinehq/redline/b","Output":"FAIL\tgithub.com/redlinehq/redline/b [build failed]\n"}
{"Action":"fail","Package":"github.com/redlinehq/redline/b","Elapsed":0,"FailedBuild":"x"}
`

// TestReport: what is printed, and whether it is well.
func TestReport(t *testing.T) {
	slow := []rule{{"nightly", "a", "TestSl*"}}
	skipped := "skipped, as expected (nightly): 1\n  a TestSlow: takes: long\n"
	unexpected := "SKIPPED, AND NOT IN THE LIST OF EXPECTED SKIPS: 1\n  a TestSlow: takes: long\n"
	const a, b = "ok  \tgithub.com/redlinehq/redline/a\t0.1s\n", "FAIL\tgithub.com/redlinehq/redline/b\t0.1s\n"
	for name, c := range map[string]struct {
		events string
		list   []rule
		now    surroundings
		want   string
		ok     bool
	}{
		"expected":             {said, slow, surroundings{}, skipped + a, true},
		"at night":             {said, slow, surroundings{heavy: true}, unexpected + a, false},
		"not listed":           {said, nil, surroundings{}, unexpected + a, false},
		"of another package":   {said, []rule{{"nightly", "b", "TestSlow"}}, surroundings{}, unexpected + a, false},
		"of this system":       {said, []rule{{"windows", "a", "TestSlow"}}, surroundings{system: "windows"}, "skipped, as expected (windows): 1\n  a TestSlow: takes: long\n" + a, true},
		"of another system":    {said, []rule{{"windows", "a", "TestSlow"}}, surroundings{system: "linux"}, unexpected + a, false},
		"with tools":           {said, []rule{{"tool", "a", "TestSlow"}}, surroundings{strict: true}, unexpected + a, false},
		"with fetched corpora": {said, []rule{{"fetched", "a", "TestSlow"}}, surroundings{fetched: true}, unexpected + a, false},
		"with corpora":         {said, []rule{{"corpus", "a", "TestSlow"}}, surroundings{corpus: true}, unexpected + a, false},
		"a failure":            {said + broken, slow, surroundings{}, "    b_test.go:3: wrong\n--- FAIL: TestBad (0.00s)\nFAIL\n" + skipped + a + b, false},
		"what ended early":     {ended, nil, surroundings{}, "=== RUN   TestA\npanic: test timed out\n" + b, false},
		"what is not built":    {unbuilt, nil, surroundings{}, "b.go:1:1: undefined: x\nFAIL\tgithub.com/redlinehq/redline/b [build failed]\n", false},
		"what is no event":     {"go: no such directory\n", nil, surroundings{}, "go: no such directory\n", false},
		"nothing":              {"", nil, surroundings{}, "", false},
	} {
		var out strings.Builder
		ok, err := report(strings.NewReader(c.events), &out, c.list, c.now)
		if err != nil || ok != c.ok || out.String() != c.want {
			t.Errorf("%s: %t, %v\n%s\nexpected\n%s", name, ok, err, out.String(), c.want)
		}
	}
}

// TestUnreadableList: a line that is no rule is named.
func TestUnreadableList(t *testing.T) {
	for text, want := range map[string]string{"nightly a": "line 1", "\n# x\nsometimes a TestX": "line 3", "asked a [": "line 1"} {
		if _, err := readList(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
