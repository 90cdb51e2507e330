package reduce

import "fmt"

// A ruleID is a rule of reduction.
type ruleID int

const (
	constantPlace ruleID = iota
	deadTransition
	duplicatePlace
	impliedRead
	implicitPlace
	sameTransition
	terminating
	relevance
	lesserTransition
	sequelPlace
	preludePlace
	choicePlace
	freePlace
	rules
)

// about has the name of each rule, and the needs of formulas that forbid it. The code of each rule says why.
var about = [rules]struct {
	name   string
	breaks needSet
}{
	constantPlace:    {"constant places", 0},
	deadTransition:   {"dead transitions", 0},
	duplicatePlace:   {"places equal to another", 0},
	impliedRead:      {"implied reads", 0},
	implicitPlace:    {"implicit places", 0},
	sameTransition:   {"transitions like another", 0},
	terminating:      {"transitions that end and concern nothing", next},
	relevance:        {"transitions that concern nothing", next | forever | dead},
	lesserTransition: {"transitions that do less than another", next | nested | forever | dead},
	sequelPlace:      {"places with one consumer that waits for nothing else", next},
	preludePlace:     {"places whose producers compete with nothing", next},
	choicePlace:      {"places whose consumers wait for nothing else", next | nested},
	freePlace:        {"places whose producers make nothing else", next | nested | forever | dead},
}

func (r ruleID) String() string { return about[r].name }

// A ruleCount is the number of times a rule was applied.
type ruleCount struct {
	Rule  ruleID
	times int
}

func (c ruleCount) String() string { return fmt.Sprintf("%d %v", c.times, c.Rule) }
