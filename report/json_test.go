package report

import (
	"bytes"
	stdjson "encoding/json"
	"maps"
	"math/big"
	"reflect"
	"slices"
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
	var back json.Check
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

// TestSchemaDescribesEveryField holds the schemas and the Go structs together, both ways.
func TestSchemaDescribesEveryField(t *testing.T) {
	for doc, types := range map[string]map[string]any{
		string(schema.CheckSchema): {"": json.Check{}, "tool": json.Tool{}, "contract": json.Contract{}, "model": json.Model{},
			"requirement": json.Requirement{}, "scenario": json.Scenario{}, "vacuity": json.Vacuity{}, "source": json.Source{}, "trace": json.Trace{},
			"firing": json.Firing{}, "stats": json.Stats{}, "change": json.Change{}, "partyState": json.PartyState{}, "waiver": json.Waiver{}, "rests": json.Rests{}, "keptNorm": json.KeptNorm{}, "ends": json.Ends{}, "proposal": json.Proposal{}, "diagnostic": json.Diagnostic{}},
		string(schema.ReviewSchema): {"": json.Review{}, "contractReview": json.ContractReview{}, "finding": json.Finding{},
			"difference": json.Difference{}, "textChange": json.TextChange{}, "term": json.Term{}, "range": json.Range{}, "position": json.Pos{},
			"behaviour": json.Behaviour{}, "sequence": json.Sequence{}, "choice": json.Choice{}, "view": json.View{}, "act": json.Act{}, "states": json.States{},
			"situation": json.Situation{}, "clause": json.Clause{}, "exposure": json.Exposure{}, "exposed": json.Exposed{}, "picture": json.Picture{},
			"pictureState": json.PictureState{}, "pictureArc": json.PictureArc{}, "refusal": json.Refusal{}, "way": json.Way{}, "guilt": json.Blame{}, "firstRun": json.FirstRun{},
			"block": json.Block{}, "acceptance": json.Acceptance{}, "repair": json.Repair{}, "edit": json.Edit{}, "owed": json.Owed{}, "normDifference": json.NormDifference{}, "normState": json.NormState{}, "later": json.Later{}, "lasting": json.Lasting{}},
		string(schema.CompareSchema): {"": json.Negotiation{}, "origin": json.Origin{}, "contract": json.ContractNegotiation{}, "promise": json.Promise{},
			"effects": json.PromiseEffect{}, "answer": json.Answer{}, "joint": json.Joint{}, "conflict": json.Conflict{}, "course": json.JointSequence{}},
		string(schema.ConfigSchema): {"": json.Settings{}, "setting": json.Setting{}, "contracts": json.Reach{}},
	} {
		type object struct {
			Properties           map[string]map[string]any `json:"properties"`
			Required             []string                  `json:"required"`
			AdditionalProperties *bool                     `json:"additionalProperties"`
		}
		var s struct {
			object
			Defs map[string]object `json:"$defs"`
		}
		if err := stdjson.Unmarshal([]byte(doc), &s); err != nil {
			t.Fatal(err)
		}
		if len(s.Defs) != len(types)-1 {
			t.Errorf("the schema defines %d types, the code has %d", len(s.Defs), len(types)-1)
		}
		for name, v := range types {
			o := s.object
			if name != "" {
				o = s.Defs[name]
			}
			always, fields := jsonFields(v)
			if !slices.Equal(always, sorted(o.Required)) {
				t.Errorf("%s: the code writes %v, the schema requires %v", name, always, sorted(o.Required))
			}
			if properties := slices.Sorted(maps.Keys(o.Properties)); !slices.Equal(properties, fields) {
				t.Errorf("%s: the code writes %v, the schema has %v", name, fields, properties)
			}
			if o.AdditionalProperties == nil || *o.AdditionalProperties {
				t.Errorf("%s: the schema allows other properties", name)
			}
		}
	}
}

// jsonFields names the fields of a struct: those that are always written, and all.
func jsonFields(v any) (always, all []string) {
	for f := range reflect.TypeOf(v).Fields() {
		name, optional := strings.CutSuffix(f.Tag.Get("json"), ",omitempty")
		if all = append(all, name); !optional {
			always = append(always, name)
		}
	}
	return sorted(always), sorted(all)
}

func sorted(s []string) []string {
	s = slices.Clone(s)
	slices.Sort(s)
	return s
}

// pieces counts the bytes written, and those written at once.
type pieces struct {
	bytes.Buffer
	largest int
}

func (p *pieces) Write(b []byte) (int, error) {
	p.largest = max(p.largest, len(b))
	return p.Buffer.Write(b)
}

// TestReviewIsWrittenInPieces: a review is the same document as one that is encoded as a whole, and is written contract by contract.
func TestReviewIsWrittenInPieces(t *testing.T) {
	for _, n := range []int{0, 1, 2, 40} {
		r := &finding.Review{Base: `"contracts": [`, Head: "contracts", Unchanged: 7, Unplaced: []finding.Acceptance{{Name: `"contracts": []`}}}
		for i := range n {
			r.Contracts = append(r.Contracts, finding.ContractReview{Path: string(rune('A' + i)), Title: "é\n\"contracts\": ["})
		}
		var got pieces
		if err := json.WriteReview(&got, r, "x"); err != nil {
			t.Fatal(err)
		}
		var doc json.Review
		if err := stdjson.Unmarshal(got.Bytes(), &doc); err != nil || len(doc.Contracts) != n || doc.Unchanged != 7 {
			t.Fatalf("%v: %d contracts in %s", err, len(doc.Contracts), got.String())
		}
		var want bytes.Buffer
		if err := json.Encode(&want, doc); err != nil || got.String() != want.String() {
			t.Errorf("%v: got %s, want %s", err, got.String(), want.String())
		}
		if n == 40 && got.largest > got.Len()/10 {
			t.Errorf("%d of %d bytes were written at once", got.largest, got.Len())
		}
	}
}
