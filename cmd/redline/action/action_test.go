package action

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/report/result"
	"github.com/redlinehq/redline/report/review"
)

func newAction() *action { return New(&cobra.Command{}, &bytes.Buffer{}) }

// TestTuned: a job that is not the gate keeps only notices about itself. If the job failed, it keeps all annotations, since no other job has them.
func TestTuned(t *testing.T) {
	all := []review.Annotation{{Level: review.Notice}, {Level: review.Notice, File: "a.hcl"}, {Level: review.Error}, {Level: review.Error, File: "a.hcl"}}
	for _, c := range []struct {
		shard  string
		failed bool
		want   int
	}{{"", false, 4}, {"merge", false, 4}, {"2/3", false, 1}, {"2/3", true, 4}} {
		a := newAction()
		a.shard = c.shard
		if got := a.tuned(&outcome{}, review.Plan{Failed: c.failed, Annotations: slices.Clone(all)}).Annotations; len(got) != c.want || got[0].File != "" || got[0].Level != review.Notice {
			t.Errorf("shard %q, failed %t: %+v", c.shard, c.failed, got)
		}
	}
}

// The command line outweighs an input, an empty input is none, and of two that are wrong the first is named.
func TestTakeInputs(t *testing.T) {
	a := newAction()
	t.Setenv("INPUT_SHARD", "2/3")
	t.Setenv("INPUT_SARIF", " ")
	t.Setenv("INPUT_CACHE", " kept ")
	if err := a.given.Parse([]string{"--shard", "merge", "--sarif", "x.sarif"}); err != nil {
		t.Fatal(err)
	}
	if err := takeInputs(a.given); err != nil || a.shard != "merge" || a.given.Lookup("sarif").Value.String() != "x.sarif" || a.cache != "kept" {
		t.Errorf("shard %q, sarif %v, cache %q, %v", a.shard, a.given.Lookup("sarif").Value, a.cache, err)
	}
	t.Setenv("INPUT_COMMENT", "perhaps")
	t.Setenv("INPUT_STATUS", "perhaps")
	if err := takeInputs(newAction().given); err == nil || !strings.HasPrefix(err.Error(), "input comment: ") {
		t.Errorf("two wrong inputs: %v", err)
	}
}

// Only regular files with results are joined. A directory that can't be read is an error, and none at all is no result.
func TestFilesBelow(t *testing.T) {
	top := t.TempDir()
	for _, name := range []string{"b.json", "a/result.json", "a/notes.txt", "c.json/d.txt"} {
		if err := os.MkdirAll(filepath.Join(top, filepath.Dir(name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(top, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := filesBelow(top)
	if want := []string{filepath.Join(top, "a", "result.json"), filepath.Join(top, "b.json")}; !slices.Equal(got, want) || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := filesBelow(filepath.Join(top, "none")); got != nil || err != nil {
		t.Errorf("of no directory: %q, %v", got, err)
	}
	if got, err := filesBelow(filepath.Join(top, "b.json", "below")); len(got) > 0 || err == nil {
		t.Errorf("of what is no directory: %q, %v", got, err)
	}
}

// What shards found is joined only for the commits of this job. A check of every contract gives one result.
func TestJoin(t *testing.T) {
	file := func(base, head string) string {
		dir := t.TempDir()
		if err := result.Save(filepath.Join(dir, "1.json"), &result.File{Format: result.Format, Shard: 1, Shards: 1, Base: base, Head: head}); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	a := newAction()
	two := t.TempDir()
	for _, name := range []string{"1.json", "2.json"} {
		if err := os.WriteFile(filepath.Join(two, name), []byte("{}"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ from, says string }{
		{two, "there are 2 results, but a check of every contract gives one"},
		{file("", strings.Repeat("b", 40)), "the shards reviewed bbbbbbb against , and this job has aaaaaaa and "},
		{file(strings.Repeat("c", 40), strings.Repeat("a", 40)), "the shards reviewed aaaaaaa against ccccccc, and this job has aaaaaaa and "},
		{t.TempDir(), "no shard has left what it found"},
		{filepath.Join(two, "1.json", "below"), "looking for what the shards found"},
	} {
		a.from = c.from
		f := &outcome{}
		f.commits.Head = strings.Repeat("a", 40)
		if err := a.join(f); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v; want %s", err, c.says)
		}
	}
	f := &outcome{}
	f.commits.Head = strings.Repeat("a", 40)
	if err := a.given.Parse([]string{"--fail-on", "never"}); err != nil {
		t.Fatal(err)
	}
	a.from = file("", f.commits.Head)
	if err := a.join(f); err != nil || f.file == nil || f.file.Terms.FailOn != "never" {
		t.Errorf("%+v, %v", f.file, err)
	}
}
