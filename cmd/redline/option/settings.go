package option

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/redlinehq/redline/hclspec/settings"
)

// FlagSettings pairs flags with the settings that they override. Not every command has each flag.
var FlagSettings = [][2]string{
	{"fail-on", "fail-on"}, {"observe", "observe"},
	{"max-states", "limits.states"}, {"max-memory", "limits.memory"}, {"timeout", "limits.timeout"}, {"jobs", "limits.jobs"},
	{"comment", "comment.summary"}, {"inline", "comment.inline"}, {"suggestions", "comment.suggestions"},
	{"check-run", "check-run"}, {"status", "status"}, {"sarif", "sarif"},
}

// MergeSettings copies settings to flags and inputs that are not given, and overrides settings with those that are. Flags are bound to the
// fields that a command uses, so afterwards flags and settings agree.
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

// textOf returns the value of a flag; that of a list has commas.
func textOf(f *pflag.Flag) string {
	if list, ok := f.Value.(pflag.SliceValue); ok {
		return strings.Join(list.GetSlice(), ",")
	}
	return f.Value.String()
}

// InputMark annotates a flag whose value is from an input of the action.
const InputMark = "input"

func originOf(f *pflag.Flag) settings.Origin {
	if _, ok := f.Annotations[InputMark]; ok {
		return settings.Origin{Input: f.Name}
	}
	return settings.Origin{Flag: f.Name}
}
