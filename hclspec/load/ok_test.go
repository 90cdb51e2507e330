package load

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/redlinehq/redline/hclspec"
)

// dump writes all of a contract but its descriptions, a line an element.
func dump(c *hclspec.Contract) []byte {
	var b bytes.Buffer
	line := func(p hclspec.Prose, format string, args ...any) {
		fmt.Fprintf(&b, format, args...)
		fmt.Fprintf(&b, " %q %q\n", p.Title, p.Clause)
	}
	line(c.Prose, "contract %s, firing %s, %s", c.Name, c.Firing, c.Range)
	for _, p := range c.Parties {
		line(p.Prose, "party %s, net %v, %s", p.Name, p.IsNet, p.Range)
		for _, q := range p.Places {
			line(q.Prose, "  place %s, kind %d %s, marked %v, %s%s", q.Name, q.Kind, q.Flag, q.Marked, q.Range, dumpHeld(q))
		}
		for _, t := range p.Transitions {
			line(t.Prose, "  transition %s, label %s %v: %v -> %v, read %v, %s", t.Name, t.Label, t.Labelled,
				placeNames(t.Consume), placeNames(t.Produce), placeNames(t.Read), t.Range)
			if t.Beyond != nil {
				fmt.Fprintf(&b, "    would take %s to %d, %s\n", t.Beyond.Counter, t.Beyond.Value, t.Beyond.Range)
			}
		}
	}
	for _, e := range c.Events {
		line(e.Prose, "event %s, %s", e.Name, e.Range)
		for _, s := range slices.Concat(e.Ways...) {
			fmt.Fprintf(&b, "  %s.%s, %s\n", s.Party.Name, s.Label, s.Range)
		}
	}
	dumpNorms(&b, c)
	for _, r := range c.Requirements {
		line(r.Prose, "requirement %s, %s %q, %s", r.Name, r.Formula.Notation, r.Formula.Text, r.Range)
		for _, p := range r.Assuming {
			fmt.Fprintf(&b, "  assuming progress of %s, %d in all, %s\n", p.Name, len(p.Parties), p.Range)
		}
		if s := r.Formula.Scenario; s != nil {
			fmt.Fprintf(&b, "  scenario of %s: %s %s\n", s, s.Expect, s.Party)
		}
		if r.RestsOn != nil {
			fmt.Fprintf(&b, "  rests on these alone, %s\n", r.RestsOn.Range)
			for _, p := range r.RestsOn.On {
				fmt.Fprintf(&b, "    %s, %d in all, %s\n", p.Name, len(p.Parties), p.Range)
			}
		}
		if w := r.Waiver; w != nil {
			fmt.Fprintf(&b, "  waived by %q for %q until %q: %s, %s\n", w.Approver, w.Reason, w.Expires, w.Run, w.Range)
		}
	}
	for _, a := range c.Accepts {
		fmt.Fprintf(&b, "accept %s on %q: %q, %s\n", a.Code, a.On, a.Reason, a.Range)
	}
	return b.Bytes()
}

func dumpHeld(p *hclspec.Place) string {
	if p.Document == "" {
		return ""
	}
	return fmt.Sprintf(", %s held by %q", p.Document, p.Holder)
}

func placeNames(places []*hclspec.Place) []string {
	names := []string{}
	for _, p := range places {
		names = append(names, p.Name)
	}
	return names
}

// Each archive holds the files of a contract and, last, what Load makes of it.
func TestOK(t *testing.T) {
	paths, err := filepath.Glob("testdata/ok/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		src, err := Dir(archiveFS(archive), "dir", "shown", nil)
		if err != nil || src.Contract == nil {
			t.Fatalf("%v\n%s", err, render(src))
		}
		golden(t, path, archive, "spec", dump(src.Contract))
	}
}

// golden compares the last file of an archive, or writes it under -update.
func golden(t *testing.T, path string, archive *txtar.Archive, name string, got []byte) {
	t.Helper()
	last := &archive.Files[len(archive.Files)-1]
	if *update {
		if last.Name != name {
			archive.Files = append(archive.Files, txtar.File{Name: name})
			last = &archive.Files[len(archive.Files)-1]
		}
		last.Data = got
		if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if last.Name != name || !bytes.Equal(last.Data, got) {
		t.Errorf("%s: got:\n%s\nwant:\n%s", path, got, last.Data)
	}
}

// dumpNorms writes norms, and what events move and need.
func dumpNorms(b *bytes.Buffer, c *hclspec.Contract) {
	for _, n := range c.Norms {
		fmt.Fprintf(b, "%s %s of %s, %s\n", n.Kind, n.Name, n.Bearer(), n.Range)
	}
	whose := map[*hclspec.Place]string{}
	for _, p := range c.Parties {
		for _, q := range p.Places {
			whose[q] = p.Name + "." + q.Name
		}
	}
	for _, e := range c.Events {
		for _, need := range e.Needs {
			fmt.Fprintf(b, "%s needs", e.Name)
			for i, a := range need {
				b.WriteString(strings.Repeat(" or", min(i, 1)))
				for k, p := range a.Places {
					fmt.Fprintf(b, "%s %s", strings.Repeat(" and", min(k, 1)), whose[p])
				}
			}
			fmt.Fprintln(b)
		}
		for _, v := range e.Moves {
			fmt.Fprintf(b, "%s moves %s to %s", e.Name, whose[v.From], whose[v.To])
			for _, p := range v.If {
				fmt.Fprintf(b, " if %s", whose[p])
			}
			fmt.Fprintln(b)
		}
	}
}
