//go:build unix

package store

import (
	"os/exec"
	"syscall"
)

// apart starts a command in a group of processes of its own, which signals to ours don't reach.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
