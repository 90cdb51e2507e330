package result

import (
	"fmt"
	"maps"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// shape tells every type that is reachable from File: fields in order, and the words of enumerations.
func shape(t *testing.T) string {
	types := map[string]string{}
	var tell func(of reflect.Type) string
	tell = func(of reflect.Type) string {
		switch {
		case of == reflect.TypeFor[big.Int]():
			return "number"
		case of.Kind() == reflect.Pointer:
			return "*" + tell(of.Elem())
		case of.Kind() == reflect.Slice:
			return "[]" + tell(of.Elem())
		case of.Kind() == reflect.Struct:
			if _, known := types[of.String()]; !known {
				types[of.String()] = "" // it may be within itself
				var b strings.Builder
				for _, f := range reflect.VisibleFields(of) {
					if f.IsExported() && !f.Anonymous && f.Tag.Get("result") != "-" {
						fmt.Fprintf(&b, "\n  %s %s", f.Name, tell(f.Type))
					}
				}
				types[of.String()] = b.String()
			}
			return of.String()
		case of.Kind() == reflect.Uint8:
			last, ok := lastOf[of]
			if !ok {
				t.Errorf("nobody knows which values %s has", of)
			}
			var words []string
			for i := range last + 1 {
				v := reflect.New(of).Elem()
				v.SetUint(i)
				words = append(words, fmt.Sprint(v.Interface()))
			}
			v := reflect.New(of).Elem()
			v.SetUint(last + 1)
			if stringer, ok := v.Interface().(fmt.Stringer); ok && !panics(func() { _ = stringer.String() }) {
				t.Errorf("%s has more values than are known", of)
			}
			types[of.String()] = "\n  " + strings.Join(words, ", ")
			return of.String()
		case slices.Contains([]reflect.Kind{reflect.Int, reflect.Int64, reflect.Uint64, reflect.Bool, reflect.String}, of.Kind()):
			return of.Kind().String()
		}
		t.Errorf("a file can't have a %s", of)
		return ""
	}
	tell(reflect.TypeFor[File]())
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(types)) {
		b.WriteString(name + types[name] + "\n")
	}
	return b.String()
}

func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}

// TestTheFormatIsTheShape: with any change of the structures a file has another format. To give it one, raise Format;
// the first run of this test then writes down what that is, to be committed.
func TestTheFormatIsTheShape(t *testing.T) {
	name, now := filepath.Join("testdata", fmt.Sprintf("format-%d.txt", Format)), shape(t)
	want, err := os.ReadFile(name)
	switch {
	case os.IsNotExist(err):
		if err := os.WriteFile(name, []byte(now), 0o666); err != nil {
			t.Fatal(err)
		}
		t.Errorf("%s was not there; it is now", name)
	case err != nil:
		t.Fatal(err)
	case string(want) != now:
		t.Errorf("the structures are no longer those of format %d: raise Format. Now they are:\n%s", Format, now)
	}
}
