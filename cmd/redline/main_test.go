package main

import (
	"flag"
	"os"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the golden output in testdata")

// tests are all there are, and what is to be done after them.
type tests struct{ *testing.M }

var afterTests []func()

func (m tests) Run() int {
	status := m.M.Run()
	for _, do := range afterTests {
		do()
	}
	return status
}

// race spares each command a second: under the race detector a process sleeps before it ends, so that others may still race
// (https://go.dev/doc/articles/race_detector, atexit_sleep_ms).
const race = "atexit_sleep_ms=0"

// noTemplate, set to nothing, spares each new repository a dozen files of examples (https://git-scm.com/docs/git-init#_template_directory).
const noTemplate = "GIT_TEMPLATE_DIR"

func TestMain(m *testing.M) {
	for name, value := range map[string]string{"GORACE": race, noTemplate: ""} {
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	testscript.Main(tests{m}, map[string]func(){
		"yardstick": yardstick,
		"gitlab":    gitlab,
		"kubectl":   kubectl,
		"redline": func() {
			run := Main
			if os.Getenv(inShards) != "" {
				run = mainInShards
			}
			os.Exit(run(os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}))
		},
	})
}

// scriptCommands are the commands of scripts beside those of testscript.
var scriptCommands = map[string]func(*testscript.TestScript, bool, []string){"status": status, "edit": editFile, "amend": amend}

// TestScripts runs the command as people do: testdata/script/*.txtar.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Cmds:          scriptCommands,
		Setup:         setUp,
	})
}

// setUp keeps the user's own configuration away.
func setUp(env *testscript.Env) error {
	for _, kv := range [][2]string{
		{"GORACE", race}, {noTemplate, ""}, {"GOGC", os.Getenv("GOGC")}, {"GIT_CONFIG_GLOBAL", os.DevNull}, {"GIT_CONFIG_NOSYSTEM", "1"}, {"NO_COLOR", "1"},
		{"GIT_AUTHOR_NAME", "A"}, {"GIT_AUTHOR_EMAIL", "a@example.com"},
		{"GIT_COMMITTER_NAME", "A"}, {"GIT_COMMITTER_EMAIL", "a@example.com"},
		{"GIT_AUTHOR_DATE", "2001-01-01T00:00:00Z"}, {"GIT_COMMITTER_DATE", "2001-01-01T00:00:00Z"},
	} {
		env.Setenv(kv[0], kv[1])
	}
	return nil
}

// status N redline ARGS... runs the command and wants its exit status to be N; "any" is any.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N command...")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := 0
	if exit, ok := err.(interface{ ExitCode() int }); ok {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if args[0] != "any" && args[0] != strconv.Itoa(got) {
		ts.Fatalf("exit status %d, want %s", got, args[0])
	}
}

// edit FILE OLD NEW replaces the one place where OLD stands; \n in them is a line end.
func editFile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: edit file old new")
	}
	replaceOnce(ts, ts.MkAbs(args[0]), unescape(args[1]), unescape(args[2]))
}
