package record

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

// TestEveryFieldIsDescribed: README.md names every field of a statement.
func TestEveryFieldIsDescribed(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	var walk func(reflect.Type)
	walk = func(of reflect.Type) {
		for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
			of = of.Elem()
		}
		if of.Kind() != reflect.Struct {
			return
		}
		for i := range of.NumField() {
			seen++
			name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
			if !strings.Contains(string(text), "`"+name+"`") && !strings.Contains(string(text), "."+name+"`") {
				t.Errorf("README.md does not describe %s", name)
			}
			walk(of.Field(i).Type)
		}
	}
	walk(reflect.TypeFor[Draft]())
	if seen < 60 {
		t.Errorf("only %d fields were looked for", seen)
	}
}
