package workflow_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/pnml"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/workflow"
	"github.com/redlinehq/redline/hclspec/examples/corpus"
)

// a row of the published verdicts: file, soundness, states, arcs, places, transitions, why.
type row []string

// each calls test for every net of the IBM library.
func each(t *testing.T, test func(t *testing.T, r row, n *petri.Net, ends *workflow.Ends)) {
	ibm := corpus.Need(t, "corpus/ibm")
	table, err := os.ReadFile(filepath.Join(ibm, "verdicts.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(table)), "\n")[1:] {
		r := row(strings.Split(line, "\t"))
		t.Run(r[0], func(t *testing.T) {
			f, err := os.Open(filepath.Join(ibm, r[0]))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			n, err := pnml.Read(f)
			if err != nil {
				t.Fatal(err)
			}
			ends, lacks := workflow.Recognize(n)
			if lacks != nil {
				t.Fatalf("no workflow net: %v", lacks)
			}
			test(t, r, n, &ends)
		})
	}
}

// TestBusinessProcesses: soundness of each is as published, by states one by one where they are at most 250,000, and by
// diagrams.
func TestBusinessProcesses(t *testing.T) {
	each(t, func(t *testing.T, row row, n *petri.Net, ends *workflow.Ends) {
		r, err := workflow.Explicit(context.Background(), n, ends, space.Limits{States: 250_000})
		var limit *space.LimitError
		if errors.As(err, &limit) {
			if !strings.HasPrefix(row[2], ">") {
				t.Fatalf("more than 250,000 states; published: %s", row[2])
			}
		} else {
			asPublished(t, row, r, err)
		}
		r, err = workflow.Symbolic(context.Background(), n, ends, space.Limits{Bytes: 1 << 30})
		asPublished(t, row, r, err)
	})
}

func asPublished(t *testing.T, row row, r *workflow.Report, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if sound(r) != (row[1] == "sound") {
		t.Errorf("sound: %t; published: %s %s", sound(r), row[1], row[6])
	}
	if strings.HasPrefix(row[6], "unsafe ") != (!r.Safe) && !strings.HasPrefix(row[2], ">") {
		t.Errorf("one-safe: %t; published: %s", r.Safe, row[6])
	}
	if _, err := strconv.Atoi(row[2]); err == nil && r.Safe && (r.States.String() != row[2] || r.Arcs.String() != row[3]) {
		t.Errorf("%s states, %s arcs; published: %s, %s", r.States, r.Arcs, row[2], row[3])
	}
}

func BenchmarkLarge(b *testing.B) {
	for _, name := range []string{"B2.s00000351__s00006306", "B3.s00000383__s00003316", "B3.s00000445__s00006879"} {
		f, err := os.Open(corpus.Need(b, "corpus/ibm/"+name+".pnml"))
		if err != nil {
			b.Fatal(err)
		}
		n, err := pnml.Read(f)
		if err != nil {
			b.Fatal(err)
		}
		_ = f.Close()
		ends, _ := workflow.Recognize(n)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := workflow.Symbolic(context.Background(), n, &ends, space.Limits{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
