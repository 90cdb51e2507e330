package review

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/expr"
	"github.com/redlinehq/redline/hclspec/load"
	"github.com/redlinehq/redline/report/ci"
	"github.com/redlinehq/redline/report/markdown"
	"github.com/redlinehq/redline/report/text"
)

// TestNormsInEveryFormat: how a norm that was dropped or changed is said, to each reader, where the gate objects and where it only remarks.
func TestNormsInEveryFormat(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("testdata", "norms.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	in, got := txtar.Parse(raw), &txtar.Archive{}
	base := ""
	for _, f := range in.Files {
		name, isHead := strings.CutPrefix(f.Name, "head ")
		switch {
		case f.Name == "base":
			base = string(f.Data)
			fallthrough
		case isHead:
			got.Files = append(got.Files, f)
		}
		if !isHead {
			continue
		}
		was, now, _ := strings.Cut(string(f.Data), "=>\n")
		head := strings.Replace(base, was, now, 1)
		if head == base {
			t.Fatalf("%s changes nothing", name)
		}
		formats := []string{"annotations"}
		switch name {
		case "a deadline that never comes":
			formats = []string{"annotations", "text"}
		case "longer":
			formats = []string{"annotations", "text", "markdown", "sarif", "junit"}
		}
		for _, format := range formats {
			got.Files = append(got.Files, txtar.File{Name: name + " in " + format, Data: []byte(inFormat(t, reviewOf(t, base, head, true), format))})
		}
		if name == "longer" {
			got.Files = append(got.Files, txtar.File{Name: name + " as a remark", Data: []byte(inFormat(t, reviewOf(t, base, head, false), "annotations"))})
		}
	}
	if out := txtar.Format(got); *update {
		if err := os.WriteFile(filepath.Join("testdata", "norms.txtar"), out, 0o644); err != nil {
			t.Fatal(err)
		}
	} else if !bytes.Equal(out, raw) {
		t.Errorf("it is now\n%s", out)
	}
}

func reviewOf(t *testing.T, base, head string, objects bool) *finding.Review {
	t.Helper()
	draft := func(s string) *compile.Draft {
		src, err := load.Dir(fstest.MapFS{"loan.contract.hcl": {Data: []byte(s)}}, ".", "loan", expr.Values{})
		if err != nil || src.Contract == nil {
			t.Fatal(err, src.Diagnostics)
		}
		return compile.Compile(src, "loan", nil)
	}
	c := blame.Compare(context.Background(), draft(base), draft(head), finding.Budget{Jobs: 1, Owed: objects})
	return &finding.Review{Base: "main", Head: "HEAD", Contracts: []finding.ContractReview{c}}
}

func inFormat(t *testing.T, r *finding.Review, format string) string {
	t.Helper()
	var b bytes.Buffer
	var err error
	switch format {
	case "text":
		err = text.Review(&b, r, text.Style{Width: 100})
	case "markdown":
		said, _, _ := strings.Cut(markdown.Review(r), "\n<details><summary><b>What can happen")
		b.WriteString(said)
	case "sarif":
		err = ci.SARIFReview(&b, r, finding.FailNew, "v1.2.3")
		var log struct {
			Runs []struct {
				Results []struct {
					RuleID, Level, BaselineState string
					Message                      struct{ Text string }
				}
			}
		}
		if err == nil {
			err = json.Unmarshal(b.Bytes(), &log)
		}
		b.Reset()
		for _, result := range log.Runs[0].Results {
			if strings.HasPrefix(result.RuleID, "norm-") && result.BaselineState == "new" {
				fmt.Fprintf(&b, "%s %s\n%s\n", result.Level, result.RuleID, result.Message.Text)
			}
		}
	case "junit":
		err = ci.JUnitReview(&b, r, finding.FailNew)
	case "annotations":
		for _, a := range DraftReview(r, finding.FailNew).Annotations {
			fmt.Fprintf(&b, "%s %s:%d: %s\n%s\n", a.Level, a.File, a.line, a.title, a.message)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
