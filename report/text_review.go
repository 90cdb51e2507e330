package report

import (
	"cmp"
	"io"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/hclspec/codes"
)

// TextReview tells a person at a terminal what an amendment does to each contract: what it breaks
// first, with runs, then the rest. The last lines sum up. An error is w's.
func TextReview(w io.Writer, r *engine.Review, style Style) error {
	p := &page{style: style}
	p.put(0, bold, "Amendment: ", "from "+TerminalText(r.Base)+" to "+TerminalText(r.Head))
	for i := range r.Contracts {
		if worthTelling(&r.Contracts[i]) {
			p.blank()
			p.contract(&r.Contracts[i])
		}
	}
	for _, a := range r.Unplaced {
		p.blank()
		p.acceptance(a)
	}
	p.blank()
	if same := unchanged(r); len(same) > 0 {
		p.put(0, noColor, "No change of meaning: ", listed(same, terminal))
		p.blank()
	}
	b := balanced(r)
	if b.pending > 0 {
		p.say(0, lead(b))
	}
	p.put(0, verdictColor(b.verdict()), sign(b.verdict())+" ", capital(b.String()))
	p.say(2, b.rest())
	_, err := io.WriteString(w, p.String())
	return err
}

func (p *page) contract(c *engine.ContractReview) {
	p.heading(c.Path, c.Name, c.Title)
	p.say(2, happened(c))
	p.say(2, cachedNote(c.Cached))
	for _, d := range headErrors(c) {
		p.blank()
		p.diagnostic(&d)
	}
	p.blank()
	p.findings(c)
	for _, a := range c.Unlinked() {
		p.acceptance(a)
	}
	p.difference(c.Difference)
	for _, d := range NewRemarks(c) {
		p.blank()
		p.diagnostic(&d)
	}
	if c.Head != nil {
		p.accepted(Listed(c.Head), cmp.Or(c.Base, &engine.Result{}))
	}
}

// worthTelling reports whether there is more to say of a contract than that it means what it meant.
func worthTelling(c *engine.ContractReview) bool {
	return c.Status != engine.Same || len(c.Findings) > 0 || len(c.Unlinked()) > 0
}

// unchanged names the contracts that mean what they meant.
func unchanged(r *engine.Review) []string {
	var names []string
	for _, c := range r.Contracts {
		if !worthTelling(&c) {
			names = append(names, cmp.Or(c.Name, c.Path))
		}
	}
	return names
}

// headErrors lists all errors of head, new or not: with one there is no verdict on anything.
func headErrors(c *engine.ContractReview) []engine.Diagnostic {
	if c.Head == nil {
		return nil
	}
	var all []engine.Diagnostic
	for _, d := range c.Head.Diagnostics {
		if d.Class == codes.Error && d.Accepted == "" {
			all = append(all, d)
		}
	}
	return shortened(all)
}

func (p *page) findings(c *engine.ContractReview) {
	worth, kept := ranked(c.Findings)
	width := 0
	for _, f := range worth {
		width = max(width, uniseg.StringWidth(nameText(f.Name)))
	}
	for _, f := range worth {
		p.finding(f, width, contractGone(c))
	}
	if kept > 0 {
		p.put(2, green, "✓ ", several(kept, "promise")+" kept")
	}
}

// acceptance tells of one that is of no finding.
func (p *page) acceptance(a engine.Acceptance) {
	c, sign := yellow, waivedSign
	if a.Open() {
		c, sign = red, "✗"
	}
	p.put(2, c, sign+" ", unlinkedText(a, terminal))
}

// retire shows what to commit to have a promise given up; contract is where it lay, if it is gone.
func (p *page) retire(indent int, f engine.Finding, contract string) {
	if !retirable(f) {
		return
	}
	p.say(indent, whereRetired(contract))
	for _, line := range retireBlock(f, contract) {
		bare := strings.TrimLeft(line, " ")
		p.unbroken(indent+2+len(line)-len(bare), faint, bare)
	}
}

func (p *page) finding(f engine.Finding, width int, contract string) {
	v := kindVerdict(f)
	shown := f.Kind == engine.New || f.Kind == engine.Weakened || f.Kind == engine.WaiverExpired
	if shown {
		p.blank()
	}
	p.entry(verdictColor(v), kindSign(f)+" "+pad(kindWord(f), 14), nameText(f.Name), width, subject(f, terminal))
	p.say(entryIndent+2, meaning(f, terminal))
	if f.Kind == engine.Dropped {
		p.retire(entryIndent+2, f, contract)
	}
	if shown {
		p.say(entryIndent+2, broughtAbout(&f, terminal))
		p.remedy(entryIndent+2, f.Repairs)
		p.refusal = f.Refusal
		p.proof(f)
		p.refusal = nil
		p.remedies(entryIndent+2, f.Repairs)
		p.retire(entryIndent+2, f, contract)
		p.blank()
	}
}

// subject is what a finding is about: the promise, or the check's message.
func subject(f engine.Finding, in medium) string {
	switch {
	case f.Check != nil:
		return in.prose(f.Check.Message)
	case f.Head != nil:
		return promise(f.Head, in)
	case f.Base != nil:
		return promise(f.Base, in)
	}
	return ""
}

// proof shows why a finding is so.
func (p *page) proof(f engine.Finding) {
	switch {
	case f.Check != nil:
		p.explained(entryIndent+2, f.Check)
	case f.Head != nil:
		p.details(f.Head)
	}
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
