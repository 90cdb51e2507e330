package json

import (
	"io"

	"github.com/redlinehq/redline/hclspec/settings"
	"github.com/redlinehq/redline/report/text"
	"github.com/redlinehq/redline/report/words"
)

// WriteSettings writes the settings in force as one JSON document, described by schema/config-v1.1.schema.json. An error comes from w.
func WriteSettings(w io.Writer, f text.InForce, tool string) error {
	return Encode(w, inForce{
		Version: version, Tool: named(tool), Revision: f.Revision, File: f.File, Settings: words.Mapped(f.Settings, toSetting),
		Contracts: reach{In: f.In, Out: f.Out}, Notices: words.Mapped(f.Notices, same),
	})
}

// An inForce is the document of WriteSettings.
type inForce struct {
	Version   int       `json:"version"`
	Tool      program   `json:"tool"`
	Revision  string    `json:"revision"`
	File      string    `json:"file"`
	Settings  []setting `json:"settings"`
	Contracts reach     `json:"contracts"`
	Notices   []string  `json:"notices"`
}

// A reach counts the contracts that are looked at and left out.
type reach struct {
	In  int `json:"in"`
	Out int `json:"out"`
}

// A setting is the value of a setting, and its origin.
type setting struct {
	Name  string `json:"name"`
	Value any    `json:"value"`
	From  string `json:"from"`
	File  string `json:"file"`
	Line  int    `json:"line"`
}

func toSetting(s settings.Setting) setting {
	from := "default"
	switch {
	case s.From.File != "":
		from = "file"
	case s.From.Flag != "":
		from = "flag"
	case s.From.Input != "":
		from = "input"
	}
	return setting{Name: s.Name, Value: s.Value, From: from, File: s.From.File, Line: s.From.Line}
}
