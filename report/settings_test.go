package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/redlinehq/redline/hclspec/settings"
	"github.com/redlinehq/redline/report/json"
	"github.com/redlinehq/redline/report/text"
)

// What a stranger named is shown, and obeyed nowhere; the document is as its schema says.
func TestSettingsAreShown(t *testing.T) {
	s, diags := settings.Parse([]byte("paths = [\"a b\", \"::x\"]\nlimits {\n  jobs = 3\n}\n"), settings.File)
	if diags != nil {
		t.Fatal(diags)
	}
	if err := s.Override("status", "true", settings.Origin{Input: "status"}); err != nil {
		t.Fatal(err)
	}
	if err := s.Override("limits.states", "7", settings.Origin{Flag: "max-states"}); err != nil {
		t.Fatal(err)
	}
	shown := text.InForce{Revision: "x\x1b[31m\u202ey", File: settings.File, Settings: s.List(), In: 1, Out: 2, Notices: []string{"mind"}}
	var plain, doc bytes.Buffer
	if err := text.Settings(&plain, shown, text.Style{}); err != nil {
		t.Fatal(err)
	}
	if err := json.WriteSettings(&doc, shown, "v1"); err != nil {
		t.Fatal(err)
	}
	validate(t, schemaOf(t, "config-v1.1.schema.json"), doc.Bytes())
	if strings.ContainsAny(plain.String()+doc.String(), "\x1b\u202e") {
		t.Errorf("a terminal would obey %q", plain.String())
	}
	for _, want := range []string{"paths ", `["a b", ": :x"]`, ".github/redline.hcl:1\n", "--max-states\n", "input status\n", "1 contract looked at, 2 left out.", "mind\n"} {
		if !strings.Contains(plain.String(), want) {
			t.Errorf("no %q in\n%s", want, &plain)
		}
	}
	for _, want := range []string{`"from": "input"`, `"from": "flag"`, `"from": "file"`, `"from": "default"`, `"line": 1`, `"out": 2`} {
		if !strings.Contains(doc.String(), want) {
			t.Errorf("no %s in\n%s", want, &doc)
		}
	}
	doc.Reset()
	if err := json.WriteSettings(&doc, text.InForce{}, ""); err != nil {
		t.Fatal(err)
	}
	validate(t, schemaOf(t, "config-v1.1.schema.json"), doc.Bytes())
}
