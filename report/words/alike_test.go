package words_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/report/words"
)

// TestAlikeNamesWhatFollows: what never comes for want of something else is named with that, each thing once, also where the other is joined with one of another
// phase. Where the other is not listed, as in a review that it is not new to, it stays a message of its own.
func TestAlikeNamesWhatFollows(t *testing.T) {
	never := func(code codes.Code, line int, subject, follows string) finding.Diagnostic {
		return finding.Diagnostic{Code: code, Class: codes.Warning, Message: subject, Subject: subject, Follows: follows,
			Source: hcl.Range{Filename: "c.contract.hcl", Start: hcl.Pos{Line: line, Column: 1}}}
	}
	all := []finding.Diagnostic{
		never("state-never-reached", 1, "a.done", "a.go"), never("transition-never-fires", 2, "a.go", ""),
		never("event-never-happens", 3, "event.one.sale", ""), never("event-never-happens", 3, "event.two.sale", ""),
		never("norm-never-arises", 4, "obligation.two.pay", "event.two.sale"), never("obligation-cannot-fulfil", 5, "obligation.two.sell", "event.two.sale"),
		never("power-never-usable", 6, "power.leave", "a.go"),
	}
	out := words.Alike(all)
	var said []string
	for _, d := range out {
		said = append(said, d.Message+": "+d.Detail)
	}
	const want = "a.go: For want of it these never come either: the use of power leave, a.done.\n" +
		"event.one.sale: For want of it these never come either: the fulfilment of obligation two.sell, obligation two.pay. So it is with two.sale, too."
	if got := strings.Join(said, "\n"); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if out := words.Alike(all[:1]); len(out) != 1 || out[0].Detail != "" {
		t.Errorf("without the other: %+v", out)
	}
}

// TestAlikeBreaches: that nothing follows a breach is told once, with its run, and the others by name and place; what is accepted is told by itself.
func TestAlikeBreaches(t *testing.T) {
	breach := func(line int, subject, accepted string) finding.Diagnostic {
		return finding.Diagnostic{Code: "breach-without-consequence", Class: codes.Warning, Subject: subject, Message: subject, Detail: "Name one.", Accepted: accepted,
			Trace: &finding.Trace{}, Source: hcl.Range{Filename: "c.contract.hcl", Start: hcl.Pos{Line: line, Column: 1}}}
	}
	out := words.Alike([]finding.Diagnostic{breach(3, "obligation.pay", ""), breach(4, "obligation.keep", "known"), breach(7, "prohibition.tell", ""), breach(9, "obligation.return", "")})
	var said []string
	for _, d := range out {
		said = append(said, d.Message+": "+d.Detail)
	}
	const want = "obligation.pay: Name one. So it is with prohibition tell (c.contract.hcl:7), obligation return (c.contract.hcl:9), too.\nobligation.keep: Name one."
	if got := strings.Join(said, "\n"); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}
