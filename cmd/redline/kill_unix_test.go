//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// group starts a command in a group of processes of its own.
func group(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// kill kills a command that group started, with all that it has started or without.
func kill(cmd *exec.Cmd, all bool) {
	pid := cmd.Process.Pid
	if all {
		pid = -pid
	}
	_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended
}
