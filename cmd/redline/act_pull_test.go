package main

import (
	"strings"
	"testing"
)

// readmeWorkflow is the one that README gives.
func readmeWorkflow(t *testing.T) string {
	t.Helper()
	for _, b := range blocksOf(t, "../../README.md") {
		if b[0] == "yaml" && strings.Contains(b[1], "uses: redlinehq/redline@v1") {
			return b[1]
		}
	}
	t.Fatal("README has no workflow")
	return ""
}

func TestActPull(t *testing.T) {
	s := newStage(t)
	p := open(t, amend)
	s.write(p.origin+"/.github/workflows/redline.yml", readmeWorkflow(t))
	p.git("remote add origin https://github.com/acme/deals.git")
	ok, log := s.run(p.origin, "pull_request", p.payload())
	t.Log(ok, log)
}
