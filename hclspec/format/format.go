package format

import (
	"bytes"
	"context"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"

	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// File returns src in the canonical layout, which File leaves as it is:
//
//   - Spaces, indentation and alignment are those of terraform fmt.
//   - A block of several lines has one blank line on each side. One-line blocks of one type, and
//     attributes beside each other or beside a one-line block, stay grouped as the drafter grouped
//     them, with one blank line at most; one-line blocks of different types have one between them.
//   - No blank line is first or last in a block, a bracket or the file.
//   - A comment right above something stays right above it.
//   - Lines end in LF without blanks before it, the last line too. There is no byte order mark.
//
// Only blanks and line ends outside texts change; a heredoc keeps every byte. A source with syntax
// errors, or one that load.Dir would refuse to parse, comes back unchanged with the errors; so does, without any, the rare source whose meaning
// depends on its blanks (a.0 .1 is not a.0.1).
func File(src []byte, filename string) ([]byte, hcl.Diagnostics) {
	s := diag.New(context.Background(), filename)
	if !syntax.Scan(s, filename, src) {
		return src, s.Diags
	}
	file, diags := hclsyntax.ParseConfig(src, filename, hcl.InitialPos)
	if s.Foreign(diag.Syntax, diags); s.Diags.HasErrors() {
		return src, s.Diags
	}
	tokens, _ := hclsyntax.LexConfig(src, filename, hcl.InitialPos) // the parser accepted them
	lines := classify(splitLines(foldHeredocs(tokens, src)), blockBraces(file.Body.(*hclsyntax.Body)))
	want, text := write(spread(lines))
	out, ok := unfold(hclwrite.Format(text), want)
	if !ok {
		return src, nil
	}
	return out, nil
}

// placeholder replaces a heredoc while spaces are set. Names are laid out like heredocs, and nothing inside a name is.
const placeholder = "heredoc"

// foldHeredocs replaces each heredoc by one token, from <<EOT to EOT, including others inside it.
func foldHeredocs(tokens hclsyntax.Tokens, src []byte) hclsyntax.Tokens {
	var folded hclsyntax.Tokens
	start, open := 0, 0
	for _, t := range tokens {
		if t.Type == hclsyntax.TokenOHeredoc {
			if open++; open == 1 {
				start = t.Range.Start.Byte
			}
		}
		closes := t.Type == hclsyntax.TokenCHeredoc
		if closes {
			if open--; open == 0 {
				t.Type, t.Range.Start.Byte = hclsyntax.TokenOHeredoc, start
				t.Bytes = unixOpening(src[start:t.Range.End.Byte])
			}
		}
		if open == 0 {
			folded = append(folded, t)
		}
	}
	return folded
}

// unixOpening ends the first line of a heredoc in LF; the lines below are the drafter's text.
func unixOpening(heredoc []byte) []byte {
	opening, rest, _ := bytes.Cut(heredoc, []byte("\n"))
	return bytes.Join([][]byte{bytes.TrimSuffix(opening, []byte("\r")), rest}, []byte("\n"))
}

// write joins lines into text for hclwrite, with a blank only where the source has one, and returns the tokens it wrote.
func write(lines []line) (hclsyntax.Tokens, []byte) {
	var written hclsyntax.Tokens
	var text bytes.Buffer
	for _, l := range lines {
		for i, t := range l.tokens {
			if i > 0 && t.Range.Start.Byte > l.tokens[i-1].Range.End.Byte {
				text.WriteByte(' ')
			}
			t.Bytes = clean(t)
			written = append(written, t)
			if t.Type == hclsyntax.TokenOHeredoc {
				text.WriteString(placeholder)
			} else {
				text.Write(t.Bytes)
			}
		}
	}
	return written, text.Bytes()
}

// clean returns a token's text without blanks at line ends, unless they are content of a text.
func clean(t hclsyntax.Token) []byte {
	switch t.Type {
	case hclsyntax.TokenNewline:
		return []byte("\n")
	case hclsyntax.TokenComment:
		lines := bytes.Split(t.Bytes, []byte("\n"))
		for i, l := range lines {
			lines[i] = bytes.TrimRight(l, " \t\r")
		}
		return bytes.Join(lines, []byte("\n"))
	}
	return t.Bytes
}

// unfold puts the heredocs back into formatted text. It fails if the text does not consist of the tokens that were written: formatting would
// have changed the meaning.
func unfold(text []byte, want hclsyntax.Tokens) ([]byte, bool) {
	got, _ := hclsyntax.LexConfig(text, "", hcl.InitialPos)
	if len(got) != len(want)+1 { // and the end of file
		return nil, false
	}
	var out bytes.Buffer
	end := 0
	for i, w := range want {
		t := got[i]
		heredoc := w.Type == hclsyntax.TokenOHeredoc
		if !heredoc && (t.Type != w.Type || !bytes.Equal(t.Bytes, w.Bytes)) {
			return nil, false
		}
		out.Write(text[end:t.Range.Start.Byte])
		out.Write(w.Bytes)
		end = t.Range.End.Byte
	}
	return out.Bytes(), true
}
