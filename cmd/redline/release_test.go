package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestReleasedBinary builds what a release has, for this platform, and looks at it.
func TestReleasedBinary(t *testing.T) {
	if os.Getenv("REDLINE_RELEASE") == "" {
		t.Skip("takes a minute: REDLINE_RELEASE asks for it (.ci/run does)")
	}
	sums, out := build(t, "../..", "", []string{"linux/amd64"})
	releasedRight(t, out, sums)
}

// Two builds in different directories, with nothing in common but the source, give the same bytes: of one platform, or
// of all with REDLINE_RELEASE=all.
func TestBuildsAreReproducible(t *testing.T) {
	targets, want := []string{"linux/amd64"}, 1
	switch all := os.Getenv("REDLINE_RELEASE") == "all"; {
	case all:
		targets, want = nil, 6
	case os.Getenv("REDLINE_HEAVY") == "":
		t.Skip("two builds from nothing: REDLINE_HEAVY is not set")
	}
	first, out := build(t, "../..", "", targets)
	copied := filepath.Join(t.TempDir(), "elsewhere", "and deeper")
	copySource(t, copied)
	second, _ := build(t, copied, t.TempDir(), targets)
	if first != second {
		t.Errorf("the first build gave\n%sand the second\n%s", first, second)
	}
	if got := strings.Count(first, "\n"); got != want {
		t.Errorf("%d binaries were built, want %d:\n%s", got, want, first)
	}
	releasedRight(t, out, first)
}

// build runs the release's own script; with a cache of its own nothing is taken from an earlier build.
func build(t *testing.T, root, cache string, targets []string) (sums, out string) {
	t.Helper()
	out = t.TempDir()
	cmd := exec.CommandContext(t.Context(), "bash", append([]string{filepath.Join(root, ".github/release/build"), "v9.9.9", out}, targets...)...)
	var complaint bytes.Buffer
	cmd.Stderr, cmd.Env = &complaint, os.Environ()
	if cache != "" {
		cmd.Env = append(cmd.Env, "GOCACHE="+cache)
	}
	raw, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &complaint)
	}
	return string(raw), out
}

// releasedRight looks at each binary: its sum, no path of this machine, its version, its bill of materials.
func releasedRight(t *testing.T, out, sums string) {
	t.Helper()
	for line := range strings.Lines(sums) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		file := filepath.Join(out, name)
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%x", sha256.Sum256(raw)); got != sum {
			t.Errorf("%s has %s, and its sum is said to be %s", name, got, sum)
		}
		if here, _ := filepath.Abs("../.."); bytes.Contains(raw, []byte(here)) {
			t.Errorf("%s names the directory it was built in", name)
		}
		if !bytes.Contains(raw, []byte("v9.9.9")) {
			t.Errorf("%s does not know its version", name)
		}
		billed(t, file)
	}
}

func billed(t *testing.T, file string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "run", "../sbom", "v9.9.9", file)
	raw, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var bill struct {
		BOMFormat, SpecVersion string
		Components             []struct{ Name, Version string }
	}
	if err := json.Unmarshal(raw, &bill); err != nil {
		t.Fatal(err)
	}
	info, err := buildinfo.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if bill.BOMFormat != "CycloneDX" || len(bill.Components) != len(info.Deps)+1 {
		t.Errorf("%s lists %d parts of %d modules and the standard library", file, len(bill.Components), len(info.Deps))
	}
}

// TestGet runs the script with which the action gets its binary.
func TestGet(t *testing.T) {
	const binary, name = "#!/bin/sh\necho the binary\n", "redline_linux_amd64"
	sum := fmt.Sprintf("%x", sha256.Sum256([]byte(binary)))
	served := map[string]string{"/redlinehq/redline/releases/download/v1.2.3/" + name: binary, "/acme/redline/releases/download/v1.2.3/" + name: "another"}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, ok := served[r.URL.Path]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
		}
		_, _ = w.Write([]byte(text))
	}))
	defer server.Close()
	sums := "v1.2.3\n" + sum + "  " + name + "\n" + sum + "  redline_windows_arm64.exe\n" + sum + "  redline_darwin_arm64\n"
	for what, c := range map[string]struct {
		sums, os, arch, repository string
		fails                      bool
		output, says               string
	}{
		"released":              {sums, "Linux", "X64", "", false, "found=true\n", "SHA-256 as promised"},
		"not a release":         {"", "Linux", "X64", "", false, "found=false\n", "is not a release"},
		"another system":        {sums, "Plan9", "X64", "", false, "found=false\n", "no binary for Plan9"},
		"another machine":       {sums, "Linux", "ARM", "", false, "found=false\n", "no binary for ARM"},
		"not of this release":   {sums, "Linux", "ARM64", "", false, "found=false\n", "has no redline_linux_arm64"},
		"gone":                  {sums, "macOS", "ARM64", "", true, "", "could not be fetched"},
		"gone, of Windows":      {sums, "Windows", "ARM64", "", true, "", "redline_windows_arm64.exe could not be fetched"},
		"gone, and to be built": {sums, "macOS", "ARM64", "build", false, "found=false\n", "that was asked for"},
		"other bytes":           {sums, "Linux", "X64", "acme/redline", true, "", "::error title=redline was not run::"},
		"other bytes promised":  {strings.ReplaceAll(sums, sum, strings.Repeat("0", 64)), "Linux", "X64", "", true, "", "promises 0000"},
	} {
		t.Run(what, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.MkdirAll(filepath.Join(dir, ".github/release"), 0o777); err != nil {
				t.Fatal(err)
			}
			if c.sums != "" {
				if err := os.WriteFile(filepath.Join(dir, ".github/release/checksums"), []byte(c.sums), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			output := filepath.Join(dir, "output")
			if err := os.WriteFile(output, nil, 0o666); err != nil {
				t.Fatal(err)
			}
			put(t, filepath.Join(dir, ".github/action/get"), fileText(t, "../../.github/action/get"))
			cmd := exec.CommandContext(t.Context(), "bash", filepath.Join(dir, ".github/action/get"))
			cmd.Env = append(os.Environ(), "RUNNER_TEMP="+dir, "GITHUB_OUTPUT="+output, "GITHUB_SERVER_URL="+server.URL,
				"RUNNER_OS="+c.os, "RUNNER_ARCH="+c.arch, "ACTION_REPOSITORY="+c.repository, "no_proxy=*", "BUILD="+strconv.FormatBool(c.repository == "build"))
			said, err := cmd.CombinedOutput()
			if (err != nil) != c.fails || !strings.Contains(string(said), c.says) || fileText(t, output) != c.output {
				t.Errorf("%v, output %q\n%s", err, fileText(t, output), said)
			}
			got, err := os.ReadFile(filepath.Join(dir, "redline-program/redline"))
			if there := c.output == "found=true\n"; there != (err == nil) || there && string(got) != binary {
				t.Errorf("what is to be run: %q, %v", got, err)
			}
		})
	}
}

// Where sums are promised, they are of this source: on a branch there are none, and the action builds what is there.
func TestNoSumsOnABranch(t *testing.T) {
	sums, err := os.ReadFile("../../.github/release/checksums")
	if err != nil {
		return
	}
	version, _, _ := strings.Cut(string(sums), "\n")
	tags, err := exec.CommandContext(t.Context(), "git", "tag", "--points-at", "HEAD").Output()
	if err == nil && !slices.Contains(strings.Fields(string(tags)), version) {
		t.Error(".github/release/checksums belongs to the commit that .github/release/tag makes, and to no branch")
	}
}

// The step that reviews, as it stands in action.yml, runs the program that was noted, and no other that something was unpacked over it.
func TestNothingIsUnpackedOverTheProgram(t *testing.T) {
	found := regexp.MustCompile(`(?m)^      run: (own=.*)$`).FindStringSubmatch(fileText(t, "../../action.yml"))
	if found == nil {
		t.Fatal("action.yml runs redline in another way than this test knows")
	}
	for what, c := range map[string]struct {
		over string // unpacked over the program
		says string
	}{"as it was": {"", "reviewed action"}, "unpacked over": {"echo another\n", "was not run::"}} {
		dir := t.TempDir()
		program, output := filepath.Join(dir, "redline-program", "redline"), filepath.Join(dir, "output")
		if err := os.MkdirAll(filepath.Dir(program), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(program, []byte("#!/bin/sh\necho reviewed $1\n"), 0o777); err != nil {
			t.Fatal(err)
		}
		env := append(os.Environ(), "RUNNER_TEMP="+dir, "GITHUB_OUTPUT="+output)
		run := func(env []string, args ...string) (string, error) {
			cmd := exec.CommandContext(t.Context(), "bash", append([]string{"-eo", "pipefail"}, args...)...)
			cmd.Env = env
			out, err := cmd.CombinedOutput()
			return string(out), err
		}
		if out, err := run(env, "../../.github/action/seal"); err != nil {
			t.Fatal(err, out)
		}
		for line := range strings.Lines(fileText(t, output)) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
			env = append(env, strings.ToUpper(name)+"="+value)
		}
		if c.over != "" {
			if err := os.WriteFile(program, []byte(c.over), 0o777); err != nil {
				t.Fatal(err)
			}
		}
		out, err := run(env, "-c", found[1])
		if !strings.Contains(out, c.says) || strings.Contains(out, "another\n") || (err != nil) != (c.over != "") {
			t.Errorf("%s: %v, %s", what, err, out)
		}
	}
	text := fileText(t, "../../action.yml")
	review := strings.Index(text, "\n      id: review\n")
	for _, what := range []string{"uses: actions/cache/restore@", "uses: actions/download-artifact@", "/.github/action/seal"} {
		if at := strings.LastIndex(text, what); at < 0 || at > review {
			t.Errorf("%s comes after the review", what)
		}
	}
	if strings.Index(text, "/.github/action/seal") > strings.Index(text, "uses: actions/cache/restore@") {
		t.Error("the program is noted after something was unpacked")
	}
}

// TestBuildsReadNoSettingsOfGo: an empty GOFLAGS lets those of the runner's own file in, so a build that empties it reads no such file.
func TestBuildsReadNoSettingsOfGo(t *testing.T) {
	for _, name := range []string{"action.yml", ".github/action/here/action.yml", ".github/release/build"} {
		text, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil {
			t.Fatal(err)
		}
		if empties, off := regexp.MustCompile(`GOFLAGS(=|: )""`), regexp.MustCompile(`GOENV(=|: )"?off`); !empties.Match(text) || !off.Match(text) {
			t.Errorf("%s builds with what the runner's go/env says", name)
		}
	}
}
