package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRunsShownReplay: the runs in the JSON of check, a firing a line as they stand there, are logs that conform.
func TestRunsShownReplay(t *testing.T) {
	dir := t.TempDir()
	for _, example := range []string{"sale", "gas-supply"} {
		if _, status := runMain(t, "init", "--example", example, filepath.Join(dir, example)); status != 0 {
			t.Fatal(status)
		}
	}
	broken := `
requirement "never-sold" { ctl = "AG !seller.S3" }
requirement "nothing-waits" { ctl = "AF (seller.S1 && purchaser.P2)" }
`
	appendTo(t, filepath.Join(dir, "sale", "sale.contract.hcl"), broken)
	appendTo(t, filepath.Join(dir, "gas-supply", "norms.contract.hcl"), `requirement "never-late" { ctl = "AG ideal" }`)
	for _, c := range []struct {
		example, firing string
		runs            int
	}{{"sale", "one", 2}, {"sale", "all", 1}, {"gas-supply", "one", 1}} {
		contract := filepath.Join(dir, c.example)
		out, _ := runMain(t, "check", "--format", "json", "--firing", c.firing, contract)
		var found struct {
			Contracts []struct {
				Requirements []struct {
					Trace *struct{ Prefix, Loop []json.RawMessage }
				}
			}
		}
		if err := json.Unmarshal([]byte(out), &found); err != nil {
			t.Fatal(err)
		}
		runs := 0
		for _, r := range found.Contracts[0].Requirements {
			if r.Trace == nil {
				continue
			}
			runs++
			var log strings.Builder
			for _, firing := range append(r.Trace.Prefix, r.Trace.Loop...) {
				line, err := json.Marshal(firing)
				if err != nil {
					t.Fatal(err)
				}
				log.Write(append(line, '\n'))
			}
			name := filepath.Join(dir, "log")
			if err := os.WriteFile(name, []byte(log.String()), 0o666); err != nil {
				t.Fatal(err)
			}
			if out, status := runMain(t, "replay", "--firing", c.firing, contract, name); status != 0 || !strings.Contains(out, "conform") {
				t.Errorf("%s, firing %s: exit status %d\n%s\n%s", c.example, c.firing, status, out, log.String())
			}
		}
		if runs < c.runs {
			t.Errorf("%s, firing %s: %d runs", c.example, c.firing, runs)
		}
	}
}

func appendTo(t *testing.T, name, text string) {
	t.Helper()
	old, err := os.ReadFile(name)
	if err == nil {
		err = os.WriteFile(name, append(old, text...), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestExampleLogs: the logs beside the examples deviate where they are said to.
func TestExampleLogs(t *testing.T) {
	const examples = "../../hclspec/examples/"
	for _, c := range []struct{ example, tick, want string }{
		{"car-sale", "1w", "deviates at line 4: cancellation (2027-03-12)"},
		{"sale", "1d", "deviates at line 9: purchaser.take (2027-03-12)"},
		{"gas-supply", "1mo", "deviates at line 5: payment (2027-06-01)"},
	} {
		out, status := runMain(t, "replay", "--tick", c.tick, examples+c.example, examples+c.example+"/log.csv")
		if status != 1 || !strings.Contains(out, c.want) {
			t.Errorf("exit status %d\n%s", status, out)
		}
	}
}
