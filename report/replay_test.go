package report

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/conform"
	"github.com/redlinehq/redline/report/json"
	"github.com/redlinehq/redline/report/text"
)

// held holds a log to an example, with a promise added that is soon broken.
func held(t *testing.T, example, log string) *conform.Answer {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../hclspec/examples/"+example)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir+"/z.contract.hcl", []byte("requirement \"nobody-is-late\" {\n  clause = \"9\"\n  ctl    = \"AG ideal\"\n}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	drafts, err := engine.Tree{FS: os.DirFS(dir), Root: "."}.Drafts(t.Context(), nil, 1)
	if err != nil || drafts[0].Spec == nil {
		t.Fatal(err)
	}
	read, err := conform.Read(strings.NewReader(log))
	if err != nil {
		t.Fatal(err)
	}
	a, err := conform.Replay(t.Context(), drafts[0], read, nil, conform.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestReplayTells: text and JSON say the same, and the JSON is as its schema has it.
func TestReplayTells(t *testing.T) {
	const late = "event,time,x\nnomination,May,\ntick,,\ntick,July,\n"
	for log, want := range map[string][2]string{
		late:                         {"Broken: AG ideal [nobody-is-late] (clause 9), with line 4, tick (July).", `"broken": [` + "\n    {\n      " + `"name": "nobody-is-late"`},
		late + "recovery,,\n":        {"It would take the tick after force-majeure: over; supplier: hindered by force majeure.", `"kind": "impossible"`},
		"event,party\ntick,buyer\n":  {"✓ The one line of the log conforms.", `"conforms": true`},
		"event\n":                    {"✓ Nothing has happened, and that conforms.", `"conforms": true`},
		"event,party\ndelivery,me\n": {"Nobody in the contract is called me.", `"kind": "unknown-party"`},
	} {
		a := held(t, "gas-supply", log)
		var plain, doc bytes.Buffer
		if err := text.Replay(&plain, a, text.Style{}); err != nil {
			t.Fatal(err)
		}
		if err := json.WriteReplay(&doc, a, "test"); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(plain.String(), want[0]) || !strings.Contains(doc.String(), want[1]) {
			t.Errorf("%q: want %q in\n%s%s", log, want, plain.String(), doc.String())
		}
		validate(t, schemaOf(t, "replay-v1.1.schema.json"), doc.Bytes())
	}
}
