package engine_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/imported"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec/load"
)

// A brief is a context that is cancelled after it has been asked so many times.
type brief struct {
	context.Context
	left int
}

func (b *brief) Err() error {
	if b.left--; b.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestCompileEndsWithItsContext: wherever composing is when its context ends, there is the cause and no draft. It asks at least once for each formula.
func TestCompileEndsWithItsContext(t *testing.T) {
	text := "contract \"c\" {}\nparty \"p\" {\n  state \"a\" {}\n}\n"
	for i := range 10 {
		text += fmt.Sprintf("requirement \"r%d\" {\n  ctl = \"AG p.a\"\n}\n", i)
	}
	src := load.Text(map[string][]byte{"c.contract.hcl": []byte(text)}, ".", nil)
	for asked := 0; ; asked++ {
		d, err := compile.CompileWithin(&brief{context.Background(), asked}, src, "c", nil)
		if err == nil {
			if d.Digest != compile.Compile(src, "c", nil).Digest || asked < 20 {
				t.Errorf("asked %d times", asked)
			}
			return
		}
		if !errors.Is(err, context.Canceled) || d != nil {
			t.Fatalf("after %d: %v, %v", asked, d, err)
		}
	}
}

// TestReadingTakesOfTheTime: a contract that is read a little late is unknown for want of time, and a context that has ended ends the reading.
func TestReadingTakesOfTheTime(t *testing.T) {
	var text strings.Builder
	text.WriteString("contract \"c\" {}\nparty \"p\" {\n  state \"a\" {}\n}\n")
	for i := range 10 {
		fmt.Fprintf(&text, "requirement \"r%d\" {\n  ctl = \"AG p.a\"\n}\n", i)
	}
	files := fstest.MapFS{"c/c.contract.hcl": {Data: []byte(text.String())}}
	drafts, err := engine.Tree{FS: files, Root: ".", Time: 1}.Drafts(context.Background(), nil, 1)
	if err != nil {
		t.Fatal(err) // a little more than the limit is granted
	}
	if r := verify.Check(context.Background(), drafts[0], finding.Budget{Jobs: 1, Time: 1}); !strings.Contains(r.Model.Incomplete, "the time limit of 1ns ran out") {
		t.Errorf("%q", r.Model.Incomplete)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("enough"))
	if _, err := (engine.Tree{FS: files, Root: "."}).Drafts(ctx, nil, 1); err == nil || !strings.Contains(err.Error(), "enough") {
		t.Errorf("cancelled: %v", err)
	}
	net := fmt.Sprintf("<pnml><net>%s</net></pnml>", strings.Repeat("<place id=\"p\"/>", 10))
	ended, cancelled := context.WithCancel(context.Background())
	cancelled()
	if _, err := imported.ImportWithin(ended, (finding.Budget{Time: 1}), "n.pnml", strings.NewReader(net)); !errors.Is(err, context.Canceled) {
		t.Errorf("a net: %v", err)
	}
}
