package json

import (
	"io"

	"github.com/redlinehq/redline/hclspec/settings"
	"github.com/redlinehq/redline/report/text"
	"github.com/redlinehq/redline/report/words"
)

// WriteSettings writes the settings in force as one JSON document, described by schema/config-v1.1.schema.json. An error comes from w.
func WriteSettings(w io.Writer, f text.InForce, tool string) error {
	return Encode(w, Settings{
		Version: version, Tool: named(tool), Revision: f.Revision, File: f.File, Settings: words.Mapped(f.Settings, toSetting),
		Contracts: Reach{In: f.In, Out: f.Out}, Notices: words.Mapped(f.Notices, same),
	})
}

// A Settings is the document of WriteSettings.
type Settings struct {
	Version   int       `json:"version"`
	Tool      Tool      `json:"tool"`
	Revision  string    `json:"revision"`
	File      string    `json:"file"`
	Settings  []Setting `json:"settings"`
	Contracts Reach     `json:"contracts"`
	Notices   []string  `json:"notices"`
}

// A Reach counts the contracts that are looked at and left out.
type Reach struct {
	In  int `json:"in"`
	Out int `json:"out"`
}

// A Setting is the value of a setting, and its origin.
type Setting struct {
	Name  string `json:"name"`
	Value any    `json:"value"`
	From  string `json:"from"`
	File  string `json:"file"`
	Line  int    `json:"line"`
}

func toSetting(s settings.Setting) Setting {
	from := "default"
	switch {
	case s.From.File != "":
		from = "file"
	case s.From.Flag != "":
		from = "flag"
	case s.From.Input != "":
		from = "input"
	}
	return Setting{Name: s.Name, Value: s.Value, From: from, File: s.From.File, Line: s.From.Line}
}
