package conform

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// readJSON reads an object from each line that is not blank.
func (l *Log) readJSON(text []byte) error {
	number := 0
	for raw := range bytes.Lines(text) {
		number++
		raw = bytes.TrimSpace(raw)
		if len(raw) == 0 {
			continue
		}
		if len(raw) > MaxLine {
			return tooLong(number)
		}
		line := Line{Number: number}
		if err := l.object(raw, &line); err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
		if err := l.add(line); err != nil {
			return err
		}
	}
	return nil
}

var errNoObject = errors.New("this is no JSON object on one line")

// object reads the keys of one object, each at most once.
func (l *Log) object(raw []byte, line *Line) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errNoObject
	}
	var seen []string
	for d.More() {
		t, err := d.Token()
		key, ok := t.(string)
		if err != nil || !ok {
			return errNoObject
		}
		if slices.Contains(seen, key) {
			return fmt.Errorf("the key %q is there twice", key)
		}
		if seen = append(seen, key); len(seen) > MaxColumns {
			return fmt.Errorf("the object has more than %d keys", MaxColumns)
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return errNoObject
		}
		if err := l.value(key, value, line); err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil { // the brace that ends it
		return errNoObject
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the object")
	}
	return nil
}

func (l *Log) value(key string, raw json.RawMessage, line *Line) (err error) {
	switch key {
	case "event":
		line.Event, err = word(raw)
	case "step":
		line.Step, err = wordOrNumber(raw)
	case "time":
		line.Time, err = wordOrNumber(raw)
	case "transition", "transitions":
		var parts []string
		if parts, err = list(raw, key == "transition"); err == nil && len(parts) > 0 {
			if line.Transition != "" {
				return errors.New(`of "transition" and "transitions" one is enough`)
			}
			line.Transition = strings.Join(parts, "+")
		}
	case "party", "parties":
		var who []string
		who, err = list(raw, key == "party")
		line.Parties = append(line.Parties, who...)
	default:
		l.ignore(key)
	}
	if err != nil {
		return fmt.Errorf("%q: %w", key, err)
	}
	return nil
}

// word returns a text; null is the empty text.
func word(raw json.RawMessage) (string, error) {
	var s *string
	if err := json.Unmarshal(raw, &s); err != nil {
		return "", errors.New("a text is expected here")
	}
	if s == nil {
		return "", nil
	}
	return strings.TrimSpace(*s), nil
}

func wordOrNumber(raw json.RawMessage) (string, error) {
	var n json.Number
	if raw[0] != '"' && json.Unmarshal(raw, &n) == nil {
		return n.String(), nil
	}
	s, err := word(raw)
	if err != nil {
		err = errors.New("a text or a number is expected here")
	}
	return s, err
}

// list returns a list of texts, or a single text as a list.
func list(raw json.RawMessage, one bool) ([]string, error) {
	if one {
		s, err := word(raw)
		if s == "" {
			return nil, err
		}
		return []string{s}, err
	}
	var all []string
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, errors.New("a list of texts is expected here")
	}
	return all, nil
}
