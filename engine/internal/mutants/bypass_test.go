package mutants

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path"
	"slices"
	"testing"

	"github.com/redlinehq/redline/engine/internal/draws"
)

// TestBypassesBuild: the packages are well-typed with every bypass planted. Bodies alone change, so each is checked against the others as they are.
func TestBypassesBuild(t *testing.T) {
	draws.SkipForRaces(t)
	changed := planted(t, bypasses(t))
	var packages []string
	for name := range changed {
		packages = append(packages, "./"+path.Dir(name))
	}
	slices.Sort(packages)
	packages = slices.Compact(packages)
	type listed struct {
		Name, ImportPath, Export string
		GoFiles                  []string
	}
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"list", "-deps", "-export", "-json=Name,ImportPath,Export,GoFiles"}, packages...)...)
	cmd.Dir = "../../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]listed{}
	for from := json.NewDecoder(bytes.NewReader(out)); from.More(); {
		var p listed
		if err := from.Decode(&p); err != nil {
			t.Fatal(err)
		}
		all[p.ImportPath] = p
	}
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(all[path].Export) })
	for _, dir := range packages {
		p := all[path.Join("github.com/redlinehq/redline", dir)]
		var files []*ast.File
		parse := func(name string, text []byte) {
			file, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
			if err != nil {
				t.Error(err)
				return
			}
			files = append(files, file)
		}
		for _, name := range p.GoFiles {
			name = path.Join(dir, name)
			text, ok := changed[name]
			if !ok {
				text = read(t, "../../../"+name)
			}
			parse(name, text)
		}
		parse(path.Join(dir, "mutant_switch.go"), switchSource(p.Name))
		conf := types.Config{Importer: imports, Error: func(err error) { t.Errorf("with every bypass planted: %v", err) }}
		_, _ = conf.Check(p.ImportPath, fset, files, nil)
		if len(files) <= 1 {
			t.Errorf("%s has no files", dir)
		}
	}
}
