package words

import (
	"fmt"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
)

// monthly is the tick on which the n-th of several rents is late and the next one arises, of one that counts other ticks.
func monthly(n int) []finding.Firing {
	rent := func(n int, before, after string) finding.Change {
		return finding.Change{Party: fmt.Sprintf("rent[%d]", n), Called: "the " + hclspec.Ordinal(n) + " rent", Before: []string{before}, After: []string{after}}
	}
	return []finding.Firing{{Step: n + 1, Event: "tick", Title: "time passes: 1 month", Changed: []finding.Change{
		{Party: "term", Before: []string{fmt.Sprintf("%d months left", 13-n)}, After: []string{fmt.Sprintf("%d months left", 12-n)}},
		rent(n, "owed, 1 month left", "breached"), rent(n+1, "not yet owed", "owed, 1 month left")}}}
}

// TestOccurrencesInARow: what recurs is one row, of which the occurrences that end alike are said together; what else happens ends the row, and a row may not
// have the step that is marked.
func TestOccurrencesInARow(t *testing.T) {
	run := [][]finding.Firing{monthly(1), monthly(2), monthly(3), monthly(4)}
	rows := Folded(run)
	if len(rows) != 1 || rows[0][0].Title != "time passes: 4 months" {
		t.Fatalf("%+v", rows)
	}
	const want = "[{term 12 months left → 8 months left} {the 1st rent owed, 1 month left → breached} {the 2nd to 4th rent not yet owed → breached} {the 5th rent not yet owed → owed, 1 month left}]"
	if got := fmt.Sprint(Effects(rows[0][0], Terminal)); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if n := len(Folded(run, 3)); n != 3 {
		t.Errorf("with a marked step: %d rows, want 3", n)
	}
	run[2][0].Changed = append(run[2][0].Changed, finding.Change{Party: "terminate", Before: []string{"not yet held"}, After: []string{"held"}})
	if n := len(Folded(run)); n != 3 {
		t.Errorf("with a power that arises: %d rows, want 3", n)
	}
}

// TestOccurrencesThatStandAlike: they are said once, where the first is; others, and what is only called like them, for themselves.
func TestOccurrencesThatStandAlike(t *testing.T) {
	at := func(party, called, place string) finding.PartyState {
		return finding.PartyState{Party: party, Called: called, Places: []string{place}}
	}
	got := State([]finding.PartyState{
		at("rent[1]", "the 1st rent", "breached"), at("rent[2]", "the 2nd rent", "owed"), at("fee[1]", "the 1st fee", "breached"), at("rent[3]", "the 3rd rent", "breached"),
		at("rent[4]", "the 4th rent", "breached"), at("rent[6]", "the 6th rent", "breached"), at("rent[7]", "the 7th rent", "owed"), at("north[2]", "Bank two", "owed"),
	}, Terminal)
	if want := "the 1st, 3rd, 4th, 6th rent: breached; the 2nd and 7th rent: owed; the 1st fee: breached; Bank two: owed"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// TestRunsThatAreShownAlready: of occurrences that stand alike in both versions one run is enough, and of norms that differ after one run that run.
func TestRunsThatAreShownAlready(t *testing.T) {
	differs := func(subject, before, now string, months int) *finding.Diagnostic {
		var run []finding.Firing
		for n := range months {
			run = append(run, monthly(n+1)...)
		}
		_, norm, _ := strings.Cut(subject, ".")
		return &finding.Diagnostic{Subject: subject, Trace: &finding.Trace{Prefix: run, Ends: &finding.Ends{
			Before: []finding.PartyState{{Party: norm, Places: []string{before}}}, Now: []finding.PartyState{{Party: norm, Places: []string{now}}}}}}
	}
	first := differs("obligation.rent[10]", "owed", "lifted", 10)
	for _, c := range []struct {
		d    *finding.Diagnostic
		want string
	}{
		{differs("obligation.rent[11]", "owed", "lifted", 11), "The run after which it differs is not shown, since that of the 10th is above: --format json has it."},
		{differs("obligation.rent[11]", "owed", "not owed", 11), ""},
		{differs("obligation.fee[11]", "owed", "lifted", 11), ""},
		{differs("power.terminate", "held", "expired", 10), "It differs after the run that is shown above of obligation.rent[10]."},
		{&finding.Diagnostic{Subject: "obligation.rent[12]"}, ""},
	} {
		if got := RunAbove([]*finding.Diagnostic{first}, c.d, Terminal); got != c.want {
			t.Errorf("%s: %q, want %q", c.d.Subject, got, c.want)
		}
	}
}
