package option

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/redlinehq/redline/hclspec/settings"
)

// FlagSettings are the flags that outweigh a setting. Not every command has each.
var FlagSettings = [][2]string{
	{"fail-on", "fail-on"}, {"observe", "observe"},
	{"max-states", "limits.states"}, {"max-memory", "limits.memory"}, {"timeout", "limits.timeout"}, {"jobs", "limits.jobs"},
	{"comment", "comment.summary"}, {"inline", "comment.inline"}, {"suggestions", "comment.suggestions"},
	{"check-run", "check-run"}, {"status", "status"}, {"sarif", "sarif"},
}

// MergeSettings takes from the settings what flags and inputs leave open, and puts into the settings what those say. Flags are bound to
// what a command works with, so afterwards flags and settings say the same.
func MergeSettings(s *settings.Settings, flags *pflag.FlagSet) error {
	values := map[string]string{}
	for _, set := range s.List() {
		if values[set.Name] = fmt.Sprint(set.Value); set.Name == "observe" {
			values[set.Name] = strings.Join(s.Observe, ",")
		}
	}
	for _, pair := range FlagSettings {
		flag, setting := pair[0], pair[1]
		f := flags.Lookup(flag)
		var err error
		switch {
		case f == nil:
		case f.Changed:
			err = s.Override(setting, textOf(f), originOf(f))
		case s.From(setting) != (settings.Origin{}):
			err = f.Value.Set(values[setting])
		}
		if err != nil {
			return fmt.Errorf("setting %s, %s: %w", setting, s.From(setting), err)
		}
	}
	return nil
}

// textOf is the value of a flag, of a list with commas.
func textOf(f *pflag.Flag) string {
	if list, ok := f.Value.(pflag.SliceValue); ok {
		return strings.Join(list.GetSlice(), ",")
	}
	return f.Value.String()
}

// InputMark is the annotation of a flag that has its value from an input of the action.
const InputMark = "input"

func originOf(f *pflag.Flag) settings.Origin {
	if _, ok := f.Annotations[InputMark]; ok {
		return settings.Origin{Input: f.Name}
	}
	return settings.Origin{Flag: f.Name}
}
