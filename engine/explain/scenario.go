package explain

import (
	"fmt"
	"strings"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/phrase"
	"github.com/redlinehq/redline/hclspec"
)

// ScenarioOf returns what a scenario claims, before it is decided; nil for any other formula. The draft is the one that makes it.
func ScenarioOf(d *compile.Draft, text *hclspec.Formula) *finding.Scenario {
	s := text.Scenario
	if s == nil {
		return nil
	}
	return &finding.Scenario{Steps: s.Listed(), Expect: s.Expect.String(), Whose: whose(d, s), Then: text.Text}
}

// whose returns the words for the party whose breach is expected, or "".
func whose(d *compile.Draft, s *hclspec.Scenario) string {
	for _, p := range d.Parties {
		if p.Name == s.Party {
			return d.Who("the ", p)
		}
	}
	return s.Party
}

// mostTold is the number of steps of a scenario that its sentence names.
const mostTold = 20

// scenarioWords renders a scenario as a sentence.
func scenarioWords(d *compile.Draft, text *hclspec.Formula) string {
	s := text.Scenario
	var steps []string
	for list := s.Listed(); len(list) > 0; {
		n := 1
		for n < len(list) && list[n] == list[0] {
			n++
		}
		if steps = append(steps, stepWords(d, list[0])); n > 1 {
			steps[len(steps)-1] += fmt.Sprintf(", %d times", n)
		}
		list = list[n:]
	}
	if more := len(steps) - mostTold; more > 0 {
		steps = append(steps[:mostTold], fmt.Sprintf("%d more steps", more))
	}
	ends := "end with " + asState(d, text)
	if text.Text == "contract.ended" {
		ends = "end the contract"
	}
	lead := map[hclspec.Expected]string{
		hclspec.ExpectPossible:   "expected to be possible",
		hclspec.ExpectImpossible: "expected to be impossible",
		hclspec.ExpectBreach:     "expected to leave " + whose(d, s) + " in breach",
		hclspec.ExpectFulfilled:  "expected to leave nothing owed and nothing breached",
		hclspec.ExpectEnds:       "expected to " + ends,
	}[s.Expect]
	return phrase.Sentence(lead + ": " + strings.Join(steps, ", then "))
}

// stepWords returns the title of the event of a listed step, or the step itself: that of one event of several, or a time.
func stepWords(d *compile.Draft, step string) string {
	if e := d.Event(step); e != nil && e.Title != "" {
		return e.Title
	}
	return step
}

// asState renders the formula of one state that a scenario ends with in words, or as written if there are none.
func asState(d *compile.Draft, text *hclspec.Formula) string {
	w := &patternRenderer{renderer: renderer{Draft: d, notation: text.Notation.String()}, text: text}
	return w.render(hclspec.Operand{To: len(text.Text)})
}
