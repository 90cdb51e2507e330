package expr

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// Values holds the values for variables from outside the contract, by the name of the variable. Names that a contract does not declare are no
// mistake of that contract.
type Values map[string]Value

// A Value is text that a person typed, to be read as the variable's type, or a value read from a file of values.
type Value struct {
	Text  string
	From  string    // its origin, as messages name it: --var, a file, the environment
	value cty.Value // from a file; Text is empty then
}

// Digest returns the SHA-256 of the values and their origins, as "sha256:..."; empty if there are none.
func (v Values) Digest() string {
	if len(v) == 0 {
		return ""
	}
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(v)) {
		one, read := v[name], ""
		if one.value != cty.NilVal {
			read = one.value.GoString()
		}
		fmt.Fprintf(h, "%q %q %q %q\n", name, one.Text, one.From, read)
	}
	return fmt.Sprintf("sha256:%x", h.Sum(nil))
}

// Read reads a file of values: attributes with the names of variables. From names the file. Mistakes are in the diagnostics.
func Read(from string, src []byte) (Values, hcl.Diagnostics) {
	ev := NewEvaluator(syntax.NewResolver(diag.New(context.Background(), from)), nil, nil)
	if len(src) > hclspec.MaxFileSize {
		ev.Mistake(diag.FileTooLarge, syntax.FileRange(from), fmt.Sprintf("%s is larger than 1 MiB.", from), "A file of values has a line for each variable.")
		return nil, ev.Diags
	}
	if !syntax.Scan(ev.Sink, from, src) {
		return nil, ev.Diags
	}
	file, found := hclsyntax.ParseConfig(src, from, hcl.InitialPos)
	ev.Foreign(diag.Syntax, diag.FirstAtEach(found))
	if ev.Diags.HasErrors() {
		return nil, ev.Diags
	}
	body := file.Body.(*hclsyntax.Body)
	for _, b := range body.Blocks {
		ev.Mistake(diag.UnknownBlock, b.TypeRange, fmt.Sprintf("There is no block %q in a file of values.", b.Type), "Write name = value, a line for each variable.")
	}
	values := Values{}
	for _, a := range syntax.SortedAttributes(body.Attributes) {
		if v, ok := ev.Evaluate(a.Expr); ok {
			values[a.Name] = Value{From: from, value: v}
		}
	}
	return values, diag.SortUnique(ev.Diags)
}

// plainNumber matches a number as people type it, short enough to compute with.
var plainNumber = regexp.MustCompile(`^-?[0-9]{1,50}(\.[0-9]{1,50})?$`)

// as reads the value as a type. If it is not of that type, the text describes what it is instead.
func (v Value) as(t varType) (cty.Value, string) {
	if v.value != cty.NilVal {
		value, ok := t.convert(v.value)
		if !ok {
			return value, t.describe(v.value)
		}
		return value, ""
	}
	if at, _ := syntax.FirstHidden(v.Text); at >= 0 || len(v.Text) > maxText {
		return cty.NilVal, "a text that is too long or has hidden characters"
	}
	switch {
	case t.word == "duration":
		value := cty.StringVal(v.Text)
		if plainNumber.MatchString(v.Text) {
			value = cty.MustParseNumberVal(v.Text)
		}
		if lasts(value) {
			return value, ""
		}
	case t.cty == cty.String:
		return cty.StringVal(v.Text), ""
	case t.cty == cty.Bool && (v.Text == "true" || v.Text == "false"):
		return cty.BoolVal(v.Text == "true"), ""
	case t.cty == cty.Number && plainNumber.MatchString(v.Text):
		return cty.MustParseNumberVal(v.Text), ""
	case t.cty == cty.List(cty.String):
		return v.list(t)
	}
	return cty.NilVal, fmt.Sprintf("%q", v.Text)
}

// list reads ["north", "south"], with the syntax of a file of values.
func (v Value) list(t varType) (cty.Value, string) {
	values, diags := Read(v.From, []byte("list = "+v.Text+"\n"))
	read, ok := values["list"]
	if diags.HasErrors() || !ok || len(values) != 1 {
		return cty.NilVal, fmt.Sprintf("%q, which is not written as [\"north\", \"south\"]", v.Text)
	}
	return read.as(t)
}
