package diag

import (
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// TestWordings gives HCL a text for each message that is reworded: a row for a message that HCL no longer has would fail.
func TestWordings(t *testing.T) {
	texts := map[string]string{ // by message, or by another detail of the same message
		"a { b = 1, c = 2 }\n":            "A block on one line has room for one attribute only.",
		"a { b = 1\n}\n":                  "A block on one line has room for one attribute only.",
		"a { b = 1 c = 2 }\n":             "A block on one line has room for one attribute only.",
		"a { b \"c\" {} }\n":              "An equals sign is missing, or this is a block inside a block on one line.",
		"a\n":                             "After this name, an equals sign or a block in braces is missing.",
		"1\n":                             "The name of an attribute or of a block is expected here.",
		"a = 1\na = 2\n":                  "Attribute \"a\" is given twice in one block; first on line 1.",
		"\"a\" = 1\n":                     "The name of an attribute has no quotes.",
		"a {\n":                           "A closing brace } is missing: this block does not end before the end of the file.",
		"a \"b\" = {}\n":                  "A block has no equals sign before its braces.",
		"a \"b\"\n{\n}\n":                 "The opening brace { of a block is missing.",
		"a \"b\" 1 {}\n":                  "After the name of a block, its label in quotes or { is expected.",
		"a {} b {}\n":                     "Something follows a block on its last line.",
		"a = 1 b = 2\n":                   "Something follows an attribute on its line.",
		"a = 1,\n":                        "A comma follows an attribute.",
		"a = \n":                          "A value is expected here.",
		"a =":                             "A value is expected here.",
		"a = [b c]\n":                     "A comma is missing in this list.",
		"a = { b = 1 c = 2 }\n":           "A comma is missing between two pairs in braces.",
		"a = { b }\n":                     "After this name in braces, = and a value are missing.",
		"a = { b, c = 1 }\n":              "After this name in braces, = and a value are missing.",
		"a = [1":                          "A closing bracket ] is missing.",
		"a = { b = 1":                     "A closing brace } is missing.",
		"a = f(1":                         "A closing parenthesis ) is missing.",
		"a = (1\n":                        "A closing parenthesis ) is missing.",
		"a = f(1 2)\n":                    "A comma or a closing parenthesis ) is missing.",
		"a = \"b\n":                       "A closing quote is missing: a text in quotes ends on the line on which it begins.",
		"a = <<-EOT\nb\n":                 "The end of this text is missing.",
		"a = 'b'\n":                       "A text stands in double quotes, not in single ones.",
		"a = \u201cb\u201d\n":             "A text stands in straight quotes, not in curly ones.",
		"a = 1;\n":                        "There are no semicolons here.",
		"a = @\n":                         "This character has no meaning here.",
		"a = \"${1":                       "After ${ in a text, the closing brace } is missing.",
		"a = \"${1 2}\"\n":                "Between ${ and } in a text, one value is expected.",
		"a = 1 ? 2 : 3\n":                 "What stands before ? must be true or false.",
		"a = null ? 2 : 3\n":              "What stands before ? must be true or false; this is nothing (null).",
		"a = true ? [1] : { b = true }\n": "Both values after ? must be of one type.",
		"a = [1][2]\n":                    "The list has no element with this number; the first is [0].",
	}
	made := map[string]bool{}
	for text, want := range texts {
		d := first(text)
		if d == nil {
			t.Errorf("%q: no mistake", text)
			continue
		}
		if got, _ := reworded(d); got != want {
			t.Errorf("%q: %q; HCL: %q: %q", text, got, d.Summary, d.Detail)
		}
		made[want] = true
	}
	for _, w := range wordings {
		if !made[w.message] {
			t.Errorf("no text for %q", w.message)
		}
	}
}

// first returns HCL's first diagnostic on a text, read or else evaluated.
func first(text string) *hcl.Diagnostic {
	file, found := hclsyntax.ParseConfig([]byte(text), "a.hcl", hcl.InitialPos)
	if len(found) == 0 {
		for _, a := range file.Body.(*hclsyntax.Body).Attributes {
			_, found = a.Expr.Value(&hcl.EvalContext{Variables: map[string]cty.Value{}})
		}
	}
	if len(found) == 0 {
		return nil
	}
	return found[0]
}
