package result

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"reflect"
	"strconv"
	"unicode/utf8"
)

// maxSize is the maximum size of a file in bytes.
const maxSize = 128 << 20

// Write writes a file. The bytes depend on nothing but f. An error comes from w, or names a value that Read would refuse.
func Write(w io.Writer, f *File) error {
	to := &writer{out: bufio.NewWriter(w)}
	to.value(reflect.ValueOf(f).Elem())
	to.text("\n")
	if to.err != nil {
		return fmt.Errorf("writing the result: %w", to.err)
	}
	return to.out.Flush()
}

// A writer keeps its first error, and writes nothing after it.
type writer struct {
	out   *bufio.Writer
	trail trail
	bytes int
	err   error
}

// text writes s, unless an error has occurred or the file gets too long.
func (w *writer) text(s string) {
	if w.err != nil {
		return
	}
	if w.bytes += len(s); w.bytes > maxSize {
		w.err = errTooLong
		return
	}
	_, w.err = w.out.WriteString(s)
}

var errTooLong = fmt.Errorf("it is longer than %d MiB", maxSize>>20)

// value writes a value by its kind.
func (w *writer) value(v reflect.Value) {
	switch {
	case v.Type() == bigType:
		w.number(v.Interface().(*big.Int))
	case v.Kind() == reflect.Pointer && v.IsNil():
		w.text("null")
	case v.Kind() == reflect.Pointer:
		w.value(v.Elem())
	case v.Kind() == reflect.Struct:
		w.structure(v)
	case v.Kind() == reflect.Slice:
		w.list(v)
	case v.Kind() == reflect.String:
		w.string(v.String())
	case v.Kind() == reflect.Bool:
		w.text(strconv.FormatBool(v.Bool()))
	case v.CanInt():
		w.text(strconv.FormatInt(v.Int(), 10))
	case v.CanUint():
		w.text(strconv.FormatUint(v.Uint(), 10))
	default:
		panic("a file has no " + v.Type().String())
	}
}

// number writes a number of any size.
func (w *writer) number(n *big.Int) {
	if n == nil {
		w.text("null")
		return
	}
	w.text(n.String())
}

// structure writes the fields of a structure and validates it.
func (w *writer) structure(v reflect.Value) {
	w.text("{")
	for i, f := range fieldsOf(v.Type()) {
		if i > 0 {
			w.text(",")
		}
		w.text(f.key)
		w.trail.enter(f.name)
		w.value(v.FieldByIndex(f.at))
		w.trail.leave()
	}
	w.text("}")
	if w.err == nil {
		w.err = w.trail.validate(v)
	}
}

// list writes a list. It distinguishes nil from an empty list, because finding.Behaviour does.
func (w *writer) list(v reflect.Value) {
	if v.IsNil() {
		w.text("null")
		return
	}
	w.text("[")
	for i := range v.Len() {
		if i > 0 {
			w.text(",")
		}
		item := v.Index(i)
		if item.Kind() == reflect.Pointer && item.IsNil() {
			w.err = errors.Join(w.err, fmt.Errorf("%s has nothing in a place of its list", &w.trail))
			return
		}
		w.trail.item(i)
		w.value(item)
		w.trail.leave()
	}
	w.text("]")
}

// string writes a text. A text that is not UTF-8, such as a line of a file that a message quotes, is written in base64.
func (w *writer) string(s string) {
	if !utf8.ValidString(s) {
		w.text(`{"base64":"` + base64.StdEncoding.EncodeToString([]byte(s)) + `"}`)
		return
	}
	w.text(quoted(s))
}

// quoted returns a text in quotation marks. Each text has exactly one such form.
func quoted(s string) string {
	if plain(s) {
		return `"` + s + `"`
	}
	raw, err := json.Marshal(s)
	if err != nil {
		panic(err) // cannot happen for a string
	}
	return string(raw)
}

// plain reports whether a text can be put in quotation marks without escapes.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}
