package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/cmd/redline/option"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/text"
)

// streams are the input and the outputs of a command.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// A screen is an output, and what flags for every command say of it.
type screen struct {
	io.Writer
	look *look
}

// A look says what outputs are to look like.
type look struct {
	color *option.Choice // auto, always or never
	quiet bool           // no notices, and no progress
}

// lookOf returns what flags say of an output; nil if it is no screen.
func lookOf(w io.Writer) *look {
	if s, ok := w.(screen); ok {
		return s.look
	}
	return nil
}

// terminalOf returns the terminal behind a stream; nil if it is none.
func terminalOf(stream any) *os.File {
	if s, ok := stream.(screen); ok {
		stream = s.Writer
	}
	if f, ok := stream.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

// hushed reports whether notices and progress are unwanted on an output.
func hushed(w io.Writer) bool {
	l := lookOf(w)
	return l != nil && l.quiet
}

// printNotices prints notices, for users who do not read the report.
func printNotices(w io.Writer, notices []string) {
	if hushed(w) {
		return
	}
	for _, n := range notices {
		fmt.Fprintln(w, "redline: "+escape.TerminalText(n))
	}
}

// printTrouble prints an error of the cache. The verdicts are valid without it.
func printTrouble(w io.Writer, trouble error) {
	if trouble != nil {
		complain(w, fmt.Errorf("the verdicts are valid, but the cache could not be written: %w", trouble))
	}
}

// complain prints an error. It may have several lines and contain names that strangers chose, which are escaped.
func complain(w io.Writer, err error) {
	lead := "redline: "
	for line := range strings.SplitSeq(option.Plain(err), "\n") {
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

// printMistakes prints all mistakes in settings.
func printMistakes(w io.Writer, e *app.SettingsError) {
	fmt.Fprintln(w, "redline: "+e.Says()+"\n")
	_ = text.Diagnostics(w, e.Diagnostics, styleOf(w)) // as complain
}

// styleOf returns the style for the terminal behind w; in a pipe, plain text of a fixed width.
func styleOf(w io.Writer) text.Style {
	f := terminalOf(w)
	style := text.Style{Color: colored(w, f != nil), Width: 100}
	if f != nil {
		width, _, err := term.GetSize(int(f.Fd()))
		if err != nil || width < 40 {
			width = 80
		}
		style.Width = min(width, 120)
	}
	return style
}

// colored reports whether an output gets colours: by --color, else FORCE_COLOR, else NO_COLOR, else on a terminal that has some.
func colored(w io.Writer, terminal bool) bool {
	if l := lookOf(w); l != nil && l.color != nil && l.color.Value != "auto" {
		return l.color.Value == "always"
	}
	if force := os.Getenv("FORCE_COLOR"); force != "" && force != "0" {
		return true
	}
	return os.Getenv("NO_COLOR") == "" && terminal && os.Getenv("TERM") != "dumb"
}
