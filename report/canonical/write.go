package canonical

import (
	"math/big"
	"reflect"
	"strconv"
)

// Append appends the text of v, a structure or a pointer to one, and returns the extended buffer. With Check it has to be a pointer. An error
// names the value that Check refuses, or says that the text is too long. Append takes a fraction of the time of encoding/json: reading
// thousands of records means writing each of them again.
func (f *Form) Append(to []byte, v any) ([]byte, error) {
	from := reflect.Indirect(reflect.ValueOf(v))
	w := &writer{f, to}
	err := w.value(f.shapeOf(from.Type()), from)
	return append(w.out, '\n'), err
}

type writer struct {
	*Form
	out []byte
}

func (w *writer) text(s string) { w.out = append(w.out, s...) }

func (w *writer) value(s *shape, v reflect.Value) error {
	switch s.kind {
	case reflect.Pointer, reflect.Slice:
		switch {
		case v.IsNil():
			w.text("null")
		case s.kind == reflect.Slice:
			return w.list(s, v)
		case s.of == nil:
			w.out = v.Interface().(*big.Int).Append(w.out, 10)
		default:
			return w.value(s.of, v.Elem())
		}
	case reflect.Struct:
		return w.fields(s, v)
	case reflect.String:
		w.string(v.String())
	case reflect.Bool:
		w.out = strconv.AppendBool(w.out, v.Bool())
	default:
		if v.CanUint() {
			w.out = strconv.AppendUint(w.out, v.Uint(), 10)
		} else {
			w.out = strconv.AppendInt(w.out, v.Int(), 10)
		}
	}
	return nil
}

func (w *writer) list(s *shape, v reflect.Value) error {
	if v.Len() == 0 {
		w.text("[]")
		return nil
	}
	w.text("[")
	for i := range v.Len() {
		if i > 0 {
			w.text(",")
		}
		w.text(s.open)
		one := v.Index(i)
		if s.of.kind == reflect.Pointer && one.IsNil() {
			return within(item(i), here(errNothing))
		}
		if err := w.value(s.of, one); err != nil {
			return within(item(i), err)
		}
	}
	w.text(s.shut)
	w.text("]")
	return nil
}

func (w *writer) fields(s *shape, v reflect.Value) error {
	w.text("{")
	comma := false
	for i := range s.fields {
		f := &s.fields[i]
		field := v.FieldByIndex(f.at)
		if f.omit && field.IsZero() {
			continue
		}
		if comma {
			w.text(",")
		}
		comma = true
		w.text(f.key)
		if err := w.value(f.is, field); err != nil {
			return within("."+f.name, err)
		}
	}
	w.text(s.shut)
	w.text("}")
	if w.MaxSize > 0 && len(w.out) >= w.MaxSize { // a line end follows
		return TooLong(w.MaxSize)
	}
	return w.check(v)
}

// check validates a structure.
func (f *Form) check(v reflect.Value) error {
	if f.Check == nil {
		return nil
	}
	return here(f.Check(v.Addr().Interface()))
}

// string writes a text. Most texts are plain ASCII and are copied.
func (w *writer) string(s string) {
	if plainTo(s) == len(s) {
		w.out = append(append(append(w.out, '"'), s...), '"')
	} else {
		w.text(w.Quote(s))
	}
}

// plainTo returns the number of bytes before the first one that is not written as itself between quotation marks.
func plainTo(s string) int {
	n := 0
	for n < len(s) && plain[s[n]] {
		n++
	}
	return n
}

var plain = func() (is [256]bool) { // a table, because every byte is looked up
	for c := byte(' '); c <= '~'; c++ {
		is[c] = c != '"' && c != '\\'
	}
	return is
}()
