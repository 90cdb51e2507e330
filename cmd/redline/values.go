package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/expr"
	"github.com/redlinehq/redline/hclspec/settings"
)

// reading is how contracts are read and composed.
type reading struct {
	rule   *petri.Rule // nil when the contracts' own rules are in force
	jobs   int
	time   time.Duration // for reading one contract; 0: no limit
	values expr.Values
	asked  []string              // variables that the command line or a file names, and so must exist
	under  *settings.Settings    // what the repository wants; nil: nothing is known of one
	skip   func(dir string) bool // contracts that are not even read; nil: none
	other  []*compile.Draft      // of the version to compare with: what is the same there is not read again
}

// beside is how a version is read that is to be compared with another one.
func (r reading) beside(other []*compile.Draft) reading {
	r.other = other
	return r
}

// valueFlags say where the values of variables come from, besides the environment.
type valueFlags struct{ vars, files []string }

func (v *valueFlags) add(f *pflag.FlagSet) {
	f.StringArrayVar(&v.vars, "var", nil, "give a variable a value, as in n=3; may be repeated")
	f.StringArrayVar(&v.files, "var-file", nil, "take the values of variables from a file with lines like n = 3; may be repeated")
}

// variablePrefix begins the names of those environment variables that are values of a contract's.
const variablePrefix = "REDLINE_VAR_"

// read collects the values: the command line outweighs files, a later file an earlier one, and both the environment.
func (v *valueFlags) read(how reading) (reading, error) {
	how.values = environmentValues(os.Environ())
	asked := expr.Values{}
	for _, name := range v.files {
		values, err := readValueFile(name)
		if err != nil {
			return how, err
		}
		maps.Copy(asked, values)
	}
	for _, pair := range v.vars {
		name, text, ok := strings.Cut(pair, "=")
		if !ok || name == "" {
			return how, fmt.Errorf("--var %s: write it as name=value", pair)
		}
		asked[name] = expr.Value{Text: text, From: "--var"}
	}
	maps.Copy(how.values, asked)
	how.asked = slices.Sorted(maps.Keys(asked))
	return how, nil
}

// environmentValues takes an empty one for none: that is what a workflow sets where it has nothing to say.
func environmentValues(environ []string) expr.Values {
	values := expr.Values{}
	for _, pair := range environ {
		name, text, _ := strings.Cut(pair, "=")
		if variable, ok := strings.CutPrefix(name, variablePrefix); ok && text != "" {
			values[variable] = expr.Value{Text: text, From: "the environment (" + name + ")"}
		}
	}
	return values
}

func readValueFile(name string) (expr.Values, error) {
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

// declared reports a value for a variable that none of the contracts has. While one of them is ill-formed, nobody
// knows all that it declares.
func (r reading) declared(drafts ...*compile.Draft) error {
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
	for _, name := range r.asked {
		if slices.Contains(known, name) {
			continue
		}
		hint := ""
		if near := hclspec.Nearest(name, known); near != "" {
			hint = fmt.Sprintf("; did you mean %q?", near)
		}
		return fmt.Errorf("there is no variable %q to give a value (%s)%s", name, r.values[name].From, hint)
	}
	return nil
}
