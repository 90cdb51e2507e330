package text

import (
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/words"
)

// waiver writes the block that accepts a violation, and where it goes. After the first on a page it writes only what differs.
func (p *Page) waiver(indent int, f *finding.Finding) {
	offer := words.ToAccept(f, "", words.Terminal)
	switch {
	case len(offer.Block) <= 1:
	case slices.Contains(p.waived, offer.Where): // a requirement of a template, in another phase
		p.unbroken(indent, faint, "To accept it, too: add this to the run of that waiver, after a space: "+strings.TrimPrefix(attributes(offer.Block, "run"), "run = "))
		return
	case len(p.waived) > 0:
		p.waived = append(p.waived, offer.Where)
		p.unbroken(indent, faint, "To accept it: a waiver as above, with "+attributes(offer.Block, "run"))
		return
	default:
		p.waived = append(p.waived, offer.Where)
	}
	p.offer(indent, offer)
}

// accept writes the block that accepts a failed check, and where it goes. After the first on a page it writes only what differs.
func (p *Page) accept(indent int, f *finding.Finding) {
	if words.Retirable(*f) { // see Retire
		return
	}
	offer := words.ToAccept(f, "", words.Terminal)
	if p.accepts && offer.Block != nil {
		p.unbroken(indent, faint, "To accept it: "+strings.TrimSuffix(offer.Block[0], " {")+" as above, with "+attributes(offer.Block, "on", "run"))
		return
	}
	p.accepts = p.accepts || offer.Block != nil
	p.offer(indent, offer)
}

// Retire writes the block that gives a promise up. Contract is the contract's path if head no longer has it.
func (p *Page) Retire(indent int, f finding.Finding, contract string) {
	if words.Retirable(f) {
		p.offer(indent, words.ToAccept(&f, contract, words.Terminal))
	}
}

// offer writes a block that accepts something, and where it goes, if there is one.
func (p *Page) offer(indent int, offer words.Offer) {
	if offer.Block != nil {
		p.Say(indent, offer.Lead())
		p.block(indent+2, offer.Block)
	}
}

// attributes returns the lines of a block that set one of some attributes, on one line.
func attributes(lines []string, names ...string) string {
	var some []string
	for _, line := range lines {
		for _, name := range names {
			if word, value, is := strings.Cut(strings.TrimLeft(line, " "), " = "); is && strings.TrimRight(word, " ") == name {
				some = append(some, name+" = "+value)
			}
		}
	}
	return strings.Join(some, ", ")
}

// block writes the lines of a block, to be copied: none is broken.
func (p *Page) block(indent int, lines []string) {
	for _, line := range lines {
		bare := strings.TrimLeft(line, " ")
		p.unbroken(indent+len(line)-len(bare), faint, bare)
	}
}
