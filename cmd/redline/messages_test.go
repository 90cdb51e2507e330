package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestMessagesOnMistakes: each archive of testdata/messages has a mistake that drafters make, described on top, in a file or two of the contract in
// base.txtar; and, last, all that redline check prints of it.
func TestMessagesOnMistakes(t *testing.T) {
	dir, err := filepath.Abs("testdata/messages")
	if err != nil {
		t.Fatal(err)
	}
	base, err := txtar.ParseFile(filepath.Join(dir, "base.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(names) < 30 {
		t.Fatal(len(names), err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { message(t, base, name) })
	}
}

func message(t *testing.T, base *txtar.Archive, name string) {
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.Mkdir("sale", 0o777); err != nil {
		t.Fatal(err)
	}
	want := len(a.Files) - 1
	for _, f := range append(base.Files[:len(base.Files)-1:len(base.Files)-1], a.Files[:want]...) {
		if err := os.WriteFile(filepath.Join("sale", f.Name), f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	Main([]string{"check", "sale"}, streams{strings.NewReader(""), &out, &out})
	if a.Files[want].Name != "want" {
		t.Fatal("the last file is not called want")
	}
	if bytes.Equal(a.Files[want].Data, out.Bytes()) {
		return
	}
	if !*update {
		t.Fatalf("got:\n%s\nwant:\n%s", out.String(), a.Files[want].Data)
	}
	a.Files[want].Data = out.Bytes()
	if err := os.WriteFile(name, txtar.Format(a), 0o666); err != nil {
		t.Fatal(err)
	}
}
