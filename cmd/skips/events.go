package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/redlinehq/redline/hclspec/examples/corpus"
)

const module = "github.com/redlinehq/redline/"

// An event is a line of go test -json (go doc cmd/test2json).
type event struct {
	Action  string
	Package string
	Test    string
	Output  string
}

// A skip is a test that was skipped.
type skip struct {
	pkg, test, reason string
}

// A reader takes in events, and prints what fails.
type reader struct {
	w       io.Writer
	output  map[[2]string][]string // of tests that have not ended, by package and test
	skipped []skip
	results []string // the line of each package
	failed  bool
}

func run(r io.Reader, w io.Writer, name string) (ok bool, err error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return false, err
	}
	list, err := readList(string(text))
	if err != nil {
		return false, fmt.Errorf("%s: %w", name, err)
	}
	now := surroundings{system: runtime.GOOS, heavy: os.Getenv("REDLINE_HEAVY") != "", strict: os.Getenv("REDLINE_ACT") != "", fetched: corpus.Has("corpus/ibm"), corpus: corpus.Has("corpus/mcc")}
	return report(r, w, list, now)
}

// report reads events to their end, and prints the skipped tests and the line of each package. It is ok when no test failed, and none was
// skipped that the list does not expect.
func report(from io.Reader, w io.Writer, list []rule, now surroundings) (ok bool, err error) {
	r := &reader{w: w, output: map[[2]string][]string{}}
	lines := bufio.NewReader(from)
	for {
		line, end := lines.ReadString('\n')
		if strings.HasPrefix(line, "{") {
			var e event
			if err := json.Unmarshal([]byte(line), &e); err != nil {
				return false, err
			}
			r.take(e)
		} else {
			_, _ = io.WriteString(w, line) // not of a test: what go itself says
		}
		if end == io.EOF {
			break
		} else if end != nil {
			return false, end
		}
	}
	ok = r.printSkips(list, now) && !r.failed
	for _, line := range r.results {
		_, _ = io.WriteString(w, line)
	}
	return ok && len(r.results) > 0, nil
}

// take takes in one event.
func (r *reader) take(e event) {
	key := [2]string{e.Package, e.Test}
	switch {
	case e.Action == "build-output":
		_, _ = io.WriteString(r.w, e.Output)
	case e.Action == "build-fail", e.Action == "fail":
		r.failed = true
		r.print(e.Package, e.Test)
	case e.Action == "skip" && e.Test != "":
		r.skipped = append(r.skipped, skip{strings.TrimPrefix(e.Package, module), e.Test, reason(r.output[key])})
		delete(r.output, key)
	case e.Action == "pass":
		delete(r.output, key)
	case e.Action == "output" && e.Test != "":
		r.output[key] = append(r.output[key], e.Output)
	case e.Action == "output" && isResult(e.Output):
		r.results = append(r.results, e.Output)
	case e.Action == "output" && e.Output != "PASS\n":
		_, _ = io.WriteString(r.w, e.Output)
	}
}

// print prints what a test has said; of a package, what those tests have said that have not ended.
func (r *reader) print(pkg, test string) {
	for _, key := range slices.SortedFunc(maps.Keys(r.output), func(a, b [2]string) int { return strings.Compare(a[1], b[1]) }) {
		if key[0] == pkg && (key[1] == test || test == "") {
			_, _ = io.WriteString(r.w, strings.Join(r.output[key], ""))
			delete(r.output, key)
		}
	}
}

// isResult says whether a line is go test's on a package.
func isResult(line string) bool {
	return slices.ContainsFunc([]string{"ok  \t", "FAIL\t", "?   \t", "---\t"}, func(lead string) bool { return strings.HasPrefix(line, lead) })
}

// reason returns why a test was skipped: what it said last, without the place.
func reason(output []string) string {
	for _, line := range slices.Backward(output) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "--- SKIP") || strings.HasPrefix(line, "=== ") {
			continue
		}
		if _, said, ok := strings.Cut(line, ".go:"); ok {
			_, line, _ = strings.Cut(said, ": ")
		}
		return line
	}
	return "no reason given"
}

// printSkips prints what was skipped, by tier, and returns whether all of it was expected.
func (r *reader) printSkips(list []rule, now surroundings) bool {
	by := map[string][]string{}
	for _, s := range r.skipped {
		tier := now.tier(list, s.pkg, s.test)
		by[tier] = append(by[tier], fmt.Sprintf("  %s %s: %s\n", s.pkg, s.test, s.reason))
	}
	for _, tier := range append(append(slices.Clone(tiers), systems...), "") {
		if len(by[tier]) == 0 {
			continue
		}
		slices.Sort(by[tier])
		head := "skipped, as expected (" + tier + ")"
		if tier == "" {
			head = "SKIPPED, AND NOT IN THE LIST OF EXPECTED SKIPS"
		}
		_, _ = fmt.Fprintf(r.w, "%s: %d\n%s", head, len(by[tier]), strings.Join(by[tier], ""))
	}
	return len(by[""]) == 0
}
