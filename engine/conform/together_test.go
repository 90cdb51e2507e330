package conform_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/conform"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/duration"
)

// together replays a log by its times, a tick each day from 1 January 2027 on, and returns both answers.
func together(t interface{ Fatal(args ...any) }, d *compile.Draft, tick, log string) (a, b *conform.Answer) {
	read, err := conform.Read(strings.NewReader(log))
	if err != nil {
		t.Fatal(err)
	}
	period, err := duration.ParseTickLength(tick)
	if err != nil {
		t.Fatal(err)
	}
	period.Start = time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	if a, err = conform.Replay(context.Background(), d, read, period, conform.DefaultLimits()); err != nil {
		t.Fatal(err)
	}
	if b, err = conform.Together(context.Background(), a, read, period, conform.DefaultLimits()); err != nil {
		return a, nil
	}
	return a, b
}

// eventsOf returns the events of an answer's run as a scenario has them.
func eventsOf(a *conform.Answer) string {
	var run [][]int
	for _, step := range a.Run {
		run = append(run, step.Fired)
	}
	_, text, _ := strings.Cut(conform.Scenario(a.Draft, run, "s"), "[")
	text, _, _ = strings.Cut(text, "]")
	return text
}

func owed(a *conform.Answer) (list []string) {
	for _, due := range a.Dues {
		list = append(list, fmt.Sprintf("%s %s %d", due.Norm.Name, due.State, due.Left))
	}
	return list
}

// TestDaysAreTicks: a log with days is the same log as one that lists each of them.
func TestDaysAreTicks(t *testing.T) {
	compared, breached := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		text := withoutSilent(testkit.DrawTimed(t, 2))
		d := compiled(t, text)
		for range 4 {
			events := drawEvents(t, d)
			for len(events) > 0 && events[len(events)-1] == hclspec.Tick {
				events = events[:len(events)-1]
			}
			ticks, err := conform.Read(strings.NewReader("event\n" + strings.Join(events, "\n") + "\n"))
			if err != nil {
				t.Fatal(err)
			}
			want, err := conform.Replay(context.Background(), d, ticks, nil, conform.DefaultLimits())
			if err != nil {
				t.Fatal(err)
			}
			if want.Deviation != nil || len(events) == 0 {
				continue
			}
			dated, day := "time,event\n", time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
			for _, e := range events {
				if e == hclspec.Tick {
					day = day.AddDate(0, 0, 1)
				} else {
					dated += day.Format(time.DateOnly) + "," + e + "\n"
				}
			}
			_, got := together(t, d, "1d", dated)
			if got == nil || fmt.Sprint(owed(got)) != fmt.Sprint(owed(want)) || eventsOf(got) != eventsOf(want) {
				t.Fatalf("%s%s\n got %+v\nwant %v, %s", text, dated, got, owed(want), eventsOf(want))
			}
			compared++
			breached += map[bool]int{true: 1}[slices.ContainsFunc(want.Dues, func(x conform.Due) bool { return x.Breached })]
		}
	})
	if compared < 10 || breached == 0 {
		t.Errorf("%d were compared, %d of them with a breach", compared, breached)
	}
}

// TestMonthsOfSeveralDeadlines: where each deadline has months of its own, the run has the ticks that come to the same; where none do, it is said.
func TestMonthsOfSeveralDeadlines(t *testing.T) {
	d := draft(t, twoDeadlines)
	for _, c := range []struct{ log, want string }{
		{"2027-01-01,order\n2027-02-20,talk\n", `order, "1 tick", talk`},
		{"2027-01-15,order\n2027-03-10,deliver\n2027-05-20,talk\n", `order, "1 tick", deliver, talk`}, // at the end of January its first month is not over
		{"2027-01-20,order\n2027-01-25,sign\n2027-03-22,talk\n", `order, sign, "2 ticks", talk`},      // on the 20th deliver is breached, on the 22nd one month is left to pay, or two
	} {
		a, b := together(t, d, "1mo", "time,event\n"+c.log)
		if b == nil {
			t.Errorf("%s: none comes to %v", c.log, owed(a))
			continue
		}
		if got := eventsOf(b); got != c.want {
			t.Errorf("%s: %s, want %s; %v", c.log, got, c.want, owed(b))
		}
	}
	if a, b := together(t, d, "1mo", "time,event\n2027-01-15,order\n2027-01-20,sign\n2027-03-10,deliver\n2027-04-18,pay\n"); b != nil {
		t.Errorf("owed %v by the days, and %v as the months go", owed(a), owed(b))
	}
}

// TestTheRunBeforeADeviation: of a log that deviates the run is that of the lines before, with the days up to the line that can't be.
func TestTheRunBeforeADeviation(t *testing.T) {
	a, b := together(t, tree(t, "../../hclspec/examples/car-sale"), "1w", "time,event\n2027-03-01,order\n2027-03-09,delivery\n2027-03-30,cancellation\n")
	if a.Deviation == nil || b == nil || b.Deviation != nil || eventsOf(b) != `"8 weeks", order, "1 week", delivery, "3 weeks"` {
		t.Errorf("%+v, %s", a.Deviation, eventsOf(b))
	}
}
