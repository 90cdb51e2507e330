package record

import (
	"reflect"
	"strings"
	"sync"
)

// A shape is how values of a type of ours are written where they stand: as encoding/json does with an indent of one blank, everything in
// its line. Appended writes by it, and strict reads by it.
type shape struct {
	kind reflect.Kind
	open string // of lists: before each element; a line end, and the indent
	shut string // before the bracket at the end
	of   *shape // of elements, and of what is pointed to
	all  []part // of structs
}

// A part is a field: what is written before it, and whether it is left out where it is empty.
type part struct {
	at   int
	name string
	omit bool
	is   *shape
}

var shapes sync.Map // by reflect.Type, of whole texts

// shapeOf is that of a whole text.
func shapeOf(t reflect.Type) *shape {
	if known, ok := shapes.Load(t); ok {
		return known.(*shape)
	}
	s := shapeAt(t, "\n")
	shapes.Store(t, s)
	return s
}

// shapeAt is that of what begins in a line of an indent. No type of ours has itself in it.
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
		panic("records have no " + s.kind.String()) // our own types
	}
	return s
}
