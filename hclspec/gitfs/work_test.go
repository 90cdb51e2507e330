package gitfs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
)

func work(t *testing.T, dir string) *Work {
	t.Helper()
	w, err := WorkTree(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

func TestWorkTreeIsAnFS(t *testing.T) {
	r := repo{t, t.TempDir()}
	var names []string
	for i := 0; i < len(deal); i += 2 {
		r.write(deal[i], deal[i+1])
		names = append(names, deal[i])
	}
	if err := fstest.TestFS(work(t, r.dir), names...); err != nil {
		t.Error(err)
	}
}

func TestNothingOutsideTheWorkTree(t *testing.T) {
	outside := repo{t, t.TempDir()}
	outside.write("secret", "x")
	r := repo{t, t.TempDir()}
	r.write("sale/a", "x")
	for link, target := range map[string]string{
		"out": filepath.Join(outside.dir, "secret"), "up": "../..", "dir": outside.dir, "in": "sale", "file": "sale/a",
	} {
		if err := os.Symlink(target, filepath.Join(r.dir, link)); err != nil {
			t.Skip("needs symbolic links")
		}
	}
	w := work(t, r.dir)
	for _, link := range []string{"out", "up", "dir", "in", "file"} {
		_, err := w.ReadFile(link)
		refused(t, err, errNotContent, "symbolic link")
		_, err = w.Open(link)
		refused(t, err, errNotContent)
		_, err = w.ReadDir(link)
		refused(t, err, errNotContent)
		if info, err := w.Stat(link); err != nil || info.Mode().Type() != fs.ModeSymlink {
			t.Errorf("Stat(%q): %v, %v", link, info, err)
		}
	}
	for _, name := range []string{"dir/secret", "up/x", "in/a", "none"} {
		if _, err := w.ReadFile(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{"../x", "/etc/passwd", "sale/../sale/a", "sale/", ""} {
		if _, err := w.ReadFile(name); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestWorkTreeNowhere(t *testing.T) {
	if _, err := WorkTree(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
