package diff

import (
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/phrase"
	"github.com/redlinehq/redline/hclspec"
)

// HeadText returns a formula of base in head's names, with its place on base. It returns f itself if no name differs or if f does not
// parse. Otherwise a pattern becomes the formula that it means. Quantifiers are written out where head's reading of them may say less.
func (n *Names) HeadText(f *hclspec.Formula) *hclspec.Formula {
	f = n.writtenOut(f)
	said, diag := phrase.ParseAsWritten(f)
	if diag != nil {
		return f
	}
	renamed := n.HeadFormula(said)
	if f.Scenario != nil {
		if renamed.CTL() == said.CTL() {
			return f
		}
		return phrase.Written(renamed, f)
	}
	print := (*ctl.Formula).CTL
	if f.Notation == hclspec.Table1 {
		print = (*ctl.Formula).Table1
	}
	text := print(renamed)
	if text == print(said) {
		return f
	}
	return &hclspec.Formula{Text: text, Notation: f.Notation, Range: f.Range, Ideal: f.Ideal}
}

// HeadRequirement returns a requirement of base in head's names. Its own name stays.
func (n *Names) HeadRequirement(r *hclspec.Requirement) *hclspec.Requirement {
	renamed := *r
	renamed.Formula = n.HeadText(r.Formula)
	renamed.Assuming = n.headActors(r.Assuming)
	if r.RestsOn != nil {
		renamed.RestsOn = &hclspec.Resting{On: n.headActors(r.RestsOn.On), Range: r.RestsOn.Range}
	}
	return &renamed
}

func (n *Names) headActors(list []*hclspec.Progress) []*hclspec.Progress {
	w := n.forth()
	renamed := slices.Clone(list)
	for i, p := range list {
		actor := *p
		actor.Name = w.or(w.from.partyNamed(p.Name), p.Name)
		renamed[i] = &actor
	}
	return renamed
}
