package mcc

import (
	"fmt"
	"io"
	"strings"

	"github.com/redlinehq/redline/engine/reduce"
	"github.com/redlinehq/redline/engine/structure"
)

// took has the statistics of one formula before any state was explored. A nil took records nothing.
type took struct {
	before, structure structure.Stats
	smaller           *reduce.Reduced
}

func (t *took) begin(n *structure.Net) {
	if t != nil {
		*t = took{before: n.Stats()}
	}
}

func (t *took) settled(n *structure.Net) {
	if t != nil {
		t.structure = n.Stats()
	}
}

func (t *took) reduced(r *reduce.Reduced) {
	if t != nil {
		t.smaller = r
	}
}

// write writes the counts of a question in a line.
func (t *took) write(id string, w io.Writer) error {
	if t == nil {
		return nil
	}
	was, is := t.before, t.structure
	line := fmt.Sprintf("# %s: %d subformulas settled by %d linear programmes of %d pivots, %d certificates checked",
		id, is.Settled-was.Settled, is.Programmes-was.Programmes, is.Pivots-was.Pivots, is.Certificates-was.Certificates)
	if t.smaller != nil {
		left, of := t.smaller.Size()
		line += fmt.Sprintf("; %d of %d places and transitions left", left, of)
		var rules []string
		for _, c := range t.smaller.Applied {
			rules = append(rules, c.String())
		}
		if len(rules) > 0 {
			line += ": " + strings.Join(rules, ", ")
		}
	}
	_, err := fmt.Fprintln(w, line)
	return err
}
