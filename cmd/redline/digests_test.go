package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/hclspec/load"
)

// TestDigestsStay: what the language gains changes no contract that was there before. Records name drafts by their digests. A line of
// testdata/digests.txt changes only with the example itself.
func TestDigestsStay(t *testing.T) {
	want := strings.Fields(fileText(t, "testdata/digests.txt"))
	dirs, err := load.Find(examples.FS, ".")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("../../hclspec/examples")
	out, _ := runMain(t, append([]string{"check", "--format", "json"}, dirs...)...)
	var results struct {
		Contracts []struct{ Path, Digest string }
	}
	if err := json.Unmarshal([]byte(out), &results); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, c := range results.Contracts {
		got[c.Path] = c.Digest
	}
	for i := 0; i+1 < len(want); i += 2 {
		if path, digest := want[i], want[i+1]; got[path] != digest {
			t.Errorf("%s has digest %s, and had %s", path, got[path], digest)
		}
	}
}
