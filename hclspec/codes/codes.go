// Package codes is the register of everything redline can say about a contract. One slug, five
// places: the code of a diagnostic, its SARIF rule, its JSON, the accept block that silences it,
// and the page in this folder that explains it are the same word.
package codes

import (
	"embed"
	"fmt"
	"slices"
	"strings"
)

// A Code is a stable kebab-case slug. It is also the value of hcl.Diagnostic.Extra.
type Code string

// Class says what a finding does to the exit status.
type Class string

const (
	Error     Class = "error"     // the text is ill-formed: no verdict, exit status 2
	Violation Class = "violation" // a built-in requirement fails: exit status 1
	Warning   Class = "warning"   // a remark: the exit status stays
)

//go:embed *.md
var pages embed.FS

// A Page explains one code. Its file is CODE.md: a heading with the title, a line "class: CLASS",
// then the explanation in Markdown.
type Page struct {
	Code  Code
	Title string
	Class Class
	Text  string
}

// Lookup returns the page of a code.
func Lookup(c Code) (Page, bool) {
	raw, err := pages.ReadFile(string(c) + ".md")
	if err != nil {
		return Page{}, false
	}
	page, err := parse(c, string(raw))
	if err != nil {
		panic(err) // our own file
	}
	return page, true
}

// All returns every code, sorted.
func All() []Code {
	entries, err := pages.ReadDir(".")
	if err != nil {
		panic(err) // our own folder
	}
	var all []Code
	for _, e := range entries {
		all = append(all, Code(strings.TrimSuffix(e.Name(), ".md")))
	}
	slices.Sort(all)
	return all
}

func parse(c Code, raw string) (Page, error) {
	title, rest, _ := strings.Cut(raw, "\n\n")
	class, text, _ := strings.Cut(rest, "\n\n")
	class, ok := strings.CutPrefix(class, "class: ")
	if !ok || !slices.Contains([]Class{Error, Violation, Warning}, Class(class)) {
		return Page{}, fmt.Errorf("codes: %s.md: second paragraph must be 'class: error|violation|warning'", c)
	}
	return Page{Code: c, Title: strings.TrimPrefix(title, "# "), Class: Class(class), Text: text}, nil
}
