package text

import (
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/words"
)

// Remedy writes how a violation can be repaired, before its run, and the patch if it is short.
func (p *Page) Remedy(indent int, all []finding.Repair) {
	if len(all) == 0 {
		return
	}
	lead := "To mend it: "
	p.put(indent, green, lead, strings.TrimPrefix(words.RepairText(all, words.Terminal), lead))
	switch parts, ok := words.Hunks(all[0].Edits); {
	case !ok:
		p.Say(indent+2, words.NoPatch)
	case words.LengthOf(parts) <= words.ShortPatch:
		p.patch(indent+2, parts)
	}
}

// remedies writes, after the run, the patches that Remedy left out.
func (p *Page) remedies(indent int, all []finding.Repair) {
	for i, r := range all[:min(len(all), words.MostRepairs)] {
		parts, ok := words.Hunks(r.Edits)
		if !ok || i == 0 && words.LengthOf(parts) <= words.ShortPatch {
			continue
		}
		if i == 0 { // Remedy has said how it was checked
			p.put(indent, green, "To mend it: ", words.WithFullStop(escape.TerminalText(r.What)))
		} else {
			p.put(indent, green, "Or: ", words.WithFullStop(escape.TerminalText(r.What))+" "+words.Checked(r, 1))
		}
		p.patch(indent+2, parts)
	}
}

// patch writes hunks, once in a page: several violations often have the same repair.
func (p *Page) patch(indent int, all []words.Hunk) {
	key := strings.Join(words.Patch(all), "\n")
	if slices.Contains(p.patches, key) {
		p.Say(indent, "(shown above)")
		return
	}
	p.patches = append(p.patches, key)
	for _, h := range all {
		p.put(indent, faint, "at ", fmt.Sprintf("%s:%d", escape.TerminalText(h.File), h.Line))
		for _, l := range h.Body() {
			p.unbroken(indent, map[byte]color{'-': red, '+': green}[l[0]], l)
		}
	}
}
