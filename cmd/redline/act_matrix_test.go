package main

import (
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/cmd/redline/demo"
	"github.com/redlinehq/redline/report/github/githubtest"
)

// Three contracts are reviewed by three jobs, and a fourth joins what they found and gates. Where a shard is missing, the gate
// is shut although no violation was found.
func TestActMatrix(t *testing.T) {
	s := newStage(t)
	s.hub.Allow(jobToken, githubtest.Job("contents: read", "pull-requests: write"))
	p := s.three()
	ok, log := s.run(p.origin, "pull_request", payloadFrom(p, "acme/deals"))
	comments := s.hub.Comments(7)
	if ok || len(comments) != 1 {
		t.Fatalf("%v, %+v\n%s", ok, comments, end(log))
	}
	for _, contract := range []string{"sale", "second", "third"} {
		if !strings.Contains(comments[0].Body, contract) {
			t.Errorf("the comment does not speak of %s: %s", contract, comments[0].Body)
		}
	}
	for _, shard := range []string{"1", "2", "3"} {
		if !strings.Contains(log, "Matrix: map[of:3 shard:"+shard+"]") {
			t.Errorf("shard %s was not run\n%s", shard, end(log))
		}
	}
	if failed := jobsThatFailed(log); !slices.Equal(failed, []string{"gate"}) {
		t.Errorf("these jobs failed: %q\n%s", failed, end(log))
	}

	s.store = t.TempDir()
	ok, log = s.run(p.origin, "pull_request", payloadFrom(p, "acme/deals"), "--env", "DROP=redline-shard-2")
	if ok || !strings.Contains(log, "shard 2 of 3 is missing") {
		t.Errorf("a shard is missing: %v\n%s", ok, end(log))
	}
	if after := s.hub.Comments(7); len(after) != 1 || !strings.Contains(after[0].Body, "shard 2 of 3 is missing") {
		t.Errorf("the pull request says %+v", after)
	}
}

var failedJob = regexp.MustCompile(`(?m)^\[.*/(\S+?)\s*\] 🏁  Job failed`)

func jobsThatFailed(log string) (names []string) {
	for _, m := range failedJob.FindAllStringSubmatch(log, -1) {
		names = append(names, m[1])
	}
	return names
}

// three is a pull request that amends three contracts in different ways, one of which breaks a promise.
func (s *stage) three() pull {
	p := open(s.T, addWithdrawal)
	p.git("remote add origin https://github.com/acme/deals.git", "checkout -q main")
	for _, dir := range []string{"second", "third"} {
		if err := demo.CopyExample(io.Discard, "sale", filepath.Join(p.origin, dir)); err != nil {
			s.Fatal(err)
		}
	}
	p.git("add .", "commit -q -m more")
	p.base = p.commit()
	p.git("checkout -q amendment", "merge -q -m main main")
	for dir, promise := range map[string]string{"second": "AG EF seller.S0", "third": "EF seller.S1"} {
		name := filepath.Join(p.origin, dir, "sale.contract.hcl")
		s.write(name, s.read(name)+"\nrequirement \"more\" { ctl = \""+promise+"\" }\n")
	}
	p.merged("commit -q -a -m amendments")
	s.write(filepath.Join(p.origin, ".github/workflows/redline.yml"), pageWorkflow(s.T, "matrix.yml@v1"))
	s.pull(p, 7, "acme/deals")
	return p
}
