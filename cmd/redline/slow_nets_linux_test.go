package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestLargeNets: with a net of 300,000 transitions, and with one whose numbers fill 120 MB, no command that reads nets takes longer than its limit, and
// none much more memory than it was granted.
func TestLargeNets(t *testing.T) {
	if os.Getenv("REDLINE_HEAVY") == "" {
		t.Skip("200 MB of PNML are read: REDLINE_HEAVY=1 does it")
	}
	const n = 300_000
	one := "<initialMarking><text>1</text></initialMarking>"
	many := strings.ReplaceAll(one, "1", strings.Repeat("0", 60_000)+"1")
	for name, write := range map[string]func(b *strings.Builder){
		"chain": func(b *strings.Builder) {
			fmt.Fprintf(b, "<place id=\"p0\">%s</place>\n", one)
			for i := range n {
				fmt.Fprintf(b, "<place id=\"p%d\"/>\n<transition id=\"t%d\"/><arc source=\"p%[2]d\" target=\"t%[2]d\"/><arc source=\"t%[2]d\" target=\"p%[1]d\"/>\n", i+1, i)
			}
		},
		"wide": func(b *strings.Builder) {
			for i := range n {
				fmt.Fprintf(b, "<place id=\"p%d\">%s</place>\n<transition id=\"t%[1]d\"/><arc source=\"p%[1]d\" target=\"t%[1]d\"/>\n", i, one)
			}
		},
		"digits": func(b *strings.Builder) {
			for i := range 1_000 {
				fmt.Fprintf(b, "<place id=\"p%d\">%s</place>\n<transition id=\"t%[1]d\"/><arc source=\"p%[1]d\" target=\"t%[1]d\">%[3]s</arc>\n", i, many, strings.ReplaceAll(many, "initialMarking", "inscription"))
			}
			fmt.Fprintf(b, "<place id=\"q\">%s</place>\n", strings.ReplaceAll(many, "0", "9"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			b.WriteString("<pnml><net id=\"n\" type=\"PTNet\">\n")
			write(&b)
			b.WriteString("</net></pnml>\n")
			dir := t.TempDir()
			for _, name := range []string{"n.pnml", "model.pnml"} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(b.String()), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			for _, args := range [][]string{{"check", "--max-memory", "1GiB"}, {"report", "--max-memory", "1GiB", "-o", os.DevNull}, {"import", "-o", "out"}, {"export"}, {"mcc", "ReachabilityDeadlock"}} {
				net, limit := "n.pnml", 7
				if args[0] == "mcc" {
					net, limit = ".", 12 // which reads model.pnml within a limit, and then answers within one
				}
				cmd := exec.Command("redline", append(args, "--timeout", "5s", net)...)
				cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOMAXPROCS=1")
				_ = cmd.Run() // whatever it says
				took := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
				used, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
				if exceeds(t, took, limit) {
					t.Errorf("%s: %v of processor time", args[0], took)
				}
				if ok && used.Maxrss > 1536<<10 { // the limit is of the state model; the text and the net take half a GiB besides
					t.Errorf("%s: %d KiB of memory", args[0], used.Maxrss)
				}
				t.Log(args[0], took, used.Maxrss>>10, "MiB")
			}
		})
	}
}
