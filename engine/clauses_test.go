package engine_test

import (
	"context"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/clauses"
)

// oneUse returns a contract in which parties that have nothing else use a shipped clause once, with values for its parameters, beside more blocks.
func oneUse(t *testing.T, name, with, beside string) string {
	t.Helper()
	text, err := fs.ReadFile(clauses.FS, name+clauses.Suffix)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	roles := ""
	for _, m := range regexp.MustCompile(`(?m)^  party "([a-z-]+)"`).FindAllSubmatch(text, -1) {
		fmt.Fprintf(&b, "party \"the-%s\" {}\n", m[1])
		roles += fmt.Sprintf("%s = the-%[1]s\n", m[1])
	}
	fmt.Fprintf(&b, "contract \"c\" {}\nphase \"one\" {\ntemplate = %s\nroles = {\n%s}\n%s}\n%s%s", name, roles, with, beside, text)
	return b.String()
}

// resultOf returns what the check of a contract of one file finds.
func resultOf(t *testing.T, text string) *finding.Result {
	t.Helper()
	results, err := engine.Check(context.Background(), engine.Tree{FS: fstest.MapFS{"c/c.contract.hcl": {Data: []byte(text)}}}, engine.DefaultBudget())
	if err != nil || len(results) != 1 {
		t.Fatal(err)
	}
	return results[0]
}

// durationsOf returns the parameters of a shipped clause that are durations, each with its default: names and numbers of ticks.
func durationsOf(t *testing.T, name string) [][]string {
	t.Helper()
	text, err := fs.ReadFile(clauses.FS, name+clauses.Suffix)
	if err != nil {
		t.Fatal(err)
	}
	var all [][]string
	for _, m := range regexp.MustCompile(`(?m)^  parameter "([a-z-]+)" \{\n +type += duration\n +default += ([0-9]+)\n`).FindAllStringSubmatch(string(text), -1) {
		all = append(all, m[1:])
	}
	return all
}

// TestClausesKeepTheirPromises: each clause that is shipped, used once by parties that have nothing else, is a contract in which all can happen and every requirement holds, none for nothing.
// So it is in ticks, and in days beside a duty in days; and where nobody says how many days, each parameter is one mistake that says what to write.
func TestClausesKeepTheirPromises(t *testing.T) {
	files, err := fs.Glob(clauses.FS, "*"+clauses.Suffix)
	if err != nil || len(files) < 12 {
		t.Fatal(files, err)
	}
	const inDays = "event \"own\" { by = the-%s }\nobligation \"own\" {\nbearer = the-%[1]s\nfulfil = own\nwithin = \"1 day\"\n}\n"
	for _, file := range files {
		name := strings.TrimSuffix(file, clauses.Suffix)
		keepsPromises(t, name, oneUse(t, name, "", ""))
		lasting := durationsOf(t, name)
		if len(lasting) == 0 {
			t.Errorf("%s has no duration", name)
		}
		with := "with = {\n"
		for _, p := range lasting {
			with += fmt.Sprintf("%s = \"%s days\"\n", p[0], p[1])
		}
		role := regexp.MustCompile(`party "the-([a-z-]+)"`).FindStringSubmatch(oneUse(t, name, "", ""))[1]
		own := fmt.Sprintf(inDays, role)
		keepsPromises(t, name+" in days", oneUse(t, name, with+"}\n", own))
		left := resultOf(t, oneUse(t, name, "", own))
		if len(left.Diagnostics) != len(lasting) {
			t.Errorf("%s without days: %d mistakes, want %d", name, len(left.Diagnostics), len(lasting))
		}
		for _, d := range left.Diagnostics {
			if d.Code != "bad-duration" || !strings.Contains(d.Message, " if it is left out") {
				t.Errorf("%s without days: %s: %s", name, d.Code, d.Message)
			}
		}
	}
}

func keepsPromises(t *testing.T, name, text string) {
	t.Helper()
	r := resultOf(t, text)
	for _, d := range r.Diagnostics {
		if d.Accepted == "" && d.Code != "breach-without-consequence" && d.Code != "idle-self-loop" && !strings.Contains(d.Message, "own") { // what follows a breach is for the contract that uses the clause
			t.Errorf("%s: %s: %s", name, d.Code, d.Message)
		}
	}
	if len(r.Requirements) < 2 {
		t.Errorf("%s promises little", name)
	}
	for _, q := range r.Requirements {
		if q.Verdict != finding.Holds || len(q.Vacuous) > 0 {
			t.Errorf("%s: %s: %s %v", name, q.Name, q.Verdict, q.Vacuous)
		}
	}
}
