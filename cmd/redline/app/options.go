// Package app has the use cases of the command line and of the GitHub Action, without flags and exit statuses: which settings are in force, where the
// contracts of a directory or a revision are found, what a review or a check of them gives, with shards and a cache of earlier verdicts.
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

// Granted returns the budget with what only settings say: whether what is owed counts.
func (r ReadOptions) Granted(b finding.Budget) finding.Budget {
	b.Owed = r.Under != nil && r.Under.Owed == "fail"
	return b
}

// observable reports names that nothing has. A file of settings may name parties of some contracts only, or of none that is left: that is
// worth a notice. Who names them for one run has mistyped.
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

// LeftOut says how many contracts the settings leave out; empty: none.
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

// Includes returns which directories the settings take in; nil: all.
func (r ReadOptions) Includes() func(dir string) bool {
	if r.Under == nil || len(r.Under.Paths)+len(r.Under.Ignore) == 0 {
		return nil
	}
	return r.Under.Includes
}

// ReadOptions say how contracts are read and composed.
type ReadOptions struct {
	Rule   *petri.Rule // nil when the contracts' own rules are in force
	Jobs   int
	Time   time.Duration // for reading one contract; 0: no limit
	Values expr.Values
	Asked  []string              // variables that the command line or a file names, and so must exist
	Under  *settings.Settings    // what the repository wants; nil: nothing is known of one
	skip   func(dir string) bool // contracts that are not even read; nil: none
	other  []*compile.Draft      // of the version to compare with: what is the same there is not read again
}

// Beside returns the options for a version that is to be compared with other.
func (r ReadOptions) Beside(other []*compile.Draft) ReadOptions {
	r.other = other
	return r
}

// variablePrefix begins the names of those environment variables that are values of a contract's.
const variablePrefix = "REDLINE_VAR_"

// EnvironmentValues returns the values of variables that an environment sets (REDLINE_VAR_name). An empty one is none: that is what a
// workflow sets where it has nothing to say.
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

// ReadValueFile reads a file with lines like n = 3.
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

// Declared returns an error for a value that was asked for of a variable that none of the contracts has. While one of them is
// ill-formed, not all that it declares is known, so there is none.
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
