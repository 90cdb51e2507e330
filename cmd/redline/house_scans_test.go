package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// readers are the trees that read what a stranger wrote.
var readers = []string{"hclspec", "engine/pnml", "engine/compile", "engine/explain", "report/lsp", "report/page", "report/text", "report/words", "report/review",
	"engine/conform", "engine/mcc", "report/result", "report/canonical", "report/codeowners", "report/github", "report/record", "report/history"} // report/github/githubtest, too, which only tests use

// passes go once through a whole text or a whole list of names. Called for each of many elements, they take time in proportion to the square of the input.
var passes = []string{"strings.Split", "bytes.Split", "strings.Lines", "bytes.Lines", "strings.SplitSeq", "bytes.SplitSeq", "strings.Count", "bytes.Count", "Nearest"}

// passing lists the functions that may call one of these, and what bounds the work.
var passing = map[string]string{
	"hclspec Nearest":                   "one name against a list that is fixed, or the names of a command line",
	"hclspec Sink.Guess":                "counted by the Suggester of a Load",
	"hclspec Parted":                    "the names of few parties",
	"hclspec RenameKeeper":              "the names of few parties",
	"hclspec Advise":                    "one duration; a file has few that are refused before it is given up",
	"hclspec straighten":                "one line, at a character that ends the reading",
	"hclspec openBracket":               "one line, before a character that ends the reading",
	"hclspec clean":                     "each heredoc once",
	"hclspec Amendment.Amend":           "an example of ours, once for each edit",
	"hclspec RangeAt":                   "once in a file: reading ends there; in a patch once for each edit, of which there are few",
	"hclspec tree.find":                 "one path, of limited length",
	"hclspec Uncommitted":               "git's output, once",
	"hclspec withoutFilters":            "git's output, once",
	"hclspec field.set":                 "one value of settings",
	"hclspec nearest":                   "names of settings are a fixed list",
	"hclspec match":                     "a pattern and a path, of limited length",
	"hclspec objection":                 "one pattern",
	"hclspec Text.write":                "each text once for each block around it, and blocks nest twice",
	"hclspec Text.Note":                 "each comment once",
	"engine/compile Draft.unknownEvent": "counted by the Suggester of a Compile",
	"engine/compile Draft.notSeveral":   "counted by the Suggester of a Compile",
	"engine/compile known.nearest":      "counted by its Suggester",
	"engine/compile Draft.notCounter":   "one comparison: each mistake in a formula is told once",
	"report/lsp markdown":               "one name, of limited length",
	"report/lsp split":                  "one name",
	"report/page passages.file":         "each file once: it is kept",
	"report/text Page.Markdown":         "a page of our own",
	"report/words Cause":                "the path of one block",
	"report/words holidayChange":        "each list of holidays once",
	"report/words elementOf":            "the path of one block, of MostNames to blame for a finding",
	"report/words linesOf":              "each text of an edit once",
	"report/review anchors.same":        "each file once: its lines are kept",
	"report/review parents":             "one header",
	"report/review hunksOf":             "each patch once",
	"engine/conform holder.deviation":   "once in a log: it ends at its first deviation",
	"engine/conform holder.nearest":     "once in a log, likewise",
	"engine/conform Log.readJSON":       "a log once",
	"engine/conform parse":              "a log once, where it is no text",
	"report/codeowners Parse":           "a file once",
	"report/codeowners File.Owners":     "one path, of limited length",
	"report/codeowners parsePattern":    "one line",
	"report/github lines":               "a patch of a test",
	"report/github Hub.find":            "a path of a test",
	"report/github operation.matches":   "a path of a test",
	"report/github Hub.may":             "names of a test",
	"report/record ParseKeys":           "a file once",
	"report/record FindCheckpoints":     "a message once",
	"report/record Parse":               "an entry once",
	"report/record parseEntry":          "an entry once",
	"report/record Repository.notesAt":  "git's output once, and each note once",
	"report/record begin":               "the head of a message once",
	"report/record answer":              "one line of git's",
	"report/record Repository.listed":   "git's output, once",
	"report/record rejections":          "git's output, once",
	"report/record Repository.commits":  "git's output, once",
}

// TestWholePassesAreBounded: in the packages that read input, each function that goes through a whole text or searches all names is listed with what bounds its
// work. 9,000 names that do not exist, each searched in 9,000 that do, once took minutes.
func TestWholePassesAreBounded(t *testing.T) {
	met := map[string]bool{}
	for _, root := range readers {
		err := filepath.WalkDir(filepath.Join("../..", root), func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, d := range file.Decls {
				f, ok := d.(*ast.FuncDecl)
				if !ok || f.Body == nil || !passesThrough(f.Body) {
					continue
				}
				key := root + " " + funcName(f)
				if met[key] = true; passing[key] == "" {
					t.Errorf("%s: %s goes through a whole text or list; say in passing what bounds its work", name, funcName(f))
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for key := range passing {
		if !met[key] {
			t.Errorf("%s is listed, and goes through nothing", key)
		}
	}
}

func passesThrough(body *ast.BlockStmt) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		name := ""
		switch f := call.Fun.(type) {
		case *ast.Ident:
			name = f.Name
		case *ast.SelectorExpr:
			if name = f.Sel.Name; name != "Nearest" {
				if pkg, ok := f.X.(*ast.Ident); ok {
					name = pkg.Name + "." + name
				}
			}
		}
		found = found || slices.Contains(passes, name)
		return true
	})
	return found
}

// funcName returns Type.Method or the function's name.
func funcName(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	of := f.Recv.List[0].Type
	if p, ok := of.(*ast.StarExpr); ok {
		of = p.X
	}
	switch p := of.(type) { // its type parameters
	case *ast.IndexExpr:
		of = p.X
	case *ast.IndexListExpr:
		of = p.X
	}
	if id, ok := of.(*ast.Ident); ok {
		return id.Name + "." + f.Name.Name
	}
	return f.Name.Name
}
