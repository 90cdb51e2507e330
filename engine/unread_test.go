package engine_test

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
)

// A file that is refused unread is no part of a contract's text. An amendment that adds one leaves a contract that means
// nothing, and passes no gate: neither as the same text, nor as the same refusal when it stands there already.
func TestUnreadFileIsAChange(t *testing.T) {
	const sale = `contract "sale" {}
party "seller" {
  state "a" {}
}
`
	whole := func() fstest.MapFS { return fstest.MapFS{"sale/a.contract.hcl": {Data: []byte(sale)}} }
	linked, vast := whole(), whole()
	linked["sale/b.contract.hcl"] = &fstest.MapFile{Data: []byte("a.contract.hcl"), Mode: fs.ModeSymlink}
	vast["sale/b.contract.hcl"] = &fstest.MapFile{Data: make([]byte, hclspec.MaxFileSize+1)}
	for name, c := range map[string]struct {
		base, head fstest.MapFS
		status     finding.Status
		gate       finding.ExitStatus
	}{
		"nothing":      {whole(), whole(), finding.Same, finding.Clean},
		"a link":       {whole(), linked, finding.Changed, finding.BadInput},
		"a vast file":  {whole(), vast, finding.Changed, finding.BadInput},
		"another":      {linked, vast, finding.Changed, finding.BadInput},
		"it stays":     {vast, vast, finding.Same, finding.Clean},
		"it goes away": {linked, whole(), finding.Changed, finding.Clean},
	} {
		drafts := func(files fstest.MapFS) []*compile.Draft {
			all, err := engine.Tree{FS: files, Root: "."}.Drafts(t.Context(), nil, 1)
			if err != nil {
				t.Fatal(err)
			}
			return all
		}
		r := finding.Review{Contracts: engine.CompareAll(t.Context(), drafts(c.base), drafts(c.head), finding.Budget{Jobs: 1})}
		if got := r.Contracts[0].Status; got != c.status || r.Gate(finding.FailNever) != c.gate {
			t.Errorf("%s: %s, exit status %d; want %s, %d", name, got, r.Gate(finding.FailNever), c.status, c.gate)
		}
	}
}
