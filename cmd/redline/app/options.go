// Package app has the use cases of the command line and of the GitHub Action, without flags and exit statuses: it finds the settings in force
// and the contracts of a directory or a revision, and checks and reviews them, with shards and a cache of earlier verdicts.
package app

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/redlinehq/redline/engine/behaviour"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/expr"
	"github.com/redlinehq/redline/hclspec/settings"
	"github.com/redlinehq/redline/report/escape"
)

// Granted returns the budget, with the settings that no flag has: whether changes of norms fail a review (owed).
func (r ReadOptions) Granted(b finding.Budget) finding.Budget {
	b.Owed = r.Under != nil && r.Under.Owed == "fail"
	return b
}

// observable reports names that no draft has. For names in a file of settings it returns notices, since the file may name parties of other
// contracts. For names given for one run it returns an error: they are mistyped.
func (r ReadOptions) observable(names []string, drafts ...*compile.Draft) (notices []string, err error) {
	err = behaviour.Observable(names, drafts...)
	if err == nil || r.Under == nil || r.Under.From("observe").File == "" {
		return nil, err
	}
	for line := range strings.SplitSeq(err.Error(), "\n") {
		notices = append(notices, fmt.Sprintf("%s: %s.", r.Under.From("observe"), escape.TerminalText(line)))
	}
	return notices, nil
}

// LeftOut returns a notice on the number of contracts that the settings leave out; none for 0.
func (r ReadOptions) LeftOut(n int) []string {
	if n == 0 {
		return nil
	}
	var by []string
	for _, name := range []string{"paths", "ignore"} {
		if from := r.Under.From(name); from.File != "" {
			by = append(by, fmt.Sprintf("%s, %s", name, from))
		}
	}
	noun := "contracts are"
	if n == 1 {
		noun = "contract is"
	}
	return []string{fmt.Sprintf("%d %s left out (%s).", n, noun, strings.Join(by, "; "))}
}

// beginning says how to begin where there is no contract.
const beginning = "a contract is a directory with *.contract.hcl files; 'redline init' writes an example, 'redline init --blank seller buyer' begins your own"

// NoneYet returns a notice that says how to begin if a repository has no contracts; none otherwise.
func NoneYet(contracts int) []string {
	if contracts > 0 {
		return nil
	}
	return []string{"There is no contract yet: " + beginning + "."}
}

// Includes returns the test for directories that the settings include; nil if they include all.
func (r ReadOptions) Includes() func(dir string) bool {
	if r.Under == nil || len(r.Under.Paths)+len(r.Under.Ignore) == 0 {
		return nil
	}
	return r.Under.Includes
}

// ReadOptions determine how contracts are read and composed.
type ReadOptions struct {
	Rule   *petri.Rule // nil: the contracts' own rules apply
	Jobs   int
	Time   time.Duration // for reading one contract; 0: no limit
	Values expr.Values
	Asked  []string           // variables named on the command line or in a file, which must exist
	Under  *settings.Settings // the repository's settings; nil: unknown
	other  []*compile.Draft   // drafts of the version to compare with: equal ones are not read again
}

// ComparedWith returns the options for a version that is to be compared with other.
func (r ReadOptions) ComparedWith(other []*compile.Draft) ReadOptions {
	r.other = other
	return r
}

// variablePrefix is the prefix of environment variables that give values to variables of contracts.
const variablePrefix = "REDLINE_VAR_"

// EnvironmentValues returns the values that an environment gives to variables (REDLINE_VAR_name). It ignores empty ones: a workflow sets those
// for inputs that are not given.
func EnvironmentValues(environ []string) expr.Values {
	values := expr.Values{}
	for _, pair := range environ {
		name, text, _ := strings.Cut(pair, "=")
		if variable, ok := strings.CutPrefix(name, variablePrefix); ok && text != "" {
			values[variable] = expr.Value{Text: text, From: "the environment (" + name + ")"}
		}
	}
	return values
}

// ReadValueFile reads a file with lines like n = 3. All mistakes in it are one error.
func ReadValueFile(name string) (expr.Values, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("--var-file: %w", err)
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, hclspec.MaxFileSize+1))
	if err != nil {
		return nil, fmt.Errorf("--var-file: %w", err)
	}
	values, diags := expr.Read(name, src)
	var lines []string
	for _, d := range diags {
		lines = append(lines, fmt.Sprintf("%s:%d:%d: %s", name, d.Subject.Start.Line, d.Subject.Start.Column, d.Summary), d.Detail)
	}
	if lines != nil {
		return nil, fmt.Errorf("%s", strings.Join(lines, "\n"))
	}
	return values, nil
}

// Declared returns an error if a value is given to a variable that no contract declares. It returns nil if a contract is ill-formed, since its
// declarations are not all known.
func (r ReadOptions) Declared(drafts ...*compile.Draft) error {
	var known []string
	for _, d := range drafts {
		if d.Spec == nil {
			return nil
		}
		for _, e := range d.Source.Index.Elements {
			if e.Kind == "variable" {
				known = append(known, e.Name)
			}
		}
	}
	for _, name := range r.Asked {
		if slices.Contains(known, name) {
			continue
		}
		hint := ""
		if near := hclspec.Nearest(name, known); near != "" {
			hint = fmt.Sprintf("; did you mean %q?", near)
		}
		return fmt.Errorf("there is no variable %q to give a value (%s)%s", name, r.Values[name].From, hint)
	}
	return nil
}
