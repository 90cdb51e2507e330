package option

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/redlinehq/redline/hclspec"
)

// FlagMistake returns the error for a flag that a command cannot read: which flag, what was expected, and the nearest that there is.
func FlagMistake(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var value *pflag.InvalidValueError
	var lacking *pflag.ValueRequiredError
	switch {
	case errors.As(err, &unknown):
		return unknownFlag(cmd, unknown)
	case errors.As(err, &value):
		return fmt.Errorf("--%s %s: %s", value.GetFlag().Name, value.GetValue(), expected(value.GetFlag(), value.Unwrap()))
	case errors.As(err, &lacking):
		return fmt.Errorf("--%s needs a value after it: --%[1]s %s", lacking.GetFlag().Name, kindOf(lacking.GetFlag()))
	}
	return err
}

func unknownFlag(cmd *cobra.Command, unknown *pflag.NotExistError) error {
	name, given := unknown.GetSpecifiedName(), "--"+unknown.GetSpecifiedName()
	if unknown.GetSpecifiedShortnames() != "" {
		given = "-" + name
	}
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			known = append(known, f.Name)
		}
	})
	hint := fmt.Sprintf("'%s' lists those that there are", strings.Replace(cmd.CommandPath(), "redline", "redline help", 1))
	if near := hclspec.Nearest(name, known); near != "" && len(name) > 1 {
		hint = fmt.Sprintf("did you mean --%s?", near)
	}
	return fmt.Errorf("there is no flag %s: %s", given, hint)
}

// expected returns what is expected of the value of a flag, in place of errors of strconv and time.
func expected(f *pflag.Flag, cause error) string {
	switch f.Value.Type() {
	case "duration":
		if strings.Contains(cause.Error(), "duration") {
			return "write a time with its unit, as 30s, 5m or 1h"
		}
	case "int", "uint64":
		if strings.Contains(cause.Error(), "strconv") {
			return "write a whole number"
		}
	case "bool":
		return "write --" + f.Name + " alone"
	}
	return cause.Error()
}

// kindOf returns the kind of a flag's value in capitals.
func kindOf(f *pflag.Flag) string {
	kind, _ := pflag.UnquoteUsage(f)
	return strings.ToUpper(kind)
}

// ArgumentMistake returns the error for arguments that do not fit the command's line of use.
func ArgumentMistake(cmd *cobra.Command, args []string) error {
	var names []string
	for _, word := range strings.Fields(cmd.Use)[1:] {
		if strings.HasPrefix(word, "-") || strings.HasPrefix(word, "[-") {
			break
		}
		if !strings.HasPrefix(word, "[") {
			names = append(names, strings.TrimSuffix(word, "..."))
		}
	}
	said := fmt.Sprintf("%q is one argument too many", last(args))
	switch lacking := names[min(len(args), len(names)):]; {
	case len(lacking) == 1:
		said = lacking[0] + " is missing"
	case len(lacking) > 1:
		said = strings.Join(lacking, ", ") + " are missing"
	}
	if cmd.Name() == "review" && len(names) == 0 {
		said = fmt.Sprintf("%q is not asked for, since a review looks at every contract that the amendment touches", last(args))
	}
	return fmt.Errorf("%s: write redline %s ('redline help %s' says more)", said, cmd.Use, cmd.Name())
}

func last(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[len(args)-1]
}

// elsewhere says where redline has what other programs have a command for.
var elsewhere = map[string]string{
	"accept":   inContract,
	"diff":     "'redline review --base REV' says what an amendment changes",
	"lint":     "'redline check' finds mistakes, too",
	"man":      "'redline help --man' writes the manual page",
	"test":     "'redline check' decides every promise and scenario",
	"validate": "'redline check' finds mistakes, too",
	"waive":    inContract,
}

const inContract = "a violation is accepted in the contract's text, and 'redline review' prints the waiver that goes there"

// UnknownCommand returns the error for a command that does not exist, or for a directory where a command is expected.
func UnknownCommand(root *cobra.Command, name string, isPath bool) error {
	var known []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			known = append(known, c.Name())
		}
	}
	hint := "'redline help' lists those that there are"
	if near := hclspec.Nearest(name, known); near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	} else if isPath {
		hint = fmt.Sprintf("'redline check %s' checks what is there", name)
	} else if said := elsewhere[name]; said != "" {
		hint = said
	}
	return fmt.Errorf("there is no command %q: %s", name, hint)
}

// together matches cobra's message on flags that exclude each other, up to those that were given.
var together = regexp.MustCompile(`^if any flags in the group \[.*\] are set none of the others can be; \[(.*)\] were all set$`)

// Plain returns the message of an error in plain words: those of the file system and of the flag library have others.
func Plain(err error) string {
	text := err.Error()
	if m := together.FindStringSubmatch(text); m != nil {
		return "--" + strings.Join(strings.Fields(m[1]), " and --") + " exclude each other: give one of them"
	}
	var at *fs.PathError
	if !errors.As(err, &at) {
		return text
	}
	said := ""
	switch dir := filepath.Dir(at.Path); {
	case errors.Is(at, fs.ErrPermission):
		said = "there is no permission to " + at.Op + " " + at.Path
	case !errors.Is(at, fs.ErrNotExist):
		return text
	case missing(dir):
		said = "there is no directory " + dir
	default:
		said = "there is no file " + at.Path
	}
	return strings.Replace(text, at.Error(), said, 1)
}

// missing reports whether there is nothing of a name.
func missing(name string) bool {
	_, err := os.Stat(name)
	return errors.Is(err, fs.ErrNotExist)
}
