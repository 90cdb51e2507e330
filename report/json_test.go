package report

import (
	"bytes"
	stdjson "encoding/json"
	"math/big"
	"strings"
	"testing"
	"unicode"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/json"
	"github.com/redlinehq/redline/report/schema"
)

const schemas = "https://github.com/redlinehq/redline/report/schema/"

func schemaOf(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	for file, raw := range map[string][]byte{"check-v1.1.schema.json": schema.CheckSchema, "review-v1.1.schema.json": schema.ReviewSchema, "compare-v1.1.schema.json": schema.CompareSchema, "config-v1.1.schema.json": schema.ConfigSchema, "replay-v1.1.schema.json": schema.ReplaySchema} {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.AddResource(schemas+file, doc); err != nil {
			t.Fatal(err)
		}
	}
	s, err := c.Compile(schemas + name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validate(t *testing.T, s *jsonschema.Schema, raw []byte) {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(doc); err != nil {
		t.Errorf("%v\n%s", err, raw)
	}
}

func TestJSONIsAsTheSchemaSays(t *testing.T) {
	for _, results := range [][]*finding.Result{nil, {{}}, {sound(), flawed(), illFormed(), together()}, {hostile()}} {
		var b bytes.Buffer
		if err := json.WriteResults(&b, results, "v1.2.3"); err != nil {
			t.Fatal(err)
		}
		validate(t, schemaOf(t, "check-v1.1.schema.json"), b.Bytes())
	}
	for _, r := range []*finding.Review{{}, amendment(), withdrawing(), rewordedOnly(), choosing(), released(), outgrown(), {Contracts: []finding.ContractReview{{Findings: []finding.Finding{{}}}}}} {
		var b bytes.Buffer
		if err := json.WriteReview(&b, r, ""); err != nil {
			t.Fatal(err)
		}
		validate(t, schemaOf(t, "review-v1.1.schema.json"), b.Bytes())
	}
}

func TestJSONSaysNullOnlyWhereNothingIsKnown(t *testing.T) {
	var b bytes.Buffer
	r := flawed()
	r.Model.States = new(big.Int).Exp(big.NewInt(3), big.NewInt(201), nil)
	if err := json.WriteResults(&b, []*finding.Result{r, illFormed()}, "v1"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"states": "` + r.Model.States.String() + `"`, `"states": null`, `"loop": []`, `"trace": null`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in\n%s", want, b.String())
		}
	}
	b.Reset()
	if err := json.WriteResults(&b, []*finding.Result{foreign("</script> \u202e\u009b\U000e0041x")}, "v1"); err != nil {
		t.Fatal(err)
	}
	var back struct{ Contracts []struct{ Name string } }
	if err := stdjson.Unmarshal(b.Bytes(), &back); err != nil || back.Contracts[0].Name != "</script> \u202e\u009b\U000e0041x" {
		t.Errorf("the name came back as %q: %v", back.Contracts[0].Name, err)
	}
	if strings.ContainsFunc(b.String(), func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }) {
		t.Error("a terminal would obey the document")
	}
	if strings.Contains(b.String(), "<") {
		t.Error("the document could not stand inside HTML")
	}
}
