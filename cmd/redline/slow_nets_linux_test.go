package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestLargeNets: a net of 300,000 transitions takes no longer than its limit, and little more memory than it was granted.
func TestLargeNets(t *testing.T) {
	if os.Getenv("REDLINE_HEAVY") == "" {
		t.Skip("40 MB of PNML are read: REDLINE_HEAVY=1 does it")
	}
	const n = 300_000
	for name, arcs := range map[string]string{
		"chain": `<arc source="p%d" target="t%[1]d"/><arc source="t%[1]d" target="p%[2]d"/>` + "\n",
		"wide":  `<arc source="p%d" target="t%[1]d"/>` + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			b.WriteString("<pnml><net id=\"n\" type=\"PTNet\">\n")
			for i := range n + 1 {
				marked := ""
				if i == 0 || name == "wide" {
					marked = "<initialMarking><text>1</text></initialMarking>"
				}
				fmt.Fprintf(&b, "<place id=\"p%d\">%s</place>\n", i, marked)
			}
			for i := range n {
				fmt.Fprintf(&b, "<transition id=\"t%d\"/>"+strings.ReplaceAll(arcs, "%[2]d", fmt.Sprint(i+1)), i, i)
			}
			b.WriteString("</net></pnml>\n")
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "n.pnml"), []byte(b.String()), 0o666); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("redline", "check", "--timeout", "5s", "--max-memory", "1GiB", "n.pnml")
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOMAXPROCS=1")
			_ = cmd.Run() // whatever it says
			took := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
			used, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
			if took > 8*time.Second {
				t.Errorf("%v of processor time", took)
			}
			if ok && used.Maxrss > 1536<<10 { // the limit is of the state model; the text and the net take half a GiB besides
				t.Errorf("%d KiB of memory", used.Maxrss)
			}
			t.Log(took, used.Maxrss>>10, "MiB")
		})
	}
}
