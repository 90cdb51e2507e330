package text

import (
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
	lines = append(lines, "requirement "+hclText(r.Name)+" {",
		"  title = "+hclText(r.Title),
		"  ctl   = "+hclText(r.Formula))
	if len(r.Assuming) > 0 {
		lines[len(lines)-2] = "  title    = " + hclText(r.Title)
		lines[len(lines)-1] = "  ctl      = " + hclText(r.Formula)
		lines = append(lines, "  assuming = progress("+strings.Join(r.Assuming, ", ")+")")
	}
	return append(lines, "}")
}

// hclText quotes a text as an HCL string.
func hclText(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "${", "$${", "%{", "%%{").Replace(s) + `"`
}
