package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/redlinehq/redline/report/github/githubtest"
)

// These tests run workflows in act (github.com/nektos/act), which is to GitHub's runner what a fake is to a server.
// REDLINE_ACT names its program; .ci/run installs it. Without it they are skipped.

// actions are the stand-ins for what act can't have here: the actions of GitHub's own that ours calls. They keep
// artifacts and caches in directories, and promise what GitHub does of names, runs and prefixes.
var standIns = map[string]string{
	"actions/setup-go":          "true",
	"actions/upload-artifact":   `[ "$NAME" = "$DROP" ] && exit; to="$STORE/artifacts/$GITHUB_RUN_ID/$NAME" && mkdir -p "$to" && cp -R $FROM "$to/"`,
	"actions/download-artifact": `from="$STORE/artifacts/${RUN:-$GITHUB_RUN_ID}" && mkdir -p "$FROM" && if [ -n "$NAME" ]; then cp -R "$from/$NAME/." "$FROM/"; else cd "$from" && cp -R $PATTERN "$FROM/"; fi`,
	"actions/cache/restore":     `for k in "$STORE/cache/$PREFIX"*; do if [ -d "$k" ]; then mkdir -p "$FROM" && cp -R "$k/." "$FROM/"; fi; done`,
	"actions/cache/save":        `[ ! -e "$STORE/cache/$KEY" ] && mkdir -p "$STORE/cache/$KEY" && cp -R "$FROM/." "$STORE/cache/$KEY/"`,
}

const standIn = `name: stand-in
inputs: {name: {default: ""}, pattern: {default: ""}, path: {default: ""}, run-id: {default: ""}, key: {default: ""}, restore-keys: {default: ""}, github-token: {default: ""}, overwrite: {default: ""}, go-version: {default: ""}, cache: {default: ""}}
runs:
  using: composite
  steps:
    - shell: bash
      run: %s
      env: {NAME: "${{ inputs.name }}", PATTERN: "${{ inputs.pattern }}", FROM: "${{ inputs.path }}", RUN: "${{ inputs.run-id }}", KEY: "${{ inputs.key }}", PREFIX: "${{ inputs.restore-keys }}"}
`

// A stage is where workflows run: act, the action as it would be released, and what a run leaves for the next.
type stage struct {
	*testing.T
	act, store, home string
	action           string // the directory of redlinehq/redline@v1
	replace          []string
	server           *httptest.Server // for releases
	hub              *githubtest.Hub
}

const jobToken = "a-token-of-the-job"

var pinned = regexp.MustCompile(`uses: (actions/[a-z-]+)((?:/[a-z]+)?)@([0-9a-f]{40})`)

func newStage(t *testing.T) *stage {
	t.Helper()
	program := os.Getenv("REDLINE_ACT")
	if program == "" {
		t.Skip("needs act: REDLINE_ACT names the program (.ci/run installs it)")
	}
	s := &stage{T: t, act: program, store: t.TempDir(), home: t.TempDir(), action: releasedAction(t), hub: githubtest.Start(t, "acme/deals")}
	s.server = httptest.NewServer(http.StripPrefix("/redlinehq/redline/releases/download/v9.9.9/", http.FileServer(http.Dir(filepath.Join(s.action, "..", "binaries")))))
	t.Cleanup(s.server.Close)
	s.standIns()
	s.replace = append(s.replace, "redlinehq/redline@v1="+s.action)
	return s
}

// standIns writes one directory for each repository of actions that a workflow or the action names.
func (s *stage) standIns() {
	s.Helper()
	seen := map[string]bool{}
	root := s.TempDir()
	for _, m := range pinned.FindAllStringSubmatch(s.read("../../action.yml"), -1) {
		run, ok := standIns[m[1]+m[2]]
		if !ok {
			s.Fatalf("there is no stand-in for %s%s", m[1], m[2])
		}
		dir := filepath.Join(root, m[1])
		s.write(filepath.Join(dir, m[2], "action.yml"), fmt.Sprintf(standIn, string(must(json.Marshal(run)))))
		if !seen[m[1]] {
			s.replace = append(s.replace, m[1]+"@"+m[3]+"="+dir)
		}
		seen[m[1]] = true
	}
}

func (s *stage) read(name string) string {
	s.Helper()
	raw, err := os.ReadFile(name)
	if err != nil {
		s.Fatal(err)
	}
	return string(raw)
}

func (s *stage) write(name, text string) {
	s.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		s.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		s.Fatal(err)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// releasedAction makes this repository's action as a release has it, once: with a binary for this machine, and its sum.
var releasedAction = func() func(t *testing.T) string {
	var once sync.Once
	var dir string
	return func(t *testing.T) string {
		t.Helper()
		once.Do(func() { dir = release(t) })
		if dir == "" {
			t.Fatal("there is no release to test")
		}
		return dir
	}
}()

func release(t *testing.T) string {
	t.Helper()
	root, err := os.MkdirTemp("", "redline-release") // for all tests: TempDir would be gone with the first
	if err != nil {
		t.Fatal(err)
	}
	afterTests = append(afterTests, func() { _ = os.RemoveAll(root) })
	action := filepath.Join(root, "action")
	copySource(t, action)
	matrix := filepath.Join(action, ".github/workflows/matrix.yml")
	put(t, matrix, regexp.MustCompile(`uses: \$(/\S+)`).ReplaceAllString(fileText(t, matrix), "uses: redlinehq/redline$1@v1")) // act knows no "$/"
	name := fmt.Sprintf("redline_%s_%s", runtime.GOOS, runtime.GOARCH)
	binary := filepath.Join(root, "binaries", name)
	cmd := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-X github.com/redlinehq/redline/cmd/redline/app.released=v9.9.9", "-o", binary, "./cmd/redline")
	cmd.Dir, cmd.Env = action, append(os.Environ(), "GOFLAGS=", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	raw, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	sums := fmt.Sprintf("v9.9.9\n%x  %s\n", sha256.Sum256(raw), name)
	if err := os.WriteFile(filepath.Join(action, ".github/release/checksums"), []byte(sums), 0o666); err != nil {
		t.Fatal(err)
	}
	return action
}

// copySource copies what git knows of this repository, changes that are not committed included.
func copySource(t *testing.T, to string) {
	t.Helper()
	list := exec.CommandContext(t.Context(), "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = "../.."
	names, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.SplitSeq(strings.TrimRight(string(names), "\x00"), "\x00") {
		if strings.HasSuffix(name, "_test.go") || strings.Contains(name, "testdata/") {
			continue
		}
		raw, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil {
			continue // deleted, but git does not know yet
		}
		file := filepath.Join(to, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, raw, 0o777); err != nil {
			t.Fatal(err)
		}
	}
}

// run runs the workflows of dir for an event, and says whether the run succeeded, and its log. Of a step that ends act may lose the last
// lines, so tests look at what act itself says, at summaries, and at what was done.
func (s *stage) run(dir, event, payload string, args ...string) (bool, string) {
	s.Helper()
	file := filepath.Join(s.TempDir(), "event.json")
	s.write(file, payload)
	args = append([]string{event, "-P", "ubuntu-latest=-self-hosted", "-e", file, "--env", "STORE=" + s.store,
		"--env", "GITHUB_SERVER_URL=" + s.server.URL, "--env", "GITHUB_API_URL=" + s.hub.URL, "--env", "GITHUB_GRAPHQL_URL=" + s.hub.URL + "/graphql",
		"-s", "GITHUB_TOKEN=" + jobToken}, args...)
	for _, r := range s.replace {
		args = append(args, "--local-repository", r)
	}
	cmd := exec.CommandContext(s.Context(), s.act, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+s.home, "XDG_CACHE_HOME="+filepath.Join(s.home, "cache"),
		"GOCACHE="+goEnv(s.T, "GOCACHE"), "GOMODCACHE="+goEnv(s.T, "GOMODCACHE"))
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	err := cmd.Run()
	return err == nil, log.String()
}

// end is as much of a log as helps.
func end(log string) string {
	lines := strings.Split(log, "\n")
	return strings.Join(lines[max(0, len(lines)-300):], "\n")
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
