package result

import (
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

// Bounds of what is read. What redline finds stays far below them.
const (
	maxDepth  = 2_000     // of brackets inside one another; a formula has 200, and a run inside a run takes two
	maxItems  = 1 << 20   // of a list
	maxString = 4 << 20   // bytes; a file of a contract has at most 1 MiB
	maxValues = 16 << 20  // of all kinds
	maxDigits = 1_000_000 // of a count
)

// Read reads what Write has written, and refuses everything else: another format, a field too many, twice or
// missing, values that redline never gives, anything after the end. An error names the field. It reads
// no more than MaxSize bytes.
func Read(r io.Reader) (*File, error) {
	bounded := &bounded{r: r, left: MaxSize + 1}
	from := &reader{in: json.NewDecoder(bounded)}
	from.in.UseNumber()
	f := &File{}
	err := from.value(reflect.ValueOf(f).Elem())
	if err == nil {
		err = from.end()
	}
	if bounded.left == 0 {
		err = errTooLong
	}
	if err != nil {
		return nil, fmt.Errorf("reading the result: %w", err)
	}
	return f, nil
}

// bounded ends after so many bytes.
type bounded struct {
	r    io.Reader
	left int
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left == 0 {
		return 0, io.EOF
	}
	n, err := b.r.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

type reader struct {
	in     *json.Decoder
	trail  trail
	values int
}

func (r *reader) fail(format string, args ...any) error {
	return fmt.Errorf("%s: %s", &r.trail, fmt.Sprintf(format, args...))
}

// token is the next one, where something has to be.
func (r *reader) token() (json.Token, error) {
	if r.values++; r.values > maxValues {
		return nil, r.fail("there are more than %d values", maxValues)
	}
	t, err := r.in.Token()
	if errors.Is(err, io.EOF) {
		return nil, r.fail("the file ends in the middle")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", &r.trail, err)
	}
	return t, nil
}

func (r *reader) end() error {
	if _, err := r.in.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is more after its end")
	}
	return nil
}

// value reads the next value into v.
func (r *reader) value(v reflect.Value) error {
	t, err := r.token()
	if err != nil {
		return err
	}
	return r.take(t, v)
}

// take reads the value that begins with a token.
func (r *reader) take(t json.Token, v reflect.Value) error {
	switch {
	case t == nil && (v.Kind() == reflect.Pointer || v.Kind() == reflect.Slice):
		return nil
	case v.Type() == bigType:
		return r.count(t, v)
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return r.take(t, v.Elem())
	case v.Kind() == reflect.Struct:
		return r.structure(t, v)
	case v.Kind() == reflect.Slice:
		return r.list(t, v)
	case v.Kind() == reflect.String:
		return r.string(t, v)
	case v.Kind() == reflect.Bool:
		b, ok := t.(bool)
		if !ok {
			return r.fail("it is neither true nor false")
		}
		v.SetBool(b)
		return nil
	}
	return r.number(t, v)
}

func (r *reader) number(t json.Token, v reflect.Value) error {
	n, ok := t.(json.Number)
	if !ok {
		return r.fail("it is no number")
	}
	u, err := strconv.ParseUint(n.String(), 10, 64)
	switch {
	case err != nil || !decimal(n.String()):
		return r.fail("%.40q is no number of anything", n.String())
	case v.CanInt() && (u > 1<<63-1 || v.OverflowInt(int64(u))), v.CanUint() && v.OverflowUint(u):
		return r.fail("%d is too large", u)
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
func (r *reader) count(t json.Token, v reflect.Value) error {
	n, ok := t.(json.Number)
	if !ok || !decimal(n.String()) || len(n) > maxDigits {
		return r.fail("it is no number of anything, or one of more than %d digits", maxDigits)
	}
	i, _ := new(big.Int).SetString(n.String(), 10)
	v.Set(reflect.ValueOf(i))
	return nil
}

// decimal reports whether a number is written as Write does.
func decimal(s string) bool {
	return s == "0" || s != "" && s[0] != '0' && strings.Trim(s, "0123456789") == ""
}

func (r *reader) string(t json.Token, v reflect.Value) error {
	s, ok := t.(string)
	if t == json.Delim('{') {
		var err error
		if s, err = r.bytes(); err != nil {
			return err
		}
	} else if !ok {
		return r.fail("it is no text")
	}
	if len(s) > maxString {
		return r.fail("it has more than %d MiB", maxString>>20)
	}
	v.SetString(s)
	return nil
}

// bytes reads a string that is not UTF-8.
func (r *reader) bytes() (string, error) {
	var raw []byte
	for i, want := range []any{"base64", nil, json.Delim('}')} {
		t, err := r.token()
		if err != nil {
			return "", err
		}
		if text, ok := t.(string); i == 1 && ok {
			raw, err = base64.StdEncoding.Strict().DecodeString(text)
			if err != nil || utf8.Valid(raw) {
				return "", r.fail("it is not written as it should be")
			}
		} else if t != want {
			return "", r.fail("it is no text")
		}
	}
	return string(raw), nil
}

func (r *reader) structure(t json.Token, v reflect.Value) error {
	if t != json.Delim('{') {
		return r.fail("it is no object")
	}
	if r.trail.deep() {
		return r.fail("it nests more than %d levels deep", maxDepth)
	}
	for _, f := range fieldsOf(v.Type()) { // all of them, in this order: so none is unknown, missing, or there twice
		if err := r.name(f.name); err != nil {
			return err
		}
		r.trail.enter(f.name)
		if err := r.value(v.FieldByIndex(f.at)); err != nil {
			return err
		}
		r.trail.leave()
		if file, ok := v.Addr().Interface().(*File); ok && file.Format != Format { // the first field
			return file.lawful()
		}
	}
	t, err := r.token()
	if err != nil {
		return err
	}
	if t != json.Delim('}') {
		return r.fail("it has a field %.40q too many", fmt.Sprint(t))
	}
	return r.trail.lawful(v)
}

// name reads the name of the field that comes next.
func (r *reader) name(want string) error {
	t, err := r.token()
	if err != nil {
		return err
	}
	if t != want {
		return r.fail("the field %q should come here, not %.40q", want, fmt.Sprint(t))
	}
	return nil
}

func (r *reader) list(t json.Token, v reflect.Value) error {
	if t != json.Delim('[') {
		return r.fail("it is no list")
	}
	if r.trail.deep() {
		return r.fail("it nests more than %d levels deep", maxDepth)
	}
	list := reflect.MakeSlice(v.Type(), 0, 0)
	for {
		t, err := r.token()
		if err != nil {
			return err
		}
		if t == json.Delim(']') {
			v.Set(list)
			return nil
		}
		if list.Len() == maxItems {
			return r.fail("it has more than %d items", maxItems)
		}
		r.trail.item(list.Len())
		if t == nil && v.Type().Elem().Kind() == reflect.Pointer {
			return r.fail("there is nothing")
		}
		list = reflect.Append(list, reflect.Zero(v.Type().Elem()))
		if err := r.take(t, list.Index(list.Len()-1)); err != nil {
			return err
		}
		r.trail.leave()
	}
}
