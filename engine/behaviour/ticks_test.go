package behaviour_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/testkit"
)

var duration = regexp.MustCompile(`(within +=|e\d =) (\d+)`)

// drawTimedPair draws a contract with two to four clocks, and the same with other durations or, now and then, another one of the same events.
func drawTimedPair(t *rapid.T) [2]string {
	const most = 9
	base := testkit.DrawTimed(t, most)
	if rapid.IntRange(0, 7).Draw(t, "other") == 0 {
		return [2]string{base, testkit.DrawTimed(t, most)}
	}
	durations := duration.FindAllStringSubmatchIndex(base, -1)
	head := base
	for _, at := range durations {
		if rapid.IntRange(0, len(durations)-1).Draw(t, "change") == 0 {
			old, _ := strconv.Atoi(base[at[4]:at[5]])
			head = head[:at[4]] + strconv.Itoa(1+(old+rapid.IntRange(0, 2).Draw(t, "by"))%most) + head[at[5]:] // one digit each
		}
	}
	return [2]string{base, head}
}

// TestTicksAgainstListed: of contracts with clocks that overlap, what is told on diagrams, where a tick is one relation, is what is told of
// their states one by one, for everybody and for each party: relations, sequences, what is owed, and states that appear and vanish. Each run that
// is shown has been replayed by package petri on both drafts; one that had not would be unknown, for that reason.
func TestTicksAgainstListed(t *testing.T) {
	draws.SkipForRaces(t)
	pairs := 40
	if draws.All() {
		pairs = 2_000
	}
	gen := rapid.Custom(drawTimedPair)
	var c tally
	compared, owed, differ := 0, 0, 0
	for seed := 0; compared < pairs; seed++ {
		texts := gen.Example(seed)
		small := timedDifference(t, texts, finding.Explicit)
		if small == nil || small.States.Unknown != "" {
			continue
		}
		compared++
		large := timedDifference(t, texts, finding.Symbolic)
		err := c.sameTold(small, large)
		views := append([]finding.View{{Behaviour: large.All}}, large.Views...)
		for i, v := range append([]finding.View{{Behaviour: small.All}}, small.Views...) {
			if other := views[i].Owed; err == nil && strings.Contains(views[i].Reason, "replay") { // by petri alone, run by run
				err = fmt.Errorf("%q: %s", v.Party, views[i].Reason)
			} else if err == nil && v.Owed != nil && other != nil && other.Relation != delta.Unknown {
				owed, differ = owed+1, differ+min(1, len(other.Norms))
				if s, l := sayingOwed(v.Owed), sayingOwed(other); s != l {
					err = fmt.Errorf("%q: owed %s\nand it is %s", v.Party, l, s)
				}
			}
		}
		if err != nil {
			t.Fatalf("seed %d: %v\nbase\n%s\nhead\n%s", seed, err, texts[0], texts[1])
		}
	}
	t.Logf("%+v, owed %d, differing %d", c, owed, differ)
	if c.told < pairs || c.states < pairs || owed < pairs || differ < pairs/4 {
		t.Errorf("too little is told: %+v, owed %d, differing %d", c, owed, differ)
	}
}

// timedDifference returns how two texts differ; nil if they do not, or one has too many states for a law.
func timedDifference(t *testing.T, texts [2]string, engine finding.Engine) *finding.Difference {
	b := finding.Budget{Jobs: 1, Engine: engine}
	if engine == finding.Explicit {
		b.States = 3_000
	}
	return blame.Compare(context.Background(), testkit.DraftOf(t, texts[0]), testkit.DraftOf(t, texts[1]), b).Difference
}

// sayingOwed tells a difference in what is owed, with the length of each run.
func sayingOwed(o *finding.Owed) string {
	var list []string
	for _, d := range o.Norms {
		list = append(list, fmt.Sprint("\n", d.Norm, " side ", d.Side, " time alone ", d.TimeAlone, " after ", len(d.Run), " was ", d.Was, " now ", d.Now))
	}
	slices.Sort(list)
	return fmt.Sprint(o.Relation, list)
}
