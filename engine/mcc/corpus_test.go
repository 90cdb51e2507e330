package mcc_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/mcc"
	"github.com/redlinehq/redline/hclspec/examples/corpus"
)

// quick are the instances that take a second at most; REDLINE_HEAVY asks for the rest too.
var quick = []string{"LamportFastMutEx-PT-3", "Parking-PT-104", "Peterson-PT-2", "Philosophers-PT-000010",
	"Referendum-PT-0010", "TokenRing-PT-005"}

// TestCorpus answers the contest's questions and holds the answers against its consensus; none may differ. With
// REDLINE_HEAVY it answers those of all instances, 60 s for each at most, and logs what it leaves open.
func TestCorpus(t *testing.T) {
	draws.SkipForRaces(t)
	nets := corpus.Need(t, "corpus/mcc")
	index, err := os.ReadFile(filepath.Join(nets, "INDEX.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	all := draws.All()
	expected := verdicts(t, filepath.Join(nets, "verdicts.tsv"))
	right, open := 0, 0
	for _, line := range rows(index) {
		if !all && !slices.Contains(quick, line[0]) {
			continue
		}
		t.Run(line[0], func(t *testing.T) {
			d := unpack(t, filepath.Join(nets, line[0]+".tgz"))
			limits := mcc.Limits{Bytes: 3 << 30, Time: time.Minute}
			if out, err := examine(d, "StateSpace", limits); err != nil || !strings.HasPrefix(out, "STATE_SPACE STATES "+line[4]+" ") {
				t.Errorf("%s, %v; there are %s states", out, err, line[4])
			}
			for _, name := range []string{"CTLCardinality", "CTLFireability"} {
				if d[name+".xml"] == nil {
					continue
				}
				start := time.Now()
				r, o := questioned(t, d, name, limits, expected)
				right, open = right+r, open+o
				t.Logf("%s: %d right, %d open, %v", name, r, o, time.Since(start).Round(time.Millisecond))
			}
		})
	}
	t.Logf("%d right, %d open", right, open)
}

// questioned asks the questions of one file.
func questioned(t *testing.T, d fstest.MapFS, examination string, limits mcc.Limits, expected map[string]string) (right, open int) {
	var out bytes.Buffer
	w := &timed{&out, t, time.Now()}
	if err := mcc.Examine(context.Background(), w, d, examination, limits, false); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		switch field := strings.Fields(line); field[0] {
		case "FORMULA":
			if verdict, known := expected[field[1]]; known && verdict != field[2] {
				t.Errorf("%s is %s, expected %s", field[1], field[2], verdict)
			} else if known {
				right++
			}
		case "#":
			t.Log(strings.TrimSpace(line))
			if _, known := expected[strings.TrimSuffix(field[1], ":")]; known {
				open++
			}
		}
	}
	return right, open
}

// timed logs what is slow.
type timed struct {
	*bytes.Buffer
	t    *testing.T
	last time.Time
}

func (w *timed) Write(p []byte) (int, error) {
	if took := time.Since(w.last); took > 5*time.Second {
		w.t.Logf("%v: %s", took.Round(time.Second), bytes.TrimSpace(p))
	}
	w.last = time.Now()
	return w.Buffer.Write(p)
}

func verdicts(t *testing.T, name string) map[string]string {
	table, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]string{}
	for _, row := range rows(table) {
		list[row[0]] = row[1]
	}
	return list
}

// rows of a table, without its head.
func rows(table []byte) (list [][]string) {
	for _, line := range strings.Split(strings.TrimSpace(string(table)), "\n")[1:] {
		list = append(list, strings.Split(line, "\t"))
	}
	return list
}

// unpack reads an archive into memory.
func unpack(t *testing.T, name string) fstest.MapFS {
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	d := fstest.MapFS{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return d
		}
		if err != nil {
			t.Fatal(fmt.Errorf("%s: %w", name, err))
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		d[path.Base(h.Name)] = &fstest.MapFile{Data: text}
	}
}
