package canonical

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"strconv"
	"strings"
)

// Limits on texts that are read. What redline writes stays far below them.
const (
	maxDepth  = 2_000     // of nested structures and lists; a formula has 200, and a run inside a run takes two
	maxItems  = 1 << 20   // of a list
	maxValues = 16 << 20  // of all types
	maxDigits = 1_000_000 // of a count
)

// Read reads what Append has written into v, a pointer to a structure. It refuses everything else: fields that are unknown, missing or
// duplicate, another layout, values that are never written, and trailing data. An error names the value, and leaves v unusable. Read works in
// one pass: each byte has to be the one that would be written there.
func (f *Form) Read(raw []byte, v any) error {
	r, to := &reader{Form: f, rest: string(raw)}, reflect.ValueOf(v).Elem()
	if err := r.value(f.shapeOf(to.Type()), to); err != nil {
		return err
	}
	if r.rest != "\n" {
		return errors.New("missing or trailing data after the result")
	}
	return nil
}

// A reader has the part of a text that is not read yet.
type reader struct {
	*Form
	rest          string
	depth, values int
}

func (r *reader) fail(format string, args ...any) error { return here(fmt.Errorf(format, args...)) }

// next returns the next characters, for an error.
func (r *reader) next() string {
	if r.rest == "" {
		return "the end of the file"
	}
	return fmt.Sprintf("%q", strings.ToValidUTF8(r.rest[:min(len(r.rest), 20)], ""))
}

// skip consumes a text if it comes next, and reports whether it did.
func (r *reader) skip(text string) bool {
	rest, ok := strings.CutPrefix(r.rest, text)
	r.rest = rest
	return ok
}

// value reads the next value into v.
func (r *reader) value(s *shape, v reflect.Value) error {
	if r.values++; r.values > maxValues {
		return r.fail("there are more than %d values", maxValues)
	}
	switch s.kind {
	case reflect.Pointer, reflect.Slice:
		switch {
		case r.skip("null"):
			return nil
		case s.kind == reflect.Slice:
			return r.list(s, v)
		case s.of == nil:
			return r.count(v)
		}
		v.Set(reflect.New(v.Type().Elem()))
		return r.value(s.of, v.Elem())
	case reflect.Struct:
		return r.fields(s, v)
	case reflect.String:
		return r.string(v)
	case reflect.Bool:
		v.SetBool(r.skip("true"))
		if !v.Bool() && !r.skip("false") {
			return r.fail("it is neither true nor false, but %s", r.next())
		}
		return nil
	}
	return r.number(s, v)
}

// digits reads a decimal number in the one way to write it. It returns "" if there is none.
func (r *reader) digits() string {
	n, sign := 0, 0
	if r.Signed && strings.HasPrefix(r.rest, "-") {
		n, sign = 1, 1
	}
	for n < len(r.rest) && '0' <= r.rest[n] && r.rest[n] <= '9' {
		n++
	}
	s := r.rest[:n]
	if n == sign || s[sign] == '0' && s != "0" {
		return ""
	}
	r.rest = r.rest[n:]
	return s
}

// number reads an integer or an enumeration.
func (r *reader) number(s *shape, v reflect.Value) (err error) {
	text := r.digits()
	var i int64
	var u uint64
	if v.CanInt() {
		i, err = strconv.ParseInt(text, 10, v.Type().Bits())
	} else {
		u, err = strconv.ParseUint(text, 10, v.Type().Bits())
	}
	switch {
	case text == "":
		return r.fail("%s is no number of anything", r.next())
	case err != nil:
		return r.fail("%.40s is too large", text)
	case u > s.last:
		return r.fail("there is no %s number %d", strings.ToLower(v.Type().Name()), u)
	case v.CanInt():
		v.SetInt(i)
	default:
		v.SetUint(u)
	}
	return nil
}

// count reads a number of any size.
func (r *reader) count(v reflect.Value) error {
	text := r.digits()
	if text == "" {
		return r.fail("%s is no number of anything", r.next())
	}
	if len(text) > maxDigits {
		return r.fail("it has more than %d digits", maxDigits)
	}
	i, _ := new(big.Int).SetString(text, 10)
	v.Set(reflect.ValueOf(i))
	return nil
}

// string reads a text. Plain ones are sliced.
func (r *reader) string(v reflect.Value) error {
	written := r.rest
	coded := r.skip(`{"base64":`)
	raw, ok := r.quotation()
	if !ok {
		return r.fail("it is no text, but %s", r.next())
	}
	text := raw[1 : len(raw)-1]
	if coded || plainTo(text) < len(text) {
		if text, ok = unquoted(raw, coded); !ok || coded && !r.skip("}") || r.Quote(text) != written[:len(written)-len(r.rest)] {
			return r.fail("it is not written as it should be")
		}
	} else if !r.Shared {
		text = strings.Clone(text)
	}
	if r.MaxText > 0 && len(text) > r.MaxText {
		return r.fail("it has more than %d MiB", r.MaxText>>20)
	}
	v.SetString(text)
	return nil
}

// unquoted returns the text of a quotation with escapes, or in base64.
func unquoted(raw string, coded bool) (text string, ok bool) {
	err := json.Unmarshal([]byte(raw), &text)
	if err != nil || !coded {
		return text, err == nil
	}
	decoded, err := base64.StdEncoding.DecodeString(text)
	return string(decoded), err == nil
}

// quotation reads the text in quotation marks that comes next, and returns it with the marks.
func (r *reader) quotation() (raw string, ok bool) {
	if r.rest == "" || r.rest[0] != '"' {
		return "", false
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
	return "", false
}

// fields reads an object and validates it. All fields are required in their order, so none is unknown, missing or duplicate.
func (r *reader) fields(s *shape, v reflect.Value) error {
	if !r.skip("{") {
		return r.fail("it is no object, but %s", r.next())
	}
	if r.depth++; r.depth > maxDepth {
		return r.fail("it nests more than %d levels deep", maxDepth)
	}
	comma := false
	for i := range s.fields {
		f, begin := &s.fields[i], r.rest
		if comma && !r.skip(",") || !r.skip(f.key) {
			if r.rest = begin; f.omit {
				continue
			}
			return r.fail("the field %q should come here, not %s", f.name, r.next())
		}
		comma = true
		field := v.FieldByIndex(f.at)
		if err := r.value(f.is, field); err != nil {
			return within("."+f.name, err)
		}
		if f.omit && field.IsZero() {
			return r.fail("an empty %q should not be here", f.name)
		}
	}
	r.depth--
	if !r.skip(s.shut) || !r.skip("}") {
		return r.fail("it should end here, not go on with %s", r.next())
	}
	return r.check(v)
}

// list reads a list.
func (r *reader) list(s *shape, v reflect.Value) error {
	if r.skip("[]") {
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		return nil
	}
	if !r.skip("[") {
		return r.fail("it is no list, but %s", r.next())
	}
	if r.depth++; r.depth > maxDepth {
		return r.fail("it nests more than %d levels deep", maxDepth)
	}
	for n := 0; n == 0 || r.skip(","); n++ {
		if n == maxItems {
			return r.fail("it has more than %d items", maxItems)
		}
		if n == 0 && r.Shared {
			v.Grow(8) // most lists are short, and none lives long
		} else if n == v.Cap() {
			v.Grow(1)
		}
		v.SetLen(n + 1)
		if !r.skip(s.open) {
			return r.fail("its next item should come here, not %s", r.next())
		}
		one := v.Index(n)
		if err := r.value(s.of, one); err != nil {
			return within(item(n), err)
		}
		if one.Kind() == reflect.Pointer && one.IsNil() {
			return within(item(n), here(errNothing))
		}
	}
	r.depth--
	if !r.skip(s.shut) || !r.skip("]") {
		return r.fail("its next item should come here, or its end, not %s", r.next())
	}
	return nil
}
