package load_test

import (
	"io/fs"
	"maps"
	"path"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/hclspec/load"
)

// TestReread: a text that is read after another one is read as if there had been no other, whichever file
// differs, and many times at once.
func TestReread(t *testing.T) {
	dirs, err := load.Find(examples.FS, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		src, err := load.Dir(examples.FS, dir, "x", nil)
		if err != nil {
			t.Fatal(err)
		}
		text := map[string][]byte{}
		entries, err := fs.ReadDir(examples.FS, dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			text[e.Name()] = src.Files[path.Join("x", e.Name())]
		}
		var group sync.WaitGroup
		for name := range text {
			for _, line := range []string{"", "\n# more\n", "\nparty \"more\" {\n  state \"S\" {}\n  transition \"t\" {\n    from = S\n    to   = S\n  }\n}\n", "\nparty {\n  stat \"S\" {}\n}\n", "}"} {
				other := maps.Clone(text)
				other[name] = []byte(string(text[name]) + line)
				group.Go(func() { sameReading(t, dir+"/"+name+": "+strings.TrimSpace(line), src, other) })
			}
			fewer := maps.Clone(text)
			delete(fewer, name)
			group.Go(func() { sameReading(t, dir+" without "+name, src, fewer) })
		}
		group.Wait()
	}
}

func sameReading(t *testing.T, what string, src *load.Source, text map[string][]byte) {
	fresh, again := load.Text(text, "x", nil), src.Reread(text)
	if !reflect.DeepEqual(fresh.Contract, again.Contract) {
		t.Errorf("%s: another contract", what)
	}
	if !reflect.DeepEqual(fresh.Diagnostics, again.Diagnostics) {
		t.Errorf("%s: %v\n%v", what, fresh.Diagnostics, again.Diagnostics)
	}
}
