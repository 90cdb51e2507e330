package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/redlinehq/redline/report"
	"github.com/redlinehq/redline/report/review"
)

// An output of the step.
type output struct{ name, value string }

// keep writes what was found to files, and says which outputs name them. Errors say what could not be written.
func (a *action) keep(f *found, plan review.Plan) (named []output, trouble []error) {
	if plan.Failed {
		return nil, nil
	}
	if f.wanted.SARIF != "" && a.part() == "" {
		if err := a.keepSARIF(f); err != nil {
			trouble = append(trouble, fmt.Errorf("writing SARIF: %w", err))
		} else {
			named = append(named, output{"sarif", f.wanted.SARIF})
		}
	}
	return named, trouble
}

// keepSARIF writes below the work tree. What lies there is the amendment's, links included, so none is followed out of it, and a file
// that is there already is not written to.
func (a *action) keepSARIF(f *found) error {
	top, err := os.OpenRoot(".")
	if err != nil {
		return err
	}
	defer func() { _ = top.Close() }() // only opened from
	name := filepath.FromSlash(f.wanted.SARIF)
	if err := top.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	if err := top.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return writeTo(func() (*os.File, error) { return top.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666) }, func(w io.Writer) error {
		if f.review != nil {
			return report.SARIFReview(w, f.review, f.on, version())
		}
		return report.SARIF(w, f.results, f.on, version())
	})
}

// writeTo writes a file.
func writeTo(open func() (*os.File, error), write func(io.Writer) error) error {
	file, err := open()
	if err != nil {
		return err
	}
	err = write(file)
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}

// plainLines is an error, or several, for a log.
func plainLines(err error) string {
	var b strings.Builder
	complain(&b, err)
	return b.String()
}
