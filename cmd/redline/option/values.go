package option

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/hclspec/expr"
)

// Values holds the flags that give values to variables.
type Values struct{ vars, files []string }

// Add adds --var and --var-file.
func (v *Values) Add(f *pflag.FlagSet) {
	f.StringArrayVar(&v.vars, "var", nil, "give a variable a value (`name=value`), as in n=3; may be repeated")
	f.StringArrayVar(&v.files, "var-file", nil, "take the values of variables from a `file` with lines like n = 3; may be repeated")
}

// Read collects the values: the command line outweighs files, a later file an earlier one, and both the environment.
func (v *Values) Read(how app.ReadOptions) (app.ReadOptions, error) {
	how.Values = app.EnvironmentValues(os.Environ())
	asked := expr.Values{}
	for _, name := range v.files {
		values, err := app.ReadValueFile(name)
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
	maps.Copy(how.Values, asked)
	how.Asked = slices.Sorted(maps.Keys(asked))
	return how, nil
}
