package result

import (
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/redlinehq/redline/report/canonical"
)

// Read reads a file that Write has written. It refuses everything else: another format, fields that are unknown, missing or duplicate,
// values that redline never writes, blanks, and trailing data. So each result has exactly one encoding. An error names the field. Read
// reads at most maxSize+1 bytes.
func Read(r io.Reader) (*File, error) {
	f, err := read(r)
	if err != nil {
		return nil, fmt.Errorf("reading the result: %w", err)
	}
	return f, nil
}

// read is Read without the context of the error.
func read(r io.Reader) (*File, error) {
	raw, err := io.ReadAll(io.LimitReader(r, maxSize+1))
	switch {
	case err != nil:
		return nil, err
	case len(raw) > maxSize:
		return nil, canonical.TooLong(maxSize)
	case !utf8.Valid(raw):
		return nil, errors.New("it is not UTF-8")
	}
	f := &File{}
	if _, err := fmt.Sscanf(string(raw[:min(len(raw), 30)]), `{"Format":%d,`, &f.Format); err == nil && f.Format != Format {
		return nil, f.validate() // another format has other fields
	}
	if err := form.Read(raw, f); err != nil {
		return nil, err
	}
	if f.Review != nil {
		f.Review.Link()
	}
	return f, nil
}
