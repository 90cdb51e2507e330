package settings

import (
	"fmt"
	"time"
)

// File is where a repository keeps its settings, from its top.
const File = ".github/redline.hcl"

// Settings are all that can be set. Make them with Default, Parse or Load.
type Settings struct {
	FailOn string   // new, any or never: which verdicts fail a review
	Paths  []string // patterns of directories whose contracts are looked at; none: all
	Ignore []string // patterns of directories whose contracts are not

	Acceptance string      // approved, base or amendment: which acceptances count; empty: approved in the action, base elsewhere
	Approvers  []Approvers // who may approve what is accepted, in order: the last whose pattern takes in a file is the one; none: CODEOWNERS says
	Retired    []Retired   // promises given up with their contract, in order

	Owed string // tell or fail: what a review does about norms that an amendment drops or changes

	Observe []string // parties and events of which a review tells the difference; none: all

	Limits   Limits
	Comment  Comment
	CheckRun bool   // make a check run
	Status   bool   // set a commit status for each contract
	Record   bool   // keep a record of each verified draft
	SARIF    string // file to write findings to, from the work tree's top; empty: none

	from map[string]Origin // of what is not a default, by the name of the setting
}

// Limits bound the work on one version of one contract; zero is no limit.
type Limits struct {
	States  int           // that are looked at one by one
	Memory  string        // of one state model, as 512MiB or 2GiB
	Timeout time.Duration // from the first state to the last verdict
	Jobs    int           // how much is done side by side; 0: as much as there are cores
}

// Comment says how a review is told on a pull request.
type Comment struct {
	Summary     bool // one comment with all of it
	Inline      bool // a comment at each line to blame
	Suggestions bool // repairs to be committed from there
}

// Default is what is in force where nobody says otherwise.
func Default() *Settings {
	return &Settings{
		FailOn:  "new",
		Owed:    "tell",
		Limits:  Limits{States: 20_000_000, Memory: "2GiB", Timeout: 10 * time.Minute},
		Comment: Comment{Summary: true, Inline: true},
		from:    map[string]Origin{},
	}
}

// An Origin says who set a value; the zero Origin is the default. At most one of File, Flag and Input is there.
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

// From says where the value of a setting is from. Settings in a block are called limits.states.
func (s *Settings) From(name string) Origin { return s.from[name] }

// Override sets a value as a flag or an input has it: a list with commas. An error says that the text is none of the setting's kind.
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

// A Setting is one value to be shown.
type Setting struct {
	Name  string // limits.states
	Value any    // string, bool, int or []string, which is never nil
	From  Origin
}

// List is all settings, in the order of the reference.
func (s *Settings) List() []Setting {
	var list []Setting
	for _, f := range s.fields() {
		list = append(list, Setting{Name: f.name(), Value: f.value(), From: s.from[f.name()]})
	}
	return list
}

// Differ names the settings whose values are not the same.
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
