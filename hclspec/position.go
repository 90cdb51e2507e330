package hclspec

import (
	"bytes"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
)

// RangeAt returns the range of the n bytes at an offset of a source. They are one column wide.
func RangeAt(name string, src []byte, at, n int) hcl.Range {
	line := bytes.Count(src[:at], []byte("\n"))
	begin := bytes.LastIndexByte(src[:at], '\n') + 1
	start := Advance(hcl.Pos{Line: line + 1, Column: 1, Byte: begin}, string(src[begin:at]))
	end := start
	end.Byte, end.Column = at+n, start.Column+1
	return hcl.Range{Filename: name, Start: start, End: end}
}

// Advance returns the position after text that starts at p. Columns count grapheme clusters as HCL's do.
func Advance(p hcl.Pos, text string) hcl.Pos {
	if plain(text) {
		return hcl.Pos{Line: p.Line, Column: p.Column + len(text), Byte: p.Byte + len(text)}
	}
	end := hcl.InitialPos
	scan := hcl.NewRangeScanner([]byte(text), "", func(data []byte, _ bool) (int, []byte, error) {
		return len(data), data, nil
	})
	if scan.Scan() {
		end = scan.Range().End
	}
	if end.Line > 1 {
		return hcl.Pos{Line: p.Line + end.Line - 1, Column: end.Column, Byte: p.Byte + len(text)}
	}
	return hcl.Pos{Line: p.Line, Column: p.Column + end.Column - 1, Byte: p.Byte + len(text)}
}

// plain reports whether each byte of text is one column.
func plain(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// PosAt returns the position of a byte of a source, as HCL counts lines and columns.
func PosAt(src []byte, at int) hcl.Pos { return RangeAt("", src, at, 0).Start }
