package history

import (
	"bufio"
	"errors"
	"fmt"
	"os"
)

// A spool is a temporary file that is first written, then read, and removed when closed.
type spool struct {
	file    *os.File
	to      *bufio.Writer
	size    int64
	removed bool
}

func newSpool() (*spool, error) {
	file, err := os.CreateTemp("", "redline-history-")
	if err != nil {
		return nil, unkept(err)
	}
	removed := os.Remove(file.Name()) == nil // remove it at once where the system allows that, so that nothing stays after a kill
	return &spool{file: file, to: bufio.NewWriterSize(file, 1<<16), removed: removed}, nil
}

// unkept adds to an error of the temporary file what the file is for.
func unkept(err error) error {
	return fmt.Errorf("can't write a temporary file for the records, in %s: %w", os.TempDir(), err)
}

// write appends bytes. They can be read after flush.
func (s *spool) write(b []byte) error {
	s.size += int64(len(b))
	if _, err := s.to.Write(b); err != nil {
		return unkept(err)
	}
	return nil
}

func (s *spool) flush() error {
	if err := s.to.Flush(); err != nil {
		return unkept(err)
	}
	s.to = nil
	return nil
}

// read fills b from an offset.
func (s *spool) read(b []byte, at int64) error {
	if _, err := s.file.ReadAt(b, at); err != nil {
		return unkept(err)
	}
	return nil
}

// Close closes and removes the file.
func (s *spool) Close() error {
	err := s.file.Close()
	if !s.removed {
		err = errors.Join(err, os.Remove(s.file.Name()))
	}
	return err
}
