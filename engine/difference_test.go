package engine_test

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/petri"
)

// differs compares two versions of a contract.
func differs(t *testing.T, base, head fs.FS, b engine.Budget) engine.ContractReview {
	t.Helper()
	b.Jobs = 2
	r := engine.Compare(context.Background(), draft(t, base, petri.One), draft(t, head, petri.One), b)
	if r.Difference == nil {
		t.Fatal(r.Status)
	}
	return r
}

// saying tells an observer's difference: relation, then the sequences with what is refused at their end.
func saying(b engine.Behaviour) string {
	var words []string
	for _, s := range b.Possible {
		words = append(words, "+"+sequence(s.Run))
	}
	for _, s := range b.Impossible {
		words = append(words, "-"+sequence(s.Run))
	}
	if b.Reason != "" {
		words = append(words, b.Reason)
	}
	return strings.Join(append([]string{b.Relation.String()}, words...), "\n")
}

func sequence(run []engine.Firing) string {
	var names []string
	for _, f := range run {
		name := f.Event
		if name == "" {
			name = f.Transitions[0]
		}
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

// exposures tells who is exposed in how many states, from what to what.
func exposures(d *engine.Difference) string {
	var lines []string
	side := func(e *engine.Exposed) string {
		if e == nil {
			return "-"
		}
		return fmt.Sprintf("%d of %d %q to %q %t", e.States, e.Of, e.From, e.To, e.Ends)
	}
	for _, e := range d.Exposure {
		lines = append(lines, e.Party+": "+side(e.Base)+"; "+side(e.Head))
	}
	return strings.Join(lines, "\n")
}

// paysFirst lets the bank pay before it has the documents, as in the case made from the paper.
var paysFirst = []edit{
	{"seller.contract.hcl", "consume = [awaiting_pay]\n    produce = [paid]", "consume = [dispatch_cert]\n    produce = [paid0]"},
	{"seller.contract.hcl", "consume = [dispatch_cert, title]\n    produce = [awaiting_pay]", "consume = [paid0, title]\n    produce = [paid]"},
	{"seller.contract.hcl", "  place \"paid\" {", "  place \"paid0\" {}\n  place \"paid\" {"},
	{"bank.contract.hcl", "consume = [docs]\n    produce = [out_of_pocket]", "consume = [open]\n    produce = [out_of_pocket, open2]"},
	{"bank.contract.hcl", "consume = [open]\n    produce = [docs, title]", "consume = [open2]\n    produce = [docs, title]"},
	{"bank.contract.hcl", "  place \"done\" {", "  place \"open2\" {}\n  place \"done\" {"},
}

// TestExposureInTheLetterOfCredit: the bank is out of pocket in exactly 2 of 12 states, from its payment to
// the buyer's; and in 4 of 13, if it pays before it has the documents.
func TestExposureInTheLetterOfCredit(t *testing.T) {
	r := differs(t, example(t, "letter-of-credit"), example(t, "letter-of-credit", paysFirst...), engine.Budget{})
	const want = `bank: 2 of 12 ["the bank pays the seller"] to ["the buyer has the bank paid, with interest"] true; ` +
		`4 of 13 ["the bank pays the seller"] to ["the buyer has the bank paid, with interest"] true
buyer: 2 of 12 ["the buyer has the bank paid, with interest"] to ["the buyer gets the goods for title and receipt"] true; ` +
		`3 of 13 ["the buyer has the bank paid, with interest"] to ["the buyer gets the goods for title and receipt"] true
carrier: 2 of 12 ["the buyer gets the goods for title and receipt"] to ["the seller pays the carrier"] true; ` +
		`2 of 13 ["the buyer gets the goods for title and receipt"] to ["the seller pays the carrier"] true
seller: 4 of 12 ["the goods go to the carrier, against a certificate of dispatch"] to ["the bank pays the seller"] true; ` +
		`2 of 13 ["the goods go to the carrier, against a certificate of dispatch"] to ["the bank pays the seller"] true`
	if got := exposures(r.Difference); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
