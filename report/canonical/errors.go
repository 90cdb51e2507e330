package canonical

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// TooLong returns the error of a text that is longer than so many bytes.
func TooLong(limit int) error { return fmt.Errorf("it is longer than %d MiB", limit>>20) }

var errNothing = errors.New("there is nothing")

// A wrong is an error with the path to the value that is wrong.
type wrong struct {
	path []string // innermost part first
	err  error
}

// here returns an error of the current value, and within the same error as seen from the structure or list around it.
func here(err error) error {
	if err == nil {
		return nil
	}
	return &wrong{err: err}
}

func within(part string, err error) error {
	if w, ok := err.(*wrong); ok { // not where the text as a whole is too long
		w.path = append(w.path, part)
	}
	return err
}

func item(i int) string { return fmt.Sprintf("[%d]", i) }

func (w *wrong) Unwrap() error { return w.err }

// Error leaves out the middle of a long path.
func (w *wrong) Error() string {
	path := slices.Clone(w.path)
	slices.Reverse(path)
	if len(path) > 20 {
		path = slices.Concat(path[:16], []string{"…"}, path[len(path)-4:])
	}
	return cmp.Or(strings.TrimPrefix(strings.Join(path, ""), "."), "the file") + ": " + w.err.Error()
}
