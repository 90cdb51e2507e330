package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What one head holds: files of a package (without tests), lines of a file, files of a package that depend on one another in a ring.
const (
	mostFiles = 25
	mostLines = 500
	mostRing  = 15
)

// stillLarge has the packages that are yet to be taken apart.
var stillLarge = map[string]bool{"cmd/redline": true}

// TestPackagesAreSmall: no package has more files than mostFiles, no file more lines than mostLines, and no more than mostRing files of
// a package form a cycle. File A depends on file B if it uses an object that B declares, by go/types; a method belongs to the file of its receiver's type.
func TestPackagesAreSmall(t *testing.T) {
	h := listHouse(t)
	for _, p := range h.packages {
		name := strings.TrimPrefix(p.ImportPath, module)
		if len(p.GoFiles) > mostFiles && !stillLarge[name] {
			t.Errorf("package %s has %d files, more than %d", p.ImportPath, len(p.GoFiles), mostFiles)
		}
		for _, f := range slices.Concat(p.GoFiles, p.TestGoFiles, p.XTestGoFiles) {
			text, err := os.ReadFile(filepath.Join(p.Dir, f))
			if err != nil {
				t.Fatal(err)
			}
			if n := bytes.Count(text, []byte("\n")); n > mostLines {
				t.Errorf("%s/%s has %d lines, more than %d", p.ImportPath, f, n, mostLines)
			}
		}
		if ring := largestRing(h.fileDependencies(t, p)); len(ring) > mostRing && !stillLarge[name] {
			t.Errorf("%d files of package %s depend on one another, more than %d: %s", len(ring), p.ImportPath, mostRing, strings.Join(ring, " "))
		}
	}
}

type housePackage struct {
	ImportPath, Dir, Export            string
	Standard                           bool
	GoFiles, TestGoFiles, XTestGoFiles []string
}

// A house is the packages of this module, and what type checking needs of those they import.
type house struct {
	packages []housePackage
	exports  map[string]string // import path -> file of export data
	imports  types.Importer
	fset     *token.FileSet
}

func listHouse(t *testing.T) *house {
	t.Helper()
	out, err := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,Export,Standard,GoFiles,TestGoFiles,XTestGoFiles", module+"...").Output()
	if err != nil {
		t.Fatal(err)
	}
	h := &house{exports: map[string]string{}, fset: token.NewFileSet()}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p housePackage
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		h.exports[p.ImportPath] = p.Export
		if strings.HasPrefix(p.ImportPath, module) {
			h.packages = append(h.packages, p)
		}
	}
	h.imports = importer.ForCompiler(h.fset, "gc", func(path string) (io.ReadCloser, error) {
		if h.exports[path] == "" {
			return nil, fmt.Errorf("no export data of %s", path)
		}
		return os.Open(h.exports[path])
	})
	return h
}

// fileDependencies returns, for each file of a package, the files that declare what it uses.
func (h *house) fileDependencies(t *testing.T, p housePackage) map[string]map[string]bool {
	t.Helper()
	var files []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(h.fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	pkg, err := (&types.Config{Importer: h.imports}).Check(p.ImportPath, h.fset, files, info)
	if err != nil {
		t.Fatal(err)
	}
	home := map[types.Object]token.Pos{}
	for _, name := range pkg.Scope().Names() {
		o := pkg.Scope().Lookup(name)
		home[o] = o.Pos()
		if n, ok := o.Type().(*types.Named); ok && o.Pos() == n.Obj().Pos() {
			for i := range n.NumMethods() {
				home[n.Method(i)] = o.Pos()
			}
		}
	}
	uses := map[string]map[string]bool{}
	for i, f := range files {
		from := p.GoFiles[i]
		uses[from] = map[string]bool{}
		ast.Inspect(f, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			o := info.Uses[id]
			if m, ok := o.(*types.Func); ok {
				o = m.Origin()
			}
			if pos, ok := home[o]; ok {
				if to := filepath.Base(h.fset.Position(pos).Filename); to != from {
					uses[from][to] = true
				}
			}
			return true
		})
	}
	return uses
}

// largestRing returns the largest strongly connected component of a graph, in order of names: nodes that reach one another. It
// takes time in proportion to nodes times arcs, which is enough for files of a package.
func largestRing(uses map[string]map[string]bool) (ring []string) {
	reached := map[string]map[string]bool{}
	for from := range uses {
		seen := map[string]bool{}
		for list := []string{from}; len(list) > 0; list = list[1:] {
			for to := range uses[list[0]] {
				if !seen[to] {
					seen[to] = true
					list = append(list, to)
				}
			}
		}
		reached[from] = seen
	}
	for from := range uses {
		var here []string
		for to := range reached[from] {
			if reached[to][from] {
				here = append(here, to)
			}
		}
		slices.Sort(here)
		if len(here) > len(ring) || len(here) == len(ring) && slices.Compare(here, ring) < 0 {
			ring = here
		}
	}
	return ring
}
