package lsp

import (
	"slices"

	"github.com/redlinehq/redline/hclspec"
)

// symbols returns the declarations of a document, nested as its blocks are.
func (c *cursor) symbols() (any, error) {
	r, err := c.around(c.name, c.at)
	if err != nil {
		return nil, err
	}
	inside := map[*hclspec.Element][]*hclspec.Element{}
	for _, e := range r.src.Index.Elements {
		if e.At.Filename == c.name {
			inside[e.Within] = append(inside[e.Within], e)
		}
	}
	return r.texts[c.name].symbols(inside, nil), nil
}

func (t *buffer) symbols(inside map[*hclspec.Element][]*hclspec.Element, within *hclspec.Element) []documentSymbol {
	list := []documentSymbol{}
	for _, e := range inside[within] {
		list = append(list, documentSymbol{
			Name: e.Name, Detail: detail(e), Kind: symbolOf(e.Kind),
			Range: t.spanOf(e.Whole), SelectionRange: t.spanOf(e.At), Children: t.symbols(inside, e),
		})
	}
	return list
}

// symbolKinds has the protocol's kind for each kind of element. The default is object.
var symbolKinds = map[int][]string{
	3:  {"contract"},                // namespace
	5:  {"party"},                   // class
	11: {"net"},                     // interface
	22: {"state"},                   // enum member
	17: {"flag"},                    // boolean
	8:  {"place"},                   // field
	6:  {"transition"},              // method
	24: {"event"},                   // event
	7:  {"requirement", "scenario"}, // property
	13: {"local", "parameter"},      // variable
}

func symbolOf(kind string) int {
	for symbol, kinds := range symbolKinds {
		if slices.Contains(kinds, kind) {
			return symbol
		}
	}
	return 19 // object
}
