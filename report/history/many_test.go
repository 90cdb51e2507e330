package history

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha1"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/gitfs/gittest"
	"github.com/redlinehq/redline/report/record"
	"github.com/redlinehq/redline/report/record/log"
	"github.com/redlinehq/redline/report/record/store"
)

// imported feeds git fast-import.
func imported(t testing.TB, dir string, write func(w io.Writer)) {
	t.Helper()
	cmd := exec.Command("git", "fast-import", "--quiet")
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(in)
	write(w)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	_ = in.Close() // git tells
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
}

// many makes a repository of so many drafts of one contract, each with a record that follows the one before. Each has six requirements;
// the third is violated in every seventh draft, and waived in every fourteenth.
func many(t testing.TB, n int, key *record.Key) (dir, head string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	dir = t.TempDir()
	gittest.GitIn(t, dir, "", "init", "-q", "-b", "main")
	imported(t, dir, func(w io.Writer) {
		for i := range n {
			text, subject := fmt.Sprintf("contract \"deal\" {}\n# %d\n", i), fmt.Sprintf("draft %d", i)
			fmt.Fprintf(w, "commit refs/heads/main\ncommitter Ada <a@example.com> %d +0000\ndata %d\n%s\nM 100644 inline a/x.contract.hcl\ndata %d\n%s\n",
				gittest.First.Add(time.Duration(i)*time.Hour).Unix(), len(subject), subject, len(text), text)
		}
	})
	head = gittest.GitIn(t, dir, "", "rev-parse", "main")
	var steps []store.Step
	err := store.At(dir).Trail(t.Context(), head, []string{"a"}, func(s store.Step) error { steps = append(steps, s); return nil })
	if err != nil || len(steps) != n {
		t.Fatalf("%d steps: %v", len(steps), err)
	}
	var refs []string
	imported(t, dir, func(w io.Writer) {
		var before *store.Record
		last := log.Genesis(steps[0].Commit)
		object := entered(w, last)
		refs = append(refs, last.Ref()+" "+object)
		for i, s := range steps {
			r, raw := recorded(t, i, s, before, key)
			_, message, _ := bytes.Cut(raw, []byte("\n\n"))
			at := gittest.First.AddDate(2, 0, 0).Unix()
			fmt.Fprintf(w, "commit refs/records\nmark :1\nauthor redline <redline@localhost> %d +0000\ncommitter redline <redline@localhost> %d +0000\ndata %d\n%s\nM 040000 %s \"\"\n",
				at, at, len(message), message, r.Tree)
			refs = append(refs, r.Ref+" "+r.Object)
			before = r
			last = &log.Entry{Position: i + 1, Previous: last.Digest(), Records: []log.Entered{{Ref: r.Ref, Digest: r.Digest()}}}
			object = entered(w, last, object, r.Object)
			refs = append(refs, last.Ref()+" "+object)
		}
	})
	packed(t, dir, head, refs)
	return dir, head
}

// entered writes an entry of the log, which names the record that was written last, and returns its object.
func entered(w io.Writer, e *log.Entry, parents ...string) string {
	const by = "redline <redline@localhost> 0 +0000"
	message := "redline log\n\n" + string(e.Encode())
	raw := "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n" // of no files
	fmt.Fprintf(w, "commit refs/entries\nauthor %s\ncommitter %[1]s\ndata %d\n%s\n", by, len(message), message)
	for _, p := range parents {
		raw += "parent " + p + "\n"
	}
	if len(parents) > 0 { // the entry before is the last commit of refs/entries
		fmt.Fprintln(w, "merge :1")
	}
	fmt.Fprintln(w, "deleteall")
	raw += fmt.Sprintf("author %s\ncommitter %[1]s\n\n%s", by, message)
	return fmt.Sprintf("%x", sha1.Sum(append(fmt.Appendf(nil, "commit %d\x00", len(raw)), raw...)))
}

// packed makes refs, given as name and object, in the way in which git keeps many; one by one takes a minute.
func packed(t testing.TB, dir, head string, refs []string) {
	t.Helper()
	gittest.GitIn(t, dir, "delete refs/records\ndelete refs/entries\n", "update-ref", "--stdin")
	slices.Sort(refs)
	var b strings.Builder
	fmt.Fprintf(&b, "# pack-refs with: peeled fully-peeled sorted \n%s refs/heads/main\n", head)
	for _, one := range refs {
		name, object, _ := strings.Cut(one, " ")
		fmt.Fprintf(&b, "%s %s\n", object, name)
	}
	if err := os.WriteFile(filepath.Join(dir, ".git", "packed-refs"), []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// recorded is the record of draft i, and its commit.
func recorded(t testing.TB, i int, s store.Step, before *store.Record, key *record.Key) (*store.Record, []byte) {
	t.Helper()
	res := &finding.Result{Path: "a", Name: "deal", Title: "A deal", Digest: fmt.Sprintf("sha256:%064x", i)}
	for j := range 6 {
		q := finding.Requirement{Name: fmt.Sprintf("promise-%d", j), Title: "What is promised is kept", Clause: "4.2", Formula: "AG (seller.S2 -> AF purchaser.P3)", Notation: "ctl", Verdict: finding.Holds}
		if j == 3 && i%7 == 6 {
			q.Verdict, q.Run = finding.Violated, fmt.Sprintf("sha256:%064x", i)
			if i%14 == 13 {
				q.Waiver = &finding.Waiver{Approver: "Eve", Reason: "agreed", Expires: "2030-01-01", Run: q.Run, State: finding.InForce}
			}
		}
		res.Requirements = append(res.Requirements, q)
	}
	files := []record.Subject{{Name: "a/x.contract.hcl", Digest: record.Digest{SHA256: fmt.Sprintf("%064x", i)}}}
	made, err := record.Made{Result: res, Files: files, Tool: "v1", Commit: record.Commit{ID: s.Commit, Author: "Ada", Authored: s.Committed, Committed: s.Committed, Subject: fmt.Sprintf("draft %d", i)}}.Statement()
	if err != nil {
		t.Fatal(err)
	}
	r := &store.Record{Tree: s.Tree, Statement: made}
	made.Draft().When.Attested = gittest.First.AddDate(2, 0, 0).Format(time.RFC3339)
	if before != nil {
		r.Parent = before.Object
		made.Draft().When.Previous = &record.Previous{Record: before.Ref, Digest: before.Digest(), Commit: before.Draft().Commit.ID, Path: "a"}
		made.Draft().When.Change = &record.Change{Relation: delta.More.String(), Text: []string{"rewired event delivery"}, Possible: []string{"go, back, go"}, Impossible: []string{}, Verdicts: []record.VerdictChange{}}
	}
	raw, err := r.Sealed(key)
	if err != nil {
		t.Fatal(err)
	}
	r.Object = fmt.Sprintf("%x", sha1.Sum(append(fmt.Appendf(nil, "commit %d\x00", len(raw)), raw...)))
	return r, raw
}

// peak is the most memory that was in use while something was done, in bytes, as far as looking at it every few milliseconds tells.
func peak(do func()) uint64 {
	runtime.GC()
	done, most := make(chan struct{}), make(chan uint64)
	go func() {
		use := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/unused:bytes"}}
		top := uint64(0)
		for {
			metrics.Read(use) // unlike runtime.ReadMemStats it stops nobody
			top = max(top, use[0].Value.Uint64()+use[1].Value.Uint64())
			select {
			case <-done:
				most <- top
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
	}()
	do()
	close(done)
	return <-most
}

func closed(t testing.TB, h *History) {
	t.Helper()
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}

func tell(t testing.TB, dir, head string, keys record.Keys, to io.Writer) *History {
	t.Helper()
	h, err := (&Query{Repo: store.At(dir), Commit: head, Keys: keys, Here: "."}).Find(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closed(t, h) })
	if err := Text(context.WithoutCancel(t.Context()), to, h, nil); err != nil {
		t.Fatal(err)
	}
	return h
}

// BenchmarkHistory10000 is the whole of "redline history" of 10,000 drafts, but for starting the process.
func BenchmarkHistory10000(b *testing.B) {
	key, err := record.NewKey(rand.Reader)
	if err != nil {
		b.Fatal(err)
	}
	keys, err := record.ParseKeys([]byte(key.Line("ada")), "keys")
	if err != nil {
		b.Fatal(err)
	}
	b.Run("unsigned", func(b *testing.B) { timed(b, 10_000, nil, nil, func(do func()) { do() }) })
	b.Run("signed", func(b *testing.B) { timed(b, 10_000, key, keys, func(do func()) { do() }) })
}

// BenchmarkHistoryMemory is for its peak-MiB, which is to be nearly the same for all. Looking at it takes time, too.
func BenchmarkHistoryMemory(b *testing.B) {
	key, err := record.NewKey(rand.Reader)
	if err != nil {
		b.Fatal(err)
	}
	keys, err := record.ParseKeys([]byte(key.Line("ada")), "keys") // with which the log is read, too
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{1_000, 10_000, 30_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			top := uint64(0)
			timed(b, n, key, keys, func(do func()) { top = max(top, peak(do)) })
			b.ReportMetric(float64(top)/(1<<20), "peak-MiB")
		})
	}
}

// timed is the whole of "redline history" of so many drafts.
func timed(b *testing.B, n int, key *record.Key, keys record.Keys, as func(do func())) {
	dir, head := many(b, n, key)
	b.ResetTimer()
	for b.Loop() {
		as(func() {
			if got := tell(b, dir, head, keys, io.Discard).drafts; got != n {
				b.Fatalf("%d drafts", got)
			}
		})
	}
}
