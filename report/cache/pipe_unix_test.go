//go:build unix

package cache

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A pipe in place of an entry is none, and is not opened: that would wait for whoever writes to it.
func TestPipeAsEntry(t *testing.T) {
	s := &Store{dir: t.TempDir()}
	key := strings.Repeat("a", 64)
	if err := os.MkdirAll(filepath.Dir(s.name(key)), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(s.name(key), 0o666); err != nil {
		t.Skipf("this system makes no pipes: %v", err)
	}
	if f := s.entry(key); f != nil {
		t.Errorf("%+v", f)
	}
}
