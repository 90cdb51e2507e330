package conform

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/redlinehq/redline/hclspec"
)

// Limits of a log, which may be hostile.
const (
	MaxBytes   = 16 << 20
	MaxLines   = 200_000
	MaxLine    = 64 << 10 // bytes
	MaxColumns = 100      // or keys of an object
)

// A Log is a list of what happened, in order of time.
type Log struct {
	Lines   []Line
	Ignored []string // columns and keys that were not read, in order of their first use
}

// A Line is one line of a log.
type Line struct {
	Number     int    // of the line in the text, from 1
	Event      string // empty: the log has none; likewise below
	Transition string // its canonical name
	Step       string
	Time       string
	Parties    []string // as the log calls them
}

// tick reports whether a line says that time passes.
func (l *Line) tick() bool {
	return l.Name() == hclspec.Tick && (l.Transition == "" || l.Transition == hclspec.Tick)
}

// Name returns the name of what a line reports: its event, or else its transition.
func (l *Line) Name() string {
	if l.Event != "" {
		return l.Event
	}
	return l.Transition
}

// columns lists the columns that are read.
var columns = []string{"event", "transition", "step", "time", "party"}

// Read reads a log, a shared run or a link to one. The error names the line, and quotes foreign text.
func Read(r io.Reader) (*Log, error) {
	text, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return nil, err
	}
	if len(text) > MaxBytes {
		return nil, fmt.Errorf("the log is larger than %d bytes", MaxBytes)
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if first, _, _ := bytes.Cut(text, []byte("\n")); IsLink(string(first)) {
		return ReadLink(strings.TrimSpace(string(text)))
	}
	return parse(text)
}

func parse(text []byte) (*Log, error) {
	if at := firstInvalid(text); at >= 0 {
		return nil, fmt.Errorf("line %d is not UTF-8", 1+bytes.Count(text[:at], []byte("\n")))
	}
	log, err := &Log{}, error(nil)
	switch trimmed := bytes.TrimLeft(text, " \t\r\n"); {
	case len(trimmed) == 0: // an empty log
	case trimmed[0] == '{':
		err = log.readJSON(text)
	default:
		err = log.readCSV(text)
	}
	if err != nil {
		return nil, err
	}
	timed := slices.ContainsFunc(log.Lines, func(l Line) bool { return l.Time != "" })
	for _, name := range log.Ignored {
		if !timed && slices.Contains(times, strings.ToLower(name)) {
			return nil, fmt.Errorf("the log has no column time, and the column %q would not be read: if it says when each line happened, call it time", name)
		}
	}
	return log, nil
}

// times lists names that people give to the column time.
var times = []string{"when", "date", "day", "datetime", "timestamp", "at"}

func firstInvalid(text []byte) int {
	if utf8.Valid(text) {
		return -1
	}
	for at := 0; ; {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size <= 1 {
			return at
		}
		at += size
	}
}

// fragment begins a shared run in a link.
const fragment = "#run="

// IsLink reports whether a text is a link to a shared run.
func IsLink(text string) bool {
	text = strings.TrimSpace(text)
	return strings.Contains(text, fragment) && !strings.ContainsAny(text, "{,;\t\n\"")
}

// ReadLink reads the run in a link. It ignores everything before #run=.
func ReadLink(link string) (*Log, error) {
	if len(link) > MaxBytes {
		return nil, fmt.Errorf("the link is longer than %d bytes", MaxBytes)
	}
	_, run, _ := strings.Cut(link, fragment)
	text, err := base64.RawURLEncoding.Strict().DecodeString(strings.TrimSpace(run))
	if err != nil {
		return nil, errors.New("what follows #run= is not base64url: the link was cut or changed")
	}
	return parse(text)
}

// Link returns the link of a run's text, without an address before it.
func Link(text string) string { return fragment + base64.RawURLEncoding.EncodeToString([]byte(text)) }

// add appends a line, within the limit.
func (l *Log) add(line Line) error {
	if len(l.Lines) == MaxLines {
		return fmt.Errorf("the log has more than %d lines", MaxLines)
	}
	if line.Event == "" && line.Transition == "" {
		return fmt.Errorf("line %d names neither an event nor a transition", line.Number)
	}
	l.Lines = append(l.Lines, line)
	return nil
}

// ignore records a column that is not read.
func (l *Log) ignore(column string) {
	if !slices.Contains(l.Ignored, column) && len(l.Ignored) < MaxColumns {
		l.Ignored = append(l.Ignored, column)
	}
}
