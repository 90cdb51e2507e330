package lsp

import (
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/hclspec/construct"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/text"
)

// hover describes the element named at the cursor, and the results of checking it.
func (c *cursor) hover() (any, error) {
	r, err := c.around(c.name, c.at)
	if err != nil {
		return nil, err
	}
	meant, at := r.meant(c.name, c.at)
	var paragraphs []string
	for _, e := range meant {
		paragraphs = append(paragraphs, describe(e))
		paragraphs = append(paragraphs, findings(e, c.result.Load())...)
	}
	if len(paragraphs) == 0 {
		return nil, nil
	}
	return hover{markupContent{"markdown", strings.Join(paragraphs, "\n\n")}, c.doc.text.spanOf(at)}, nil
}

// describe renders what the text says of an element.
func describe(e *hclspec.Element) string {
	lines := []string{"**" + e.Kind + "** " + escape.MarkdownCode(qualified(e))}
	if e.Title != "" {
		lines[0] += " — " + markdown(e.Title)
	}
	if e.Kind == "accept" {
		page, _ := codes.Lookup(codes.Code(e.Name))
		lines = append(lines, markdown(page.Title))
	}
	lines = append(lines, markdown(e.Description), clause(e.Clause))
	return strings.Join(slices.DeleteFunc(lines, func(s string) bool { return s == "" }), "\n\n")
}

// clause refers to a clause of the contract's paper: by number, or in the drafter's words.
func clause(s string) string {
	if s != "" && '0' <= s[0] && s[0] <= '9' {
		return "Clause " + markdown(s)
	}
	return markdown(s)
}

// qualified returns an element's name, prefixed by the element around it.
func qualified(e *hclspec.Element) string {
	if e.Within == nil {
		return e.Name
	}
	return qualified(e.Within) + "." + e.Name
}

// findings returns what checking reports about an element.
func findings(e *hclspec.Element, result *finding.Result) []string {
	if result == nil && (unobjected[e.Kind] != "" || e.Kind == "requirement" || e.Kind == "scenario") {
		return []string{"Not checked yet."}
	}
	if result == nil {
		return nil
	}
	var all []string
	for i := range result.Requirements {
		if r := &result.Requirements[i]; r.Source == e.At {
			all = append(all, verdict(r))
		}
	}
	for _, d := range result.Diagnostics {
		if d.Source == e.At {
			all = append(all, markdown(d.Message))
		}
	}
	if good := good(e.Kind); good != "" && len(all) == 0 && result.Model.Incomplete == "" && result.Model.States != nil {
		all = append(all, good)
	}
	return all
}

// good returns what the absence of findings means for a kind of element, if the state model is complete.
func good(kind string) string {
	switch {
	case !construct.IsNorm(kind):
		return unobjected[kind]
	case construct.NormOf(kind).Burdens:
		return "Can arise."
	}
	return "Can be used."
}

// unobjected has what the absence of findings means, for kinds other than norms.
var unobjected = map[string]string{
	"state": "Can be reached.", "place": "Can be marked.", "flag": "Can be true and can be false.",
	"transition": "Can happen.", "event": "Can happen.",
}

// verdict renders the result of a requirement. The trace keeps its layout, so that it can be copied.
func verdict(r *finding.Requirement) string {
	said := "**" + markdown(text.Verdict(r)) + "**"
	if r.Formula != "" {
		said = escape.MarkdownCode(r.Formula) + "\n\n" + said
	}
	if why := text.Why(r); why != "" {
		said += "\n\n" + escape.Fenced(why)
	}
	return said
}
