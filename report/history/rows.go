package history

import (
	"bufio"
	"io"
)

// rows are rows in a temporary file. None is in memory, so a history takes as much memory for a hundred thousand drafts as for a thousand.
type rows struct {
	*spool
	*words
}

func newRows(w *words) (*rows, error) {
	s, err := newSpool()
	if err != nil {
		return nil, err
	}
	return &rows{s, w}, nil
}

// count returns the number of rows.
func (f *rows) count() int { return int(f.size / rowSize) }

// at reads a row into r.
func (f *rows) at(i int32, r row) error { return f.read(r, int64(i)*rowSize) }

// each passes on the rows in order. Each row is valid only during the call.
func (f *rows) each(do func(i int32, r row) error) error {
	from := bufio.NewReaderSize(io.NewSectionReader(f.file, 0, f.size), 1<<16)
	r := make(row, rowSize)
	for i := range int32(f.count()) {
		if _, err := io.ReadFull(from, r); err != nil {
			return unkept(err)
		}
		if err := do(i, r); err != nil {
			return err
		}
	}
	return nil
}
