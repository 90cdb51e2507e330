package hclspec

import (
	"fmt"
	"path"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// place returns the file and the line where a range starts, as messages name them.
func place(r hcl.Range) string { return fmt.Sprintf("%s:%d", path.Base(r.Filename), r.Start.Line) }

// oneOf lists what is possible, as in "The blocks here are: a, b."
func oneOf(what string, names []string) string {
	if len(names) == 0 {
		return "No " + what + " stand here."
	}
	return "The " + what + " here are: " + strings.Join(names, ", ") + "."
}

// article returns a noun with its article.
func article(noun string) string {
	switch {
	case noun == "locals":
		return "the locals block"
	case strings.ContainsRune("aeiou", rune(noun[0])):
		return "an " + noun
	}
	return "a " + noun
}

// upperFirst returns a text with its first letter in upper case.
func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
