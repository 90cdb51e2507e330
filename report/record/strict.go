package record

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
)

// A strict reads what shape.appended writes, and nothing else, in one pass: each byte has to be the one that would be written there. at is
// its position.
type strict struct {
	raw string
	at  int
}

// readStrict reads a value in its canonical encoding into v. It returns false for any other text; v is then unusable. Plain strings in v
// share one string with all of raw: clone those that outlive the rest.
func readStrict(raw []byte, v any) bool {
	s, to := &strict{raw: string(raw)}, reflect.ValueOf(v).Elem()
	return s.value(shapeOf(to.Type()), to) && s.next("\n") && s.at == len(raw)
}

// next skips a text that has to follow, and reports whether it does.
func (s *strict) next(text string) bool {
	if !strings.HasPrefix(s.raw[s.at:], text) {
		return false
	}
	s.at += len(text)
	return true
}

func (s *strict) value(by *shape, v reflect.Value) bool {
	switch by.kind {
	case reflect.Pointer:
		if s.next("null") {
			return true
		}
		v.Set(reflect.New(v.Type().Elem()))
		return s.value(by.of, v.Elem())
	case reflect.String:
		text, ok := s.text()
		v.SetString(text)
		return ok
	case reflect.Bool:
		v.SetBool(s.next("true"))
		return v.Bool() || s.next("false")
	case reflect.Slice:
		return s.list(by, v)
	case reflect.Struct:
		return s.fields(by, v)
	}
	return s.number(v)
}

func (s *strict) list(by *shape, v reflect.Value) bool {
	switch {
	case s.next("null"):
		return true
	case s.next("[]"):
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		return true
	case !s.next("["):
		return false
	}
	for n := 0; n == 0 || s.next(","); n++ {
		if n == v.Cap() {
			v.Grow(max(8, n)) // most lists are short
		}
		v.SetLen(n + 1)
		if !s.next(by.open) || !s.value(by.of, v.Index(n)) {
			return false
		}
	}
	return s.next(by.shut) && s.next("]")
}

func (s *strict) fields(by *shape, v reflect.Value) bool {
	if !s.next("{") {
		return false
	}
	comma := false
	for i := range by.all {
		f, begin := &by.all[i], s.at
		if comma && !s.next(",") || !s.next(f.name) {
			if s.at = begin; f.omit {
				continue
			}
			return false
		}
		comma = true
		if !s.value(f.is, v.Field(f.at)) || f.omit && v.Field(f.at).IsZero() {
			return false
		}
	}
	return s.next(by.shut) && s.next("}")
}

// number reads an integer in its canonical form.
func (s *strict) number(v reflect.Value) bool {
	end := s.at
	for end < len(s.raw) && (s.raw[end] == '-' || '0' <= s.raw[end] && s.raw[end] <= '9') {
		end++
	}
	n, err := strconv.ParseInt(s.raw[s.at:end], 10, v.Type().Bits())
	if err != nil {
		return false
	}
	v.SetInt(n)
	return s.next(strconv.FormatInt(n, 10)) && s.at == end
}

// text reads a string. Plain ones are sliced; encoding/json reads the others, which have to be quoted canonically.
func (s *strict) text() (string, bool) {
	if !s.next(`"`) {
		return "", false
	}
	end := s.at
	for end < len(s.raw) && isPlain(s.raw[end]) {
		end++
	}
	if end < len(s.raw) && s.raw[end] == '"' {
		text := s.raw[s.at:end]
		s.at = end + 1
		return text, true
	}
	for end < len(s.raw) && s.raw[end] != '"' {
		if s.raw[end] == '\\' { // skips the escaped character
			end++
		}
		end++
	}
	if end >= len(s.raw) {
		return "", false
	}
	quoted := s.raw[s.at-1 : end+1]
	s.at = end + 1
	var text string
	err := json.Unmarshal([]byte(quoted), &text)
	return text, err == nil && string(appendedText(nil, text)) == quoted
}
