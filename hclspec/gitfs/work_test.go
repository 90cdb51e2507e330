package gitfs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/hclspec/gitfs/gittest"
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
	r := gittest.Repo{TB: t, Dir: t.TempDir()}
	var names []string
	for i := 0; i < len(deal); i += 2 {
		r.Write(deal[i], deal[i+1])
		names = append(names, deal[i])
	}
	if err := fstest.TestFS(work(t, r.Dir), names...); err != nil {
		t.Error(err)
	}
}

func TestNothingOutsideTheWorkTree(t *testing.T) {
	outside := gittest.Repo{TB: t, Dir: t.TempDir()}
	outside.Write("secret", "x")
	r := gittest.Repo{TB: t, Dir: t.TempDir()}
	r.Write("sale/a", "x")
	for link, target := range map[string]string{
		"out": filepath.Join(outside.Dir, "secret"), "up": "../..", "dir": outside.Dir, "in": "sale", "file": "sale/a",
	} {
		if err := os.Symlink(target, filepath.Join(r.Dir, link)); err != nil {
			t.Skip("needs symbolic links")
		}
	}
	w := work(t, r.Dir)
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
