package load

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestFind(t *testing.T) {
	file, dir := &fstest.MapFile{}, &fstest.MapFile{Mode: fs.ModeDir}
	deals := fstest.MapFS{
		"b/seller.contract.hcl":              file,
		"b/buyer.contract.hcl":               file,
		"a/nested/deal.contract.hcl":         file,
		"a-b/x.contract.hcl":                 file,
		"odd \"\n é/x.contract.hcl":          file,
		"irregular/x.contract.hcl":           {Mode: fs.ModeIrregular},
		"directory/x.contract.hcl":           dir,
		"link/x.contract.hcl":                {Mode: fs.ModeSymlink},
		"linked":                             {Mode: fs.ModeSymlink, Data: []byte("b")},
		"other/contract.hcl":                 file,
		"other/main.tf":                      file,
		".hidden/x.contract.hcl":             file,
		".git/x.contract.hcl":                file,
		"b/.terraform/x.contract.hcl":        file,
		"node_modules/dep/x.contract.hcl":    file,
		"clone/.git/HEAD":                    file,
		"clone/x.contract.hcl":               file,
		"submodule/.git":                     file,
		"submodule/under/deal.contract.hcl":  file,
		"submodules/under/deal.contract.hcl": file,
	}
	for root, want := range map[string][]string{
		".": {".hidden", "a-b", "a/nested", "b", "directory", "irregular", "link", "odd \"\n é", "submodules/under"},
		"a": {"a/nested"},
		"b": {"b"},
	} {
		if got, err := Find(deals, root); err != nil || !slices.Equal(got, want) {
			t.Errorf("Find(%q) = %q, %v; want %q", root, got, err, want)
		}
	}
}

func TestFindRootIsOwnRepository(t *testing.T) {
	got, err := Find(fstest.MapFS{".git/HEAD": {}, "x.contract.hcl": {}}, ".")
	if err != nil || !slices.Equal(got, []string{"."}) {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestFindLimits(t *testing.T) {
	deep := strings.Repeat("d/", maxFindDepth) + "x.contract.hcl"
	if _, err := Find(fstest.MapFS{deep: {}}, "."); err != nil {
		t.Errorf("at the limit: %v", err)
	}
	many := fstest.MapFS{}
	for i := range maxContracts + 1 {
		many[fmt.Sprintf("c%d/x.contract.hcl", i)] = &fstest.MapFile{}
	}
	for want, fsys := range map[string]fs.FS{
		"more than 64 directories deep": fstest.MapFS{"d/" + deep: {}},
		"more than 10000 contracts":     many,
	} {
		if _, err := Find(fsys, "."); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if _, err := Find(fstest.MapFS{}, "nowhere"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing root: %v", err)
	}
}
