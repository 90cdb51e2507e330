package load

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/hclspec/diag"
)

// withoutExample are the codes of mistakes that a few lines of HCL cannot show.
var withoutExample = []codes.Code{diag.FileTooLarge, diag.ContractTooLarge, diag.NestedTooDeep, diag.ExpressionTooLong,
	diag.NotUTF8, diag.NotRegular}

// ownCodes returns the codes of mistakes in the text of a contract, read from the source of package diag.
func ownCodes(t *testing.T) []codes.Code {
	file, err := parser.ParseFile(token.NewFileSet(), "../diag/code.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var all []codes.Code
	ast.Inspect(file, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok {
			slug, err := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, codes.Code(slug))
		}
		return true
	})
	if len(all) < 20 {
		t.Fatalf("found only %d codes: has the table moved?", len(all))
	}
	return all
}

var fence = regexp.MustCompile("(?ms)^```hcl([^\n]*)\n(.*?)^```$")

// complete adds what a fragment lacks to be a contract.
func complete(fragment string) string {
	if !regexp.MustCompile(`(?m)^contract `).MatchString(fragment) {
		fragment += "\ncontract \"c\" {}\n"
	}
	if !regexp.MustCompile(`(?m)^(party|net) `).MatchString(fragment) {
		fragment += "\nparty \"seller\" {\n  state \"S0\" {}\n}\n"
	}
	return fragment
}

func loadText(t *testing.T, text string) *Source {
	t.Helper()
	src, err := Dir(fstest.MapFS{"c.contract.hcl": {Data: []byte(text)}}, ".", "x", nil)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

func codesOf(src *Source) []codes.Code {
	var found []codes.Code
	for _, d := range src.Diagnostics {
		found = append(found, diag.CodeOf(d))
	}
	return found
}

// Every code has a page; its first example makes that mistake and no other, its second none.
func TestPages(t *testing.T) {
	for _, code := range ownCodes(t) {
		page, ok := codes.Lookup(code)
		if !ok {
			t.Errorf("%s has no page", code)
			continue
		}
		if page.Class != codes.Error {
			t.Errorf("%s: class %s, but Load makes errors of it", code, page.Class)
		}
		fences := fence.FindAllStringSubmatch(page.Text, -1)
		if slices.Contains(withoutExample, code) {
			continue
		}
		if len(fences) != 2 {
			t.Errorf("%s: %d examples, want the mistake and the mended text", code, len(fences))
			continue
		}
		mistake := fences[0][2]
		if code != diag.EmptyContract {
			mistake = complete(mistake)
		}
		if got := codesOf(loadText(t, mistake)); !slices.Equal(got, []codes.Code{code}) {
			t.Errorf("%s: the mistake gives %v", code, got)
		}
		if src := loadText(t, complete(fences[1][2])); len(src.Diagnostics) > 0 {
			t.Errorf("%s: the mended text gives %v", code, src.Diagnostics)
		}
	}
}
