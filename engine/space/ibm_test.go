package space_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/internal/testnets"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/hclspec/examples/corpus"
)

// TestBusinessProcesses explores the IBM Zurich library and holds the sizes against those
// published with it; where it has a contact, the place is theirs.
func TestBusinessProcesses(t *testing.T) {
	ibm := corpus.Need(t, "corpus/ibm")
	table, err := os.ReadFile(filepath.Join(ibm, "verdicts.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(table)), "\n")[1:] {
		col := strings.Split(line, "\t")
		states, err := strconv.Atoi(col[2])
		if err != nil {
			continue // more than 300,000
		}
		t.Run(col[0], func(t *testing.T) {
			g, err := space.Explore(context.Background(), testnets.ReadPNML(t, filepath.Join(ibm, col[0])), petri.One, space.Limits{})
			var c *space.ContactError
			if errors.As(err, &c) {
				if want := strings.TrimPrefix(col[6], "unsafe "); c.Name.Name != want {
					t.Errorf("contact in %q; published: %q", c.Name.Name, want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(col[6], "unsafe ") {
				t.Fatal("no contact; published: ", col[6])
			}
			if g.Len() != states || strconv.Itoa(g.Arcs()) != col[3] {
				t.Errorf("%d states, %d arcs; published: %s, %s", g.Len(), g.Arcs(), col[2], col[3])
			}
		})
	}
}
