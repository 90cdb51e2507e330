package conform_test

import (
	"os"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/conform"
)

// draft compiles the one contract in a text or, where it is the name of one, of an example.
func draft(t *testing.T, files ...string) *engine.Draft {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/x.contract.hcl", []byte(strings.Join(files, "\n")), 0o666); err != nil {
		t.Fatal(err)
	}
	return tree(t, dir)
}

func tree(t *testing.T, dir string) *engine.Draft {
	t.Helper()
	drafts, err := engine.Tree{FS: os.DirFS(dir), Root: "."}.Drafts(t.Context(), nil, 1)
	if err != nil || len(drafts) != 1 || drafts[0].Spec == nil {
		t.Fatalf("%s: %v, %d contracts", dir, err, len(drafts))
	}
	return drafts[0]
}

func hold(t *testing.T, d *engine.Draft, period, log string) *conform.Answer {
	t.Helper()
	read, err := conform.Read(strings.NewReader(log))
	if err != nil {
		t.Fatal(err)
	}
	var p *conform.Period
	if period != "" {
		if p, err = conform.ParsePeriod(period); err != nil {
			t.Fatal(err)
		}
	}
	a, err := conform.Hold(t.Context(), d, read, p, conform.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestSale(t *testing.T) {
	d := tree(t, "../../hclspec/examples/sale")
	a := hold(t, d, "", "event,time,who\npurchaser.ready,2027-01-01,x\nseller.ready,,\nRFG,2027-01-02,\nGAC,2027-01-03,\n")
	if a.Deviation == nil || a.Deviation.Line.Number != 5 || a.Deviation.Kind != conform.Impossible {
		t.Fatalf("%+v", a.Deviation)
	}
	t.Logf("%+v\n%+v\n%+v", a.Deviation.Lacks, a.Next, a.Standing)
}
