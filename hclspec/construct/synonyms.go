package construct

import "slices"

// synonyms maps words that drafters write, and that reports use, to the blocks and attributes that they stand for, the likeliest first.
var synonyms = map[string][]string{
	"promise": {"requirement"}, "rule": {"requirement"}, "property": {"requirement"}, "guarantee": {"requirement"}, "warranty": {"requirement"},
	"duty": {"obligation"}, "must": {"obligation"}, "ban": {"prohibition"}, "forbidden": {"prohibition"}, "right": {"power", "permission"}, "option": {"power"},
	"role": {"party"}, "actor": {"party"}, "signatory": {"party"}, "action": {"event"}, "act": {"event"}, "step": {"transition"}, "test": {"scenario"}, "example": {"scenario"},
	"stage": {"phase"}, "status": {"state"},

	"name": {"title"}, "label": {"title"}, "text": {"title", "description"}, "article": {"clause"}, "section": {"clause"},
	"debtor": {"bearer"}, "obligor": {"bearer"}, "holder": {"bearer"}, "who": {"bearer", "by"}, "creditor": {"counterparty"}, "obligee": {"counterparty"}, "beneficiary": {"counterparty"},
	"fulfill": {"fulfil"}, "fulfilled": {"fulfil"}, "fulfilled_by": {"fulfil"}, "fulfilment": {"fulfil"}, "exercised_by": {"exercise"}, "forbids": {"of"}, "permits": {"of"}, "event": {"of", "fulfil", "exercise"},
	"deadline": {"within", "by", "lasts"}, "due": {"within", "by"}, "due_in": {"within"}, "due_by": {"by"}, "by_when": {"by", "within"}, "duration": {"lasts", "within"}, "for": {"lasts", "within"},
	"trigger": {"when", "from"}, "triggered_by": {"when", "from"}, "after": {"when", "from"}, "on": {"when", "from"}, "since": {"from", "when"},
	"withheld_by": {"suspended_by"}, "withhold": {"suspended_by", "suspends"}, "paused_by": {"suspended_by"}, "resumed_by": {"resumes"},
	"only_while": {"require"}, "if": {"require", "only_while"}, "condition": {"require", "only_while"}, "cure": {"reparation"}, "releases": {"lifts"},
	"remedy": {"reparation"}, "penalty": {"reparation"}, "consequence": {"reparation"}, "terminates": {"ends_contract"}, "again": {"repeats"}, "reusable": {"repeats"}, "ends": {"ends_contract"},
	"formula": {"ctl"}, "then": {"follows"}, "unless": {"without"}, "always_after": {"follows"}, "participants": {"sync"}, "parties": {"sync"},
}

// Synonyms returns those of some known words that another word stands for.
func Synonyms(word string, known []string) (all []string) {
	for _, meant := range synonyms[word] {
		if slices.Contains(known, meant) {
			all = append(all, meant)
		}
	}
	return all
}
