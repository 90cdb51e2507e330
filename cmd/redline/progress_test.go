package main

import (
	"bytes"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
)

func TestProgressLine(t *testing.T) {
	l := &latest{width: 60}
	l.explored(7, 9)
	for _, step := range []struct {
		do   func()
		want string
	}{
		{func() {}, "redline: 7 states so far"},
		{func() { l.turn("sale", 1, 1) }, "redline: 0 states so far"},
		{func() { l.turn("sale", 2, 500) }, "redline: contract 2 of 500, 0 states so far: sale"},
		{func() { l.explored(1234, 0) }, "redline: contract 2 of 500, 1234 states so far: sale"},
		{func() { l.turn("late", 1, 500) }, "redline: contract 2 of 500, 1234 states so far: sale"}, // told out of turn
		{func() { l.turn("a\x1b[2Jb", 3, 500) }, `redline: contract 3 of 500, 0 states so far: a\x1b[2Jb`},
		{func() { l.turn("contracts/a-very-long-way-down/sale", 4, 500) }, "redline: contract 4 of 500, 0 states so far: contracts/a-ve"},
	} {
		step.do()
		if got := l.line(); got != step.want {
			t.Errorf("%q, want %q", got, step.want)
		}
	}
}

// TestProgressIsQuietInAPipe: nothing is reported to, and nothing written.
func TestProgressIsQuietInAPipe(t *testing.T) {
	var out bytes.Buffer
	var b finding.Budget
	progress(&out, &b)()
	if b.Progress != nil || b.Turn != nil || out.Len() > 0 {
		t.Errorf("%q", out.String())
	}
}
