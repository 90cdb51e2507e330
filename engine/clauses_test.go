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

// TestClausesKeepTheirPromises: each clause that is shipped, used once by parties that have nothing else, is a contract in which all can happen and every requirement holds, none for nothing.
func TestClausesKeepTheirPromises(t *testing.T) {
	files, err := fs.Glob(clauses.FS, "*"+clauses.Suffix)
	if err != nil || len(files) < 12 {
		t.Fatal(files, err)
	}
	role := regexp.MustCompile(`(?m)^  party "([a-z-]+)"`)
	for _, file := range files {
		text, err := fs.ReadFile(clauses.FS, file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(file, clauses.Suffix)
		var b strings.Builder
		roles := ""
		for _, m := range role.FindAllSubmatch(text, -1) {
			fmt.Fprintf(&b, "party \"the-%s\" {}\n", m[1])
			roles += fmt.Sprintf("%s = the-%[1]s\n", m[1])
		}
		fmt.Fprintf(&b, "contract \"c\" {}\nphase \"one\" {\ntemplate = %s\nroles = {\n%s}\n}\n%s", name, roles, text)
		results, err := engine.Check(context.Background(), engine.Tree{FS: fstest.MapFS{"c/c.contract.hcl": {Data: []byte(b.String())}}}, engine.DefaultBudget())
		if err != nil || len(results) != 1 {
			t.Fatal(name, err)
		}
		r := results[0]
		for _, d := range r.Diagnostics {
			if d.Accepted == "" && d.Code != "breach-without-consequence" && d.Code != "idle-self-loop" { // what follows a breach is for the contract that uses the clause
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
}
