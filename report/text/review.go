package text

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/words"
)

// Review writes what an amendment does to each contract, for a terminal: first what it breaks, with runs, then the rest. The last lines sum
// up. An error comes from w.
func Review(w io.Writer, r *finding.Review, style Style) error {
	p := &Page{Style: style}
	p.put(0, bold, "Amendment: ", "from "+escape.TerminalText(r.Base)+" to "+escape.TerminalText(r.Head))
	for _, a := range r.Unplaced {
		p.blank()
		p.acceptance(a)
	}
	all := slices.DeleteFunc(slices.Clone(r.Contracts), func(c finding.ContractReview) bool { return !Noteworthy(&c) })
	for _, g := range words.Groups(all, said) {
		p.blank()
		p.heading(g.Path, g.Name, g.Title)
		p.Say(2, g.Also(words.Terminal))
		p.contract(g.ContractReview)
	}
	p.blank()
	if same := Unchanged(r); len(same) > 0 {
		p.put(0, noColor, "No change of meaning: ", words.Enumerated(same, words.Terminal))
		p.blank()
	}
	b := words.Balanced(r)
	line := words.VerdictLine(b)
	if b.Pending > 0 { // with who can approve
		line = words.Lead(b)
	}
	p.put(0, verdictColor(b.Verdict()), words.Sign(b.Verdict())+" ", diag.Capital(strings.TrimSuffix(line, ".")))
	p.Say(2, words.Counts(b))
	_, err := io.WriteString(w, p.String())
	return err
}

// said returns what a review says of a contract below its heading, in long lines.
func said(c *finding.ContractReview) string {
	p := &Page{errors: map[string]string{}}
	p.contract(c)
	return p.String()
}

// contract writes the review of one contract, below its heading.
func (p *Page) contract(c *finding.ContractReview) {
	p.Say(2, words.Happened(c, words.Terminal))
	p.Say(2, words.CachedNote(c.Cached))
	for _, d := range words.Alike(words.HeadErrors(c)) {
		p.blank()
		p.diagnostic(&d)
	}
	p.blank()
	p.findings(c)
	for _, a := range c.Unlinked() {
		p.acceptance(a)
	}
	p.difference(c.Difference, c.Findings)
	for _, d := range words.Alike(words.OtherRemarks(c)) {
		p.blank()
		p.diagnostic(&d)
	}
	if c.Head != nil {
		p.accepted(words.ListedNow(c), words.Before(c))
	}
}

// Noteworthy reports whether a review has more to say of a contract than that its meaning is the same.
func Noteworthy(c *finding.ContractReview) bool {
	return c.Status != finding.Same || len(c.Findings) > 0 || len(c.Unlinked()) > 0 || len(c.Reworded)+len(c.Defaults) > 0
}

// Unchanged names the contracts whose meaning is the same.
func Unchanged(r *finding.Review) []string {
	var names []string
	for _, c := range r.Contracts {
		if !Noteworthy(&c) {
			names = append(names, cmp.Or(c.Name, c.Path))
		}
	}
	return names
}

// findings writes the findings on one contract.
func (p *Page) findings(c *finding.ContractReview) {
	worth, kept := words.Ranked(c.Findings)
	width := 0
	for _, f := range worth {
		width = max(width, uniseg.StringWidth(NameText(f.Name)))
	}
	for _, f := range worth {
		p.finding(f, width, words.ContractGone(c))
	}
	if kept > 0 {
		p.put(2, green, "✓ ", words.Several(kept, "promise")+" kept")
	}
}

// acceptance writes an acceptance that no finding depends on.
func (p *Page) acceptance(a finding.Acceptance) {
	c, sign := yellow, words.WaivedSign
	if a.Blocking() {
		c, sign = red, "✗"
	}
	p.put(2, c, sign+" ", words.UnlinkedText(a, words.Terminal))
}

// finding writes one finding, with its proof and repairs if it is new or weakened.
func (p *Page) finding(f finding.Finding, width int, contract string) {
	v := words.KindVerdict(f)
	shown := words.Explained(f)
	if shown {
		p.blank()
	}
	p.entry(verdictColor(v), words.KindSign(f)+" "+pad(words.KindWord(f), 14), NameText(f.Name), width, Subject(f, words.Terminal))
	p.Say(entryIndent+2, words.Meaning(f, words.Terminal))
	if f.Kind == finding.Dropped {
		p.Retire(entryIndent+2, f, contract)
	}
	if shown {
		p.Say(entryIndent+2, words.BroughtAbout(&f, words.Terminal))
		p.Remedy(entryIndent+2, f.Repairs)
		p.Refusal = f.Refusal
		p.Evidence(f)
		p.Refusal = nil
		p.Retire(entryIndent+2, f, contract)
		p.blank()
	}
}

// Subject returns the text of the promise, or the message of the check, that a finding is about.
func Subject(f finding.Finding, in words.Medium) string {
	switch {
	case f.Check != nil:
		return in.Prose(words.CheckMessage(&f))
	case f.Head != nil:
		return words.Promise(f.Head, in)
	case f.Base != nil:
		return words.Promise(f.Base, in)
	}
	return ""
}

// Evidence writes the evidence for a finding, the patches that Remedy left out, and how to accept it.
func (p *Page) Evidence(f finding.Finding) {
	switch {
	case f.Check != nil:
		p.Explained(entryIndent+2, &f)
	case f.Head != nil:
		p.details(f.Of(words.Evident(&f))) // how to give it up is said after that
	}
}
