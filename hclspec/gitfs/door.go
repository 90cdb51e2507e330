package gitfs

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// This file is the one place where a program is started. The program is git, and it runs nothing that a repository names: no hooks, no
// file-system monitor, no external diffs, no filters, no helpers of transport. The way to a remote (core.sshCommand, credential.helper) is the
// user's configuration, or that of the checkout, and is used by Remote alone.

// Local returns a run of git in a directory that reaches no remote and asks no questions.
func Local(ctx context.Context, dir string, args ...string) *exec.Cmd {
	return start(ctx, dir, kept, nil, []string{
		"GIT_NO_LAZY_FETCH=1",     // since git 2.45
		"GIT_ALLOW_PROTOCOL=none", // before 2.45 a lazy fetch starts, and fails here
	}, args)
}

// Remote returns a run of git that may reach a remote, over file, HTTP, HTTPS and SSH only. It may ask an agent or a helper, never at a
// terminal. The program at the other end is git's own, whatever the repository's configuration says.
func Remote(ctx context.Context, dir string, args ...string) *exec.Cmd {
	if len(args) > 0 {
		switch args[0] {
		case "fetch", "ls-remote":
			args = slices.Insert(slices.Clone(args), 1, "--upload-pack=git-upload-pack")
		case "push":
			args = slices.Insert(slices.Clone(args), 1, "--receive-pack=git-receive-pack")
		}
	}
	return start(ctx, dir, slices.Concat(kept, keptRemote), []string{"-c", "core.askPass="}, []string{"GIT_ALLOW_PROTOCOL=file:http:https:ssh"}, args)
}

// guard comes before every sub-command.
var guard = []string{
	"--no-pager",
	"-c", "core.hooksPath=" + os.DevNull,
	"-c", "core.fsmonitor=false",
	"-c", "core.alternateRefsCommand=",
	"-c", "diff.external=",
	"-c", "log.showSignature=false",
	"-c", "protocol.ext.allow=never",
	"-c", "gc.auto=0", "-c", "maintenance.auto=false", // no house-keeping in between
	"-c", "core.logAllRefUpdates=false", // no logs of refs that never move
	"-c", "core.warnAmbiguousRefs=true",
}

// kept are the environment variables that git inherits: places of programs, settings and temporary files, the author and committer, and the
// object directories in which a receiving hook sees new objects. Any other variable could point to another repository, or name a program.
var kept = []string{
	"PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "TMP", "TEMP", "XDG_CONFIG_HOME", "TZ",
	"SYSTEMROOT", "WINDIR", "COMSPEC", "PATHEXT", "USERPROFILE", "HOMEDRIVE", "HOMEPATH", "USERNAME", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES", // Windows
	"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CEILING_DIRECTORIES",
	"GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH",
	"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_DATE", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "GIT_COMMITTER_DATE",
	"GIT_TEST_ASSUME_DIFFERENT_OWNER", // with it git refuses more
}

// keptRemote are the variables needed only to reach a remote: proxies, certificates, the agent of SSH, and the prompt for a password.
var keptRemote = []string{
	"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH",
	"SSH_AUTH_SOCK", "SSH_AGENT_PID", "SSH_ASKPASS", "SSH_ASKPASS_REQUIRE", "GIT_ASKPASS", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT",
	"DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS",
}

// environment returns the kept variables, with settings for git and its children.
func environment(from, kept []string) []string {
	env := slices.DeleteFunc(slices.Clone(from), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return !slices.ContainsFunc(kept, func(k string) bool {
			return k == name || strings.HasSuffix(k, "_PROXY") && strings.EqualFold(k, name) || runtime.GOOS == "windows" && strings.EqualFold(k, name)
		})
	})
	return append(env,
		"LC_ALL=C", "LANGUAGE=C", // explain reads git's messages
		"GIT_TERMINAL_PROMPT=0",
		"GIT_OPTIONAL_LOCKS=0",
		"GIT_NO_REPLACE_OBJECTS=1",
		"GIT_PAGER=cat",
	)
}

func start(ctx context.Context, dir string, kept, more, env, args []string) *exec.Cmd {
	bare := "explicit"
	if named(dir) {
		bare = "all"
	}
	cmd := exec.CommandContext(ctx, "git", slices.Concat(guard, more, []string{"-c", "safe.bareRepository=" + bare}, args)...)
	cmd.Dir = dir
	cmd.Env = append(environment(os.Environ(), kept), env...)
	cmd.WaitDelay = 20 * time.Second // a child of git may keep the pipes open after a kill; on a busy machine, reading what is left takes a while
	return cmd
}

// named reports whether a bare repository around a directory may be used. It may, unless it lies in a work tree, where a commit can put one
// (https://git-scm.com/docs/git-config, safe.bareRepository).
func named(dir string) bool {
	at, err := filepath.Abs(dir)
	if err != nil {
		return false
	}
	if real, err := filepath.EvalSymlinks(at); err == nil {
		at = real
	}
	for {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return false
		}
		up := filepath.Dir(at)
		if up == at {
			return true
		}
		at = up
	}
}
