package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// housePage is the page that leads through the house, and elsewhere lists what it names that the house does not declare.
const housePage = "../../.github/ARCHITECTURE.md"

var elsewhere = []string{"AG", "EF", "big.Int", "error", "hcl.Diagnostic", "internal", "panic", "rests_on"}

// TestTheHouseHasWhatItsPageNames: each file, package and name between backquotes in ARCHITECTURE.md exists. A file without its directory lies in one that the
// same paragraph, item or row names. Of "`name` in `path`" and "`name` of `path`", path declares name.
func TestTheHouseHasWhatItsPageNames(t *testing.T) {
	page, err := os.ReadFile(housePage)
	if err != nil {
		t.Fatal(err)
	}
	declared := declaredNames(t)
	for _, block := range regexp.MustCompile(`\n(?:\n|- |\||\d+\. )`).Split(string(page), -1) {
		dirs := []string{".", "hclspec"}
		for _, span := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(block, -1) {
			name := span[1]
			if strings.ContainsAny(name, " -") {
				continue // a command, or text of a contract
			}
			found := slices.Contains(elsewhere, name)
			if !strings.HasSuffix(name, ".go") {
				found = found || len(declared[name]) > 0
			}
			for _, d := range slices.Clone(dirs) {
				at := path.Join(d, name)
				info, err := os.Stat(filepath.Join("../..", at))
				if err != nil {
					continue
				}
				if found = true; !info.IsDir() {
					at = path.Dir(at)
				}
				dirs = append(dirs, at)
			}
			if !found {
				t.Errorf("ARCHITECTURE.md names %s, which does not exist, in:\n%s", name, block)
			}
		}
		for _, said := range regexp.MustCompile("`([\\w.]+)` (?:in|of)\\s+`([\\w./]+)`").FindAllStringSubmatch(block, -1) {
			at := func(file string) bool {
				return slices.ContainsFunc(dirs, func(d string) bool { p := path.Join(d, said[2]); return file == p || path.Dir(file) == p })
			}
			if !slices.ContainsFunc(declared[said[1]], at) {
				t.Errorf("ARCHITECTURE.md says that %s has %s, which is declared in %v", said[2], said[1], declared[said[1]])
			}
		}
	}
}

// declaredNames returns the files that declare a name on the top level, Type.name for methods and fields, package.name, and a package itself.
func declaredNames(t *testing.T) map[string][]string {
	t.Helper()
	names := map[string][]string{}
	err := filepath.WalkDir("../..", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(name, ".go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		at := filepath.ToSlash(strings.TrimPrefix(name, filepath.FromSlash("../../")))
		put := func(name string) {
			names[name] = append(names[name], at)
			names[path.Base(path.Dir(at))+"."+name] = append(names[path.Base(path.Dir(at))+"."+name], at)
		}
		names[path.Base(path.Dir(at))] = append(names[path.Base(path.Dir(at))], at)
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				put(funcName(f))
				continue
			}
			for _, s := range d.(*ast.GenDecl).Specs {
				switch s := s.(type) {
				case *ast.ValueSpec:
					for _, n := range s.Names {
						put(n.Name)
					}
				case *ast.TypeSpec:
					put(s.Name.Name)
					ast.Inspect(s.Type, func(n ast.Node) bool {
						if f, ok := n.(*ast.Field); ok {
							for _, n := range f.Names {
								put(s.Name.Name + "." + n.Name)
								put(n.Name)
							}
						}
						return true
					})
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
