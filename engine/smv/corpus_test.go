package smv_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/engine/imported"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/mcc"
	"github.com/redlinehq/redline/engine/pnml"
	"github.com/redlinehq/redline/engine/smv"
	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/hclspec/examples/corpus"
)

// few is how many states the corpus' nets may have here; REDLINE_HEAVY looks at larger ones.
func few() int {
	if draws.All() {
		return 3_000
	}
	return 120
}

// TestBusinessProcesses: of nets of the IBM library, the text for NuSMV has the published verdicts.
func TestBusinessProcesses(t *testing.T) {
	ibm := corpus.Need(t, "corpus/ibm")
	table, err := os.ReadFile(filepath.Join(ibm, "verdicts.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, line := range strings.Split(strings.TrimSpace(string(table)), "\n")[1:] {
		col := strings.Split(line, "\t")
		if states, err := strconv.Atoi(col[2]); err != nil || states > few() {
			continue
		}
		text, err := os.ReadFile(filepath.Join(ibm, col[0]))
		if err != nil {
			t.Fatal(err)
		}
		n, err := imported.Import(t.Context(), col[0], bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := n.SMV(&b); err != nil {
			t.Fatal(err)
		}
		verdicts, states, ok := rederived(t, b.String(), 10*few())
		switch unsafe := strings.HasPrefix(col[6], "unsafe"); {
		case !ok && !unsafe:
			t.Errorf("%s has more than %d states", col[0], 10*few())
		case !ok: // beyond the first unsafe marking the variables say nothing
		case verdicts["one-safe"] == unsafe, !unsafe && col[2] != strconv.Itoa(states), (verdicts["one-safe"] && verdicts["sound"]) != (col[1] == "sound"):
			t.Errorf("%s: %v, %d states; published %v", col[0], verdicts, states, col)
		}
		seen[col[1]]++
	}
	if seen["sound"] == 0 || seen["unsound"] == 0 {
		t.Errorf("only %v", seen)
	}
}

// TestContest: the questions of the Model Checking Contest about a small net have the contest's answers.
func TestContest(t *testing.T) {
	table, err := os.ReadFile(corpus.Need(t, "corpus/mcc/verdicts.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	expected := map[string]string{}
	for line := range strings.Lines(string(table)) {
		id, verdict, _ := strings.Cut(strings.TrimSpace(line), "\t")
		expected[id] = verdict
	}
	files := unpacked(t, corpus.Path("corpus/mcc/TokenRing-PT-005.tgz"))
	n, err := pnml.Read(bytes.NewReader(files["model.pnml"].Data))
	if err != nil {
		t.Fatal(err)
	}
	m := &smv.Model{Net: n}
	for _, name := range []string{"CTLCardinality.xml", "CTLFireability.xml"} {
		questions, err := mcc.Read(bytes.NewReader(files[name].Data), n)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range questions {
			m.Specs = append(m.Specs, smv.Spec{ID: smv.SpecID(q.ID), Formula: q.Formula})
		}
	}
	var b bytes.Buffer
	if err := smv.Write(&b, m); err != nil {
		t.Fatal(err)
	}
	verdicts, states, ok := rederived(t, b.String(), 1_000)
	if !ok || states != 166 || !verdicts["one-safe"] {
		t.Fatalf("%d states, %v", states, verdicts["one-safe"])
	}
	asked := 0
	for id, want := range expected {
		if have, known := verdicts[smv.SpecID(id)]; known {
			if asked++; strings.ToUpper(strconv.FormatBool(have)) != want {
				t.Errorf("%s: %v, expected %s", id, have, want)
			}
		}
	}
	if asked < 20 {
		t.Errorf("only %d questions were asked", asked)
	}
}

func unpacked(t *testing.T, name string) fstest.MapFS {
	t.Helper()
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[path.Base(h.Name)] = &fstest.MapFile{Data: text}
	}
}

// TestProtocols: what the corpus says of BSPL protocols, whose nets are composed of many; the size of their state models.
func TestProtocols(t *testing.T) {
	files, err := filepath.Glob(corpus.Need(t, "corpus/bspl") + "/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no protocols")
	}
	seen := 0
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var p protocol
		if err := json.Unmarshal(raw, &p); err != nil {
			t.Fatal(err)
		}
		if p.States <= few() {
			p.test(t, file)
			seen++
		}
	}
	if seen == 0 {
		t.Error("all are too large")
	}
}

// TestMistakes: of mistakes in an example, the text for NuSMV has the verdicts that redline has, violations among them.
func TestMistakes(t *testing.T) {
	for _, mistake := range [][3]string{
		{"seller.contract.hcl", "  transition \"end\" {", "  transition \"withdraw\" {\n    from = S2\n    to   = S0\n    set  = { GAV = false }\n  }\n  transition \"end\" {"},
		{"purchaser.contract.hcl", "  transition \"take\" {", "  transition \"cancel\" {\n    from = P1\n    to   = P0\n  }\n  transition \"take\" {"},
		{"seller.contract.hcl", "when  = { GAV = false }", "from  = S0\n    to    = S0"},
	} {
		entries, err := examples.FS.ReadDir("sale")
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		for _, e := range entries {
			part, err := examples.FS.ReadFile("sale/" + e.Name())
			if err != nil {
				t.Fatal(err)
			}
			if e.Name() == mistake[0] {
				if !strings.Contains(string(part), mistake[1]) {
					t.Fatalf("%q is not there", mistake[1])
				}
				part = []byte(strings.Replace(string(part), mistake[1], mistake[2], 1))
			}
			text.Write(part)
		}
		d := compiled(t, text.String())
		agree(t, d, 1_000)
		verdicts, _, _ := rederived(t, exported(t, d, ""), 1_000)
		if !slices.Contains(slices.Collect(valuesOf(verdicts)), false) {
			t.Errorf("%s breaks nothing", mistake[2])
		}
	}
}
