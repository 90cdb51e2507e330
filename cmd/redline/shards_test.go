package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/report/result"
)

// inShards is the variable of the environment that has reviews made in shards, too, and compared.
const inShards = "REDLINE_TEST_IN_SHARDS"

// TestScriptsInShards: whatever a script reviews, in whatever form, three shards joined give the same bytes and the same exit status.
func TestScriptsInShards(t *testing.T) {
	all, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var reviewing []string
	for _, name := range all {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(raw, []byte("redline review --base")) {
			reviewing = append(reviewing, name)
		}
	}
	if len(reviewing) < 10 {
		t.Fatalf("only %s", reviewing)
	}
	if os.Getenv("REDLINE_HEAVY") == "" { // all of them take minutes under the race detector
		reviewing = slices.DeleteFunc(reviewing, func(name string) bool { return len(name)%3 != 0 && !strings.Contains(name, "shards") })
	}
	testscript.Run(t, testscript.Params{
		Files: reviewing,
		Cmds:  scriptCommands,
		Setup: func(env *testscript.Env) error {
			env.Setenv(inShards, "1")
			return setUp(env)
		},
	})
}

// differently is the exit status that no script expects.
const differently = 99

// aboutWorkTree matches what a merge cannot say, as it has results alone.
var aboutWorkTree = regexp.MustCompile(`(?m)^  Looked at the last commit only; .*\n`)

// mainInShards is Main; a review that gives a verdict is made again in shards, which have to give the same.
func mainInShards(args []string, s streams) int {
	var out bytes.Buffer
	status := Main(args, streams{s.in, &out, s.err})
	_, _ = s.out.Write(out.Bytes())
	if len(args) == 0 || args[0] != "review" || out.Len() == 0 || slices.ContainsFunc(args, besides) {
		return status
	}
	dir, err := os.MkdirTemp("", "shards-")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	shards := 3
	if slices.Contains(args, "--worktree") { // which has no commit
		shards = 1
	}
	merge := []string{"merge", "--format", formatOf(args)}
	for i := range shards {
		name := filepath.Join(dir, fmt.Sprint(i))
		part := append(slices.Clone(args), "--result", name)
		if shards > 1 {
			part = append(part, "--shard", fmt.Sprintf("%d/%d", i+1, shards))
		}
		var said bytes.Buffer
		if got := Main(part, streams{s.in, &bytes.Buffer{}, &said}); shards > 1 && got != 0 {
			fmt.Fprintf(s.err, "shard %d has exit status %d: %s\n", i+1, got, &said)
			return differently
		}
		merge = append(merge, name)
	}
	var joined, said bytes.Buffer
	if again := Main(merge, streams{s.in, &joined, &said}); again != status || joined.String() != aboutWorkTree.ReplaceAllString(out.String(), "") {
		fmt.Fprintf(s.err, "in shards the exit status is %d, not %d: %s\n%s\n", again, status, &said, &joined)
		return differently
	}
	return status
}

// besides are flags with which a review is something else, or says what day to day it finds anew.
func besides(arg string) bool {
	name, _, _ := strings.Cut(arg, "=")
	return slices.Contains([]string{"--shard", "--result", "--cache", "--timeout", "--help", "-h"}, name)
}

func formatOf(args []string) string {
	if i := slices.Index(args, "--format"); i >= 0 {
		return args[i+1]
	}
	for _, a := range args {
		if word, ok := strings.CutPrefix(a, "--format="); ok {
			return word
		}
	}
	return "text"
}

// TestACancelledRunHasNoResult: what it left open would stand for what is not known.
func TestACancelledRunHasNoResult(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	name := filepath.Join(t.TempDir(), "1.json")
	f := &result.File{Format: result.Format, Shard: 1, Shards: 1}
	if err := app.SaveResult(ctx, name, f); err == nil {
		t.Error("it was written")
	}
	if _, err := os.Stat(name); !os.IsNotExist(err) {
		t.Error(err)
	}
	if err := app.SaveResult(context.Background(), name, f); err != nil {
		t.Error(err)
	}
}
