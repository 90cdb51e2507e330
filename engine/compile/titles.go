package compile

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/redlinehq/redline/hclspec"
)

// called says what people call the parties and timers whose names are made: by the title, and the phase. Purchaser 1
// (goods) is goods.purchaser[0]. A title that two of them would share stands for neither.
func called(parties []*hclspec.Party) map[string]string {
	all, shared := map[string]string{}, map[string]int{}
	for _, p := range parties {
		shared[p.Name]++
		if title := calledBy(p); title != "" {
			all[p.Name] = title
			shared[title]++
		}
	}
	for name, title := range all {
		if shared[title] > 1 {
			delete(all, name)
		}
	}
	return all
}

// Who is what a sentence calls a party: the seller, Purchaser 1 (goods).
func (d *Draft) Who(article string, p *hclspec.Party) string {
	return cmp.Or(d.Calls[p.Name], article+p.Name)
}

// calledBy is the title of a party of which there are several, or of one that plays a role; empty for any other.
func calledBy(p *hclspec.Party) string {
	switch {
	case p.Title == "" || p.Made != "" && p.Made != "clock":
		return ""
	case p.Made == "clock":
		return p.Title
	case p.Plays != "":
		phase, _, _ := strings.Cut(p.Name, ".")
		return fmt.Sprintf("%s (%s)", p.Title, phase)
	case p.Index != "":
		return p.Title
	}
	return ""
}
