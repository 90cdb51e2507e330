package load

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/expr"
)

// open is a contract whose title is the value of its one variable.
func open(typ string) string {
	shown := " ${var.v}"
	if typ == "list(string)" {
		shown = "${join(\"|\", var.v)}"
	}
	return fmt.Sprintf("contract \"c\" { title = \"%s\" }\nvariable \"v\" { type = %s }\nparty \"p\" {\n  state \"s\" {}\n}\n", shown, typ)
}

func load(t *testing.T, text string, given expr.Values) *Source {
	t.Helper()
	src, err := Dir(fstest.MapFS{"c.contract.hcl": {Data: []byte(text)}}, ".", "x", given)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// What people type is read as the variable's type says.
func TestTypedValues(t *testing.T) {
	for _, row := range []struct{ typ, text, want string }{
		{"string", "north", "north"},
		{"string", "", ""},
		{"string", "3", "3"},
		{"string", `"quoted" ${x}`, `"quoted" ${x}`},
		{"string", "a\u202eb", "refused"},
		{"string", strings.Repeat("x", 64<<10+1), "refused"},
		{"number", "3", "3"},
		{"number", "-2.5", "-2.5"},
		{"number", "1e9", "refused"},
		{"number", "0x10", "refused"},
		{"number", "3 purchasers", "refused"},
		{"number", "", "refused"},
		{"number", strings.Repeat("9", 51), "refused"},
		{"bool", "true", "true"},
		{"bool", "false", "false"},
		{"bool", "yes", "refused"},
		{"duration", "14", "14"},
		{"duration", "14 days", "14 days"},
		{"duration", "2 business days", "2 business days"},
		{"duration", "0", "refused"},
		{"duration", "1.5", "refused"},
		{"duration", `"14 days"`, "refused"},
		{"duration", "a fortnight", "refused"},
		{"duration", "2027-01-01", "refused"},
		{"list(string)", `["north", "south"]`, "north|south"},
		{"list(string)", `[]`, ""},
		{"list(string)", `[1]`, "refused"},
		{"list(string)", `north`, "refused"},
		{"list(string)", "[]\nother = 1", "refused"},
		{"list(string)", strings.Repeat("[", 10_000), "refused"},
		{"list(string)", `[upper("north")]`, "NORTH"},
	} {
		src := load(t, open(row.typ), expr.Values{"v": {Text: row.text, From: "the test"}, "unheard-of": {Text: "x"}})
		got := "refused"
		if src.Contract != nil {
			got = strings.TrimPrefix(src.Contract.Title, " ")
		} else if len(src.Diagnostics) != 1 || diag.CodeOf(src.Diagnostics[0]) != diag.ValueRefused || !strings.Contains(src.Diagnostics[0].Detail, "comes from the test") {
			t.Errorf("%s from %.40q: %v", row.typ, row.text, src.Diagnostics)
		}
		if got != row.want {
			t.Errorf("%s from %.40q: %q, want %q", row.typ, row.text, got, row.want)
		}
	}
}

// A file of values has values of its own, which no type has to make out.
func TestReadValues(t *testing.T) {
	values, diags := expr.Read("v.vars", []byte("n = 1 + 1\nwho = \"us\"\nbanks = [\"north\"]\nok = true # so it is\n"))
	if diags.HasErrors() || len(values) != 4 {
		t.Fatal(values, diags)
	}
	for name, row := range map[string][2]string{"n": {"number", "2"}, "who": {"string", "us"}, "banks": {"list(string)", "north"}, "ok": {"bool", "true"}} {
		src := load(t, open(row[0]), expr.Values{"v": values[name]})
		if src.Contract == nil || strings.TrimPrefix(src.Contract.Title, " ") != row[1] {
			t.Errorf("%s: %v", name, src.Diagnostics)
		}
	}
	if src := load(t, open("string"), expr.Values{"v": values["n"]}); len(src.Diagnostics) != 1 || src.Diagnostics[0].Detail != "Its value, a number, comes from v.vars." {
		t.Errorf("a number for a text: %v", src.Diagnostics)
	}
}

func TestBadValueFiles(t *testing.T) {
	for text, want := range map[string]string{
		"n = ":                            "syntax",
		"n = var.m":                       "unknown-name",
		"n = local.m":                     "unknown-name",
		"n = count.x":                     "unknown-name",
		"n = f(1)":                        "unknown-function",
		"b {}":                            "unknown-block",
		"n = 1\nn = 2\n":                  "syntax",
		"n = \"\xff\"":                    "not-utf8",
		"n = " + strings.Repeat("[", 100): "nested-too-deep",
		"#" + strings.Repeat(" ", hclspec.MaxFileSize): "file-too-large",
		"n = [for x in [1] : x]":                       "unsupported-expression",
		"n = \"" + strings.Repeat("x", 70_000) + "\"":  "value-too-large",
	} {
		_, diags := expr.Read("v.vars", []byte(text))
		if len(diags) == 0 || string(diag.CodeOf(diags[0])) != want {
			t.Errorf("%.40q: %.200v, want %s", text, diags, want)
		}
	}
}

func FuzzReadValues(f *testing.F) {
	f.Add([]byte("n = 1\nb = [\"x\", \"y\"]\n"))
	f.Add([]byte("n = ${"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if values, diags := expr.Read("v", data); values == nil && !diags.HasErrors() {
			t.Error("neither values nor mistakes")
		}
	})
}
