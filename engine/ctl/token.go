package ctl

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

type kind uint8

const (
	end kind = iota
	name
	bang
	and
	or
	implies
	iff
	open
	closing
	openSquare
	closeSquare
	colon
	comma
	compare
	number
	plus
	minus
	times
)

// A token is text[from:to].
type token struct {
	kind     kind
	from, to int
	text     string
}

// symbols are tried in order, so a longer one comes before its prefixes. Those with a hint are not part of the language, but are often
// written.
var symbols = []struct {
	text string
	kind kind
	hint string
}{
	{"<->", iff, ""},
	{"<=>", end, "write <->"},
	{"->", implies, ""},
	{"=>", end, "write ->"},
	{"==", compare, ""},
	{"!=", compare, ""},
	{"<=", compare, ""},
	{">=", compare, ""},
	{"=", compare, ""},
	{"<", compare, ""},
	{">", compare, ""},
	{"&&", and, ""},
	{"&", and, ""},
	{"||", or, ""},
	{"|", or, ""},
	{"!", bang, ""},
	{"~", end, "write !"},
	{"¬", bang, ""},
	{"∧", and, ""},
	{"∨", or, ""},
	{"→", implies, ""},
	{"↔", iff, ""},
	{"(", open, ""},
	{")", closing, ""},
	{"[", openSquare, ""},
	{"]", closeSquare, ""},
	{":", colon, ""},
	{",", comma, ""},
	{"\"", end, "names stand without quotes"},
	{"'", end, "names stand without quotes"},
	{"+", plus, ""},
	{"-", minus, ""},
	{"*", times, ""},
	{"/", end, "multiply the other side instead: 2 * a.paid >= a.price"},
	{"%", end, "multiply the other side instead: 100 * a.paid >= 20 * a.price"},
}

// oddQuotes are quotes that are not straight. maxAdvice bounds a formula that a hint repeats.
const (
	oddQuotes = "\u2018\u2019\u201a\u201c\u201d\u201e\u201f\u00ab\u00bb"
	maxAdvice = 200
)

// next reads the token at or after offset at.
func next(text string, at int) (token, *SyntaxError) {
	rest := strings.TrimLeftFunc(text[at:], unicode.IsSpace)
	at = len(text) - len(rest)
	if rest == "" {
		return token{kind: end, from: at, to: at}, nil
	}
	if n := nameLength(rest); n > 0 {
		return token{name, at, at + n, rest[:n]}, nil
	}
	if n := digits(rest); n > 0 && wordLength(rest[n:]) == 0 {
		return token{number, at, at + n, rest[:n]}, nil
	}
	for _, s := range symbols {
		if !strings.HasPrefix(rest, s.text) {
			continue
		}
		to := at + len(s.text)
		if s.hint != "" {
			return token{}, &SyntaxError{at, to, fmt.Sprintf("%q means nothing here", s.text), s.hint}
		}
		return token{s.kind, at, to, s.text}, nil
	}
	err := unknown(rest, at)
	if r, _ := utf8.DecodeRuneInString(rest); strings.ContainsRune(oddQuotes, r) && len(text) <= maxAdvice {
		err.Hint = fmt.Sprintf("only straight quotes stand around a formula, and none within: \"%s\"", strings.Map(func(r rune) rune {
			if strings.ContainsRune(oddQuotes, r) {
				return -1
			}
			return r
		}, text))
	}
	return token{}, err
}

func unknown(rest string, at int) *SyntaxError {
	r, n := utf8.DecodeRuneInString(rest)
	if r == utf8.RuneError && n == 1 {
		return &SyntaxError{at, at + 1, fmt.Sprintf("byte %#x is not valid UTF-8", rest[0]), ""}
	}
	hint := ""
	switch {
	case unicode.IsDigit(r):
		hint = "a name starts with a letter or _"
	case strings.ContainsRune(oddQuotes, r):
		hint = "names stand without quotes"
	case unicode.Is(unicode.Pd, r) || r == '\u2212':
		hint = "write -, the hyphen on the keyboard: names have no other dash"
	case r == '.':
		hint = "a dot stands between two names, without blanks: party.place"
	}
	return &SyntaxError{at, at + n, fmt.Sprintf("unexpected character %q", r), hint}
}

// nameLength returns the length of the dotted name at the beginning of text, or 0 if there is none. Each of its words may have an index, as in
// purchaser[0].P1. The bracket of E[ and the like is not an index.
func nameLength(text string) int {
	n := wordLength(text)
	if n > 0 && (!slices.Contains(reserved, text[:n]) || strings.HasPrefix(text[n:], ".")) {
		n += indexLength(text[n:])
	}
	for n > 0 && n < len(text) && text[n] == '.' {
		more := wordLength(text[n+1:])
		if more == 0 {
			break
		}
		n += 1 + more
		n += indexLength(text[n:])
	}
	return n
}

// indexLength returns the length of the index at the beginning of text, brackets included, or 0 if there is none.
func indexLength(text string) int {
	if text == "" || text[0] != '[' {
		return 0
	}
	n := wordLength(text[1:])
	if n == 0 {
		n = digits(text[1:])
	}
	if n == 0 || !strings.HasPrefix(text[1+n:], "]") {
		return 0
	}
	return n + 2
}

func digits(text string) int { return len(text) - len(strings.TrimLeft(text, "0123456789")) }

// wordLength returns the length of the HCL identifier at the beginning of text, or 0 if there is none. A hyphen
// counts only between other characters of the identifier, so that a->b is an implication.
func wordLength(text string) int {
	n := 0
	for at, r := range text {
		switch {
		case r == '_' || unicode.IsLetter(r):
			n = at + utf8.RuneLen(r)
		case at > 0 && (unicode.IsDigit(r) || unicode.IsMark(r)):
			n = at + utf8.RuneLen(r)
		case at > 0 && r == '-':
		default:
			return n
		}
	}
	return n
}
