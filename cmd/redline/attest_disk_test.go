package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDiskFull and read-only: a file system of our own, which needs the right to mount one. TestFileSizeLimit and TestReadOnly need none.
func TestDiskFull(t *testing.T) {
	origin := newOrigin(t)
	at := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", at).CombinedOutput(); err != nil {
		t.Skipf("needs the right to mount: %s", out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", at).Run() }) // of a directory that is removed
	d := desk{t, filepath.Join(at, "clone")}
	if err := os.Mkdir(d.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	d.git("clone", "-q", "file://"+filepath.ToSlash(origin.dir), ".")
	full := filepath.Join(at, "full")
	filler := make([]byte, 4<<20)
	failed := 0
	for left := 0; left <= 64<<10; left += 16 << 10 {
		_ = os.WriteFile(full, filler, 0o666) // as far as it goes
		info, err := os.Stat(full)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(full, max(info.Size()-int64(left), 0)); err != nil {
			t.Fatal(err)
		}
		out, err := d.redline(t.Context(), "attest").CombinedOutput()
		if err != nil {
			if failed++; !strings.Contains(string(out), "No space left on device") {
				t.Errorf("with %d bytes left: %s", left, out)
			}
		}
		if n := len(d.records()); n != 0 && n != 2 {
			t.Errorf("with %d bytes left: %d records", left, n)
		}
	}
	if failed == 0 {
		t.Error("it always fitted")
	}
	if err := os.Remove(full); err != nil {
		t.Fatal(err)
	}
	d.ran(0, "attest")
	d.ran(0, "verify")
	d.whole(2)

	d.git("commit", "-q", "--allow-empty", "-m", "next")
	d.draft("next")
	d.mount(at, "ro")
	if out := d.ran(2, "attest"); !strings.Contains(strings.ToLower(out), "read-only file system") {
		t.Error(out)
	}
	d.ran(1, "verify") // which only reads
	d.mount(at, "rw")
	d.whole(2)
	d.ran(0, "attest")
	d.whole(4)
}

func (d desk) mount(at, how string) {
	d.Helper()
	if out, err := exec.Command("mount", "-o", "remount,"+how, at).CombinedOutput(); err != nil {
		d.Fatalf("%v: %s", err, out)
	}
}

// TestReadOnly is on a repository that may not be written to.
func TestReadOnly(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may write anywhere: TestDiskFull has a file system that is read-only")
	}
	d := newOrigin(t).clone()
	readOnly := func(mode os.FileMode) {
		err := filepath.WalkDir(filepath.Join(d.dir, ".git"), func(name string, e os.DirEntry, err error) error {
			if err == nil && e.IsDir() {
				err = os.Chmod(name, mode)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	readOnly(0o555)
	t.Cleanup(func() { readOnly(0o755) })
	if out := d.ran(2, "attest"); !strings.Contains(out, "insufficient permission") && !strings.Contains(out, "Permission denied") {
		t.Error(out)
	}
	readOnly(0o755)
	d.whole(0)
	d.ran(0, "attest")
	d.whole(2)
}
