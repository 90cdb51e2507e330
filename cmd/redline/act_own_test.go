package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/redlinehq/redline/report/github/githubtest"
)

// This repository's own workflow, with this repository's own action, built from its source, on an amendment to its own example.
func TestActOwn(t *testing.T) {
	s := newStage(t)
	s.hub.Allow(jobToken, githubtest.Job("contents: read", "pull-requests: write"))
	p := pull{T: t, origin: t.TempDir()}
	copySource(t, p.origin)
	p.git("init -q -b main", "remote add origin https://github.com/acme/deals.git", "add .", "commit -q -m all")
	p.base = p.commit()
	p.git("checkout -q -b amendment")
	if err := addWithdrawal(filepath.Join(p.origin, "hclspec/examples/sale/seller.contract.hcl")); err != nil {
		t.Fatal(err)
	}
	p.merged("commit -q -a -m amendment")
	s.pull(p, 7, "acme/deals")
	ok, log := s.run(p.origin, "pull_request", payloadFrom(p, "acme/deals"), "-W", ".github/workflows/redline.yml")
	comments, remarks := s.hub.Comments(7), s.hub.ReviewComments(7)
	if ok || !strings.Contains(log, builds) {
		t.Fatalf("%v\n%s", ok, end(log))
	}
	if len(comments) != 1 || len(remarks) == 0 || remarks[0].Path != "hclspec/examples/sale/seller.contract.hcl" {
		t.Errorf("comments %+v\nremarks %+v\n%s", comments, remarks, end(log))
	}
	if _, err := os.Stat(filepath.Join(s.store, "artifacts/1/redline/redline.json")); err != nil {
		t.Errorf("the review was not kept: %v", err)
	}
}
