package record

import (
	"reflect"
	"strings"
	"sync"
)

// A shape describes how values of a type are written: like encoding/json with an indent of one blank. appended writes by it, and strict
// reads by it.
type shape struct {
	kind reflect.Kind
	open string // of lists: before each element; a line end, and the indent
	shut string // before the bracket at the end
	of   *shape // of elements, and of what is pointed to
	all  []part // of structs
}

// A part is a field: the text before it, and whether it is omitted when empty.
type part struct {
	at   int
	name string
	omit bool
	is   *shape
}

var shapes sync.Map // by reflect.Type, of top-level values

// shapeOf returns the shape of a type at the top level. It is computed once per type.
func shapeOf(t reflect.Type) *shape {
	if known, ok := shapes.Load(t); ok {
		return known.(*shape)
	}
	s := shapeAt(t, "\n")
	shapes.Store(t, s)
	return s
}

// shapeAt returns the shape of a type at the indent that line gives. None of our types contains itself.
func shapeAt(t reflect.Type, line string) *shape {
	s := &shape{kind: t.Kind(), open: line + " ", shut: line}
	switch s.kind {
	case reflect.Pointer:
		s.of = shapeAt(t.Elem(), line)
	case reflect.Slice:
		s.of = shapeAt(t.Elem(), s.open)
	case reflect.Struct:
		for i := range t.NumField() {
			name, rest, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
			s.all = append(s.all, part{i, s.open + `"` + name + `": `, rest == "omitempty", shapeAt(t.Field(i).Type, s.open)})
		}
	case reflect.String, reflect.Int, reflect.Int64, reflect.Bool:
	default:
		panic("records have no " + s.kind.String()) // our own types only
	}
	return s
}
