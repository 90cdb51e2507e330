package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/redlinehq/redline/engine/finding"
)

func TestProgressLine(t *testing.T) {
	l := &latest{width: 80}
	for _, step := range []struct {
		do   func()
		want string
	}{
		{func() {}, "redline: 3s: reading"},
		{func() { l.entered(finding.Phase{Name: "exploring"}); l.explored(1234, 9) }, "redline: 3s: exploring, 1,234 states"},
		{func() { l.turn("sale", 1, 1) }, "redline: 3s: reading"},
		{func() { l.turn("sale", 2, 500) }, "redline: 3s, contract 2 of 500: reading (sale)"},
		{func() { l.entered(finding.Phase{Name: "deciding requirements", Of: 5}) }, "redline: 3s, contract 2 of 500: deciding requirements, 0 of 5 (sale)"},
		{func() { l.entered(finding.Phase{Name: "deciding requirements", Decided: 4, Of: 5, Violated: 1}) }, "redline: 3s, contract 2 of 500: deciding requirements, 4 of 5, 1 violated (sale"},
		{func() { l.turn("late", 1, 500) }, "redline: 3s, contract 2 of 500: deciding requirements, 4 of 5, 1 violated (sale"}, // reported out of turn
		{func() { l.turn("a\x1b[2Jb", 3, 500) }, `redline: 3s, contract 3 of 500: reading (a\x1b[2Jb)`},
	} {
		step.do()
		if got := l.line(3100 * time.Millisecond); got != step.want {
			t.Errorf("%q, want %q", got, step.want)
		}
	}
}

// TestProgressIsQuietInAPipe: nothing is reported to, and nothing written.
func TestProgressIsQuietInAPipe(t *testing.T) {
	var out bytes.Buffer
	var b finding.Budget
	progress(&out, &b)()
	if b.Progress != nil || b.Phase != nil || b.Turn != nil || out.Len() > 0 {
		t.Errorf("%q", out.String())
	}
}
