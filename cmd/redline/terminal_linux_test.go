package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// TestProgressOnATerminal runs a check that takes longer than its limit in a pseudo-terminal of 60 columns: the line of progress is rewritten in place,
// fits, and is gone before the report. In a pipe, and with --quiet, there is none, and the report is the same but for its colours.
func TestProgressOnATerminal(t *testing.T) {
	dir := t.TempDir()
	var b strings.Builder
	b.WriteString("contract \"c\" {}\n")
	for i := range 20 {
		fmt.Fprintf(&b, "party \"p%d\" {\n", i)
		for s := range 10 {
			fmt.Fprintf(&b, "  state \"s%d\" {}\n  transition \"t%[1]d\" {\n    from = s%[1]d\n    to   = s%d\n  }\n", s, (s+1)%10)
		}
		b.WriteString("}\n")
	}
	b.WriteString("requirement \"r\" { ctl = \"AG !(p0.s9 && p1.s9)\" }\n")
	if err := os.WriteFile(filepath.Join(dir, "c.contract.hcl"), []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	check := []string{"check", "--engine", "explicit", "--max-states", "0", "--timeout", "1500ms"}
	shown := onTerminal(t, dir, 60, check...)
	if !strings.Contains(shown, "exploring, ") { // the machine is busy
		check[len(check)-1] = "20s"
		shown = onTerminal(t, dir, 60, check...)
	}
	lines := regexp.MustCompile(`\r\x1b\[K(redline: \d+s: [^\r\x1b\n]+)`).FindAllStringSubmatch(shown, -1)
	if len(lines) == 0 {
		t.Fatalf("no progress in %q", shown)
	}
	for _, m := range lines {
		if len([]rune(m[1])) >= 60 {
			t.Errorf("too long for the terminal: %q", m[1])
		}
	}
	if last := lines[len(lines)-1][1]; !strings.Contains(last, "exploring, ") || !strings.HasSuffix(last, " states") {
		t.Errorf("the last progress is %q", last)
	}
	progress, report, cleared := cutLast(shown, "\r\x1b[K")
	if !cleared || strings.Contains(progress, "\n") || !strings.Contains(report, "unknown") {
		t.Errorf("the report does not follow a cleared line: %q", shown)
	}
	quiet := onTerminal(t, dir, 60, append(check, "--quiet")...)
	piped := exec.Command("redline", check...)
	piped.Dir = dir
	out, err := piped.CombinedOutput()
	if exit := (*exec.ExitError)(nil); !asExit(err, &exit) {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"quiet": quiet, "in a pipe": string(out)} {
		if strings.Contains(text, "\x1b[K") || strings.Contains(text, "exploring, ") || !strings.Contains(text, "unknown") {
			t.Errorf("%s: %q", name, text)
		}
	}
}

// cutLast cuts a text around the last occurrence of a separator.
func cutLast(text, separator string) (before, after string, found bool) {
	i := strings.LastIndex(text, separator)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(separator):], true
}

// onTerminal runs redline in a pseudo-terminal of some width, and returns what appears on it.
func onTerminal(t *testing.T, dir string, width uint16, args ...string) string {
	t.Helper()
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("needs /dev/ptmx:", err)
	}
	defer ours.Close()
	var number, unlock uint32
	ioctl(t, ours, syscall.TIOCSPTLCK, unsafe.Pointer(&unlock))
	ioctl(t, ours, syscall.TIOCGPTN, unsafe.Pointer(&number))
	ioctl(t, ours, syscall.TIOCSWINSZ, unsafe.Pointer(&[4]uint16{24, width}))
	theirs, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("needs /dev/pts:", err)
	}
	cmd := exec.Command("redline", args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "TERM=xterm")
	cmd.Stdout, cmd.Stderr = theirs, theirs
	err = cmd.Start()
	theirs.Close() // the command has its own; reading ends when that is closed
	if err != nil {
		t.Fatal(err)
	}
	var shown bytes.Buffer
	_, _ = io.Copy(&shown, ours) // ends with EIO
	err = cmd.Wait()
	if exit := (*exec.ExitError)(nil); err != nil && !asExit(err, &exit) {
		t.Fatal(err)
	}
	return shown.String()
}

func ioctl(t *testing.T, f *os.File, request uintptr, at unsafe.Pointer) {
	t.Helper()
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), request, uintptr(at)); errno != 0 {
		t.Skip("no pseudo-terminal:", errno)
	}
}
