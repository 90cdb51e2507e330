package result

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits on files that are read. Results of redline stay far below them.
const (
	maxDepth  = 2_000     // of nested structures and lists; a formula has 200, and a run inside a run takes two
	maxItems  = 1 << 20   // of a list
	maxString = 4 << 20   // bytes; a file of a contract has at most 1 MiB
	maxValues = 16 << 20  // of all types
	maxDigits = 1_000_000 // of a count
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
		return nil, errTooLong
	case !utf8.Valid(raw):
		return nil, errors.New("it is not UTF-8")
	}
	from, f := &reader{rest: raw}, &File{}
	if err := from.value(reflect.ValueOf(f).Elem()); err != nil {
		return nil, err
	}
	if string(from.rest) != "\n" {
		return nil, errors.New("there is more after its end, or less")
	}
	if f.Review != nil {
		f.Review.Link()
	}
	return f, nil
}

// A reader has the part of a file that is not read yet.
type reader struct {
	rest   []byte
	trail  trail
	values int
}

// fail returns an error that names the current field.
func (r *reader) fail(format string, args ...any) error {
	return fmt.Errorf("%s: %s", &r.trail, fmt.Sprintf(format, args...))
}

// here returns the next characters, for an error.
func (r *reader) here() string {
	if len(r.rest) == 0 {
		return "the end of the file"
	}
	return fmt.Sprintf("%q", bytes.ToValidUTF8(r.rest[:min(len(r.rest), 20)], nil))
}

// skip consumes a text if it comes next, and reports whether it did.
func (r *reader) skip(text string) bool {
	if len(r.rest) < len(text) || string(r.rest[:len(text)]) != text {
		return false
	}
	r.rest = r.rest[len(text):]
	return true
}

// value reads the next value into v.
func (r *reader) value(v reflect.Value) error {
	if r.values++; r.values > maxValues {
		return r.fail("there are more than %d values", maxValues)
	}
	switch {
	case (v.Kind() == reflect.Pointer || v.Kind() == reflect.Slice) && r.skip("null"):
		return nil
	case v.Type() == bigType:
		return r.count(v)
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return r.value(v.Elem())
	case v.Kind() == reflect.Struct:
		return r.structure(v)
	case v.Kind() == reflect.Slice:
		return r.list(v)
	case v.Kind() == reflect.String:
		return r.string(v)
	case v.Kind() == reflect.Bool:
		v.SetBool(r.skip("true"))
		if !v.Bool() && !r.skip("false") {
			return r.fail("it is neither true nor false, but %s", r.here())
		}
		return nil
	}
	return r.number(v)
}

// digits reads a decimal number without leading zeros. It returns "" if there is none.
func (r *reader) digits() string {
	n := 0
	for n < len(r.rest) && '0' <= r.rest[n] && r.rest[n] <= '9' {
		n++
	}
	if n > 1 && r.rest[0] == '0' {
		return ""
	}
	s := string(r.rest[:n])
	r.rest = r.rest[n:]
	return s
}

// number reads an integer or an enumeration.
func (r *reader) number(v reflect.Value) error {
	here := r.here()
	text := r.digits()
	u, err := strconv.ParseUint(text, 10, 64)
	switch {
	case text == "":
		return r.fail("%s is no number of anything", here)
	case err != nil, v.CanInt() && (u > 1<<63-1 || v.OverflowInt(int64(u))), v.CanUint() && v.OverflowUint(u):
		return r.fail("%.40s is too large", text)
	case v.CanInt():
		v.SetInt(int64(u))
		return nil
	}
	if last, ok := lastOf[v.Type()]; ok && u > last {
		return r.fail("there is no %s number %d", strings.ToLower(v.Type().Name()), u)
	}
	v.SetUint(u)
	return nil
}

// count reads a number of any size.
func (r *reader) count(v reflect.Value) error {
	here := r.here()
	text := r.digits()
	if text == "" || len(text) > maxDigits {
		return r.fail("%s is no number of anything, or one of more than %d digits", here, maxDigits)
	}
	i, _ := new(big.Int).SetString(text, 10)
	v.Set(reflect.ValueOf(i))
	return nil
}

// string reads a text, which may be encoded in base64.
func (r *reader) string(v reflect.Value) error {
	bytes := r.skip(`{"base64":`)
	raw, ok := r.quotation()
	if !ok {
		return r.fail("it is no text, but %s", r.here())
	}
	text := string(raw[1 : len(raw)-1])
	if !plain(text) && (json.Unmarshal(raw, &text) != nil || quoted(text) != string(raw)) {
		return r.fail("it is not written as it should be")
	}
	if bytes {
		decoded, err := base64.StdEncoding.Strict().DecodeString(text)
		if err != nil || utf8.Valid(decoded) || !r.skip("}") {
			return r.fail("it is not written as it should be")
		}
		text = string(decoded)
	}
	if len(text) > maxString {
		return r.fail("it has more than %d MiB", maxString>>20)
	}
	v.SetString(text)
	return nil
}

// quotation reads the text in quotation marks that comes next, and returns it with the marks.
func (r *reader) quotation() (raw []byte, ok bool) {
	if len(r.rest) == 0 || r.rest[0] != '"' {
		return nil, false
	}
	for i := 1; i < len(r.rest); i++ {
		switch r.rest[i] {
		case '\\':
			i++
		case '"':
			raw, r.rest = r.rest[:i+1], r.rest[i+1:]
			return raw, true
		}
	}
	return nil, false
}

// structure reads an object and validates it.
func (r *reader) structure(v reflect.Value) error {
	if !r.skip("{") {
		return r.fail("it is no object, but %s", r.here())
	}
	if r.trail.deep() {
		return r.fail("it nests more than %d levels deep", maxDepth)
	}
	for i, f := range fieldsOf(v.Type()) { // requires all fields in this order, so none is unknown, missing or duplicate
		if i > 0 && !r.skip(",") || !r.skip(f.key) {
			return r.fail("the field %q should come here, not %s", f.name, r.here())
		}
		r.trail.enter(f.name)
		if err := r.value(v.FieldByIndex(f.at)); err != nil {
			return err
		}
		r.trail.leave()
		if file, ok := v.Addr().Interface().(*File); ok && file.Format != Format { // the first field: report another format before anything else
			return file.validate()
		}
	}
	if !r.skip("}") {
		return r.fail("it should end here, not go on with %s", r.here())
	}
	return r.trail.validate(v)
}

// list reads a list.
func (r *reader) list(v reflect.Value) error {
	if !r.skip("[") {
		return r.fail("it is no list, but %s", r.here())
	}
	if r.trail.deep() {
		return r.fail("it nests more than %d levels deep", maxDepth)
	}
	list := reflect.MakeSlice(v.Type(), 0, 0)
	for i := 0; !r.skip("]"); i++ {
		if i == maxItems {
			return r.fail("it has more than %d items", maxItems)
		}
		if i > 0 && !r.skip(",") {
			return r.fail("its next item should come here, or its end, not %s", r.here())
		}
		r.trail.item(i)
		list = reflect.Append(list, reflect.Zero(v.Type().Elem()))
		item := list.Index(i)
		if err := r.value(item); err != nil {
			return err
		}
		if item.Kind() == reflect.Pointer && item.IsNil() {
			return r.fail("there is nothing")
		}
		r.trail.leave()
	}
	v.Set(list)
	return nil
}
