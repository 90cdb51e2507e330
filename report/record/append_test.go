package record

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestWrittenAsJSON holds what is written to encoding/json.
func TestWrittenAsJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.Make[Statement]().Draw(t, "statement")
		var want bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetIndent("", " ")
		e.SetEscapeHTML(false)
		if err := e.Encode(&s); err != nil {
			t.Fatal(err)
		}
		if got := s.Encode(); !bytes.Equal(got, ASCII(want.Bytes())) {
			t.Fatalf("%s\n%s", got, want.Bytes())
		}
	})
}

// slowly reads by encoding/json; what is written again has to be the same.
func slowly(raw []byte, v any) bool {
	return json.Unmarshal(raw, v) == nil && bytes.Equal(Encode(v), raw)
}

// agree holds Form.Read to slowly.
func agree(t interface{ Fatalf(string, ...any) }, raw []byte) {
	var got, want Statement
	if is, must := form.Read(raw, &got) == nil, slowly(raw, &want); is != must || is && !reflect.DeepEqual(got, want) {
		t.Fatalf("read %t, not %t: %q\n%+v\n%+v", is, must, raw, got, want)
	}
	var e, f envelope
	if is, must := form.Read(raw, &e) == nil, slowly(raw, &f); is != must || is && !reflect.DeepEqual(e, f) {
		t.Fatalf("read %t, not %t: %q\n%+v\n%+v", is, must, raw, e, f)
	}
}

// TestReadStrictly: what is written is read, and what is not written so is not, wherever it differs.
func TestReadStrictly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.Make[Statement]().Draw(t, "statement")
		raw := s.Encode()
		var again Statement
		if form.Read(raw, &again) != nil || !bytes.Equal(again.Encode(), raw) {
			t.Fatalf("not read: %s", raw)
		}
		agree(t, raw)
		agree(t, Sealed(raw[:min(len(raw), 50)], s.Type, []byte(s.PredicateType)))
		for range 2 {
			agree(t, spoiled(t, raw))
		}
	})
}

// spoiled is a text with a little taken out, put in, put twice, or changed, often such as might pass.
func spoiled(t *rapid.T, raw []byte) []byte {
	at := rapid.IntRange(0, len(raw)).Draw(t, "at")
	to := min(len(raw), at+rapid.IntRange(0, 40).Draw(t, "length"))
	in := rapid.SampledFrom([]string{"", " ", "\n", "null", "[]", "{}", "0", "-0", "00", "1e0", "-", `\u0041`, `\u00e9`, `\u00E9`, `\/`, `\"`, `"`, ",", "true", "\x7f", "\xff", "é", string(raw[at:to]) + string(raw[at:to])}).Draw(t, "in")
	return slices.Concat(raw[:at], []byte(in), raw[to:])
}

func FuzzReadStrictly(f *testing.F) {
	f.Add((&Statement{}).Encode())
	f.Add((&Statement{Subject: []Subject{}, Predicate: predicate{Configuration: []resource{{Name: "é\"\\\x7f", Digest: &Digest{}}}, PassedTests: []string{"a", ""}}}).Encode())
	f.Add((&Statement{Predicate: predicate{Draft: Draft{Format: -1, Requirements: []Requirement{{Vacuous: true, Waiver: &Waiver{}}}, When: When{Previous: &Previous{}, Change: &Change{}}}}}).Encode())
	f.Add(Sealed([]byte("{}\n"), "id", []byte("sig")))
	f.Fuzz(func(t *testing.T, raw []byte) { agree(t, raw) })
}
