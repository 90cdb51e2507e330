package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A scripted build stands for the one that takes minutes: one binary, whose bytes are its source and its version.
const fakeBuild = `#!/usr/bin/env bash
set -euo pipefail
mkdir -p "$2" && out=$(cd "$2" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
{ cat source; echo "$1"; } > "$out/redline_linux_amd64"
cd "$out" && sha256sum --text redline_linux_amd64
`

// A release is a commit beside the branch and a tag, and its workflow publishes only what the tag promises.
func TestReleaseTag(t *testing.T) {
	p := pull{T: t, origin: t.TempDir()}
	for _, name := range []string{"release/tag", "release/verify"} {
		put(t, filepath.Join(p.origin, ".github", name), fileText(t, filepath.Join("../../.github", name)))
	}
	put(t, filepath.Join(p.origin, ".github/release/build"), fakeBuild)
	put(t, filepath.Join(p.origin, "source"), "source\n")
	p.git("init -q -b main", "add .", "commit -q -m source")
	source := p.commit()
	for _, args := range []string{"tag 1.2.3", "tag v1.2", "verify v1.2.3 " + t.TempDir()} {
		if said, err := p.script(args); err == nil {
			t.Errorf("%s: %s", args, said)
		}
	}
	if said, err := p.script("tag v1.2.3"); err != nil {
		t.Fatal(said)
	}
	if p.commit() != source || p.has("git status --porcelain --ignored") != "" || p.has("git branch --list") != "* main" || strings.Count(p.has("git worktree list"), "\n") > 0 {
		t.Errorf("the branch or the work tree was touched: %s %s %s", p.has("git status --porcelain"), p.has("git branch --list"), p.has("git worktree list"))
	}
	if changed := p.has("git diff --name-only v1.2.3~1 v1.2.3"); p.has("git rev-parse v1.2.3~1") != source || changed != ".github/release/checksums" {
		t.Errorf("the tag is not one commit after what it releases, or changes more than the sums: %q", changed)
	}

	p.git("checkout -q --detach v1.2.3")
	if said, err := p.script("tag v1.2.4"); err == nil {
		t.Errorf("a release of a release: %s", said)
	}
	out := t.TempDir()
	if said, err := p.script("verify v1.2.3 " + out); err != nil || p.read(filepath.Join(out, "redline_linux_amd64")) != "source\nv1.2.3\n" {
		t.Errorf("%v: %s", err, said)
	}
	if said, err := p.script("verify v1.2.4 " + t.TempDir()); err == nil || !strings.Contains(said, "not of v1.2.4") {
		t.Errorf("of another version: %s", said)
	}
	put(t, filepath.Join(p.origin, "source"), "other source\n")
	if said, err := p.script("verify v1.2.3 " + t.TempDir()); err == nil || !strings.Contains(said, "not what the tag promises") {
		t.Errorf("of another source: %s", said)
	}
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
}

// script runs one of the release's.
func (p pull) script(args string) (string, error) {
	words := strings.Fields(args)
	cmd := exec.CommandContext(p.Context(), "bash", append([]string{".github/release/" + words[0]}, words[1:]...)...)
	cmd.Dir = p.origin
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com",
		"GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com")
	said, err := cmd.CombinedOutput()
	return string(said), err
}

// has is what a command says of the repository.
func (p pull) has(command string) string {
	p.Helper()
	words := strings.Fields(command)
	cmd := exec.CommandContext(p.Context(), words[0], words[1:]...)
	cmd.Dir = p.origin
	out, err := cmd.Output()
	if err != nil {
		p.Fatalf("%s: %v", command, err)
	}
	return strings.TrimSpace(string(out))
}

// The job that signs refuses what is not the tag's: other bytes, other sums, a file more or less. The step is run as it stands in release.yml.
func TestOnlyWhatTheTagPromisesIsSigned(t *testing.T) {
	_, step, _ := strings.Cut(fileText(t, "../../.github/workflows/release.yml"), "- name: What is signed is what the tag promises\n        run: ")
	script, _, found := strings.Cut(step, "        env:\n")
	if _, next, _ := strings.Cut(step, "        env:\n"); !found || !strings.HasPrefix(next, "          GH_TOKEN: ${{ github.token }}\n      - uses: actions/attest-build-provenance@") {
		t.Fatal("something runs between the check and the signature, or release.yml has another form than this test knows")
	}
	for what, tamper := range map[string]string{
		"as it was": "", "other bytes": "echo x >> dist/redline_linux_amd64", "other sums": "echo x > dist/redline_linux_amd64; cd dist; sha256sum redline_* | grep -v cdx > checksums.txt",
		"a file more": "touch dist/install.sh", "a file less": "rm dist/redline_linux_amd64.cdx.json", "no sums": ": > dist/checksums.txt",
	} {
		dir := t.TempDir()
		put(t, filepath.Join(dir, "bin/gh"), "#!/bin/sh\ncat tag\n")
		put(t, filepath.Join(dir, "prepare"), "mkdir dist; cd dist; for b in redline_linux_amd64 redline_windows_amd64.exe; do echo $b > $b; echo bill > ${b%.exe}.cdx.json; done\n"+
			"sha256sum --text redline_linux_amd64 redline_windows_amd64.exe > checksums.txt; { echo v1.2.3; cat checksums.txt; } > ../tag\n")
		put(t, filepath.Join(dir, "step"), script)
		cmd := exec.CommandContext(t.Context(), "bash", "-c", "bash -e prepare && { "+tamper+"\n} && cd \""+dir+"\" && bash -e step")
		if tamper == "" {
			cmd.Args[2] = "bash -e prepare && bash -e step"
		}
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"), "GITHUB_REPOSITORY=redlinehq/redline", "GITHUB_SHA=0")
		said, err := cmd.CombinedOutput()
		if (err == nil) != (tamper == "") {
			t.Errorf("%s: %v\n%s", what, err, said)
		}
	}
}
