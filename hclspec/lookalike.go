package hclspec

import (
	"fmt"
	"strings"
	"unicode"
)

// lookalikes lists the Greek and Cyrillic letters that look like a letter or digit of ASCII, and the Cyrillic ones that look like a Greek one
// (Unicode Technical Standard 39, confusables.txt, 14.0.0). Letters of other scripts, accents, and ASCII's own 0 and O are left out.
var lookalikes = map[rune]string{
	'3':      "\u0417\u04e0",
	'6':      "\u0431",
	'A':      "\u0391\u0410",
	'a':      "\u03b1\u0430",
	'B':      "\u0392\u0412",
	'b':      "\u042c",
	'C':      "\u03f9\u0421",
	'c':      "\u03f2\u0441",
	'd':      "\u0501",
	'E':      "\u0395\u0415",
	'e':      "\u0435\u04bd",
	'F':      "\u03dc",
	'G':      "\u050c",
	'H':      "\u0397\u041d",
	'h':      "\u04bb",
	'i':      "\u03b9\u0456\u04cf",
	'J':      "\u037f\u0408",
	'j':      "\u03f3\u0458",
	'K':      "\u039a\u041a",
	'I':      "\u0399\u0406\u04c0", // the source has l for them, and for I, too
	'M':      "\u039c\u03fa\u041c",
	'N':      "\u039d",
	'O':      "\u039f\u041e",
	'o':      "\u03bf\u03c3\u043e",
	'P':      "\u03a1\u0420",
	'p':      "\u03c1\u03f1\u0440",
	'q':      "\u051b",
	'r':      "\u0433",
	'S':      "\u0405",
	's':      "\u0455",
	'T':      "\u03a4\u0422",
	'u':      "\u03c5",
	'V':      "\u0474",
	'v':      "\u03bd\u0475",
	'W':      "\u051c",
	'w':      "\u0461\u051d",
	'X':      "\u03a7\u0425",
	'x':      "\u0445",
	'Y':      "\u03a5\u03d2\u0423\u04ae",
	'y':      "\u03b3\u0443\u04af",
	'Z':      "\u0396",
	'\u0393': "\u0413", // Greek letters that Cyrillic ones look like
	'\u03a0': "\u041f",
	'\u03a6': "\u0424",
	'\u03a8': "\u0470",
	'\u03c0': "\u043f",
	'\u03c8': "\u0471",
}

// prototypes maps each letter of lookalikes to the letter that it looks like.
var prototypes = func() map[rune]rune {
	m := map[rune]rune{}
	for to, all := range lookalikes {
		for _, r := range all {
			m[r] = to
		}
	}
	return m
}()

// Skeleton returns a name with each letter of lookalikes replaced. Two names look alike if their skeletons are the same.
func Skeleton(name string) string {
	return strings.Map(func(r rune) rune {
		if to, ok := prototypes[r]; ok {
			return to
		}
		return r
	}, name)
}

// Mixed reports whether a word of a name mixes Latin letters with others that only look Latin. Hyphens and underscores separate words.
func Mixed(name string) bool {
	for word := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == '-' || r == '_' }) {
		latin, other := false, false
		for _, r := range word {
			to, ok := prototypes[r]
			latin = latin || unicode.Is(unicode.Latin, r)
			other = other || ok && to < unicode.MaxASCII
		}
		if latin && other {
			return true
		}
	}
	return false
}

// Pretenders lists the letters of a name that are in lookalikes, each once; empty if there are none.
func Pretenders(name string) string {
	var all []string
	seen := map[rune]bool{}
	for _, r := range name {
		if to, ok := prototypes[r]; ok && !seen[r] {
			seen[r] = true
			all = append(all, fmt.Sprintf("%c (U+%04X) is not %c", r, r, to))
		}
	}
	return strings.Join(all, ", ")
}
