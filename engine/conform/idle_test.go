package conform_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/conform"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec"
)

// TestLogsAndScenariosAreOne: the events of a log that conforms are a scenario that holds, and the other way round, ticks included where no clock runs.
func TestLogsAndScenariosAreOne(t *testing.T) {
	conforming, idle, deviating := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		text := withoutSilent(testkit.DrawTimed(t, 2))
		d := compiled(t, text)
		for range 4 { // many logs deviate
			events := drawEvents(t, d)
			a := sameAsScenario(t, d, text, events)
			if a == nil {
				continue
			}
			if a.Deviation != nil {
				deviating++
			} else if conforming++; slices.ContainsFunc(a.Run, func(s conform.Step) bool { return len(s.Fired) == 0 }) {
				idle++
			}
		}
	})
	if conforming < 20 || idle < 5 || deviating < 10 {
		t.Errorf("%d conform, %d with a tick that changes nothing, %d deviate", conforming, idle, deviating)
	}
}

// drawEvents draws the events of a log, a third or more of them ticks.
func drawEvents(t *rapid.T, d *compile.Draft) (events []string) {
	names := []string{hclspec.Tick, hclspec.Tick}
	for _, e := range d.Spec.Events {
		names = append(names, e.Name)
	}
	for range rapid.IntRange(1, 6).Draw(t, "steps") {
		events = append(events, rapid.SampledFrom(names).Draw(t, "event"))
	}
	return events
}

// sameAsScenario replays a log, and fails unless it deviates exactly where the scenario of the same events is impossible. It returns nil if that is unknown.
func sameAsScenario(t *rapid.T, d *compile.Draft, text string, events []string) *conform.Answer {
	with := compiled(t, text+"scenario \"s\" {\n  events = ["+strings.Join(events, ", ")+"]\n  expect = possible\n}\n")
	if len(with.Spec.Requirements) != 1 {
		t.Fatal(text)
	}
	s := verify.Check(context.Background(), with, finding.Budget{Jobs: 1}).Requirements[0]
	if s.Verdict == finding.Unknown {
		return nil
	}
	log, err := conform.Read(strings.NewReader("event\n" + strings.Join(events, "\n") + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	a, err := conform.Replay(context.Background(), d, log, nil, conform.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	if (a.Deviation == nil) != (s.Verdict == finding.Holds) {
		t.Fatalf("%s is %s, and the log deviates: %+v\n%s", strings.Join(events, ", "), s.Verdict, a.Deviation, text)
	}
	return a
}

// withoutSilent takes the transitions away that no event has: between the events of a scenario they may happen, and a log has to name them.
func withoutSilent(text string) string {
	for _, party := range []string{"p", "q"} {
		before, rest, _ := strings.Cut(text, fmt.Sprintf("party %q {", party))
		for i := range 4 {
			if strings.Contains(text, fmt.Sprintf("    %s = t%d\n", party, i)) {
				continue
			}
			first, after, _ := strings.Cut(rest, fmt.Sprintf("  transition \"t%d\" {", i))
			_, after, _ = strings.Cut(after, "  }\n")
			rest = first + after
		}
		text = before + fmt.Sprintf("party %q {", party) + rest
	}
	return text
}
