//go:build unix

package store

import (
	"os/exec"
	"syscall"
)

// apart makes a command run in a process group of its own, which signals to ours don't reach.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
