package text

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/hclspec/settings"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/words"
)

// InForce is a repository's settings in force, for display.
type InForce struct {
	Revision string // the revision of the file; empty: the work tree
	File     string // as shown; empty: there is none
	Settings []settings.Setting
	In, Out  int      // numbers of contracts looked at, and left out
	Notices  []string // further notes for the reader, free of foreign text
}

// Settings writes each setting, its value in the notation of the file, and the origin of the value.
func Settings(w io.Writer, f InForce, style Style) error {
	p := &Page{Style: style}
	whose := "the work tree"
	if f.Revision != "" {
		whose = "revision " + escape.TerminalText(f.Revision)
	}
	if f.File == "" {
		p.Say(0, fmt.Sprintf("There is no %s in %s.", settings.File, whose))
	} else {
		p.Say(0, fmt.Sprintf("%s in %s:", escape.TerminalText(f.File), whose))
	}
	p.blank()
	p.settings(f.Settings)
	p.blank()
	p.Say(0, fmt.Sprintf("%s looked at, %d left out.", words.Several(f.In, "contract"), f.Out))
	for _, n := range f.Notices {
		p.Say(0, n)
	}
	p.Say(0, "What flags and the action's inputs say outweighs the file.")
	_, err := io.WriteString(w, p.String())
	return err
}

// settings writes the settings as a table.
func (p *Page) settings(all []settings.Setting) {
	names, values := 0, 0
	shown := make([]string, len(all))
	for i, s := range all {
		shown[i] = settingText(s)
		if names = max(names, len(s.Name)); len([]rune(shown[i])) <= 24 { // a long list pushes only its own origin aside
			values = max(values, len([]rune(shown[i])))
		}
	}
	for i, s := range all {
		origin := escape.TerminalText(s.From.String())
		if s.Name == "acceptance" && s.Value == "" {
			origin += ": approved; outside the action, what base has"
		}
		if s.From == (settings.Origin{}) {
			origin = p.paint(faint, origin)
		}
		value := shown[i] + strings.Repeat(" ", max(0, values-len([]rune(shown[i]))))
		fmt.Fprintf(p, "  %-*s = %s  %s\n", names, s.Name, value, origin)
	}
}

// settingText returns a value in the notation of the file.
func settingText(s settings.Setting) string {
	switch v := s.Value.(type) {
	case int:
		if s.Name == "limits.jobs" && v == 0 {
			return "0 (one for each core)"
		}
	case string:
		return escape.TerminalText(strconv.Quote(v))
	case []string:
		var quoted []string
		for _, one := range v {
			quoted = append(quoted, strconv.Quote(one))
		}
		return escape.TerminalText("[" + strings.Join(quoted, ", ") + "]")
	}
	return fmt.Sprint(s.Value)
}

// Diagnostics writes the errors of a file that is not a contract.
func Diagnostics(w io.Writer, all []finding.Diagnostic, style Style) error {
	p := &Page{Style: style}
	p.diagnostics(all, codes.Error)
	_, err := io.WriteString(w, p.String())
	return err
}
