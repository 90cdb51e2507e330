package lsp

import (
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/hclspec"
)

// maxLocations limits the locations in one answer.
const maxLocations = 1_000

// definition returns where the element named at the cursor is declared.
func (c *cursor) definition() (any, error) {
	r, err := c.around(c.name, c.at)
	if err != nil {
		return nil, err
	}
	meant, _ := r.meant(c.name, c.at)
	found := []location{}
	for _, e := range meant {
		found = c.locate(found, r, e.At)
	}
	return found, nil
}

// references returns where the element named at the cursor is mentioned.
func (c *cursor) references() (any, error) {
	r, err := c.around(c.name, c.at)
	if err != nil {
		return nil, err
	}
	meant, _ := r.meant(c.name, c.at)
	found := []location{}
	for _, e := range meant {
		if c.declared {
			found = c.locate(found, r, e.Named)
		}
	}
	for _, m := range r.mentions() {
		if slices.ContainsFunc(meant, func(e *hclspec.Element) bool { return e == m.to }) {
			found = c.locate(found, r, m.at)
		}
	}
	return found, nil
}

func (c *cursor) locate(found []location, r *reading, at hcl.Range) []location {
	t := r.texts[at.Filename]
	if t == nil || len(found) >= maxLocations {
		return found
	}
	l := location{c.uri(at.Filename), t.spanOf(at)}
	if slices.Contains(found, l) { // one text, several instances
		return found
	}
	return append(found, l)
}
