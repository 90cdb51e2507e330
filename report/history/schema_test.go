package history

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/redlinehq/redline/report/record"
	"github.com/redlinehq/redline/report/schema"
)

// valid holds a document to the schema.
func valid(t *testing.T, doc string) {
	t.Helper()
	const at = "https://github.com/redlinehq/redline/report/schema/"
	c := jsonschema.NewCompiler()
	for name, raw := range map[string][]byte{"check-v1.1.schema.json": schema.CheckSchema, "history-v1.1.schema.json": schema.HistorySchema} {
		s, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.AddResource(at+name, s); err != nil {
			t.Fatal(err)
		}
	}
	s, err := c.Compile(at + "history-v1.1.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	d, err := jsonschema.UnmarshalJSON(strings.NewReader(doc))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(d); err != nil {
		t.Errorf("%v\n%s", err, doc)
	}
}

// TestSchemaDescribesEveryField holds the schema and the Go structs together, both ways.
func TestSchemaDescribesEveryField(t *testing.T) {
	types := map[string]any{"": jsonHistory{}, "answer": jsonAnswer{}, "point": jsonPoint{}, "draft": jsonDraft{}, "signature": jsonSignature{}, "requirement": jsonRequirement{},
		"commit": record.Commit{}, "change": record.Change{}, "verdictChange": record.VerdictChange{}, "waiver": record.Waiver{}}
	type object struct {
		Properties map[string]any `json:"properties"`
		Required   []string       `json:"required"`
		More       *bool          `json:"additionalProperties"`
	}
	var s struct {
		object
		Defs map[string]object `json:"$defs"`
	}
	if err := json.Unmarshal(schema.HistorySchema, &s); err != nil {
		t.Fatal(err)
	}
	if len(s.Defs) != len(types)-1 {
		t.Errorf("the schema defines %d types, the code has %d", len(s.Defs), len(types)-1)
	}
	for name, v := range types {
		o := s.Defs[name]
		if name == "" {
			o = s.object
		}
		var fields []string
		for f := range reflect.TypeOf(v).Fields() {
			fields = append(fields, f.Tag.Get("json"))
		}
		slices.Sort(fields)
		slices.Sort(o.Required)
		if !slices.Equal(fields, o.Required) || !slices.Equal(fields, slices.Sorted(maps.Keys(o.Properties))) || o.More == nil || *o.More {
			t.Errorf("%q: the code writes %v, the schema requires %v", name, fields, o.Required)
		}
	}
}
