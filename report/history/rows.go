package history

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
)

// rows are what is kept of records, in a file that goes with them: in memory there is none of it, so that a history takes as much for a
// hundred thousand drafts as for a thousand.
type rows struct {
	*words
	n       int
	file    *os.File
	to      *bufio.Writer
	removed bool
}

func newRows(w *words) (*rows, error) {
	file, err := os.CreateTemp("", "redline-history-")
	if err != nil {
		return nil, unkept(err)
	}
	removed := os.Remove(file.Name()) == nil // at once, where the system has no need of its name: so nothing stays after a kill
	return &rows{words: w, file: file, to: bufio.NewWriterSize(file, 1<<16), removed: removed}, nil
}

// unkept says what could not be done; the error names the file.
func unkept(err error) error {
	return fmt.Errorf("what is read of records is kept in a temporary file for a while, in %s: %w", os.TempDir(), err)
}

// add keeps a row. It can be read after flush.
func (f *rows) add(r row) error {
	f.n++
	if _, err := f.to.Write(r); err != nil {
		return unkept(err)
	}
	return nil
}

func (f *rows) flush() error {
	if err := f.to.Flush(); err != nil {
		return unkept(err)
	}
	f.to = nil
	return nil
}

// at reads a row into one that is there already.
func (f *rows) at(i int32, r row) error {
	if _, err := f.file.ReadAt(r, int64(i)*rowSize); err != nil {
		return unkept(err)
	}
	return nil
}

// each hands over rows in their order; each of them is of use until the next one.
func (f *rows) each(do func(i int32, r row) error) error {
	from := bufio.NewReaderSize(io.NewSectionReader(f.file, 0, int64(f.n)*rowSize), 1<<16)
	r := make(row, rowSize)
	for i := range int32(f.n) {
		if _, err := io.ReadFull(from, r); err != nil {
			return unkept(err)
		}
		if err := do(i, r); err != nil {
			return err
		}
	}
	return nil
}

// Close removes what is kept.
func (f *rows) Close() error {
	err := f.file.Close()
	if !f.removed {
		err = errors.Join(err, os.Remove(f.file.Name()))
	}
	return err
}
