package record

import (
	"bytes"
	"encoding/json"
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
		if got := s.encode(); !bytes.Equal(got, ASCII(want.Bytes())) {
			t.Fatalf("%s\n%s", got, want.Bytes())
		}
	})
}
