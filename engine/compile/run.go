package compile

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
)

// Fingerprint returns the SHA-256 of a counterexample: the promise that it refutes, and what happens in the run in which order. Prose,
// positions in the source, and names of states that the formula does not mention do not count. So it changes only with the run or the
// promise.
func (d *Draft) Fingerprint(promise string, t *finding.Trace) string {
	var b strings.Builder
	fmt.Fprintf(&b, "redline run 1\n%s\n", promise)
	d.writeRun(&b, t)
	return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(b.String())))
}

// writeRun writes the canonical form of a run and of the runs that explain it.
func (d *Draft) writeRun(b *strings.Builder, t *finding.Trace) {
	d.writeFirings(b, t.Prefix)
	if len(t.Loop) > 0 {
		b.WriteString("loop\n")
		d.writeFirings(b, t.Loop)
	}
	if t.DeadEnd {
		b.WriteString("dead end\n")
	}
	if t.Stops {
		b.WriteString("stops\n")
	}
	for _, next := range t.Then {
		b.WriteString("then\n")
		d.writeRun(b, next)
		b.WriteString("end\n")
	}
}

// writeFirings writes a line for each firing. All firings of a step but the first get the prefix "with".
func (d *Draft) writeFirings(b *strings.Builder, run []finding.Firing) {
	for i, f := range run {
		with := ""
		if i > 0 && run[i-1].Step == f.Step {
			with = "with "
		}
		fmt.Fprintf(b, "%s%q %q\n", with, f.Event, d.own(f))
	}
}

// own returns the transitions of a firing that the drafter wrote, or all if there is none. Generated ones only keep records, and may change
// with other clauses.
func (d *Draft) own(f finding.Firing) []string {
	var list []string
	for i, t := range f.Transitions {
		if !d.made(f.Parties[i]) {
			list = append(list, t)
		}
	}
	if list == nil {
		return f.Transitions
	}
	return list
}

// made reports whether the net of a party is generated.
func (d *Draft) made(party string) bool {
	return slices.ContainsFunc(d.Parties, func(p *hclspec.Party) bool { return p.Name == party && p.Made != "" })
}
