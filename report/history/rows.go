package history

import (
	"bufio"
	"io"
)

// rows are what is kept of records, in a file: in memory there is none of it, so that a history takes as much for a hundred thousand drafts as
// for a thousand.
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

// count is how many there are.
func (f *rows) count() int { return int(f.size / rowSize) }

// at reads a row into one that is there already.
func (f *rows) at(i int32, r row) error { return f.read(r, int64(i)*rowSize) }

// each hands over rows in their order; each of them is of use until the next one.
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
