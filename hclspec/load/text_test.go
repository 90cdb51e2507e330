package load_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/hclspec/load"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// textOf reads the files of an example into memory.
func textOf(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	entries, err := fs.ReadDir(examples.FS, dir)
	if err != nil {
		t.Fatal(err)
	}
	text := map[string][]byte{}
	for _, e := range entries {
		if text[e.Name()], err = fs.ReadFile(examples.FS, path.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return text
}

// TestLoadText loads every example from memory as from its file system.
func TestLoadText(t *testing.T) {
	dirs, err := load.Find(examples.FS, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		want, err := load.Dir(examples.FS, dir, "shown/"+dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := load.Text(textOf(t, dir), "shown/"+dir, nil); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: from memory it is another contract", dir)
		}
	}
}

// TestTextLimits holds text in memory to the limits of files.
func TestTextLimits(t *testing.T) {
	many, heavy := map[string][]byte{}, map[string][]byte{}
	for i := range 1001 {
		many[fmt.Sprintf("%d.contract.hcl", i)] = nil
	}
	for i := range 17 {
		heavy[fmt.Sprintf("%d.contract.hcl", i)] = bytes.Repeat([]byte("\n"), 1<<20)
	}
	for name, text := range map[string]map[string][]byte{
		"none": {}, "many": many, "heavy": heavy,
		"large":   {"a.contract.hcl": bytes.Repeat([]byte("#"), hclspec.MaxFileSize+1)},
		"invalid": {"a.contract.hcl": []byte("\xff")},
		"deep":    {"a.contract.hcl": []byte("a = " + strings.Repeat("[", 100))},
	} {
		files := fstest.MapFS{"c": {Mode: fs.ModeDir | 0o755}}
		for f, src := range text {
			files["c/"+f] = &fstest.MapFile{Data: src}
		}
		want, err := load.Dir(files, "c", "c", nil)
		if err != nil {
			t.Fatal(err)
		}
		got := load.Text(text, "c", nil)
		if got.Contract != nil || len(got.Diagnostics) != len(want.Diagnostics) || got.Diagnostics[0].Summary != want.Diagnostics[0].Summary {
			t.Errorf("%s: %v; from files %v", name, got.Diagnostics, want.Diagnostics)
		}
		if _, diags := syntax.Parse(text); diags.HasErrors() == (name == "none") {
			t.Errorf("%s: parsed: %v", name, diags)
		}
	}
}
