package diag

import (
	"fmt"
	"path"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// At returns the file and the line of the start of a range, as messages name them.
func At(r hcl.Range) string { return fmt.Sprintf("%s:%d", path.Base(r.Filename), r.Start.Line) }

// OneOf lists the possible names, as in "The blocks here are: a, b."
func OneOf(what string, names []string) string {
	if len(names) == 0 {
		return "No " + what + " stand here."
	}
	return "The " + what + " here are: " + strings.Join(names, ", ") + "."
}

// Article returns a noun with its article.
func Article(noun string) string {
	switch {
	case noun == "locals":
		return "the locals block"
	case strings.ContainsRune("aeiou", rune(noun[0])):
		return "an " + noun
	}
	return "a " + noun
}

// Capital returns a text with its first letter, an ASCII letter, in upper case.
func Capital(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
