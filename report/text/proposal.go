package text

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
)

// proposals writes suggested requirements for a contract that has none, as commented HCL that can be pasted.
func (p *Page) proposals(all []finding.Proposal) {
	if len(all) == 0 {
		return
	}
	p.blank()
	p.Say(2, "This contract requires nothing yet. Its structure suggests what follows; each was checked. Paste what is meant, without the #:")
	for i := range all {
		p.blank()
		for _, line := range proposal(&all[i]) {
			p.unbroken(2, faint, strings.TrimRight("# "+line, " "))
		}
	}
	p.blank()
}

// proposal returns the lines of one suggested requirement.
func proposal(r *finding.Proposal) []string {
	var lines []string
	if r.Verdict != finding.Holds {
		lines = append(lines, "As the contract stands this does not hold:")
	}
	attributes := append([][2]string{{"title", hclText(r.Title)}}, wording(r.Formula)...)
	if len(r.Assuming) > 0 {
		attributes = append(attributes, [2]string{"assuming", "progress(" + strings.Join(r.Assuming, ", ") + ")"})
	}
	width := 0
	for _, a := range attributes {
		width = max(width, len(a[0]))
	}
	lines = append(lines, "requirement "+hclText(r.Name)+" {")
	for _, a := range attributes {
		lines = append(lines, fmt.Sprintf("  %-*s = %s", width, a[0], a[1]))
	}
	return append(lines, "}")
}

// The forms of suggested formulas that have a pattern (hclspec/README.md, patterns). What is in the brackets has no temporal operator.
var (
	response  = regexp.MustCompile(`^AG \((.+) -> AF (.+)\)$`)
	globally  = regexp.MustCompile(`^AG \((.+)\)$`)
	existence = regexp.MustCompile(`^AF \((.+)\)$`)
	temporal  = regexp.MustCompile(`\b[AE]([GFX]\b|\[)|^all `)
)

// wording returns the attributes that say a formula: a pattern if there is one, since it reads more easily.
func wording(formula string) [][2]string {
	plain := func(parts []string) bool { return parts != nil && !temporal.MatchString(strings.Join(parts[1:], " ")) }
	if m := response.FindStringSubmatch(formula); plain(m) {
		return [][2]string{{"whenever", hclText(m[1])}, {"follows", hclText(m[2])}}
	}
	if m := globally.FindStringSubmatch(formula); plain(m) {
		return [][2]string{{"always", hclText(m[1])}}
	}
	if m := existence.FindStringSubmatch(formula); plain(m) {
		return [][2]string{{"sometime", hclText(m[1])}}
	}
	return [][2]string{{"ctl", hclText(formula)}}
}

// hclText quotes a text as an HCL string.
func hclText(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "${", "$${", "%{", "%%{").Replace(s) + `"`
}
