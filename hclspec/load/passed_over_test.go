package load

import (
	"slices"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/hclspec/diag"
)

// TestFilesThatLookLikeAContracts: a file with another ending is named in a warning, and what is plainly something else is not.
func TestFilesThatLookLikeAContracts(t *testing.T) {
	files := fstest.MapFS{"c.contract.hcl": {Data: []byte(complete(""))}}
	meant := []string{"Extra.HCL", "b.contract", "extra.hcl", "x.contract.hcl.txt"}
	for _, name := range append([]string{"README.md", ".terraform.lock.hcl", "c.contract.hcl~", "contract.pdf", "below.hcl/x"}, meant...) {
		files[name] = &fstest.MapFile{Data: []byte("party {")}
	}
	src, err := Dir(files, ".", "x", nil)
	if err != nil || src.Contract == nil {
		t.Fatal(err, src.Diagnostics)
	}
	var named []string
	for _, d := range src.Diagnostics {
		if diag.CodeOf(d) != codes.Code("file-not-read") {
			t.Error(d)
		}
		named = append(named, d.Subject.Filename[len("x/"):])
	}
	if !slices.Equal(named, meant) {
		t.Errorf("%q, not %q", named, meant)
	}
}
