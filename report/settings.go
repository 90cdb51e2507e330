package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/hclspec/settings"
)

// InForce is what a repository's settings come to, to be shown.
type InForce struct {
	Revision string // whose file it is; empty: the work tree's
	File     string // as shown; empty: there is none
	Settings []settings.Setting
	In, Out  int      // contracts that are looked at, and those left out
	Notices  []string // what a reader has to know besides, in words of our own
}

// TextSettings writes each setting, its value as the file would have it, and where the value is from.
func TextSettings(w io.Writer, f InForce, style Style) error {
	p := &page{style: style}
	whose := "the work tree"
	if f.Revision != "" {
		whose = "revision " + TerminalText(f.Revision)
	}
	if f.File == "" {
		p.say(0, fmt.Sprintf("There is no %s in %s.", settings.File, whose))
	} else {
		p.say(0, fmt.Sprintf("%s in %s:", TerminalText(f.File), whose))
	}
	p.blank()
	p.settings(f.Settings)
	p.blank()
	p.say(0, fmt.Sprintf("%s looked at, %d left out.", several(f.In, "contract"), f.Out))
	for _, n := range f.Notices {
		p.say(0, n)
	}
	p.say(0, "What flags and the action's inputs say outweighs the file.")
	_, err := io.WriteString(w, p.String())
	return err
}

func (p *page) settings(all []settings.Setting) {
	names, values := 0, 0
	shown := make([]string, len(all))
	for i, s := range all {
		shown[i] = settingText(s)
		if names = max(names, len(s.Name)); len([]rune(shown[i])) <= 24 { // a long list pushes only its own origin aside
			values = max(values, len([]rune(shown[i])))
		}
	}
	for i, s := range all {
		origin := TerminalText(s.From.String())
		if s.From == (settings.Origin{}) {
			origin = p.paint(faint, origin)
		}
		value := shown[i] + strings.Repeat(" ", max(0, values-len([]rune(shown[i]))))
		fmt.Fprintf(p, "  %-*s = %s  %s\n", names, s.Name, value, origin)
	}
}

// settingText is a value as the file would have it.
func settingText(s settings.Setting) string {
	switch v := s.Value.(type) {
	case int:
		if s.Name == "limits.jobs" && v == 0 {
			return "0 (one for each core)"
		}
	case string:
		if s.Name == "acceptance" && v == "" {
			return `"" (approved in the action, base elsewhere)`
		}
		return TerminalText(strconv.Quote(v))
	case []string:
		var quoted []string
		for _, one := range v {
			quoted = append(quoted, strconv.Quote(one))
		}
		return TerminalText("[" + strings.Join(quoted, ", ") + "]")
	}
	return fmt.Sprint(s.Value)
}

// JSONSettings writes what is in force as one JSON document, described by schema/config-v1.1.schema.json.
func JSONSettings(w io.Writer, f InForce, tool string) error {
	return encode(w, jsonSettings{
		Version: version, Tool: named(tool), Revision: f.Revision, File: f.File, Settings: mapped(f.Settings, toSetting),
		Contracts: jsonReach{In: f.In, Out: f.Out}, Notices: mapped(f.Notices, same),
	})
}

type jsonSettings struct {
	Version   int           `json:"version"`
	Tool      jsonTool      `json:"tool"`
	Revision  string        `json:"revision"`
	File      string        `json:"file"`
	Settings  []jsonSetting `json:"settings"`
	Contracts jsonReach     `json:"contracts"`
	Notices   []string      `json:"notices"`
}

type jsonReach struct {
	In  int `json:"in"`
	Out int `json:"out"`
}

type jsonSetting struct {
	Name  string `json:"name"`
	Value any    `json:"value"`
	From  string `json:"from"`
	File  string `json:"file"`
	Line  int    `json:"line"`
}

func toSetting(s settings.Setting) jsonSetting {
	from := "default"
	switch {
	case s.From.File != "":
		from = "file"
	case s.From.Flag != "":
		from = "flag"
	case s.From.Input != "":
		from = "input"
	}
	return jsonSetting{Name: s.Name, Value: s.Value, From: from, File: s.From.File, Line: s.From.Line}
}

// TextDiagnostics writes what is wrong with a file that is no contract.
func TextDiagnostics(w io.Writer, all []engine.Diagnostic, style Style) error {
	p := &page{style: style}
	p.diagnostics(all, codes.Error)
	_, err := io.WriteString(w, p.String())
	return err
}

// MarkdownDiagnostics is TextDiagnostics for GitHub.
func MarkdownDiagnostics(all []engine.Diagnostic) string {
	var b strings.Builder
	for _, d := range all[:min(len(all), mostRows)] {
		b.WriteString(diagnosticBlock(d))
	}
	if more := andMore(len(all)-mostRows, "message"); more != "" {
		b.WriteString("\n" + more + "\n")
	}
	return b.String()
}
