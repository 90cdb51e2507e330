//go:build !unix

package main

import "os/exec"

func group(*exec.Cmd) {}

func kill(cmd *exec.Cmd, _ bool) { _ = cmd.Process.Kill() } // it may have ended
