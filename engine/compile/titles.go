package compile

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/construct"
)

// called returns words for parties with titles of their own, and for the parties and timers whose names are generated: the title, and the phase. Purchaser 1
// (goods) is goods.purchaser[0]. It omits titles that are not unique.
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

// Who returns the words for a party in a sentence: the seller, or Purchaser 1 (goods). The article precedes names only, without an index.
func (d *Draft) Who(article string, p *hclspec.Party) string {
	return cmp.Or(d.Calls[p.Name], hclspec.WithArticle(article, p.Name))
}

// calledBy returns the title of a party, and the phase of one that plays a role; the title of a timer, event expiry for the net that says whether expiry is
// due or has happened, and the 3rd rent for an occurrence. It returns "" for any other.
func calledBy(p *hclspec.Party) string {
	switch {
	case p.Index != "" && construct.IsNorm(p.Made):
		n, _ := strconv.Atoi(p.Index)
		return "the " + hclspec.Ordinal(n) + " " + p.Of
	case p.Made == "event" && p.Title == "": // it says whether an event has happened
		event, _, _ := strings.Cut(p.Name, "!")
		return "event " + event
	case p.Title == "" || p.Made != "" && !p.Bookkeeping():
		return ""
	case p.Bookkeeping():
		return p.Title
	case p.Plays != "":
		phase, _, _ := strings.Cut(p.Name, ".")
		return fmt.Sprintf("%s (%s)", p.Title, phase)
	case p.Index != "" || !strings.EqualFold(strings.TrimPrefix(p.Title, "the "), p.Name): // "the seller" reads better than "Seller"
		return p.Title
	}
	return ""
}
