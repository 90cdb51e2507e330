package result

import (
	"fmt"
	"os"
	"path/filepath"
)

// Save writes a result to the named file, completely or not at all. Until it succeeds, the old file stays.
func Save(name string, f *File) error {
	return Replace(name, func(to *os.File) error {
		if err := Write(to, f); err != nil {
			return err
		}
		return to.Sync() // a full disk may not show before
	})
}

// Replace replaces the named file by what write writes, once that is complete. If it fails, it leaves nothing behind.
func Replace(name string, write func(*os.File) error) (err error) {
	to, err := os.CreateTemp(filepath.Dir(name), temporary)
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	defer func() {
		if err != nil {
			_ = to.Close()           // closed already, or err is more useful
			_ = os.Remove(to.Name()) // likewise
			err = fmt.Errorf("writing %s: %w", name, err)
		}
	}()
	if err := write(to); err != nil {
		return err
	}
	if err := to.Chmod(0o644); err != nil {
		return err
	}
	if err := to.Close(); err != nil {
		return err
	}
	return os.Rename(to.Name(), name)
}

// temporary is the pattern for the names of files that are being written.
const temporary = ".redline-*.part"

// Load reads the result in the named file.
func Load(name string) (*File, error) {
	from, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = from.Close() }() // only read from
	f, err := Read(from)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return f, nil
}
