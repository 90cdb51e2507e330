package engine_test

import (
	"context"
	"fmt"
	"maps"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
)

// TestUnchangedIsReadOnce: a contract whose files are the same on both sides, byte for byte, is one draft; one
// with any other file, or with fewer or more of them, is not.
func TestUnchangedIsReadOnce(t *testing.T) {
	const text = "contract \"c\" {}\nparty \"p\" {\n  state \"S\" {}\n}\n"
	base, head := fstest.MapFS{}, fstest.MapFS{}
	for _, name := range []string{"same", "changed", "less", "more", "renamed", "broken"} {
		for _, side := range []fstest.MapFS{base, head} {
			side[name+"/a.contract.hcl"] = &fstest.MapFile{Data: []byte(text)}
			side[name+"/notes.txt"] = &fstest.MapFile{Data: []byte(fmt.Sprintf("%p", side))} // is none of it
		}
	}
	extra := &fstest.MapFile{Data: []byte("\n")}
	base["less/b.contract.hcl"], head["more/b.contract.hcl"] = extra, extra
	base["renamed/b.contract.hcl"], head["renamed/c.contract.hcl"] = extra, extra
	head["changed/a.contract.hcl"] = &fstest.MapFile{Data: []byte(text + "\n")}
	for _, side := range []fstest.MapFS{base, head} {
		side["broken/a.contract.hcl"] = &fstest.MapFile{Data: []byte("party {")}
		side["huge/a.contract.hcl"] = &fstest.MapFile{Data: make([]byte, hclspec.MaxFileSize+1)} // is not kept, so it may be another
	}
	before, err := engine.Tree{FS: base, Root: "."}.Drafts(context.Background(), nil, 2)
	if err != nil {
		t.Fatal(err)
	}
	after, err := engine.Tree{FS: head, Root: "."}.DraftsBeside(context.Background(), before, nil, 2)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for i, d := range after {
		got[d.Path] = d == before[i]
	}
	want := map[string]bool{"same": true, "broken": true, "changed": false, "less": false, "more": false, "renamed": false, "huge": false}
	if !maps.Equal(got, want) {
		t.Errorf("read once: %v, want %v", got, want)
	}
	for _, c := range engine.CompareAll(context.Background(), before, after, finding.Budget{Jobs: 2}) {
		if c.Status != finding.Same {
			t.Errorf("%s: %s", c.Path, c.Status)
		}
	}
}
