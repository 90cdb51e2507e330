package page_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/hclspec/load"
	"github.com/redlinehq/redline/report/page"
)

// budget is what a test may spend on a contract.
var budget = finding.Budget{Jobs: 2}

// example is one that redline ships, with some of its text replaced.
func example(t testing.TB, name string, edits ...[3]string) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	list, err := fs.ReadDir(examples.FS, name)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		if f.IsDir() {
			continue
		}
		text, err := fs.ReadFile(examples.FS, name+"/"+f.Name())
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name()] = &fstest.MapFile{Data: text}
	}
	for _, e := range edits {
		f := files[e[0]]
		if f == nil || strings.Count(string(f.Data), e[1]) != 1 {
			t.Fatalf("%s: %q is not there once", e[0], e[1])
		}
		files[e[0]] = &fstest.MapFile{Data: []byte(strings.Replace(string(f.Data), e[1], e[2], 1))}
	}
	return files
}

func draft(t testing.TB, files fs.FS, rule *petri.Rule) *compile.Draft {
	t.Helper()
	src, err := load.Dir(files, ".", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	return compile.Compile(src, "contract", rule)
}

// checked is the page of one contract.
func checked(t testing.TB, d *compile.Draft) []byte {
	t.Helper()
	return written(t, d, verify.Check(t.Context(), d, budget))
}

func written(t testing.TB, d *compile.Draft, r *finding.Result) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := page.Checked(t.Context(), &b, []*compile.Draft{d}, []*finding.Result{r}, page.About{Version: "test"}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// reviewed is the page of one contract's amendment.
func reviewed(t testing.TB, base, head *compile.Draft) []byte {
	t.Helper()
	pairs := []engine.Pair{{Base: base, Head: head}}
	r := &finding.Review{Base: "main", Head: "amendment", Contracts: engine.ComparePairs(t.Context(), pairs, budget)}
	var b bytes.Buffer
	if err := page.Reviewed(t.Context(), &b, r, pairs, page.About{Version: "test"}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// withdrawn is the sale with a seller who may withdraw the goods.
func withdrawn(t testing.TB) fstest.MapFS {
	return example(t, "sale", [3]string{"seller.contract.hcl", `  transition "end" {`, `  transition "withdraw" {
    title  = "the seller withdraws the goods"
    clause = "4.2 (new)"
    from   = S2
    to     = S0
    set    = { GAV = false }
  }

  transition "end" {`})
}

var errStop = errors.New("stopped by the test")

func cancelled(t *testing.T) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errStop)
	return ctx, func() {}
}
