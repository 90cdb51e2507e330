package history

import (
	"bufio"
	"errors"
	"fmt"
	"os"
)

// A spool is a temporary file that goes with what is in it. It is written, then read.
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
	removed := os.Remove(file.Name()) == nil // at once, where the system has no need of its name: so nothing stays after a kill
	return &spool{file: file, to: bufio.NewWriterSize(file, 1<<16), removed: removed}, nil
}

// unkept says what could not be done; the error names the file.
func unkept(err error) error {
	return fmt.Errorf("what is read of records is kept in a temporary file for a while, in %s: %w", os.TempDir(), err)
}

// write adds something. It can be read after flush.
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

// read fills b with what is at some place.
func (s *spool) read(b []byte, at int64) error {
	if _, err := s.file.ReadAt(b, at); err != nil {
		return unkept(err)
	}
	return nil
}

// Close removes what is kept.
func (s *spool) Close() error {
	err := s.file.Close()
	if !s.removed {
		err = errors.Join(err, os.Remove(s.file.Name()))
	}
	return err
}
