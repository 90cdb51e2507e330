package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// apart are functions that start goroutines, and are not looked at for races: they wait for another program, or measure.
var apart = map[string]string{
	"cmd/redline TestHugeRepositoriesEndOnSignal": "waits for a process",
	"cmd/redline TestManyAtOnce":                  "waits for processes",
	"report draw":                                 "waits for a browser",
	"report/history peak":                         "measures memory",
}

// A raceRun names the tests that .ci/run runs under the race detector.
type raceRun struct {
	whole map[string]bool           // packages of which all tests run
	named map[string]*regexp.Regexp // by package, the tests that run
	tests []string                  // all names that are given
}

func racesLookedFor(t *testing.T) raceRun {
	t.Helper()
	r := raceRun{map[string]bool{}, map[string]*regexp.Regexp{}, nil}
	ci := strings.ReplaceAll(fileText(t, "../../.ci/run"), "\\\n", "")
	for _, m := range regexp.MustCompile(`(?m)^race (?:-run '([^']+)')?([^\n]*)$`).FindAllStringSubmatch(ci, -1) {
		for pkg := range strings.FieldsSeq(m[2]) {
			pkg = strings.TrimPrefix(pkg, "./")
			if m[1] == "" {
				r.whole[pkg] = true
				continue
			}
			tests := regexp.MustCompile(`\$/\^\([^)]*\)`).ReplaceAllString(m[1], "") // without the names of scripts
			r.named[pkg] = regexp.MustCompile(tests)
			for name := range strings.FieldsFuncSeq(tests, func(c rune) bool { return strings.ContainsRune("^$()|", c) }) {
				r.tests = append(r.tests, name)
			}
		}
	}
	for _, m := range regexp.MustCompile(`\$/\^\(([^)]*)\)`).FindAllStringSubmatch(ci, -1) {
		for name := range strings.SplitSeq(m[1], "|") {
			fileText(t, "testdata/script/"+name+".txtar")
		}
	}
	if len(r.whole) < 10 || len(r.named) < 3 || len(r.tests) < 5 {
		t.Fatalf("only %v", r)
	}
	return r
}

// TestRacesAreLookedFor: .ci/run names every package that starts goroutines, and of those of which only tests do, these tests; and all that it
// names is there: go test says nothing of a name that it does not find.
func TestRacesAreLookedFor(t *testing.T) {
	r := racesLookedFor(t)
	starts, tests := starters(t)
	for s := range starts {
		pkg, name, _ := strings.Cut(s, " ")
		if at := r.named[pkg]; r.whole[pkg] || apart[s] != "" || at != nil && (!strings.HasPrefix(name, "Test") || at.MatchString(name)) {
			continue
		}
		t.Errorf("%s starts goroutines, and .ci/run does not look for races there", s)
	}
	for s := range apart {
		if !starts[s] {
			t.Errorf("%s starts no goroutine", s)
		}
	}
	for _, name := range r.tests {
		if !regexp.MustCompile(`(?m)^` + name + `$`).MatchString(tests) {
			t.Errorf("there is no test %s", name)
		}
	}
}

// starters returns the functions of this project that start goroutines, each as "package function", and the names of all tests, one a line.
func starters(t *testing.T) (starts map[string]bool, tests string) {
	t.Helper()
	starts = map[string]bool{}
	var names strings.Builder
	err := filepath.WalkDir("../..", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(name, ".go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		pkg := path.Dir(strings.TrimPrefix(filepath.ToSlash(name), "../../"))
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			names.WriteString(f.Name.Name + "\n")
			ast.Inspect(f, func(n ast.Node) bool {
				if startsGoroutine(n) {
					starts[pkg+" "+f.Name.Name] = true
				}
				return true
			})
		}
		return nil
	})
	if err != nil || len(starts) < 20 {
		t.Fatalf("%v; %v", starts, err)
	}
	return starts, names.String()
}

// startsGoroutine says whether a go statement is there, a call of a Go method with a function, or a server for tests.
func startsGoroutine(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GoStmt:
		return true
	case *ast.CallExpr:
		called, ok := n.Fun.(*ast.SelectorExpr)
		if !ok {
			return false
		}
		on, _ := called.X.(*ast.Ident)
		return called.Sel.Name == "Go" && len(n.Args) == 1 || on != nil && on.Name == "httptest" && strings.HasSuffix(called.Sel.Name, "Server")
	}
	return false
}
