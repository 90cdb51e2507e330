package bpmn

import (
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/hclspec/format"
	"github.com/redlinehq/redline/hclspec/load"
)

var update = flag.Bool("update", false, "rewrite the goldens in testdata")

func told(diags hcl.Diagnostics) string {
	var b strings.Builder
	for _, d := range diags {
		severity := map[hcl.DiagnosticSeverity]string{hcl.DiagError: "error", hcl.DiagWarning: "warning"}[d.Severity]
		fmt.Fprintf(&b, "%d:%d: %s[%s]: %s", d.Subject.Start.Line, d.Subject.Start.Column, severity, d.Extra, d.Summary)
		if d.Detail != "" {
			b.WriteString(" " + d.Detail)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// TestGoldens: what comes of each file, word for word. What is written is in the canonical layout, and a contract.
func TestGoldens(t *testing.T) {
	files, err := filepath.Glob("testdata/*.bpmn")
	if err != nil || len(files) < 4 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text, diags, err := Import(strings.NewReader(string(raw)), filepath.Base(file), strings.TrimSuffix(filepath.Base(file), ".bpmn"), 1)
		if err != nil {
			t.Fatal(err)
		}
		got := told(diags) + "\n" + string(text)
		golden := strings.TrimSuffix(file, ".bpmn") + ".golden"
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil || got != string(want) {
			t.Errorf("%s: %v\n%s", file, err, got)
		}
		if (text == nil) != diags.HasErrors() {
			t.Errorf("%s: a text with errors, or none without", file)
		}
		for _, d := range diags {
			page, ok := codes.Lookup(d.Extra.(codes.Code))
			if !ok || (page.Class == codes.Error) != (d.Severity == hcl.DiagError) {
				t.Errorf("%s has no page of its class", d.Extra)
			}
		}
		if formatted, _ := format.File(text, file); text != nil && string(formatted) != string(text) {
			t.Errorf("%s is not in the canonical layout", file)
		}
	}
}

func bpmn(parts string) string {
	return `<definitions xmlns="` + space + `">` + parts + `</definitions>`
}

// TestUnreadable: every mistake has its place, and a reader that fails is none.
func TestUnreadable(t *testing.T) {
	for text, want := range map[string]string{
		"":               "1:1: error[bpmn-unreadable]: The file has no <definitions>",
		"<a>\n</b>":      "2:5: error[bpmn-unreadable]: The file can't be read: element <a> closed by </b>",
		"<definitions/>": "The file has no <definitions> of BPMN 2.0",
		"<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>\n" + bpmn("&b;"):    "2:",
		`<?xml version="1.0" encoding="no-such"?><a/>`:                                 `"no-such" is not known`,
		bpmn(strings.Repeat("<process>", 1000)):                                        "more than 200 deep",
		bpmn(""):                                                                       "neither a pool nor a process",
		bpmn("\n<process id='a'/>\n<process id='a'/>"):                                 `3:1: error[bpmn-unreadable]: The id "a" is not unique: line 2 has it, too`,
		bpmn(`<collaboration><participant id="p" processRef="none"/></collaboration>`): `There is no process "none"`,
		bpmn(`<choreography id="x"/>`):                                                 `Choreography "x" is not supported`,
	} {
		out, diags, err := Import(strings.NewReader(text), "x.bpmn", "x", 1)
		if err != nil || out != nil || !strings.Contains(told(diags), want) {
			t.Errorf("%.80s: %v %.200s, expected %s", text, err, told(diags), want)
		}
	}
	gone := errors.New("the disk is gone")
	if _, _, err := Import(iotest.ErrReader(gone), "x", "x", 1); !errors.Is(err, gone) {
		t.Error(err)
	}
	crowded := &grower{decoder: xml.NewDecoder(strings.NewReader("<a/>")), open: []*node{{}}, count: maxElements}
	if err := crowded.grow(); err == nil || !strings.Contains(err.Error(), "more than 100000 elements") {
		t.Error(err)
	}
	long := &bounded{from: strings.NewReader("longer"), left: 4}
	if text, err := io.ReadAll(long); string(text) != "long" || err == nil || !strings.Contains(err.Error(), "larger than 16 MiB") {
		t.Error(string(text), err)
	}
}

// TestHostileNames: whatever things are called, what is written is a contract that says no more than was drawn.
func TestHostileNames(t *testing.T) {
	for _, name := range []string{strings.Repeat("long ", 20_000), "<script>alert(1)</script>", "javascript:alert(1)", "${x}", "%{ if true }", "\"\n}\nparty \"p\" {", "for", "null", "event", "-", "__", "1", "é", "中", "\u202Eevil", "a\x01b", "ﬁ", "º"} {
		var quoted strings.Builder
		_ = xml.EscapeText(&quoted, []byte(name))
		text := bpmn(fmt.Sprintf(`<process id="p" name="%[1]s"><startEvent id="s" name="%[1]s"/><task id="t" name="%[1]s"/><endEvent id="e" name="%[1]s"/>
<sequenceFlow id="f" name="%[1]s" sourceRef="s" targetRef="t"/><sequenceFlow id="g" name="%[1]s" sourceRef="t" targetRef="e"/></process>`, quoted.String()))
		out, diags, err := Import(strings.NewReader(text), name, name, 1)
		if err != nil || len(diags) > 0 {
			t.Errorf("%.40q: %.200s, %v", name, told(diags), err)
			continue
		}
		c := load.Text(map[string][]byte{"x.contract.hcl": out}, ".", nil).Contract
		if c == nil || len(c.Parties) != 1 || len(c.Parties[0].Places) != 4 || len(c.Parties[0].Transitions) != 3 || len(out) > 20_000 {
			t.Errorf("%.40q:\n%.2000s", name, out)
		}
	}
}

func FuzzImport(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.bpmn")
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(raw))
	}
	f.Fuzz(func(t *testing.T, text string) {
		out, diags, err := Import(strings.NewReader(text), "x.bpmn", "x", 1)
		if err != nil {
			t.Fatal(err)
		}
		if (out == nil) != diags.HasErrors() {
			t.Fatal("a text with errors, or none without")
		}
	})
}
