package settings

import (
	"fmt"
	"maps"
	"time"
)

// File is the name of the file of settings, from the repository's top.
const File = ".github/redline.hcl"

// Settings holds all settings. Make them with Default, Parse or Load.
type Settings struct {
	failOn string   // new, any or never: the verdicts that fail a review
	Paths  []string // patterns of directories whose contracts are checked; none: all
	Ignore []string // patterns of directories whose contracts are not

	Acceptance string      // approved, base or amendment: the acceptances that count; empty: approved, which outside the action comes to base
	Approvers  []Approvers // accounts that may approve, in order: the last pattern that matches a file counts; none: as in CODEOWNERS
	Retired    []retired   // promises given up with their contract, in order

	Owed string // tell or fail: the effect on a review of norms that an amendment drops or changes

	Observe []string // parties and events whose differences a review shows; none: all

	Limits   limits
	Comment  comment
	CheckRun bool   // make a check run
	Status   bool   // set a commit status for each contract
	Record   bool   // keep a record of each verified draft
	SARIF    string // file to write findings to, from the work tree's top; empty: none

	from map[string]Origin // of values that are not defaults, by the name of the setting
}

// limits bound the work on one version of one contract; zero is no limit.
type limits struct {
	States  int           // in an explicit search
	Memory  string        // of one state model, as 512MiB or 2GiB
	Timeout time.Duration // from the first state to the last verdict
	jobs    int           // how many jobs run side by side; 0: as many as there are cores
}

// comment selects the parts of a review that a pull request shows.
type comment struct {
	Summary     bool // one comment with the whole review
	Inline      bool // a comment at each line to blame
	Suggestions bool // repairs that can be committed from the comment
}

// Default returns the settings in force without a file, a flag or an input.
func Default() *Settings {
	return &Settings{
		failOn:  "new",
		Owed:    "tell",
		Limits:  limits{States: 20_000_000, Memory: "2GiB", Timeout: 10 * time.Minute},
		Comment: comment{Summary: true, Inline: true},
		from:    map[string]Origin{},
	}
}

// An Origin records where a value was set; the zero Origin is the default. At most one of File, Flag and Input is set.
type Origin struct {
	File  string // as shown
	Line  int    // in File, from 1
	Flag  string // of the command line, without hyphens
	Input string // of the action
}

func (o Origin) String() string {
	switch {
	case o.File != "":
		return fmt.Sprintf("%s:%d", o.File, o.Line)
	case o.Flag != "":
		return "--" + o.Flag
	case o.Input != "":
		return "input " + o.Input
	}
	return "default"
}

// From returns the origin of the value of a setting. Settings in a block have names like limits.states.
func (s *Settings) From(name string) Origin { return s.from[name] }

// Override sets a value from the text of a flag or an input; a list has commas. The error says that the text does not fit the setting. An
// unknown name has no effect.
func (s *Settings) Override(name, text string, by Origin) error {
	for _, f := range s.fields() {
		if f.name() != name {
			continue
		}
		if err := f.set(text); err != nil {
			return fmt.Errorf("%s: %s: %w", by, name, err)
		}
		s.from[name] = by
	}
	return nil
}

// Clone returns a copy that Override changes alone.
func (s *Settings) Clone() *Settings {
	c := *s
	c.from = maps.Clone(s.from)
	return &c
}

// A Setting is one value with its name and origin, to be shown.
type Setting struct {
	Name  string // limits.states
	Value any    // string, bool, int or []string, which is never nil
	From  Origin
}

// List returns all settings, in the order of the reference.
func (s *Settings) List() []Setting {
	var list []Setting
	for _, f := range s.fields() {
		list = append(list, Setting{Name: f.name(), Value: f.value(), From: s.from[f.name()]})
	}
	return list
}

// Differ returns the names of the settings whose values differ.
func Differ(a, b *Settings) []string {
	var names []string
	others := b.List()
	for i, s := range a.List() {
		if fmt.Sprintf("%#v", s.Value) != fmt.Sprintf("%#v", others[i].Value) {
			names = append(names, s.Name)
		}
	}
	return names
}
