package halt_test

import (
	"errors"
	"testing"

	"github.com/redlinehq/redline/engine/halt"
)

// compute begins a computation.
func compute(do func()) (err error) {
	defer halt.Caught(&err)
	do()
	return nil
}

// TestCaught: the first error ends a computation, and is its result; a panic is none.
func TestCaught(t *testing.T) {
	first := errors.New("first")
	after := false
	err := compute(func() {
		if inner := compute(func() { halt.End(errors.New("inner")) }); inner == nil || halt.Must(3, nil) != 3 {
			t.Errorf("a computation within: %v", inner)
		}
		halt.Must(0, first)
		after = true
	})
	if err != first || after {
		t.Errorf("%v, and went on: %t", err, after)
	}
	if err := compute(func() {}); err != nil {
		t.Error(err)
	}
	defer func() {
		if recover() != "ours" {
			t.Error("a panic was taken for an error")
		}
	}()
	compute(func() { panic("ours") })
}
