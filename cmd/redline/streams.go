package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/text"
)

// streams are the input and the outputs of a command.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// tell prints notices, for users who do not read the report.
func tell(w io.Writer, notices []string) {
	for _, n := range notices {
		fmt.Fprintln(w, "redline: "+escape.TerminalText(n))
	}
}

// tellTrouble prints an error of the cache. The verdicts are valid without it.
func tellTrouble(w io.Writer, trouble error) {
	if trouble != nil {
		complain(w, fmt.Errorf("the verdicts stand, but not all could be kept: %w", trouble))
	}
}

// complain prints an error. It may have several lines and contain names that strangers chose, which are escaped.
func complain(w io.Writer, err error) {
	lead := "redline: "
	for line := range strings.SplitSeq(err.Error(), "\n") {
		if strings.TrimSpace(line) != "" {
			fmt.Fprintln(w, lead+escape.TerminalText(line))
			lead = "  "
		}
	}
}

// verdictError carries an exit status whose reasons have been printed already.
type verdictError finding.ExitStatus

func (v verdictError) Error() string { return fmt.Sprintf("exit status %d", int(v)) }

// exit returns the error that ends a command with a status; nil for Clean.
func exit(status finding.ExitStatus) error {
	if status == finding.Clean {
		return nil
	}
	return verdictError(status)
}

// tellSettings prints all mistakes in settings.
func tellSettings(w io.Writer, e *app.SettingsError) {
	fmt.Fprintln(w, "redline: "+e.Says()+"\n")
	_ = text.Diagnostics(w, e.Diagnostics, styleOf(w)) // as complain
}

// styleOf returns the style for the terminal behind w; in a pipe, plain text of a fixed width.
func styleOf(w io.Writer) text.Style {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return text.Style{Width: 100}
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width < 40 {
		width = 80
	}
	return text.Style{Color: os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb", Width: min(width, 120)}
}
