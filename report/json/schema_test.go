package json

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/schema"
)

// TestSchemaDescribesEveryField holds the schemas and the Go structs together, both ways.
func TestSchemaDescribesEveryField(t *testing.T) {
	for doc, types := range map[string]map[string]any{
		string(schema.CheckSchema): {"": check{}, "tool": program{}, "contract": contract{}, "model": model{},
			"requirement": requirement{}, "scenario": scenario{}, "vacuity": vacuity{}, "source": source{}, "trace": trace{},
			"firing": firing{}, "stats": stats{}, "change": change{}, "partyState": partyState{}, "waiver": waiver{}, "rests": rests{}, "keptNorm": keptNorm{}, "ends": ends{}, "proposal": proposal{}, "diagnostic": diagnostic{}},
		string(schema.ReviewSchema): {"": review{}, "contractReview": contractReview{}, "finding": reviewFinding{},
			"difference": difference{}, "textChange": textChange{}, "term": term{}, "range": textRange{}, "position": position{},
			"behaviour": behaviour{}, "sequence": sequence{}, "choice": choice{}, "view": view{}, "act": act{}, "states": states{},
			"situation": situation{}, "clause": clause{}, "exposure": exposure{}, "exposed": exposed{}, "picture": picture{},
			"pictureState": pictureState{}, "pictureArc": pictureArc{}, "refusal": refusal{}, "way": way{}, "guilt": blame{}, "firstRun": firstRun{},
			"block": block{}, "acceptance": acceptance{}, "repair": repair{}, "edit": edit{}, "owed": owed{}, "normDifference": normDifference{}, "normState": normState{}, "later": later{}, "lasting": lasting{}},
		string(schema.CompareSchema): {"": negotiation{}, "origin": origin{}, "contract": contractNegotiation{}, "promise": promise{},
			"effects": promiseEffect{}, "answer": answer{}, "joint": joint{}, "conflict": conflict{}, "course": jointSequence{}},
		string(schema.ConfigSchema): {"": inForce{}, "setting": setting{}, "contracts": reach{}},
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
		if err := json.Unmarshal([]byte(doc), &s); err != nil {
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
		if err := WriteReview(&got, r, "x"); err != nil {
			t.Fatal(err)
		}
		var doc review
		if err := json.Unmarshal(got.Bytes(), &doc); err != nil || len(doc.Contracts) != n || doc.Unchanged != 7 {
			t.Fatalf("%v: %d contracts in %s", err, len(doc.Contracts), got.String())
		}
		var want bytes.Buffer
		if err := Encode(&want, doc); err != nil || got.String() != want.String() {
			t.Errorf("%v: got %s, want %s", err, got.String(), want.String())
		}
		if n == 40 && got.largest > got.Len()/10 {
			t.Errorf("%d of %d bytes were written at once", got.largest, got.Len())
		}
	}
}
