package review

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/sethvargo/go-githubactions"
)

// SetOutput sets an output of the step, through the file that the environment names. It refuses a value with a line end, which could set
// another output.
func SetOutput(getenv func(string) string, name, value string) error {
	if strings.ContainsAny(value, "\r\n") {
		return fmt.Errorf("output %s: a value with a line end is none", name)
	}
	f, err := os.OpenFile(getenv("GITHUB_OUTPUT"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("output %s: %w", name, err)
	}
	_, err = fmt.Fprintf(f, "%s=%s\n", name, value)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("output %s: %w", name, err)
	}
	return nil
}

// Note adds a notice to the annotations. Errors are ignored.
func Note(w io.Writer, title, text string) {
	gh := githubactions.New(githubactions.WithWriter(w))
	_ = try("a notice", func() { gh.IssueCommand(Annotation{Level: Notice, title: title, message: text}.command()) })
}
