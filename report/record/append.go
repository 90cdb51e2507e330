package record

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
)

// appended appends a value in its canonical encoding and returns the extended buffer. It takes a fraction of the time of encoding/json:
// reading thousands of records means writing each of them again.
func (s *shape) appended(to []byte, v reflect.Value) []byte {
	switch s.kind {
	case reflect.Pointer:
		if v.IsNil() {
			return append(to, "null"...)
		}
		return s.of.appended(to, v.Elem())
	case reflect.String:
		return appendedText(to, v.String())
	case reflect.Bool:
		return strconv.AppendBool(to, v.Bool())
	case reflect.Slice:
		return s.appendedList(to, v)
	case reflect.Struct:
		return s.appendedFields(to, v)
	}
	return strconv.AppendInt(to, v.Int(), 10)
}

func (s *shape) appendedList(to []byte, v reflect.Value) []byte {
	switch {
	case v.IsNil():
		return append(to, "null"...)
	case v.Len() == 0:
		return append(to, "[]"...)
	}
	to = append(to, '[')
	for i := range v.Len() {
		if i > 0 {
			to = append(to, ',')
		}
		to = s.of.appended(append(to, s.open...), v.Index(i))
	}
	return append(append(to, s.shut...), ']')
}

func (s *shape) appendedFields(to []byte, v reflect.Value) []byte {
	to = append(to, '{')
	comma := false
	for i := range s.all {
		f := &s.all[i]
		if f.omit && v.Field(f.at).IsZero() {
			continue
		}
		if comma {
			to = append(to, ',')
		}
		comma = true
		to = f.is.appended(append(to, f.name...), v.Field(f.at))
	}
	return append(append(to, s.shut...), '}')
}

// appendedText appends a JSON string. Most strings are plain ASCII and are copied; encoding/json quotes the others.
func appendedText(to []byte, s string) []byte {
	n := 0
	for n < len(s) && isPlain(s[n]) {
		n++
	}
	if n == len(s) {
		return append(append(append(to, '"'), s...), '"')
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err) // a text
	}
	return append(to, ASCII([]byte(strings.TrimSuffix(b.String(), "\n")))...)
}

// isPlain reports whether a byte appears unescaped in a JSON string.
func isPlain(c byte) bool { return plain[c] }

var plain = func() (is [256]bool) { // a table, because every byte of a record is looked up
	for c := byte(' '); c <= '~'; c++ {
		is[c] = c != '"' && c != '\\'
	}
	return is
}()
