// Package canonical writes values as JSON in one way only, and reads nothing else. So equal values are equal bytes, and a text that is read
// is the text that would be written: records are signed, and a file of results may come from an attacker.
package canonical

import (
	"math/big"
	"reflect"
	"strings"
	"sync"
)

// A Form is a way to write values. All fields are written in their order, with the name of their json tag if they have one, and an empty one
// is left out where the tag says omitempty. A field with the tag `result:"-"`, which only a computation needs, is not written. Fields of
// embedded structures are written beside the others. Nil is null, and differs from an empty list.
type Form struct {
	Indent  bool                     // as encoding/json with an indent of one blank; otherwise there is no white space
	Quote   func(text string) string // writes a text that is not plain ASCII; two texts never have the same form
	Signed  bool                     // numbers may be negative
	Shared  bool                     // strings share memory with the whole text that is read: clone those that outlive the rest
	Last    map[reflect.Type]uint64  // the greatest value of each enumeration; the smallest is 0
	Check   func(pointer any) error  // validates each structure that is written or read; nil: there is nothing to validate
	MaxSize int                      // of what is written, in bytes; 0: no limit
	MaxText int                      // of a string that is read, in bytes; 0: no limit

	shapes sync.Map // reflect.Type: *shape, of values at the top
}

// A shape describes how values of a type are written.
type shape struct {
	kind   reflect.Kind
	open   string // of lists: the text before each element
	shut   string // before the bracket at the end
	of     *shape // of elements, and of what is pointed to; nil: a big.Int
	fields []member
	last   uint64 // of an enumeration
}

// A member is a field of a structure that is written.
type member struct {
	name string
	at   []int  // for reflect.Value.FieldByIndex
	key  string // the text before its value
	omit bool   // where it is empty
	is   *shape
}

// shapeOf returns the shape of a type at the top. It is computed once per type.
func (f *Form) shapeOf(t reflect.Type) *shape {
	if known, ok := f.shapes.Load(t); ok {
		return known.(*shape)
	}
	line := ""
	if f.Indent {
		line = "\n"
	}
	s := f.shapeAt(t, line, map[level]*shape{})
	f.shapes.Store(t, s)
	return s
}

// A level is a type with the line end and indent of its surroundings.
type level struct {
	reflect.Type
	line string
}

var bigType = reflect.TypeFor[*big.Int]()

// shapeAt returns the shape of a type at a level. With an indent, no type may contain itself.
func (f *Form) shapeAt(t reflect.Type, line string, known map[level]*shape) *shape {
	at := level{t, line}
	if s, ok := known[at]; ok {
		return s
	}
	s := &shape{kind: t.Kind(), open: line, shut: line, last: 1<<64 - 1}
	known[at] = s
	colon := `":`
	if f.Indent {
		s.open, colon = line+" ", `": `
	}
	if last, ok := f.Last[t]; ok {
		s.last = last
	}
	switch {
	case t == bigType:
	case s.kind == reflect.Pointer:
		s.of = f.shapeAt(t.Elem(), line, known)
	case s.kind == reflect.Slice:
		s.of = f.shapeAt(t.Elem(), s.open, known)
	case s.kind == reflect.Struct:
		for _, field := range reflect.VisibleFields(t) {
			name, rest, _ := strings.Cut(field.Tag.Get("json"), ",")
			if name == "" {
				name = field.Name
			}
			if field.IsExported() && !field.Anonymous && field.Tag.Get("result") != "-" {
				is := f.shapeAt(field.Type, s.open, known)
				s.fields = append(s.fields, member{name, field.Index, s.open + `"` + name + colon, rest == "omitempty", is})
			}
		}
	case s.kind == reflect.String, s.kind == reflect.Bool, reflect.Int <= s.kind && s.kind <= reflect.Uint64:
	default:
		panic("nothing canonical has a " + t.String()) // our own types only
	}
	return s
}
