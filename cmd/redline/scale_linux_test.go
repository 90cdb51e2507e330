package main

import (
	"fmt"
	"os/exec"
	"syscall"
	"testing"

	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/hclspec/load"
)

// BenchmarkReviewOne is "redline review" of repositories of so many contracts, one of which the amendment breaks. It reports the processor
// seconds of the process and of git's, and the most memory that one of them had.
func BenchmarkReviewOne(b *testing.B) {
	dirs, err := load.Find(examples.FS, ".")
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{200, 2_000, 20_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			amendMany(b, func(i int) string { return dirs[i%len(dirs)] }, n, func(i int, dir string) bool { return i < len(dirs) && dir == "sale" })
			gitRun(b, "gc", "-q")
			var seconds float64
			var most int64
			for b.Loop() {
				cmd := exec.Command("redline", "review", "--base", "HEAD~1")
				_ = cmd.Run() // its exit status is compared
				if cmd.ProcessState.ExitCode() != 1 {
					b.Fatalf("exit status %d", cmd.ProcessState.ExitCode())
				}
				seconds += (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
				most = max(most, cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
			}
			b.ReportMetric(seconds/float64(b.N), "cpu-s/op")
			b.ReportMetric(float64(most>>10), "MiB")
		})
	}
}
