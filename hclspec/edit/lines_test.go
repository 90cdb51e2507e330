package edit

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"pgregory.net/rapid"
)

// TestLines: widened splices give the same text, are of whole lines, do not overlap, and their places are
// what they say.
func TestLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := Text{}
		var list []Splice
		for _, file := range []string{"a", "b"} {
			src := rapid.StringOfN(rapid.SampledFrom([]rune("xyé\n")), 0, 24, -1).Draw(t, file)
			text[file] = []byte(src)
			list = append(list, drawSplices(t, file, src)...)
		}
		got := text.Lines(list)
		want, after := text.Splice(list), text.Splice(got)
		for file := range text {
			if !bytes.Equal(want[file], after[file]) {
				t.Fatalf("%q with %+v is %q, with %+v %q", text[file], list, want[file], got, after[file])
			}
		}
		for i, s := range got {
			checkLines(t, string(text[s.Range.Filename]), s)
			if i > 0 && got[i-1].Range.Filename == s.Range.Filename && got[i-1].Range.End.Byte > s.Range.Start.Byte {
				t.Fatalf("%+v and %+v overlap", got[i-1], s)
			}
		}
	})
}

func drawSplices(t *rapid.T, file, src string) []Splice {
	cuts := rapid.SliceOfN(rapid.IntRange(0, len(src)), 0, 6).Draw(t, "cuts")
	slices.Sort(cuts)
	var list []Splice
	for i := 0; i+1 < len(cuts); i += 2 {
		if last := len(list) - 1; last >= 0 && list[last].Range.Start.Byte == cuts[i] {
			continue // two at one place have no order
		}
		list = append(list, Splice{Range: rangeOf(file, src, cuts[i], cuts[i+1]), Old: src[cuts[i]:cuts[i+1]],
			New: rapid.StringOfN(rapid.SampledFrom([]rune("n\n")), 0, 3, -1).Draw(t, "new")})
	}
	return list
}

func rangeOf(file, src string, from, to int) hcl.Range {
	return hcl.Range{Filename: file, Start: posOf(src, from), End: posOf(src, to)}
}

func posOf(src string, at int) hcl.Pos {
	before := src[:at]
	line := before[strings.LastIndexByte(before, '\n')+1:]
	return hcl.Pos{Byte: at, Line: strings.Count(before, "\n") + 1, Column: len([]rune(line)) + 1}
}

func checkLines(t *rapid.T, src string, s Splice) {
	from, to := s.Range.Start.Byte, s.Range.End.Byte
	if src[from:to] != s.Old {
		t.Fatalf("%q is not at %v of %q", s.Old, s.Range, src)
	}
	if want := rangeOf(s.Range.Filename, src, from, to); want != s.Range {
		t.Fatalf("%v of %q is called %v", want, src, s.Range)
	}
	if from > 0 && src[from-1] != '\n' || to < len(src) && to > 0 && src[to-1] != '\n' {
		t.Fatalf("%q of %q is not whole lines", s.Old, src)
	}
	if to < len(src) && s.New != "" && !strings.HasSuffix(s.New, "\n") {
		t.Fatalf("%q in place of %q of %q is not whole lines", s.New, s.Old, src)
	}
}
