package testkit

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
)

// Log returns the log of a run that is described in words, as JSON lines. Its loop occurs once.
func Log(t *finding.Trace) string {
	var b strings.Builder
	for _, f := range slices.Concat(t.Prefix, t.Loop) {
		line := map[string]any{"transition": cmp.Or(strings.Join(f.Transitions, "+"), f.Event)}
		if f.Event != "" {
			line["event"] = f.Event
		}
		if f.Step > 0 {
			line["step"] = f.Step
		}
		raw, err := json.Marshal(line)
		if err != nil {
			panic(err) // a number and texts
		}
		b.Write(append(raw, '\n'))
	}
	return b.String()
}
