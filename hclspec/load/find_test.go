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
	many := crowded{fstest.MapFS{}}
	for want, fsys := range map[string]fs.FS{
		"more than 64 directories deep": fstest.MapFS{"d/" + deep: {}},
		"more than 100000 contracts":    many,
	} {
		if _, err := Find(fsys, "."); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if _, err := Find(fstest.MapFS{}, "nowhere"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing root: %v", err)
	}
}

// crowded has too many contracts, as the entries of its root.
type crowded struct{ fs.FS }

func (c crowded) ReadDir(name string) ([]fs.DirEntry, error) {
	if name != "." {
		return []fs.DirEntry{named{"x.contract.hcl", 0}}, nil
	}
	all := make([]fs.DirEntry, maxContracts+1)
	for i := range all {
		all[i] = named{fmt.Sprintf("c%06d", i), fs.ModeDir}
	}
	return all, nil
}

type named struct {
	name string
	mode fs.FileMode
}

func (e named) Name() string               { return e.name }
func (e named) IsDir() bool                { return e.mode.IsDir() }
func (e named) Type() fs.FileMode          { return e.mode }
func (e named) Info() (fs.FileInfo, error) { return nil, fs.ErrInvalid }
