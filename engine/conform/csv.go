package conform

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// readCSV reads a header, and a line of the log from each record.
func (l *Log) readCSV(text []byte) error {
	r := csv.NewReader(bytes.NewReader(text))
	r.Comma, r.ReuseRecord = separator(text), true
	header, err := r.Read()
	if err != nil {
		return unreadable(err)
	}
	which, err := l.header(slices.Clone(header))
	if err != nil {
		return err
	}
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return unreadable(err)
		}
		number, _ := r.FieldPos(0)
		if len(strings.Join(record, "")) > MaxLine {
			return tooLong(number)
		}
		if err := l.add(lineOf(number, record, which)); err != nil {
			return err
		}
	}
}

// separator returns the character between the columns of the header.
func separator(text []byte) rune {
	header, _, _ := bytes.Cut(bytes.TrimLeft(text, "\r\n"), []byte("\n"))
	for _, r := range ",;\t" {
		if bytes.ContainsRune(header, r) {
			return r
		}
	}
	return ','
}

// header returns the index of each column of the log among the given columns, or -1.
func (l *Log) header(names []string) ([]int, error) {
	if len(names) > MaxColumns {
		return nil, fmt.Errorf("the log has %d columns; the limit is %d", len(names), MaxColumns)
	}
	which := make([]int, len(names))
	for i, name := range names {
		if len(name) > MaxLine {
			return nil, tooLong(1)
		}
		name = strings.TrimSpace(name)
		which[i] = slices.Index(columns, strings.ToLower(name))
		switch {
		case which[i] < 0:
			l.ignore(name)
		case slices.Contains(which[:i], which[i]):
			return nil, fmt.Errorf("the log has two columns %s", columns[which[i]])
		}
	}
	if !slices.Contains(which, 0) && !slices.Contains(which, 1) {
		return nil, errors.New("the first line has to name the columns, and one of them has to be event or transition")
	}
	return which, nil
}

func lineOf(number int, record []string, which []int) Line {
	line := Line{Number: number}
	for i, text := range record {
		text = strings.Clone(strings.TrimSpace(text))
		switch {
		case text == "" || which[i] < 0:
		case columns[which[i]] == "event":
			line.Event = text
		case columns[which[i]] == "transition":
			line.Transition = text
		case columns[which[i]] == "step":
			line.Step = text
		case columns[which[i]] == "time":
			line.Time = text
		case columns[which[i]] == "party":
			line.Parties = []string{text}
		}
	}
	return line
}

// unreadable returns an error that names the line, in a reader's words.
func unreadable(err error) error {
	var at *csv.ParseError
	switch {
	case !errors.As(err, &at):
		return err
	case errors.Is(err, csv.ErrFieldCount):
		return fmt.Errorf("line %d has more or fewer columns than the header", at.StartLine)
	}
	return fmt.Errorf("line %d is no CSV: %w", at.StartLine, at.Err)
}

func tooLong(number int) error {
	return fmt.Errorf("line %d is longer than %d bytes", number, MaxLine)
}
